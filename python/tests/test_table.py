# SPDX-License-Identifier: Apache-2.0
"""Every way to a table leads to the same one, and every mistake is told with argument, row and expectation."""
import gc

import numpy as np
import pandas as pd
import pytest

import gonogo

LONG = {"cluster": ["c2", "c2", "c10", "c10"], "query": ["b", "b", "a", "a"], "action": ["slow", "direct", "slow", "direct"],
        "cost": [9.0, 10.0, 8.5, 8.0], "f_x": [0.1, 0.1, 0.4, 0.4]}


def test_a_frame_a_mapping_and_arrays_give_the_same_table():
    frame = gonogo.Table.from_pandas(pd.DataFrame(LONG))
    mapping = gonogo.Table.from_dict(LONG)
    arrays = gonogo.Table.from_numpy([[8.5, 8.0], [9.0, 10.0]], ["c10", "c2"], actions=["slow", "direct"], query=["a", "b"],
                                     features={"features": pd.DataFrame({"f_x": [0.4, 0.1]})})
    for table in (frame, mapping, arrays):
        assert table.actions == ["direct", "slow"]  # the reference first
        assert table.clusters == ["c2", "c10"]  # as people count
        np.testing.assert_array_equal(table.cost, [[10.0, 9.0], [8.0, 8.5]])
        np.testing.assert_array_equal(table.features["features"], np.array([[0.1], [0.4]], dtype=np.float32))
        assert table.feature_names == {"features": ["f_x"]}
    assert frame._table.cluster_hashes == mapping._table.cluster_hashes == arrays._table.cluster_hashes


def test_a_frame_is_the_table_its_csv_file_is(source):
    file = gonogo.Table.from_csv(source / "examples/sorting/table.csv")
    frame = gonogo.Table.from_pandas(pd.read_csv(source / "examples/sorting/table.csv"), protocol=file.protocol)
    assert frame._table.cluster_hashes == file._table.cluster_hashes
    assert frame._table.declaration_sha256 == file._table.declaration_sha256
    assert (frame.actions, frame.queries, frame.notes) == (file.actions, file.queries, file.notes)


def test_a_table_written_as_hdf5_reads_back(side_table, tmp_path):
    side_table.to_hdf5(tmp_path / "table.h5")
    again = gonogo.Table.from_hdf5(tmp_path / "table.h5")
    assert again._table.cluster_hashes == side_table._table.cluster_hashes


def test_a_table_goes_to_pandas_and_back(side_table):
    again = gonogo.Table.from_pandas(side_table.to_pandas())
    assert again._table.cluster_hashes == side_table._table.cluster_hashes


def test_arrays_of_a_table_are_views_that_keep_it_alive(side_table):
    cost = side_table.cost
    assert not cost.flags.owndata and not cost.flags.writeable
    total = cost.sum()
    table = gonogo.Table.from_dict(LONG)
    view = table.cost
    del table
    gc.collect()
    assert view.sum() == 35.5 and cost.sum() == total


def test_arrays_that_lie_right_are_not_copied_on_the_way():
    cost = np.ones((4, 2))
    features = np.zeros((4, 3), dtype=np.float32)
    from gonogo import _arrays
    assert _arrays.as_numbers("cost", cost) is cost or np.shares_memory(_arrays.as_numbers("cost", cost), cost)
    assert np.shares_memory(_arrays.as_features("features", features), features)


def test_strided_arrays_and_other_number_types_are_read_by_value():
    wide = np.arange(1, 17, dtype=np.int16).reshape(4, 4)
    table = gonogo.Table.from_numpy(wide[:, ::2], [1, 1, 2, 2], actions=["direct", "slow"])
    np.testing.assert_array_equal(table.cost, [[1, 3], [5, 7], [9, 11], [13, 15]])


def test_choices_may_be_marks_names_or_indices():
    marks = gonogo.Table.from_dict({**LONG, "choice": [1, 0, 0, 1]})
    names = gonogo.Table.from_dict({**LONG, "choice": ["slow", "slow", "direct", "direct"]})
    indices = gonogo.Table.from_numpy([[8.5, 8.0], [9.0, 10.0]], ["c10", "c2"], actions=["slow", "direct"], query=["a", "b"], choice=[1, 0])
    for table in (marks, names, indices):
        assert [table.actions[i] for i in table.choice] == ["slow", "direct"]


def test_a_reference_that_was_asked_for_comes_first():
    assert gonogo.Table.from_dict(LONG, reference="slow").actions == ["slow", "direct"]


def test_features_that_belong_to_actions_may_differ_within_a_query():
    table = gonogo.Table.from_dict({**LONG, "g_p": [1.0, 2.0, 3.0, 4.0]}, action_features={"guess": "g_*"})
    np.testing.assert_array_equal(table.action_features["guess"][:, :, 0], [[2, 1], [4, 3]])


def broken(**changes):
    return {**LONG, **changes}


@pytest.mark.parametrize("columns, message", [
    (broken(cost=[9.0, float("nan"), 8.5, 8.0]), r"cost \(column 'cost'\): row 1 is nan, expected a finite number, 0 or more"),
    (broken(cost=[9.0, -1.0, 8.5, 8.0]), r"row 1 is -1.0, expected a finite number, 0 or more"),
    (broken(cost=["9", "10", "8", "8"]), r"cost \(column 'cost'\) has dtype <U2, expected numbers"),
    (broken(cost=np.array([9.0, None, 8.5, 8.0], dtype=object)), r"row 1 is None \(NoneType\), expected a number"),
    (broken(cost=[9.0, 0.0, 8.5, 8.0]), r"query 'b', action 'direct'\) is 0, expected more than 0"),
    (broken(cost=[9.0, 10.0, 8.5]), r"cost \(column 'cost'\) has shape \(3,\), expected \(4,\): one value per row"),
    (broken(cost=[[9.0], [10.0], [8.5], [8.0]]), r"has shape \(4, 1\)"),
    (broken(cost=[9 + 1j] * 4), r"dtype complex128, expected numbers"),
    (broken(cluster=[1.0, 1.0, 2.0, 2.0]), r"cluster \(column 'cluster'\) has dtype float64, expected text or whole numbers"),
    (broken(cluster=np.array(["a", "a", None, "b"], dtype=object)), r"row 2 is None \(NoneType\), expected text or a whole number"),
    (broken(cluster=["c", "d", "c", "d"]), r"query 'b' has 'd' on row 1 and 'c' on row 0, expected one value per query"),
    (broken(action=["slow", "direct", "slow", "slow"]), r"query 'a' and action 'slow' are on row 2 and again on row 3"),
    (broken(query=["b", "b", "a", "c"]), r"query 'b' has no row for action|query 'a' has no row for action 'direct'"),
    (broken(f_x=[0.1, 0.2, 0.4, 0.4]), r"query 'b' has 0.2\d* on row 1 and 0.1\d* on row 0, expected one value per query"),
    (broken(f_x=[0.1, 0.1, np.inf, np.inf]), r"row 2 is inf, expected a finite number"),
    (broken(f_x=["a", "b", "a", "a"]), r"query 'b' has b on row 1 and a on row 0, expected one value per query"),
    (broken(f_x=np.array(["a", "a", 3, 3], dtype=object)), r"row 0 is text and row 2 a number, expected one of them"),
    (broken(f_x=["\ud800"] * 4), r"expected text that UTF-8 can hold"),
    (broken(success=[1, 1, 2, 1]), r"success \(column 'success'\): row 2 is 2, expected 0 or 1"),
    (broken(eligible=[1, 0, 1, 1]), r"expected 1: the reference action is eligible by definition"),
    (broken(choice=[1, 1, 0, 1]), r"query 'b' has 2 marked rows"),
    (broken(choice=["slow", "slow", "fast", "fast"]), r"query 'a' has 'fast', expected one of the actions"),
    (broken(query=["", "", "a", "a"]), r"expected a name"),
    (broken(query=["\x01", "\x01", "a", "a"]), r"expected UTF-8 text without control characters"),
    (broken(query=["\ud800", "\ud800", "a", "a"]), r"expected text that UTF-8 can hold"),
    ({name: LONG[name] for name in LONG if name != "cost"}, r"no column 'cost', expected the cost there; the columns are 'cluster'"),
    ({name: [] for name in LONG}, r"there are no rows"),
])
def test_a_wrong_column_is_told_with_argument_row_and_expectation(columns, message):
    with pytest.raises(gonogo.InputError, match=message):
        gonogo.Table.from_dict(columns)


@pytest.mark.parametrize("arguments, message", [
    ({"cost": [[1, 2], [3]]}, r"cost is no array"),
    ({"cost": None}, r"cost is None, expected an array"),
    ({"cost": 3.0}, r"cost is 3.0, expected an array"),
    ({"cost": np.ones((4, 3))}, r"cost has shape \(4, 3\), expected \(4, 2\)"),
    ({"cost": np.full((4, 2), np.nan)}, r"cost\[0,0\] \(query '0', action 'direct'\) is nan"),
    ({"time": np.ones((2, 2))}, r"time has shape \(2, 2\), expected \(4, 2\)"),
    ({"success": np.full((4, 2), 0.5)}, r"success: \[0,0\] is 0.5, expected 0 or 1"),
    ({"features": np.ones(4)}, r"features 'features' has shape \(4,\), expected \(4, any\)"),
    ({"features": np.ones((4, 0))}, r"has no columns"),
    ({"features": {"obs": np.full((4, 1), np.inf)}}, r"features 'obs' row 0, column 0 is inf, expected a finite number"),
    ({"features": {"obs": np.full((4, 1), 1e300)}}, r"features 'obs': \[0,0\] is 1e\+300, expected a number below 3.4e38"),
    ({"action_features": np.ones((4, 3, 1))}, r"action_features.*expected \(4, 2, any\)"),
    ({"choice": [0, 1, 2, 0]}, r"choice: row 2 is 2, expected the index of an action, 0 to 1"),
    ({"choice": ["direct", "no", "slow", "slow"]}, r"choice: row 1 is 'no', expected one of the actions"),
    ({"actions": ["direct"]}, r"expected \(4, 1\)"),
    ({"actions": ["a", "a"]}, r"actions.*'a'"),
    ({"query": ["x", "x", "y", "z"]}, r"query.*'x'"),
    ({"reference": "fast"}, r"the reference action 'fast' does not occur"),
    ({"cluster": [1, 1, 1, 1]}, r"found 1 cluster\(s\), expected at least two"),
])
def test_a_wrong_array_is_told_with_argument_row_and_expectation(arguments, message):
    given = {"cost": np.ones((4, 2)), "cluster": [1, 1, 2, 2], "actions": ["direct", "slow"], **arguments}
    with pytest.raises(gonogo.Error, match=message):
        gonogo.Table.from_numpy(**given)


def test_two_columns_of_one_name_are_refused():
    frame = pd.DataFrame([[1, 1]], columns=["cost", "cost"])
    with pytest.raises(gonogo.InputError, match="two columns are called 'cost'"):
        gonogo.Table.from_pandas(frame)


def test_what_is_no_frame_is_refused():
    with pytest.raises(gonogo.UsageError, match="df is dict, expected a pandas.DataFrame"):
        gonogo.Table.from_pandas({})


def test_pandas_own_types_are_read():
    frame = pd.DataFrame(LONG).astype({"cluster": "category", "cost": "Float64", "query": "string"})
    assert gonogo.Table.from_pandas(frame)._table.cluster_hashes == gonogo.Table.from_dict(LONG)._table.cluster_hashes


def test_a_missing_value_of_pandas_is_told_with_its_row():
    frame = pd.DataFrame(LONG).astype({"cost": "Float64"})
    frame.loc[2, "cost"] = pd.NA
    # pandas 2.2 hands it out as a number that is none.
    with pytest.raises(gonogo.InputError, match=r"row 2 is (<NA> \(NAType\), expected a number|nan, expected a finite number)"):
        gonogo.Table.from_pandas(frame)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(gonogo.IoError, match="nowhere.csv"):
        gonogo.Table.from_csv(tmp_path / "nowhere.csv")
