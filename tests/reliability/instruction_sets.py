#!/usr/bin/env python3
"""How far do verdicts move when the program is compiled for another instruction set?

    tests/reliability/instruction_sets.py REPOSITORY FOLDER [--jobs N] [SET...]

Builds the program for x86-64-v2, v3 and v4 (-DGONOGO_ARCH=…; there is no choice at run time) in FOLDER/SET, runs the same audits with each
and prints, for every audit, the verdicts and the largest deviation of any bound or point from those of v3, the default of a release. A set that
this machine cannot execute is built and left out, by name. Ends with 1 if a verdict differs.
"""
import argparse
import json
import pathlib
import shutil
import subprocess
import sys

SETS = ["x86-64-v2", "x86-64-v3", "x86-64-v4"]
DEFAULT = "x86-64-v3"
# The flag of /proc/cpuinfo that the last extension of each set is known by.
NEEDS = {"x86-64-v2": "ssse3", "x86-64-v3": "avx2", "x86-64-v4": "avx512vl"}


def audits(source):
    sorting = source / "examples" / "sorting" / "table.csv"
    return {
        "control, ridge": ["control", "learner", "--learner", "ridge"],
        "sorting, ridge": ["audit", sorting, "--learner", "ridge"],
        "sorting, forest of 50 refits": ["audit", sorting, "--learner", "forest", "--refits", "50"],
        "sorting, mlp of 10 refits": ["audit", sorting, "--learner", "mlp", "--refits", "10"],
    }


def build(source, folder, arch, jobs):
    subprocess.run(["cmake", "--preset", "release", "-S", source, "-B", folder, f"-DGONOGO_ARCH={arch}", "-DGONOGO_TESTS=OFF"], check=True,
                   cwd=source, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", folder, "-j", str(jobs), "--target", "gonogo"], check=True, stdout=subprocess.DEVNULL)
    return folder / "bin" / "gonogo"


def numbers(result):
    """Points and bounds of every channel, by name."""
    found = {}
    for channel in result["channels"]:
        for key in ["point", "lower", "upper"]:
            value = channel.get(key)
            if isinstance(value, (int, float)):
                found[f"{channel['name']} {key}"] = value
    return found


def run(program, command, out):
    shutil.rmtree(out, ignore_errors=True)  # that of an earlier version
    subprocess.run([program, *map(str, command), "--quiet", "--out", str(out)], check=True, stdout=subprocess.DEVNULL)
    return json.loads((out / "result.json").read_text())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("sets", nargs="*", metavar="SET")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    source, place = options.repository.resolve(), options.folder.resolve()
    flags = pathlib.Path("/proc/cpuinfo").read_text()
    results = {}
    for arch in dict.fromkeys([DEFAULT, *(options.sets or SETS)]):
        program = build(source, place / arch, arch, options.jobs)
        if NEEDS[arch] not in flags:
            print(f"{arch}: builds, but this machine cannot execute it", file=sys.stderr)
            continue
        results[arch] = {name: run(program, command, place / arch / "runs" / name.replace(", ", "-").replace(" ", "-"))
                         for name, command in audits(source).items()}
    print("| audit | set | verdict | largest deviation from x86-64-v3 | where |\n|---|---|---|---:|---|")
    differs = False
    for name in audits(source):
        default = results[DEFAULT][name]
        for arch, by_name in results.items():
            values, base = numbers(by_name[name]), numbers(default)
            if not base or values.keys() != base.keys():
                sys.exit(f"{name}: the channels of {arch} are others than those of {DEFAULT}")
            where = max(base, key=lambda key: abs(values[key] - base[key]))
            far = abs(values[where] - base[where])
            differs |= by_name[name]["reading"] != default["reading"]
            print(f"| {name} | {arch} | {by_name[name]['reading']} | {far:.3g} | {where if far else ''} |")
    return 1 if differs else 0


if __name__ == "__main__":
    sys.exit(main())
