"""The snippet of docs/recording.md reads a recording."""

import os

import numpy as np

from fixture import same, snippet


def check(fixture):
    recording = fixture.recording
    before = os.getcwd()
    os.chdir(fixture.folder / "run")
    try:
        names = {}
        exec(snippet(), names)
    finally:
        os.chdir(before)
    same(names["x"], recording.positions[-1], "positions of the last frame")
    assert names["step"] == 20 and len(recording.times) == 8, "20 steps, a frame every 3, and the last"
    same(recording.times, [0, 0.015, 0.03, 0.045, 0.06, 0.075, 0.09, 0.1], "times", 1e-12)

    assert recording.info["regions"] == ["default", "stiff <end>"]
    counts = np.bincount(recording.regions)
    # a quarter of the bar's 6 x 2 x 2 cells of 6 tetrahedra, by centroids
    bar = recording.bodies()[0]
    centroids = recording.rest[recording.elements[slice(*bar["elements"])]].mean(axis=1)
    assert counts[1] == np.count_nonzero(centroids[:, 0] >= 0.15) > 0, counts
    bar_mass = recording.masses[slice(*bar["nodes"])].sum()
    same(bar_mass, 0.2 * 0.05 * 0.05 * 1000, "mass of the bar", 1e-12)
    moved = max(np.abs(d).max() for d in recording.displacements)
    assert moved > 0.05, f"the scene hardly moves ({moved} m): the checks would see nothing"
