#!/usr/bin/env python3
"""Lets the system fail under every verb (libfiu: open, read, write, fsync, rename, mmap, memory), then goes on in the same folder without failures:
are the bytes those of an undisturbed run?

    tests/reliability/failing_world.py GONOGO REPOSITORY [--tries N] [--seed N] [RUN...]

A start under failures may succeed, or end with an error message and an exit code that says whose fault it is (3 or 4); it may not crash, hang
or call it a bug of the program. Prints one row a verb and ends with 1 on any problem. Needs fiu-run (Debian's fiu-utils).
"""
import collections
import errno
import os
import shutil
import subprocess
import sys

from works import run_campaigns, undisturbed

STDIO = "posix/stdio/*"
POINTS = ["posix/io/oc/open", "posix/io/rw/read", "posix/io/rw/write", "posix/io/rw/pwrite", "posix/io/rw/pread", "posix/io/sync/fsync",
          "posix/io/dir/rename", "posix/mm/mmap", STDIO, "libc/mm/malloc",
          f"posix/io/rw/write,failinfo={errno.EDQUOT}"]  # the last one as a quota does that is used up
RATES = [0.001, 0.01, 0.1]
# 3 bad input (a file that could not be read whole), 4 reading or writing failed.
ALLOWED = {0, 3, 4}
# Memory that fails while shared libraries set themselves up, before any line of ours runs: the C++ runtime says so and aborts.
BEFORE_MAIN = -6


def campaign(work, tries, place, dice):
    if work.ranks > 1:
        return 0  # MPI has calls of its own, which are not ours to survive
    seconds, expected = undisturbed(work, place / "plain")
    ends, problems = collections.Counter(), []
    for _ in range(tries):
        out = place / "failing"
        point, rate = dice.choice(POINTS), dice.choice(RATES)
        command = ["fiu-run", "-f", "", "-x", "-c", f"enable_random name={point},probability={rate}", *work.arguments(out, dice.choice([1, 2]))]
        where = f"{point} failing at {rate}"
        try:
            # fiu's own dice follow the time of day; the failures of a try are not the same twice.
            result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60 + 20 * seconds, env={**os.environ, "LC_ALL": "C"})
            ends[result.returncode] += 1
            if result.returncode == BEFORE_MAIN and "bad_alloc" in result.stderr:
                continue
            if result.returncode not in ALLOWED:
                problems.append(f"{where}: exit code {result.returncode}: {result.stderr.strip()[-300:]}")
            elif result.returncode != 0 and not result.stderr.strip() and point != STDIO:  # which writes the sentence, too
                problems.append(f"{where}: exit code {result.returncode} without a word")
        except subprocess.TimeoutExpired:
            problems.append(f"{where}: does not end")
        again = subprocess.run(work.arguments(out, 2), capture_output=True, text=True, check=False)
        if again.returncode != 0:
            problems.append(f"{where}: afterwards, without failures, exit code {again.returncode}: {again.stderr.strip()[-300:]}")
        elif work.digest(out) != expected:
            problems.append(f"{where}: afterwards the results differ")
        shutil.rmtree(out, ignore_errors=True)
    shutil.rmtree(place / "plain")
    print(f"| {work.name} | {tries} | {', '.join(f'{code}: {count}' for code, count in sorted(ends.items()))} | {len(problems)} |", flush=True)
    for problem in sorted(set(problems)):
        print(f"    {problem}", file=sys.stderr)
    return len(problems)


if __name__ == "__main__":
    if shutil.which("fiu-run") is None:
        sys.exit("fiu-run is not installed (fiu-utils)")
    sys.exit(run_campaigns(__doc__, "--tries", 60, ["run", "tries", "exit codes", "problems"], campaign))
