# SPDX-License-Identifier: Apache-2.0
"""Whatever Python hands over becomes a table or an exception of ours, never anything else.

GONOGO_HYPOTHESIS_CASES sets the number of generated cases (`make test-python`: 10,000)."""
import os

import numpy as np
import pandas as pd
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import gonogo

CASES = int(os.environ.get("GONOGO_HYPOTHESIS_CASES", "60"))
quick = settings(max_examples=CASES, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))

odd_values = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 3), st.integers(), st.floats(), st.text(max_size=3), st.binary(max_size=3),
    st.complex_numbers(), st.just(pd.NA), st.just(pd.Timestamp(0)), st.lists(st.integers(), max_size=2), st.just(np.datetime64("NaT")))
dtypes = st.sampled_from([None, object, float, int, np.float32, np.uint8, bool, str, complex, "datetime64[s]", "S2"])


def array_of(values, dtype):
    """As NumPy would make it; what NumPy refuses is handed over as the list it is."""
    try:
        with np.errstate(all="ignore"):
            return np.array(values, dtype=dtype)
    except (TypeError, ValueError, OverflowError, Warning):
        return values


odd_columns = st.one_of(st.builds(array_of, st.lists(odd_values, max_size=9), dtypes), odd_values)
good_long = {"cluster": [0, 0, 0, 0, 1, 1, 1, 1], "query": [0, 0, 1, 1, 2, 2, 3, 3], "action": ["direct", "slow"] * 4,
             "cost": [1.0, 0.9, 1.0, 1.1, 2.0, 1.9, 2.0, 2.1], "time": [1.0] * 8, "success": [1] * 8, "choice": [1, 0] * 4,
             "f_x": [0, 0, 1, 1, 2, 2, 3, 3]}


def is_sound(table):
    return (table.cost.shape == (len(table), len(table.actions)) and np.isfinite(table.cost).all() and (table.cost >= 0).all()
            and (table.cost[:, 0] > 0).all() and len(table.clusters) >= 2
            and all(not np.isinf(values).any() for values in table.features.values()))


@quick
@given(st.dictionaries(st.sampled_from([*good_long, "g_p"]), odd_columns, min_size=1, max_size=3))
def test_a_mapping_is_a_table_or_refused(changes):
    try:
        table = gonogo.Table.from_dict({**good_long, **changes}, action_features={"g": "g_*"} if "g_p" in changes else None)
    except gonogo.Error as error:
        assert str(error)
    else:
        assert is_sound(table)


@quick
@given(st.dictionaries(st.sampled_from([*good_long]), st.builds(array_of, st.lists(odd_values, min_size=8, max_size=8), dtypes), min_size=1,
                       max_size=2), st.lists(st.sampled_from([*good_long]), max_size=2))
def test_a_frame_is_a_table_or_refused(changes, dropped):
    columns = {**good_long, **{name: list(values) for name, values in changes.items()}}
    frame = pd.DataFrame({name: pd.Series(values, dtype=object) if name in changes else values for name, values in columns.items()})
    try:
        table = gonogo.Table.from_pandas(frame.drop(columns=dropped))
    except gonogo.Error as error:
        assert str(error)
    else:
        assert is_sound(table)


shapes = st.lists(st.integers(0, 5), max_size=3)
shaped = st.builds(lambda shape, value, dtype: array_of(np.full(shape, value), dtype), shapes,
                   st.sampled_from([0.0, 1.0, 0.5, -1.0, np.nan, np.inf, 1e300]), st.sampled_from([float, np.float32, int, bool, object, str]))


@quick
@given(st.fixed_dictionaries({}, optional={name: st.one_of(shaped, odd_columns) for name in (
    "cost", "cluster", "query", "time", "success", "eligible", "choice", "features", "action_features", "actions")}))
def test_arrays_are_a_table_or_refused(changes):
    given_arrays = {"cost": np.ones((4, 2)), "cluster": [0, 0, 1, 1], "actions": ["direct", "slow"], **changes}
    try:
        table = gonogo.Table.from_numpy(**given_arrays)
    except gonogo.Error as error:
        assert str(error)
    else:
        assert is_sound(table)


values = st.recursive(odd_values, lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3)),
                      max_leaves=5)
known = [row["key"] for row in gonogo.protocol_keys()]


@quick
@given(st.dictionaries(st.one_of(st.sampled_from(known), st.text(max_size=6)), values, max_size=3))
def test_a_mapping_is_a_protocol_or_refused(changes):
    nested = {}
    for key, value in changes.items():
        *path, last = key.split(".")
        inner = nested
        for part in path:
            inner = inner.setdefault(part, {}) if isinstance(inner.get(part, {}), dict) else {}
        inner[last] = value
    try:
        protocol = gonogo.Protocol.from_dict(nested)
    except gonogo.Error as error:
        assert str(error)
    else:
        assert gonogo.Protocol.from_toml(protocol.text) == protocol


@quick
@given(st.permutations(range(8)))
def test_the_order_of_rows_means_nothing(order):
    shuffled = {name: [column[i] for i in order] for name, column in good_long.items()}
    first, second = gonogo.Table.from_dict(good_long), gonogo.Table.from_dict(shuffled, actions=["direct", "slow"])
    assert first._table.cluster_hashes == second._table.cluster_hashes
