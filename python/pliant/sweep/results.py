"""What came of a study: one Parquet file with results, one with times, and a page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ..errors import StudyError
from .execute import RECORD
from .page import page
from .study import Plan


def check() -> None:
    """Refuses to begin where results could not be written."""
    try:
        import pyarrow.parquet  # noqa: F401
    except ImportError:
        raise StudyError(
            "sweeps need the package pyarrow, which is not installed", help="pip install pyarrow"
        ) from None


def collect(plan: Plan, folder: Path) -> dict[str, int]:
    """Writes ``results.parquet``, ``timings.parquet`` and ``report.html`` from the records, in the order of the plan."""
    rows, times = [], []
    for run in plan.runs:
        record = json.loads((folder / "runs" / run.id / RECORD).read_text(encoding="utf-8"))
        error = record["error"] or {}
        kind = error.get("type")
        rows.append(
            {
                "run": run.index,
                "id": run.id,
                "status": record["status"],
                "error": kind if error.get("kind") is None else f"{kind}/{error['kind']}",
                "message": error.get("message"),
                "method": run.method,
                "seed": run.seed,
                **run.parameters,
                **{k: v for k, v in record["results"].items() if k not in run.parameters},
            }
        )
        times.append({"run": run.index, "id": run.id, "seconds": record["seconds"]})
    _write(folder / "results.parquet", rows)
    _write(folder / "timings.parquet", times)
    (folder / "report.html").write_text(page(plan, rows, times), encoding="utf-8")
    done = sum(row["status"] == "done" for row in rows)
    return {"done": done, "failed": len(rows) - done}


def _write(path: Path, rows: list[dict[str, Any]]) -> None:
    import pyarrow as arrow
    import pyarrow.parquet as parquet

    columns: dict[str, list[Any]] = {}
    for row in rows:
        for key in row:
            columns.setdefault(key, [])
    for name, column in columns.items():
        values = [row.get(name) for row in rows]
        kinds = {type(value) for value in values if value is not None}
        if kinds == {int, float}:
            values = [None if value is None else float(value) for value in values]
        elif len(kinds) > 1 or kinds & {list, dict}:
            values = [None if value is None else value if isinstance(value, str) else json.dumps(value) for value in values]
        column += values
    partial = path.with_name(f".{path.name}.partial")
    parquet.write_table(arrow.table(columns), partial)
    partial.replace(path)
