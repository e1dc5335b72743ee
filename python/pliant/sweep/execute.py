"""One run, in any process on any machine: its folder, and the record that is written last."""

from __future__ import annotations

import json
import os
import time as clock
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ..errors import Error
from ..scene import Scene
from ..simulation import Simulation
from .study import Run

RECORD = "record.json"
#: Times of the stages and of the whole are no results.
CLOCK = ("stage_seconds",)


def is_final(folder: Path) -> bool:
    """Whether a run is finished; one whose worker died is to be tried again when the study is."""
    try:
        return bool(json.loads((folder / RECORD).read_text(encoding="utf-8"))["final"])
    except (OSError, ValueError, KeyError):
        return False


def execute(run: Run, folder: Path) -> None:
    """Does a run. Its failure is a result; only what the machine does wrong is an exception."""
    started = clock.perf_counter()
    results: dict[str, Any] = {}
    error = None
    try:
        scene = Scene(run.scene, name=run.name, base=run.base)
        simulation = Simulation(scene, method=run.method, threads=run.threads)
        points = [(m["name"], _node(simulation, m)) for m in run.measure]
        duration = run.duration if run.duration is None else float(run.duration)
        simulation.run(steps=run.steps, duration=duration, out=folder if run.record else None)
        results = _flat({k: v for k, v in simulation.report.items() if k not in CLOCK})
        results |= {"nodes": len(simulation.rest), "elements": len(simulation.elements)}
        results["max_displacement"] = float(_lengths(simulation.state.x - simulation.rest).max())
        for name, node in points:
            for axis, value in zip("xyz", simulation.state.x[node].tolist(), strict=True):
                results[f"{name}_{axis}"] = value
    except Error as problem:
        details = {key: value for key, value in problem._details.items() if value is not None}
        error = {"type": type(problem).__name__, "message": str(problem), **details}
    write_record(folder, run, results=results, error=error, seconds=clock.perf_counter() - started)


def write_record(
    folder: Path,
    run: Run,
    *,
    results: dict[str, Any] | None = None,
    error: dict[str, Any] | None = None,
    seconds: float = 0.0,
    final: bool = True,
) -> None:
    """Writes the record so that it is there completely or not at all."""
    record = {
        "id": run.id,
        "status": "done" if error is None else "failed",
        "final": final,
        "method": run.method,
        "seed": run.seed,
        "parameters": run.parameters,
        "results": results or {},
        "error": error,
        "seconds": seconds,
    }
    put(folder / RECORD, (json.dumps(record, indent=1) + "\n").encode())


def put(path: Path, content: bytes) -> None:
    """A file that is either the old or the new one at any moment."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.partial")
    with open(partial, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    partial.replace(path)


def from_dict(table: dict[str, Any]) -> Run:
    """A run that was sent."""
    return Run(**table)


def to_dict(run: Run) -> dict[str, Any]:
    """A run to send."""
    return asdict(run)


def _node(simulation: Simulation, measure: dict[str, Any]) -> int:
    return simulation.nearest(measure["at"], measure.get("body"))


def _lengths(rows: Any) -> Any:
    return (rows * rows).sum(axis=1) ** 0.5


def _flat(table: dict[str, Any], before: str = "") -> dict[str, Any]:
    """Nested tables as columns with underscores; vectors as three."""
    flat: dict[str, Any] = {}
    for key, value in table.items():
        name = before + key.replace(" ", "_")
        if isinstance(value, dict):
            flat |= _flat(value, f"{name}_")
        elif isinstance(value, list):
            flat |= {f"{name}_{axis}": part for axis, part in zip("xyz", value, strict=True)}
        else:
            flat[name] = value
    return flat
