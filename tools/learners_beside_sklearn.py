#!/usr/bin/env python3
"""Prints which share of the gap between the best fixed action and the oracle learners close, ours beside scikit-learn's, as Markdown.

    tools/learners_beside_sklearn.py build/release/bin/gonogo ../shared/data/aslib [--learners forest,pairwise,auto] [--judged 12] [--seconds 300]

Every folder of the second argument with a table.csv and an audit.toml is a scenario; only costs count. About new clusters whole
clusters are held out one at a time, about known ones the blocks of queries that `gonogo audit` makes; all learners are judged on the
same held-out ones (--judged of them, evenly spread; 0: all) after training on everything else. Ours choose in `gonogo audit
--choices-out`; scikit-learn's are a random forest that predicts the costs of all actions, whose least is taken, and a forest for every
pair of actions that votes for one of the two, a query weighing as much as their costs differ. Finished parts are kept below --out: an
interrupted run goes on, and with --seconds it ends after that time and says what is left.
"""
import argparse
import csv
import itertools
import json
import pathlib
import subprocess
import sys
import time

import numpy
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

QUESTIONS = {"new clusters": "families", "known clusters": "blocks"}
TREES = 100


class Scenario:
    """Costs (queries x actions), features (queries x columns) and names of a table."""

    def __init__(self, folder):
        with open(folder / "table.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        self.actions = sorted({row["action"] for row in rows})
        self.queries = list(dict.fromkeys(row["query"] for row in rows))
        place = {query: i for i, query in enumerate(self.queries)}
        column = {action: i for i, action in enumerate(self.actions)}
        names = [name for name in rows[0] if name.startswith("f_")]
        self.cost = numpy.zeros((len(self.queries), len(self.actions)))
        self.features = numpy.zeros((len(self.queries), len(names)))
        for row in rows:
            self.cost[place[row["query"]], column[row["action"]]] = float(row["cost"])
            self.features[place[row["query"]]] = [float(row[name]) for name in names]


def read_choices(path, scenario):
    """The cluster that held each query out, and what was chosen there."""
    cluster, chosen = {}, {}
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            cluster[row["query"]] = row["cluster"]
            if row["chosen"] == "1":
                chosen[row["query"]] = scenario.actions.index(row["action"])
    return [cluster[q] for q in scenario.queries], numpy.array([chosen[q] for q in scenario.queries])


def ours(gonogo, folder, scenario, learner, question, out):
    path = out / f"{folder.name}-{QUESTIONS[question]}-{learner}"
    choices = path.with_suffix(".csv")
    if not choices.exists():
        command = [gonogo, "audit", folder / "table.csv", "--protocol", folder / "audit.toml", "--learner", learner, "--quiet",
                   "--out", path, "--choices-out", choices]
        for assignment in [f"protocol.deploy={question}", "protocol.constraint=none", "bootstrap.method=folds"]:
            command += ["--set", assignment]
        if learner != "auto":
            command += ["--target", "difference"]
        subprocess.run([str(part) for part in command], stdout=subprocess.DEVNULL, check=True)
    return read_choices(choices, scenario)


def forest_argmin(x, cost, new):
    model = RandomForestRegressor(TREES, max_features=1 / 3, min_samples_leaf=2, random_state=0).fit(x, cost)
    return model.predict(new).argmin(axis=1)


def pairwise_forest(x, cost, new):
    votes = numpy.zeros((len(new), cost.shape[1]))
    for a, b in itertools.combinations(range(cost.shape[1]), 2):
        difference = cost[:, b] - cost[:, a]
        asked = difference != 0
        first = difference[asked] > 0
        if first.all() or not first.any():
            votes[:, a if first.any() else b] += asked.any()
            continue
        model = RandomForestClassifier(TREES, random_state=0)
        model.fit(x[asked], first, sample_weight=numpy.abs(difference[asked]))
        wins = model.predict(new).astype(bool)
        votes[wins, a] += 1
        votes[~wins, b] += 1
    return votes.argmax(axis=1)


THEIRS = {"sklearn forest": forest_argmin, "sklearn pairwise": pairwise_forest}


def theirs(name, scenario, held_by, judged, cache, ends):
    """Choices in the judged clusters; None where the time was up before."""
    chosen = numpy.full(len(scenario.queries), -1)
    for cluster in judged:
        part = cache / f"{name.replace(' ', '-')}-{list(dict.fromkeys(held_by)).index(cluster)}.json"
        held = numpy.array([c == cluster for c in held_by])
        if not part.exists():
            if time.monotonic() > ends:
                return None
            x, cost = scenario.features[~held], scenario.cost[~held]
            found = THEIRS[name](x, cost, scenario.features[held])
            part.parent.mkdir(parents=True, exist_ok=True)
            part.write_text(json.dumps([int(a) for a in found]))
        chosen[held] = json.loads(part.read_text())
    return chosen


def closed(scenario, chosen, where):
    cost = scenario.cost[where]
    fixed, oracle = cost.sum(axis=0).min(), cost.min(axis=1).sum()
    return 100 * (fixed - cost[numpy.arange(len(cost)), chosen[where]].sum()) / (fixed - oracle)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("gonogo", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("runs/beside-sklearn"))
    parser.add_argument("--learners", default="ridge,forest,pairwise,policy,auto")
    parser.add_argument("--scenarios", default="")
    parser.add_argument("--judged", type=int, default=12)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    options = parser.parse_args()
    if not options.folder.is_dir():
        sys.exit(f"{options.folder} is not there: this comparison needs tables of algorithm-selection scenarios (tools/aslib_table.py)")
    ends = time.monotonic() + options.seconds
    learners = options.learners.split(",")
    print("| scenario | held out | " + " | ".join([*learners, *THEIRS]) + " |")
    print("|---|---|" + "---:|" * (len(learners) + len(THEIRS)), flush=True)
    for folder in sorted(path.parent for path in options.folder.glob("*/audit.toml")):
        if options.scenarios and folder.name not in options.scenarios.split(","):
            continue
        scenario = Scenario(folder)
        for question, what in QUESTIONS.items():
            cells = []
            for learner in learners:
                if time.monotonic() > ends:
                    cells.append(None)
                    continue
                held_by, chosen = ours(options.gonogo, folder, scenario, learner, question, options.out)
                clusters = list(dict.fromkeys(held_by))
                step = max(1, len(clusters) // options.judged) if options.judged else 1
                judged = clusters[::step]
                where = numpy.array([c in judged for c in held_by])
                cells.append(closed(scenario, chosen, where))
            for name in THEIRS:
                chosen = None
                if time.monotonic() <= ends:
                    chosen = theirs(name, scenario, held_by, judged, options.out / f"{folder.name}-{what}", ends)
                cells.append(None if chosen is None else closed(scenario, chosen, where))
            row = " | ".join("not yet" if cell is None else f"{cell:.0f}".replace("-", "−") for cell in cells)
            print(f"| {folder.name} | {len(judged)} of {len(clusters)} {what} | {row} |", flush=True)


if __name__ == "__main__":
    main()
