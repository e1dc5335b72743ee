"""Sweeps: a scene many times with other parameters, methods and seeds, on this machine or on a Ray cluster.

A study is described in a file (``docs/book/sweeps.md``) or a dictionary. Every run has a folder of its own under ``runs/`` of the study's, with a
record that is written last: what has one is finished and is not repeated when the study is started again. Results do not
depend on who ran them, where and in which order; times are kept apart from them.

>>> import tempfile
>>> study = {
...     "title": "two bars",
...     "scene": "cantilever",
...     "steps": 2,
...     "record": False,
...     "parameter": [{"path": "body.bar.material.young", "values": ["50 kPa", "100 kPa"]}],
... }
>>> with tempfile.TemporaryDirectory() as folder:
...     result = run(study, out=folder, jobs=1)
>>> result["done"], result["failed"]
(2, 0)
"""

from __future__ import annotations

import hashlib
import os
import time as clock
from pathlib import Path
from typing import Any

from ..errors import StudyError
from .execute import is_final, write_record
from .study import Plan, Run, plan

__all__ = ["Plan", "Run", "plan", "run"]

ENGINES = ("local", "ray")


def run(
    study: str | os.PathLike[str] | dict[str, Any],
    *,
    engine: str = "local",
    address: str | None = None,
    jobs: int | None = None,
    out: str | os.PathLike[str] | None = None,
    progress: bool = False,
) -> dict[str, Any]:
    """Runs what is left to do of a study; what came of all of it.

    ``engine`` is "local" (``jobs`` processes, by default one for each core) or "ray" (the cluster at ``address``, or one that is started on this
    machine). ``out`` is the folder of the results; with that of an earlier start the study goes on.
    """
    if engine not in ENGINES:
        raise StudyError(f"there is no engine `{engine}`: known are {', '.join(ENGINES)}")
    if address is not None and engine != "ray":
        raise StudyError("only --engine ray has an address")
    if jobs is not None and jobs < 1:
        raise StudyError(f"{jobs} runs at a time are not possible: use 1 or more")
    from . import results  # what it needs is found missing now, not at the end

    results.check()
    planned = plan(study)
    folder = Path(out) if out is not None else Path("runs") / planned.name
    for each in planned.runs:
        (folder / "runs" / each.id).mkdir(parents=True, exist_ok=True)
    (folder / "study.json").write_text(planned.to_json(), encoding="utf-8")
    left = [each for each in planned.runs if not is_final(folder / "runs" / each.id)]
    # runs whose scene is no scene are finished before they begin
    for each in [each for each in left if each.error is not None]:
        write_record(folder / "runs" / each.id, each, error=each.error)
    left = [each for each in left if each.error is None]
    started = clock.monotonic()
    bar = _Bar(len(left)) if progress else None
    if engine == "ray":
        from .cluster import execute_all
    else:
        from .local import execute_all
    if left:
        execute_all(left, folder / "runs", address=address, jobs=jobs, finished=bar.advance if bar else lambda: None)
    seconds = clock.monotonic() - started
    if bar:
        bar.close()
    counts = results.collect(planned, folder)
    return {
        "study": planned.name,
        "title": planned.title,
        "engine": engine,
        "out": str(folder),
        "runs": len(planned.runs),
        **counts,
        "executed": len(left),
        "wall_seconds": seconds,
        "runs_per_second": len(left) / seconds if left else None,
        "results": str(folder / "results.parquet"),
        "report": str(folder / "report.html"),
        "digest": hashlib.sha256((folder / "results.parquet").read_bytes()).hexdigest(),
    }


class _Bar:
    """Runs done, rate and time left on standard error: a line that is rewritten on terminals, else now and then a new one."""

    def __init__(self, count: int) -> None:
        import sys

        self.count, self.done, self.started, self.told = count, 0, clock.monotonic(), clock.monotonic()
        self.stream = sys.stderr

    def advance(self) -> None:
        self.done += 1
        now = clock.monotonic()
        rate = self.done / max(now - self.started, 1e-9)
        line = f"{self.done}/{self.count} runs  {rate:.2f}/s  {(self.count - self.done) / rate:.0f} s left"
        if self.stream.isatty():
            self.stream.write(f"\r{line} \033[K")
        elif now - self.told > 10:
            self.stream.write(f"{line}\n")
            self.told = now
        self.stream.flush()

    def close(self) -> None:
        if self.stream.isatty():
            self.stream.write("\n")
