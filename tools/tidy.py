#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""clang-tidy over the named sources, or all of gonogo/, several at a time.

Nearly all of clang-tidy's time goes into the headers of libraries, so sources with the same flags are checked as one unit that
includes them. Sources whose private names collide cannot share a unit: they are kept apart by a guess, and a unit that still does
not compile is halved.

  tools/tidy.py BUILD_DIRECTORY [FILE...]
"""
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys

LARGEST_UNIT = 12
# What a line without indentation defines: a type, a function or a constant.
PRIVATE_NAME = re.compile(r"^(?:(?:struct|class|enum class|using) (\w+)|[a-zA-Z][\w:<>,&*\[\] ]*? [&*]?(\w+)(?:\(|\[| =|\{|;))", re.M)


def private_names(source):
    """Names in the anonymous namespaces of a source, roughly."""
    blocks = re.findall(r"^namespace \{$(.*?)^\}  // namespace$", source.read_text(), re.M | re.S)
    return {a or b for block in blocks for a, b in PRIVATE_NAME.findall(block)}


def units(commands, sources):
    """Lists of sources that may be compiled together."""
    made = []  # (directory, flags, names, sources)
    for source in sources:
        command = commands[source]
        flags = command["command"].split(" -o ")[0]
        names = private_names(source)
        for unit in made:
            if unit[0] == source.parent and unit[1] == flags and len(unit[3]) < LARGEST_UNIT and not unit[2] & names:
                unit[2].update(names)
                unit[3].append(source)
                break
        else:
            made.append((source.parent, flags, set(names), [source]))
    return [unit[3] for unit in made]


def check(unit, commands, folder):
    """What clang-tidy says about the sources of one unit."""
    name = folder / ("_".join(unit[0].parts[-3:]) + f"_{len(unit)}")
    name.mkdir(parents=True, exist_ok=True)
    main = name / "unit.cc"
    main.write_text("".join(f'#include "{source}"\n' for source in unit))
    command = commands[unit[0]]
    (name / "compile_commands.json").write_text(json.dumps([{
        "directory": command["directory"], "file": str(main),
        "command": command["command"].split(" -o ")[0] + f" -c {main}"}]))
    run = subprocess.run(["clang-tidy", "--quiet", "--checks=-bugprone-suspicious-include", "-p", str(name), str(main)],
                         capture_output=True, text=True)
    if "clang-diagnostic-error" in run.stdout and len(unit) > 1:
        half = len(unit) // 2
        return check(unit[:half], commands, folder) + check(unit[half:], commands, folder)
    return run.stdout if run.returncode else ""


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    root = pathlib.Path(__file__).resolve().parent.parent
    commands = {pathlib.Path(c["file"]): c for c in json.loads((build / "compile_commands.json").read_text())}
    if len(sys.argv) > 2:
        sources = [pathlib.Path(name).resolve() for name in sys.argv[2:]]
        unknown = [str(source) for source in sources if source not in commands]
        if unknown:
            sys.exit(f"not in {build}/compile_commands.json: {', '.join(unknown)}")
    else:
        sources = sorted(source for source in commands if source.is_relative_to(root / "gonogo"))
        if not sources:  # a unity build lists its units only
            sys.exit(f"{build}/compile_commands.json names no source of gonogo/: configure with GONOGO_UNITY=OFF")
    todo = units(commands, sources)
    failed = False
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for done, said in enumerate(pool.map(lambda unit: check(unit, commands, build / "tidy"), todo), 1):
            if sys.stderr.isatty():
                print(f"\rclang-tidy: {done} of {len(todo)} units", end="", file=sys.stderr)
            if said:
                failed = True
                print("\n" + said, flush=True)
    print(f"\rclang-tidy: {len(sources)} sources, " + ("see above" if failed else "nothing found"), file=sys.stderr)
    return failed


if __name__ == "__main__":
    sys.exit(main())
