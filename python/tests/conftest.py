# SPDX-License-Identifier: Apache-2.0
"""What the tests share: where the sources and the program are, and a table small enough to audit often."""
import os
import pathlib
import subprocess

import numpy as np
import pandas as pd
import pytest

import gonogo

#: What needs a build with robots.
collect_ignore = [] if gonogo._native.HAS_ROBOTS else ["test_study.py", "test_world.py"]
SOURCE = pathlib.Path(os.environ.get("GONOGO_SOURCE", pathlib.Path(__file__).resolve().parents[2]))


@pytest.fixture(scope="session")
def source():
    return SOURCE


@pytest.fixture
def run_gonogo(tmp_path):
    """Runs the program and returns what it printed."""

    def run(*arguments):
        program = os.environ.get("GONOGO", str(SOURCE / "build/release/bin/gonogo"))
        # Without the width of a terminal, which some module of Python's may have put there.
        environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
        return subprocess.run([program, *map(str, arguments)], cwd=tmp_path, env=environment, check=True, capture_output=True,
                              text=True).stdout

    return run


@pytest.fixture
def sides():
    """20 clusters of 8 queries in which the sign of one feature tells which of two actions saves a tenth."""
    rng = np.random.default_rng(3)
    side = rng.uniform(-1.0, 1.0, 160)
    rows = []
    for query in range(160):
        for action, saves in (("direct", False), ("left", side[query] > 0), ("right", side[query] < 0)):
            rows.append({"seed": query // 8, "state": f"s{query}", "command": action, "work_j": 90.0 if saves else 100.0,
                         "obs_side": side[query], "obs_noise": rng.normal() if action == "direct" else rows[-1]["obs_noise"]})
    return pd.DataFrame(rows)


@pytest.fixture
def side_table(sides):
    return gonogo.Table.from_pandas(sides, cluster="seed", query="state", action="command", cost="work_j", features=["obs_*"])
