# SPDX-License-Identifier: Apache-2.0
"""An adapter that was exported chooses the same from Python."""
import numpy as np
import pandas as pd
import pytest

import gonogo
from gonogo import _arrow


@pytest.fixture
def exported(sides, run_gonogo, tmp_path):
    """An adapter of the table in which the sign of obs_side tells which action saves a tenth."""
    frame = sides.rename(columns={"seed": "cluster", "state": "query", "command": "action", "work_j": "cost"})
    frame.to_csv(tmp_path / "table.csv", index=False)
    run_gonogo("audit", tmp_path / "table.csv", "--learner", "ridge", "--set", "bootstrap.refits=20", "--out", tmp_path / "run",
               "--export", tmp_path / "adapter", "--export-anyway")
    return tmp_path / "adapter"


def test_it_chooses_by_the_side(exported):
    adapter = gonogo.Adapter.load(exported)
    assert adapter.actions == ["direct", "left", "right"]
    row = {name: 0.0 for name in adapter.features}
    assert adapter.choose({**row, "obs_side": 0.9}) == "left"
    assert adapter.choose({**row, "obs_side": -0.9}) == "right"
    many = pd.DataFrame([{**row, "obs_side": s} for s in (0.9, -0.9)])
    assert adapter.choose(many) == ["left", "right"]
    assert adapter.choose(many[adapter.features].to_numpy()) == ["left", "right"]
    assert adapter.choose([np.nan] * len(adapter.features)) == "direct"


def test_new_queries_may_be_any_frame_or_a_table(exported, sides):
    table = gonogo.Table.from_pandas(sides, cluster="seed", query="state", action="command", cost="work_j", features=["obs_*"])
    of_table = gonogo.choose(exported, table)
    assert len(of_table) == 160 and set(of_table) == {"left", "right"}
    adapter = gonogo.Adapter.load(exported)
    assert of_table == adapter.choose(np.concatenate(list(table.features.values()), axis=1))

    class Frame:  # speaks Arrow and nothing else
        def __arrow_c_stream__(self, requested_schema=None):
            return _arrow.stream({"obs_side": [0.9, -0.9], "obs_noise": [0.0, 0.0], "another": ["a", "b"]})

    assert gonogo.choose(adapter, Frame()) == ["left", "right"]
    with pytest.raises(gonogo.InputError, match="no column 'obs_noise'"):
        adapter.choose(table.to_pandas().drop(columns=["obs_noise"]))


def test_it_says_that_it_is_not_advised(exported):
    adapter = gonogo.Adapter.load(exported)
    assert not adapter.advised
    assert adapter.verdict.startswith("Descriptive only")
    assert adapter.manifest["verdict"]["text"] == adapter.verdict


def test_predictions_and_gate_give_the_choice(exported):
    adapter = gonogo.Adapter.load(exported)
    rows = np.random.default_rng(1).uniform(-1, 1, (50, len(adapter.features)))
    work = adapter.predict(rows)["work"].astype(float)
    assert work.shape == (50, adapter.manifest["model"]["members"], 2)
    upper = work.mean(1) + adapter.manifest["gate"]["z"] * work.std(1, ddof=adapter.manifest["gate"]["ddof"])
    expected = [adapter.actions[0 if row.min() >= 0 else 1 + row.argmin()] for row in upper]
    assert adapter.choose(rows) == expected


def test_wrong_features_and_changed_files_are_refused(exported):
    adapter = gonogo.Adapter.load(exported)
    with pytest.raises(gonogo.InputError, match="features has shape"):
        adapter.choose([1.0])
    with pytest.raises(gonogo.InputError, match="no column"):
        adapter.choose({"obs_side": 1.0, "something": 2.0})
    file = exported / "adapter.json"
    file.write_text(file.read_text().replace('"min_eligibility": 0.5', '"min_eligibility": 0.1'))
    with pytest.raises(gonogo.InputError, match="was changed after it was exported"):
        gonogo.Adapter.load(exported)


def test_without_a_go_an_audit_exports_only_on_demand(exported, sides, run_gonogo, tmp_path):
    declared = dict(learner="ridge", refits=20, progress=False)
    result = gonogo.audit(tmp_path / "table.csv", out=tmp_path / "again", export=tmp_path / "none", **declared)
    assert result.decision is None and result.adapter is None and not (tmp_path / "none").exists()
    result = gonogo.audit(tmp_path / "table.csv", out=tmp_path / "again", export=tmp_path / "mine", export_anyway=True, **declared)
    assert result.adapter is not None and not result.adapter.advised
    # The same bytes as the command line's: one function writes both.
    for name in ("adapter.onnx", "adapter.json", "README.md"):
        assert (tmp_path / "mine" / name).read_bytes() == (exported / name).read_bytes()
    with pytest.raises(gonogo.UsageError, match="export_anyway needs export"):
        gonogo.audit(tmp_path / "table.csv", export_anyway=True, **declared)


def test_after_a_go_the_adapter_is_there_and_advised(sides, tmp_path):
    protocol = gonogo.Protocol(name="sides", reference="direct", actions=["direct", "left", "right"], learner__kind="ridge",
                               bootstrap__refits=20)
    frame = sides.rename(columns={"seed": "cluster", "state": "query", "command": "action", "work_j": "cost"})
    frame.assign(declaration_sha256=protocol.fingerprint).to_csv(tmp_path / "table.csv", index=False)
    result = gonogo.audit(tmp_path / "table.csv", protocol, out=tmp_path / "run", export=tmp_path / "adapter", progress=False)
    assert result.decision == "GO", result.reasons
    assert result.adapter.advised
    assert result.adapter.choose({**{name: 0.0 for name in result.adapter.features}, "obs_side": 0.9}) == "left"
