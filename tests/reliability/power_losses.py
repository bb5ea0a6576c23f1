#!/usr/bin/env python3
"""Losses of power: does a run go on from what the disk held, and is a run that had ended well still there?

    tests/reliability/power_losses.py GONOGO REPOSITORY [--tries N] [--seed N] [RUN...]

A try runs on a disk of its own: ext4, ext4 whose data are not ordered before its journal, XFS and btrfs in turn. Meanwhile files of the run
are synced one by one at random moments, because a system may write any file back at any time. At a random moment, or when the
run has just ended, the contents of the disk are copied; whatever only the memory of the system held is missing in the copy. The copy is then
mounted as if the machine had started again, and the same command has to give the bytes of an undisturbed run, without losing a record that
was still there. Where the run had ended well before the power went, its results have to be on the disk already. Prints one row a run, with
how many finished records the loss of power took, and ends with 1 on any problem. Mounts disks: root.
"""
import collections
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

import disks
from works import logs_of, lost, run_campaigns, undisturbed

SYSTEMS = [("ext4", ()), ("ext4", ("data=writeback",)), ("xfs", ()), ("btrfs", ())]


def write_back(out, dice, stop):
    """Syncs one file after another, as a system short of memory would."""
    while not stop.wait(dice.uniform(0.0, 0.05)):
        files = [path for path in out.rglob("*") if path.is_file()] if out.exists() else []
        if not files:
            continue
        try:
            file = os.open(dice.choice(files), os.O_RDONLY)
        except OSError:
            continue  # it has just been renamed
        os.fsync(file)
        os.close(file)


def records_of(logs):
    return sum(len(keys) for keys, _ in logs.values())


def run_until_loss(work, disk, image, device, seconds, dice):
    """Starts it and copies the disk at a random moment. The copy, the logs as the program saw them, the exit code; none if it ran still."""
    out, stop = disk / "out", threading.Event()
    process = subprocess.Popen(work.arguments(out, 2), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    writer = threading.Thread(target=write_back, args=(out, dice, stop))
    if dice.randrange(3):  # else nothing is written back but what the program itself syncs
        writer.start()
    try:
        # In about a third of the tries right after its end: what it wrote last would still be in memory then.
        left = time.monotonic() + dice.uniform(0.0, 1.5 * seconds)
        while process.poll() is None and time.monotonic() < left:
            time.sleep(0.001)
        code = process.poll()
        if code is None:
            process.send_signal(signal.SIGSTOP)  # not SIGKILL: closing its files could write something
        stop.set()
        if writer.ident:
            writer.join()
        copy = image.with_suffix(".lost")
        disks.copy_as_it_is(image, device, copy)
    finally:
        stop.set()
        process.kill()
        process.wait()
    return copy, logs_of(out) if out.exists() else {}, code


def one_try(work, place, kind, options, seconds, expected, dice, problems):
    disk, image = place / "disk", place / "image"
    disks.copy(place / kind, image)
    what = " ".join([kind, *options])
    with disks.mounted(image, disk, options) as device:
        if work.prepare:
            work.prepare(disk / "out")
            disks.run("sync", "-f", disk)
        copy, seen, code = run_until_loss(work, disk, image, device, seconds, dice)
    with disks.mounted(copy, disk, options):
        out = disk / "out"
        kept = logs_of(out) if out.exists() else {}
        if code == 0 and work.digest(out) != expected:
            problems.append(f"{what}: the run had ended well, but its results are not on the disk")
        again = subprocess.run(work.arguments(out, 2), capture_output=True, text=True, check=False, timeout=300)
        if again.returncode != 0:
            problems.append(f"{what}: afterwards exit code {again.returncode}: {again.stderr.strip()[-300:]}")
        elif work.digest(out) != expected:
            problems.append(f"{what}: afterwards the results differ")
        elif lost(kept, logs_of(out)):
            problems.append(f"{what}: a record that was on the disk is gone")
    return code == 0, records_of(seen), records_of(seen) - records_of(kept)


def campaign(work, tries, place, dice):
    if work.ranks > 1:
        return 0
    seconds, expected = undisturbed(work, place / "plain")
    shutil.rmtree(place / "plain")
    finished, seen, gone, problems, begin = 0, 0, 0, [], time.monotonic()
    with tempfile.TemporaryDirectory(dir="/dev/shm") as memory:
        images = pathlib.Path(memory)
        for kind in disks.MAKE:
            disks.make(images / kind, kind)
        for number in range(tries):
            kind, options = SYSTEMS[number % len(SYSTEMS)]
            ended, records, missing = one_try(work, images, kind, options, seconds, expected, dice, problems)
            finished, seen, gone = finished + ended, seen + records, gone + missing
    print(f"| {work.name} | {tries} | {finished} | {gone:,} of {seen:,} | {len(problems)} | {time.monotonic() - begin:.0f} s |", flush=True)
    for problem, count in sorted(collections.Counter(problems).items()):
        print(f"    {count} times: {problem}", file=sys.stderr)
    return len(problems)


if __name__ == "__main__":
    if os.geteuid() != 0:
        sys.exit("disks are mounted here: run it as root")
    sys.exit(run_campaigns(__doc__, "--tries", 20, ["run", "losses", "after its end", "records lost", "problems", "campaign"], campaign))
