"""Meshes: from and to files, arrays and other programs' objects; made, checked, mended and filled."""

from __future__ import annotations

import json
import math
import os
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _pliant
from .errors import MeshError, ShapeError

UNITS = {"m": 1.0, "dm": 0.1, "cm": 0.01, "mm": 0.001, "um": 1e-6, "km": 1000.0, "in": 0.0254, "ft": 0.3048}


class Mesh:
    """Nodes with tetrahedra (a solid), or triangles (a plane body or a surface). Coordinates are metres.

    >>> mesh = Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], tetrahedra=[[0, 1, 2, 3]])
    >>> mesh
    Mesh(solid, 4 nodes, 1 tetrahedra)
    >>> round(mesh.info()["volume"], 6)
    0.166667
    """

    def __init__(
        self,
        points: npt.ArrayLike,
        *,
        tetrahedra: npt.ArrayLike | None = None,
        triangles: npt.ArrayLike | None = None,
        regions: npt.ArrayLike | None = None,
        region_names: list[str] | None = None,
    ) -> None:
        places = np.ascontiguousarray(points, dtype=np.float64)
        if places.ndim != 2 or places.shape[1] not in (2, 3):
            raise ShapeError(f"points must have the shape (n, 3), not {places.shape}")
        if places.shape[1] == 2:
            places = np.column_stack([places, np.zeros(len(places))])
        if regions is not None and region_names is None:
            region_names = [str(n) for n in range(int(np.max(regions, initial=-1)) + 1)]
        self._raw = _pliant.RawMesh(
            places,
            _rows(tetrahedra, 4),
            _rows(triangles, 3),
            None if regions is None else np.ascontiguousarray(regions, dtype=np.int64),
            region_names or [],
        )

    @classmethod
    def _of(cls, raw: _pliant.RawMesh) -> Mesh:
        mesh = cls.__new__(cls)
        mesh._raw = raw
        return mesh

    @classmethod
    def read(cls, path: str | os.PathLike[str], *, unit: str | float = "m") -> Mesh:
        """Reads a file in any format of ``pliant mesh formats``; ``unit`` is that of its coordinates."""
        raw, _ = _pliant.RawMesh.read(os.fspath(path), _metres(unit))
        return cls._of(raw)

    def write(self, path: str | os.PathLike[str], *, format: str | None = None, unit: str | float = "m") -> None:
        """Writes a file; the format is that of the extension unless one is named."""
        self._raw.write(os.fspath(path), format, _metres(unit))

    @classmethod
    def make(cls, shape: str, **keys: Any) -> Mesh:
        """Makes a shape with the keys that ``mesh`` has in a scene: bar, box, ball, capsule, cylinder, torus, tube, ring, lathe, extrude,
        blob, rectangle, band, asset.

        >>> Mesh.make("box", size=["4 cm", "4 cm", "20 cm"], cells=[2, 2, 10])
        Mesh(solid, 99 nodes, 240 tetrahedra)
        >>> Mesh.make("ball", radius="5 cm", divisions=2).info()["pieces"]
        1
        """
        from .scene import Scene

        body: dict[str, Any] = {"name": "shape", "mesh": {shape: keys}, "material": {"young": 1e5, "poisson": 0.3}}
        if shape in ("rectangle", "band"):
            body["thickness"] = 1.0
        scene = Scene({"title": "mesh", "time": {"duration": 1}, "body": [body]}, name="mesh")
        return cls._of(_pliant.RawMesh.of_scene(scene.text, None, None))

    @classmethod
    def of(cls, other: Any, *, unit: str | float = "m") -> Mesh:
        """From an object of meshio, trimesh or pyvista, by what it looks like.

        >>> Mesh.of(Mesh.make("ball", radius=0.05, divisions=2))
        Mesh(solid, 125 nodes, 384 tetrahedra)
        """
        if isinstance(other, Mesh):
            return cls._of(other._raw)
        metres = _metres(unit)
        if hasattr(other, "cells_dict") and hasattr(other, "points"):
            cells = other.cells_dict
            if hasattr(other, "celltypes"):  # pyvista's unstructured grid: VTK numbers its kinds
                cells = {{5: "triangle", 10: "tetra"}.get(int(k), k): v for k, v in cells.items()}
            return cls._parts(np.asarray(other.points) * metres, cells.get("tetra"), cells.get("triangle"), other)
        if hasattr(other, "vertices") and hasattr(other, "faces"):  # trimesh
            return cls._parts(np.asarray(other.vertices) * metres, None, other.faces, other)
        if hasattr(other, "regular_faces") and hasattr(other, "points"):  # pyvista's surface
            faces = other if getattr(other, "is_all_triangles", False) else other.triangulate()
            return cls._parts(np.asarray(faces.points) * metres, None, faces.regular_faces, other)
        raise TypeError(f"a mesh is made from an object of meshio, trimesh or pyvista, not from {type(other).__name__}")

    @classmethod
    def _parts(cls, points: Any, tetrahedra: Any, triangles: Any, other: Any) -> Mesh:
        if tetrahedra is None and triangles is None:
            raise MeshError(f"this {type(other).__module__.split('.')[0]} mesh has neither tetrahedra nor triangles")
        # triangles beside tetrahedra are their boundary
        return cls(points, tetrahedra=tetrahedra, triangles=None if tetrahedra is not None else triangles)

    def to_meshio(self) -> Any:
        """The mesh for meshio, with its regions as cell data."""
        import meshio

        kind = "tetra" if len(self.tetrahedra) else "triangle"
        cells = self.tetrahedra if kind == "tetra" else self.triangles
        return meshio.Mesh(self.points, [(kind, cells)], cell_data={"region": [self.regions]})

    def to_trimesh(self) -> Any:
        """The surface for trimesh."""
        import trimesh

        surface = self.surface()
        return trimesh.Trimesh(surface.points, surface.triangles, process=False)

    def to_pyvista(self) -> Any:
        """The mesh for pyvista: an unstructured grid, or a surface where there are no tetrahedra."""
        import pyvista

        if len(self.tetrahedra):
            return pyvista.UnstructuredGrid({pyvista.CellType.TETRA: self.tetrahedra}, self.points)
        return pyvista.PolyData.from_regular_faces(self.points, self.triangles.astype(int))

    @property
    def points(self) -> npt.NDArray[np.float64]:
        """Coordinates of the nodes, m, (n, 3); a copy."""
        return self._raw.points()

    @property
    def tetrahedra(self) -> npt.NDArray[np.int64]:
        """Nodes of the tetrahedra, (m, 4); a copy."""
        return self._raw.tetrahedra()

    @property
    def triangles(self) -> npt.NDArray[np.int64]:
        """Nodes of the triangles, (m, 3); a copy."""
        return self._raw.triangles()

    @property
    def regions(self) -> npt.NDArray[np.int64]:
        """For each element an index into :attr:`region_names`."""
        return self._raw.regions()[0]

    @property
    def region_names(self) -> list[str]:
        """Names of the regions."""
        return self._raw.regions()[1]

    def info(self) -> dict[str, Any]:
        """What it is like: kind, counts, size, volume, angles."""
        return json.loads(self._raw.info())

    def check(self) -> dict[str, Any]:
        """What is wrong with it: ``usable`` and a list of ``findings``, the worst first.

        >>> Mesh.make("ball", radius=0.05, divisions=2).check()["usable"]
        True
        """
        return json.loads(self._raw.check())

    def repair(self, *, join: bool = True, relax: bool = True) -> tuple[Mesh, list[str]]:
        """A mended mesh, and what was done: ``join`` nodes in the same place, ``relax`` slivers."""
        raw, done = self._raw.repair(join, relax)
        return Mesh._of(raw), done

    def tetrahedralize(
        self, *, edge: float | None = None, grading: float = 4.0, features: float | None = None
    ) -> Mesh:
        """Fills the surface with tetrahedra.

        ``edge`` is their length at the surface, m; deep inside they may be ``grading`` times as long; edges at which the surface turns by
        more than ``features`` degrees stay sharp. Warnings are those of :mod:`warnings`.

        >>> ball = Mesh.make("ball", radius=0.05, divisions=3).surface()
        >>> ball.tetrahedralize(edge=0.015).info()["kind"]
        'solid'
        """
        angle = None if features is None else math.radians(features)
        raw, report = self._raw.tetrahedralize(edge, grading, angle)
        import warnings

        for warning in json.loads(report)["warnings"]:
            warnings.warn(warning, stacklevel=2)
        return Mesh._of(raw)

    def surface(self) -> Mesh:
        """The boundary of the tetrahedra, or the mesh itself where there are none."""
        cells = self.tetrahedra
        if not len(cells):
            return self
        # faces opposite to each corner, looking outwards
        faces = np.concatenate([cells[:, [1, 2, 3]], cells[:, [0, 3, 2]], cells[:, [0, 1, 3]], cells[:, [0, 2, 1]]])
        _, first, count = np.unique(np.sort(faces, axis=1), axis=0, return_index=True, return_counts=True)
        outer = faces[np.sort(first[count == 1])]
        used, numbers = np.unique(outer, return_inverse=True)
        return Mesh(self.points[used], triangles=numbers.reshape(-1, 3))

    def __repr__(self) -> str:
        info = self.info()
        kinds = [f"{info[kind]} {kind}" for kind in ("tetrahedra", "triangles") if info[kind]]
        return f"Mesh({', '.join([info['kind'], str(info['nodes']) + ' nodes', *kinds])})"


def _rows(rows: npt.ArrayLike | None, width: int) -> npt.NDArray[np.int64]:
    if rows is None:
        return np.zeros((0, width), dtype=np.int64)
    array = np.asarray(rows)
    if array.size and not np.issubdtype(array.dtype, np.integer):
        raise TypeError(f"elements are rows of whole numbers, not of {array.dtype}")
    if array.ndim != 2:
        raise ShapeError(f"elements must have the shape (m, {width}), not {array.shape}")
    return np.ascontiguousarray(array, dtype=np.int64)


def _metres(unit: str | float) -> float:
    if isinstance(unit, str):
        if unit not in UNITS:
            raise MeshError(f"there is no unit `{unit}`: known are {', '.join(UNITS)}")
        return UNITS[unit]
    if not (math.isfinite(unit) and unit > 0):
        raise MeshError(f"a unit is a positive number of metres, not {unit}")
    return float(unit)
