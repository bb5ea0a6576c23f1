#!/usr/bin/env python3
"""The model of docs/scale.md at 1, 2 and 4 ranks: what it predicts beside what is measured here.

    tests/cluster/scale_check.py path/to/gonogo path/to/repository [refits]

The parameters come from runs without ranks (cost of a unit, start-up, bytes of a result) and from ranks that do nothing (start of MPI);
the runs that are predicted take no part in them. CPU seconds hold on a machine that others use, wall time only where none does.
"""
import json
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import time

from small_runs import GONOGO, SORTING, environment, mpi_missing, mpirun

CORES = len(os.sched_getaffinity(0))
CLUSTERS = 24  # of the table: cross-fits that come with the refits


def measure(command, refused=False):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begin = time.time()
    result = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False, env=environment())
    wall = time.time() - begin
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if (result.returncode != 0) != refused:
        sys.exit(f"{' '.join(map(str, command))}: {result.stderr}")
    lines = [line for line in result.stderr.splitlines() if line.startswith('{"bytes_moved"')]
    return {"cpu": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, "wall": wall,
            "moved": json.loads(lines[-1])["bytes_moved"] if lines else 0}


def audit(refits, out):
    return ["audit", SORTING, "--set", "learner.kind=mlp", "--set", "learner.epochs=20", "--refits", refits, "--jobs", "1", "--json",
            "--out", out]


def main():
    if mpi_missing():
        sys.exit(mpi_missing())
    refits = int(sys.argv[3]) if len(sys.argv) > 3 else 120
    few = max(refits // 6, 1)
    folder = pathlib.Path(tempfile.mkdtemp())
    try:
        small, large = (measure([GONOGO, *audit(count, folder / f"plain-{count}")]) for count in (few, refits))
        units = CLUSTERS + refits
        # By difference; where noise makes that more than the whole run has, by the run.
        unit = {key: min((large[key] - small[key]) / (refits - few), large[key] / units) for key in ("cpu", "wall")}
        start = {key: max(large[key] - units * unit[key], 0.0) for key in ("cpu", "wall")}
        size = (folder / f"plain-{refits}" / "refits.log").stat().st_size / units
        print(f"{units} units of {1000 * unit['cpu']:.1f} ms CPU and {size / 1000:.2f} kB; start-up {start['cpu']:.2f} s CPU; {CORES} cores")
        print(f"{'ranks':>5} {'CPU s, model':>13} {'measured':>9} {'wall s, model':>14} {'measured':>9} {'MB moved, model':>16} {'measured':>9}")
        for ranks in (1, 2, 4):
            nothing = measure([*mpirun(ranks), "version"], refused=ranks > 1)
            run = measure([*mpirun(ranks), *audit(refits, folder / f"ranks-{ranks}")])
            cpu = units * unit["cpu"] + ranks * start["cpu"] + nothing["cpu"]
            at_once = min(ranks, CORES)
            wall = start["wall"] * ranks / at_once + nothing["wall"] + -(-units // at_once) * unit["wall"]
            # What helpers made goes to rank 0 once, everything goes down the tree to each of them.
            moved = units * size * ((ranks - 1) / ranks + (ranks - 1)) if ranks > 1 else 0.0
            print(f"{ranks:5} {cpu:13.2f} {run['cpu']:9.2f} {wall:14.2f} {run['wall']:9.2f} {moved / 1e6:16.3f} {run['moved'] / 1e6:9.3f}",
                  flush=True)
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
