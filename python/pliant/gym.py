"""Environments for reinforcement learning with gymnasium.

:class:`SoftEnv` makes an environment of any scene: what an agent moves are cables, cavities and handles, what it sees are nodes, contacts and
actuators. :class:`GripperReach` is one, registered as ``pliant/GripperReach-v0``.

>>> import gymnasium
>>> import pliant.gym
>>> env = gymnasium.make("pliant/GripperReach-v0", max_steps=3)
>>> observation, info = env.reset(seed=1)
>>> observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
>>> env.close()
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from .errors import StepError
from .scene import PathLike, Scene
from .simulation import Simulation

Observation = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Actuator:
    """Something that an agent sets, as a number from -1 to 1 between two values.

    ``kind`` is "control" (a cable's length in m or tension in N, a cavity's relative volume or pressure in Pa: whichever the scene prescribes), or
    "handle" (a drive with ``fix`` or ``move``, shifted along ``axis`` by so many metres). Within one step of the environment the value changes
    by at most ``rate`` (of its unit), by default as far as it likes.
    """

    kind: str
    #: Names of the cables, cavities or drives that are set together.
    names: tuple[str, ...]
    low: float
    high: float
    axis: int = 2
    rate: float = np.inf
    #: The value at the start.
    start: float = 0.0

    def __post_init__(self) -> None:
        if self.kind not in ("control", "handle"):
            raise ValueError(f"an actuator is a control or a handle, not `{self.kind}`")
        if not self.low < self.high or not self.low <= self.start <= self.high:
            raise ValueError(f"an actuator goes from low to high by way of start, not {self.low}, {self.start}, {self.high}")


class SoftEnv(gymnasium.Env[Observation, Observation]):
    """A scene as an environment.

    Observations are one list: positions relative to those at the start and velocities of the nodes nearest to ``points`` (in m and m/s), the sum of the contact
    forces on each of ``touch``, bodies by name (N), the values of the actuators from -1 to 1, and what :meth:`goal` adds. Actions are one number
    from -1 to 1 for each actuator. A step of the environment is ``substeps`` steps of the scene.

    Derive from it and give it a :meth:`reward`; :meth:`begin` sets up an episode, :meth:`is_done` ends one. An episode whose step fails ends with
    ``terminated`` and the error in ``info``.
    """

    metadata = {"render_modes": []}  # noqa: RUF012  # as gymnasium has it

    def __init__(
        self,
        scene: Scene | PathLike | dict[str, Any],
        actuators: Sequence[Actuator],
        points: Sequence[Sequence[float]],
        *,
        touch: Sequence[str] = (),
        method: str | None = None,
        substeps: int = 4,
        max_steps: int = 200,
        goal_size: int = 0,
        threads: int = 1,
        render_mode: str | None = None,
    ) -> None:
        self.render_mode = render_mode
        self.simulation = Simulation(scene, method=method, threads=threads)
        self.actuators = tuple(actuators)
        self.substeps, self.max_steps, self.goal_size = substeps, max_steps, goal_size
        self.nodes = np.array([self.simulation.nearest(point) for point in points], dtype=np.int64)
        self.touch = [self.simulation.nodes(body) for body in touch]
        self._folder = tempfile.TemporaryDirectory(prefix="pliant-gym-")
        self._start = Path(self._folder.name) / "start.checkpoint"
        self.simulation.save(self._start)
        self._origin = self.simulation.state.x[self.nodes].copy()
        self.values = np.array([a.start for a in self.actuators])
        size = 6 * len(self.nodes) + 3 * len(self.touch) + len(self.actuators) + goal_size
        self.observation_space = spaces.Box(-np.inf, np.inf, (size,), np.float64)
        self.action_space = spaces.Box(-1.0, 1.0, (len(self.actuators),), np.float64)
        self.steps = 0

    # --- what an example is made of

    def begin(self) -> None:
        """Sets up an episode, with ``self.np_random`` for what is drawn."""

    def goal(self) -> Observation:
        """Numbers at the end of observations, as many as ``goal_size``."""
        return np.zeros(self.goal_size)

    def reward(self) -> float:
        """How good the present state is."""
        return 0.0

    def is_done(self) -> bool:
        """Whether the episode has reached its end."""
        return False

    # --- gymnasium

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, dict[str, Any]]:
        super().reset(seed=seed, options=options)
        self.simulation.load(self._start)
        self.values = np.array([a.start for a in self.actuators])
        self.steps = 0
        self._actuate()
        self.begin()
        return self._observe(), {}

    def step(self, action: Observation) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        wanted = np.clip(np.asarray(action, dtype=np.float64), -1.0, 1.0)
        if wanted.shape != self.action_space.shape:
            raise ValueError(f"an action has the shape {self.action_space.shape}, not {wanted.shape}")
        for n, actuator in enumerate(self.actuators):
            target = actuator.low + (wanted[n] + 1) / 2 * (actuator.high - actuator.low)
            change = np.clip(target - self.values[n], -actuator.rate, actuator.rate)
            self.values[n] += change
        self._actuate()
        info: dict[str, Any] = {}
        failed = False
        try:
            self.simulation.step(self.substeps)
        except StepError as error:
            failed, info["error"] = True, str(error)
        self.steps += 1
        reward = float(self.reward())
        return self._observe(), reward, failed or bool(self.is_done()), self.steps >= self.max_steps, info

    def close(self) -> None:
        self._folder.cleanup()

    def _actuate(self) -> None:
        shifts: dict[str, npt.NDArray[np.float64]] = {}
        for actuator, value in zip(self.actuators, self.values, strict=True):
            for name in actuator.names:
                if actuator.kind == "control":
                    self.simulation.set_control(name, float(value))
                else:
                    shifts.setdefault(name, np.zeros(3))[actuator.axis] = value
        for name, shift in shifts.items():
            self.simulation.move(name, shift)

    def _observe(self) -> Observation:
        state = self.simulation.state
        scale = np.array([2 * (v - a.low) / (a.high - a.low) - 1 for a, v in zip(self.actuators, self.values, strict=True)])
        force = state.contact_force if self.touch else None
        return np.concatenate(
            [
                (state.x[self.nodes] - self._origin).ravel(),
                state.v[self.nodes].ravel(),
                *([] if force is None else [force[nodes].sum(axis=0) for nodes in self.touch]),
                scale,
                self.goal(),
            ]
        )


class GripperReach(SoftEnv):
    """Two soft fingers on a hand reach for a point: cables bend them, the hand goes up and down.

    The scene is ``contact/gripper`` without its box. The point lies somewhere below the hand; the reward is the distance of the middle between both
    finger tips from it, negative and in m, at each step. An episode is done within 3 mm.
    """

    #: Where the target may be, m.
    LOW, HIGH = np.array([-0.004, 0.0, -0.1]), np.array([0.004, 0.0, -0.04])

    def __init__(self, *, max_steps: int = 100, substeps: int = 4, method: str | None = None, render_mode: str | None = None) -> None:
        scene = Scene("contact/gripper")
        del scene.body["box"]
        root = ("left root", "right root")
        for side, x in (("left", -0.0315), ("right", 0.0315)):
            # the cables of that scene begin at points that move by themselves; here they go up and down with the hand
            scene.cable[f"{side} cable"].through[0] = {"body": f"{side} finger", "at": [x, 0, -0.0025]}
        super().__init__(
            scene,
            [
                Actuator("control", ("left cable",), 0.0, 0.4, rate=0.02),
                Actuator("control", ("right cable",), 0.0, 0.4, rate=0.02),
                Actuator("handle", root, 0.0, 0.08, rate=0.002),
            ],
            points=[[-0.03, 0.0, -0.1], [0.03, 0.0, -0.1]],
            touch=["left finger", "right finger"],
            method=method,
            substeps=substeps,
            max_steps=max_steps,
            goal_size=3,
            render_mode=render_mode,
        )
        self.target = np.zeros(3)

    def begin(self) -> None:
        self.target = self.np_random.uniform(self.LOW, self.HIGH)

    def away(self) -> float:
        """Distance of the middle between the finger tips from the target, m."""
        middle = self.simulation.state.x[self.nodes].mean(axis=0)
        return float(np.linalg.norm((middle - self.target)[[0, 2]]))

    def goal(self) -> Observation:
        return self.target

    def reward(self) -> float:
        return -self.away()

    def is_done(self) -> bool:
        return self.away() < 0.003


gymnasium.register("pliant/GripperReach-v0", entry_point="pliant.gym:GripperReach")

__all__ = ["Actuator", "GripperReach", "SoftEnv"]
