"""From the description of a study to its runs."""

from __future__ import annotations

import hashlib
import itertools
import json
import math
import os
import random
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from .._version import VERSION
from ..errors import Error, StudyError
from ..scene import Scene

KINDS = ("grid", "random", "latin-hypercube")
KEYS = {
    "title", "description", "scene", "methods", "steps", "duration", "threads", "record", "sampling", "parameter", "measure",
}  # fmt: skip
PARAMETER_KEYS = {"path", "name", "values", "low", "high", "scale", "count", "unit", "integer"}
SAMPLING_KEYS = {"kind", "runs", "seeds"}
MEASURE_KEYS = {"name", "at", "body"}


@dataclass(frozen=True)
class Run:
    """One run: everything that is needed to execute it, on any machine that has the files that its scene names."""

    #: Follows from all that decides about the results.
    id: str
    index: int
    #: The scene's text.
    scene: str
    name: str
    base: str | None
    method: str | None
    seed: int | None
    parameters: dict[str, Any]
    steps: int | None
    duration: float | None
    threads: int
    record: bool
    measure: list[dict[str, Any]] = field(default_factory=list)
    #: Why the scene is none.
    error: dict[str, Any] | None = None


@dataclass(frozen=True)
class Plan:
    """A study and its runs, in their order."""

    name: str
    title: str
    description: str
    parameters: list[str]
    runs: list[Run]

    def to_json(self) -> str:
        """The study with its runs, for those who look into the folder."""
        return json.dumps(asdict(self), indent=1) + "\n"


def plan(study: str | os.PathLike[str] | dict[str, Any]) -> Plan:
    """The runs of a study: for each seed and point of the parameters one with each method.

    >>> bars = {"scene": "cantilever", "methods": ["full", "early-cg"], "parameter": [
    ...     {"path": "body.bar.material.young", "low": 1e4, "high": 1e6, "scale": "log", "count": 3}]}
    >>> [(run.method, run.parameters["young"]) for run in plan(bars).runs][:3]
    [('full', 10000.0), ('early-cg', 10000.0), ('full', 100000.0)]
    """
    table, name, base = _read(study)
    _known(table, KEYS, "the study")
    if "steps" in table and "duration" in table:
        raise StudyError("give steps or duration, not both")
    methods = table.get("methods") or [None]
    if "scene" not in table:
        raise StudyError("the key `scene` is missing: the name of a built-in scene, or the path of a file")
    scene = _scene(table["scene"], base)
    sampling = table.get("sampling", {})
    _known(sampling, SAMPLING_KEYS, "[sampling]")
    parameters = [_Parameter.of(each) for each in table.get("parameter", [])]
    names = [p.name for p in parameters]
    if len(set(names)) < len(names):
        raise StudyError(f"two parameters have the same name: {', '.join(names)}; give one of them another `name`")
    for each in table.get("measure", []):
        _known(each, MEASURE_KEYS, "[[measure]]")
        if "name" not in each or "at" not in each:
            raise StudyError("a [[measure]] needs `name` and `at`, a point of the scene at rest")
    runs: list[Run] = []
    for seed, point in _points(sampling, parameters):
        for method in methods:
            runs.append(_run(table, scene, parameters, point, seed, method, len(runs)))
    if runs and all(run.error is not None for run in runs):
        raise StudyError(f"no run has a scene that can be built: {runs[0].error['message']}")  # type: ignore[index]
    return Plan(name, table.get("title", name), table.get("description", ""), names, runs)


def _read(study: str | os.PathLike[str] | dict[str, Any]) -> tuple[dict[str, Any], str, Path]:
    if isinstance(study, dict):
        return study, "study", Path.cwd()
    try:
        import tomllib
    except ImportError:  # Python 3.10
        import tomli as tomllib  # type: ignore[no-redef,import-not-found,unused-ignore]
    path = Path(study)
    try:
        return tomllib.loads(path.read_text(encoding="utf-8")), path.stem, path.parent
    except OSError as error:
        raise StudyError(f"cannot read the study `{path}`: {error.strerror or error}") from None
    except tomllib.TOMLDecodeError as error:
        raise StudyError(f"{path}: {error}") from None


def _scene(name: Any, base: Path) -> Scene:
    if isinstance(name, str) and "\n" not in name and (base / name).is_file():
        return Scene(base / name)
    return Scene(name)


def _known(table: dict[str, Any], keys: set[str], where: str) -> None:
    for key in table:
        if key not in keys:
            raise StudyError(f"unknown key `{key}` in {where}: known are {', '.join(sorted(keys))}")


@dataclass(frozen=True)
class _Parameter:
    path: str
    name: str
    values: list[Any] | None
    low: float
    high: float
    log: bool
    count: int | None
    unit: str | None
    integer: bool

    @classmethod
    def of(cls, table: dict[str, Any]) -> _Parameter:
        _known(table, PARAMETER_KEYS, "[[parameter]]")
        if "path" not in table:
            raise StudyError("a [[parameter]] needs a `path`, such as body.bar.material.young")
        path, values = table["path"], table.get("values")
        name = table.get("name", path.rsplit(".", 1)[-1])
        if (values is None) == ("low" not in table or "high" not in table):
            raise StudyError(f"parameter `{name}` needs either `values`, or `low` and `high`")
        low, high = float(table.get("low", 0)), float(table.get("high", 1))
        scale = table.get("scale", "linear")
        if scale not in ("linear", "log"):
            raise StudyError(f"parameter `{name}`: the scale is linear or log, not `{scale}`")
        if not (math.isfinite(low) and math.isfinite(high) and low <= high) or (scale == "log" and low <= 0):
            raise StudyError(f"parameter `{name}` cannot go from {low} to {high} on a {scale} scale")
        if values is not None and not values:
            raise StudyError(f"parameter `{name}` has no values")
        return cls(
            path, name, values, low, high, scale == "log", table.get("count"), table.get("unit"), table.get("integer", False)
        )

    def at(self, share: float) -> Any:
        """The value at a share of the way, from 0 up to 1."""
        if self.values is not None:
            return self.values[min(int(share * len(self.values)), len(self.values) - 1)]
        if self.log:
            value = math.exp(math.log(self.low) + share * (math.log(self.high) - math.log(self.low)))
        else:
            value = self.low + share * (self.high - self.low)
        # ends are ends, in spite of rounding
        value = min(max(value, self.low), self.high)
        return round(value) if self.integer else float(f"{value:.15g}")

    def grid(self) -> list[Any]:
        if self.values is not None:
            return self.values
        if self.count is None or self.count < 1:
            raise StudyError(f"parameter `{self.name}` needs `count`, its values on the grid")
        if self.count == 1:
            return [self.at(0.0)]
        return [self.at(n / (self.count - 1)) for n in range(self.count)]

    def written(self, value: Any) -> Any:
        """As it is in the scene."""
        return f"{value!r} {self.unit}" if self.unit is not None and not isinstance(value, str) else value


def _points(sampling: dict[str, Any], parameters: list[_Parameter]) -> list[tuple[int | None, list[Any]]]:
    kind = sampling.get("kind", "grid")
    if kind not in KINDS:
        raise StudyError(f"there is no sampling `{kind}`: known are {', '.join(KINDS)}")
    if kind == "grid":
        if "runs" in sampling or "seeds" in sampling:
            raise StudyError("a grid has as many runs as its parameters have values: remove `runs` and `seeds`")
        return [(None, list(point)) for point in itertools.product(*(p.grid() for p in parameters))]
    count = sampling.get("runs")
    if not isinstance(count, int) or count < 1:
        raise StudyError(f"[sampling] needs `runs`, how many points are drawn, for {kind}")
    points: list[tuple[int | None, list[Any]]] = []
    for seed in sampling.get("seeds", [0]):
        draw = random.Random(seed).random  # the same numbers in every version of Python
        if kind == "random":
            shares = [[draw() for _ in parameters] for _ in range(count)]
        else:
            columns = []
            for _ in parameters:
                order = list(range(count))
                for last in range(count - 1, 0, -1):
                    other = int(draw() * (last + 1))
                    order[last], order[other] = order[other], order[last]
                columns.append([(cell + draw()) / count for cell in order])
            shares = [list(row) for row in zip(*columns, strict=True)] if columns else [[] for _ in range(count)]
        points += [(seed, [p.at(s) for p, s in zip(parameters, row, strict=True)]) for row in shares]
    return points


def _run(
    table: dict[str, Any],
    scene: Scene,
    parameters: list[_Parameter],
    point: list[Any],
    seed: int | None,
    method: str | None,
    index: int,
) -> Run:
    text, error = scene.text, None
    if parameters:
        changed = Scene(scene)
        try:
            for parameter, value in zip(parameters, point, strict=True):
                changed.set(parameter.path, parameter.written(value))
            text = changed.text
        except Error as problem:
            error = {"type": type(problem).__name__, "message": str(problem)}
            text = json.dumps([text, point])
    steps, duration = table.get("steps"), table.get("duration")
    measure = table.get("measure", [])
    values = {p.name: value for p, value in zip(parameters, point, strict=True)}
    record = table.get("record", True)
    decides = json.dumps([VERSION, text, method, steps, duration, record, measure, seed, values])
    return Run(
        id=hashlib.sha256(decides.encode()).hexdigest()[:16],
        index=index,
        scene=text,
        name=scene.name,
        base=scene.base,
        method=method,
        seed=seed,
        parameters=values,
        steps=steps,
        duration=duration,
        threads=table.get("threads", 1),
        record=record,
        measure=measure,
        error=error,
    )
