# SPDX-License-Identifier: Apache-2.0
"""The verbs that need no robot."""
from __future__ import annotations

import os
import pathlib
from collections.abc import Mapping, Sequence
from typing import Any, Union

from . import _native
from ._errors import UsageError
from ._keep import folder_of, path_text
from ._progress import Following, Progress
from ._protocol import Protocol
from ._result import Calibration, Control, Plan, Result
from ._table import Table

_Path = Union[str, "os.PathLike[str]"]
TableLike = Union[Table, str, "os.PathLike[str]"]
ProtocolLike = Union[Protocol, Mapping[str, Any], str, "os.PathLike[str]", None]


def _protocol(value: ProtocolLike) -> Protocol | None:
    if value is None or isinstance(value, Protocol):
        return value
    return Protocol.from_dict(value) if isinstance(value, Mapping) else Protocol.from_toml(value)


def _settings(settings: Mapping[str, Any] | None, older: Mapping[str, Any]) -> Mapping[str, Any]:
    """``settings``, or ``set``, as it was called before and as the command line calls it."""
    for name in older:
        if name != "set":
            raise TypeError(f"unexpected keyword argument {name!r}")
    if settings is not None and older:
        raise UsageError("settings and set are the same argument, expected one of them")
    return settings or older.get("set") or {}


def _changed(protocol: Protocol, learner: str | None, target: str | None, rule: str | None, refits: int | None, seed: int | None,
             settings: Mapping[str, Any]) -> Protocol:
    """In the order of the command line, so that the first mistake is the same one."""
    if learner == "all":
        raise UsageError("learner is 'all', expected one learner; only gonogo.audit compares all of them")
    for key, number in (("bootstrap.refits", refits), ("bootstrap.seed", seed)):
        if number is not None:
            protocol = protocol.override(key, number)
    changes = dict(settings)
    for key, value in (("rule.kind", rule), ("learner.kind", learner), ("learner.target", target)):
        if value is not None:
            changes[key] = value
    for key, value in changes.items():
        protocol = protocol.override(key, value)
    return protocol


def _opened(table: TableLike, protocol: ProtocolLike) -> tuple[Table, Protocol, bool]:
    """The table, its protocol, and whether somebody declared that: else it is only what the table was made with."""
    declared = _protocol(protocol)
    if isinstance(table, (str, os.PathLike)):
        table = Table.from_csv(table, declared)
    if not isinstance(table, Table):
        raise UsageError(f"table is {type(table).__name__}, expected a gonogo.Table or the path of a table")
    return (table, table.protocol, table._table.is_declared) if declared is None else (table, declared, True)


def audit(table: TableLike, protocol: ProtocolLike = None, *, learner: str | None = None, target: str | None = None,
          rule: str | None = None, refits: int | None = None, seed: int | None = None, settings: Mapping[str, Any] | None = None,
          ablation: bool = False, seeds: int = 0, other_question: bool = False, map_over: str | None = None, out: _Path | None = None,
          choices_out: _Path | None = None, export: _Path | None = None, export_anyway: bool = False, jobs: int = 0,
          progress: Progress = True, **older: Any) -> Result:
    """Is a learned adapter worth it on this table: GO, NO-GO or ABSTAIN?

    ``learner``, ``target`` ("ratio", "difference", "log"), ``rule`` ("leave-pair-out", "calibrated", "paper"), ``refits``, ``seed`` and
    ``settings`` (dotted key -> value) change what was declared; the result then says so and is descriptive where the table carries a
    declaration. Where nobody declared a protocol and no argument names a learner, "ridge" takes a first look.

    The learners, each of which predicts from the features of a query what every action costs, or chooses an action at once:

    ========== ====================================================================================================================
    "mlp"      an ensemble of small neural networks, the default of a protocol
    "ridge"    linear regression that shrinks its weights: seconds where the others take minutes
    "trees"    boosted decision trees
    "forest"   random forests of deep trees
    "policy"   a tree of at most three questions whose leaves are actions, to be read by people
    ========== ====================================================================================================================

    More can be asked for at once: ``learner="all"`` repeats the declared audit with every other learner, with ``target="all"`` under
    every target (``result["learners"]``), ``seeds`` under so many bootstrap seeds (``result["seeds"]``), ``ablation`` with every feature
    set of the protocol (``result["ablation"]``); ``other_question`` asks about known clusters instead of new ones
    (``result["other_question"]``), ``map_over`` shows at which values of a feature the adapter chooses what (``result["choice_map"]``),
    and ``choices_out`` is a file, .csv or .h5, for every held-out choice.

    ``out`` is the folder of the run: refits are kept there, so that after Ctrl-C the same call goes on, and ``result.json`` and
    ``report.html`` are written. Where it is None nothing is kept but what is returned. In both cases an audit of a declared table's file
    is a look that is counted in ``looks.json`` beside that file. The same table and arguments give the same bytes as ``gonogo audit``, for any number of ``jobs`` (0: all
    cores). ``progress`` is True for a bar, False, or a callable of (done, total).

    ``export`` is a folder: after a GO the adapter that would ship, trained on all clusters, is written there and is
    ``result.adapter``. Otherwise nothing is written and ``result.adapter`` is None, unless ``export_anyway`` is True: its files then
    say that it is not advised.

    >>> import gonogo, numpy as np
    >>> rng = np.random.default_rng(7)
    >>> side = rng.uniform(-1, 1, (20 * 12, 1))                     # what the adapter can see
    >>> cost = np.ones((20 * 12, 3))
    >>> cost[:, 1] -= 0.1 * (side[:, 0] > 0)                        # "left" saves where the goal is on that side
    >>> cost[:, 2] -= 0.1 * (side[:, 0] < 0)
    >>> table = gonogo.Table.from_numpy(cost, np.repeat(np.arange(20), 12), actions=["direct", "left", "right"], features=side)
    >>> result = gonogo.audit(table, learner="ridge", refits=20, progress=False, out=folder)
    >>> result.reading, result.decision                             # nothing was declared before the data: no decision
    ('GO', None)
    >>> result.channels[["name", "state"]].head(3).to_dict("list")
    {'name': ['H_dep', 'H_alloc', 'q'], 'state': ['satisfied', 'satisfied', 'satisfied']}
    """
    changes = _settings(settings, older)
    opened, declared, is_declared = _opened(table, protocol)
    used = _changed(declared, None if learner == "all" else learner, None if target == "all" else target, rule, refits, seed, changes)
    if export_anyway and export is None:
        raise UsageError("export_anyway needs export, the folder to write to")
    request = _native.Request(
        learner=learner or "", any_learner=learner is None and not any(key.startswith("learner.") for key in changes),
        target="all" if target == "all" else "", ablation=bool(ablation), other_question=bool(other_question),
        seeds=_count("seeds", seeds, 0), map_over=map_over or "", keeps_choices=choices_out is not None)
    with folder_of(out) as folder, Following(progress, f"{learner} refits" if learner else "refits") as callback:
        finished = _native.audit(opened._table, used._protocol, declared._protocol if is_declared else None, request, folder,
                                 path_text(choices_out), path_text(export), bool(export_anyway), jobs, callback)
    return Result(finished.json, finished.text, path_text(out), finished.adapter)


def choices(table: TableLike, protocol: ProtocolLike = None, *, column: str | None = None, refits: int | None = None,
            seed: int | None = None, settings: Mapping[str, Any] | None = None, out: _Path | None = None, **older: Any) -> Result:
    """Is the adapter worth it that made the choices in the table? Always descriptive.

    ``column`` names the choices in a file; a table made in memory has them as ``choice``.
    """
    opened, declared, is_declared = _opened(table, protocol)
    used = _changed(declared, None, None, None, refits, seed, _settings(settings, older))
    if column is not None:
        used = Protocol._of(used._protocol.with_choice(column))
    with folder_of(out) as folder:
        finished = _native.audit(opened._table, used._protocol, declared._protocol if is_declared else None,
                                 _native.Request(choices=used["table.choice"]), folder, "", "", False, 0, None)
    return Result(finished.json, finished.text, path_text(out))


def control(kind: str, table: TableLike | None = None, protocol: ProtocolLike = None, *, feature: str | None = None,
            actions: Sequence[str] | None = None, gamma: float | Sequence[float] | None = None, mappings: int = 10,
            learner: str | None = None, rule: str | None = None, refits: int | None = None, seed: int | None = None,
            settings: Mapping[str, Any] | None = None, out: _Path | None = None, jobs: int = 0,
            progress: Progress = True, **older: Any) -> Result | Control:
    """Calibration controls: can the audit find a signal, and only a real one?

    ``"learner"`` audits a synthetic domain in which an adapter pays and returns a :class:`Result` that must be GO.
    ``"observable"`` plants a bonus of ``gamma`` into ``table`` that the sign of ``feature`` tells, ``"hidden"`` one that a coin
    tells; both return a :class:`Control`. ``actions`` are the two that become cheaper.

    >>> import gonogo
    >>> gonogo.control("learner", learner="ridge", refits=20, progress=False, out=folder).decision
    'GO'
    """
    changes = _settings(settings, older)
    if kind == "learner":
        declared = Protocol._of(_native.positive_control_protocol()) if protocol is None else _protocol(protocol)
        assert declared is not None
        used = _changed(declared, learner, None, rule, refits, seed, changes)
        with folder_of(out) as folder, Following(progress, "learner control") as callback:
            finished = _native.positive_control(used._protocol, folder, jobs, callback)
        return Result(finished.json, finished.text, path_text(out))
    if kind not in ("observable", "hidden"):
        raise UsageError(f"kind is {kind!r}, expected 'learner', 'observable' or 'hidden'")
    if table is None:
        raise UsageError(f"control {kind!r} needs a table")
    pair = [] if actions is None else [str(action) for action in actions]
    if len(pair) != 2 or pair[0] == pair[1]:
        raise UsageError(f"actions is {actions!r}, expected two different actions")
    if kind == "observable" and not feature:
        raise UsageError("feature is missing: control 'observable' needs the column whose sign tells the favoured action")
    gammas = [] if gamma is None else [float(g) for g in (gamma if isinstance(gamma, Sequence) else [gamma])]
    if kind == "hidden" and len(gammas) > 1:
        raise UsageError(f"gamma is {gamma!r}, expected one bonus for control 'hidden'")
    for bonus in gammas:
        if not 0.0 <= bonus < 1.0:
            raise UsageError(f"gamma is {bonus}, expected a share from 0 up to, but not including, 1")
    opened, declared, _ = _opened(table, protocol)
    used = _changed(declared, learner, None, rule, refits, seed, changes)
    with folder_of(out) as folder, Following(progress, f"{kind} control") as callback:
        finished = _native.planted_control(kind, opened._table, used._protocol, feature or "", pair, gammas,
                                           _count("mappings", mappings), folder, jobs, callback)
    return Control(finished.json, path_text(out))


def plan(pilot: TableLike | None = None, protocol: ProtocolLike = None, *, effect: float = 0.02,
         clusters: int | Sequence[int] = 20, largest: int = 160, queries: int = _native.DEFAULT_WORLD[0],
         actions: int = _native.DEFAULT_WORLD[1], features: int = _native.DEFAULT_WORLD[2], data_sets: int = 200,
         learner: str | None = None, rule: str | None = None, refits: int | None = None, seed: int | None = None,
         settings: Mapping[str, Any] | None = None, out: _Path | None = None, jobs: int = 0, progress: Progress = True,
         **older: Any) -> Plan:
    """How many clusters an audit needs, before data exist.

    From a ``pilot`` table, or without one from simulated worlds in which the adapter that would ship has a true H_dep of
    ``effect``. ``clusters`` are counts to report on; ``largest`` ends the search for 80 % and 90 % power (0: no search). With
    ``out`` the refits of a pilot are kept there: the same call goes on after Ctrl-C.

    >>> import gonogo
    >>> plan = gonogo.plan(effect=0.05, clusters=[20], largest=0, queries=12, actions=3, refits=20, data_sets=10, progress=False)
    >>> plan["schema"], len(plan["points"])
    ('gonogo.plan/1', 1)
    """
    changes = _settings(settings, older)
    counts = [_count("clusters", c, 2) for c in ([clusters] if isinstance(clusters, int) else clusters)]
    if largest != 0:
        _count("largest", largest, 2)
    if pilot is not None:
        opened, declared, _ = _opened(pilot, protocol)
        used = _changed(declared, learner, None, rule, refits, seed, changes)
        if used["rule.kind"] == "paper":
            raise UsageError("rule is 'paper', but a pilot tells nothing about the paper's rule; give rule='calibrated'")
        with folder_of(out) as folder, Following(progress, "pilot refits") as callback:
            return Plan(_native.plan_pilot(opened._table, used._protocol, counts, largest, folder, jobs, callback), path_text(out))
    declared = _protocol(protocol) or Protocol(learner__kind="ridge")
    used = _changed(declared, learner, None, rule, refits, seed, changes)
    with Following(progress, "simulated audits") as callback:
        return Plan(_native.plan_assumed(
            used._protocol, float(effect), counts, largest, _count("queries", queries, 2), _count("actions", actions, 2),
            _count("features", features), _count("data_sets", data_sets), jobs, callback))


def calibrate(cells: Sequence[str] = (), *, data_sets: int = 2000, refits: int = 200, learner: str = "ridge", seed: int = 20260717,
              out: _Path | None = None, jobs: int = 0, progress: Progress = True) -> Calibration:
    """Benchmarks the decision rules on simulated data sets whose truth is known: how often is a verdict wrong?

    ``cells`` names worlds (:func:`calibration_cells`), none stands for all. With ``out``, fits are kept and an interrupted run
    goes on.

    >>> import gonogo
    >>> gonogo.calibrate(["effect-2x"], data_sets=4, refits=10, progress=False)
    <gonogo.Calibration 1 world>
    """
    with Following(progress, "data sets") as callback:
        return Calibration(_native.calibrate([cells] if isinstance(cells, str) else list(cells), _count("data_sets", data_sets),
                                             _count("refits", refits), learner, seed, path_text(out), jobs, callback), path_text(out))


def calibration_cells(learner: str = "ridge") -> list[dict[str, str]]:
    """The worlds of :func:`calibrate`: name, role, clusters and purpose of each."""
    return [dict(zip(("name", "role", "clusters", "purpose"), row)) for row in _native.calibration_cells(learner)]


def report(result: Result | Control | _Path, path: _Path, controls: Sequence[Control] = ()) -> pathlib.Path:
    """Writes the self-contained page of a result, or of a ``result.json``, with controls of the same table in it."""
    if isinstance(result, (str, os.PathLike)):
        result = Result.load(result)
    target = pathlib.Path(path)
    target.write_text(result._page(controls), encoding="utf-8")
    return target


def _count(argument: str, value: int, least: int = 1) -> int:
    if isinstance(value, bool) or not hasattr(value, "__index__") or value.__index__() < least:
        raise UsageError(f"{argument} is {value!r}, expected a whole number, {least} or more")
    return value.__index__()
