# SPDX-License-Identifier: Apache-2.0
"""Features that are more than numbers: missing, true or false, categories, dates; the same as the command line reads them."""
import math

import numpy as np
import pandas as pd
import pytest

import gonogo


def frame(queries=48):
    """Two actions; b is cheaper in the north, a in the south."""
    rows = []
    for q in range(queries):
        north = q % 3 != 0
        for action in ("a", "b"):
            cost = 10.0 + 0.01 * (q % 7) if action == "a" else (5.0 if north else 16.0) + 0.02 * (q % 5)
            rows.append({"cluster": f"c{q // 2}", "query": f"q{q}", "action": action, "cost": cost, "f_site": "north" if north else "south",
                         "f_load": None if q == 5 else float(q % 4), "f_urgent": q % 2 == 0, "f_when": pd.Timestamp("2000-01-03") + pd.Timedelta(hours=6 * q),
                         "f_text": f"request {q}"})
    return pd.DataFrame(rows)


def test_a_frame_gives_the_table_that_its_csv_gives(tmp_path):
    df = frame().drop(columns="f_when")
    file = tmp_path / "table.csv"
    df.to_csv(file, index=False)
    here, there = gonogo.Table.from_pandas(df), gonogo.Table.from_csv(file)
    assert here.feature_names == there.feature_names == {"features": ["f_site", "f_load", "f_urgent"]}
    assert here.feature_levels == there.feature_levels == {"f_site": ["north", "south"]}
    np.testing.assert_array_equal(here.features["features"], there.features["features"])
    assert any("'f_text' holds texts" in note for note in here.notes)


def test_dates_become_numbers_where_they_are_asked_for(tmp_path):
    df = frame()
    assert "f_when" not in str(gonogo.Table.from_pandas(df).feature_names)
    protocol = gonogo.Protocol.from_dict({"table": {"dates": ["f_when"]}})
    table = gonogo.Table.from_pandas(df, protocol=protocol)
    names = table.feature_names["features"]
    assert names[3:] == ["f_when.days", "f_when.weekday", "f_when.hour"]
    row = table.queries.index("q5")
    np.testing.assert_allclose(table.features["features"][row, 3:], [3.25, 2, 6], rtol=0, atol=1e-6)
    file = tmp_path / "table.csv"
    df.assign(f_when=df["f_when"].dt.strftime("%Y-%m-%dT%H:%M")).to_csv(file, index=False)
    np.testing.assert_array_equal(gonogo.Table.from_csv(file, protocol).features["features"], table.features["features"])


def test_text_among_numbers_is_refused_unless_it_is_declared():
    df = frame()
    df["f_load"] = ["x" if q == 8 else 1.0 for q in range(len(df))]
    with pytest.raises(gonogo.InputError, match="row 8 is text and row 0 a number.*table.categories"):
        gonogo.Table.from_pandas(df)


def test_to_pandas_has_the_texts_again():
    again = gonogo.Table.from_pandas(frame()).to_pandas()
    assert set(again["f_site"]) == {"north", "south"}
    assert again["f_load"].isna().sum() == 2


def test_an_exported_adapter_takes_texts_and_what_is_missing(tmp_path):
    table = gonogo.Table.from_pandas(frame())
    result = gonogo.audit(table, learner="ridge", refits=20, export=tmp_path / "adapter", export_anyway=True, out=tmp_path / "run")
    assert result is not None
    adapter = gonogo.Adapter.load(tmp_path / "adapter")
    assert adapter.choose({"f_site": "north", "f_load": None, "f_urgent": True}) == "b"
    assert adapter.choose({"f_site": "south", "f_load": math.nan, "f_urgent": False}) == "a"
    rows = pd.DataFrame({"f_site": ["north", "south", "west"], "f_load": [1.0, 2.0, np.nan], "f_urgent": [True, False, True]})
    assert adapter.choose(rows)[:2] == ["b", "a"]
    assert adapter.choose([[0.0, 1.0, 1.0], [1.0, math.nan, 0.0]]) == ["b", "a"]
    assert adapter.choose([0.0, 1.0, math.nan]) == "a"  # the table never missed whether it was urgent
