#!/usr/bin/python3
"""Keeps what a gonogo program prints and writes in about twenty runs, so that a change of structure can show that results kept their bytes.

    tools/freeze.py build/release/bin/gonogo FOLDER                  runs them and keeps text, result.json, report.html and tables in FOLDER
    tools/freeze.py build/release/bin/gonogo FOLDER --against OLD    runs them and compares with what an earlier program left in OLD
    tools/freeze.py build/release/bin/gonogo FOLDER --against OLD audit-ridge robot-study      only the named runs

What names the build (version, commit, compiler, engine, hashes of files that carry them, times) is replaced by its key, so that two builds of
one behaviour agree. Runs whose names begin with "robot-" depend on the physics engine. The audits of public tables are left out where those
tables are not beside the repository (../shared/data/aslib). Exit code 1: something differs; both files can then be compared with diff.
"""
import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
ASLIB = ROOT.parent / "shared" / "data" / "aslib"

SMALL_PROTOCOL = """
[protocol]
name = "small"
actions = ["direct", "scale-0.75", "heading+0.3"]
min_clusters = 3
[collect]
seeds = [1, 2, 3]
queries_per_cluster = 4
queries_per_episode = 1
family = "moderate"
terrain = "rough"
replayed = 1
[learner]
kind = "ridge"
[bootstrap]
refits = 20
"""


def runs(place):
    """Name -> arguments; "OUT" stands for the folder of the run. What the runs read besides the repository is written into `place`."""
    def copied(table):
        """A copy with its protocol: looks at a table are counted beside it, and ours are nobody's."""
        folder = place / table.parent.name
        folder.mkdir(exist_ok=True)
        for file in [table, table.parent / "audit.toml"]:
            if file.exists():
                shutil.copy(file, folder)
        return folder / table.name

    log, small = place / "log.csv", place / "small.toml"
    sorting = copied(ROOT / "examples/sorting/table.csv")
    subprocess.run(["/usr/bin/python3", ROOT / "examples/logged/thin.py", sorting, "--out", log], check=True, stdout=subprocess.DEVNULL)
    small.write_text(SMALL_PROTOCOL)
    sets = place / "sets.toml"
    declared = (ROOT / "examples/sorting/audit.toml").read_text()
    declared = declared.replace('{ probes = "f_*" }', '{ length = "f_log2*", order = "f_*_inversions" }').replace('["probes"]', '["length", "order"]')
    sets.write_text(declared + '\n[feature_sets]\nlength = ["length"]\nall = ["length", "order"]\n')
    ridge = ["audit", sorting, "--set", "learner.kind=ridge", "--refits", "40", "--out", "OUT"]
    quick_mlp = ["--set", "learner.epochs=5", "--set", "learner.members=2", "--refits", "4", "--out", "OUT"]
    work = {
        "audit-ridge": ridge,
        "audit-paper-rule": [*ridge, "--set", "rule.kind=paper"],
        "audit-leave-pair-out": [*ridge, "--set", "rule.kind=leave-pair-out"],
        "audit-forest": ["audit", sorting, "--set", "learner.kind=forest", "--refits", "20", "--out", "OUT"],
        "audit-policy": ["audit", sorting, "--set", "learner.kind=policy", "--refits", "10", "--out", "OUT"],
        "audit-all-learners": ["audit", sorting, "--learner", "all", "--target", "all", *quick_mlp],
        "audit-seeds": [*ridge, "--seeds", "3"],
        "audit-other-question": [*ridge, "--other-question"],
        "audit-known-clusters": [*ridge, "--set", "protocol.deploy=known clusters", "--set", "protocol.blocks=12"],
        "audit-map": [*ridge, "--map", "f_log2_length", "--choices-out", "OUT/choices.csv"],
        "audit-export": [*ridge, "--export", "OUT/adapter", "--export-anyway"],
        "audit-ablation": ["audit", sorting, "--protocol", sets, "--set", "learner.kind=ridge", "--refits", "10", "--ablation", "--out", "OUT"],
        "audit-looks": [*ridge, "--set", "rule.kind=calibrated", "--set", "rule.looks_at=[12,24]"],
        "audit-json": [*ridge, "--json"],
        "audit-log": ["audit", log, "--protocol", ROOT / "examples/sorting/audit.toml", "--set", "learner.kind=ridge", "--refits", "20", "--out", "OUT"],
        "audit-slopes": ["audit", copied(ROOT / "robots/go2_gait/alternatives/slopes.h5"), "--refits", "20", "--out", "OUT"],
        "control-learner": ["control", "learner", "--learner", "ridge", "--refits", "40", "--out", "OUT"],
        "control-observable": ["control", "observable", sorting, "--feature", "f_near_inversions", "--actions", "insertion,quick", "--gamma", "0.05", "--learner", "ridge", "--refits", "10",
                               "--out", "OUT"],
        "calibrate": ["calibrate", "--cells", "null,dep-threshold", "--data-sets", "6", "--refits", "20", "--out", "OUT"],
        "calibrate-looks": ["calibrate", "--cells", "dep-threshold", "--data-sets", "4", "--refits", "20", "--looks", "8,12", "--out", "OUT"],
        "plan": ["plan", "--effect", "0.03", "--data-sets", "8", "--largest", "0", "--learner", "ridge", "--refits", "20"],
        "robot-study": ["study", "robots/go2", "--protocol", small, "--out", "OUT"],
        "robot-until-decided": ["study", "robots/go2", "--protocol", small, "--skip-check", "--set", "rule.kind=calibrated", "--set", "rule.futility=0",
                                "--set", "protocol.delta_dep=0.5", "--until-decided", "--max-clusters", "6", "--out", "OUT"],
        "robot-check": ["check", "robots/go2"],
        "robot-evaluate": ["evaluate", "robots/go2", "--methods", "direct,scale-0.75", "--family", "moderate", "--seeds", "1,2", "--trials", "1", "--terrain",
                           "rough", "--out", "OUT"],
        "robot-confirm": ["confirm", "OUT/adapter", "robots/go2", "--seeds", "2001,2002", "--trials", "1", "--out", "OUT/confirm"],
        "robot-collect": ["collect", "robots/go2", "--protocol", small, "--out", "OUT"],
    }
    for table in sorted(ASLIB.glob("*/table.csv")):
        work["audit-aslib-" + table.parent.name] = ["audit", copied(table), "--learner", "ridge", "--refits", "20", "--out", "OUT"]
    # An adapter for `confirm` to walk with.
    before = {"robot-confirm": [["study", "robots/go2", "--protocol", small, "--skip-check", "--out", "OUT/study"],
                                ["audit", "OUT/study/table.h5", "--protocol", small, "--out", "OUT/audit", "--export", "OUT/adapter", "--export-anyway"]]}
    return work, before


def names_of_the_build(value, found, inside=False):
    """Strings below "build", and hashes of tables, which carry it: value -> what stands for it."""
    if isinstance(value, dict):
        for key, item in value.items():
            if isinstance(item, str) and (inside or key in ("table_sha256", "version", "policy_sha256")) and len(item) > 4:
                found[item] = f"<{key}>"
            names_of_the_build(item, found, inside or key == "build")
    elif isinstance(value, list):
        for item in value:
            names_of_the_build(item, found, inside)


def table_text(path):
    import h5py

    lines = []

    def add(name, item):
        if isinstance(item, h5py.Dataset):
            lines.append(f"{name} {item.shape} {item.dtype} {item[()].tolist()!r}")

    with h5py.File(path) as file:
        file.visititems(add)
        lines.append(f"declaration_sha256 {file.attrs.get('declaration_sha256')!r}")
    return "\n".join(lines)


def freeze(program, name, arguments, before, place, folder):
    """Runs it and writes what came of it into `folder`."""
    out = pathlib.Path(tempfile.mkdtemp())
    try:
        def run(words):
            words = [str(word).replace("OUT", str(out)) for word in words]
            return subprocess.run([program, *words], cwd=ROOT, capture_output=True, text=True, check=False)

        for words in before:
            made = run(words)
            if made.returncode != 0:
                sys.exit(f"{name}: {' '.join(map(str, words))} ended with {made.returncode}:\n{made.stderr}")
        said = run(arguments)
        texts = {"stdout.txt": said.stdout, "exit.txt": f"{said.returncode}\n"}
        if said.returncode != 0:
            texts["stderr.txt"] = said.stderr
        replaced = {}
        for file in sorted(out.rglob("*")):
            key = str(file.relative_to(out)).replace("/", "__")
            if file.name in ("result.json", "report.html", "confirm.json", "episodes.csv", "choices.csv", "manifest.json", "README.md"):
                texts[key] = file.read_text()
            elif file.name == "table.h5":
                texts[key + ".txt"] = table_text(file)
            if file.suffix == ".json":
                names_of_the_build(json.loads(file.read_text()), replaced)
        for key, text in texts.items():
            for word in sorted(replaced, key=len, reverse=True):
                text = text.replace(word, replaced[word])
            text = text.replace(str(out), "<out>").replace(str(place), "<place>").replace(str(ROOT), "<root>")
            text = re.sub(r'"[a-z_]*seconds[a-z_]*": [0-9.e+-]+', '"seconds": 0', text)
            text = re.sub(r"\b[0-9.]+ (s|ms) of CPU", "<time> of CPU", text)
            (folder / key).write_text(text)
    finally:
        shutil.rmtree(out)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--against", type=pathlib.Path, metavar="OLD")
    parser.add_argument("names", nargs="*", metavar="RUN")
    options = parser.parse_intermixed_args()
    differs = 0
    with tempfile.TemporaryDirectory() as scratch:
        place = pathlib.Path(scratch)
        work, before = runs(place)
        unknown = set(options.names) - set(work)
        if unknown:
            sys.exit(f"no run is called {', '.join(sorted(unknown))}; there are {', '.join(work)}")
        for name in options.names or work:
            folder = options.folder / name
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            freeze(options.program, name, work[name], before.get(name, []), place, folder)
            files = sorted(file.name for file in folder.iterdir())
            if options.against is None:
                print(f"{name}: {', '.join(files)}", flush=True)
                continue
            old = options.against / name
            names = sorted(set(files) | {file.name for file in old.glob("*")})
            moved = [file for file in names
                     if not (old / file).exists() or not (folder / file).exists() or (old / file).read_text() != (folder / file).read_text()]
            differs += len(moved)
            print(f"{name}: " + (f"differs in {', '.join(moved)}" if moved else "the same bytes"), flush=True)
    sys.exit(1 if differs else 0)


main()
