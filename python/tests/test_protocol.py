# SPDX-License-Identifier: Apache-2.0
"""A protocol is the same however it is written down."""
import pickle

import numpy as np
import pytest

import gonogo

TEXT = """
[protocol]
name = "sorting"
reference = "merge"
actions = ["merge", "insertion"]
kappa = 0.02
[table]
features = { probes = "f_*" }
[learner]
kind = "ridge"
features = ["probes"]
ridge = { penalties = [0.1, 1.0] }
[bootstrap]
refits = 50
"""
VALUES = {"protocol": {"name": "sorting", "reference": "merge", "actions": ["merge", "insertion"], "kappa": 0.02},
          "table": {"features": {"probes": "f_*"}},
          "learner": {"kind": "ridge", "features": ["probes"], "ridge": {"penalties": [0.1, 1.0]}},
          "bootstrap": {"refits": 50}}


def test_text_mapping_and_keywords_have_one_fingerprint():
    by_text = gonogo.Protocol.from_toml(TEXT)
    by_mapping = gonogo.Protocol.from_dict(VALUES)
    by_keywords = gonogo.Protocol(name="sorting", reference="merge", actions=["merge", "insertion"], kappa=0.02,
                                  table={"features": {"probes": "f_*"}}, learner__kind="ridge", learner__features=["probes"],
                                  learner__ridge__penalties=[0.1, 1.0], bootstrap={"refits": 50})
    assert by_text == by_mapping == by_keywords
    assert by_text.fingerprint == by_mapping.fingerprint == by_keywords.fingerprint


def test_the_fingerprint_is_that_of_the_command_line(source, run_gonogo, tmp_path):
    file = source / "examples/sorting/audit.toml"
    run_gonogo("declare", file, "--out", tmp_path / "declared.toml")
    assert gonogo.Protocol.from_toml(tmp_path / "declared.toml") == gonogo.Protocol.from_toml(file)
    assert gonogo.Protocol.from_toml(file).fingerprint == (source / "examples/sorting/table.csv").read_text().splitlines()[1].split(",")[5]


def test_a_robots_protocol_keeps_how_its_outcomes_are_made(source):
    protocol = gonogo.Protocol.from_toml(source / "robots/go2/audit.toml")
    assert protocol["collect.controller"] == "direct"
    assert gonogo.Protocol.from_dict(protocol.to_dict()) == protocol


def test_numpy_values_are_values():
    assert gonogo.Protocol(kappa=np.float64(0.02), bootstrap={"refits": np.int32(50)}) == gonogo.Protocol(kappa=0.02, bootstrap__refits=50)


def test_a_protocol_survives_pickling_copying_and_saving(tmp_path):
    protocol = gonogo.Protocol.from_dict(VALUES)
    protocol.save(tmp_path / "audit.toml")
    assert pickle.loads(pickle.dumps(protocol)) == protocol == gonogo.Protocol.from_toml(tmp_path / "audit.toml")
    assert len({protocol, gonogo.Protocol.from_dict(VALUES)}) == 1


def test_what_was_overridden_is_named():
    declared = gonogo.Protocol()
    assert declared.differences(declared.override("protocol.kappa", 0.1)) == ["protocol.kappa: declared 0.05, used 0.1"]


@pytest.mark.parametrize("make, message", [
    (lambda: gonogo.Protocol(kappa="low"), "protocol.kappa"),
    (lambda: gonogo.Protocol(kappa=float("nan")), "protocol.kappa is nan, expected a finite number"),
    (lambda: gonogo.Protocol(learner="ridge"), "learner is 'ridge', expected a mapping"),
    (lambda: gonogo.Protocol(bootstrap={"refits": None}), "bootstrap.refits is None"),
    (lambda: gonogo.Protocol(bootstrap={"refit": 3}), "did you mean 'refits'"),
    (lambda: gonogo.Protocol.from_dict([1]), "expected a mapping"),
    (lambda: gonogo.Protocol.from_toml("missing.toml"), "missing.toml"),
    (lambda: gonogo.Protocol().override("bootstrap.refit", 3), "bootstrap.refit: unknown key"),
])
def test_a_mistake_is_told_with_its_key(make, message):
    with pytest.raises(gonogo.Error, match=message):
        make()
