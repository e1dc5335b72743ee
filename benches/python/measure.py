"""What the Python package costs beside the command: stepping, looking at arrays, sweeps. Prints JSON.

python benches/python/measure.py PLIANT [overhead|sweep|ray]…, with the interpreter that has the package; ratios are of interleaved rounds.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pliant

os.environ["PLIANT_ASSETS"] = ""
COMMAND = sys.argv[1]


def bar(cells: list[int]) -> pliant.Scene:
    scene = pliant.Scene("cantilever")
    scene.body["bar"].mesh.bar.cells = cells
    return scene


def summary(times: dict[str, list[float]], base: str) -> dict[str, object]:
    """Minimum and median of each, and over those of the base."""
    result: dict[str, object] = {}
    for name, values in times.items():
        least, middle = min(values), statistics.median(values)
        ratio = {"min": least / min(times[base]), "median": middle / statistics.median(times[base])}
        result[name] = {"min": least, "median": middle, "over_" + base: ratio}
    return result


def overhead(rounds: int = 7, steps: int = 20) -> dict[str, object]:
    """Seconds of the steps of a bar of 5491 nodes: the command's run, the package's run into a folder, a loop in Python that looks at x after each step."""
    scene = bar([38, 11, 11])
    times: dict[str, list[float]] = {"command": [], "run": [], "loop": []}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        scene.save(folder / "bar.toml")
        for number in range(rounds):
            line = [COMMAND, "run", folder / "bar.toml", "--steps", str(steps), "--out", folder / f"c{number}", "--json", "--quiet"]
            # without its first step, in which the pattern is analysed
            subprocess.run(line, check=True, capture_output=True)
            times["command"].append(after_first(folder / f"c{number}"))
            sim = pliant.Simulation(scene)
            sim.run(steps=steps, out=folder / f"p{number}")
            times["run"].append(after_first(folder / f"p{number}"))
            sim = pliant.Simulation(scene)
            sim.step()
            sim.state.x  # noqa: B018
            started = time.perf_counter()
            for _ in range(steps - 1):
                sim.step()
                sim.state.x  # noqa: B018
            times["loop"].append(time.perf_counter() - started)
        nodes = len(sim.rest)
        x = sim.state
        started = time.perf_counter()
        for _ in range(100_000):
            x.x  # noqa: B018
        look = (time.perf_counter() - started) / 100_000
    return {"nodes": nodes, "steps": steps - 1, "seconds": summary(times, "command"), "look_at_x_seconds": look}


def after_first(folder: Path) -> float:
    """Seconds of all steps but the first, as the engine times them."""
    rows = (folder / "timings.csv").read_text().splitlines()
    total = rows[0].split(",").index("total")
    return sum(float(row.split(",")[total]) for row in rows[2:])


def sweep(engine: str = "local", runs: int = 30, jobs: int = 2, rounds: int = 3) -> dict[str, object]:
    """Seconds of a study of small runs with recordings, and of the same runs as plain processes of the command, two at a time."""
    study = {
        "scene": "cantilever",
        "steps": 20,
        "sampling": {"kind": "latin-hypercube", "runs": runs, "seeds": [1]},
        "parameter": [{"path": "body.bar.material.young", "low": 2e4, "high": 2e5}],
    }
    times: dict[str, list[float]] = {"processes": [], engine: []}
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            for run in pliant.sweep.plan(study).runs:
                (folder / f"{run.index}.toml").write_text(run.scene)

            def one(n: int) -> None:
                line = [COMMAND, "run", folder / f"{n}.toml", "--steps", "20", "--threads", "1", "--out", folder / f"c{n}", "--quiet"]
                subprocess.run(line, check=True, capture_output=True)

            started = time.perf_counter()
            with ThreadPoolExecutor(jobs) as pool:
                list(pool.map(one, range(runs)))
            times["processes"].append(time.perf_counter() - started)
            started = time.perf_counter()
            result = pliant.sweep.run(study, engine=engine, jobs=jobs, out=folder / "study")
            times[engine].append(time.perf_counter() - started)
            assert result["done"] == runs
    return {"runs": runs, "jobs": jobs, "seconds": summary(times, "processes")}


if __name__ == "__main__":
    what = sys.argv[2:] or ["overhead", "sweep"]
    found: dict[str, object] = {}
    if "overhead" in what:
        found["overhead"] = overhead()
    if "sweep" in what:
        found["sweep"] = sweep()
    if "ray" in what:
        import ray

        ray.init(address="local", num_cpus=2, log_to_driver=False)
        found["ray"] = sweep("ray")
    print(json.dumps(found, indent=1))
