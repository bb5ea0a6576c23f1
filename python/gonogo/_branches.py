# SPDX-License-Identifier: Apache-2.0
"""A query of a collection, watched."""
from __future__ import annotations

import os

from . import _native
from ._audit import ProtocolLike
from ._errors import UsageError
from ._keep import path_text
from ._study import robot_protocol
from ._world import Episode


def branches(robot: str | os.PathLike[str], query: str, protocol: ProtocolLike = None, *,
             models: str | os.PathLike[str] | None = None, jobs: int = 0) -> list[Episode]:
    """What every action does at one query of a collection, step by step: the direct branch first, each :class:`Episode` with its action
    as ``controller``. Runs them again exactly as ``gonogo collect`` did.

    ``query`` is its name in the table, such as ``"1301/004"``; ``protocol`` is that of the collection, ``audit.toml`` in the folder of
    the robot where it is None. ``models`` is the folder that ``gonogo identify`` wrote, where the protocol needs one.
    """
    if not isinstance(query, str):
        raise UsageError(f"query is {type(query).__name__}, expected its name in the table, such as '1301/004'; "
                         "states of an episode are continued by World.branch")
    declared = robot_protocol(robot, protocol)
    found = _native.branches(os.fspath(robot), declared._protocol, query, path_text(models), jobs)
    return [Episode(episode) for episode in found]
