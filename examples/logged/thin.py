#!/usr/bin/env python3
"""Makes a log of a full table: one action of every query, drawn at random, with the probability it was drawn with.

    examples/logged/thin.py examples/sorting/table.csv --out log.csv
    examples/logged/thin.py table.h5 --seed 3 --out log.csv

For trying out what a log would have shown where every action was tried. Times are left out unless --keep-time is given: a
constraint on them compares two actions at one query, which a log does not show.
"""
import argparse
import csv
import pathlib

import numpy as np


def rows_of_csv(path: pathlib.Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def rows_of_hdf5(path: pathlib.Path) -> list[dict[str, str]]:
    import h5py

    def text(value) -> str:
        return value.decode() if isinstance(value, bytes) else str(value)

    with h5py.File(path) as file:
        actions = [text(name) for name in file.attrs["actions"]]
        clusters = [text(name) for name in file["cluster"][:]]
        queries = [text(name) for name in file["query"][:]] if "query" in file else [f"q{i}" for i in range(len(clusters))]
        groups = {name: (group[:], [text(c) for c in group.attrs["columns"]]) for name, group in file["features"].items()}
        outcomes = {name: file[name][:] for name in ("cost", "time", "success", "eligible") if name in file}
    rows = []
    for q, (cluster, query) in enumerate(zip(clusters, queries)):
        # Every group of the file becomes the columns f_GROUP_COLUMN of the log.
        known = {f"f_{name}_{column}": repr(float(values[q, j])) for name, (values, columns) in groups.items()
                 for j, column in enumerate(columns)}
        for a, action in enumerate(actions):
            rows.append({"cluster": cluster, "query": query, "action": action, **{name: repr(values[q, a].item())
                         for name, values in outcomes.items()}, **known})
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep-time", action="store_true")
    options = parser.parse_args()
    rows = rows_of_hdf5(options.table) if options.table.suffix == ".h5" else rows_of_csv(options.table)
    by_query: dict[str, list[dict[str, str]]] = {}
    for row in rows:
        by_query.setdefault(row["query"], []).append(row)
    generator = np.random.default_rng(options.seed)
    dropped = {"declaration_sha256"} | (set() if options.keep_time else {"time"})
    columns = [name for name in rows[0] if name not in dropped] + ["propensity"]
    with options.out.open("w", newline="") as file:
        writer = csv.DictWriter(file, columns, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        for actions in by_query.values():
            drawn = actions[generator.integers(len(actions))]
            writer.writerow({**drawn, "propensity": repr(1.0 / len(actions))})
    print(f"{options.out}: one of {len(rows) // len(by_query)} actions at each of {len(by_query)} queries")


if __name__ == "__main__":
    main()
