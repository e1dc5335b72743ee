"""Ctrl-C ends a run between two steps and keeps the state; a recorded run leaves a checkpoint to go on from."""

import os
import signal
import threading
import time

import pliant
import pytest


def press_soon(seconds=0.4):
    threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT)).start()


def test_steps_end_and_the_state_is_good():
    sim = pliant.Simulation("cantilever", method="full", threads=1)
    sim.step()
    press_soon()
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        sim.step(1_000_000)
    assert time.monotonic() - started < 10
    taken = sim.state.step
    assert 1 < taken < 1_000_000
    # it goes on as if nothing had happened
    other = pliant.Simulation("cantilever", method="full", threads=1)
    other.step(taken)
    assert sim.state.x.tobytes() == other.state.x.tobytes()
    sim.step()
    other.step()
    assert sim.state.x.tobytes() == other.state.x.tobytes()


def test_a_recorded_run_leaves_a_checkpoint(tmp_path, command):
    sim = pliant.Simulation("cantilever", method="full", threads=1)
    press_soon()
    with pytest.raises(KeyboardInterrupt):
        sim.run(steps=100_000, out=tmp_path / "run")
    taken = sim.state.step
    (checkpoint,) = (tmp_path / "run/checkpoints").iterdir()
    assert checkpoint.name == f"step-{taken:08}.checkpoint"
    again = pliant.Simulation("cantilever", method="full")
    again.load(checkpoint)
    assert again.state.x.tobytes() == sim.state.x.tobytes()
    # nothing keeps it from being recorded again
    sim.run(steps=1, out=tmp_path / "next")
