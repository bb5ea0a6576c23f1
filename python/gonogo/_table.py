# SPDX-License-Identifier: Apache-2.0
"""Tables of outcomes."""
from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _arrays, _arrow, _features, _long, _native, _wide
from ._errors import InputError, UsageError
from ._long import FeaturePatterns
from ._protocol import Protocol

if TYPE_CHECKING:
    import pandas as pd

_ROLES = ("cluster", "query", "action", "cost", "time", "success", "eligible", "choice", "propensity")


def _made_with(protocol: Protocol | None, actions: Sequence[str] | None, reference: str | None) -> Protocol:
    made = Protocol() if protocol is None else protocol
    if not isinstance(made, Protocol):
        raise UsageError(f"protocol is {made!r}, expected a gonogo.Protocol")
    if actions is not None:
        made = made.override("protocol.actions", list(actions))
    if reference is not None:
        if not isinstance(reference, str):
            raise UsageError(f"reference is {reference!r}, expected the name of an action")
        made = made.override("protocol.reference", reference)
    return made


def named(values: npt.NDArray[np.float32], levels: list[str]) -> npt.NDArray[Any]:
    """A category as its texts."""
    if not levels:
        return values
    known = ~np.isnan(values)
    texts = np.full(len(values), None, dtype=object)
    texts[known] = np.array(levels, dtype=object)[values[known].astype(np.int64)]
    return texts


class Table:
    """Outcomes of every action at every query, or a log: those of the one action that was tried at each.

    Made by :meth:`from_arrow`, :meth:`from_pandas`, :meth:`from_dict`, :meth:`from_numpy`, :meth:`from_log`, :meth:`from_csv` or :meth:`from_hdf5`, each of
    which refuses what no audit could read. Arrays of a table are views of its own memory, read-only, sorted by cluster and query.
    """

    __slots__ = ("_table",)
    _table: _native.Table

    def __init__(self) -> None:
        raise UsageError("a table is made by Table.from_pandas, from_dict, from_numpy, from_log, from_csv or from_hdf5")

    @classmethod
    def _of(cls, native: _native.Table) -> Table:
        table = cls.__new__(cls)
        table._table = native
        return table

    @classmethod
    def _from_wide(cls, wide: _long.Wide, name: str, made: Protocol, is_declared: bool) -> Table:
        return cls._of(_native.Table.from_arrays(
            name, made._protocol, wide.actions, wide.cluster, wide.query, wide.cost, wide.time, wide.success, wide.eligible,
            wide.choice, wide.features, wide.action_features, wide.declaration_sha256, wide.notes, wide.tried, wide.propensity,
            is_declared))

    @classmethod
    def _from_long(cls, columns: Mapping[str, Any], rows: int, name: str, protocol: Protocol | None, roles: Mapping[str, str | None],
                   features: FeaturePatterns, action_features: FeaturePatterns, actions: Sequence[str] | None,
                   reference: str | None) -> Table:
        made = _made_with(protocol, actions, reference)
        declared = made.to_dict()["table"]
        asked = {role for role in _ROLES if roles[role] is not None or declared.get(role, role) != role}
        for role in _ROLES:
            if not isinstance(roles[role], (str, type(None))):
                raise UsageError(f"{role} is {roles[role]!r}, expected the name of a column")
        named = {role: roles[role] or declared.get(role, role) for role in _ROLES}
        wide = _long.widen(name, columns, rows, named, asked,
                           _long.grouped("features", declared.get("features") if features is None else features),
                           _long.grouped("action_features", declared.get("action_features") if action_features is None
                                         else action_features),
                           _features.Declared(declared.get("categories", []), declared.get("dates", [])))
        return cls._from_wide(wide, name, made, protocol is not None)

    @classmethod
    def from_pandas(cls, df: pd.DataFrame, *, cluster: str | None = None, query: str | None = None, action: str | None = None,
                    cost: str | None = None, time: str | None = None, success: str | None = None, eligible: str | None = None,
                    choice: str | None = None, propensity: str | None = None, features: FeaturePatterns = None,
                    action_features: FeaturePatterns = None, actions: Sequence[str] | None = None, reference: str | None = None, protocol: Protocol | None = None,
                    name: str = "table") -> Table:
        """A table from a data frame with one row per query and action.

        The first nine arguments name columns; left out, they are what ``[table]`` of the protocol says (``cluster``, ``query``,
        …). ``features`` are patterns of columns that describe a query, ``action_features`` of columns that describe a query under
        an action. ``reference`` is what is done without an adapter. A frame with one row per query is a *log*: one action was tried
        there, with the probability in the column ``propensity``.

        >>> import pandas as pd, gonogo
        >>> df = pd.DataFrame({
        ...     "seed": [1, 1, 1, 1, 2, 2, 2, 2],
        ...     "state": ["a", "a", "b", "b", "c", "c", "d", "d"],
        ...     "command": ["direct", "slow"] * 4,
        ...     "work_j": [10.0, 9.0, 12.0, 13.0, 8.0, 8.5, 11.0, 9.5],
        ...     "obs_x": [0.1, 0.1, 0.7, 0.7, 0.4, 0.4, 0.2, 0.2]})
        >>> table = gonogo.Table.from_pandas(df, cluster="seed", query="state", action="command", cost="work_j", features=["obs_*"])
        >>> table
        <gonogo.Table 4 queries in 2 clusters, actions direct, slow, 1 feature>
        >>> table.cost
        array([[10. ,  9. ],
               [12. , 13. ],
               [ 8. ,  8.5],
               [11. ,  9.5]])
        >>> df.loc[3, "work_j"] = float("nan")
        >>> gonogo.Table.from_pandas(df, cluster="seed", query="state", action="command", cost="work_j")
        Traceback (most recent call last):
            ...
        gonogo.InputError: table: cost (column 'work_j'): row 3 is nan, expected a finite number, 0 or more
        """
        columns = getattr(df, "columns", None)
        if columns is None or not hasattr(df, "iloc"):
            raise UsageError(f"df is {type(df).__name__}, expected a pandas.DataFrame")
        if not columns.is_unique:
            twice = next(name for name in columns if list(columns).count(name) > 1)
            raise InputError(f"{name}: two columns are called {twice!r}, expected one")
        return cls._from_long({column: df[column].to_numpy() for column in columns}, len(df), name, protocol,
                              {"cluster": cluster, "query": query, "action": action, "cost": cost, "time": time,
                               "success": success, "eligible": eligible, "choice": choice, "propensity": propensity},
                              features, action_features, actions, reference)

    @classmethod
    def from_dict(cls, columns: Mapping[str, Any], *, cluster: str | None = None, query: str | None = None, action: str | None = None,
                  cost: str | None = None, time: str | None = None, success: str | None = None, eligible: str | None = None,
                  choice: str | None = None, propensity: str | None = None, features: FeaturePatterns = None,
                  action_features: FeaturePatterns = None, actions: Sequence[str] | None = None, reference: str | None = None, protocol: Protocol | None = None,
                  name: str = "table") -> Table:
        """The same from columns by name, without pandas.

        >>> import gonogo
        >>> gonogo.Table.from_dict({"cluster": [1, 1, 2, 2], "query": ["a", "a", "b", "b"], "action": ["direct", "slow"] * 2,
        ...                         "cost": [10, 9, 8, 8.5], "f_x": [0.1, 0.1, 0.4, 0.4]})
        <gonogo.Table 2 queries in 2 clusters, actions direct, slow, 1 feature>
        """
        if not isinstance(columns, Mapping):
            raise UsageError(f"columns is {type(columns).__name__}, expected a mapping of names to columns")
        arrays = {column: _arrays.as_array(f"{name}: column {column!r}", values) for column, values in columns.items()}
        rows = len(next(iter(arrays.values()))) if arrays else 0
        return cls._from_long(arrays, rows, name, protocol,
                              {"cluster": cluster, "query": query, "action": action, "cost": cost, "time": time,
                               "success": success, "eligible": eligible, "choice": choice, "propensity": propensity},
                              features, action_features, actions, reference)

    @classmethod
    def from_arrow(cls, frame: Any, *, name: str = "table", **arguments: Any) -> Table:
        """The same from anything that speaks Arrow: a frame of polars, a result of DuckDB, a table of pyarrow, a frame of pandas 2.2 or later.

        Takes the arguments of :meth:`from_pandas`. Columns of numbers are read where they lie; the only copy is the table.

        >>> import polars as pl, gonogo                                                                        # doctest: +SKIP
        >>> gonogo.Table.from_arrow(pl.read_parquet("outcomes.parquet"), cluster="site", cost="price_usd")     # doctest: +SKIP
        """
        columns, rows = _arrow.columns(frame, name)
        if rows == 0:
            raise InputError(f"{name}: the frame has no rows, expected one for every query and action")
        return cls.from_dict(columns, name=name, **arguments)

    @classmethod
    def from_parquet(cls, path: str | os.PathLike[str], **arguments: Any) -> Table:
        """The same from a Parquet or Feather (Arrow IPC) file, read by pyarrow or polars, whichever is installed."""
        return cls.from_arrow(_arrow.read_file(path), name=arguments.pop("name", os.fspath(path)), **arguments)

    @classmethod
    def from_numpy(cls, cost: npt.ArrayLike, cluster: npt.ArrayLike, *, actions: Sequence[str], query: npt.ArrayLike | None = None,
                   time: npt.ArrayLike | None = None, success: npt.ArrayLike | None = None, eligible: npt.ArrayLike | None = None,
                   choice: npt.ArrayLike | None = None,
                   features: npt.ArrayLike | Mapping[str, npt.ArrayLike] | None = None,
                   action_features: npt.ArrayLike | Mapping[str, npt.ArrayLike] | None = None,
                   reference: str | None = None, protocol: Protocol | None = None, name: str = "table") -> Table:
        """A table from arrays with one row per query.

        ``cost``, ``time``, ``success`` and ``eligible`` have one column per action, in the order of ``actions``; ``cluster`` and
        ``query`` one entry per row; ``choice`` holds indices or names of actions. ``features`` is ``[queries, features]``,
        ``action_features`` ``[queries, actions, features]``, or a mapping of group names to such arrays. Arrays in double
        precision (features: single precision) that lie row by row are read where they are: the only copy is the table.

        >>> import numpy as np, gonogo
        >>> cost = np.array([[10.0, 9.0], [12.0, 13.0], [8.0, 8.5], [11.0, 9.5]])
        >>> table = gonogo.Table.from_numpy(cost, [1, 1, 2, 2], actions=["direct", "slow"], features=np.eye(4, 3, dtype=np.float32))
        >>> table.features["features"].shape
        (4, 3)
        >>> gonogo.Table.from_numpy(cost, [1, 1, 2], actions=["direct", "slow"])
        Traceback (most recent call last):
            ...
        gonogo.InputError: table: cost has shape (4, 2), expected (3, 2): one row per entry of cluster, one column per action
        """
        wide = _wide.from_arrays(name, cost, cluster, actions, query=query, time=time, success=success, eligible=eligible, choice=choice,
                                 features=features, action_features=action_features)
        return cls._from_wide(wide, name, _made_with(protocol, None, reference), protocol is not None)

    @classmethod
    def from_log(cls, cost: npt.ArrayLike, action: npt.ArrayLike, cluster: npt.ArrayLike, *, actions: Sequence[str],
                 propensity: npt.ArrayLike | None = None, query: npt.ArrayLike | None = None, time: npt.ArrayLike | None = None,
                 success: npt.ArrayLike | None = None, eligible: npt.ArrayLike | None = None,
                 features: npt.ArrayLike | Mapping[str, npt.ArrayLike] | None = None, reference: str | None = None,
                 protocol: Protocol | None = None, name: str = "log") -> Table:
        """A log from arrays with one entry per query: one action was tried there, and its outcome seen.

        ``action`` holds indices into ``actions`` or names; ``propensity`` the probability with which that action was drawn. Without it
        the protocol has to declare constants (``logging.propensity``) or that they are estimated (``logging.estimate``).

        >>> import numpy as np, gonogo
        >>> gonogo.Table.from_log(cost=[10.0, 9.0, 8.0, 8.5], action=[0, 1, 0, 1], cluster=[1, 1, 2, 2], actions=["direct", "slow"],
        ...                       propensity=[0.5] * 4, features=np.eye(4, 3, dtype=np.float32))
        <gonogo.Table a log of 4 queries in 2 clusters, actions direct, slow, 3 features>
        """
        wide = _wide.from_log(name, cost, action, cluster, actions, propensity=propensity, query=query, time=time, success=success,
                              eligible=eligible, features=features)
        return cls._from_wide(wide, name, _made_with(protocol, None, reference), protocol is not None)

    @classmethod
    def from_csv(cls, path: str | os.PathLike[str], protocol: Protocol | None = None) -> Table:
        """A table from a CSV file, read by the rules of the command line. Without a protocol: ``audit.toml`` beside the file."""
        return cls._from_file(path, protocol)

    @classmethod
    def from_hdf5(cls, path: str | os.PathLike[str], protocol: Protocol | None = None) -> Table:
        """A table from an HDF5 file. Without a protocol: ``audit.toml`` beside the file, else the declaration in it."""
        return cls._from_file(path, protocol)

    @classmethod
    def _from_file(cls, path: str | os.PathLike[str], protocol: Protocol | None) -> Table:
        found = _native.Protocol.find(os.fspath(path)) if protocol is None else _made_with(protocol, None, None)._protocol
        return cls._of(_native.Table.from_file(os.fspath(path), Protocol()._protocol if found is None else found, found is not None))

    def to_hdf5(self, path: str | os.PathLike[str]) -> None:
        """Writes the table as HDF5, whole or not at all."""
        self._table.write(os.fspath(path))

    def to_pandas(self) -> pd.DataFrame:
        """One row per query and action, as :meth:`from_pandas` takes it; of a log one row per query."""
        import pandas as pd

        return pd.DataFrame(self._columns())

    def __arrow_c_stream__(self, requested_schema: object = None) -> Any:
        """The same rows for anything that speaks Arrow: ``polars.DataFrame(table)``, ``pyarrow.table(table)``."""
        return _arrow.stream(self._columns())

    def _columns(self) -> dict[str, Any]:
        if self.is_log:
            return self._log_columns()
        queries, actions = len(self), len(self.actions)
        each = np.repeat(np.arange(queries), actions)
        columns: dict[str, Any] = {"cluster": np.array(self.clusters)[self.cluster_of[each]], "query": np.array(self.queries)[each],
                                   "action": self.actions * queries, "cost": self.cost.ravel()}
        for role in ("time", "success", "eligible"):
            if getattr(self, role) is not None:
                columns[role] = getattr(self, role).ravel()
        if self.choice is not None:
            columns["choice"] = np.array(self.actions)[self.choice[each]]
        for names, values, levels in self._table.features.values():
            columns.update({name: named(values[each, j], levels[j] if levels else []) for j, name in enumerate(names)})
        for names, values, levels in self._table.action_features.values():
            columns.update({name: named(values[:, :, j].ravel(), levels[j] if levels else []) for j, name in enumerate(names)})
        return columns

    def _log_columns(self) -> dict[str, Any]:
        columns: dict[str, Any] = {"cluster": np.array(self.clusters)[self.cluster_of], "query": self.queries,
                                   "action": np.array(self.actions)[self.tried], "cost": self.cost}
        for role in ("time", "success", "eligible", "propensity"):
            if getattr(self, role) is not None:
                columns[role] = getattr(self, role)
        for names, values, levels in self._table.features.values():
            columns.update({name: named(values[:, j], levels[j] if levels else []) for j, name in enumerate(names)})
        return columns

    @property
    def protocol(self) -> Protocol:
        """What the table was read or made with; audits use it unless they are given another one."""
        return Protocol._of(self._table.made_with)

    @property
    def name(self) -> str:
        """How messages call the table: its file, or the name it was given."""
        return self._table.name

    @property
    def actions(self) -> list[str]:
        """The reference first."""
        return self._table.actions

    @property
    def clusters(self) -> list[str]:
        return self._table.clusters

    @property
    def queries(self) -> list[str]:
        return self._table.queries

    @property
    def cluster_of(self) -> npt.NDArray[np.int64]:
        """For every query the index of its cluster."""
        return self._table.cluster_of

    @property
    def cost(self) -> npt.NDArray[np.float64]:
        """One row per query, one column per action; so are time, success and eligible, which may be None. Of a log one entry per query."""
        return self._table.cost

    @property
    def time(self) -> npt.NDArray[np.float64] | None:
        return self._table.time

    @property
    def success(self) -> npt.NDArray[np.uint8] | None:
        return self._table.success

    @property
    def eligible(self) -> npt.NDArray[np.uint8] | None:
        return self._table.eligible

    @property
    def choice(self) -> npt.NDArray[np.uint32] | None:
        """For every query the index of the action an existing adapter chose; None when the table does not say."""
        return self._table.choice

    @property
    def is_log(self) -> bool:
        """Whether one action was tried at every query instead of all of them."""
        return self._table.tried is not None

    @property
    def tried(self) -> npt.NDArray[np.uint32] | None:
        """Of a log: for every query the index of the action that was tried there."""
        return self._table.tried

    @property
    def propensity(self) -> npt.NDArray[np.float64] | None:
        """Of a log: the probability with which that action was tried; None when the log does not say."""
        return self._table.propensity

    @property
    def features(self) -> dict[str, npt.NDArray[np.float32]]:
        """Group -> [queries, features]. What is missing is NaN; a category is the position of its level (:attr:`feature_levels`)."""
        return {group: values for group, (_, values, _) in self._table.features.items()}

    @property
    def action_features(self) -> dict[str, npt.NDArray[np.float32]]:
        """Group -> [queries, actions, features]."""
        return {group: values for group, (_, values, _) in self._table.action_features.items()}

    @property
    def feature_names(self) -> dict[str, list[str]]:
        """Group -> names of its columns, of both kinds of features."""
        groups = {**self._table.features, **self._table.action_features}
        return {group: list(names) for group, (names, _, _) in groups.items()}

    @property
    def feature_levels(self) -> dict[str, list[str]]:
        """Of every feature that is a category: its levels, in the order of its values."""
        groups = {**self._table.features, **self._table.action_features}
        return {name: own for names, _, levels in groups.values() for name, own in zip(names, levels) if own}

    @property
    def notes(self) -> list[str]:
        """Remarks of the reader: columns that are not used or never vary."""
        return self._table.notes

    def __len__(self) -> int:
        """Number of queries."""
        return len(self.queries)

    def __repr__(self) -> str:
        features = sum(len(names) for names in self.feature_names.values())
        actions = ", ".join(self.actions[:6]) + (", …" if len(self.actions) > 6 else "")
        of_a_log = "a log of " if self.is_log else ""
        return (f"<gonogo.Table {of_a_log}{len(self)} queries in {len(self.clusters)} clusters, actions {actions}, {features} "
                f"feature{'' if features == 1 else 's'}>")
