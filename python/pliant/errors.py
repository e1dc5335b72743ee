"""What can go wrong. Every exception of Pliant is a :class:`Error`."""

from __future__ import annotations

import json
from typing import Any


class Error(Exception):
    """The base of all exceptions of Pliant.

    What else is known about the problem are attributes; those that do not apply are None.
    """

    #: What to do about it.
    help: str | None = None

    def __init__(self, message: str = "", /, **details: Any) -> None:
        super().__init__(message)
        self._details = details
        for name, value in details.items():
            setattr(self, name, value)

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (type(self), str(self), self._details)


class SceneError(Error, ValueError):
    """A scene that cannot be read or built: what is wrong with it, and where."""

    #: Name of the file or built-in scene.
    file: str | None = None
    #: Line from 1; 0 where the error has no place.
    line: int | None = None
    #: Column from 1.
    column: int | None = None
    #: What is wrong, without the place.
    reason: str | None = None


class MeshError(Error, ValueError):
    """A mesh that cannot be read, written, made or filled."""


class ShapeError(Error, ValueError):
    """An array of the wrong shape, numbers that are not finite, nodes that do not exist."""


class StepError(Error, RuntimeError):
    """A step failed. The simulation is as it was before that step."""

    #: The step that failed, counted from 1.
    step: int | None = None
    #: Time at its start, s.
    time: float | None = None
    #: Stage of the step.
    stage: str | None = None
    #: solve, element, non-finite, diverged, integrator or stalled.
    kind: str | None = None
    #: Body, element of the body, node of the body that it happened to.
    body: str | None = None
    element: int | None = None
    node: int | None = None


class MethodError(Error, ValueError):
    """A method that does not exist or cannot step this scene."""


class StateError(Error, RuntimeError):
    """Something that is not possible in the present state of a simulation."""


class BusyError(Error, RuntimeError):
    """Another thread is stepping this simulation."""


class UnknownName(Error, KeyError):
    """There is no body, drive, cable or cavity of this name."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class CheckpointError(Error, ValueError):
    """A checkpoint that cannot be read or written, or belongs to another scene."""


class RecordingError(Error, OSError):
    """A recording or the folder of a run cannot be read or written."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class CommandError(Error, RuntimeError):
    """A comparison, training or study failed."""

    #: What was found in spite of it.
    result: dict[str, Any] | None = None
    #: Exit code of the command: 1 the simulation failed, 2 the request is at fault.
    code: int | None = None


class StudyError(Error, ValueError):
    """The description of a sweep is wrong, or something it needs is missing."""


def _again(kind: type[Error], message: str, details: dict[str, Any]) -> Error:
    return kind(message, **details)


def _exception(kind: str, message: str, details: str) -> Error:
    """An exception for the engine, by name; details are JSON."""
    known = json.loads(details)
    known.pop("message", None)  # the message has it
    return _again(globals()[kind], message, known)
