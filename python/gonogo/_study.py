# SPDX-License-Identifier: Apache-2.0
"""From a robot to a verdict, and from a verdict back to the robot."""
from __future__ import annotations

import os
import pathlib
from collections.abc import Mapping, Sequence
from typing import Any, Union

from . import _native
from ._adapter import Adapter
from ._audit import ProtocolLike, _count, _protocol
from ._errors import UsageError
from ._keep import folder_of, path_text
from ._progress import Following, Progress, Stages
from ._protocol import Protocol
from ._result import JsonResult, Result, _frame
from ._table import Table

_Path = Union[str, "os.PathLike[str]"]


def robot_protocol(robot: _Path, protocol: ProtocolLike, settings: Mapping[str, Any] | None = None) -> Protocol:
    """What is declared for a robot: the protocol, or ``audit.toml`` beside its ``robot.toml``, with other values for some keys."""
    place = pathlib.Path(robot)
    folder = place.parent if place.suffix == ".toml" else place
    declared = _protocol(folder / "audit.toml" if protocol is None else protocol)
    assert declared is not None
    for key, value in (settings or {}).items():
        declared = declared.override(key, value)
    return declared


class Study(Result):
    """What :func:`study` found: the :class:`Result` of its last audit. :attr:`folder` is that of the study; ``table.h5`` lies there, and
    the audit in ``audit``."""

    def __init__(self, finished: _native.FinishedStudy, kept: bool) -> None:
        super().__init__(finished.json, finished.text, finished.folder if kept else "")
        self._clusters = finished.clusters
        self._ended = finished.ended

    @property
    def clusters(self) -> int:
        """How many were collected and audited."""
        return self._clusters

    @property
    def ended(self) -> bool:
        """False where a study until decided ran out of clusters although a later look that is declared might decide."""
        return self._ended


class Collection(JsonResult):
    """What :func:`collect` did and what is still to do."""

    @property
    def table(self) -> Table | None:
        """The outcomes of all clusters; None while some are missing."""
        return Table.from_hdf5(self["table"]) if "table" in self.json else None

    @property
    def missing(self) -> list[int]:
        """Declared clusters that are not finished."""
        return self["missing"]

    @property
    def remarks(self) -> list[str]:
        """Files that could not be read and were put aside."""
        return self["remarks"]

    def __repr__(self) -> str:
        count = len(self["collected"])
        return f"<gonogo.Collection {self.folder}: {count} clusters collected now, {len(self.missing)} missing>"


class Check(JsonResult):
    """What :func:`check` measured and found; printed, its verdict and findings."""

    def __init__(self, text: str, findings: str) -> None:
        super().__init__(text)
        self._findings = findings

    @property
    def verdict(self) -> str:
        """``"ok"``, ``"suspicious"`` (most robots like this are described wrongly) or ``"broken"`` (nothing measured would mean anything)."""
        return self["verdict"]

    @property
    def findings(self) -> Any:
        """One row each: severity, subject, what was measured, likely cause."""
        return _frame(self["findings"])

    def __str__(self) -> str:
        return f"{self.verdict}  {self['robot']}\n{self._findings}"

    def __repr__(self) -> str:
        return f"<gonogo.Check {self['robot']}: {self.verdict}, {len(self['findings'])} findings>"


class Confirmation(JsonResult):
    """What :func:`confirm` found in the closed loop."""

    @property
    def answer(self) -> str:
        """Whether the gain survives, as a sentence."""
        return self["answer"]

    @property
    def reading(self) -> str:
        """How the declared thresholds read the closed loop: GO, NO-GO or ABSTAIN. It decides nothing."""
        return self["reading"]

    @property
    def contenders(self) -> Any:
        """One row per controller: cost, time_s, success, violations, departs."""
        return _frame(self["contenders"])

    @property
    def estimates(self) -> Any:
        """One row per quantity in the closed loop, with its interval over clusters."""
        return _frame([{"name": name, **estimate} for name, estimate in self["estimates"].items()])

    def __str__(self) -> str:
        return self.answer

    def __repr__(self) -> str:
        return f"<gonogo.Confirmation {self['robot']}: reads {self.reading}, {len(self['seeds'])} clusters>"


def check(robot: _Path, *, seconds: float = 6.0, quick: bool = False, jobs: int = 0) -> Check:
    """Is a robot described as its policy was trained? As ``gonogo check``.

    Runs the policy on flat ground for ``seconds`` under each command, looks at what it sees and does, and tries other descriptions; with
    ``quick`` only if something is wrong. Writes nothing.

    >>> import gonogo
    >>> gonogo.check("robots/go2", seconds=2, quick=True).verdict
    'ok'
    """
    return Check(*_native.check(os.fspath(robot), float(seconds), bool(quick), jobs))


def collect(robot: _Path, protocol: ProtocolLike = None, *, out: _Path, models: _Path | None = None, clusters: Sequence[int] = (),
            merge: bool = False, settings: Mapping[str, Any] | None = None, jobs: int = 0, progress: Progress = True) -> Collection:
    """Tries every action at the same states of a robot: the table of outcomes. As ``gonogo collect``.

    ``protocol`` is ``audit.toml`` in the folder of the robot where it is None; ``settings`` (dotted key -> value, such as
    ``{"collect.terrain": "stairs:0-1"}``) change it before it is declared. ``out`` is the folder of the collection: every finished cluster
    is kept there, so that the same call goes on after Ctrl-C, and ``table.h5`` once all are. ``clusters`` collects some of the declared
    seeds only; ``merge`` collects nothing and makes the table of those that are there. ``models`` is where ``gonogo identify`` wrote, if
    the protocol needs models (None: ``runs/identify-ROBOT``).

    >>> import gonogo
    >>> small = {"collect.seeds": [7, 8], "collect.queries_per_cluster": 1, "collect.queries_per_episode": 1, "collect.terrain": "flat",
    ...          "protocol.actions": ["direct", "scale-0.75"]}
    >>> gonogo.collect("robots/go2", settings=small, out=folder, progress=False).table                    # doctest: +ELLIPSIS
    <gonogo.Table 2 queries in 2 clusters, actions direct, scale-0.75, ...>
    """
    declared = robot_protocol(robot, protocol, settings)
    if not path_text(out):
        raise UsageError("out is missing, expected the folder of the collection")
    with Stages(progress) as teller:
        text = _native.collect(os.fspath(robot), declared._protocol, path_text(models), os.fspath(out),
                               [_count("clusters", seed, 0) for seed in clusters], bool(merge), jobs, teller)
    return Collection(text, os.fspath(out))


def study(robot: _Path, protocol: ProtocolLike = None, *, until_decided: bool = False, max_clusters: int | None = None,
          check: bool = True, models: _Path | None = None, settings: Mapping[str, Any] | None = None, out: _Path | None = None,
          jobs: int = 0, progress: Progress = True) -> Study:
    """Is a learned adapter worth it on this robot? Checks it, identifies models if the protocol needs them, collects the outcomes and
    audits them. As ``gonogo study``.

    ``protocol``, ``settings`` and ``models`` are those of :func:`collect`. With ``until_decided`` the audit is a series of looks that are
    declared before the first branch runs, at more clusters each time, at most ``max_clusters``: it ends with GO or NO-GO, when no later
    look is likely to say GO, or with the last look. A robot that is probably described wrongly is refused, unless ``check`` is False.

    ``out`` keeps everything finished: the same call goes on after Ctrl-C. Where it is None nothing is kept but what is returned. Models
    that are missing are made in ``models``, or else in the folder of the study. ``progress`` is True for bars and remarks on stderr, False, or a callable of
    (done, total), which counts every stage from its beginning.
    """
    declared = robot_protocol(robot, protocol, settings)
    if max_clusters is not None and not until_decided:
        raise UsageError("max_clusters needs until_decided=True")
    most = None if max_clusters is None else _count("max_clusters", max_clusters, 2)
    with folder_of(out) as folder, Stages(progress) as teller:
        finished = _native.study(os.fspath(robot), declared._protocol, path_text(models), folder, bool(check), bool(until_decided), most,
                                 jobs, teller)
    return Study(finished, out is not None)


def confirm(adapter: Adapter | _Path, robot: _Path, *, seeds: Sequence[int] = (), trials: int = 2, hold: int = 1,
            out: _Path | None = None, jobs: int = 0, progress: Progress = True) -> Confirmation:
    """Does the gain of an exported adapter survive when it walks by itself? As ``gonogo confirm``.

    ``seeds`` are clusters it has never seen (none given: as many as were declared, after the last of them), ``trials`` the starts for each
    cluster and target, ``hold`` the number of decisions for which a choice is kept. With ``out``, finished episodes are kept there, and
    ``confirm.json`` and ``episodes.csv`` are written.
    """
    folder = adapter.folder if isinstance(adapter, Adapter) else pathlib.Path(adapter)
    with Following(progress, "episodes") as callback:
        text = _native.confirm(os.fspath(folder), os.fspath(robot), [_count("seeds", seed, 0) for seed in seeds],
                               _count("trials", trials), _count("hold", hold), path_text(out), jobs, callback)
    return Confirmation(text, path_text(out))
