# SPDX-License-Identifier: Apache-2.0
"""Robots in simulated worlds."""
from __future__ import annotations

import json
import os
import pathlib
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Union

import numpy as np
import numpy.typing as npt

from . import _arrays, _native
from ._errors import InputError, UsageError
from ._native import Query, Sight, Snapshot

#: A method by name (:func:`controllers`), or a callable that is shown a :class:`Sight` and returns (vx, vy, wz).
Controller = Union[str, Callable[[Sight], Sequence[float]]]


class Branch(NamedTuple):
    """What an action needed from a query to the end of its episode."""

    action: str
    work_j: float
    time_s: float
    success: bool


class Episode:
    """One target-reaching episode, step by step. With T control steps, B bodies, J joints and F feet, these arrays are attributes:
    ``times_s``, ``height_m``, ``height_W_m`` [T + 1], ``poses`` [T + 1, B, 7] (x y z qw qx qy qz), ``command`` [T, 3],
    ``action`` [T, J], ``power_w``, ``effort`` [T], ``foot_force_n`` [T, F], ``torque`` and ``joint_vel`` [T, physics steps, J]."""

    def __init__(self, native: _native.Episode) -> None:
        self._episode = native
        self._arrays: dict[str, npt.NDArray[Any]] = native.arrays
        self._result: dict[str, Any] = json.loads(native.json)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Episode:
        """Reads an episode file; its states are not in it."""
        return cls(_native.Episode.read(os.fspath(path)))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the file that ``gonogo rollout`` writes and ``gonogo view`` shows."""
        self._episode.write(os.fspath(path))

    @property
    def result(self) -> dict[str, Any]:
        """How it went: success, work_j, time_s, power_w, path_m, cot, final_distance_m …"""
        return self._result

    @property
    def success(self) -> bool:
        return bool(self._result["success"])

    @property
    def work_j(self) -> float:
        """Sum of |torque x speed| over joints and time."""
        return float(self._result["work_j"])

    @property
    def time_s(self) -> float:
        """How long it took."""
        return float(self._result["time_s"])

    @property
    def queries(self) -> list[Query]:
        """The states before each decision, for :meth:`World.branch`."""
        return list(self._episode.queries)

    @property
    def robot(self) -> str:
        return self._episode.robot

    @property
    def controller(self) -> str:
        return self._episode.controller

    @property
    def joints(self) -> list[str]:
        return self._episode.joints

    @property
    def bodies(self) -> list[str]:
        return self._episode.bodies

    def __getattr__(self, name: str) -> Any:
        # "_arrays" itself is missing while an object is being copied.
        if not name.startswith("_") and name in self._arrays:
            return self._arrays[name]
        raise AttributeError(f"an episode has no {name!r}")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._arrays]

    def __len__(self) -> int:
        """Number of control steps."""
        return len(self._arrays["command"])

    def __repr__(self) -> str:
        outcome = "reached the target" if self.success else "failed"
        return f"<gonogo.Episode {self.robot}, {self.controller}: {outcome}, {self.time_s:.2f} s, {self.work_j:.1f} J>"


class World:
    """A robot on a ground, moved by a frozen policy.

    ``robot`` is a folder with ``robot.toml``; ``terrain`` is "flat", "rough", "grid", "stairs:0-5" or any other ground that
    ``--terrain`` takes, and ``seed`` names its heights and the starts on it. ``policy`` is None for the robot's own, the path of an
    ONNX file, or a callable that is given the observation and returns one number per joint (slow: it is called at every control step).

    >>> import gonogo
    >>> world = gonogo.World("robots/go2", terrain="flat", seed=7)
    >>> world.observe(command=(0.5, 0, 0)).shape == (world.observation_size,)
    True
    >>> world.step((0.5, 0.0, 0.0))["termination"]
    ''
    >>> before = world.snapshot()
    >>> x = [world.step((0.5, 0.0, 0.0)) and world.state["p_W"][0] for _ in range(5)]
    >>> world.restore(before)
    >>> x == [world.step((0.5, 0.0, 0.0)) and world.state["p_W"][0] for _ in range(5)]
    True
    >>> episode = world.rollout(target=(2, 0))
    >>> episode.success, episode.command.shape == (len(episode), 3)
    (True, True)
    >>> [branch.action for branch in world.branch(episode.queries[3], ["direct", "scale-0.75"])]
    ['direct', 'scale-0.75']
    """

    def __init__(self, robot: str | os.PathLike[str], terrain: str = "rough", seed: int = 1,
                 policy: str | os.PathLike[str] | Callable[[npt.NDArray[np.float32]], npt.ArrayLike] | None = None) -> None:
        if policy is not None and not callable(policy):
            if not isinstance(policy, (str, os.PathLike)):
                raise UsageError(f"policy is {type(policy).__name__}, expected None, the path of an ONNX file or a callable")
            policy = os.fspath(policy)
        self._world = _native.World(os.fspath(robot), terrain, seed, policy)

    def reset(self, trial: int = 0) -> None:
        """Starts an episode; other trials start elsewhere on the same ground. The start is that of ``rollout`` with this trial."""
        self._world.reset(trial)

    def step(self, command: Sequence[float] | None = None, *, action: npt.ArrayLike | None = None) -> dict[str, Any]:
        """One control step under a command (vx in m/s, vy in m/s, wz in rad/s) and says what happened in it.

        With ``action``, one number per joint, this goes to the joints instead of what the policy would do.
        """
        told = (0.0, 0.0, 0.0) if command is None else command
        if action is None:
            if command is None:
                raise UsageError("command and action are both missing, expected one of them")
            self._world.step(told)
        else:
            numbers = _arrays.as_features("action", action)
            _arrays.expect_shape("action", numbers, (len(self.joints),), "one number per joint")
            wrong = np.flatnonzero(~np.isfinite(numbers))
            if wrong.size:
                raise InputError(f"action: row {int(wrong[0])} is {numbers[wrong[0]]}, expected a finite number")
            self._world.act(numbers.tolist(), told)
        return self._world.last_step

    def observe(self, command: Sequence[float] = (0.0, 0.0, 0.0)) -> npt.NDArray[np.float32]:
        """What the policy would see under a command."""
        return self._world.observe(command)

    @property
    def state(self) -> dict[str, Any]:
        """What the robot's sensors know: p_W, quat_WB, v_B, w_B, gravity_B, yaw, q, qd, action, height_m, tilt_rad, time_s."""
        return self._world.state

    def snapshot(self) -> Snapshot:
        """The state as a value that can be pickled: restored into any world of the same robot, ground and policy, it goes on
        bit for bit."""
        return self._world.snapshot()

    def restore(self, snapshot: Snapshot) -> None:
        self._world.restore(snapshot)

    def rollout(self, target: Sequence[float], controller: Controller = "direct", *, trial: int = 0,
                models: str | os.PathLike[str] | None = None, settings: Sequence[str] = ()) -> Episode:
        """Runs one target-reaching episode from its start; the world's own state stays as it is.

        ``target`` is in metres from the start pose, x forward and y left. ``models`` is where ``gonogo identify`` wrote, for the
        controllers that need models; ``settings`` change them ("vgcc.gain=0.3"). The same as ``gonogo rollout``.
        """
        point = _arrays.as_numbers("target", target)
        _arrays.expect_shape("target", point, (2,), "x and y in metres")
        if not np.isfinite(point).all():
            raise InputError(f"target is {tuple(point.tolist())}, expected finite numbers")
        return Episode(self._world.rollout(point.tolist(), _controller("controller", controller), trial, _models(models),
                                           list(settings)))

    def branch(self, query: Query, actions: Sequence[str], *, prefix: int = 4, share: float = 0.5, anneal_distance_m: float = 0.5,
               continuation: Controller = "direct", models: str | os.PathLike[str] | None = None,
               settings: Sequence[str] = ()) -> list[Branch]:
        """Tries every action from one state: ``prefix`` decisions under it, then ``continuation`` until the episode ends.

        Actions are "direct", "scale-0.75", "heading+0.3" or "yaw-0.2"; of the way from the direct command to the commanded one,
        ``share`` is taken, less below ``anneal_distance_m`` from the target. A query comes from :attr:`Episode.queries`.
        """
        if not isinstance(query, Query):
            raise UsageError(f"query is {type(query).__name__}, expected one of Episode.queries")
        named = _arrays.as_names("actions", list(actions))
        outcomes = self._world.branch(query, named, prefix, share, anneal_distance_m, _controller("continuation", continuation),
                                      _models(models), list(settings))
        return [Branch(action, *outcome) for action, outcome in zip(named, outcomes)]

    @property
    def robot(self) -> str:
        return self._world.robot

    @property
    def terrain(self) -> str:
        return self._world.terrain

    @property
    def seed(self) -> int:
        return self._world.seed

    @property
    def joints(self) -> list[str]:
        """In the order of the policy's actions."""
        return self._world.joints

    @property
    def observation_size(self) -> int:
        return self._world.observation_size

    @property
    def control_dt_s(self) -> float:
        """Seconds per control step."""
        return self._world.control_dt_s

    @property
    def targets(self) -> dict[str, list[tuple[float, float]]]:
        """The families of targets in robot.toml."""
        return self._world.targets

    def __repr__(self) -> str:
        return f"<gonogo.World {self.robot} on {self.terrain} ground, seed {self.seed}>"


def controllers() -> list[str]:
    """Names of controllers; any factor may stand after "scale-"."""
    return _native.controllers()


def _controller(argument: str, value: Controller) -> Controller:
    if isinstance(value, str) or callable(value):
        return value
    raise UsageError(f"{argument} is {type(value).__name__}, expected the name of a controller or a callable")


def _models(models: str | os.PathLike[str] | None) -> str:
    return "" if models is None else os.fspath(pathlib.Path(models))
