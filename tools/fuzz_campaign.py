#!/usr/bin/env python3
"""Runs each fuzz target until it has tried a number of inputs, and prints one table of what was tried.

    tools/fuzz_campaign.py                              every target of fuzz/, a million inputs each, 100,000 where each takes long
    tools/fuzz_campaign.py --inputs 20000 looks_fuzz    fewer, of one target
    tools/fuzz_campaign.py --table                      only the table of what was tried so far

A campaign goes on where it was ended: build/fuzz/campaign/TARGET keeps the corpus and how many inputs were tried. An input that crashes,
leaks, takes more than two minutes or 4 GB stays there as crash-…, leak-…, timeout-… or oom-…; the target is then left alone until that
file is gone. The exit code is 1 when there is any.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading

ROOT = pathlib.Path(__file__).resolve().parent.parent
STATE = ROOT / "build" / "fuzz" / "campaign"
SLICE, SLICE_SECONDS = 200_000, 1800  # at most so many inputs and so long between two notes of the count
MANY, FEWER = 1_000_000, 100_000
INTERRUPTED = 72  # exit code of libFuzzer after Ctrl-C, which it gets as we do


def is_slow(target):
    """Targets that write an HDF5 file, compile a model or run a whole audit for each input."""
    source = (ROOT / "fuzz" / f"{target}.cc").read_text()
    return any(sign in source for sign in ("fuzz/hdf5_", "sim/model/", "RunAudit("))


class Campaign:
    """What was tried of one target."""

    def __init__(self, target):
        self.target = target
        self.folder = STATE / target
        self.corpus = self.folder / "corpus"
        self.note = self.folder / "count.json"
        self.counts = {"inputs": 0, "seconds": 0.0, "edges": 0}
        if self.note.exists():
            self.counts.update(json.loads(self.note.read_text()))

    def findings(self):
        return sorted(path for path in self.folder.glob("*-*") if path.is_file())

    def files(self):
        return sum(1 for _ in self.corpus.glob("*")) if self.corpus.exists() else 0

    def run(self, inputs, scratch, stop):
        """Tries inputs until there are as many, one that breaks something, or somebody interrupts."""
        self.corpus.mkdir(parents=True, exist_ok=True)
        while self.counts["inputs"] < inputs and not self.findings() and not stop.is_set():
            if self.run_slice(min(SLICE, inputs - self.counts["inputs"]), scratch) == INTERRUPTED:
                stop.set()

    def run_slice(self, inputs, scratch):
        # Each slice begins with the corpus again, which is no new input; looking for leaks may run each file of it twice. Choosing inputs
        # by their entropy, as libFuzzer does unless told otherwise, takes a third of the time of a target with thousands of edges.
        runs = inputs + 2 * (self.files() + sum(1 for _ in (ROOT / "fuzz/seeds" / self.target).glob("*")))
        command = [ROOT / "build/fuzz/bin" / self.target, f"-runs={runs}", f"-max_total_time={SLICE_SECONDS}", "-entropic=0", "-timeout=120",
                   "-rss_limit_mb=4096", "-print_final_stats=1", "-reload=0", f"-artifact_prefix={self.folder}/", self.corpus,
                   ROOT / "fuzz/seeds" / self.target]
        words = ROOT / "fuzz" / f"{self.target}.dict"
        if words.exists():
            command.insert(1, f"-dict={words}")
        with open(self.folder / "last.log", "w", encoding="utf-8", errors="replace") as log:
            # Where memory was taken is asked when an input that broke something is tried again; noting it each time is slow.
            fuzzer = subprocess.Popen([str(part) for part in command], stdout=log, stderr=log,
                                      env={"ASAN_OPTIONS": "malloc_context_size=1", **os.environ, "TMPDIR": scratch})
            _, status, used = os.wait4(fuzzer.pid, 0)
        fuzzer.returncode = os.waitstatus_to_exitcode(status)
        said = (self.folder / "last.log").read_text(encoding="utf-8", errors="replace")
        tried = re.search(r"stat::number_of_executed_units:\s+(\d+)", said)
        again = re.search(r"#(\d+)\s+INITED", said)
        edges = re.findall(r"cov: (\d+)", said)
        if tried is None and not self.findings():
            sys.exit(f"{self.target} ended with code {fuzzer.returncode} and said nothing about its inputs; see {self.folder}/last.log")
        self.counts["inputs"] += int(tried.group(1)) - int(again.group(1)) if tried and again else 0
        self.counts["seconds"] += used.ru_utime + used.ru_stime  # other work on the machine does not count
        self.counts["edges"] = max([self.counts["edges"], *map(int, edges)])
        unfinished = self.note.with_suffix(".tmp")
        unfinished.write_text(json.dumps(self.counts))
        unfinished.rename(self.note)
        return fuzzer.returncode

    def row(self):
        seconds = self.counts["seconds"]
        return [self.target, f"{self.counts['inputs']:,}", f"{seconds:.0f}", f"{self.counts['inputs'] / seconds:.0f}" if seconds else "—",
                f"{self.counts['edges']:,}", f"{self.files():,}", str(len(self.findings()))]


def print_table(campaigns):
    """As Markdown, so that it can be put into a page."""
    rows = [["target", "inputs", "CPU s", "inputs/CPU s", "edges", "corpus", "crashes"], *(campaign.row() for campaign in campaigns)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for number, row in enumerate(rows):
        cells = [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:]))]
        print("| " + " | ".join(cells) + " |")
        if number == 0:
            print("|" + "|".join(["-" * (widths[0] + 2), *("-" * (width + 1) + ":" for width in widths[1:])]) + "|")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("targets", nargs="*", help="targets [all of fuzz/*_fuzz.cc]")
    parser.add_argument("--inputs", type=int, help=f"for each target [{MANY:,}; {FEWER:,} where each takes long]")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="of the build, and targets at once [all cores]")
    parser.add_argument("--table", action="store_true", help="run nothing, print what was tried so far")
    options = parser.parse_args()
    known = sorted(path.stem for path in (ROOT / "fuzz").glob("*_fuzz.cc"))
    unknown = [target for target in options.targets if target not in known]
    if unknown:
        parser.error(f"there is no target {unknown[0]}; there are {', '.join(known)}")
    campaigns = [Campaign(target) for target in options.targets or known]
    if not options.table:
        names = [campaign.target for campaign in campaigns]
        subprocess.run(["cmake", "--preset", "fuzz"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        subprocess.run(["cmake", "--build", "--preset", "fuzz", "-j", str(options.jobs), "--target", *names], cwd=ROOT, check=True)
        memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        scratch = tempfile.mkdtemp(prefix="gonogo-fuzz-", dir=memory)
        try:
            with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
                stop = threading.Event()
                runs = [pool.submit(campaign.run, options.inputs or (FEWER if is_slow(campaign.target) else MANY), scratch, stop)
                        for campaign in campaigns]
                try:
                    for run in runs:
                        run.result()
                finally:
                    stop.set()
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
    print_table(campaigns)
    found = [str(path) for campaign in campaigns for path in campaign.findings()]
    for path in found:
        print(f"crash: {path}", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
