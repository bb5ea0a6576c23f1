#!/usr/bin/env python3
"""Prints the SHA-256 of what a gonogo binary computes, so that a change of structure can show that results kept their bytes.

    tools/result_hashes.py build/release/bin/gonogo [NAME...]

Audits are hashed as result.json without what names the build (version and commit), tables as files. The audits of public
tables are left out where those tables are not beside the repository (../shared/data/aslib).
"""
import hashlib
import json
import pathlib
import subprocess
import sys
import tempfile

root = pathlib.Path(__file__).resolve().parent.parent
aslib = root.parent / "shared" / "data" / "aslib"


def hash_of_result(path):
    result = json.loads(path.read_text())
    result.pop("version", None)
    result.get("provenance", {}).pop("build", None)
    result.get("provenance", {}).pop("table", None)  # a path
    text = json.dumps(result, sort_keys=True, indent=1)
    return hashlib.sha256(text.encode()).hexdigest()


def main():
    binary = pathlib.Path(sys.argv[1]).resolve()
    work = {
        "control-ridge": ["control", "learner", "--learner", "ridge"],
        "control-mlp-20-refits": ["control", "learner", "--learner", "mlp", "--refits", "20"],
        "sorting": ["audit", "examples/sorting/table.csv", "--learner", "ridge"],
        "demo-study": ["study", "robots/go2", "--protocol", "robots/go2/demo.toml"],
    }
    for table in sorted(aslib.glob("*/table.csv")):
        work["aslib-" + table.parent.name] = ["audit", str(table), "--learner", "ridge"]
    chosen = sys.argv[2:] or list(work)
    with tempfile.TemporaryDirectory() as scratch:
        for name in chosen:
            out = pathlib.Path(scratch) / name
            subprocess.run([binary, *work[name], "--out", out, "--quiet"], cwd=root, check=True, stdout=subprocess.DEVNULL)
            for file in sorted(out.rglob("result.json")):
                print(f"{hash_of_result(file)}  {name} {file.relative_to(out)}", flush=True)
            for file in sorted(out.rglob("table.h5")):
                print(f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {name} {file.relative_to(out)}", flush=True)


main()
