#!/usr/bin/env python3
"""Prints the audits of the measured domains under examples/ as Markdown; with --measure it measures them again before.

    tools/gallery.py build/release/bin/gonogo [--measure] [--domains joins,caches]

Headroom is what an oracle saves over the best fixed action, recovered is the share of it that the adapter saves at held-out clusters
(H_dep divided by it). With --measure every make_table.py runs (programs: docs/gallery.md; packages of requirements.txt), and a table
that comes out different from the one in the repository is named: another version of a measured program counts otherwise.
"""
import argparse
import hashlib
import json
import pathlib
import subprocess
import sys
import tempfile

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent / "examples"
DOMAINS = ["joins", "caches", "sat", "sorting"]


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def measure(gonogo, folder):
    declared = subprocess.run([gonogo, "declare", folder / "audit.toml"], capture_output=True, text=True, check=True).stdout.split()[0]
    before = sha256(folder / "table.csv")
    subprocess.run([sys.executable, folder / "make_table.py", declared], check=True, cwd=folder)
    same = sha256(folder / "table.csv") == before
    print(f"{folder.name}: measured again, {'the same table' if same else 'ANOTHER TABLE than the one in the repository'}", file=sys.stderr)


def audit(gonogo, folder, out):
    copy = out / f"{folder.name}.csv"  # beside its own ledger: looking at the gallery is no look at a growing table
    copy.write_bytes((folder / "table.csv").read_bytes())
    command = [gonogo, "audit", copy, "--protocol", folder / "audit.toml", "--quiet", "--out", out / folder.name]
    subprocess.run([str(part) for part in command], stdout=subprocess.DEVNULL, check=True)
    return json.loads((out / folder.name / "result.json").read_text())


def percent(value):
    return f"{100 * value:.1f} %".replace("-", "−")


def row(name, result):
    channel = next(c for c in result["channels"] if c["name"] == "H_dep" and c["decides"])
    estimates = result["estimates"]
    headroom = 1 - (1 - estimates["H_avail"]["point"]) / (1 - estimates["H_global"]["point"])
    interval = f"[{100 * channel['lower']:.1f}, {100 * channel['upper']:.1f}]".replace("-", "−")
    size = f"{result['table']['clusters']} × {result['table']['queries'] // result['table']['clusters']}"
    recovered = f"{100 * channel['point'] / headroom:.0f} %".replace("-", "−")
    return (f"| {name} | {size}, {len(result['actions'])} actions | {percent(headroom)} | {percent(channel['point'])} {interval} | "
            f"{recovered} | {result['decision'] or result['reading'] + ' (descriptive)'} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("gonogo", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("--measure", action="store_true")
    parser.add_argument("--domains", default=",".join(DOMAINS))
    options = parser.parse_args()
    print("| domain | clusters × queries | headroom | H_dep | recovered | verdict |")
    print("|---|---|---:|---|---:|---|", flush=True)
    with tempfile.TemporaryDirectory() as out:
        for name in options.domains.split(","):
            if options.measure:
                measure(options.gonogo, EXAMPLES / name)
            print(row(name, audit(options.gonogo, EXAMPLES / name, pathlib.Path(out))), flush=True)


if __name__ == "__main__":
    main()
