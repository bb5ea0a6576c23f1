#!/usr/bin/env python3
"""Full disks, used-up quotas, folders that may not be written, files that may not grow, clocks that jump: a clear error, and nothing lost?

    tests/reliability/disks_and_clocks.py GONOGO REPOSITORY [--tries N] [--seed N] [--trouble NAME] [RUN...]

Every try begins in a new folder. What may happen on the way, or only what --trouble names:

- full disk: a tmpfs that is smaller than the results (mounted by this script, which therefore needs root)
- read-only: a tmpfs that may only be read
- quota: a subvolume of btrfs that may refer to less than the results (EDQUOT)
- size limit: RLIMIT_FSIZE, as `ulimit -f` sets it
- clock: libfaketime moves the time of day by up to a year, forwards and backwards, about twenty times a second

The run may succeed or end with 4 and a sentence; a clock has to leave it alone. Then room is made and the same command has to give the bytes
of an undisturbed run, with every record still there that was finished before. Prints one row for every run and kind of trouble and ends
with 1 on any problem.
"""
import argparse
import collections
import contextlib
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time

import disks
from works import logs_of, lost, run_campaigns, undisturbed

FAKETIME = pathlib.Path("/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1")
YEAR = 365 * 24 * 3600


@contextlib.contextmanager
def in_memory(disk):
    disks.run("mount", "-t", "tmpfs", "-o", "size=2g", "tmpfs", disk)
    try:
        yield
    finally:
        disks.run("umount", disk)


@contextlib.contextmanager
def with_quotas(disk):
    """A new btrfs that counts what each subvolume refers to; `disk`/out is one."""
    with tempfile.NamedTemporaryFile(dir="/dev/shm") as image:
        disks.make(image.name, "btrfs")
        with disks.mounted(image.name, disk):
            disks.run("btrfs", "quota", "enable", disk)
            disks.run("btrfs", "subvolume", "create", disk / "out")
            yield


def remount(where, *options):
    disks.run("mount", "-o", ",".join(["remount", *options]), where)


def start(work, out, **more):
    environment = {**os.environ, **(work.environment() or {}), **more.pop("also", {})}
    return subprocess.run(work.arguments(out, 2), capture_output=True, text=True, check=False, env=environment, timeout=300, **more)


def full_disk(work, disk, size, dice):
    """A disk with room for a part of the results; grows afterwards."""
    used = os.statvfs(disk)  # by what the run finds there
    kept = (used.f_blocks - used.f_bfree) * used.f_frsize
    remount(disk, f"size={max(4096, kept + int(max(0, size - kept) * dice.uniform(0.05, 0.95)))}")
    ended = start(work, disk / "out")
    before = logs_of(disk / "out") if (disk / "out").exists() else {}
    remount(disk, "size=2g")
    return ended, before, {0, 4}


def read_only(work, disk, _size, _dice):
    remount(disk, "ro")
    ended = start(work, disk / "out")
    remount(disk, "rw")
    return ended, {}, {4}


def quota(work, disk, size, dice):
    """Leave for a part of the results, and for all of them afterwards."""
    used = int(disks.run("btrfs", "qgroup", "show", "--raw", "--sync", "-f", disk / "out").splitlines()[-1].split()[1])
    disks.run("btrfs", "qgroup", "limit", used + int(size * dice.uniform(0.05, 0.95)), disk / "out")
    ended = start(work, disk / "out")
    before = logs_of(disk / "out")
    disks.run("btrfs", "qgroup", "limit", "none", disk / "out")
    return ended, before, {0, 4}


def size_limit(work, disk, size, dice):
    limit = max(1, int(size * dice.uniform(0.02, 0.8)))
    ended = start(work, disk / "out", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
    return ended, logs_of(disk / "out") if (disk / "out").exists() else {}, {0, 4}


def clock(work, disk, _size, dice):
    """The time of day jumps; that since the start of the machine, which programs measure durations with, never does."""
    told = disk / "time"
    told.write_text("+0")
    done = threading.Event()

    def jump():
        while not done.wait(0.05):
            new = disk / "time.new"
            new.write_text(f"{dice.uniform(-YEAR, YEAR):+.3f}")
            new.rename(told)

    jumper = threading.Thread(target=jump)
    jumper.start()
    try:
        ended = start(work, disk / "out", also={"LD_PRELOAD": str(FAKETIME), "FAKETIME_TIMESTAMP_FILE": str(told), "FAKETIME_NO_CACHE": "1",
                                                "FAKETIME_DONT_FAKE_MONOTONIC": "1", "FAKETIME_DONT_RESET": "1",
                                                # The times of files are those of the disk, which a clock does not change.
                                                "NO_FAKE_STAT": "1"})
    finally:
        done.set()
        jumper.join()
    return ended, {}, {0}


TROUBLES = {"full disk": full_disk, "quota": quota, "read-only": read_only, "size limit": size_limit, "clock": clock}


def one_try(work, trouble, disk, size, expected, dice, problems):
    if work.prepare:
        work.prepare(disk / "out")
    ended, before, allowed = TROUBLES[trouble](work, disk, size, dice)
    if ended.returncode not in allowed:
        problems.append(f"{trouble}: exit code {ended.returncode}: {ended.stderr.strip()[-300:]}")
    elif ended.returncode != 0 and not ended.stderr.strip():
        problems.append(f"{trouble}: exit code {ended.returncode} without a word")
    again = start(work, disk / "out")
    if again.returncode != 0:
        problems.append(f"{trouble}: afterwards exit code {again.returncode}: {again.stderr.strip()[-300:]}")
    elif work.digest(disk / "out") != expected:
        problems.append(f"{trouble}: afterwards the results differ")
    elif lost(before, logs_of(disk / "out")):
        problems.append(f"{trouble}: a finished record was lost")
    return ended.returncode


def campaign(work, tries, place, dice):
    if work.ranks > 1:
        return 0
    _, expected = undisturbed(work, place / "plain")
    size = sum(file.stat().st_size for file in (place / "plain").rglob("*") if file.is_file())
    all_problems = 0
    for trouble in TROUBLES:
        ends, problems, begin = collections.Counter(), [], time.monotonic()
        for _ in range(tries if trouble != "read-only" else 1):
            disk = place / "disk"
            disk.mkdir(exist_ok=True)
            with with_quotas(disk) if trouble == "quota" else in_memory(disk):
                ends[one_try(work, trouble, disk, size, expected, dice, problems)] += 1
        codes = ", ".join(f"{code}: {count}" for code, count in sorted(ends.items()))
        print(f"| {work.name} | {trouble} | {sum(ends.values())} | {codes} | {len(problems)} | {time.monotonic() - begin:.0f} s |", flush=True)
        for problem, count in sorted(collections.Counter(problems).items()):
            print(f"    {count} times: {problem}", file=sys.stderr)
        all_problems += len(problems)
    shutil.rmtree(place / "plain")
    return all_problems


if __name__ == "__main__":
    if os.geteuid() != 0:
        sys.exit("small disks are mounted here: run it as root")
    if not FAKETIME.exists():
        sys.exit("libfaketime is not installed (faketime)")
    own = argparse.ArgumentParser(add_help=False)
    own.add_argument("--trouble", choices=TROUBLES)
    only, sys.argv[1:] = own.parse_known_args()
    if only.trouble:
        TROUBLES = {only.trouble: TROUBLES[only.trouble]}
    sys.exit(run_campaigns(__doc__, "--tries", 20, ["run", "trouble", "tries", "exit codes", "problems", "campaign"], campaign))
