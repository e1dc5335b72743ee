"""The page of a study: parallel coordinates, scatter plots and a table, one file that loads nothing."""

from __future__ import annotations

import html
import math
from typing import Any

from .study import Plan

#: Results that are shown where there is nothing that was measured by the study itself.
SHOWN = ("max_displacement", "max_von_mises", "energies_kinetic", "energies_elastic", "active_dofs")
COLOURS = ("#3b6fb5", "#c8553d", "#4f9d69", "#8e5ea2", "#b8860b", "#2a9d8f")
STYLE = """
body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:72rem;padding:0 1rem;color:#1f2328;background:#fff}
h1{font-size:1.5rem}h2{font-size:1.1rem;margin-top:2rem}svg{max-width:100%;height:auto;font:12px system-ui,sans-serif}
svg text{fill:#59636e}.axis{stroke:#59636e}.run{fill:none;stroke-width:1.4;stroke-opacity:.55}.dot{fill-opacity:.7}
table{border-collapse:collapse;font-size:13px}td,th{padding:.15rem .6rem;text-align:right;border-bottom:1px solid #e4e7eb}
.scroll{overflow-x:auto}.failed{color:#c8553d}.grid{display:flex;flex-wrap:wrap;gap:1rem}.key{margin-right:1rem}
@media(prefers-color-scheme:dark){body{color:#e6e8ea;background:#16191d}svg text{fill:#a0a8b0}td,th{border-color:#2d3238}}
"""


def page(plan: Plan, rows: list[dict[str, Any]], times: list[dict[str, Any]]) -> str:
    """The text of the page."""
    seconds = {row["id"]: row["seconds"] for row in times}
    rows = [{**row, "seconds": seconds[row["id"]]} for row in rows]
    done = [row for row in rows if row["status"] == "done"]
    failed = [row for row in rows if row["status"] != "done"]
    own = [f"{m['name']}_{axis}" for m in (plan.runs[0].measure if plan.runs else []) for axis in "xyz"]
    inputs = [name for name in plan.parameters if _varies(rows, name)]
    outputs = [name for name in (*own, *SHOWN) if _varies(done, name)][:5] + ["seconds"]
    methods = sorted({row["method"] or "the scene's" for row in rows})
    colour = {method: COLOURS[n % len(COLOURS)] for n, method in enumerate(methods)}

    def paint(row: dict[str, Any]) -> str:
        return colour[row["method"] or "the scene's"]

    parts = [
        f"<!doctype html><html lang=en><meta charset=utf-8><title>{_text(plan.title)}</title><style>{STYLE}</style>",
        f"<h1>{_text(plan.title)}</h1><p>{_text(plan.description)}</p>",
        f"<p>{len(rows)} runs, {len(done)} done, {len(failed)} failed, {sum(seconds.values()):.1f} s of work.</p>",
        "<p>" + "".join(f'<span class=key><span style="color:{c}">■</span> {_text(m)}</span>' for m, c in colour.items()),
        "<h2>Parallel coordinates</h2>",
        _parallel(done, ["method", *inputs, *outputs] if len(methods) > 1 else [*inputs, *outputs], paint),
        "<h2>Results over parameters</h2><div class=grid>",
        *(_scatter(done, x, y, paint) for y in outputs for x in inputs),
        "</div>",
        _failures(failed),
        "<h2>Runs</h2>",
        _table(rows, ["run", "status", "method", "seed", *plan.parameters, *outputs]),
    ]
    return "\n".join(parts) + "\n"


def _varies(rows: list[dict[str, Any]], name: str) -> bool:
    return len({str(row.get(name)) for row in rows}) > 1


def _text(value: Any) -> str:
    return html.escape(str(value))


def _number(value: Any) -> str:
    if value is None:
        return ""
    return _text(f"{value:.4g}" if isinstance(value, float) else value)


class _Axis:
    """From values to places from 0 to 1: numbers on a line, logarithmic where they span more than two decades, or names in a row."""

    def __init__(self, values: list[Any]) -> None:
        known = [v for v in values if v is not None]
        self.names: list[str] | None = None
        if any(not isinstance(v, (int, float)) or isinstance(v, bool) for v in known):
            self.names = list(dict.fromkeys(str(v) for v in known))
            return
        known = [v for v in known if math.isfinite(v)] or [0.0]
        self.low, self.high = min(known), max(known)
        self.log = self.low > 0 and self.high / self.low > 100

    def at(self, value: Any) -> float | None:
        if self.names is not None:
            place = self.names.index(str(value)) if str(value) in self.names else None
            return None if place is None else (place + 0.5) / len(self.names)
        if value is None or not math.isfinite(value):
            return None
        if self.high == self.low:
            return 0.5
        if self.log:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return float((value - self.low) / (self.high - self.low))

    def ticks(self) -> list[tuple[float, str]]:
        if self.names is not None:
            return [((n + 0.5) / len(self.names), _text(name)) for n, name in enumerate(self.names)]
        if self.high == self.low:
            return [(0.5, _number(float(self.low)))]
        if self.log:
            return [(s, _number(self.low * (self.high / self.low) ** s)) for s in (0.0, 0.5, 1.0)]
        return [(s, _number(float(self.low + s * (self.high - self.low)))) for s in (0.0, 0.5, 1.0)]


def _parallel(rows: list[dict[str, Any]], names: list[str], paint: Any) -> str:
    if not rows or len(names) < 2:
        return "<p>Nothing varies.</p>"
    width, height, top, side = 150 * (len(names) - 1) + 180, 330, 40, 80
    axes = [_Axis([row.get(name) for row in rows]) for name in names]
    x = [side + 150 * n for n in range(len(names))]

    def y(share: float) -> float:
        return top + (1 - share) * (height - top - 30)

    parts = [f'<svg viewBox="0 0 {width} {height}" width="{width}">']
    for row in rows:
        shares = [axis.at(row.get(name)) for axis, name in zip(axes, names, strict=True)]
        points = " ".join(f"{a},{y(s):.1f}" for a, s in zip(x, shares, strict=True) if s is not None)
        parts.append(f'<polyline class=run stroke="{paint(row)}" points="{points}"><title>run {row["run"]}</title></polyline>')
    for place, axis, name in zip(x, axes, names, strict=True):
        parts.append(f'<line class=axis x1={place} x2={place} y1={y(0):.1f} y2={y(1):.1f} />')
        parts.append(f'<text x={place} y=20 text-anchor=middle font-weight=600>{_text(name)}</text>')
        for share, text in axis.ticks():
            parts.append(f'<text x={place + 5} y={y(share) + 4:.1f}>{text}</text>')
    return "".join(parts) + "</svg>"


def _scatter(rows: list[dict[str, Any]], of: str, to: str, paint: Any) -> str:
    width, height, left, top = 330, 250, 70, 24
    across, up = _Axis([row.get(of) for row in rows]), _Axis([row.get(to) for row in rows])

    def x(share: float) -> float:
        return left + share * (width - left - 20)

    def y(share: float) -> float:
        return height - 44 - share * (height - 44 - top)

    parts = [f'<svg viewBox="0 0 {width} {height}" width="{width}">']
    parts.append(f'<line class=axis x1={left - 6} x2={width - 14} y1={height - 38} y2={height - 38} />')
    parts.append(f'<line class=axis x1={left - 6} x2={left - 6} y1={top - 6} y2={height - 38} />')
    for share, text in across.ticks():
        parts.append(f'<text x={x(share):.1f} y={height - 22} text-anchor=middle>{text}</text>')
    for share, text in up.ticks():
        parts.append(f'<text x={left - 10} y={y(share) + 4:.1f} text-anchor=end>{text}</text>')
    parts.append(f'<text x={width / 2} y={height - 5} text-anchor=middle font-weight=600>{_text(of)}</text>')
    parts.append(f'<text x={left - 6} y=12 font-weight=600>{_text(to)}</text>')
    for row in rows:
        a, b = across.at(row.get(of)), up.at(row.get(to))
        if a is not None and b is not None:
            title = f"<title>run {row['run']}: {_number(row.get(of))}, {_number(row.get(to))}</title>"
            parts.append(f'<circle class=dot cx={x(a):.1f} cy={y(b):.1f} r=3.5 fill="{paint(row)}">{title}</circle>')
    return "".join(parts) + "</svg>"


def _failures(rows: list[dict[str, Any]]) -> str:
    if not rows:
        return ""
    lines = "".join(f"<li class=failed>run {r['run']}: {_text(r['error'])}: {_text(r['message'])}</li>" for r in rows)
    return f"<h2>Failed runs</h2><ul>{lines}</ul>"


def _table(rows: list[dict[str, Any]], names: list[str]) -> str:
    head = "".join(f"<th>{_text(name)}</th>" for name in names)
    body = "".join("<tr>" + "".join(f"<td>{_number(row.get(name))}</td>" for name in names) + "</tr>" for row in rows)
    return f"<div class=scroll><table><tr>{head}</tr>{body}</table></div>"
