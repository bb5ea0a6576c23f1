#!/usr/bin/python3
"""Files that another program cuts, overwrites or replaces while they are read: a clear error, or the answer about what was there?

    tests/reliability/changing_files.py GONOGO REPOSITORY [--tries N] [--seed N]

An audit of a table (CSV, HDF5) and an evaluation of a policy (ONNX) are started, and at a random moment of their reading the file is cut,
overwritten in place or replaced. Allowed: 3 or 4 with a sentence, or 0 with the bytes of the result that the file named in it gives when
nobody disturbs. Prints one row a file and way of changing it, and ends with 1 on any problem.
"""
import argparse
import collections
import csv
import hashlib
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

import h5py
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cluster"))
from small_runs import GO2, GONOGO, SORTING  # noqa: E402  (it reads the first two arguments: the program and the repository)

COPIES = 12  # of every query, so that reading takes a while


def make_csv(path):
    rows = list(csv.reader(SORTING.open()))
    with path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(rows[0])
        for copy in range(COPIES):
            for row in rows[1:]:
                writer.writerow([row[0], f"{row[1]}-{copy}", *row[2:]])


def make_h5(path):
    rng = np.random.default_rng(3)
    with h5py.File(path, "w") as file:
        file.attrs["schema"] = "gonogo.table/1"
        file.attrs["actions"] = ["direct", "other"]
        file.attrs["reference"] = "direct"
        file["cluster"] = np.repeat(np.arange(20), 500)
        file["features/obs"] = rng.standard_normal((10_000, 30)).astype("f4")
        file["cost"] = np.exp(0.1 * rng.standard_normal((10_000, 2)))


def cut(path, dice):
    os.truncate(path, dice.randrange(path.stat().st_size))


def overwrite(path, dice):
    size = path.stat().st_size
    with path.open("r+b") as file:
        for _ in range(20):
            file.seek(dice.randrange(size))
            file.write(bytes(dice.choice(b"0123456789") for _ in range(3)))


def replace(path, dice):
    other = path.with_suffix(".new")
    data = bytearray(path.read_bytes())
    at = data.find(b"1", dice.randrange(len(data) // 2))
    data[at:at + 1] = b"2"
    other.write_bytes(data)
    other.rename(path)


CHANGES = {"cut": cut, "overwritten": overwrite, "replaced": replace}


def audit(table, out):
    return [str(GONOGO), "audit", str(table), "--learner", "ridge", "--refits", "5", "--quiet", "--out", str(out)]


def evaluate(policy, out):
    return [str(GONOGO), "evaluate", str(policy.parent), "--methods", "direct", "--family", "moderate", "--seeds", "1", "--trials", "1",
            "--terrain", "flat", "--quiet", "--out", str(out)]


def run(command):
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


def answer(out):
    """The hash of the file that a result is about, and the result; of an evaluation its episodes."""
    if (out / "result.json").exists():
        result = json.loads((out / "result.json").read_text())
        return result["provenance"]["table_sha256"], json.dumps(result, sort_keys=True)
    robots = json.loads((out / "evaluation.json").read_text())["provenance"]["robots"]
    return robots[0]["policy_sha256"], (out / "episodes.csv").read_bytes()


def one_try(original, command, change, reading, place, dice, problems):
    folder = place / "try"
    shutil.copytree(original.parent, folder)
    file, out = folder / original.name, place / "out"
    process = subprocess.Popen(command(file, out), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    time.sleep(dice.uniform(0.0, reading))
    CHANGES[change](file, dice)
    _, said = process.communicate(timeout=120)
    if process.returncode not in (0, 3, 4) or (process.returncode != 0 and not said.strip()):
        problems.append(f"exit code {process.returncode}: {said.strip()[-300:]}")
    if process.returncode == 0:
        named, found = answer(out)
        hashes = {hashlib.sha256(path.read_bytes()).hexdigest(): path for path in [file, original]}
        if named not in hashes:
            problems.append("the result names a file that never was there")
        whole = hashes.get(named, original)
        kept = place / "kept"
        if run(command(whole, kept)).returncode != 0 or answer(kept)[1] != found:
            problems.append("the result is not that of the file which it names")
        shutil.rmtree(kept, ignore_errors=True)
    shutil.rmtree(folder)
    shutil.rmtree(out, ignore_errors=True)
    return process.returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gonogo")
    parser.add_argument("repository")
    parser.add_argument("--tries", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print("| file | is | tries | exit codes | problems |\n|---|---|---:|---|---:|")
    failed = False
    with tempfile.TemporaryDirectory() as name:
        place = pathlib.Path(name)
        for folder, make in [("csv", make_csv), ("h5", make_h5)]:
            (place / folder).mkdir()
            make(place / folder / f"table.{folder}")
        shutil.copytree(GO2, place / "go2")
        for file, command in [(place / "csv" / "table.csv", audit), (place / "h5" / "table.h5", audit), (place / "go2" / "policy.onnx", evaluate)]:
            begin = time.monotonic()
            whole = run(command(file, place / f"whole-{file.suffix[1:]}"))
            if whole.returncode != 0:
                sys.exit(f"{file.name} fails without any disturbance: {whole.stderr}")
            reading = 0.7 * (time.monotonic() - begin)
            for change in CHANGES:
                dice, ends, problems = random.Random(f"{options.seed} {file.name} {change}"), collections.Counter(), []
                for _ in range(options.tries):
                    ends[one_try(file, command, change, reading, place, dice, problems)] += 1
                codes = ", ".join(f"{code}: {count}" for code, count in sorted(ends.items()))
                print(f"| {file.name} | {change} | {options.tries} | {codes} | {len(problems)} |", flush=True)
                for problem, count in sorted(collections.Counter(problems).items()):
                    print(f"    {count} times: {problem}", file=sys.stderr)
                failed = failed or bool(problems)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
