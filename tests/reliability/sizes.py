#!/usr/bin/python3
"""Memory and CPU time of an audit as its table grows, one size at a time: prints a table with growth exponents.

    tests/reliability/sizes.py GONOGO [--most SECONDS for one audit, default 900]

An exponent of 1 means that twice the size takes twice as much; it is that between two neighbouring sizes.
"""
import argparse
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import h5py
import numpy as np

# What grows, the learner, and (queries, clusters, actions, features) from small to large.
SERIES = [
    ("queries", "ridge", [(62_500, 100, 7, 32), (250_000, 100, 7, 32), (1_000_000, 100, 7, 32)]),
    ("clusters", "ridge", [(40_000, 400, 3, 8), (40_000, 2_000, 3, 8), (40_000, 10_000, 3, 8)]),
    ("actions", "ridge", [(960, 20, 10, 16), (960, 20, 100, 16), (960, 20, 1_000, 16)]),
    ("features", "ridge", [(960, 20, 7, 50), (960, 20, 7, 200), (960, 20, 7, 800)]),
]


def write_table(path, queries, clusters, actions, features):
    rng = np.random.default_rng(20260717)
    block = max(1, 4_000_000 // max(actions, features))
    with h5py.File(path, "w") as file:
        file.attrs["schema"] = "gonogo.table/1"
        file.attrs["actions"] = ["direct", *(f"other-{i}" for i in range(1, actions))]
        file.attrs["reference"] = "direct"
        file["cluster"] = np.arange(queries) * clusters // queries
        cost = file.create_dataset("cost", (queries, actions), "f8")
        success = file.create_dataset("success", (queries, actions), "u1")
        seen = file.create_dataset("features/obs", (queries, features), "f4")
        for first in range(0, queries, block):
            part = slice(first, min(first + block, queries))
            x = rng.standard_normal((part.stop - first, features))
            effect = 0.1 * rng.standard_normal((len(x), actions))
            strong = min(features, actions - 1)
            effect[:, 1:1 + strong] += 0.05 * x[:, :strong]
            seen[part] = x
            cost[part] = 100.0 * np.exp(effect)
            success[part] = rng.random(effect.shape) < 0.97


def peak_memory(pid, so_far):
    """Bytes the program has held at most. Not ru_maxrss, which counts the memory of this script before the program began."""
    try:
        for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return 1024 * int(line.split()[1])
    except OSError:
        pass
    return so_far


def audit(gonogo, table, learner, out, most):
    """CPU seconds, peak memory in bytes, exit code and what was said."""
    log = out.with_suffix(".log")
    with log.open("w") as said:
        program = subprocess.Popen([gonogo, "audit", table, "--learner", learner, "--out", out, "--quiet"],
                                   stdout=said, stderr=subprocess.STDOUT)
        deadline = time.monotonic() + most
        memory = 0
        while True:
            memory = peak_memory(program.pid, memory)
            ended, status, usage = os.wait4(program.pid, os.WNOHANG)
            if ended:
                break
            if time.monotonic() > deadline:
                program.kill()
            time.sleep(0.02)
    text = log.read_text().strip()
    return usage.ru_utime + usage.ru_stime, memory, os.waitstatus_to_exitcode(status), text


def exponent(larger, smaller, ratio):
    return math.log(larger / smaller) / math.log(ratio)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gonogo", type=pathlib.Path)
    parser.add_argument("--most", type=float, default=900.0)
    args = parser.parse_args()
    gonogo = args.gonogo.resolve()
    print("| what grows | learner | queries × actions × features, clusters | exit code | CPU time | memory | exponents |")
    print("|---|---|---|---:|---:|---:|---|")
    failed = False
    for what, learner, sizes in SERIES:
        last = None
        for size in sizes:
            queries, clusters, actions, features = size
            with tempfile.TemporaryDirectory() as place:
                table = pathlib.Path(place) / "table.h5"
                write_table(table, *size)
                seconds, memory, code, said = audit(gonogo, table, learner, pathlib.Path(place) / "run", args.most)
            grown = size[["queries", "clusters", "actions", "features"].index(what)]
            growth = ""
            if last is not None:
                ratio = grown / last[0]
                growth = f"{exponent(seconds, last[1], ratio):.2f} time, {exponent(memory, last[2], ratio):.2f} memory"
            last = (grown, seconds, memory)
            if code != 0:
                failed = True
                print(said, file=sys.stderr)
            print(f"| {what} | {learner} | {queries:,} × {actions:,} × {features:,}, {clusters:,} | {code} | {seconds:.1f} s | "
                  f"{memory / 1e6:.0f} MB | {growth} |", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
