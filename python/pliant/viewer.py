"""The browser viewer, from Python and inside notebooks."""

from __future__ import annotations

import html
import os
import sys
import webbrowser
from pathlib import Path
from typing import Any

from . import _pliant
from .scene import PathLike, Scene
from .simulation import Simulation


class Viewer:
    """A server on this machine that shows a scene or a recording until it is stopped.

    In a notebook it shows itself; ``with`` stops it at the end of the block.
    """

    def __init__(self, server: _pliant.ViewServer, height: int) -> None:
        self._server, self.height = server, height
        #: What is shown; keeps the meshes that belong to it.
        self.what: Any = None

    @property
    def url(self) -> str:
        """The address for a browser on this machine."""
        return self._server.url

    def stop(self) -> None:
        """Stops the server."""
        self._server.stop()

    def __enter__(self) -> Viewer:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _repr_html_(self) -> str:
        return f'<iframe src="{html.escape(self.url)}" width="100%" height="{self.height}" style="border:0"></iframe>'

    def __repr__(self) -> str:
        return f"Viewer({self.url!r})"


def view(
    what: Scene | Simulation | PathLike | dict[str, Any] = "demo",
    *,
    method: str | None = None,
    inline: bool | None = None,
    port: int = 0,
    threads: int | None = None,
    paused: bool = False,
    height: int = 600,
) -> Viewer:
    """Shows a scene live, or a recording (or the folder of a run), in the browser; inside the notebook where there is one.

    A simulation is shown by its scene, from the start. The server listens at 127.0.0.1, and stops with the process or
    with :meth:`Viewer.stop`.

    >>> with view("cantilever", inline=True) as viewer:
    ...     viewer.url.startswith("http://127.0.0.1:")
    True
    """
    if isinstance(what, (str, os.PathLike)) and (recording := _recording(os.fspath(what))):
        server = _pliant.ViewServer.of_recording(recording, port, paused)
    else:
        if isinstance(what, Simulation):
            method = method or what.method
            what = what.scene
        scene = Scene(what)
        server = _pliant.ViewServer.of_scene(
            scene.text, scene.name, scene.base, scene._assets, method, port, threads, paused
        )
    viewer = Viewer(server, height)
    viewer.what = what
    if inline is None:
        inline = "ipykernel" in sys.modules
    if not inline:
        webbrowser.open(viewer.url)
    return viewer


def _recording(name: str) -> str | None:
    if "\n" in name:
        return None
    path = Path(name)
    inside = path / "recording.pliant"
    if inside.is_file():
        return str(inside)
    return name if path.suffix == ".pliant" and path.is_file() else None
