#!/usr/bin/env python3
"""Planning and calibrating as a user meets them, and two audits of one protocol at the same time.

    tests/cli/plan_cli_test.py path/to/gonogo path/to/repository
"""
import atexit
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

GONOGO, SOURCE = sys.argv[1], pathlib.Path(sys.argv[2])
SORTING = SOURCE / "examples" / "sorting" / "table.csv"
QUICK = ["--data-sets", "4", "--refits", "20", "--queries", "6", "--features", "3", "--largest", "0", "--set", "protocol.min_clusters=4"]
SCRATCH = tempfile.mkdtemp()  # a plan from a pilot keeps its refits in runs/
atexit.register(shutil.rmtree, SCRATCH)


def run(*arguments):
    return subprocess.run([GONOGO, *map(str, arguments)], capture_output=True, text=True, check=False, cwd=SCRATCH)


class Refusals(unittest.TestCase):
    def refused(self, word, *arguments):
        """Exit code 2 and a message that names what is wrong."""
        shown = run(*arguments)
        self.assertEqual(shown.returncode, 2, arguments)
        self.assertIn(word, shown.stderr)
        self.assertNotIn("bug", shown.stderr)

    def test_a_plan_that_makes_no_sense_is_refused_and_says_which_flag(self):
        for flag, values in {
            "--effect": ["nan", "-0.1", "1.5", "much"],
            "--clusters": ["0", "1", "-5", "20,abc", "100000000"],
            "--queries": ["0", "1"],
            "--actions": ["0", "1"],
            "--features": ["0"],
            "--data-sets": ["0"],
            "--largest": ["1", "-1"],
            "--learner": ["knn", "all"],
            "--rule": ["mine"],
        }.items():
            for value in values:
                self.refused(flag, "plan", flag, value)
        self.refused("refits", "plan", "--refits", "0")
        self.refused("--effect", "plan", SORTING, "--effect", "0.02")  # a pilot has its own
        self.refused("did you mean", "plan", "--efect", "0.02")

    def test_a_benchmark_that_makes_no_sense_is_refused_and_says_which_flag(self):
        for flag, value in [("--cells", "nul"), ("--data-sets", "0"), ("--refits", "0"), ("--learner", "knn"), ("--trainings", "0")]:
            self.refused(flag, "calibrate", flag, value)
        self.refused("--out", "calibrate", "--finished")


class Plans(unittest.TestCase):
    def test_help_has_examples_and_exit_codes(self):
        for verb in ["plan", "calibrate"]:
            shown = run(verb, "--help").stdout
            self.assertIn("Examples:", shown)
            self.assertIn("Exit codes", shown)

    def test_answers_add_up_and_do_not_depend_on_the_number_of_threads(self):
        one = run("plan", "--clusters", "8,12", *QUICK, "--jobs", "1", "--json")
        self.assertEqual(one.returncode, 0, one.stderr)
        self.assertEqual(run("plan", "--clusters", "8,12", *QUICK, "--jobs", "4", "--json").stdout, one.stdout)
        for point in json.loads(one.stdout)["points"]:
            for answers in point["rules"].values():
                self.assertAlmostEqual(sum(a["share"] for a in answers.values()), 1.0)

    def test_the_learner_that_is_planned_for_is_the_declared_one(self):
        mlp = ["--clusters", "8", *QUICK, "--actions", "3", "--learner", "mlp", "--set", "learner.members=2", "--set", "learner.epochs=2",
               "--effect", "0.005"]  # more than that two epochs cannot save
        self.assertEqual(run("plan", *mlp).returncode, 0)  # 200 epochs would not end in time

    def test_a_protocol_is_planned_for_without_data(self):
        protocol = ["--protocol", SOURCE / "examples" / "sorting" / "audit.toml", "--learner", "ridge"]
        self.assertEqual(run("plan", "--clusters", "8", *QUICK, *protocol).returncode, 0)
        self.assertEqual(run("plan", "--protocol", "nosuch.toml").returncode, 4)

    def test_fewer_clusters_than_declared_promise_no_decision(self):
        shown = run("plan", SORTING, "--learner", "ridge", "--refits", "40", "--clusters", "9", "--largest", "10")
        self.assertEqual(shown.returncode, 0, shown.stderr)
        self.assertRegex(shown.stdout, r"(?m)^ *9 +any +none +none +none$")
        self.assertIn("clusters for 80 % power, calibrated rule: more than 10", shown.stdout)

    def test_what_the_adapter_costs_counts_in_a_plan_as_in_an_audit(self):
        dear = ["--learner", "ridge", "--refits", "40", "--set", "rule.adapter_cost=1e9"]
        audit = run("audit", SORTING, *dear, "--json")
        self.assertEqual(json.loads(audit.stdout)["reading"], "NO-GO", audit.stderr)
        plan = run("plan", SORTING, *dear, "--clusters", "24", "--largest", "0", "--json")
        answers = json.loads(plan.stdout)["points"][0]["rules"]["calibrated"]
        self.assertEqual((answers["GO"]["share"], answers["NO-GO"]["share"]), (0.0, 1.0))
        self.assertEqual(run("plan", "--set", "rule.adapter_cost=1").returncode, 2)  # of which costs?

    def test_a_pilot_is_planned_from(self):
        shown = run("plan", SORTING, "--learner", "ridge", "--refits", "40", "--clusters", "24")
        self.assertEqual(shown.returncode, 0, shown.stderr)
        self.assertIn("clusters for 80 % power, calibrated rule", shown.stdout)
        self.assertEqual(run("plan", "nosuch.csv").returncode, 4)


class SeriesOfLooks(unittest.TestCase):
    def test_every_series_ends_once_and_the_numbers_add_up(self):
        looks = [8, 12]
        words = ["calibrate", "--cells", "effect-4x,dep-threshold", "--data-sets", "4", "--refits", "10", "--looks", "8,12"]
        folder = pathlib.Path(SCRATCH) / "looks"
        shown = run(*words, "--out", folder, "--jobs", "1")
        self.assertEqual(shown.returncode, 0, shown.stderr)
        result = json.loads((folder / "result.json").read_text())
        self.assertEqual([cell["name"] for cell in result["cells"]], ["effect-4x", "dep-threshold"])
        for cell in result["cells"]:
            self.assertEqual(set(cell["rules"]), {"calibrated", "leave-pair-out"})
            for name, rule in cell["rules"].items():
                self.assertEqual(sum(rule[end]["count"] for end in ("GO", "NO-GO", "futile", "undecided")), 4)
                self.assertAlmostEqual(sum(rule["ends"]), 1.0)
                self.assertAlmostEqual(rule["mean_clusters"], sum(share * at for share, at in zip(rule["ends"], looks)))
                # The terminal says the same: its row has the counts and where the series ended.
                row = next(line for line in shown.stdout.splitlines() if line.split()[:2] == [cell["name"], name])
                self.assertIn(f"{100 * rule['GO']['share']:.1f} %", row)
                self.assertTrue(row.endswith(" / ".join(f"{100 * share:.0f} %" for share in rule["ends"])), row)
        self.assertIn("Series of looks", (folder / "report.html").read_text())

        again = run(*words, "--out", folder.with_name("again"), "--jobs", "4")
        self.assertEqual(again.stdout, shown.stdout)
        self.assertEqual((folder.with_name("again") / "result.json").read_text(), (folder / "result.json").read_text())


class Looks(unittest.TestCase):
    def test_of_two_audits_at_the_same_time_one_is_the_second_look(self):
        folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder)
        lines = SORTING.read_text().splitlines(keepends=True)
        tables = [folder / "one.csv", folder / "other.csv"]  # each has a cluster the other lacks
        for table, left_out in zip(tables, ["source-22", "source-23"]):
            table.write_text("".join(line for line in lines if left_out not in line))
        protocol = ["--protocol", SOURCE / "examples" / "sorting" / "audit.toml", "--learner", "ridge", "--refits", "20"]
        audits = [
            subprocess.Popen([GONOGO, "audit", table, *map(str, protocol), "--out", folder / table.stem, "--quiet"], stdout=subprocess.PIPE)
            for table in tables
        ]
        for audit in audits:
            audit.communicate()
            self.assertEqual(audit.returncode, 0)
        self.assertEqual(len(json.loads((folder / "looks.json").read_text())["looks"]), 2)
        numbers = [json.loads((folder / table.stem / "result.json").read_text())["look"] for table in tables]
        self.assertEqual(sorted(numbers), [1, 2])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]], verbosity=2)
