"""Pliant: deformable solids that cost only what they are doing right now.

>>> import pliant
>>> sim = pliant.Simulation("cantilever", method="full")
>>> sim.step()
>>> sim.state.x.shape
(1225, 3)
"""

from . import sweep
from ._version import VERSION as __version__
from .commands import bench, compare, train, verify
from .errors import (
    BusyError,
    CheckpointError,
    CommandError,
    Error,
    MeshError,
    MethodError,
    RecordingError,
    SceneError,
    ShapeError,
    StateError,
    StepError,
    StudyError,
    UnknownName,
)
from .mesh import Mesh
from .scene import Scene, scenes, schema
from .simulation import Contacts, Report, Simulation, State
from .viewer import Viewer, view

METHODS = ("full", "early-cg", "isodof", "conjac", "rigidify", "subspace")

__all__ = [
    "METHODS",
    "BusyError",
    "CheckpointError",
    "CommandError",
    "Contacts",
    "Error",
    "Mesh",
    "MeshError",
    "MethodError",
    "RecordingError",
    "Report",
    "Scene",
    "SceneError",
    "ShapeError",
    "Simulation",
    "State",
    "StateError",
    "StepError",
    "StudyError",
    "UnknownName",
    "Viewer",
    "__version__",
    "bench",
    "compare",
    "scenes",
    "schema",
    "sweep",
    "train",
    "verify",
    "view",
]
