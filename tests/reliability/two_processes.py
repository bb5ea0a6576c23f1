#!/usr/bin/env python3
"""Two processes in one folder: does the second one cut, overwrite or spoil what the first one writes?

    tests/reliability/two_processes.py GONOGO REPOSITORY [--tries N] [--seed N] [RUN...]

A try starts a run, holds it (SIGSTOP) at a random moment and starts the same command in the same folder: that has to end with exit code 4 and
a sentence that says who is writing there, or with 0 if the first one had not claimed the folder yet; tasks of a job array share a folder.
Meanwhile `watch` and `calibrate --finished`, which only read, have to work. Then the first one goes on, and in half of the tries is killed
soon afterwards: every record that was whole before has to be there still. In every third try nobody is held: readers come and go until the
run has ended. In the end the same command has to give the bytes of an undisturbed run, with as many records in its logs. Prints one row a run
and ends with 1 on any problem.
"""
import collections
import shutil
import signal
import subprocess
import sys
import time

from works import GONOGO, logs_of, lost, run_campaigns, undisturbed

REFUSED = 4


def run(arguments, work):
    return subprocess.run(arguments, capture_output=True, text=True, check=False, env=work.environment(), timeout=300)


def readers(work, out):
    """Commands that only read what another process writes."""
    yield [str(GONOGO), "watch", str(out), "--once"]
    if work.name.startswith("calibrate"):
        yield [*work.arguments(out, 1), "--finished"]


def read_beside(work, out, problems):
    for command in readers(work, out) if out.exists() else []:
        looked = run(command, work)
        # A folder in which nothing is finished yet may be said to be empty.
        if looked.returncode not in (0, 3, 4) or (looked.returncode != 0 and not looked.stderr.strip()):
            problems.append(f"{command[1]} beside it ended with {looked.returncode}: {looked.stderr.strip()[-300:]}")


def start_second(work, out, problems):
    second = run(work.arguments(out, 2), work)
    if second.returncode not in (0, REFUSED):
        problems.append(f"the second process ended with {second.returncode}: {second.stderr.strip()[-300:]}")
    elif second.returncode == REFUSED and "is writing" not in second.stderr:
        problems.append(f"the second process does not say why: {second.stderr.strip()[-300:]}")
    return second.returncode


def check_logs(out, kept, problems):
    """Before anything that is missing is made again."""
    if logs_of(out) != kept:
        problems.append("finished work is missing in its logs, or is there twice")


def disturb(work, out, seconds, kept, dice, problems):
    """One run, and others in its folder. How the second writer ended; none if there was none."""
    first = subprocess.Popen(work.arguments(out, 2), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if dice.randrange(3) == 0:
        while first.poll() is None:
            read_beside(work, out, problems)
    try:
        _, said = first.communicate(timeout=dice.uniform(0.0, seconds))
        if first.returncode != 0:
            problems.append(f"beside readers it ended with {first.returncode}: {said.strip()[-300:]}")
        check_logs(out, kept, problems)
        return None
    except subprocess.TimeoutExpired:
        first.send_signal(signal.SIGSTOP)
    time.sleep(0.01)
    read_beside(work, out, problems)
    code = start_second(work, out, problems)
    before = logs_of(out)
    first.send_signal(signal.SIGCONT)
    killed = dice.randrange(2) == 0
    if killed:
        time.sleep(dice.uniform(0.0, 0.3 * seconds))
        first.kill()
    _, said = first.communicate()
    # It may find that the second one has begun, or has finished, a run of which it had not written anything.
    if not killed and first.returncode not in ((0, REFUSED) if code == 0 else (0,)):
        problems.append(f"the first process ended with {first.returncode}: {said.strip()[-300:]}")
    if first.returncode == 0:
        check_logs(out, kept, problems)
    if lost(before, logs_of(out)):
        problems.append("a finished record was lost")
    return code


def campaign(work, tries, place, dice):
    if work.ranks > 1:
        return 0  # rank 0 alone writes, as a process without ranks does
    seconds, expected = undisturbed(work, place / "plain")
    kept = logs_of(place / "plain")
    ends, problems = collections.Counter(), []
    for _ in range(tries):
        out = place / "shared"
        ends[disturb(work, out, seconds, kept, dice, problems)] += 1
        again = run(work.arguments(out, 2), work)
        if again.returncode != 0:
            problems.append(f"afterwards exit code {again.returncode}: {again.stderr.strip()[-300:]}")
        elif work.digest(out) != expected:
            problems.append("afterwards the results differ")
        else:
            check_logs(out, kept, problems)
        if list(out.glob("writing.lock")):
            problems.append("writing.lock is left behind")
        shutil.rmtree(out, ignore_errors=True)
    shutil.rmtree(place / "plain")
    print(f"| {work.name} | {tries} | {ends[REFUSED]} | {ends[0]} | {ends[None]} | {len(problems)} |", flush=True)
    for problem, count in sorted(collections.Counter(problems).items()):
        print(f"    {count} times: {problem}", file=sys.stderr)
    return len(problems)


if __name__ == "__main__":
    sys.exit(run_campaigns(__doc__, "--tries", 20, ["run", "tries", "second refused", "second ended well", "first had ended", "problems"], campaign))
