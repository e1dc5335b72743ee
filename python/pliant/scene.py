"""Scenes: from files, text, dictionaries and the built-in ones; edited with attributes."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from . import _pliant
from .errors import SceneError
from .mesh import Mesh

PathLike = str | os.PathLike[str]


class Scene:
    """A scene: bodies, what acts on them, and how they are stepped (``docs/scenes.md``).

    ``source`` is the name of a built-in scene, the path of a scene file, the text of one (anything with a line break), a dictionary, or
    another scene, which is copied.

    >>> scene = Scene("cantilever")
    >>> scene.title
    'Cantilever'
    >>> scene.body["bar"].material.young
    '100 kPa'

    Attributes are the keys of the file; lists of tables are indexed by number or by name. What is not there yet can be set:

    >>> scene.body["bar"].material.young = "40 kPa"
    >>> scene.solver.early_cg.budget = 10
    >>> scene.set("time.duration", "50 ms")
    >>> 'duration = "50 ms"' in scene.text
    True

    A scene that is not changed keeps its text, byte for byte. Meshes can be put where a mesh is expected:

    >>> scene.body["bar"].mesh = Mesh.make("ball", radius=0.05, divisions=2)
    """

    def __init__(
        self,
        source: Scene | PathLike | dict[str, Any] = "demo",
        *,
        name: str | None = None,
        base: PathLike | None = None,
        assets: PathLike | None = None,
    ) -> None:
        set_ = super().__setattr__
        set_("_text", None)
        set_("_tree", None)
        set_("_folder", None)
        set_("_meshes", [])
        set_("_assets", None if assets is None else os.fspath(assets))
        if isinstance(source, Scene):
            set_("_text", source._text)
            set_("_tree", None if source._tree is None else json.loads(json.dumps(source._tree)))
            set_("_folder", source._folder)
            set_("_meshes", list(source._meshes))
            set_("_assets", source._assets if assets is None else self._assets)
            name, base = name or source.name, base or source.base
        elif isinstance(source, dict):
            set_("_tree", _plain(source, self))
            name = name or "scene"
        elif isinstance(source, (str, os.PathLike)):
            text = os.fspath(source)
            if "\n" in text:
                name = name or "scene"
                set_("_text", text)
            else:
                found, folder = _pliant.find_scene(text)
                name, base = name or text, base if base is not None else folder
                set_("_text", found)
        else:
            raise TypeError(
                f"a scene is made from a name, path, text, dictionary or scene, not from {type(source).__name__}"
            )
        set_("name", name)
        set_("base", None if base is None else os.fspath(base))
        # mistakes are found now, not at the first step
        if self._text is None:
            _ = self.text
        else:
            self._root()

    @property
    def text(self) -> str:
        """The scene as TOML."""
        text = self.__dict__["_text"]
        if text is None:
            text = _pliant.scene_text(json.dumps(self.__dict__["_tree"]), self.name)
            super().__setattr__("_text", text)
        return text

    @property
    def tree(self) -> dict[str, Any]:
        """A copy of everything in the scene, as plain dictionaries and lists."""
        return json.loads(json.dumps(self._root()))

    def set(self, path: str, value: Any) -> None:
        """Sets a value by its path, such as ``body.bar.material.young`` or ``drive.0.force.total.2``.

        >>> scene = Scene("cantilever")
        >>> scene.set("body.bar.mesh.bar.cells.0", 12)
        >>> scene.body[0].mesh.bar.cells[0]
        12
        """
        value = json.dumps(_plain(value, self))
        tree = json.loads(_pliant.set_in_tree(json.dumps(self._root()), path, value))
        super().__setattr__("_tree", tree)
        super().__setattr__("_text", None)

    def save(self, path: PathLike) -> None:
        """Writes the scene, with meshes that were put into it beside it."""
        path = Path(path)
        tree = self.tree
        meshes = {str(Path(folder.name) / "mesh.vtu"): mesh for folder, mesh in self._meshes}
        if not meshes:
            path.write_text(self.text, encoding="utf-8")
            return
        for index, body in enumerate(tree.get("body", [])):
            file = body.get("mesh", {}).get("file")
            mesh = meshes.get(file["path"]) if isinstance(file, dict) else None
            if mesh is not None:
                beside = path.with_name(f"{path.stem}-{index}.vtu")
                mesh.write(beside)
                file["path"] = beside.name
        path.write_text(_pliant.scene_text(json.dumps(tree), self.name), encoding="utf-8")

    def __getattr__(self, key: str) -> Any:
        if key.startswith("_"):
            raise AttributeError(key)
        return getattr(Table(self, self._root, ()), key)

    def __setattr__(self, key: str, value: Any) -> None:
        if key in ("name", "base"):
            super().__setattr__(key, value)
        else:
            setattr(Table(self, self._root, ()), key, value)

    def __delattr__(self, key: str) -> None:
        delattr(Table(self, self._root, ()), key)

    def __repr__(self) -> str:
        return f"Scene({self.name!r})"

    def _root(self) -> dict[str, Any]:
        if self._tree is None:
            super().__setattr__("_tree", json.loads(_pliant.scene_tree(self._text, self.name)))
        return self._tree

    def _changed(self) -> None:
        super().__setattr__("_text", None)

    def _own(self, mesh: Mesh) -> dict[str, Any]:
        """A table that names a file with the mesh, which exists as long as this scene or a copy."""
        folder = tempfile.TemporaryDirectory(prefix="pliant-")
        path = str(Path(folder.name) / "mesh.vtu")
        mesh.write(path)
        self._meshes.append((folder, mesh))
        if self.base is None:
            super().__setattr__("base", os.getcwd())
        return {"file": {"path": path, "unit": "m"}}


class Table:
    """A table inside a scene: its keys are attributes."""

    __slots__ = ("_find", "_path", "_scene")

    def __init__(self, scene: Scene, find: Any, path: tuple[str | int, ...]) -> None:
        object.__setattr__(self, "_scene", scene)
        object.__setattr__(self, "_find", find)
        object.__setattr__(self, "_path", path)

    def __getattr__(self, key: str) -> Any:
        if key.startswith("__"):
            raise AttributeError(key)
        table = self._find() or {}
        if key in table:
            return _shown(self._scene, table[key], lambda: self._find()[key], (*self._path, key))
        return Table(self._scene, lambda: (self._find() or {}).get(key), (*self._path, key))

    def __setattr__(self, key: str, value: Any) -> None:
        self._scene._root()
        table = self._made()
        table[key] = _plain(value, self._scene)
        self._scene._changed()

    def __delattr__(self, key: str) -> None:
        table = self._find() or {}
        if key not in table:
            raise AttributeError(f"there is no `{'.'.join(map(str, (*self._path, key)))}` in the scene")
        del table[key]
        self._scene._changed()

    __getitem__ = __getattr__
    __setitem__ = __setattr__
    __delitem__ = __delattr__

    def __contains__(self, key: str) -> bool:
        return key in (self._find() or {})

    def __iter__(self) -> Iterator[str]:
        return iter(list(self._find() or {}))

    def __bool__(self) -> bool:
        return bool(self._find())

    def __eq__(self, other: object) -> bool:
        return (self._find() or {}) == (other._find() or {} if isinstance(other, Table) else other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(self._find() or {})

    def _made(self) -> dict[str, Any]:
        """The table, made if it is missing."""
        place: Any = self._scene._root()
        for step in self._path:
            if isinstance(place, dict):
                place = place.setdefault(step, {})
            else:
                place = place[step]
        if not isinstance(place, dict):
            raise SceneError(f"`{'.'.join(map(str, self._path))}` is a plain value: it has no keys")
        return place


class Tables:
    """A list of tables inside a scene, by number or by name."""

    __slots__ = ("_find", "_path", "_scene")

    def __init__(self, scene: Scene, find: Any, path: tuple[str | int, ...]) -> None:
        self._scene, self._find, self._path = scene, find, path

    def _index(self, key: int | str) -> int:
        rows = self._find()
        if isinstance(key, str):
            names = [row.get("name") for row in rows]
            if key not in names:
                known = ", ".join(f"`{n}`" for n in names if n) or "none"
                raise KeyError(f"there is no {self._path[-1]} `{key}`: known are {known}")
            return names.index(key)
        return range(len(rows))[key]

    def __getitem__(self, key: int | str) -> Table:
        index = self._index(key)
        return Table(self._scene, lambda: self._find()[index], (*self._path, index))

    def __setitem__(self, key: int | str, value: dict[str, Any]) -> None:
        self._find()[self._index(key)] = _plain(value, self._scene)
        self._scene._changed()

    def __delitem__(self, key: int | str) -> None:
        del self._find()[self._index(key)]
        self._scene._changed()

    def append(self, table: dict[str, Any]) -> None:
        """Adds a table."""
        self._find().append(_plain(table, self._scene))
        self._scene._changed()

    def __len__(self) -> int:
        return len(self._find())

    def __iter__(self) -> Iterator[Table]:
        return (self[index] for index in range(len(self)))

    def __repr__(self) -> str:
        return repr(self._find())


def _shown(scene: Scene, value: Any, find: Any, path: tuple[str | int, ...]) -> Any:
    if isinstance(value, dict):
        return Table(scene, find, path)
    if isinstance(value, list) and value and all(isinstance(row, dict) for row in value):
        return Tables(scene, find, path)
    # plain lists are copies: change them by setting the whole list
    return list(value) if isinstance(value, list) else value


def _plain(value: Any, scene: Scene) -> Any:
    """Plain dictionaries, lists and numbers of what was given."""
    if isinstance(value, Mesh):
        return scene._own(value)
    if isinstance(value, (Table, Tables)):
        return json.loads(json.dumps(value._find() or {}))
    if isinstance(value, dict):
        return {str(key): _plain(inner, scene) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(inner, scene) for inner in value]
    if hasattr(value, "tolist"):  # numbers and arrays of numpy
        return _plain(value.tolist(), scene)
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if value is None or not isinstance(value, (bool, int, float, str)):
        raise TypeError(f"a scene holds numbers, texts, lists, tables and meshes, not {type(value).__name__}")
    return value


def scenes() -> dict[str, str]:
    """The built-in scenes with their descriptions.

    >>> "cantilever" in scenes()
    True
    """
    return {row["name"]: row["description"] for row in json.loads(_pliant.embedded_scenes())}


def schema() -> dict[str, Any]:
    """The JSON Schema of scenes."""
    return json.loads(_pliant.schema())
