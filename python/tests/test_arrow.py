# SPDX-License-Identifier: Apache-2.0
"""Tables from and for anything that speaks Arrow, tried with the real libraries where they are installed."""
import datetime
import gc

import numpy as np
import pytest

import gonogo
from gonogo import _arrow
from gonogo._result import Rows

COLUMNS = {
    "cluster": ["north"] * 4 + ["a site with a long name"] * 4,
    "query": ["a", "a", "b", "b", "c", "c", "d", "d"],
    "action": ["direct", "slow"] * 4,
    "cost": [10.0, 9.0, 12.0, 13.0, 8.0, 8.5, 11.0, 9.5],
    "success": [True, True, True, False, True, True, True, True],
    "f_x": [0.1, 0.1, 0.7, 0.7, 0.4, 0.4, 0.2, 0.2],
}


def frames():
    """Of every library that is here: name -> function that makes a frame of columns."""
    made = {}
    try:
        import polars
        made["polars"] = polars.DataFrame
        made["polars-categories"] = lambda columns: polars.DataFrame(columns).with_columns(
            polars.col(polars.String).cast(polars.Categorical))
    except ImportError:
        pass
    try:
        import pyarrow
        made["pyarrow"] = pyarrow.table
        made["pyarrow-in-pieces"] = lambda columns: pyarrow.concat_tables(
            [pyarrow.table(columns).slice(0, 3), pyarrow.table(columns).slice(3)])
        import pandas
        if hasattr(pandas.DataFrame, "__arrow_c_stream__"):
            made["pandas"] = pandas.DataFrame
    except ImportError:
        pass
    try:
        import duckdb
        import pyarrow as pa
        made["duckdb"] = lambda columns: duckdb.from_arrow(pa.table(columns))
    except ImportError:
        pass
    return made


class Frame:
    """Speaks Arrow through our own writer, so that the reader is tested where no library is installed."""

    def __init__(self, columns):
        self.columns = columns

    def __arrow_c_stream__(self, requested_schema=None):
        return _arrow.stream(self.columns)


MAKERS = {"own": Frame, **frames()}


@pytest.fixture(params=list(MAKERS))
def make(request):
    return MAKERS[request.param]


def test_a_frame_is_read_like_a_dictionary_of_columns(make):
    of_frame = gonogo.Table.from_arrow(make(COLUMNS))
    of_columns = gonogo.Table.from_dict(COLUMNS)
    assert of_frame.actions == of_columns.actions
    assert of_frame.clusters == of_columns.clusters
    assert of_frame.queries == of_columns.queries
    np.testing.assert_array_equal(of_frame.cost, of_columns.cost)
    np.testing.assert_array_equal(of_frame.success, of_columns.success)
    np.testing.assert_array_equal(of_frame.features["features"], of_columns.features["features"])


def test_a_table_is_a_frame_again(make):
    table = gonogo.Table.from_arrow(make(COLUMNS))
    again = gonogo.Table.from_arrow(table)
    np.testing.assert_array_equal(again.cost, table.cost)
    assert again.clusters == table.clusters


def test_a_missing_cost_is_refused_with_its_row(make):
    columns = {**COLUMNS, "cost": [10.0, 9.0, None, 13.0, 8.0, 8.5, 11.0, 9.5]}
    with pytest.raises(gonogo.InputError, match="row 2 is nan, expected a finite number"):
        gonogo.Table.from_arrow(make(columns))


def test_an_empty_frame_is_refused(make):
    with pytest.raises(gonogo.InputError, match="has no rows"):
        gonogo.Table.from_arrow(make({name: values[:0] for name, values in COLUMNS.items()}))


def test_rows_of_a_result_keep_numbers_texts_and_what_is_missing():
    rows = Rows([{"name": "H_dep", "point": 0.5, "rule": None}, {"name": "q", "point": None}])
    columns, count = _arrow.columns(rows, "rows")
    assert count == 2
    assert columns["name"].tolist() == ["H_dep", "q"]
    assert columns["point"][0] == 0.5 and np.isnan(columns["point"][1])
    assert columns["rule"].tolist() == [None, None]


def test_what_speaks_no_arrow_is_refused():
    with pytest.raises(gonogo.UsageError, match="expected a frame that speaks Arrow"):
        gonogo.Table.from_arrow([1, 2, 3])


def test_numbers_are_read_where_they_lie():
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table({"x": np.arange(5.0)})
    columns, _ = _arrow.columns(table, "table")
    assert columns["x"].__array_interface__["data"][0] == table["x"].chunk(0).buffers()[1].address
    del table
    gc.collect()
    assert columns["x"].tolist() == [0.0, 1.0, 2.0, 3.0, 4.0]


def test_dates_are_texts_and_lists_are_refused():
    pyarrow = pytest.importorskip("pyarrow")
    columns, _ = _arrow.columns(pyarrow.table({"day": [datetime.date(2026, 11, 18)]}), "table")
    assert columns["day"].tolist() == ["2026-11-18"]
    with pytest.raises(gonogo.InputError, match=r"column 'l' has the Arrow format '\+l'"):
        _arrow.columns(pyarrow.table({"l": [[1, 2]]}), "table")


def test_parquet_and_feather(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import feather, parquet
    parquet.write_table(pyarrow.table(COLUMNS), tmp_path / "t.parquet")
    feather.write_feather(pyarrow.table(COLUMNS), tmp_path / "t.feather")
    wanted = gonogo.Table.from_dict(COLUMNS)
    for file in ("t.parquet", "t.feather"):
        np.testing.assert_array_equal(gonogo.Table.from_parquet(tmp_path / file).cost, wanted.cost)
    (tmp_path / "t.csv").write_text("a,b\n")
    with pytest.raises(gonogo.InputError, match="expected a Parquet file"):
        gonogo.Table.from_parquet(tmp_path / "t.csv")
