#!/usr/bin/env python3
"""What ranks cost: two ranks against two threads, one rank against none, for audit and collect, in one run.

    tests/cluster/efficiency.py path/to/gonogo path/to/repository [repetitions]

CPU seconds of all processes, mpirun included, and wall time; medians. CPU ratios tell what sharing costs even where other programs use the
machine; wall time only where none does. Idle share: of the ranks' threads, while units were to do (gonogo.team/1).
"""
import json
import pathlib
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from small_runs import GO2, GONOGO, SORTING, environment, mpi_missing, mpirun

COLLECT = """
[protocol]
name = "efficiency"
actions = ["direct", "scale-0.75", "scale-0.50"]
min_clusters = 3
[collect]
seeds = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]
queries_per_cluster = 48
family = "moderate"
terrain = "flat"
replayed = 1
"""


def measure(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begin = time.time()
    result = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False, env=environment())
    wall = time.time() - begin
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: {result.stderr}")
    lines = [line for line in result.stderr.splitlines() if line.startswith('{"bytes_moved"')]
    return {"cpu": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, "wall": wall,
            "idle": json.loads(lines[-1])["idle_share"] if lines else 0.0}


def main():
    if mpi_missing():
        sys.exit(mpi_missing())
    repetitions = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    folder = pathlib.Path(tempfile.mkdtemp())
    try:
        protocol = folder / "collect.toml"
        protocol.write_text(COLLECT)
        subjects = {
            "audit": ["audit", SORTING, "--set", "learner.kind=mlp", "--set", "learner.epochs=20", "--refits", "80"],
            "collect": ["collect", GO2, "--protocol", protocol],
        }
        ways = {"one thread": ([GONOGO], "1"), "one rank": (mpirun(1), "1"), "two threads": ([GONOGO], "2"), "two ranks": (mpirun(2), "1")}
        for subject, verb in subjects.items():
            measured = {name: [] for name in ways}
            for repetition in range(repetitions):
                for name, (launcher, jobs) in ways.items():
                    out = folder / f"{subject}-{name}-{repetition}".replace(" ", "-")
                    measured[name].append(measure([*launcher, *verb, "--json", "--jobs", jobs, "--out", out]))
            median = {name: {key: statistics.median(run[key] for run in runs) for key in ["cpu", "wall", "idle"]}
                      for name, runs in measured.items()}
            for name, values in median.items():
                print(f"{subject:8} {name:12} {values['cpu']:7.2f} s CPU {values['wall']:7.2f} s wall   idle {100 * values['idle']:4.1f} %")
            ratio = median["two threads"]["cpu"] / median["two ranks"]["cpu"]
            print(f"{subject:8} two ranks / two threads: {median['two threads']['wall'] / median['two ranks']['wall']:.3f} by wall time "
                  f"(goal 0.90), {ratio:.3f} by CPU time; one rank costs "
                  f"{100 * (median['one rank']['wall'] / median['one thread']['wall'] - 1):+.1f} % wall (goal 2 %), "
                  f"{100 * (median['one rank']['cpu'] / median['one thread']['cpu'] - 1):+.1f} % CPU", flush=True)
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
