"""Sweeps on this machine: plans, results, going on, failures, workers that die."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pliant
import pyarrow.parquet as parquet
import pytest
from conftest import ROOT

YOUNG = "body.bar.material.young"


def study(**changes):
    return {
        "title": "bars",
        "scene": "cantilever",
        "steps": 3,
        "record": False,
        "parameter": [
            {"path": YOUNG, "low": 2e4, "high": 2e5, "scale": "log", "count": 3},
            {"path": "body.bar.mesh.bar.cells.0", "name": "cells", "values": [2, 4]},
        ],
    } | changes


def rows(result):
    return parquet.read_table(result["results"]).to_pylist()


def test_grid_random_and_latin_hypercube():
    grid = pliant.sweep.plan(study(methods=["full", "early-cg"]))
    assert len(grid.runs) == 3 * 2 * 2
    assert [run.parameters["young"] for run in grid.runs[::4]] == [2e4, pytest.approx(6.32455532e4), 2e5]
    assert len({run.id for run in grid.runs}) == 12
    cubes = pliant.sweep.plan(study(sampling={"kind": "latin-hypercube", "runs": 8, "seeds": [1, 2]}))
    assert len(cubes.runs) == 16
    first = sorted(run.parameters["young"] for run in cubes.runs[:8])
    edges = [2e4 * 10 ** (n / 8) for n in range(9)]
    assert all(edges[n] <= young <= edges[n + 1] for n, young in enumerate(first))
    assert [r.parameters["cells"] for r in cubes.runs[:8]].count(2) == 4
    drawn = pliant.sweep.plan(study(sampling={"kind": "random", "runs": 5, "seeds": [1]}))
    again = pliant.sweep.plan(study(sampling={"kind": "random", "runs": 5, "seeds": [1]}))
    assert drawn == again
    assert {run.seed for run in drawn.runs} == {1}


def test_results_are_those_of_single_runs(tmp_path):
    result = pliant.sweep.run(study(measure=[{"name": "tip", "at": [0.4, 0.05, 0.05]}]), out=tmp_path, jobs=2)
    assert (result["done"], result["failed"], result["executed"]) == (6, 0, 6)
    row = rows(result)[3]
    scene = pliant.Scene("cantilever")
    scene.set(YOUNG, row["young"])
    scene.set("body.bar.mesh.bar.cells.0", row["cells"])
    sim = pliant.Simulation(scene, threads=1)
    tip = sim.nearest([0.4, 0.05, 0.05])
    sim.step(3)
    assert [row["tip_x"], row["tip_y"], row["tip_z"]] == sim.state.x[tip].tolist()
    assert row["energies_kinetic"] == sim.energies.kinetic
    page = (tmp_path / "report.html").read_text()
    assert "polyline" in page
    assert "circle" in page
    # finished runs are not repeated, more runs of the same parameters are added
    again = pliant.sweep.run(study(measure=[{"name": "tip", "at": [0.4, 0.05, 0.05]}]), out=tmp_path)
    assert again["executed"] == 0
    assert again["digest"] == result["digest"]
    more = study(measure=[{"name": "tip", "at": [0.4, 0.05, 0.05]}])
    more["parameter"][1]["values"] = [2, 4, 6]
    assert pliant.sweep.run(more, out=tmp_path)["executed"] == 3


def test_failures_are_recorded_with_their_type(tmp_path):
    bad = study(parameter=[{"path": YOUNG, "values": ["50 kPa", "-1 kPa", "5 kg"]}])
    result = pliant.sweep.run(bad, out=tmp_path, jobs=1)
    assert (result["done"], result["failed"]) == (1, 2)
    table = rows(result)
    assert [row["status"] for row in table] == ["done", "failed", "failed"]
    assert [row["error"] for row in table] == [None, "SceneError", "SceneError"]
    assert "kg" in table[2]["message"]
    assert "Failed runs" in (tmp_path / "report.html").read_text()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"scene": "cantilver"}, "cantilever"),
        ({"sampling": {"kind": "sobol"}}, "latin-hypercube"),
        ({"sampling": {"kind": "random"}}, "needs `runs`"),
        ({"stepps": 3}, "unknown key `stepps`"),
        ({"parameter": [{"path": YOUNG}]}, "either `values`"),
        ({"parameter": [{"path": "body.beam.name", "values": [1]}]}, "`bar`"),
        ({"parameter": [{"path": YOUNG, "low": 1, "high": 2}]}, "needs `count`"),
        ({"duration": 1.0}, "not both"),
    ],
)
def test_mistakes(tmp_path, changes, words):
    with pytest.raises(pliant.Error, match=words):
        pliant.sweep.run(study(**changes), out=tmp_path)
    with pytest.raises(pliant.StudyError, match="local, ray"):
        pliant.sweep.run(study(), out=tmp_path, engine="dask")


def test_a_worker_that_is_killed_loses_nothing(tmp_path):
    big = study(steps=12, parameter=[{"path": YOUNG, "low": 2e4, "high": 2e5, "count": 10}])
    whole = pliant.sweep.run(big, out=tmp_path / "whole", jobs=2)
    killed = []

    def kill():
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline and len(killed) < 2:
            for process in Path("/proc").glob("[0-9]*/cmdline"):
                try:
                    line, parent = process.read_bytes(), (process.parent / "stat").read_text().split()[3]
                except OSError:
                    continue
                if b"pliant.sweep\0--worker" in line and parent == str(os.getpid()):
                    os.kill(int(process.parent.name), signal.SIGKILL)
                    killed.append(process.parent.name)
                    break
            time.sleep(0.4)

    thread = threading.Thread(target=kill)
    thread.start()
    result = pliant.sweep.run(big, out=tmp_path / "killed", jobs=2)
    thread.join()
    assert killed
    assert (result["done"], result["failed"]) == (10, 0)
    assert result["digest"] == whole["digest"]


def test_a_study_that_is_killed_goes_on(tmp_path):
    path = tmp_path / "study.toml"
    values = ", ".join(str(2e4 + 1e4 * n) for n in range(12))
    path.write_text(f'scene = "cantilever"\nsteps = 12\nrecord = false\n[[parameter]]\npath = "{YOUNG}"\nvalues = [{values}]\n')
    out = tmp_path / "out"
    first = subprocess.Popen([sys.executable, "-m", "pliant.sweep", path, "--out", out, "--quiet"], start_new_session=True)
    while len(list(out.glob("runs/*/record.json"))) < 3:
        time.sleep(0.05)
        assert first.poll() is None
    os.kill(first.pid, signal.SIGKILL)
    first.wait()
    time.sleep(1.0)  # workers end with the run that they have
    done = len(list(out.glob("runs/*/record.json")))
    second = pliant.sweep.run(path, out=out)
    assert second["done"] == 12
    assert second["executed"] == 12 - done
    assert second["digest"] == pliant.sweep.run(path, out=tmp_path / "other")["digest"]


def test_the_command_sweeps(tmp_path, command):
    path = ROOT / "scenes/studies/cantilever.toml"
    small = tmp_path / "small.toml"
    text = path.read_text().replace("runs = 12", "runs = 2").replace("duration = 0.1", "steps = 2")
    small.write_text(text.replace("../cantilever.toml", str(ROOT / "scenes/cantilever.toml")))
    env = {"PLIANT_PYTHON": sys.executable}
    result = command("sweep", small, "--out", "study", "--jobs", 2, env=env)
    assert (result["runs"], result["done"]) == (4, 4)
    recordings = list(tmp_path.glob("study/runs/*/recording.pliant"))
    assert len(recordings) == 4
    (tmp_path / "bad.toml").write_text("scene = 'nowhere'\n")
    bad = command("sweep", "bad.toml", env=env, code=2)
    assert "nowhere" in bad["error"]["message"]
    missing = command("sweep", small, env={"PLIANT_PYTHON": "/nowhere/python"}, code=2)
    assert "PLIANT_PYTHON" in missing["error"]["help"]
    assert json.loads((tmp_path / "study/study.json").read_text())["name"] == "small"
