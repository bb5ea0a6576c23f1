# SPDX-License-Identifier: Apache-2.0
"""Adapters that ``gonogo audit --export`` wrote."""
from __future__ import annotations

import json
import os
import pathlib
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _arrays, _arrow, _features, _native
from ._errors import InputError
from ._table import Table, named


def _column(called: str, values: Any, levels: list[str]) -> npt.NDArray[Any]:
    if levels:
        return _features.codes(called, values, levels)
    array = np.atleast_1d(np.asarray(values))
    if array.dtype.kind == "O":  # None, beside numbers
        array = np.array([np.nan if _features.is_missing(value) else value for value in array.tolist()])
    if array.dtype.kind == "b":
        array = array.astype(np.float32)
    return _arrays.as_numbers(called, array)


class Adapter:
    """A learned adapter: features in, action out. Files that were changed after the export, or that do not belong together, are
    refused.

        adapter = gonogo.Adapter.load("adapters/sorting")
        adapter.verdict                        # what the audit said; adapter.advised is True only after a GO
        adapter.choose(features)               # the name of an action, or a list of names for rows of features
    """

    def __init__(self, native: _native.Adapter, manifest: dict[str, Any], folder: pathlib.Path) -> None:
        self._adapter = native
        self._manifest = manifest
        self._folder = folder

    @classmethod
    def load(cls, folder: str | os.PathLike[str]) -> Adapter:
        """Reads the folder that ``gonogo audit --export`` wrote."""
        native = _native.Adapter.load(os.fspath(folder))
        return cls(native, json.loads((pathlib.Path(folder) / "adapter.json").read_text()), pathlib.Path(folder))

    @property
    def folder(self) -> pathlib.Path:
        """Where it was read from."""
        return self._folder

    @property
    def actions(self) -> list[str]:
        """What it chooses among, the reference first."""
        return self._adapter.actions

    @property
    def features(self) -> list[str]:
        """The names of the numbers in a row of features, in their order."""
        return self._adapter.inputs

    @property
    def verdict(self) -> str:
        """What the audit it comes from said, as a sentence."""
        return self._adapter.verdict

    @property
    def advised(self) -> bool:
        """Whether that was a GO."""
        return self._adapter.is_advised

    @property
    def manifest(self) -> dict[str, Any]:
        """Everything ``adapter.json`` says: gate, thresholds, verdict, protocol, table, fingerprints."""
        return self._manifest

    def choose(self, features: Any) -> str | list[str]:
        """The action to take: one for a row of features or a mapping of names to values, a list for several rows, for a frame of pandas
        or of anything that speaks Arrow, or for the queries of a :class:`Table`. In a mapping or a frame a category is its text; texts
        that the table did not have are one more level. What is missing (NaN, None) counts as it did in training where the table missed it,
        too. Anything else that is no finite number makes it the reference."""
        rows, single = self._rows(features)
        names = self.actions
        chosen = [names[max(int(action), 0)] for action in self._adapter.choose(rows)]
        return chosen[0] if single else chosen

    def predict(self, features: Any) -> dict[str, npt.NDArray[np.float32]]:
        """What every member of the ensemble expects of every action but the reference: ``work`` and, where the table had them, ``time``
        and ``eligible``, each [rows, members, actions]. Work and time are what the learner learned (``manifest["model"]["target"]``)."""
        return self._adapter.predict(self._rows(features)[0])

    def _rows(self, features: Any) -> tuple[npt.NDArray[np.float32], bool]:
        if isinstance(features, Table):
            features = _features_of(features)
        elif hasattr(features, "__arrow_c_stream__") and not hasattr(features, "iloc"):
            features = _arrow.columns(features, "features")[0]
        if isinstance(features, Mapping) or hasattr(features, "iloc"):
            missing = [name for name in self.features if name not in features]
            if missing:
                raise InputError(f"features: no column '{missing[0]}', expected one for each of the {len(self.features)} names in .features")
            levels = self._adapter.input_levels
            columns = [_column(f"features['{n}']", features[n], own) for n, own in zip(self.features, levels)]
            single = isinstance(features, Mapping) and np.ndim(features[self.features[0]]) == 0
            return np.ascontiguousarray(np.stack(columns, axis=1), dtype=np.float32), single
        array = _arrays.as_numbers("features", features)
        rows = np.ascontiguousarray(np.atleast_2d(array), dtype=np.float32)
        _arrays.expect_shape("features", rows, (None, len(self.features)), "a row holds one number for each of .features")
        return rows, array.ndim == 1

    def __repr__(self) -> str:
        return f"<gonogo.Adapter: {len(self.features)} features, actions {', '.join(self.actions)}; {self.verdict}>"


def choose(adapter: Adapter | str | os.PathLike[str], features: Any) -> str | list[str]:
    """The choices of an exported adapter, or of the folder of one, at new queries: :meth:`Adapter.choose`.

    >>> gonogo.choose("adapters/sorting", polars.read_csv("new.csv"))                          # doctest: +SKIP
    ['quick', 'merge', 'merge']
    """
    return (adapter if isinstance(adapter, Adapter) else Adapter.load(adapter)).choose(features)


def _features_of(table: Table) -> dict[str, npt.NDArray[Any]]:
    """By the names that an adapter gives them."""
    columns: dict[str, npt.NDArray[Any]] = {}
    for names, values, levels in table._table.features.values():
        columns.update({name: named(values[:, j], levels[j] if levels else []) for j, name in enumerate(names)})
    for names, values, levels in table._table.action_features.values():
        columns.update({f"{name} of {action}": named(values[:, a, j], levels[j] if levels else [])
                        for a, action in enumerate(table.actions) for j, name in enumerate(names)})
    return columns
