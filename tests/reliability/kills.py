#!/usr/bin/env python3
"""Ends every verb at random moments and goes on, until the result is there: are its bytes those of a run that nobody touched?

    tests/reliability/kills.py GONOGO REPOSITORY [--kills N] [--seed N] [RUN...]

Seven signals of ten are SIGKILL, the others SIGTERM and SIGINT; the number of threads changes from one start to the next. Runs on several
ranks are ended by a signal to mpirun or to one of the ranks. Prints one row a run and ends with 1 if a byte differed or a start failed by
itself.
"""
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

from works import run_campaigns, undisturbed

SIGNALS = [signal.SIGKILL] * 7 + [signal.SIGTERM] * 2 + [signal.SIGINT]
# What a run that was asked to stop may end with; 0 if it had just finished.
ASKED = {signal.SIGKILL: {-9, 0}, signal.SIGTERM: {130, 143, -15, 0}, signal.SIGINT: {130, -2, 0}}

LAUNCHER_ALONE = "none, but its ranks ended"
# Seconds a run may take to end after a signal: the longest whole run takes 15.
PATIENCE = 120


def ranks_of(launcher):
    """The processes of the ranks that have not ended."""
    children = pathlib.Path(f"/proc/{launcher.pid}/task/{launcher.pid}/children").read_text().split()
    return [int(child) for child in children if pathlib.Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()[0] != "Z"]


def target_of(process, work, dice):
    """The program; of several ranks the launcher or one of them."""
    return dice.choice([process.pid, *(ranks_of(process) if work.ranks > 1 else [])])


def send(process, work, sent, dice):
    try:
        os.kill(target_of(process, work, dice), sent)
    except OSError:
        pass  # it has just ended


def allowed(work, which):
    if which is None:
        return {0}
    if work.ranks == 1:
        return ASKED[which]
    # mpirun has exit codes of its own for ranks that were ended; 134 and 139 say that a rank crashed. The launcher itself (Open MPI 4.1)
    # sometimes crashes (-11) when SIGTERM finds it starting or ending, and may hang (below).
    return (ASKED[which] | set(range(1, 256)) | {-signal.SIGSEGV, LAUNCHER_ALONE}) - {134, 139}


def start_and_kill(work, out, seconds, dice):
    """One start that is ended at a random moment; the signal, or none if it had finished."""
    process = subprocess.Popen(work.arguments(out, dice.choice([1, 2, 3])), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                               env=work.environment())
    try:
        _, problem = process.communicate(timeout=dice.uniform(0.0, seconds))
        return None, process.returncode, problem
    except subprocess.TimeoutExpired:
        sent = dice.choice(SIGNALS)
        send(process, work, sent, dice)
        return sent, *end_of(process, work)


def end_of(process, work):
    """The exit code of a run that got a signal, and what it said; the code is "none" if it did not end.

    Open MPI's launcher waits for ever if a rank was killed while it held a lock in memory that both share: github.com/openpmix/openpmix
    issue 1233."""
    try:
        _, problem = process.communicate(timeout=PATIENCE)
        return process.returncode, problem
    except subprocess.TimeoutExpired:
        alone = work.ranks > 1 and process.poll() is None and not ranks_of(process)
        process.kill()
        process.wait()
        return LAUNCHER_ALONE if alone else "none", f"not all of it had ended after {PATIENCE} s"


def campaign(work, kills, place, dice):
    seconds, expected = undisturbed(work, place / "plain")
    begin, sent, folders, starts, hung, problems = time.monotonic(), 0, 0, 0, 0, []
    while sent < kills:
        out = place / "killed"
        folders += 1
        for start in range(dice.randint(1, 6)):
            starts += 1
            began = time.monotonic()
            which, code, problem = start_and_kill(work, out, seconds, dice)
            if which is None and start == 0:  # a whole run; the machine may have been busy before
                seconds = min(seconds, time.monotonic() - began)
            sent += which is not None
            hung += code == LAUNCHER_ALONE
            if code not in allowed(work, which):
                problems.append(f"exit code {code} after {which.name if which else 'nothing'}: {problem.strip()}")
            if which is None:
                break
        starts += 1
        last = subprocess.run(work.arguments(out, 2), capture_output=True, text=True, check=False, env=work.environment())
        if last.returncode != 0:
            problems.append(f"the start after the last signal ended with {last.returncode}: {last.stderr.strip()}")
        elif work.digest(out) != expected:
            problems.append("the results differ from those of an undisturbed run")
        shutil.rmtree(out, ignore_errors=True)
    shutil.rmtree(place / "plain")
    print(f"| {work.name} | {seconds:.1f} s | {folders} | {starts} | {sent} | {len(problems)} | {time.monotonic() - begin:.0f} s |", flush=True)
    if hung:
        print(f"    after {hung} of the signals the ranks had ended within {PATIENCE} s, but mpirun had not", file=sys.stderr)
    for problem in sorted(set(problems)):
        print(f"    {problem}", file=sys.stderr)
    return len(problems)


if __name__ == "__main__":
    sys.exit(run_campaigns(__doc__, "--kills", 100, ["run", "undisturbed", "folders", "starts", "signals", "problems", "campaign"], campaign))
