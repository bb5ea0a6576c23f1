#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails when two types of different namespaces have the same name: a reader who finds one of them has to guess which is meant.

Types that only one source file knows are left alone."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent / "gonogo"
DEFINED = re.compile(r"^(?:template <[^>]*>\s*)?(?:struct|class|enum class) (?:\[\[\w+\]\] )?(\w+)(?: final)?\s*(?:[:{]|$)")


def definitions():
    """name -> the headers that define a type of that name."""
    found = {}
    for header in sorted(ROOT.rglob("*.h")):
        if "testing" in header.parts:
            continue
        for line in header.read_text().splitlines():
            match = DEFINED.match(line)
            if match:
                found.setdefault(match.group(1), []).append(str(header.relative_to(ROOT.parent)))
    return found


def main():
    found = definitions()
    twice = {name: files for name, files in found.items() if len(files) > 1}
    for name, files in sorted(twice.items()):
        print(f"{name} is defined in {' and in '.join(files)}")
    print(f"{len(found)} names of types, {len(twice)} with two meanings")
    return bool(twice)


if __name__ == "__main__":
    sys.exit(main())
