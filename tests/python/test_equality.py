"""The package and the command line give the same bytes."""

import numpy as np
import pliant
import pytest

# times, and names of the method's threads, are no results
FILES = ("recording.pliant", "series.csv", "scene.toml")

CASES = [
    ("cantilever", "full", 12),
    ("cantilever-2d", "full", 12),
    ("early-cg/snowman", "early-cg", 12),
    ("contact/gripper", "full", 30),
    ("contact/gripper", "isodof", 30),
    ("conjac/twist", "conjac", 10),
    ("rigidify/beam", "rigidify", 10),
]


@pytest.mark.parametrize(("scene", "method", "steps"), CASES)
def test_recordings_and_checkpoints(tmp_path, command, scene, method, steps):
    theirs, ours = tmp_path / "command", tmp_path / "package"
    half = steps // 2
    command("run", scene, "--method", method, "--steps", steps, "--out", theirs, "--checkpoint-every", half)
    sim = pliant.Simulation(scene, method=method)
    # in pieces, with somebody who looks at everything
    look = lambda sim: (sim.state.x, sim.state.stress, sim.contacts, sim.report)  # noqa: E731
    summary = sim.run(steps=steps, out=ours, callback=look, every=3, checkpoint_every=half)
    for name in (*FILES, *(f"checkpoints/step-{n:08}.checkpoint" for n in (half, 2 * half))):
        assert (theirs / name).read_bytes() == (ours / name).read_bytes(), name
    assert summary["last_step"] == steps


def test_a_checkpoint_goes_both_ways(tmp_path, command):
    whole, half = tmp_path / "whole", tmp_path / "half"
    command("run", "cantilever", "--method", "full", "--steps", 20, "--out", whole, "--checkpoint-every", 10)
    first = whole / "checkpoints/step-00000010.checkpoint"
    sim = pliant.Simulation("cantilever", method="full")
    sim.load(first)
    assert sim.state.step == 10
    sim.step(10)
    last = tmp_path / "last.checkpoint"
    sim.save(last)
    again = pliant.Simulation("cantilever", method="full")
    again.load(whole / "checkpoints/step-00000020.checkpoint")
    assert np.array_equal(again.state.x, sim.state.x)
    assert np.array_equal(again.state.v, sim.state.v)
    # and a folder that the package began goes on with the command
    sim = pliant.Simulation("cantilever", method="full")
    sim.run(steps=10, out=half, checkpoint_every=10)
    command("run", "cantilever", "--method", "full", "--steps", 20, "--out", half, "--resume", half / "checkpoints/step-00000010.checkpoint")
    assert (half / "series.csv").read_bytes() == (whole / "series.csv").read_bytes()
    with pytest.raises(pliant.CheckpointError, match="other settings"):
        pliant.Simulation("cantilever", method="early-cg").load(first)
    with pytest.raises(pliant.CheckpointError, match="differs"):
        pliant.Simulation("cantilever-2d", method="full").load(first)


def test_edited_scenes_run_the_same_from_their_text(tmp_path, command):
    scene = pliant.Scene("cantilever")
    scene.body["bar"].material.young = "30 kPa"
    scene.save(tmp_path / "edited.toml")
    command("run", "edited.toml", "--steps", 5, "--out", tmp_path / "command")
    sim = pliant.Simulation(scene)
    sim.run(steps=5, out=tmp_path / "package")
    for name in ("series.csv", "scene.toml"):
        assert (tmp_path / "command" / name).read_bytes() == (tmp_path / "package" / name).read_bytes()


def test_threads_change_nothing(tmp_path):
    states = []
    for threads in (1, 2):
        sim = pliant.Simulation("contact/gripper", method="full", threads=threads)
        sim.step(20)
        states.append(sim.state.x.tobytes() + sim.state.v.tobytes())
    assert states[0] == states[1]


def test_module_is_the_command(command):
    import subprocess
    import sys

    listed = subprocess.run([sys.executable, "-m", "pliant", "scenes", "--json"], capture_output=True, check=True)
    import json

    assert json.loads(listed.stdout) == command("scenes")
    bad = subprocess.run([sys.executable, "-m", "pliant", "run", "nowhere"], capture_output=True, check=False)
    assert bad.returncode == 2


def test_compare_train_and_bench(tmp_path):
    result = pliant.compare(pliant.Scene("cantilever"), ["early-cg"], steps=3, out=tmp_path / "compare")
    assert [row["method"] for row in result["rows"]] == ["full", "early-cg"]
    with pytest.raises(pliant.CommandError, match="no method") as caught:
        pliant.compare("cantilever", ["quick"])
    assert caught.value.code == 2
    with pytest.raises(pliant.CommandError, match="which body"):
        pliant.train("contact/gripper", tmp_path / "model")
    small = pliant.Scene("cantilever")
    small.body["bar"].mesh.bar.cells = [4, 2, 2]
    small.time.duration = "20 ms"
    trained = pliant.train(small, tmp_path / "bar.pliant-model", threads=1)
    assert trained["rank"] > 0
    assert (tmp_path / "bar.pliant-model").stat().st_size > 0
    assert any(study["name"] == "kernels" for study in pliant.bench()["studies"])
