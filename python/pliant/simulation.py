"""A simulation: a scene that is stepped, and everything that can be read from it and done to it."""

from __future__ import annotations

import json
import os
import sys
import time as clock
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _pliant
from .errors import ShapeError, UnknownName
from .scene import PathLike, Scene

Array = npt.NDArray[np.float64]
Nodes = int | Sequence[int] | npt.NDArray[np.integer[Any]]
Vector = Sequence[float] | Array


class State:
    """What a simulation looks like now.

    Arrays are read-only and made once: asking for one again neither copies nor allocates. :attr:`x` and :attr:`v` follow the simulation:
    after a step the array that you have shows the new state (take a ``copy()`` of what you want to keep). The arrays of elements and contacts are
    brought up to date when they are asked for. Arrays stay valid as long as you keep them, also after the simulation is gone; after a cut,
    which makes new nodes, old arrays keep what they show and new ones have other shapes.

    >>> sim = Simulation("cantilever", method="full")
    >>> x = sim.state.x
    >>> sim.step()
    >>> sim.state.x is x
    True
    """

    __slots__ = ("_engine",)

    def __init__(self, engine: _pliant.Engine) -> None:
        self._engine = engine

    @property
    def x(self) -> Array:
        """Positions of the nodes, m, (n, 3)."""
        return self._engine.x

    @x.setter
    def x(self, positions: npt.ArrayLike) -> None:
        self._engine.set_state(_matrix(positions), None)

    @property
    def v(self) -> Array:
        """Velocities of the nodes, m/s, (n, 3)."""
        return self._engine.v

    @v.setter
    def v(self, velocities: npt.ArrayLike) -> None:
        self._engine.set_state(None, _matrix(velocities))

    @property
    def time(self) -> float:
        """Time, s."""
        return self._engine.time

    @property
    def step(self) -> int:
        """Steps taken."""
        return self._engine.step_number

    @property
    def stress(self) -> Array:
        """Cauchy stress of the elements, Pa, (m, 6): xx, yy, zz, xy, xz, yz. Zero before the first step."""
        return self._engine.stress

    @property
    def von_mises(self) -> Array:
        """Von Mises stress of the elements, Pa, (m,). Zero before the first step."""
        return self._engine.von_mises

    @property
    def strain(self) -> Array:
        """Green's strain of the elements, (m, 6): xx, yy, zz, xy, xz, yz, tensor components in the axes of the rest shape."""
        return self._engine.strain

    @property
    def element_state(self) -> npt.NDArray[np.uint8] | None:
        """What the method makes of each element: 0 is as usual, other numbers are the clumps it is rigid in, or exact evaluation where that is
        the exception. None where the method knows no such thing."""
        return self._engine.element_state

    @property
    def contact_force(self) -> Array:
        """Force of all contacts on each node, N, (n, 3)."""
        return self._engine.contact_force


@dataclass(frozen=True)
class Contacts:
    """The contacts of the last step, one an entry of every list. Forces act on ``body``; SI units."""

    body: list[str]
    #: Another body or an obstacle.
    partner: list[str]
    #: open, stick or slip.
    state: list[str]
    point: Array
    #: Unit normals out of the partner.
    normal: Array
    gap: Array
    normal_force: Array
    friction: Array
    pressure: Array

    def __len__(self) -> int:
        return len(self.body)


class Report(dict[str, Any]):
    """What a step reports; keys are attributes, too."""

    def __getattr__(self, key: str) -> Any:
        try:
            value = self[key]
        except KeyError:
            raise AttributeError(key) from None
        return Report(value) if isinstance(value, dict) else value


class Simulation:
    """A scene that is stepped.

    ``scene`` is a :class:`Scene` or what one is made from; ``method`` is used instead of the scene's; ``threads`` defaults to all cores, and
    results do not depend on it; ``time_step`` in s replaces that of the scene.

    >>> sim = Simulation("cantilever", method="full", threads=1)
    >>> sim.step(10)
    >>> round(sim.time, 6)
    0.05
    >>> float(sim.state.x[:, 2].min()) < 0
    True
    """

    def __init__(
        self,
        scene: Scene | PathLike | dict[str, Any] = "demo",
        *,
        method: str | None = None,
        threads: int | None = None,
        time_step: float | None = None,
        assets: PathLike | None = None,
    ) -> None:
        # a copy: changes to the scene are for the next simulation
        self.scene = Scene(scene, assets=assets)
        self._engine = _pliant.Engine(
            self.scene.text, self.scene.name, self.scene.base, self.scene._assets, method, time_step, threads
        )
        self._constants: dict[str, Any] | None = None
        self.time_step, self.step_count, self.method, self.threads = self._engine.plan()
        #: What is there to read and set: positions, velocities, stresses, …
        self.state = State(self._engine)
        self._parts = json.loads(self._engine.parts())

    # --- stepping

    def step(self, count: int = 1) -> None:
        """Takes steps. The interpreter is free meanwhile; Ctrl-C ends it between two steps, with the state of the last one.

        A step that fails raises :class:`StepError` and leaves the state as it was.
        """
        if count < 0:
            raise ValueError(f"a number of steps cannot be negative: {count}")
        self._engine.advance(count)

    def run(
        self,
        *,
        steps: int | None = None,
        duration: float | None = None,
        out: PathLike | None = None,
        progress: bool = False,
        callback: Callable[[Simulation], Any] | None = None,
        every: int = 1,
        checkpoint_every: int | None = None,
    ) -> dict[str, Any] | None:
        """Steps to the end of the scene, or for so many steps or seconds.

        ``callback`` is called with the simulation after every ``every`` steps; it may change what acts on it, and ends the run by
        returning False. With ``out`` the run leaves the same folder as ``pliant run``, and its summary is returned; a run that ends by an
        exception or Ctrl-C leaves a checkpoint and the recording so far.

        >>> heights = []
        >>> sim = Simulation("cantilever", method="full")
        >>> sim.run(steps=6, every=2, callback=lambda sim: heights.append(sim.state.x[:, 2].min()))
        >>> len(heights)
        3
        """
        if steps is not None and duration is not None:
            raise ValueError("give steps or duration, not both")
        if every < 1 or (checkpoint_every is not None and checkpoint_every < 1):
            raise ValueError("every and checkpoint_every count steps: use 1 or more")
        if duration is not None:
            steps = round(duration / self.time_step)
        if steps is None:
            steps = max(self.step_count - self.state.step, 0)
        last = self.state.step + steps
        if out is not None:
            self._engine.set_duration(last * self.time_step)
            self._engine.begin_recording(os.fspath(out), checkpoint_every)
        bar = _Progress(steps) if progress else None
        try:
            while (left := last - self.state.step) > 0:
                # without anybody to tell all at once, but for a bar a tenth of a second's worth
                chunk = min(left, every if callback else bar.chunk() if bar else left)
                self._engine.advance(chunk)
                if bar:
                    bar.show(steps - (last - self.state.step))
                if callback and callback(self) is False:
                    break
        except BaseException:
            if out is not None:
                self._engine.abandon_recording()
            raise
        finally:
            if bar:
                bar.close()
        summary = self._engine.finish_recording() if out is not None else None
        return None if summary is None else json.loads(summary)

    # --- reading

    @property
    def time(self) -> float:
        """Time, s."""
        return self._engine.time

    @property
    def report(self) -> Report:
        """What the last step reports: energies, momentum, reactions, joints, iterations, residuals, times of the stages.

        >>> sim = Simulation("cantilever", method="full")
        >>> sim.step()
        >>> sim.report.energies.kinetic > 0
        True
        """
        return Report(json.loads(self._engine.report()))

    @property
    def energies(self) -> Report:
        """Energies and losses since the start, J."""
        return self.report.energies

    @property
    def contacts(self) -> Contacts:
        """The contacts of the last step."""
        return Contacts(**self._engine.contacts())

    @property
    def bodies(self) -> list[str]:
        """Names of the bodies."""
        return [body["name"] for body in self._parts["bodies"]]

    @property
    def drives(self) -> list[str]:
        """Names of the drives, those that were made since the start among them."""
        return json.loads(self._engine.parts())["drives"]

    @property
    def joints(self) -> dict[str, str]:
        """Joints by name, with their kinds."""
        return {joint["name"]: joint["kind"] for joint in json.loads(self._engine.parts())["joints"]}

    @property
    def notices(self) -> list[str]:
        """What is remarkable about the scene though nothing is wrong."""
        return self._engine.notices()

    def nodes(self, body: str | None = None) -> npt.NDArray[np.int64]:
        """Numbers of the nodes of a body, or of all."""
        if body is None:
            return np.arange(len(self.rest))
        start, end = self._body(body)["nodes"]
        return np.arange(start, end)

    def elements_of(self, body: str) -> npt.NDArray[np.int64]:
        """Numbers of the elements of a body."""
        start, end = self._body(body)["elements"]
        return np.arange(start, end)

    def surface(self, body: str) -> npt.NDArray[np.int64]:
        """Numbers of the nodes on the surface of a body."""
        return self._engine.surface(self.bodies.index(self._body(body)["name"])).astype(np.int64)

    def nearest(self, point: Vector, body: str | None = None) -> int:
        """The node that is now nearest to a point."""
        nodes = self.nodes(body)
        return int(nodes[np.argmin(np.linalg.norm(self.state.x[nodes] - _vector(point), axis=1))])

    @property
    def rest(self) -> Array:
        """Positions of the nodes at rest, m."""
        return self._constant("rest")

    @property
    def mass(self) -> Array:
        """Masses of the nodes, kg; zero for those of rigid bodies."""
        return self._constant("mass")

    @property
    def elements(self) -> npt.NDArray[np.uint32]:
        """Nodes of the elements, (m, 4); triangles repeat their first."""
        return self._constant("elements")

    @property
    def volume(self) -> Array:
        """Volumes of the elements at rest, m³."""
        return self._constant("volume")

    @property
    def regions(self) -> npt.NDArray[Any]:
        """For each element an index into :attr:`region_names`."""
        return self._constant("region")

    @property
    def region_names(self) -> list[str]:
        """Names of the regions."""
        return self._parts["regions"]

    # --- acting

    def set_force(self, nodes: Nodes, force: Vector, *, name: str = "force") -> None:
        """Pushes nodes with a total force in N, from the next step on; another force of the same name replaces it.

        >>> sim = Simulation("cantilever", method="full")
        >>> tip = sim.nearest([0.4, 0.05, 0.1])
        >>> sim.set_force(tip, [0, 0, 1.0])
        >>> sim.step()
        >>> sim.report.reactions["force"]
        [0.0, 0.0, 1.0]
        """
        _pliant.set_force(self._engine, _nodes(nodes), _vector(force).tolist(), name)

    def pull(
        self,
        nodes: Nodes,
        to: Vector,
        *,
        stiffness: float | None = None,
        damping: float | None = None,
        name: str = "pull",
    ) -> None:
        """Ties nodes to springs that pull their middle to a point, as a mouse does; the same name moves the point.

        ``stiffness`` in N/m and ``damping`` in N·s/m are those of each node; the default gives way as the mesh around them does.
        """
        _pliant.pull(self._engine, _nodes(nodes), _vector(to).tolist(), stiffness, damping, name)

    def release(self, name: str) -> None:
        """Ends a force or a pull."""
        _pliant.release(self._engine, name)

    def move(self, drive: str, by: Vector) -> None:
        """Puts the nodes of a drive with ``fix`` or ``move`` where they are at rest, shifted by a vector in m, at the end of the next step."""
        _pliant.move_drive(self._engine, drive, _vector(by).tolist())

    def set_control(self, name: str, value: float) -> None:
        """Sets what a cable or a cavity prescribes: its length (m) or tension (N), its volume (over that at rest) or pressure (Pa)."""
        _pliant.set_control(self._engine, name, float(value))

    def attach(self, nodes: Nodes, to: Nodes | None = None, *, name: str = "attachment") -> None:
        """Ties nodes to where they are now, or to other nodes, one by one."""
        _pliant.attach(self._engine, _nodes(nodes), None if to is None else _nodes(to), name)

    def cut(self, point: Vector, normal: Vector, *, body: str | None = None) -> int:
        """Cuts soft bodies (or one of them) along a plane through the shapes that they have now; how many are cut.

        There are more nodes afterwards. :attr:`State.x` and all other arrays are new ones.
        """
        count = _pliant.cut(self._engine, _vector(point).tolist(), _vector(normal).tolist(), body)
        self._constants = None
        self._parts = json.loads(self._engine.parts())
        self.scene = Scene(self._engine.scene_text(), name=self.scene.name, base=self.scene.base, assets=self.scene._assets)
        return count

    # --- keeping

    def save(self, path: PathLike) -> None:
        """Writes a checkpoint, with which :meth:`load` goes on as if nothing had happened; forces, pulls, motions and
        attachments that were made since the start act again then.

        ``pliant run --resume`` goes on too, if there are none.
        """
        self._engine.save(os.fspath(path))

    def load(self, path: PathLike) -> None:
        """Goes on from a checkpoint of the same scene, method and time step, with what acted then in place of what acts now."""
        self._engine.load(os.fspath(path))

    def __repr__(self) -> str:
        return f"Simulation({self.scene.name!r}, method={self.method!r}, step={self.state.step}, time={self.time:g})"

    def __reduce__(self) -> Any:
        raise TypeError("a simulation cannot be pickled: save a checkpoint, or send the scene")

    def _body(self, name: str) -> dict[str, Any]:
        for body in self._parts["bodies"]:
            if body["name"] == name:
                return body
        raise UnknownName(f"there is no body `{name}`: known are {', '.join(self.bodies)}")

    def _constant(self, name: str) -> Any:
        if self._constants is None:
            self._constants = self._engine.constants()
            for array in self._constants.values():
                array.flags.writeable = False
        return self._constants[name]


class _Progress:
    """A line on standard error with rate and time left; shown on terminals and in notebooks only."""

    def __init__(self, steps: int) -> None:
        self.steps, self.started, self.done = steps, clock.monotonic(), 0
        self.stream = sys.stderr
        self.visible = self.stream.isatty() or "ipykernel" in sys.modules

    def chunk(self) -> int:
        passed = clock.monotonic() - self.started
        return max(1, int(0.1 * self.done / passed)) if passed > 0 else 1

    def show(self, done: int) -> None:
        self.done = done
        if self.visible:
            rate = done / max(clock.monotonic() - self.started, 1e-9)
            left = (self.steps - done) / max(rate, 1e-9)
            self.stream.write(f"\r{done}/{self.steps} steps  {rate:.1f}/s  {left:.0f} s left \033[K")
            self.stream.flush()

    def close(self) -> None:
        if self.visible:
            self.stream.write("\n")


def _nodes(nodes: Nodes) -> npt.NDArray[np.int64]:
    array = np.atleast_1d(np.asarray(nodes))
    if array.size and not np.issubdtype(array.dtype, np.integer):
        raise TypeError(f"nodes are given by whole numbers, not by {array.dtype}")
    if array.ndim != 1:
        raise ShapeError(f"nodes are one list, not an array of shape {array.shape}")
    return np.ascontiguousarray(array, dtype=np.int64)


def _vector(vector: npt.ArrayLike) -> Array:
    array = np.asarray(vector, dtype=np.float64)
    if array.shape != (3,):
        raise ShapeError(f"a vector has the shape (3,), not {array.shape}")
    return array


def _matrix(rows: npt.ArrayLike) -> Array:
    array = np.asarray(rows, dtype=np.float64)
    if array.ndim != 2:
        raise ShapeError(f"the shape must be (n, 3), not {array.shape}")
    return array
