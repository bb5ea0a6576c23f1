#!/usr/bin/python3
"""Reads off ELF files how they are hardened: the flags of the compiler are a promise, the file is what is shipped.

    tests/install/hardening_test.py [--packaged] FILE...

Every file has to be position-independent, with a stack that cannot be executed and tables of the linker that are read-only once they are
filled (RELRO). With --packaged, which means built with -DGONOGO_HARDEN=ON, it also has to resolve everything before it starts (BIND_NOW, so
that RELRO covers all of the table), to guard its stacks and, if it is a program, to call the checked forms of the C library (_FORTIFY_SOURCE). Needs readelf.
"""
import argparse
import re
import subprocess
import sys


def readelf(file, *options):
    return subprocess.run(["readelf", "-W", *options, file], capture_output=True, text=True, check=True).stdout


def missing(file, packaged):
    """What the file lacks, in words."""
    header, segments, dynamic = readelf(file, "-h"), readelf(file, "-l"), readelf(file, "-d")
    if not re.search(r"Type:\s+DYN", header):
        yield "is not position-independent"
    stack = re.search(r"GNU_STACK(?:\s+0x\w+){5}\s+(\S+)", segments)
    if stack is None or "E" in stack[1]:
        yield "has a stack that can be executed"
    if "GNU_RELRO" not in segments:
        yield "has no RELRO"
    if not packaged:
        return
    if not re.search(r"BIND_NOW|\bNOW\b", dynamic):
        yield "is not BIND_NOW"
    symbols = readelf(file, "--dyn-syms")
    if "__stack_chk_fail" not in symbols:
        yield "has no stack protector"
    # A small library may call nothing that has a checked form.
    if "INTERP" in segments and not re.search(r"\b__\w+_chk\b", re.sub("__stack_chk_fail", "", symbols)):
        yield "calls no checked form of the C library (_FORTIFY_SOURCE)"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--packaged", action="store_true")
    parser.add_argument("files", nargs="+", metavar="FILE")
    options = parser.parse_args()
    problems = [f"{file} {problem}" for file in options.files for problem in missing(file, options.packaged)]
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{len(options.files)} files, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
