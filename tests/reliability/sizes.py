#!/usr/bin/python3
"""Memory and CPU time of an audit as its table grows, one size at a time: prints a table with growth exponents.

    tests/reliability/sizes.py GONOGO [--most SECONDS for one audit, default 900] [SERIES...]

An exponent of 1 means that twice the size takes twice as much; it is that between two neighbouring sizes. Beside the series: `wide` is a CSV
of 20 million columns, which has to be refused within 200 MB; `phone` opens the report of 2,000 clusters in Chromium at a width of 390 px and
says how long that took, how large the page is and whether it is as wide as the screen. Ends with 1 if an audit fails, a goal is missed or the
million queries need more than 4 GB or grow faster than linearly.
"""
import argparse
import functools
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import h5py
import numpy as np

# What grows, the learner, the number of refits (nothing: as by default) and (queries, clusters, actions, features) from small to large.
SERIES = [
    ("queries", "ridge", None, [(62_500, 100, 7, 32), (250_000, 100, 7, 32), (1_000_000, 100, 7, 32)]),
    ("clusters", "ridge", None, [(40_000, 400, 3, 8), (40_000, 2_000, 3, 8), (40_000, 10_000, 3, 8)]),
    ("actions", "ridge", None, [(960, 20, 10, 16), (960, 20, 100, 16), (960, 20, 1_000, 16)]),
    ("features", "forest", 5, [(960, 20, 7, 50), (960, 20, 7, 500), (960, 20, 7, 5_000)]),
    ("features", "ridge", 5, [(960, 20, 7, 50), (960, 20, 7, 500), (960, 20, 7, 5_000)]),
]
# Memory of the largest size in bytes, and exponents of time and memory at the largest step; room for the noise of a shared machine.
GOALS = {"queries": (4e9, 1.15, 1.05)}
WIDE_COLUMNS, WIDE_MEMORY = 20_000_000, 200e6
PHONE = (390, 844)  # pixels


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


def audit(gonogo, table, out, most, *more):
    """CPU seconds, peak memory in bytes, exit code and what was said."""
    log = out.with_suffix(".log")
    with log.open("w") as said:
        program = subprocess.Popen([gonogo, "audit", table, "--out", out, "--quiet", *more],
                                   stdout=said, stderr=subprocess.STDOUT)
        begin = time.monotonic()
        memory = 0
        while True:
            memory = peak_memory(program.pid, memory)
            ended, status, usage = os.wait4(program.pid, os.WNOHANG)
            if ended:
                break
            if time.monotonic() > begin + most:
                program.kill()
            time.sleep(min(0.02, 0.001 + (time.monotonic() - begin) / 100))  # a short run has a short peak
    text = log.read_text().strip()
    return usage.ru_utime + usage.ru_stime, memory, os.waitstatus_to_exitcode(status), text


def exponent(larger, smaller, ratio):
    return math.log(larger / smaller) / math.log(ratio)


def series(gonogo, what, learner, refits, sizes, most):
    """Prints its rows; whether all went well."""
    last, growth = None, None
    for size in sizes:
        queries, clusters, actions, features = size
        with tempfile.TemporaryDirectory() as place:
            table = pathlib.Path(place) / "table.h5"
            write_table(table, *size)
            seconds, memory, code, said = audit(gonogo, table, pathlib.Path(place) / "run", most, "--learner", learner,
                                                *(["--refits", str(refits)] if refits else []))
        grown = size[["queries", "clusters", "actions", "features"].index(what)]
        if last is not None:
            ratio = grown / last[0]
            growth = exponent(seconds, last[1], ratio), exponent(memory, last[2], ratio)
        last = (grown, seconds, memory)
        shown = f"{growth[0]:.2f} time, {growth[1]:.2f} memory" if growth else ""
        print(f"| {what} | {learner}{f', {refits} refits' if refits else ''} | {queries:,} × {actions:,} × {features:,}, {clusters:,} | {code} | "
              f"{seconds:.1f} s | {memory / 1e6:.0f} MB | {shown} |", flush=True)
        if code != 0:
            print(said, file=sys.stderr)
            return False
    goal = GOALS.get(what)
    if goal and (memory > goal[0] or growth[0] > goal[1] or growth[1] > goal[2]):
        print(f"{what}: expected at most {goal[0] / 1e9:.0f} GB and exponents of {goal[1]} and {goal[2]}", file=sys.stderr)
        return False
    return True


def wide(gonogo, most):
    """A header of 20 million columns."""
    with tempfile.TemporaryDirectory() as place:
        table = pathlib.Path(place) / "wide.csv"
        table.write_bytes(b"c," * (WIDE_COLUMNS - 1) + b"c\n")
        seconds, memory, code, said = audit(gonogo, table, pathlib.Path(place) / "run", most)
    print(f"| columns of a CSV | | {WIDE_COLUMNS:,} | {code} | {seconds:.1f} s | {memory / 1e6:.0f} MB | |", flush=True)
    if code != 3 or memory > WIDE_MEMORY:
        print(f"expected 3 within {WIDE_MEMORY / 1e6:.0f} MB: {said[-300:]}", file=sys.stderr)
        return False
    return True


def phone(gonogo, most):
    """The report of 2,000 clusters on a narrow screen. Its own script says how wide it became."""
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        write_table(folder / "table.h5", 40_000, 2_000, 3, 8)
        _, _, code, said = audit(gonogo, folder / "table.h5", folder / "run", most, "--learner", "ridge", "--refits", "50")
        page = folder / "run" / "report.html"
        if code != 0 or not page.exists():
            print(said, file=sys.stderr)
            return False
        size = page.stat().st_size
        framed = folder / "phone.html"
        # Chromium's window is never narrower than 500 px, a frame is as narrow as it is told.
        framed.write_text(f"""<!doctype html><body style="margin:0"><iframe id="p" src="run/report.html" style="border:0;width:{PHONE[0]}px;height:{PHONE[1]}px"></iframe>
            <script>const p = document.getElementById("p"); p.onload = () => requestAnimationFrame(() => {{ const d = p.contentDocument;
            document.title = "width " + d.documentElement.scrollWidth + " elements " + d.querySelectorAll("*").length; }});</script>""")
        begin = time.monotonic()
        opened = subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files", "--virtual-time-budget=30000",
                                 "--dump-dom",
                                 f"--user-data-dir={folder / 'profile'}", f"--window-size=500,{PHONE[1]}", framed.as_uri()],
                                capture_output=True, text=True, check=False, timeout=most)
        seconds = time.monotonic() - begin
    found = re.search(r"<title>width (\d+) elements (\d+)</title>", opened.stdout)
    print(f"| report on a phone | | 2,000 clusters: {size / 1e6:.1f} MB of HTML, {found[2] if found else '?'} elements, {found[1] if found else '?'} px wide | "
          f"{opened.returncode} | {seconds:.1f} s to open | | |", flush=True)
    return bool(found) and opened.returncode == 0 and int(found[1]) <= PHONE[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gonogo", type=pathlib.Path)
    parser.add_argument("series", nargs="*", metavar="SERIES")
    parser.add_argument("--most", type=float, default=900.0)
    args = parser.parse_args()
    gonogo = args.gonogo.resolve()
    tries = {f"{what}-{learner}": functools.partial(series, gonogo, what, learner, refits, sizes, args.most) for what, learner, refits, sizes in SERIES}
    tries |= {"wide": functools.partial(wide, gonogo, args.most), "phone": functools.partial(phone, gonogo, args.most)}
    unknown = set(args.series) - set(tries)
    if unknown:
        sys.exit(f"no series is called {', '.join(sorted(unknown))}; there are {', '.join(tries)}")
    print("| what grows | learner | queries × actions × features, clusters | exit code | CPU time | memory | exponents |")
    print("|---|---|---|---:|---:|---:|---|")
    failed = [name for name, run in tries.items() if (not args.series or name in args.series) and not run()]
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
