#!/usr/bin/env python3
"""Logs as a user meets them: from a sheet of what to try to a verdict, and every refusal in words.

    tests/cli/logged_cli_test.py path/to/gonogo path/to/repository
"""
import collections
import csv
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

GONOGO = sys.argv[1]
REPOSITORY = pathlib.Path(sys.argv[2])

PROTOCOL = """[protocol]
name = "sorting-log"
reference = "merge"
actions = ["merge", "insertion", "quick", "heap"]
cluster = "data source"
constraint = "none"
[table]
features = { probes = "f_*" }
[learner]
kind = "ridge"
[bootstrap]
refits = 40
"""


def run(*arguments, cwd=None):
    return subprocess.run([GONOGO, *map(str, arguments)], cwd=cwd, capture_output=True, text=True, check=False)


class LoggedTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        (self.folder / "audit.toml").write_text(PROTOCOL)
        with (REPOSITORY / "examples/sorting/table.csv").open(newline="") as file:
            self.full = list(csv.DictReader(file))

    def log(self, sheet):
        """The sheet with what the sorting routine it names cost at the array it names, in place of running it."""
        arrays = collections.defaultdict(dict)
        for row in self.full:
            arrays[row["query"]][row["action"]] = row
        rows = []
        for row, query in zip(sheet, arrays, strict=True):
            outcome = arrays[query][row["action"]]
            rows.append({**row, "cluster": outcome["cluster"], "query": query, "cost": outcome["cost"],
                         **{name: value for name, value in outcome.items() if name.startswith("f_")}})
        path = self.folder / "log.csv"
        with path.open("w", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
        return path

    def sheet(self):
        done = run("randomise", self.folder / "audit.toml", "--clusters", 24, "--queries", 40)
        self.assertEqual(done.returncode, 0, done.stderr)
        return list(csv.DictReader(done.stdout.splitlines()))

    def audit(self, path, *flags):
        return run("audit", path, "--out", self.folder / "run", *flags)

    def test_a_sheet_that_was_carried_out_is_a_log_that_decides(self):
        sheet = self.sheet()
        self.assertEqual(len(sheet), 960)
        counted = collections.Counter((row["cluster"], row["action"]) for row in sheet)
        self.assertEqual(set(counted.values()), {10})
        self.assertEqual({row["propensity"] for row in sheet}, {"0.25"})
        done = self.audit(self.log(sheet), "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("a log: one action was tried at every query", done.stderr)
        result = json.loads(done.stdout)
        self.assertEqual(result["status"], "confirmatory", result["reasons"])
        self.assertEqual(result["table"]["kind"], "logged")
        self.assertEqual(result["decision"], "GO")
        self.assertNotIn("H_avail", result["estimates"])
        self.assertNotIn("oracle", json.dumps(result["actions"]))
        self.assertEqual(sum(action["tries"] for action in result["log"]["actions"]), 960)
        page = (self.folder / "run/report.html").read_text()
        self.assertIn("The table is a log", page)
        text = self.audit(self.folder / "log.csv").stdout
        for words in ("GO  sorting-log", "by weights alone", "H_model", "doubly robust"):
            self.assertIn(words, text)
        for words in ("oracle", "perfect choice"):
            self.assertNotIn(words, text)

    def test_what_cannot_be_audited_is_refused_in_words(self):
        path = self.log(self.sheet())
        good = path.read_text()
        cases = [("missing", lambda text: text.replace("propensity", "chance"), "nothing says with which probability"),
                 ("impossible", lambda text: text.replace(",0.25,", ",0,"), "column 'propensity' is '0', expected a probability"),
                 ("deterministic", lambda text: text.replace(",0.25,", ",1,"), "A deterministic log cannot be audited"),
                 ("never tried", lambda text: text.replace(",heap,", ",quick,"), "'heap' was never tried in this log"),
                 ("contradicted", lambda text: text.replace(",0.25,", ",0.5,"), "the propensities contradict how often 'merge'")]
        for name, change, words in cases:
            with self.subTest(name):
                path.write_text(change(good))
                done = self.audit(path)
                self.assertEqual(done.returncode, 3, done.stdout)
                self.assertIn(words, done.stderr)

    def test_a_constraint_that_a_log_does_not_show_gives_no_decision(self):
        path = self.log(self.sheet())
        lines = path.read_text().splitlines()
        path.write_text("\n".join([lines[0] + ",success"] + [line + ",1" for line in lines[1:]]) + "\n")
        done = self.audit(path, "--gate", "--set", "protocol.constraint=success and time")
        self.assertEqual(done.returncode, 22, done.stderr)
        self.assertIn("NO DECISION", done.stdout)
        self.assertIn('constraint = "net success"', " ".join(done.stdout.split()))
        self.assertNotIn("Does the adapter break constraints?", done.stdout)

    def test_a_log_is_planned_before_it_is_collected(self):
        done = run("plan", "--logged", "--effect", 0.05, "--actions", 2, "--features", 3, "--queries", 20, "--data-sets", 2,
                   "--largest", 0, "--set", "bootstrap.refits=10")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("each with probability 0.5", done.stdout)

    def test_a_log_is_planned_for_every_probability_of_trying_something_else(self):
        small = ["--effect", 0.05, "--actions", 3, "--features", 3, "--queries", 20, "--data-sets", 2, "--largest", 0,
                 "--set", "bootstrap.refits=10"]
        done = run("plan", "--logged", "--explore", "0.2,0.6", *small)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("the reference is tried with probability 0.8", done.stdout)
        self.assertIn("each other action with 0.1", done.stdout)
        self.assertIn("each other action with 0.3", done.stdout)
        answers = json.loads(run("plan", "--logged", "--explore", "0.2,0.6", *small, "--json").stdout)
        self.assertEqual([answer["exploration"] for answer in answers], [0.2, 0.6])
        for wrong in (["--logged", "--explore", "1"], ["--logged", "--explore", "0"], ["--explore", "0.2"]):
            refused = run("plan", *wrong, *small)
            self.assertEqual(refused.returncode, 2, wrong)
            self.assertIn("--explore", refused.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
