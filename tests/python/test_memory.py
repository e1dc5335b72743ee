"""Looking at arrays allocates nothing, and nothing is left of simulations that are gone."""

import gc
import resource
import tracemalloc

import numpy as np
import pliant

NAMES = ("x", "v", "stress", "von_mises", "strain", "contact_force")


def test_looking_allocates_nothing():
    sim = pliant.Simulation("cantilever", method="full")
    sim.step()
    first = {name: getattr(sim.state, name) for name in NAMES}
    places = {name: array.__array_interface__["data"][0] for name, array in first.items()}
    for _ in range(3):
        sim.step()
        for name in NAMES:
            getattr(sim.state, name)
    tracemalloc.start()
    before = tracemalloc.take_snapshot()
    for _ in range(1000):
        for name in NAMES:
            assert getattr(sim.state, name) is first[name]
    after = tracemalloc.take_snapshot()
    tracemalloc.stop()
    # numpy reports its memory to tracemalloc: one array of x alone would be 29 kB
    grown = sum(stat.size_diff for stat in after.compare_to(before, "filename") if "tracemalloc" not in str(stat.traceback))
    assert grown < 2000, grown
    assert places == {name: getattr(sim.state, name).__array_interface__["data"][0] for name in NAMES}


def test_simulations_that_are_gone_leave_nothing():
    def once():
        sim = pliant.Simulation("cantilever", method="full", threads=1)
        sim.step()
        return float(np.abs(sim.state.x).sum() + sim.state.stress.sum())

    def most():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

    for _ in range(3):
        once()
    gc.collect()
    before = most()
    for _ in range(25):
        once()
    # one of these holds some 15 MB
    assert most() - before < 60, (before, most())
