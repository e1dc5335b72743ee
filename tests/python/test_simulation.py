"""Stepping, reading and acting, against closed forms and against each other."""

import gc
import subprocess
import sys
import threading
import weakref

import numpy as np
import pliant
import pytest

SMALL = {"size": [0.2, 0.1, 0.1], "cells": [4, 2, 2]}


def bar(**changes):
    scene = pliant.Scene("cantilever")
    scene.body["bar"].mesh.bar = SMALL
    scene.body["bar"].material.young = "20 kPa"
    for path, value in changes.items():
        scene.set(path.replace("__", "."), value)
    return scene


def free(**changes):
    """A bar that nothing holds and nothing pulls."""
    scene = bar(gravity=[0, 0, 0], **changes)
    del scene.drive
    return scene


def test_state_follows_the_simulation():
    sim = pliant.Simulation(bar(), method="full")
    x, v, stress = sim.state.x, sim.state.v, sim.state.stress
    assert np.array_equal(x, sim.rest)
    assert not stress.any()
    before = x.copy()
    sim.step(3)
    assert sim.state.x is x
    assert sim.state.v is v
    assert sim.state.stress is stress
    assert not np.array_equal(x, before)
    assert stress.any()
    assert sim.state.step == 3
    assert sim.time == pytest.approx(0.015)
    # energies as numpy finds them in the arrays
    kinetic = 0.5 * (sim.mass[:, None] * v**2).sum()
    assert sim.energies.kinetic == pytest.approx(kinetic, rel=1e-12)
    assert sim.report.momentum.linear == pytest.approx((sim.mass[:, None] * v).sum(axis=0).tolist(), rel=1e-12)
    assert sim.report.max_von_mises == sim.state.von_mises.max()


def test_arrays_are_read_only_and_outlive_everything():
    sim = pliant.Simulation(bar(), method="full")
    sim.step()
    x = sim.state.x
    with pytest.raises(ValueError, match="read-only"):
        x[0, 0] = 1.0
    copy = x.copy()
    gone = weakref.ref(sim)
    del sim
    gc.collect()
    assert gone() is None
    assert np.array_equal(x, copy)


def test_setting_the_state():
    sim = pliant.Simulation(free(), method="full")
    shift = np.array([0.1, 0.2, 0.3])
    sim.state.x = sim.state.x + shift
    sim.state.v = np.tile([1.0, 0.0, -2.0], (len(sim.rest), 1))
    sim.step(10)
    expected = sim.rest + shift + sim.time * np.array([1.0, 0.0, -2.0])
    assert np.allclose(sim.state.x, expected, atol=1e-9)
    for bad in (np.zeros((3, 3)), np.zeros(6), np.full((len(sim.rest), 3), np.nan)):
        with pytest.raises(pliant.ShapeError):
            sim.state.x = bad
    with pytest.raises((TypeError, ValueError)):
        sim.state.x = "everywhere"


def test_strain_and_stress_of_a_known_deformation():
    # stretched by 1.2 along x in the frame of the rest shape, then turned
    sim = pliant.Simulation(free(), method="full")
    turn = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    sim.state.x = sim.rest * [1.2, 1.0, 1.0] @ turn.T
    expected = np.array([(1.2**2 - 1) / 2, 0, 0, 0, 0, 0])
    assert np.allclose(sim.state.strain, expected, atol=1e-12)


def test_a_force_accelerates_by_newtons_law():
    sim = pliant.Simulation(free(), method="full")
    sim.set_force(sim.nodes(), [0, 0, 3.0])
    sim.step(20)
    velocity = (sim.mass[:, None] * sim.state.v).sum(axis=0) / sim.mass.sum()
    assert velocity == pytest.approx([0, 0, 3.0 / sim.mass.sum() * sim.time], abs=1e-9)
    assert sim.report.reactions["force"] == [0, 0, 3.0]
    sim.release("force")
    sim.step(5)
    after = (sim.mass[:, None] * sim.state.v).sum(axis=0) / sim.mass.sum()
    assert after == pytest.approx(velocity, abs=1e-9)


def test_pull_move_attach_and_release():
    sim = pliant.Simulation(bar(gravity=[0, 0, 0]), method="full")
    tip = sim.nearest([0.2, 0.05, 0.1])
    target = sim.rest[tip] + [0, 0, 0.03]
    sim.pull(tip, target, stiffness=200.0)
    sim.step(60)
    assert 0.001 < sim.state.x[tip, 2] - sim.rest[tip, 2] < 0.03
    # in equilibrium the spring pulls with what the wall holds
    assert "pull" in sim.drives
    sim.release("pull")
    sim.attach(tip)
    there = sim.state.x[tip].copy()
    sim.move("wall", [0.0, 0.01, 0.0])
    sim.step(20)
    assert np.allclose(sim.state.x[tip], there, atol=1e-6)
    wall = sim.rest[:, 0] < 1e-9
    assert np.allclose(sim.state.x[wall], sim.rest[wall] + [0, 0.01, 0], atol=1e-12)
    assert sim.joints == {"attachment": "attach"}
    with pytest.raises(pliant.StateError, match="another name"):
        sim.attach(tip)
    with pytest.raises(pliant.UnknownName, match="`wall`"):
        sim.move("well", [0, 0, 0])
    with pytest.raises(KeyError):
        sim.release("hand")


def test_what_acts_is_saved_and_acts_again(tmp_path):
    def start():
        return pliant.Simulation(bar(gravity=[0, 0, 0]), method="full")

    sim = start()
    tip = sim.nearest([0.2, 0.05, 0.1])
    sim.pull(tip, sim.rest[tip] + [0, 0, 0.03], stiffness=200.0)
    sim.set_force([3, 5], [0, 0.2, 0.1], name="push")
    sim.step(3)
    sim.move("wall", [0.0, 0.01, 0.0])
    sim.attach(sim.nearest([0.1, 0.0, 0.0]))
    sim.set_force([3, 5], [0, 0.1, 0.1], name="push")
    sim.step(4)
    sim.release("push")
    sim.step(3)
    path = tmp_path / "now.checkpoint"
    sim.save(path)
    sim.step(10)
    other = start()
    other.load(path)
    assert (other.state.step, set(other.drives), other.joints) == (10, set(sim.drives), sim.joints)
    other.step(10)
    assert np.array_equal(sim.state.x, other.state.x) and np.array_equal(sim.state.v, other.state.v)
    # what acts now gives way to what acted then
    other.set_force(1, [0, 0, 1.0], name="later")
    other.load(path)
    other.step(10)
    assert np.array_equal(sim.state.x, other.state.x)
    # the command has no words for it
    scene = tmp_path / "bar.toml"
    scene.write_text(sim.scene.text)
    command = [sys.executable, "-m", "pliant", "run", scene, "--method", "full", "--resume", path]
    refused = subprocess.run(command, capture_output=True, text=True, check=False)
    assert refused.returncode == 2 and "pliant.Simulation" in refused.stderr, refused.stderr


def test_results_of_the_last_step_survive_a_change():
    sim = pliant.Simulation(bar(), method="full")
    sim.step(5)
    stress, energies = sim.state.stress.copy(), sim.energies
    sim.set_force(3, [0, 0, 0.1])
    sim.set_force(3, [0, 0, 0.2])
    assert np.array_equal(sim.state.stress, stress)
    assert sim.energies == energies
    fresh = pliant.Simulation(bar(), method="full")
    fresh.step(5)
    fresh.set_force(3, [0, 0, 0.1])
    fresh.set_force(3, [0, 0, 0.2])
    # looked at for the first time after two changes
    assert np.array_equal(fresh.state.stress, stress)


def test_controls_of_cables():
    scene = pliant.Scene("contact/gripper")
    sim = pliant.Simulation(scene, method="full")
    tip = sim.nearest([-0.03, 0, -0.1], "left finger")
    plain = pliant.Simulation(scene, method="full")
    sim.set_control("left cable", 0.3)
    for each in (sim, plain):
        each.step(30)
    assert abs(sim.state.x[tip] - plain.state.x[tip]).max() > 1e-3
    assert sim.report.joints["left cable"]["tension"] == 0.3
    with pytest.raises(pliant.UnknownName, match="`left cable`, `right cable`"):
        sim.set_control("cable", 1.0)


def test_contacts():
    scene = pliant.Scene("contact/gripper")
    sim = pliant.Simulation(scene, method="full")
    sim.step(10)
    contacts = sim.contacts
    assert len(contacts) > 0
    assert set(contacts.body) == {"box"}
    assert set(contacts.partner) == {"table"}
    assert contacts.point.shape == contacts.normal.shape == (len(contacts), 3)
    # the table carries the box
    weight = 100 * 0.03**3 * 9.81
    assert contacts.normal_force.sum() == pytest.approx(weight, rel=0.02)
    assert sim.state.contact_force[sim.nodes("box")].sum(axis=0)[2] == pytest.approx(weight, rel=0.02)


def test_cut():
    sim = pliant.Simulation(bar(), method="full")
    tip = sim.nearest([0.2, 0.05, 0.05])
    place = sim.rest[tip].copy()
    sim.set_force(tip, [0, 0, -0.01], name="load")
    sim.step(3)
    x, count = sim.state.x, len(sim.rest)
    old = x.copy()
    assert sim.cut([0.11, 0, 0], [1, 0, 0]) == 1
    assert len(sim.rest) > count
    assert np.array_equal(x, old)
    assert sim.state.x is not x
    assert "load" in sim.drives
    sim.step(40)
    moved = sim.nearest(sim.state.x[np.argmin(np.linalg.norm(sim.rest - place, axis=1))])
    assert sim.state.x[moved, 2] < place[2] - 0.05  # it falls
    assert sim.state.stress.shape == (len(sim.elements), 6)
    with pytest.raises(pliant.StateError, match="meets no soft body"):
        sim.cut([5, 0, 0], [1, 0, 0])


def test_methods_and_element_states():
    sim = pliant.Simulation(bar(), method="rigidify")
    sim.step(3)
    states = sim.state.element_state
    assert states is not None
    assert states.shape == (len(sim.elements),)
    assert states.dtype == np.uint8
    assert pliant.Simulation(bar(), method="full").state.element_state is None
    with pytest.raises(pliant.MethodError, match="did you mean"):
        pliant.Simulation(bar(), method="ful")
    with pytest.raises(pliant.Error):
        pliant.Simulation(bar(), threads=0)


def test_wrong_types_and_shapes():
    sim = pliant.Simulation(bar(), method="full")
    for nodes, error in (([0.5], TypeError), ([[1, 2]], pliant.ShapeError), ([-1], pliant.ShapeError), ([], (TypeError, pliant.ShapeError)), ([10**6], pliant.ShapeError)):
        with pytest.raises(error):
            sim.set_force(nodes, [0, 0, 1])
    for force in ([0, 1], [0, 0, np.inf], "up"):
        with pytest.raises((TypeError, ValueError)):
            sim.set_force(0, force)
    with pytest.raises(ValueError, match="negative"):
        sim.step(-1)
    with pytest.raises(TypeError):
        sim.step("one")
    with pytest.raises(ValueError, match="not both"):
        sim.run(steps=1, duration=1.0)
    with pytest.raises(pliant.ShapeError, match="no node"):
        sim.set_force(len(sim.rest), [0, 0, 1])
    assert issubclass(pliant.ShapeError, ValueError)


def test_a_failed_step_leaves_the_state():
    scene = bar()
    scene.body["bar"].material.model = "neo-hookean"
    scene.solver.max_halvings = 0
    sim = pliant.Simulation(scene, method="full")
    sim.step(2)
    x = sim.state.x.copy()
    # elements inside out
    bad = sim.state.x.copy()
    bad[:, 2] *= -1
    sim.state.x = bad
    with pytest.raises(pliant.StepError) as caught:
        sim.step()
    error = caught.value
    assert (error.step, error.kind, error.body) == (3, "element", "bar")
    assert isinstance(error, RuntimeError)
    assert sim.state.step == 2
    assert np.array_equal(sim.state.x, bad)
    sim.state.x = x
    sim.step()


def test_callbacks_and_progress(capsys):
    sim = pliant.Simulation(bar(), method="full")
    seen = []

    def callback(sim):
        seen.append((sim.state.step, float(sim.state.x[:, 2].min())))
        sim.set_force(0, [0, 0, len(seen)])
        return len(seen) < 4

    sim.run(steps=100, callback=callback, every=2, progress=True)
    assert [step for step, _ in seen] == [2, 4, 6, 8]
    with pytest.raises(ZeroDivisionError):
        sim.run(steps=5, callback=lambda sim: 1 / 0)
    assert sim.state.step == 9


def test_another_thread_runs_while_it_steps():
    """The interpreter is free while steps are taken, and a second thread is told that the simulation is busy."""
    sim = pliant.Simulation("cantilever", method="full", threads=1)
    sim.step()
    counted = 0
    stop = threading.Event()
    busy = []
    thread = threading.Thread(target=lambda: (sim.step(30), stop.set()))
    thread.start()
    while not stop.is_set():
        counted += 1
        if counted % 1000 == 0:
            try:
                sim.time  # noqa: B018
            except pliant.BusyError as error:
                busy.append(error)
    thread.join()
    assert counted > 10_000
    assert busy
    assert sim.state.step == 31


def test_view_serves_the_page():
    import urllib.request

    with pliant.view(bar(), inline=True, paused=True) as viewer:
        page = urllib.request.urlopen(viewer.url).read()
        assert b"<html" in page.lower()
        assert viewer.url in viewer._repr_html_()
