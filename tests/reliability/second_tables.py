#!/usr/bin/python3
"""Our readers of tables beside those of others: generated CSV tables beside pandas, HDF5 tables beside h5py.

    PYTHONPATH=build/release/python tests/reliability/second_tables.py [--cases 3000] [--seed 1]

A table is written in one of the many ways CSV can be written (quotes, line ends, order of rows and columns, spelling of numbers) and read
by both: every number has to be the same, bit by bit. Then a few bytes of it are changed: where both still read it, they have to agree
again; refusing it is always allowed. The same values are stored as HDF5 in other types, byte orders and filters.
"""
import argparse
import csv
import io
import pathlib
import random
import sys
import tempfile

import gonogo
import h5py
import numpy as np
import pandas as pd

TEXTS = ["c", "q", "wide, with comma", 'said "so"', "é", "10", "9"]


def draw_rows(draw):
    """Every action at every query; features are float32, as the audit takes them."""
    actions = ["direct", *draw.sample(["slow", "fast", 'the "odd" one'], draw.randint(1, 3))]
    prefix = draw.choice(TEXTS)
    rows = []
    for query in range(draw.randint(2, 8)):
        seen = float(np.float32(draw.uniform(-1e3, 1e3)))
        for action in actions:
            rows.append({"cluster": f"{prefix}{query % 2}", "query": f"q{query}", "action": action, "cost": draw.choice([draw.random(), 10 ** draw.uniform(-14, 14)]),
                         "time": draw.random(), "f_x": seen})
    draw.shuffle(rows)
    return rows


def spell(draw, value):
    if isinstance(value, str):
        return value
    return draw.choice([repr(value), f"{value:.17g}", f"{value:.17e}", f"+{value!r}" if value >= 0 else repr(value)])


def as_csv(draw, rows):
    columns = list(rows[0])
    draw.shuffle(columns)
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, quoting=draw.choice([csv.QUOTE_ALL, csv.QUOTE_MINIMAL]), lineterminator=draw.choice(["\n", "\r\n"]))
    writer.writeheader()
    for row in rows:
        writer.writerow({key: spell(draw, value) for key, value in row.items()})
    return text.getvalue().encode()


def ours(path, read):
    """{(cluster, query, action): (cost, time)}; None when it is refused."""
    try:
        table = read(path)
    except gonogo.Error:
        return None
    if table.is_log:
        return None
    found = {}
    for q, query in enumerate(table.queries):
        for a, action in enumerate(table.actions):
            time = None if table.time is None else float(table.time[q, a])
            found[table.clusters[table.cluster_of[q]], query, action] = (float(table.cost[q, a]), time)
    return found


def theirs(data):
    try:
        frame = pd.read_csv(io.BytesIO(data), dtype={"cluster": str, "query": str, "action": str}, keep_default_na=False,
                            float_precision="round_trip")
        return {(row["cluster"], row["query"], row["action"]): (float(row["cost"]), float(row["time"]) if "time" in row else None)
                for _, row in frame.iterrows()}
    except (ValueError, KeyError, TypeError, UnicodeDecodeError):
        return None


def damaged(draw, data):
    changed = bytearray(data)
    for _ in range(draw.randint(1, 3)):
        at = draw.randrange(len(changed))
        changed[at:at + draw.randint(0, 1)] = draw.choice([b"", b'"', b",", b"\n", b"0", b"4", b"7", b"-", b"+", b" ", b"e", b"\xff", b"."])
    return bytes(changed)


def store(draw, path, table):
    """The table as ours writes it, with its costs stored in another way."""
    table.to_hdf5(path)
    with h5py.File(path, "a") as file:
        cost = file["cost"][...]
        attributes = dict(file["cost"].attrs)
        del file["cost"]
        kind = draw.choice(["<f8", ">f8", "<f4", ">i4"])
        stored = (np.floor(np.clip(cost, 1, 1e6)) if kind == ">i4" else np.clip(cost, 1e-30, 1e30)).astype(kind)
        options = draw.choice([{}, {"compression": "gzip"}, {"chunks": (1, 1)}, {"shuffle": True, "compression": "gzip"}])
        file.create_dataset("cost", data=stored, **options).attrs.update(attributes)
    with h5py.File(path) as file:
        return file["cost"][...].astype(np.float64)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--cases", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    counts = {"tables both read": 0, "damaged tables both read": 0, "damaged tables refused by ours": 0, "HDF5 tables": 0, "differences": 0}
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "table.csv"
        for case in range(options.cases):
            draw = random.Random(f"{options.seed}/{case}")
            data = as_csv(draw, draw_rows(draw))
            for text, name in [(data, "tables both read"), (damaged(draw, data), "damaged tables both read")]:
                file.write_bytes(text)
                read, expected = ours(file, gonogo.Table.from_csv), theirs(text)
                if read is None and text is data:
                    counts["differences"] += 1
                    print(f"case {case}: a sound table is refused\n{text!r}")
                elif read is None:
                    counts["damaged tables refused by ours"] += 1
                elif expected is not None:
                    counts[name] += 1
                    if read != expected:
                        counts["differences"] += 1
                        print(f"case {case}: {name}, and differ\n{text!r}\nours {read}\npandas {expected}")
            file.write_bytes(data)
            table, stored = gonogo.Table.from_csv(file), pathlib.Path(folder) / "table.h5"
            expected = store(draw, stored, table)
            again = gonogo.Table.from_hdf5(stored, table.protocol)
            counts["HDF5 tables"] += 1
            if not np.array_equal(again.cost, expected):
                counts["differences"] += 1
                print(f"case {case}: HDF5 differs\nours {again.cost}\nh5py {expected}")
    for name, count in counts.items():
        print(f"{name}: {count}")
    return 1 if counts["differences"] else 0


if __name__ == "__main__":
    sys.exit(main())
