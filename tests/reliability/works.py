"""Small runs of every verb that writes a folder, and the bytes that must come of each whatever happens on the way."""
import argparse
import dataclasses
import hashlib
import json
import pathlib
import random
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

    def arguments(self, out, jobs):
        return [str(GONOGO), *map(str, self.command(out)), "--jobs", str(jobs)]

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


def without_times(file):
    if file.suffix != ".json":
        return file.read_bytes()

    def clean(value):
        if isinstance(value, dict):
            return {key: clean(item) for key, item in value.items() if "seconds" not in key}
        return [clean(item) for item in value] if isinstance(value, list) else value

    return json.dumps(clean(json.loads(file.read_text())), sort_keys=True).encode()


def audit(kind, *more):
    return lambda out: ["audit", small_runs.SORTING, "--set", f"learner.kind={kind}", "--refits", "30", "--quiet", "--out", out, *more]


def all_works(folder):
    """`folder` holds what the runs read."""
    protocol = folder / "small.toml"
    protocol.write_text(small_runs.COLLECT_PROTOCOL)
    robot = small_runs.small_training(folder)
    identify = ["identify", GO2, "--envs", "3", "--steps", "100", "--epochs", "2", "--macro-epochs", "1", "--value-episodes", "8", "--terrain", "flat",
                "--no-contrasts", "--quiet", "--out"]
    evaluate = ["evaluate", GO2, "--methods", "direct,scale-0.75", "--family", "moderate", "--seeds", "1,2", "--trials", "1", "--terrain", "flat",
                "--quiet", "--out"]
    return [
        Work("audit-ridge", audit("ridge"), ("result.json", "report.html")),
        Work("audit-forest", audit("forest"), ("result.json", "report.html")),
        Work("audit-trees", audit("trees"), ("result.json", "report.html")),
        Work("audit-policy", audit("policy"), ("result.json", "report.html")),
        Work("audit-mlp", lambda out: small_runs.slow_audit(out, refits=10), ("result.json", "report.html")),
        Work("audit-paper-rule", audit("ridge", "--set", "rule.kind=paper"), ("result.json", "report.html")),
        Work("audit-seeds", audit("ridge", "--seeds", "2"), ("result.json", "report.html")),
        Work("collect", lambda out: small_runs.collect(protocol, out), ("table.h5",)),
        Work("calibrate", small_runs.calibrate, ("result.json",)),
        Work("identify", lambda out: [*identify, out], ("*.json", "*.onnx")),
        Work("evaluate", lambda out: [*evaluate, out], ("episodes.csv",)),
        Work("train", lambda out: ["train", robot, "--quiet", "--out", out], ("policy.onnx", "checkpoint.bin")),
    ]


def chosen(works, names):
    unknown = set(names) - {work.name for work in works}
    if unknown:
        sys.exit(f"no run is called {', '.join(sorted(unknown))}; there are {', '.join(work.name for work in works)}")
    return [work for work in works if not names or work.name in names]


def undisturbed(work, out):
    """Runs it once; how long it took and what came of it."""
    begin = time.monotonic()
    result = subprocess.run(work.arguments(out, 1), capture_output=True, text=True, check=False)
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
