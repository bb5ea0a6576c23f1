#!/usr/bin/env python3
"""Writes table.csv: what every compressor would cost on the same files of Debian packages.

A query is a file that a package installed, an action is the compressor that stores its first 64 KiB, and a cluster is the package: new
packages will come. The cost is in bytes: those of the result, and one for every 10,000 instructions that compressing executed, which
valgrind counts. Features are what a storage service can see cheaply: the size and a few statistics of the first 4 KiB.

    python3 make_table.py "$(gonogo declare audit.toml)"

The argument is the fingerprint of the protocol, declared before anything was compressed; it goes into every row. Needs the packages
below, zstd, lz4, gzip, bzip2, xz-utils and valgrind of Debian 12; the same versions give the same table.
"""
import collections
import concurrent.futures
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

PACKAGES = ["bash", "binutils-x86-64-linux-gnu", "bzip2", "ca-certificates", "coreutils", "cpp-12", "debconf", "dpkg", "gcc-12", "git",
            "gnupg-utils", "gpg", "grep", "libc6-dev", "libeigen3-dev", "libgcc-12-dev", "libperl5.36", "libpython3.11-minimal",
            "libpython3.11-stdlib", "libstdc++-12-dev", "linux-libc-dev", "make", "mawk", "openssl", "perl", "perl-base",
            "perl-modules-5.36", "python3.11-minimal", "tar", "tzdata", "util-linux", "valgrind", "xz-utils", "zstd"]
FILES, SMALLEST, HEAD, PROBE, INSTRUCTIONS_PER_BYTE = 12, 2048, 65536, 4096, 10_000
COMMANDS = {"zstd-3": "zstd -3 --single-thread -c", "lz4-1": "lz4 -1 -c", "gzip-6": "gzip -6 -n -c", "bzip2-9": "bzip2 -9 -c",
            "xz-6": "xz -6 -T1 -c"}


def files_of(package):
    listed = subprocess.run(["dpkg", "-L", package], capture_output=True, text=True)
    paths = sorted({pathlib.Path(line) for line in listed.stdout.splitlines()})
    kept = [p for p in paths if p.is_file() and not p.is_symlink() and p.stat().st_size >= SMALLEST and not p.name.endswith(".gz")]
    step = max(1, len(kept) / FILES)
    return [kept[int(i * step)] for i in range(min(FILES, len(kept)))]


def probes(head, size):
    start = head[:PROBE]
    share = [count / len(start) for count in collections.Counter(start).values()]
    pairs = collections.Counter(zip(start, start[1:]))
    entropy = -sum(p * math.log2(p) for p in share)
    pair_entropy = -sum(n / (len(start) - 1) * math.log2(n / (len(start) - 1)) for n in pairs.values())
    text = sum(32 <= b < 127 or b in (9, 10, 13) for b in start) / len(start)
    words = {start[i:i + 8] for i in range(len(start) - 8)}
    return [math.log2(min(size, HEAD)), entropy, pair_entropy - entropy, text, start.count(0) / len(start), len(words) / len(start)]


def cost_of(command, path):
    run = subprocess.run(["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null", *command.split(), path],
                         capture_output=True, check=True)
    instructions = int(re.search(rb"I +refs: +([0-9,]+)", run.stderr).group(1).replace(b",", b""))
    return len(run.stdout) + instructions / INSTRUCTIONS_PER_BYTE


def measure(path):
    """The features of a file and what each compressor costs."""
    with tempfile.TemporaryDirectory() as folder:  # paths of one length: their bytes would be counted, too
        head, copy = path.read_bytes()[:HEAD], pathlib.Path(folder) / "file"
        copy.write_bytes(head)
        return probes(head, path.stat().st_size), [cost_of(command, str(copy)) for command in COMMANDS.values()]


def main():
    rows = ["cluster,query,action,cost,declaration_sha256,f_log2_size,f_entropy,f_next_entropy,f_text,f_zeros,f_distinct"]
    files = [(package, path) for package in PACKAGES for path in files_of(package)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        measured = pool.map(measure, [path for _, path in files])
        for (package, path), (values, costs) in zip(files, measured):
            features = ",".join(f"{value:.4f}" for value in values)
            rows += [f"{package},{path},{action},{cost:.1f},{sys.argv[1]},{features}" for action, cost in zip(COMMANDS, costs)]
    pathlib.Path(__file__).with_name("table.csv").write_text("\n".join(rows) + "\n")


if __name__ == "__main__":
    main()
