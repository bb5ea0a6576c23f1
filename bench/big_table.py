#!/usr/bin/python3
"""Writes an HDF5 table of a million queries, seven actions and 32 features: does an audit of it fit into memory?

  bench/big_table.py table.h5 [--queries 1000000] [--clusters 100]
  /usr/bin/time -v gonogo audit table.h5 --learner ridge
"""
import argparse

import h5py
import numpy as np

ACTIONS = ["direct", *(f"scale-{i}" for i in range(1, 7))]
FEATURES, BLOCK = 32, 50_000


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path")
    parser.add_argument("--queries", type=int, default=1_000_000)
    parser.add_argument("--clusters", type=int, default=100)
    args = parser.parse_args()
    rng = np.random.default_rng(20260717)
    rows, actions = args.queries, len(ACTIONS)
    with h5py.File(args.path, "w") as file:
        file.attrs["schema"] = "gonogo.table/1"
        file.attrs["actions"] = ACTIONS
        file.attrs["reference"] = ACTIONS[0]
        file["cluster"] = np.arange(rows) * args.clusters // rows
        cost = file.create_dataset("cost", (rows, actions), "f8")
        time = file.create_dataset("time", (rows, actions), "f8")
        success = file.create_dataset("success", (rows, actions), "u1")
        features = file.create_dataset("features/obs", (rows, FEATURES), "f4")
        for first in range(0, rows, BLOCK):
            part = slice(first, min(first + BLOCK, rows))
            x = rng.standard_normal((part.stop - first, FEATURES))
            effect = np.zeros((len(x), actions))
            effect[:, 1:] = 0.05 * x[:, :actions - 1]  # each candidate's cost follows one feature
            features[part] = x
            cost[part] = 100.0 * np.exp(effect + 0.1 * rng.standard_normal(effect.shape))
            time[part] = 10.0 * np.exp(0.02 * rng.standard_normal(effect.shape))
            success[part] = rng.random(effect.shape) < 0.97


if __name__ == "__main__":
    main()
