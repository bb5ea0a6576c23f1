#!/usr/bin/env python3
"""Makes vectors of a column of texts: feature hashing, without any package.

An audit learns from numbers and categories, not from texts. This replaces a column of texts by DIMENSIONS columns of numbers: every word
counts in one of them, with a sign, both given by a hash of the word (so that nothing has to be learned, and a new text is treated as
an old one), and the vector has length 1. A sentence encoder makes better vectors; it fits here, in `vector`.

    python3 text_vectors.py table.csv prompt > vectors.csv
    python3 text_vectors.py table.csv prompt --dimensions 64 > vectors.csv
"""
import argparse
import csv
import hashlib
import math
import re
import sys


def vector(text, dimensions):
    sums = [0.0] * dimensions
    for word in re.findall(r"\w+", text.lower()):
        digest = hashlib.sha256(word.encode()).digest()
        sums[int.from_bytes(digest[:4], "big") % dimensions] += 1.0 if digest[4] % 2 == 0 else -1.0
    length = math.sqrt(sum(value * value for value in sums))
    return [value / length if length else 0.0 for value in sums]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("table", help="a CSV file")
    parser.add_argument("column", help="the column of texts")
    parser.add_argument("--dimensions", type=int, default=16)
    arguments = parser.parse_args()
    with open(arguments.table, newline="", encoding="utf-8-sig") as file:
        rows = csv.DictReader(file)
        if arguments.column not in rows.fieldnames:
            sys.exit(f"{arguments.table}: no column '{arguments.column}', expected one of {', '.join(rows.fieldnames)}")
        kept = [name for name in rows.fieldnames if name != arguments.column]
        names = [f"f_{arguments.column}_{i}" for i in range(arguments.dimensions)]
        out = csv.writer(sys.stdout, lineterminator="\n")
        out.writerow(kept + names)
        for row in rows:
            out.writerow([row[name] for name in kept] + [f"{value:.6f}" for value in vector(row[arguments.column], arguments.dimensions)])


if __name__ == "__main__":
    main()
