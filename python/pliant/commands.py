"""Comparisons, trainings, studies and verification: the commands of the same names, in processes of their own.

A process of its own measures what a run of the command measures, and Ctrl-C ends it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from typing import Any

from .errors import CommandError
from .scene import PathLike, Scene


def compare(
    scene: Scene | PathLike | dict[str, Any],
    methods: Sequence[str] = (),
    *,
    reference: str = "full",
    steps: int | None = None,
    duration: float | str | None = None,
    repeat: int = 1,
    threads: int | None = None,
    out: PathLike | None = None,
    assets: PathLike | None = None,
    progress: bool = False,
) -> dict[str, Any]:
    """Steps a scene with several methods in turns: speed-up, and errors against a reference (``docs/compare.md``).

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     result = compare("cantilever", ["early-cg"], steps=3, out=folder)
    >>> [row["method"] for row in result["rows"]]
    ['full', 'early-cg']
    """
    options: dict[str, Any] = {
        "--methods": ",".join(methods) or None,
        "--reference": reference,
        "--steps": steps,
        "--duration": duration,
        "--repeat": repeat,
        "--threads": threads,
        "--out": out,
        "--assets": assets,
    }
    return _on_scene("compare", scene, options, progress)


def train(
    scene: Scene | PathLike | dict[str, Any],
    out: PathLike | None = None,
    *,
    threads: int | None = None,
    assets: PathLike | None = None,
    keep_work: bool = False,
    progress: bool = False,
) -> dict[str, Any]:
    """Learns the spaces that the method "subspace" moves a scene's body in (``docs/subspace.md``), into the file ``out``."""
    options = {"--out": out, "--threads": threads, "--assets": assets, "--keep-work": keep_work}
    return _on_scene("train", scene, options, progress)


def bench(
    study: str | None = None,
    *,
    quick: bool = False,
    threads: int | None = None,
    out: PathLike | None = None,
    progress: bool = False,
) -> dict[str, Any]:
    """Measures a study, or lists the studies.

    >>> "kernels" in [study["name"] for study in bench()["studies"]]
    True
    """
    arguments = [study] if study is not None else []
    return run("bench", arguments, {"--quick": quick, "--threads": threads, "--out": out}, progress)


def verify(family: str | None = None, *, full: bool = False, out: PathLike | None = None) -> dict[str, Any]:
    """Compares with closed forms and published numbers (``docs/verification.md``)."""
    arguments = [family] if family is not None else []
    return run("verify", arguments, {"--full": full, "--out": out}, False)


def _on_scene(command: str, scene: Any, options: dict[str, Any], progress: bool) -> dict[str, Any]:
    """Runs a command on a scene: by name or path where it has one, else on a file that is made for it."""
    if isinstance(scene, (str, os.PathLike)) and "\n" not in os.fspath(scene):
        return run(command, [os.fspath(scene)], options, progress)
    scene = Scene(scene)
    # beside the files that it names, where there are some
    with tempfile.NamedTemporaryFile("w", suffix=".toml", dir=scene.base, encoding="utf-8") as file:
        file.write(scene.text)
        file.flush()
        return run(command, [file.name], options, progress)


def run(command: str, arguments: Sequence[str], options: dict[str, Any], progress: bool = False) -> dict[str, Any]:
    """Runs ``pliant COMMAND`` and returns what it prints with ``--json``."""
    line = [sys.executable, "-m", "pliant", command, *arguments, "--json", *([] if progress else ["--quiet"])]
    for option, value in options.items():
        if value is True:
            line.append(option)
        elif value is not None and value is not False:
            line += [option, os.fspath(value) if isinstance(value, os.PathLike) else str(value)]
    errors = None if progress else subprocess.PIPE
    done = subprocess.run(line, stdout=subprocess.PIPE, stderr=errors, text=True, check=False)
    try:
        result: dict[str, Any] = json.loads(done.stdout)
    except json.JSONDecodeError:
        message = (done.stderr or "").strip() or f"`pliant {command}` ended with code {done.returncode}"
        raise CommandError(message, code=done.returncode) from None
    error = result.get("error")
    if done.returncode != 0 and error:
        help_ = error.get("help")
        message = error["message"] + (f"; help: {help_}" if help_ else "")
        result = {key: value for key, value in result.items() if key != "error"}
        raise CommandError(message, code=done.returncode, help=help_, result=result or None)
    return result


