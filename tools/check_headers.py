#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails when a public header needs something that it does not include: it must compile alone, whoever includes it. Public are those of
cmake/public_headers.txt and what they include; with --all every header of gonogo/ is checked.

A unity build hides such gaps, and compiling each header alone takes about six minutes, most of them for the headers of libraries.
So the libraries are precompiled once, and each header is compiled alone on top of them, unless another one includes it before
anything else of ours, which is as good. What it uses of the libraries and of the standard library is looked up in its text:
somebody whom it includes has to include the place where that is declared.

  tools/check_headers.py BUILD_DIRECTORY [--all | HEADER...]      the directory of compile_commands.json
"""
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
CONTAINERS = "vector string string_view span array map set deque unordered_map unordered_set"
# What a header names -> the headers of which one has to be reached.
PLACES = [
    (r"std::(?:vector|span|optional|variant|array|any|deque|filesystem|atomic|regex|tuple|unordered_map|unordered_set)\b", None),
    (r"std::string\b", "string"), (r"std::string_view\b", "string_view string"),
    (r"std::(?:multi)?map\b", "map"), (r"std::(?:multi)?set\b", "set"),
    (r"std::function\b", "functional"), (r"std::(?:unique_ptr|shared_ptr|weak_ptr|make_unique|make_shared)\b", "memory"),
    (r"std::(?:mutex|lock_guard|scoped_lock|unique_lock|once_flag)\b", "mutex"), (r"std::j?thread\b", "thread"),
    (r"std::stop_(?:token|source|callback)\b", "stop_token thread"), (r"std::chrono\b", "chrono"),
    (r"std::(?:pair|move|forward|exchange|in_place)\b", f"utility tuple memory optional variant functional algorithm {CONTAINERS}"),
    (r"std::numeric_limits\b", "limits"), (r"std::u?int(?:8|16|32|64)_t\b", "cstdint"),
    (r"std::size_t\b", f"cstddef cstdint cstring memory optional functional {CONTAINERS}"),
    (r"std::(?:sqrt|abs|exp|log|pow|hypot|isfinite|isnan|lround|round|floor|ceil|sin|cos|tanh|atan2)\b", "cmath"),
    (r"std::(?:sort|min|max|clamp|fill|copy|find|find_if|any_of|all_of|none_of|transform)\b", "algorithm"),
    (r"std::(?:accumulate|iota|inner_product)\b", "numeric"), (r"std::(?:ifstream|ofstream)\b", "fstream"),
    (r"std::(?:ostringstream|istringstream|stringstream)\b", "sstream"),
    (r"std::(?:is_same_v|decay_t|enable_if_t|conditional_t|invoke_result_t|remove_cvref_t|is_\w+_v)\b", "type_traits concepts"),
    (r"std::bit_cast\b", "bit"), (r"std::mem(?:cpy|cmp|set)\b", "cstring"),
    (r"\bEigen::", "Eigen/Core Eigen/Dense"), (r"\bnlohmann::", "nlohmann/json.hpp nlohmann/json_fwd.hpp"),
    (r"\bfmt::", "fmt/format.h fmt/core.h"), (r"\btesting::", "gtest/gtest.h gmock/gmock.h"),
]


def code_of(path):
    """The text without comments and strings."""
    return re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', " ", path.read_text(), flags=re.S)


def includes_of(path, known={}):
    if path not in known:
        known[path] = re.findall(r'^\s*#include\s+[<"]([^>"]+)[>"]', path.read_text(), re.M)
    return known[path]


def reached(path, seen=None):
    """Every include of a header and of those of ours that it includes."""
    seen = set() if seen is None else seen
    for name in includes_of(path):
        if name not in seen:
            seen.add(name)
            if (ROOT / name).exists():
                reached(ROOT / name, seen)
    return seen


def public_headers():
    named = [line for line in (ROOT / "cmake/public_headers.txt").read_text().splitlines() if line.startswith("gonogo/")]
    return sorted({ROOT / name for header in named for name in (header, *reached(ROOT / header)) if (ROOT / name).exists()})


def missing_libraries(path):
    code, have = code_of(path), reached(path)
    for pattern, places in PLACES:
        for name in sorted({match.group(0) for match in re.finditer(pattern, code)}):
            wanted = places.split() if places else [name.removeprefix("std::")]
            if not have & set(wanted):
                yield f"names {name} without <{wanted[0]}>"


def flags_of(build):
    """Include folders and definitions of all targets together."""
    flags = []
    for command in json.loads((build / "compile_commands.json").read_text()):
        words = shlex.split(command["command"])
        for word, after in zip(words, words[1:] + [""]):
            found = word + after if word == "-isystem" else word
            if found.startswith(("-isystem", "-I", "-D")) and found not in flags:
                flags.append(found)
    return ["-std=c++20", "-march=x86-64-v3", "-Wno-pragma-once-outside-header", *flags]


def precompile(headers, flags, folder):
    """What several headers include of the libraries and of the standard library."""
    count = {}
    for header in headers:
        for name in includes_of(header):
            if not (ROOT / name).exists():
                count[name] = count.get(name, 0) + 1
    common = folder / "libraries.h"
    common.write_text("".join(f"#include <{name}>\n" for name, uses in sorted(count.items()) if uses > 2 or "/" not in name and "." not in name))
    precompiled = folder / "libraries.pch"
    subprocess.run(["clang++", *flags, "-fpch-instantiate-templates", "-x", "c++-header", str(common), "-o", str(precompiled)], check=True)
    return precompiled


def first_of_ours(header):
    return next((ROOT / name for name in includes_of(header) if (ROOT / name).exists()), None)


def does_not_compile(header, flags, precompiled):
    run = subprocess.run(["clang++", *flags, "-include-pch", str(precompiled), "-fsyntax-only", "-x", "c++", str(header)],
                         capture_output=True, text=True)
    return [run.stderr] if run.returncode else []


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    headers = sorted((ROOT / "gonogo").rglob("*.h")) if "--all" in sys.argv else public_headers()
    asked = [pathlib.Path(name).resolve() for name in sys.argv[2:] if name != "--all"] or headers
    flags = flags_of(build)
    errors = [f"{header.relative_to(ROOT)}: {reason}" for header in asked for reason in missing_libraries(header)]
    covered = {first_of_ours(header) for header in asked}
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        precompiled = precompile(headers, flags, pathlib.Path(folder))
        for found in pool.map(lambda header: does_not_compile(header, flags, precompiled), [h for h in asked if h not in covered]):
            errors += found
    for error in errors:
        print(error)
    print(f"{len(asked)} headers compiled alone, " + ("see above" if errors else "nothing missing"))
    return bool(errors)


if __name__ == "__main__":
    sys.exit(main())
