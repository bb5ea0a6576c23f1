# SPDX-License-Identifier: Apache-2.0
"""From one row per query and action, as data frames have it, to one row per query and one column per action."""
from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Union

import numpy as np
import numpy.typing as npt

from . import _arrays, _features
from ._errors import InputError, UsageError
from ._features import Declared, Group

#: Which columns are features: patterns (``"obs_*"``), each a group of its own, or group -> pattern or patterns.
FeaturePatterns = Union[None, str, Sequence[str], Mapping[str, Union[str, Sequence[str]]]]

USUAL_FEATURES = {"obs": "obs_*", "target": "target_*", "features": "f_*"}


@dataclass
class Wide:
    """What ``_native.Table.from_arrays`` takes."""

    actions: list[str]
    cluster: list[str]
    query: list[str]
    cost: npt.NDArray[np.float64]
    time: npt.NDArray[np.float64] | None = None
    success: npt.NDArray[np.uint8] | None = None
    eligible: npt.NDArray[np.uint8] | None = None
    choice: npt.NDArray[np.uint32] | None = None
    tried: npt.NDArray[np.uint32] | None = None  # a log: then outcomes have one entry per query, those of the action tried there
    propensity: npt.NDArray[np.float64] | None = None
    features: list[Group] = field(default_factory=list)
    action_features: list[Group] = field(default_factory=list)
    declaration_sha256: str = ""
    notes: list[str] = field(default_factory=list)


def grouped(argument: str, patterns: FeaturePatterns) -> dict[str, list[str]]:
    """The groups with their patterns."""
    if patterns is None:
        return {}
    if isinstance(patterns, str):
        patterns = [patterns]
    if isinstance(patterns, Mapping):
        groups = {name: [p] if isinstance(p, str) else list(p) for name, p in patterns.items()}
    else:
        groups = {}
        for pattern in patterns:
            if not isinstance(pattern, str):
                raise UsageError(f"{argument} holds {pattern!r}, expected the name of a column or a pattern such as 'obs_*'")
            groups.setdefault(pattern.replace("*", "").strip("_") or "features", []).append(pattern)
    for name, listed in groups.items():
        if not isinstance(name, str) or not all(isinstance(pattern, str) for pattern in listed):
            raise UsageError(f"{argument} holds {name!r}: {listed!r}, expected a group and the patterns of its columns")
    return groups


class Columns:
    """The columns of a long table, each given away at most once."""

    def __init__(self, name: str, columns: Mapping[str, Any], rows: int) -> None:
        self._name = name
        self._columns = columns
        self._rows = rows
        self._used: dict[str, str] = {}

    def has(self, column: str) -> bool:
        return column in self._columns

    def take(self, column: str, role: str) -> tuple[str, Any]:
        """How messages call the column, and its values."""
        if column not in self._columns:
            raise InputError(f"{self._name}: no column {column!r}, expected the {role} there; the columns are "
                             + ", ".join(repr(str(name)) for name in list(self._columns)[:20]))
        if column in self._used:
            raise InputError(f"{self._name}: column {column!r} cannot hold both the {self._used[column]} and the {role}")
        self._used[column] = role
        called = f"{self._name}: {role} (column {column!r})"
        values = _arrays.as_array(called, self._columns[column])
        _arrays.expect_shape(called, values, (self._rows,), "one value per row")
        return called, values

    def fitting(self, patterns: Sequence[str]) -> list[str]:
        fits = [re.compile(".*".join(re.escape(part) for part in pattern.split("*"))) for pattern in patterns]
        return [name for name in self._columns
                if isinstance(name, str) and name not in self._used and any(fit.fullmatch(name) for fit in fits)]

    def groups(self, argument: str, wanted: Mapping[str, Sequence[str]], required: bool) -> list[tuple[str, list[str], list[Any]]]:
        found = []
        for group, patterns in wanted.items():
            names = self.fitting(patterns)
            if not names and required:
                raise InputError(f"{self._name}: no column fits {list(patterns)!r} of {argument} group {group!r}")
            if names:
                found.append((group, names, [self.take(name, f"feature of group {group!r}") for name in names]))
        return found

    def unused(self) -> list[str]:
        return [str(name) for name in self._columns if name not in self._used]


def _codes(names: Sequence[str]) -> tuple[npt.NDArray[np.int64], list[str]]:
    """Numbers in order of appearance, and what they stand for."""
    known: dict[str, int] = {}
    codes = np.fromiter((known.setdefault(name, len(known)) for name in names), dtype=np.int64, count=len(names))
    return codes, list(known)


@dataclass
class _Cells:
    """Which row holds which query and action."""

    name: str
    queries: list[str]
    actions: list[str]
    query_of: npt.NDArray[np.int64]  # row
    row_at: npt.NDArray[np.int64]  # query * actions + action
    first_row: npt.NDArray[np.int64]  # query
    tried: npt.NDArray[np.int64] | None = None  # a log: the action of every query, and row_at has one row per query

    def wide(self, rows: npt.NDArray[Any]) -> npt.NDArray[Any]:
        shape = (len(self.queries),) if self.tried is not None else (len(self.queries), len(self.actions))
        return np.ascontiguousarray(rows[self.row_at].reshape(shape))


def is_log(queries: int, actions: int, rows: int) -> bool:
    """One row per query, as the command line tells it. A column taken for the actions by mistake has a name of its own in every row."""
    return actions > 1 and queries == rows and rows >= 2 * actions


def _place(name: str, query_names: Sequence[str], action_names: Sequence[str]) -> _Cells:
    query_of, queries = _codes(query_names)
    action_of, actions = _codes(action_names)
    rows, cells = len(query_names), len(queries) * len(actions)
    if is_log(len(queries), len(actions), rows):
        each = np.arange(rows)
        return _Cells(name, queries, actions, query_of, each, each, action_of)
    if rows < cells:
        present = np.zeros(cells, dtype=bool) if cells <= 100 * rows else None
        if present is None:
            raise InputError(f"{name}: {len(queries)} queries and {len(actions)} actions in {rows} rows, expected one row for "
                             "each query and action: is another column meant for the actions?")
        present[query_of * len(actions) + action_of] = True
        query, action = divmod(int(np.argmin(present)), len(actions))
        raise InputError(f"{name}: query {queries[query]!r} has no row for action {actions[action]!r}, expected one row for each "
                         "query and action")
    row_at = np.full(cells, -1, dtype=np.int64)
    cell_of = query_of * len(actions) + action_of
    row_at[cell_of] = np.arange(rows)
    repeated = np.flatnonzero(row_at[cell_of] != np.arange(rows))
    if repeated.size:
        row = int(repeated[0])
        raise InputError(f"{name}: query {query_names[row]!r} and action {action_names[row]!r} are on row {row} and again on row "
                         f"{int(row_at[cell_of[row]])}, expected one row for each query and action")
    first_row = np.full(len(queries), rows, dtype=np.int64)
    np.minimum.at(first_row, query_of, np.arange(rows))
    return _Cells(name, queries, actions, query_of, row_at, first_row)


def _one_per_query(cells: _Cells, called: str, values: Sequence[str]) -> list[str]:
    chosen = [values[row] for row in cells.first_row]
    for row, query in enumerate(cells.query_of):
        if values[row] != chosen[query]:
            raise InputError(f"{called}: query {cells.queries[query]!r} has {values[row]!r} on row {row} and {chosen[query]!r} on row "
                             f"{int(cells.first_row[query])}, expected one value per query")
    return chosen


def _query_features(cells: _Cells, group: str, names: list[str], columns: list[Any], declared: Declared) -> Group | None:
    made = []
    for name, (called, values) in zip(names, columns):
        for part, column, levels in _features.read(called, name, values, len(cells.queries), declared):
            kept = column[cells.first_row]
            of_query = kept[cells.query_of]
            differs = np.flatnonzero((column != of_query) & ~(np.isnan(column) & np.isnan(of_query)))
            if differs.size:
                row = int(differs[0])
                query = int(cells.query_of[row])
                first = int(cells.first_row[query])
                raise InputError(f"{called}: query {cells.queries[query]!r} has {values[row]} on row {row} and {values[first]} on row "
                                 f"{first}, expected one value per query")
            made.append((part, kept, levels))
    return _group(group, made)


def _action_features(cells: _Cells, group: str, names: list[str], columns: list[Any], declared: Declared) -> Group | None:
    made = []
    for name, (called, values) in zip(names, columns):
        made += [(part, cells.wide(column), levels) for part, column, levels in _features.read(called, name, values, len(values), declared)]
    return _group(group, made)


def _group(group: str, made: list[tuple[str, npt.NDArray[np.float32], list[str]]]) -> Group | None:
    if not made:
        return None
    levels = [own for _, _, own in made]
    return group, [name for name, _, _ in made], np.ascontiguousarray(np.stack([c for _, c, _ in made], axis=-1)), levels if any(levels) else []


def _choices(cells: _Cells, called: str, values: npt.NDArray[Any]) -> npt.NDArray[np.uint32]:
    """Either a mark on the chosen row, or the name of the chosen action on all rows of a query."""
    if values.dtype.kind in "biuf" and cells.tried is None:
        marks = cells.wide(_arrays.as_flags(called, values))
        wrong = np.flatnonzero(marks.sum(axis=1) != 1)
        if wrong.size:
            query = int(wrong[0])
            raise InputError(f"{called}: query {cells.queries[query]!r} has {int(marks[query].sum())} marked rows, expected 1 on one of "
                             "its rows and 0 on the others, or the name of an action on all of them")
        return np.ascontiguousarray(marks.argmax(axis=1), dtype=np.uint32)
    names = _one_per_query(cells, called, _arrays.as_names(called, values))
    number = {action: i for i, action in enumerate(cells.actions)}
    for query, name in enumerate(names):
        if name not in number:
            raise InputError(f"{called}: query {cells.queries[query]!r} has {name!r}, expected one of the actions {cells.actions!r}")
    return np.array([number[name] for name in names], dtype=np.uint32)


def widen(name: str, columns: Mapping[str, Any], rows: int, roles: Mapping[str, str], asked: set[str],
          features: dict[str, list[str]], action_features: dict[str, list[str]], declared: Declared) -> Wide:
    """``roles``: role -> column; an optional one that was not ``asked`` for may be missing."""
    if rows == 0:
        raise InputError(f"{name}: there are no rows, expected one for each query and action")
    left = Columns(name, columns, rows)
    queries = _arrays.as_names(*left.take(roles["query"], "query"))
    actions = _arrays.as_names(*left.take(roles["action"], "action"))
    cluster_called, cluster = left.take(roles["cluster"], "cluster")
    says_work = "cost" not in asked and not left.has(roles["cost"]) and left.has("work")
    cost_called, cost = left.take("work" if says_work else roles["cost"], "cost")
    optional = {role: left.take(roles[role], role) for role in ("time", "success", "eligible", "choice", "propensity")
                if role in asked or left.has(roles[role])}
    declaration = left.take("declaration_sha256", "declaration") if left.has("declaration_sha256") else None
    action_groups = left.groups("action_features", action_features, required=True)
    query_groups = left.groups("features", features or {g: [p] for g, p in USUAL_FEATURES.items()}, required=bool(features))
    cells = _place(name, queries, actions)
    if cells.tried is not None and action_groups:
        raise InputError(f"{name}: this is a log, with one row for each query, and group {action_groups[0][0]!r} of action_features "
                         "differs between actions, expected features of the query only")
    wide = Wide(cells.actions, _one_per_query(cells, cluster_called, _arrays.as_names(cluster_called, cluster)), cells.queries,
                _outcomes(cells, cost_called, cost))
    if "time" in optional:
        wide.time = _outcomes(cells, *optional["time"])
    if "success" in optional:
        wide.success = cells.wide(_arrays.as_flags(*optional["success"]))
    if "eligible" in optional:
        wide.eligible = cells.wide(_arrays.as_flags(*optional["eligible"]))
    if "choice" in optional:
        wide.choice = _choices(cells, *optional["choice"])
    if cells.tried is not None:
        wide.tried = cells.tried.astype(np.uint32)
        if "propensity" in optional:
            wide.propensity = as_propensities(*optional["propensity"])
    elif "propensity" in asked:
        raise InputError(f"{optional['propensity'][0]}: every action has a row at every query, so none was drawn by chance; expected a "
                         "log, with one row for each query")
    if declaration is not None:
        wide.declaration_sha256 = _same(*declaration)
    wide.features = [made for group in query_groups if (made := _query_features(cells, *group, declared)) is not None]
    wide.action_features = [made for group in action_groups if (made := _action_features(cells, *group, declared)) is not None]
    wide.notes += declared.notes
    unused = left.unused()
    if unused:
        shown = ", ".join(unused[:100]) + (", ..." if len(unused) > 100 else "")
        wide.notes.append(f"{len(unused)} column(s) not used: {shown}")
    return wide


def _outcomes(cells: _Cells, called: str, values: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    column = _arrays.as_numbers(called, values)
    wrong = np.flatnonzero(~(np.isfinite(column) & (column >= 0)))
    if wrong.size:
        raise InputError(f"{called}: row {int(wrong[0])} is {column[wrong[0]]}, expected a finite number, 0 or more")
    return cells.wide(column)


def as_propensities(called: str, values: Any) -> npt.NDArray[np.float64]:
    column = _arrays.as_numbers(called, values)
    wrong = np.flatnonzero(~((column > 0) & (column <= 1)))
    if wrong.size:
        raise InputError(f"{called}: row {int(wrong[0])} is {column[wrong[0]]}, expected a probability, above 0 and at most 1")
    return np.ascontiguousarray(column)


def _same(called: str, values: npt.NDArray[Any]) -> str:
    names = _arrays.as_names(called, values)
    for row, name in enumerate(names):
        if name != names[0]:
            raise InputError(f"{called}: row {row} is {name!r} and row 0 is {names[0]!r}, expected the same on all rows")
    return names[0]
