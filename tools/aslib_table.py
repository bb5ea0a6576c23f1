#!/usr/bin/python3
"""Prints what learners read in tables of the algorithm-selection library, about new families and about known ones, as Markdown.

    tools/aslib_table.py build/release/bin/gonogo ../shared/data/aslib [--out runs/aslib] [--learners ridge,forest] [--set KEY=VALUE]...

Every folder of the second argument with a table.csv and an audit.toml is a scenario. Each row is one `gonogo audit`, whose
refits are kept below --out: an interrupted run goes on, and printing the table again takes seconds. Only success constrains
(protocol.constraint), times do not: the cost of a solver is its time.
"""
import argparse
import json
import pathlib
import resource
import subprocess

QUESTIONS = ["new clusters", "known clusters"]


def audit(gonogo, scenario, learner, question, sets, out):
    command = [gonogo, "audit", scenario / "table.csv", "--learner", learner, "--target", "difference", "--quiet", "--out", out]
    for assignment in [f"protocol.deploy={question}", *sets]:
        command += ["--set", assignment]
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run([*map(str, command)], stdout=subprocess.DEVNULL, check=True)
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    return json.loads((out / "result.json").read_text()), seconds


def percent(value):
    return f"{100 * value:.2f}".replace("-", "−")


def channel(result, key):
    found = next(c for c in result["channels"] if c["name"] == key and c["decides"])
    return f"{percent(found['point'])} [{percent(found['lower'])}, {percent(found['upper'])}] %"


def row(result, question, learner, seconds):
    reading = result["reading"] or "too few clusters"
    return (f"| {result['protocol']['name']} | {question} | {learner} | {percent(result['diagnostics']['activation'])} % | "
            f"{channel(result, 'H_dep')} | {channel(result, 'H_alloc')} | {channel(result, 'q')} | {reading} | {seconds:.0f} s |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("gonogo", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("runs/aslib"))
    parser.add_argument("--learners", default="ridge,forest")
    parser.add_argument("--scenarios", default="")
    parser.add_argument("--questions", default=",".join(QUESTIONS))
    parser.add_argument("--set", action="append", default=[])
    options = parser.parse_args()
    sets = options.set or ["protocol.constraint=success"]
    print("| scenario | about | learner | departs | H_dep | H_alloc | q | reads | CPU time |")
    print("|---|---|---|---:|---|---|---|---|---:|", flush=True)
    for scenario in sorted(path.parent for path in options.folder.glob("*/audit.toml")):
        if options.scenarios and scenario.name not in options.scenarios.split(","):
            continue
        for question in options.questions.split(","):
            for learner in options.learners.split(","):
                name = "-".join([scenario.name, question.split()[0], learner, *(s.split("=")[-1].replace(" ", "-") for s in sets)])
                result, seconds = audit(options.gonogo, scenario, learner, question, sets, options.out / name)
                print(row(result, question, learner, seconds), flush=True)


if __name__ == "__main__":
    main()
