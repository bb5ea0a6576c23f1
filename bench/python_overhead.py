#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a paper-size ridge audit costs from Python, against the command line: bench/python_overhead.py [GONOGO] [REPETITIONS]

20 clusters of 48 queries, 7 actions, 48 features, 200 refits. The answers are compared first: a wrong one has no speed. Both run with one
thread, in turns; the medians of CPU time are compared, because others may use the machine. The start of the interpreter is
printed apart: a notebook pays it once. Fails when the call costs more than 5 % more than the program."""
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / "build/release/bin/gonogo")
REPETITIONS = int(sys.argv[2]) if len(sys.argv) > 2 else 5
LIMIT = 0.05

CALL = """
import resource, sys, time
import gonogo
def cpu(): return sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
start, wall = cpu(), time.perf_counter()
gonogo.audit(sys.argv[1], learner="ridge", jobs=1, out=sys.argv[2], progress=lambda done, total: None)
print(cpu() - start, time.perf_counter() - wall, start)
"""


def make_table(path):
    import h5py
    rng = np.random.default_rng(20260717)
    side = rng.normal(size=(960, 48)).astype(np.float32)
    cost = 100.0 * (1.0 + 0.02 * rng.normal(size=(960, 7)))
    cost[:, 1] *= 1.0 - 0.05 * (side[:, 0] > 0)
    with h5py.File(path, "w") as file:
        file["cluster"] = np.repeat(np.arange(20), 48)
        file["cost"] = cost
        file["time"] = np.ones((960, 7))
        file["success"] = np.ones((960, 7), dtype=np.uint8)
        file["features/obs"] = side
        file.attrs["actions"] = ["direct", *(f"scale-{k}" for k in range(1, 7))]


def child_cpu():
    return sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        table = folder / "table.h5"
        make_table(table)
        program, call, wall, start = [], [], [], []
        for k in range(REPETITIONS):
            before = child_cpu()
            subprocess.run([PROGRAM, "audit", table, "--learner", "ridge", "--jobs", "1", "--quiet", "--out", folder / f"cli-{k}"], check=True,
                           stdout=subprocess.DEVNULL)
            program.append(child_cpu() - before)
            done = subprocess.run([sys.executable, "-c", CALL, table, folder / f"python-{k}"], check=True, capture_output=True, text=True,
                                  env={**os.environ, "PYTHONPATH": str(ROOT / "build/release/python")})
            cpu, seconds, started = map(float, done.stdout.split())
            call.append(cpu), wall.append(seconds), start.append(started)
            if (folder / f"cli-{k}/result.json").read_bytes() != (folder / f"python-{k}/result.json").read_bytes():
                sys.exit("the answers differ")
        overhead = statistics.median(call) / statistics.median(program) - 1.0
        facts = json.loads((folder / "cli-0/result.json").read_text())["provenance"]["build"]
        print(f"commit {facts['commit']}, {REPETITIONS} repetitions, medians, one thread, same result.json")
        print(f"gonogo audit (whole program)   {statistics.median(program):.2f} s CPU")
        print(f"gonogo.audit (the call)        {statistics.median(call):.2f} s CPU, {statistics.median(wall):.2f} s wall")
        print(f"start of Python, imports       {statistics.median(start):.2f} s CPU, once")
        print(f"overhead of the call           {100 * overhead:+.1f} % (at most {100 * LIMIT:.0f} %)")
        return 0 if overhead <= LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())
