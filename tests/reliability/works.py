"""Small runs of every verb that writes a folder, and the bytes that must come of each whatever happens on the way."""
import argparse
import dataclasses
import hashlib
import json
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cluster"))
import small_runs  # noqa: E402  (it reads the first two arguments: the program and the repository)

GONOGO, SOURCE, GO2 = small_runs.GONOGO, small_runs.SOURCE, small_runs.GO2


@dataclasses.dataclass
class Work:
    name: str
    command: object  # a function: folder of the results -> arguments
    results: tuple   # files below that folder, as glob patterns
    ranks: int = 1   # more than one: under mpirun
    prepare: object = None  # a function that puts into the folder what the run finds there
    shares: bool = False    # several processes may do this in one folder

    def arguments(self, out, jobs):
        if self.prepare and not out.exists():
            self.prepare(out)
        program = [str(GONOGO)] if self.ranks == 1 else small_runs.mpirun(self.ranks)
        return [*program, *map(str, self.command(out)), "--jobs", str(jobs if self.ranks == 1 else 1)]

    def environment(self):
        return small_runs.environment() if self.ranks > 1 else None

    def digest(self, out):
        """Of the results; what says how long something took is left out."""
        digest = hashlib.sha256()
        files = sorted(file for pattern in self.results for file in out.glob(pattern))
        if not files:
            return "no result"
        for file in files:
            digest.update(str(file.relative_to(out)).encode())
            digest.update(without_times(file))
        return digest.hexdigest()


MAGIC = b"gonogo-log/1\n"


def checksum(data):
    """FNV-1a."""
    value = 0xcbf29ce484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001b3 & 0xffffffffffffffff
    return value


def records(log):
    """The whole records of a log by key (docs/reference/formats.md), and whether anything stands behind them."""
    data = log.read_bytes()

    def word(at):
        return int.from_bytes(data[at:at + 8], "little")

    at, found = len(MAGIC) + 8 + word(len(MAGIC)), {}
    while len(data) - at >= 24 and word(at + 8) <= len(data) - at - 24:
        size = word(at + 8)
        if checksum(data[at:at + 8] + data[at + 24:at + 24 + size]) != word(at + 16):
            break
        found[word(at)] = data[at + 24:at + 24 + size]
        at += 24 + size
    return found, at != len(data)


def logs_of(out):
    """The keys of the records of every log below a folder, and whether the log ends in a torn one."""
    return {str(log.relative_to(out)): (sorted(found), torn) for log in sorted(out.rglob("*.log")) for found, torn in [records(log)]}


def lost(before, after):
    """Whether a record that was whole is gone, or cannot be reached any more."""
    return any(set(keys) - set(after.get(name, ([],))[0]) for name, (keys, _) in before.items())


def without_times(file):
    if file.suffix == ".log":  # threads finish in any order
        return repr(sorted(records(file)[0].items())).encode()
    if file.suffix != ".json":
        return file.read_bytes()

    def clean(value):
        if isinstance(value, dict):
            return {key: clean(item) for key, item in value.items() if "seconds" not in key}
        return [clean(item) for item in value] if isinstance(value, list) else value

    return json.dumps(clean(json.loads(file.read_text())), sort_keys=True).encode()


def audit(kind, *more, refits=30):
    return lambda out: ["audit", small_runs.SORTING, "--set", f"learner.kind={kind}", "--refits", str(refits), "--quiet", "--out", out, *more]


# Two looks, of which the first cannot decide.
LOOKS = ["--set", "learner.kind=ridge", "--set", "bootstrap.refits=8", "--set", "rule.kind=calibrated", "--set", "rule.futility=0",
         "--set", "protocol.delta_dep=0.5"]


def short_walks(folder):
    """A Go2 and an H1 whose episodes end after half a second: `reproduce scales-h1` in a second or two."""
    robots = folder / "robots"
    for name in ["go2", "h1"]:
        shutil.copytree(SOURCE / "robots" / name, robots / name)
        text = (robots / name / "robot.toml").read_text()
        (robots / name / "robot.toml").write_text(re.sub(r"(?m)^horizon = \S+", "horizon = 0.4", text))
    return robots


def all_works(folder):
    """`folder` holds what the runs read."""
    protocol = folder / "small.toml"
    protocol.write_text(small_runs.COLLECT_PROTOCOL)
    robot = small_runs.small_training(folder)
    robots = short_walks(folder)
    identify = ["identify", GO2, "--envs", "3", "--steps", "100", "--epochs", "2", "--macro-epochs", "1", "--value-episodes", "8", "--terrain", "flat",
                "--no-contrasts", "--quiet", "--out"]
    evaluate = ["evaluate", GO2, "--methods", "direct,scale-0.75", "--family", "moderate", "--seeds", "1,2", "--trials", "1", "--terrain", "flat",
                "--quiet", "--out"]
    study = ["study", GO2, "--protocol", protocol, "--skip-check", "--quiet"]

    def shards(out):
        """What two tasks of a job array leave; what comes of a merge is read off the folder it goes into."""
        for number in [1, 2]:
            done = subprocess.run([str(GONOGO), *small_runs.audit(out, "--shard", f"{number}/2")], capture_output=True, text=True, check=False)
            if done.returncode != 0:
                sys.exit(f"the shards of a merge cannot be made: {done.stderr}")

    def adapter(_):
        """What `confirm` lets walk, made once."""
        if (folder / "adapter").exists():
            return
        for command in [small_runs.collect(protocol, folder / "collected"),
                        ["audit", folder / "collected" / "table.h5", "--learner", "ridge", "--refits", "10", "--quiet", "--out", folder / "audited",
                         "--export", folder / "adapter", "--export-anyway"]]:
            done = subprocess.run([str(GONOGO), *map(str, command)], capture_output=True, text=True, check=False)
            if done.returncode != 0:
                sys.exit(f"the adapter of a confirmation cannot be made: {done.stderr}")

    def confirm(out):
        return ["confirm", folder / "adapter", GO2, "--seeds", "11,12", "--trials", "1", "--quiet", "--out", out]

    answer = ("result.json", "report.html")
    looks = ("table.h5", "audit/result.json", "audit/report.html", "audit-3/result.json")

    def training(out):
        return ["train", robot, "--quiet", "--out", out]

    return [
        Work("audit-ridge", audit("ridge"), answer),
        Work("audit-forest", audit("forest"), answer),
        Work("audit-trees", audit("trees", refits=5), answer),
        Work("audit-policy", audit("policy"), answer),
        Work("audit-mlp", lambda out: small_runs.slow_audit(out, refits=10), answer),
        Work("audit-all-learners", lambda out: [*small_runs.slow_audit(out, refits=3, epochs=5), "--learner", "all"], answer),
        Work("audit-paper-rule", audit("ridge", "--set", "rule.kind=paper"), answer),
        Work("audit-calibrated-rule", audit("ridge", "--set", "rule.kind=calibrated"), answer),
        Work("audit-leave-pair-out", audit("ridge", "--set", "rule.kind=leave-pair-out"), answer),
        Work("audit-seeds", audit("ridge", "--seeds", "2"), answer),
        Work("audit-shard", lambda out: small_runs.audit(out, "--shard", "1/2"), ("*.log",), shares=True),
        Work("audit-looks", audit("ridge", "--set", "rule.kind=calibrated", "--set", "rule.looks_at=[12,24]"), answer),
        Work("collect", lambda out: small_runs.collect(protocol, out), ("table.h5",)),
        Work("study", lambda out: [*study, "--set", "learner.kind=ridge", "--set", "bootstrap.refits=30", "--out", out],
             ("table.h5", "audit/result.json", "audit/report.html")),
        Work("study-until-decided", lambda out: [*study, "--until-decided", "--max-clusters", "6", *LOOKS, "--out", out], looks),
        Work("calibrate", small_runs.calibrate, ("result.json",)),
        Work("calibrate-looks", lambda out: [*small_runs.calibrate(out), "--looks", "8,12"], ("result.json",)),
        Work("merge", lambda out: ["merge", out, "--quiet"], ("refits.log",), prepare=shards),
        Work("identify", lambda out: [*identify, out], ("*.json", "*.onnx")),
        Work("evaluate", lambda out: [*evaluate, out], ("episodes.csv",)),
        Work("confirm", confirm, ("confirm.json", "episodes.csv"), prepare=adapter),
        Work("train", training, ("policy.onnx", "checkpoint.bin")),
        Work("reproduce", lambda out: ["reproduce", "scales-h1", "--robot", robots / "go2", "--quiet", "--out", out],
             ("findings.json", "sections/*.json")),
        Work("audit-ridge-2-ranks", audit("ridge"), answer, ranks=2),
        Work("audit-mlp-4-ranks", lambda out: small_runs.slow_audit(out, refits=10), answer, ranks=4),
        Work("collect-2-ranks", lambda out: small_runs.collect(protocol, out), ("table.h5",), ranks=2),
        Work("study-until-decided-2-ranks", lambda out: [*study, "--until-decided", "--max-clusters", "6", *LOOKS, "--out", out], looks,
             ranks=2),
        Work("confirm-2-ranks", confirm, ("confirm.json", "episodes.csv"), prepare=adapter, ranks=2),
        Work("calibrate-2-ranks", small_runs.calibrate, ("result.json",), ranks=2),
        Work("train-2-ranks", training, ("policy.onnx", "checkpoint.bin"), ranks=2),
    ]


def chosen(works, names):
    unknown = set(names) - {work.name for work in works}
    if unknown:
        sys.exit(f"no run is called {', '.join(sorted(unknown))}; there are {', '.join(work.name for work in works)}")
    return [work for work in works if not names or work.name in names]


def undisturbed(work, out):
    """Runs it once; how long it took and what came of it."""
    arguments = work.arguments(out, 1)
    begin = time.monotonic()
    result = subprocess.run(arguments, capture_output=True, text=True, check=False, env=work.environment())
    if result.returncode != 0:
        sys.exit(f"{work.name} fails without any disturbance, exit code {result.returncode}:\n{result.stderr}")
    return time.monotonic() - begin, work.digest(out)


def run_campaigns(text, option, default, head, campaign):
    """The program of a campaign: `campaign(work, number, place, dice)` tries so often, prints a row and returns the number of problems."""
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gonogo")
    parser.add_argument("repository")
    parser.add_argument("runs", nargs="*", metavar="RUN")
    parser.add_argument(option, dest="number", type=int, default=default)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_intermixed_args()
    print("| " + " | ".join(head) + " |")
    print("|---" * len(head) + "|")
    with tempfile.TemporaryDirectory() as name:
        place = pathlib.Path(name)
        problems = sum(campaign(work, options.number, place, random.Random(f"{options.seed} {work.name}"))
                       for work in chosen(all_works(place), options.runs))
    return 1 if problems else 0
