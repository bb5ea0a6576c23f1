# SPDX-License-Identifier: Apache-2.0
"""Logs, in which one action was tried at every query: the same from a frame, arrays, CSV and HDF5, and the same verdict."""
import json

import numpy as np
import pandas as pd
import pytest

import gonogo

ACTIONS = ["direct", "fast"]
PROTOCOL = {"protocol": {"name": "log", "reference": "direct", "actions": ACTIONS, "constraint": "none"},
            "learner": {"kind": "ridge"}, "bootstrap": {"refits": 60}}


def log_frame(clusters=12, queries=20):
    """fast is cheaper where x is above 0; which one is tried is drawn with even chances."""
    draw = np.random.default_rng(7)
    rows = clusters * queries
    x = draw.normal(size=rows)
    tried = draw.integers(0, 2, size=rows)
    cost = 10.0 - 2.0 * tried * x + 0.2 * draw.normal(size=rows)
    return pd.DataFrame({"cluster": np.repeat(np.arange(clusters), queries), "query": [f"q{i:04}" for i in range(rows)],
                         "action": np.array(ACTIONS)[tried], "cost": cost, "propensity": 0.5, "f_x": x})


@pytest.fixture(scope="module")
def protocol():
    return gonogo.Protocol.from_dict(PROTOCOL)


def test_a_frame_with_one_row_per_query_is_a_log(protocol):
    frame = log_frame()
    table = gonogo.Table.from_pandas(frame, protocol=protocol)
    assert table.is_log and table.cost.shape == (240,) and table.time is None
    assert repr(table) == "<gonogo.Table a log of 240 queries in 12 clusters, actions direct, fast, 1 feature>"
    np.testing.assert_array_equal(table.cost, frame["cost"])
    np.testing.assert_array_equal(np.array(table.actions)[table.tried], frame["action"])
    np.testing.assert_array_equal(table.propensity, 0.5)


def test_a_table_of_all_actions_is_no_log():
    table = gonogo.Table.from_numpy([[8.5, 8.0], [9.0, 10.0]], ["a", "b"], actions=["slow", "direct"])
    assert not table.is_log and table.tried is None and table.propensity is None


def test_every_way_to_a_log_leads_to_the_same_one(protocol, tmp_path):
    frame = log_frame()
    frame.to_csv(tmp_path / "log.csv", index=False)
    table = gonogo.Table.from_pandas(frame, protocol=protocol)
    table.to_hdf5(tmp_path / "log.h5")
    arrays = gonogo.Table.from_log(frame["cost"], frame["action"], frame["cluster"], actions=ACTIONS, propensity=frame["propensity"],
                                   query=frame["query"], features={"features": frame[["f_x"]]}, protocol=protocol)
    others = [arrays, gonogo.Table.from_csv(tmp_path / "log.csv", protocol), gonogo.Table.from_hdf5(tmp_path / "log.h5", protocol),
              gonogo.Table.from_pandas(table.to_pandas(), protocol=protocol)]
    for other in others:
        assert other.is_log
        np.testing.assert_array_equal(other.cost, table.cost)
        np.testing.assert_array_equal(other.tried, table.tried)
        np.testing.assert_array_equal(other.propensity, table.propensity)
        assert other._table.cluster_hashes == table._table.cluster_hashes


def test_a_log_is_audited_and_says_so(protocol, tmp_path):
    frame = log_frame()
    frame.to_csv(tmp_path / "log.csv", index=False)
    of_frame = gonogo.audit(gonogo.Table.from_pandas(frame, protocol=protocol), out=tmp_path / "frame")
    of_file = gonogo.audit(gonogo.Table.from_csv(tmp_path / "log.csv", protocol), out=tmp_path / "file")
    results = [json.loads((tmp_path / folder / "result.json").read_text()) for folder in ("frame", "file")]
    assert results[0]["log"] == results[1]["log"]
    assert of_frame.decision == of_file.decision
    # A gain of E max(0, 2x) = 0.8 of 10 is there for the taking.
    deployment = of_frame.channels.iloc[0]
    assert deployment["lower"] > 0.04 and deployment["upper"] < 0.12
    pd.testing.assert_frame_equal(of_frame.channels, of_file.channels)


@pytest.mark.parametrize(("change", "message"), [
    ({"propensity": [0.5, 1.5, 0.5, 0.5]}, r"log: propensity: row 1 is 1.5, expected a probability, above 0 and at most 1"),
    ({"propensity": [0.5, 0.5]}, r"log: propensity has shape \(2,\), expected \(4,\)"),
    ({"action": [0, 2, 0, 1]}, r"log: action: row 1 is 2, expected the index of an action, 0 to 1"),
    ({"action": ["direct", "quick", "direct", "fast"]}, r"log: action: row 1 is 'quick', expected one of the actions"),
    ({"cost": [[1.0, 2.0]] * 4}, r"log: cost has shape \(4, 2\), expected \(4,\)"),
    ({"cost": [1.0, -2.0, 1.0, 1.0]}, r"cost"),
])
def test_mistakes_in_a_log_are_named(change, message):
    arguments = {"cost": [1.0, 2.0, 3.0, 4.0], "action": [0, 1, 0, 1], "cluster": [1, 1, 2, 2], "propensity": [0.5] * 4, **change}
    with pytest.raises(gonogo.InputError, match=message):
        gonogo.Table.from_log(**arguments, actions=ACTIONS)


def test_a_propensity_asked_for_in_a_table_of_all_actions_is_refused():
    columns = {"cluster": [1, 1, 2, 2], "query": ["a", "a", "b", "b"], "action": ["direct", "fast"] * 2, "cost": [1.0] * 4, "p": [0.5] * 4}
    with pytest.raises(gonogo.InputError, match="expected a log, with one row for each query"):
        gonogo.Table.from_dict(columns, propensity="p")


def test_a_log_without_propensities_is_refused_when_it_is_audited(protocol, tmp_path):
    table = gonogo.Table.from_pandas(log_frame().drop(columns="propensity"), protocol=protocol)
    assert table.is_log and table.propensity is None
    with pytest.raises(gonogo.InputError, match="probability"):
        gonogo.audit(table, out=tmp_path / "run")
