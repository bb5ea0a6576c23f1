#!/usr/bin/python3
"""Prints the SHA-256 of what a gonogo binary computes, so that a change of structure can show that results kept their bytes.

    tools/result_hashes.py build/release/bin/gonogo [--without KEY] [NAME...]

Audits are hashed as result.json without what names the build (version, commit, hashes of files that carry them), tables
as their datasets. --without leaves out a key of result.json that was added on purpose. The audits of public tables are left
out where those tables are not beside the repository (../shared/data/aslib).
"""
import argparse
import hashlib
import json
import pathlib
import subprocess
import tempfile

root = pathlib.Path(__file__).resolve().parent.parent
aslib = root.parent / "shared" / "data" / "aslib"


def hash_of_result(path, without):
    result = json.loads(path.read_text())
    provenance = result.get("provenance", {})
    for key in ["build", "collection", "table_sha256"]:
        provenance.pop(key, None)
    for key in ["version", *without]:
        result.pop(key, None)
    text = json.dumps(result, sort_keys=True, indent=1)
    return hashlib.sha256(text.encode()).hexdigest()


def hash_of_table(path):
    import h5py

    digest = hashlib.sha256()

    def add(name, item):
        # Numbers that no audit looks at may be added; what is judged may not change.
        if isinstance(item, h5py.Dataset) and not name.startswith("other_outcomes/"):
            digest.update(f"{name} {item.shape} {item.dtype}".encode())
            digest.update(repr(item[()].tolist()).encode())

    with h5py.File(path) as file:
        file.visititems(add)
        digest.update(repr(file.attrs.get("declaration_sha256")).encode())
    return digest.hexdigest()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("--without", action="append", default=[], metavar="KEY")
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_intermixed_args()
    work = {
        "control-ridge": ["control", "learner", "--learner", "ridge"],
        "control-mlp-20-refits": ["control", "learner", "--learner", "mlp", "--refits", "20"],
        "sorting": ["audit", "examples/sorting/table.csv", "--learner", "ridge"],
        "demo-study": ["study", "robots/go2", "--protocol", "robots/go2/demo.toml"],
    }
    for table in sorted(aslib.glob("*/table.csv")):
        work["aslib-" + table.parent.name] = ["audit", str(table), "--learner", "ridge"]
    with tempfile.TemporaryDirectory() as scratch:
        for name in options.names or work:
            out = pathlib.Path(scratch) / name
            subprocess.run([options.binary, *work[name], "--out", out, "--quiet"], cwd=root, check=True, stdout=subprocess.DEVNULL)
            for file in sorted(out.rglob("result.json")):
                print(f"{hash_of_result(file, options.without)}  {name} {file.relative_to(out)}", flush=True)
            for file in sorted(out.rglob("table.h5")):
                print(f"{hash_of_table(file)}  {name} {file.relative_to(out)}", flush=True)


main()
