# SPDX-License-Identifier: Apache-2.0
"""From arrays with one row per query: one column per action, or of a log one number."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _arrays
from ._errors import InputError, UsageError
from ._features import Group
from ._long import Wide, as_propensities


def from_arrays(name: str, cost: Any, cluster: Any, actions: Any, *, query: Any, time: Any, success: Any, eligible: Any, choice: Any,
                features: Any, action_features: Any) -> Wide:
    """The arguments are those of ``Table.from_numpy``; each is checked by itself and against the others."""
    names = _arrays.as_names(f"{name}: actions", actions)
    clusters = _arrays.as_names(f"{name}: cluster", cluster)
    shape = (len(clusters), len(names))

    def cells(argument: str, values: Any, convert: Callable[[str, Any], Any]) -> Any:
        called = f"{name}: {argument}"
        array = convert(called, values)
        _arrays.expect_shape(called, array, shape, "one row per entry of cluster, one column per action")
        return array

    wide = Wide(names, clusters, [] if query is None else _arrays.as_names(f"{name}: query", query),
                cells("cost", cost, _arrays.as_numbers))
    if time is not None:
        wide.time = cells("time", time, _arrays.as_numbers)
    if success is not None:
        wide.success = cells("success", success, _arrays.as_flags)
    if eligible is not None:
        wide.eligible = cells("eligible", eligible, _arrays.as_flags)
    if choice is not None:
        wide.choice = _choice(f"{name}: choice", choice, names, len(clusters))
    wide.features = _groups(f"{name}: features", "features", features, (len(clusters), None), "one row per query")
    wide.action_features = _groups(f"{name}: action_features", "action_features", action_features, (*shape, None),
                                   "one row per query and action")
    return wide


def from_log(name: str, cost: Any, action: Any, cluster: Any, actions: Any, *, propensity: Any, query: Any, time: Any, success: Any,
             eligible: Any, features: Any) -> Wide:
    """The arguments are those of ``Table.from_log``."""
    names = _arrays.as_names(f"{name}: actions", actions)
    clusters = _arrays.as_names(f"{name}: cluster", cluster)

    def each(argument: str, values: Any, convert: Callable[[str, Any], Any]) -> Any:
        if values is None:
            return None
        called = f"{name}: {argument}"
        array = convert(called, values)
        _arrays.expect_shape(called, array, (len(clusters),), "one entry per entry of cluster")
        return array

    wide = Wide(names, clusters, [] if query is None else _arrays.as_names(f"{name}: query", query), each("cost", cost, _arrays.as_numbers),
                time=each("time", time, _arrays.as_numbers), success=each("success", success, _arrays.as_flags),
                eligible=each("eligible", eligible, _arrays.as_flags),
                tried=_choice(f"{name}: action", action, names, len(clusters)),
                propensity=each("propensity", propensity, as_propensities))
    if wide.cost is None:
        raise UsageError(f"{name}: cost is None, expected one number per entry of cluster")
    wide.features = _groups(f"{name}: features", "features", features, (len(clusters), None), "one row per query")
    return wide


def _choice(called: str, values: Any, actions: list[str], queries: int) -> npt.NDArray[np.uint32]:
    """Indices or names of actions, as indices."""
    array = _arrays.as_array(called, values)
    _arrays.expect_shape(called, array, (queries,), "one entry per query")
    if array.dtype.kind in "iu":
        wrong = np.flatnonzero((array < 0) | (array >= len(actions)))
        if wrong.size:
            row = int(wrong[0])
            raise InputError(f"{called}: row {row} is {array[row]}, expected the index of an action, 0 to {len(actions) - 1}")
        return np.ascontiguousarray(array, dtype=np.uint32)
    number = {action: i for i, action in enumerate(actions)}
    names = _arrays.as_names(called, array)
    for row, chosen in enumerate(names):
        if chosen not in number:
            raise InputError(f"{called}: row {row} is {chosen!r}, expected one of the actions {actions!r}")
    return np.array([number[chosen] for chosen in names], dtype=np.uint32)


def _groups(called: str, only: str, groups: Any, shape: tuple[int | None, ...], meaning: str) -> list[Group]:
    """An array alone is a group called ``only``."""
    if groups is None:
        return []
    found = []
    for group, values in (groups if isinstance(groups, Mapping) else {only: groups}).items():
        if not isinstance(group, str):
            raise UsageError(f"{called} has a group called {group!r}, expected text")
        inner = f"{called} {group!r}"
        columns = getattr(values, "columns", None)
        array = _arrays.as_features(inner, values)
        _arrays.expect_shape(inner, array, shape, meaning)
        if array.shape[-1] == 0:
            raise InputError(f"{inner} has no columns, expected at least one")
        names = [str(column) for column in columns] if columns is not None else [f"{group}_{j}" for j in range(array.shape[-1])]
        found.append((group, names, array, []))
    return found
