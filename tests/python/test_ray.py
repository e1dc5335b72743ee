"""Sweeps on a Ray cluster of two nodes on this machine: the same results as without, also when workers are killed."""

import os
import secrets
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pliant
import pytest

# a secret that only the nodes and drivers of these tests share: ray asks for one
os.environ["RAY_AUTH_MODE"] = "token"
# workers are nice by default, and starve beside other work
os.environ["RAY_worker_niceness"] = "0"
os.environ["RAY_AUTH_TOKEN"] = secrets.token_hex(32)

RAY = str(Path(sys.executable).with_name("ray"))
YOUNG = "body.bar.material.young"


def small(count, steps=3):
    return {
        "title": "many small runs",
        "scene": "cantilever",
        "steps": steps,
        "record": False,
        "sampling": {"kind": "latin-hypercube", "runs": count, "seeds": [7]},
        "parameter": [
            {"path": YOUNG, "low": 2e4, "high": 2e5, "scale": "log"},
            {"path": "body.bar.mesh.bar.cells", "values": [[4, 2, 2]]},
        ],
    }


def free_port():
    with socket.socket() as made:
        made.bind(("127.0.0.1", 0))
        return made.getsockname()[1]


def wait_for(port):
    """Until somebody listens there."""
    deadline = time.monotonic() + 120
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            assert time.monotonic() < deadline
            time.sleep(0.2)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """Two nodes of one processor each."""
    folder = tmp_path_factory.mktemp("ray")
    port = free_port()
    common = ["--num-cpus", "1", "--disable-usage-stats", "--object-store-memory", "100000000", "--block"]
    log = open(folder / "log", "w")  # noqa: SIM115
    env = dict(os.environ)
    start = lambda *more: subprocess.Popen([RAY, "start", *more, *common], stdout=log, stderr=log, env=env, start_new_session=True)  # noqa: E731
    head = start("--head", "--node-ip-address", "127.0.0.1", "--port", str(port), "--include-dashboard", "false")
    wait_for(port)
    second = start("--address", f"127.0.0.1:{port}")
    import ray

    address = f"127.0.0.1:{port}"
    deadline = time.monotonic() + 180
    ready = 0
    while ready < 2 and time.monotonic() < deadline:
        try:
            ray.init(address=address, log_to_driver=False, logging_level="error")
            while ready < 2 and time.monotonic() < deadline:
                ready = sum(node["Alive"] for node in ray.nodes())
                time.sleep(0.3)
        except ConnectionError:
            time.sleep(1)
        finally:
            ray.shutdown()
    assert ready == 2, (folder / "log").read_text()
    yield address
    for process in (second, head):
        os.killpg(process.pid, signal.SIGTERM)
    for process in (second, head):
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:  # Ray waits for its own processes, one of which a test has killed
            os.killpg(process.pid, signal.SIGKILL)
            process.wait(30)
    log.close()


def test_200_runs_agree_with_the_local_engine(tmp_path, cluster):
    there = pliant.sweep.run(small(200), engine="ray", address=cluster, out=tmp_path / "ray")
    assert (there["done"], there["failed"]) == (200, 0)
    here = pliant.sweep.run(small(200), out=tmp_path / "local")
    assert there["digest"] == here["digest"]
    print(f"ray {there['runs_per_second']:.1f} runs/s, local {here['runs_per_second']:.1f} runs/s")


def test_recordings_travel_back(tmp_path, cluster):
    study = small(3) | {"record": True}
    there = pliant.sweep.run(study, engine="ray", address=cluster, out=tmp_path / "ray")
    here = pliant.sweep.run(study, out=tmp_path / "local")
    assert there["digest"] == here["digest"]
    for ours in (tmp_path / "local/runs").iterdir():
        theirs = tmp_path / "ray/runs" / ours.name
        for name in ("recording.pliant", "series.csv", "scene.toml"):
            assert (ours / name).read_bytes() == (theirs / name).read_bytes()


def test_a_worker_killed_in_mid_study_loses_nothing(tmp_path, cluster):
    study = small(40, steps=30)
    whole = pliant.sweep.run(study, out=tmp_path / "whole")
    killed = []

    def kill():
        deadline = time.monotonic() + 180
        while not killed and time.monotonic() < deadline:
            done = len(list(tmp_path.glob("ray/runs/*/record.json")))
            for process in Path("/proc").glob("[0-9]*/cmdline") if done >= 3 else []:
                try:
                    line = process.read_bytes()
                except OSError:
                    continue
                if line.startswith(b"ray::_remote"):
                    os.kill(int(process.parent.name), signal.SIGKILL)
                    killed.append(process.parent.name)
                    break
            time.sleep(0.05)

    thread = threading.Thread(target=kill)
    thread.start()
    result = pliant.sweep.run(study, engine="ray", address=cluster, out=tmp_path / "ray")
    thread.join()
    assert killed
    assert (result["done"], result["failed"]) == (40, 0)
    assert result["digest"] == whole["digest"]


def test_no_cluster_there(tmp_path):
    with pytest.raises(pliant.StudyError, match="cannot reach"):
        pliant.sweep.run(small(1), engine="ray", address=f"127.0.0.1:{free_port()}", out=tmp_path)
