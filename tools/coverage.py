#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints which share of the lines and branches of each module the tests ran, and the files of which they ran little.

  tools/coverage.py BUILD [MODULE...]      after the tests of a build with --coverage (`make coverage`)

Fails where the lines of a module are below its GOAL; the goal of all modules together holds where none is named."""
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
GOAL = {"all": 85.0, "audit": 92.0}
LITTLE = 70.0  # per cent of the lines of a file


def percent(covered, total):
    return 100.0 * covered / total if total else 100.0


def files_of(build, modules):
    filters = [f"gonogo/{module}/" for module in modules] or ["gonogo/"]
    command = ["gcovr", "--root", ROOT, "--object-directory", build, "--json-summary", "-", "--exclude-throw-branches",
               "--exclude-unreachable-branches", "-j", "2", *(word for name in filters for word in ("--filter", name)),
               "--exclude", r".*_(test|bench)\.cc", "--exclude", r".*/testing/.*", build]
    done = subprocess.run([str(word) for word in command], cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr[-2000:])
    return json.loads(done.stdout)["files"]


def row(name, files):
    total = {key: sum(file[key] for file in files) for key in ("line_covered", "line_total", "branch_covered", "branch_total")}
    lines = percent(total["line_covered"], total["line_total"])
    print(f"  {name:<12} {lines:6.1f} % of {total['line_total']:6} lines   "
          f"{percent(total['branch_covered'], total['branch_total']):6.1f} % of {total['branch_total']:6} branches")
    return lines


def main():
    build, modules = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:]
    files = files_of(build, modules)
    by_module = {}
    for file in files:
        by_module.setdefault(file["filename"].split("/")[1], []).append(file)
    missed = []
    for module, inside in sorted(by_module.items()):
        lines = row(module, inside)
        if lines < GOAL.get(module, 0.0):
            missed.append(f"{module} is at {lines:.1f} %, its goal is {GOAL[module]} %")
    lines = row("all", files)
    if not modules and lines < GOAL["all"]:
        missed.append(f"all modules are at {lines:.1f} %, the goal is {GOAL['all']} %")
    little = sorted((percent(file["line_covered"], file["line_total"]), file["filename"], file["line_total"]) for file in files
                    if file["line_total"] and percent(file["line_covered"], file["line_total"]) < LITTLE)
    print(f"\nfiles of which less than {LITTLE:.0f} % of the lines ran:" if little else f"\nno file below {LITTLE:.0f} %")
    for share, name, count in little:
        print(f"  {share:6.1f} %  {name} ({count} lines)")
    for line in missed:
        print(line)
    return bool(missed)


if __name__ == "__main__":
    sys.exit(main())
