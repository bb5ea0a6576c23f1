#!/usr/bin/env python3
"""What is being decided: tables in which more is better, prices beside successes, times that nobody meant as a limit.

    tests/cli/decide_cli_test.py path/to/gonogo path/to/repository
"""
import csv
import json
import os
import pathlib
import pty
import random
import shutil
import subprocess
import sys
import tempfile
import unittest

GONOGO = str(pathlib.Path(sys.argv[1]).resolve())


def run(*arguments, **options):
    return subprocess.run([GONOGO, *map(str, arguments)], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL, **options)


def typed(answers, *arguments, cwd):
    """What somebody at a terminal sees who types these answers."""
    ours, theirs = pty.openpty()
    with subprocess.Popen([GONOGO, *map(str, arguments)], stdin=theirs, stderr=theirs, stdout=theirs, cwd=cwd) as process:
        os.close(theirs)
        os.write(ours, "".join(answer + "\n" for answer in answers).encode())
        shown = b""
        while True:
            try:
                part = os.read(ours, 4096)
            except OSError:
                break
            if not part:
                break
            shown += part
    os.close(ours)
    return shown.decode()


def rewards(column):
    """'base' earns 1; of 'up' and 'down' the one that f_x points at earns 1.3, the other 0.7."""
    rng = random.Random(1)
    rows = [f"cluster,query,action,{column},f_x"]
    for k in range(20):
        for i in range(20):
            x = rng.uniform(-1, 1)
            for action, level in [("base", 1.0), ("up", 1.3 if x > 0 else 0.7), ("down", 0.7 if x > 0 else 1.3)]:
                rows.append(f"c{k},c{k}q{i},{action},{level + rng.gauss(0, 0.05):.4f},{x:.4f}")
    return "\n".join(rows) + "\n"


def models():
    """A cheap model that fails where the question is long, and answers more slowly."""
    rng = random.Random(2)
    rows = ["site,request,model,price_usd,latency,success,length"]
    for k in range(20):
        for i in range(20):
            length = rng.uniform(1, 9)
            for model, price, seconds, success in [("strong", 1.0, 1.0, 1), ("weak", 0.1, 2.0, int(length < 6))]:
                rows.append(f"s{k},s{k}r{i},{model},{price},{seconds},{success},{length:.3f}")
    return "\n".join(rows) + "\n"


class Decided(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def write(self, name, text):
        (self.folder / name).write_text(text)

    def init(self, table):
        shown = run("init", table, cwd=self.folder)
        self.assertEqual(shown.returncode, 0, shown.stderr)
        return shown, (self.folder / "audit.toml").read_text()

    def audit(self, table, *flags):
        shutil.rmtree(self.folder / "run", ignore_errors=True)
        shown = run("audit", table, "--refits", "20", "--out", "run", *flags, cwd=self.folder)
        self.assertEqual(shown.returncode, 0, shown.stderr)
        return shown, json.loads((self.folder / "run" / "result.json").read_text())

    def test_a_column_of_which_more_is_better_is_never_taken_for_a_cost(self):
        for column in ["reward", "score", "accuracy", "revenue", "clicks", "success_rate", "quality"]:
            self.write("t.csv", rewards(column))
            refused = run("audit", "t.csv", cwd=self.folder)
            self.assertEqual(refused.returncode, 3)
            self.assertIn(f"of '{column}' more is better by its name", refused.stderr)
            self.assertIn(f'reward = "{column}"', refused.stderr)
            self.assertIn(f'cost = "{column}"', refused.stderr)
            shown, protocol = self.init("t.csv")
            self.assertIn("cannot be audited yet", shown.stderr)
            self.assertIn(f'\n# reward = "{column}"', protocol)
            self.assertIn(f'\n# cost = "{column}"', protocol)
            self.assertEqual(run("audit", "t.csv", cwd=self.folder).returncode, 3)
            (self.folder / "audit.toml").unlink()

    def test_with_the_direction_said_the_gain_is_the_lift(self):
        self.write("t.csv", rewards("score"))
        _, protocol = self.init("t.csv")
        self.write("audit.toml", protocol.replace("# reward =", "reward ="))
        shown, result = self.audit("t.csv")
        self.assertEqual(result["reading"], "GO")
        self.assertEqual(result["scale"], "lift")
        self.assertAlmostEqual(result["estimates"]["H_total"]["point"], 0.3, delta=0.02)
        self.assertGreater(result["folds"][0]["reward"]["policy"], result["folds"][0]["reward"]["direct"])
        words = " ".join(shown.stdout.split())
        self.assertIn("gain over the best fixed action, as a share of the score of the reference", words)
        self.assertIn("gains if fixed", words)
        self.assertNotIn("saved", words)

    def test_init_asks_who_sits_at_a_terminal(self):
        self.write("t.csv", rewards("score"))
        shown = typed(["both", "more", "down"], "init", "t.csv", cwd=self.folder)
        self.assertIn("Is more or less of 'score' better? [more/less/later]", shown)
        self.assertIn("Which action is taken today, without an adapter? [base/up/down]", shown)
        protocol = (self.folder / "audit.toml").read_text()
        self.assertIn('\nreward = "score"', protocol)
        self.assertIn('\nreference = "down"', protocol)
        self.write("m.csv", models())
        shown = typed(["strong", "no"], "init", "m.csv", "--out", "m.toml", cwd=self.folder)
        self.assertIn("May a choice take longer than 'strong' does, by 'latency'?", shown)
        self.assertIn('\nconstraint = "success and time"', (self.folder / "m.toml").read_text())

    def test_time_is_a_limit_only_where_somebody_asks_for_it(self):
        self.write("m.csv", models())
        shown, protocol = self.init("m.csv")
        self.assertIn("the reference is a guess: 'strong'", shown.stderr)
        self.assertIn('\nconstraint = "success" ', protocol)
        self.assertRegex(protocol, r'\ncost = "price_usd"')
        shown, free = self.audit("m.csv")
        self.assertGreater(free["diagnostics"]["activation"], 0.3)
        self.assertRegex(shown.stderr, r"constraints: success where strong succeeds forbids 3\d\.\d % of the alternatives")
        shown, limited = self.audit("m.csv", "--set", "protocol.constraint=success and time")
        self.assertEqual(limited["diagnostics"]["activation"], 0.0)
        self.assertIn("constraints: latency <= 1.10 x strong forbids 100.0 %", shown.stderr)
        self.assertTrue(any("a constraint makes this answer, not the learner" in warning for warning in limited["warnings"]), limited["warnings"])

    def test_an_objective_is_a_formula_of_columns_with_its_unit(self):
        self.write("m.csv", models())
        _, protocol = self.init("m.csv")
        self.write("audit.toml", protocol.replace('cost = "price_usd"', 'objective = "price_usd + 8.0 * (1 - success)"\nunit = "USD" #')
                   .replace('constraint = "success"', 'constraint = "none"'))
        shown, result = self.audit("m.csv")
        words = " ".join(shown.stdout.split())
        self.assertIn("the cost is price_usd + 8.0 * (1 - success). Mean cost: 1 with the reference, 1 with the best fixed action, ", words)
        self.assertIn("(USD per query)", words)
        self.assertEqual(result["reading"], "GO")
        for formula, said in [("price_usd + * 2", "position 13: found '*', expected a number"),
                              ("price_usd + quality", "no column 'quality', which table.objective names")]:
            refused = run("audit", "m.csv", "--set", f"table.objective={formula}", cwd=self.folder)
            self.assertEqual(refused.returncode, 3 if "no column" in said else 2, refused.stdout)
            self.assertIn(said, refused.stderr)
        both = run("audit", "m.csv", "--set", "table.reward=success", cwd=self.folder)
        self.assertIn("expected one of cost, reward and objective", both.stderr)

    def test_rare_clicks_of_a_log_are_judged_on_their_own_scale(self):
        rng = random.Random(3)
        rows = ["cluster,query,action,click,propensity,f_x"]
        for k in range(25):
            for i in range(200):
                x = rng.uniform(-1, 1)
                action = rng.choice(["base", "new"])
                chance = 0.1 if action == "base" else 0.25 if x > 0 else 0.02
                rows.append(f"c{k},c{k}q{i},{action},{int(rng.random() < chance)},0.5,{x:.3f}")
        self.write("log.csv", "\n".join(rows) + "\n")
        self.write("audit.toml", '[protocol]\nreference = "base"\nconstraint = "none"\n[table]\nreward = "click"\n[learner]\nkind = "ridge"\n')
        shown, result = self.audit("log.csv", "--choices-out", "choices.csv", "--map", "f_x")
        with open(self.folder / "choices.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), 2 * 25 * 200)
        chosen = [float(row["cost_score"]) for row in rows if row["chosen"] == "1"]
        self.assertAlmostEqual(-sum(chosen) / len(chosen), result["log"]["adapter_mean_cost"]["doubly_robust"], places=9)
        self.assertEqual({float(row["weight"]) for row in rows}, {0.0, 2.0})
        self.assertEqual(result["choice_map"]["feature"], "f_x")
        self.assertEqual(result["scale"], "lift")
        self.assertGreater(result["estimates"]["H_total"]["point"], 0.3)  # 7.5 points of 10 %, on a scale of 10 %
        self.assertAlmostEqual(result["log"]["actions"][0]["mean_cost"]["doubly_robust"], 0.1, delta=0.03)
        self.assertIn("mean click", " ".join(shown.stdout.split()))

    def test_a_constant_price_leads_to_mean_success_with_a_curve(self):
        self.write("m.csv", models().replace(",latency,", ",seconds_taken,"))
        _, protocol = self.init("m.csv")
        shown, result = self.audit("m.csv")
        self.assertIsNone(result["reading"])
        self.assertIn("H_alloc is zero by construction", " ".join(shown.stdout.split()))
        lines = protocol.replace("kappa = 0.05", "#").replace('constraint = "success"', "#")
        self.write("audit.toml", lines.replace("# kappa = 0.01", "kappa = 0.05").replace('# constraint = "mean success"', 'constraint = "mean success"'))
        shown, result = self.audit("m.csv")
        self.assertEqual(result["reading"], "GO")
        curve = result["price_curve"]
        self.assertEqual([round(point["allowed"], 4) for point in curve["points"]], [0, 0.0125, 0.025, 0.05, 0.1, 0.15, 0.25])
        for point in curve["points"]:
            self.assertLessEqual(point["saved_at_random"], point["saved"]["point"] + 1e-9)
            self.assertLessEqual(point["saved"]["point"], point["saved_by_oracle"] + 1e-9)
        self.assertIn("Cost against success", shown.stdout)
        self.assertIn("What is saved against what is lost", (self.folder / "run" / "report.html").read_text())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
