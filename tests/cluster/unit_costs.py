#!/usr/bin/env python3
"""What a refit costs and how that grows: CPU milliseconds and bytes, each dimension of a table doubled in turn (docs/scale.md).

    tests/cluster/unit_costs.py path/to/gonogo path/to/repository
"""
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile

import h5py
import numpy as np

GONOGO = sys.argv[1]
BASE = {"clusters": 20, "queries": 24, "actions": 4, "features": 16}
LEARNERS = {"ridge": ["--learner", "ridge"], "mlp": ["--set", "learner.kind=mlp", "--set", "learner.epochs=10"]}


def write_table(path, clusters, queries, actions, features):
    rng = np.random.default_rng(1)
    count = clusters * queries
    with h5py.File(path, "w") as file:
        file["cluster"] = np.repeat(np.arange(clusters), queries)
        file["cost"] = 100.0 * np.exp(0.1 * rng.standard_normal((count, actions)))
        file["success"] = np.ones((count, actions), dtype=bool)
        file["features/obs"] = rng.standard_normal((count, features)).astype("f4")
        file.attrs["actions"] = ["direct", *[f"a{i}" for i in range(1, actions)]]
        file.attrs["reference"] = "direct"
        file.attrs["schema"] = "gonogo.table/1"


def cpu(table, out, learner, refits):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([GONOGO, "audit", table, *LEARNERS[learner], "--refits", str(refits), "--jobs", "1", "--quiet", "--out", out], check=True,
                   stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    folder = pathlib.Path(tempfile.mkdtemp())
    try:
        print(f"{'table':44} {'ridge, ms':>10} {'mlp, ms':>10} {'kB a refit':>11}")
        for doubled in [None, *BASE]:
            size = {key: value * (2 if key == doubled else 1) for key, value in BASE.items()}
            name = "-".join(map(str, size.values()))
            table = folder / f"{name}.h5"
            write_table(table, **size)
            costs = {}
            for learner, (few, many) in {"ridge": (50, 450), "mlp": (4, 16)}.items():
                low, high = (cpu(table, folder / f"{name}-{learner}-{refits}", learner, refits) for refits in (few, many))
                costs[learner] = 1000 * (high - low) / (many - few)
            logs = [(folder / f"{name}-ridge-{refits}" / "refits.log").stat().st_size for refits in (50, 450)]
            label = " ".join(f"{value} {key}" for key, value in size.items())
            print(f"{label:44} {costs['ridge']:10.2f} {costs['mlp']:10.1f} {(logs[1] - logs[0]) / 400e3:11.2f}", flush=True)
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
