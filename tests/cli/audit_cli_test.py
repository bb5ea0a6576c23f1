#!/usr/bin/env python3
"""The audit verbs as a user meets them: exit codes, wrong input, same bytes, resuming, tables written by h5py.

    tests/cli/audit_cli_test.py path/to/gonogo path/to/repository
"""
import json
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import h5py
import numpy as np

GONOGO, SOURCE = sys.argv[1], pathlib.Path(sys.argv[2])
SORTING = SOURCE / "examples" / "sorting" / "table.csv"
RIDGE = ["--learner", "ridge", "--refits", "40"]


def run(*arguments, **options):
    return subprocess.run([GONOGO, *map(str, arguments)], capture_output=True, text=True, check=False, **options)


def null_table(path, clusters=20, queries=12, seed=1):
    """Costs that no feature explains, in the wide form a user of h5py would write."""
    rng = np.random.default_rng(seed)
    count = clusters * queries
    with h5py.File(path, "w") as file:
        file["cluster"] = np.repeat(np.arange(clusters), queries)
        file["cost"] = 100.0 * np.exp(0.1 * rng.standard_normal((count, 3)))
        file["success"] = np.ones((count, 3), dtype=bool)
        file["features/obs"] = rng.standard_normal((count, 4)).astype("f4")
        file["choice"] = rng.integers(0, 3, count)
        file.attrs["actions"] = ["direct", "slow", "fast"]
        file.attrs["reference"] = "direct"
        file.attrs["schema"] = "gonogo.table/1"


class AuditCommand(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def audit(self, *arguments, out="run"):
        return run("audit", *arguments, "--out", self.folder / out)

    def test_every_verb_has_help_with_examples_and_exit_codes(self):
        for verb in ["audit", "declare", "validate", "report", "calibrate", "import"]:
            shown = run(verb, "--help")
            self.assertEqual(shown.returncode, 0)
            self.assertIn("Examples:", shown.stdout)
            self.assertIn("Exit codes", shown.stdout)

    def test_the_keys_of_a_protocol_are_printed_as_they_stand_in_the_docs(self):
        shown = run("declare", "--keys")
        self.assertEqual(shown.returncode, 0, shown.stderr)
        self.assertIn(shown.stdout, (SOURCE / "docs/reference/formats.md").read_text())
        self.assertEqual(run("declare").returncode, 2)

    def test_a_misspelt_verb_or_flag_is_a_usage_error_with_a_suggestion(self):
        self.assertEqual(run("adit").returncode, 2)
        self.assertIn("did you mean 'audit'", run("adit").stderr)
        wrong = run("audit", SORTING, "--lerner", "ridge")
        self.assertEqual(wrong.returncode, 2)
        self.assertIn("--learner", wrong.stderr)

    def test_the_same_bytes_for_one_thread_and_for_four(self):
        for jobs in ["1", "4"]:
            self.assertEqual(self.audit(SORTING, *RIDGE, "--jobs", jobs, out=jobs).returncode, 0)
        for name in ["result.json", "report.html", "manifest.json"]:
            self.assertEqual((self.folder / "1" / name).read_bytes(), (self.folder / "4" / name).read_bytes())

    def test_a_killed_audit_resumes_to_the_same_bytes(self):
        command = ["control", "learner", "--set", "learner.epochs=3", "--refits", "60", "--quiet"]
        whole = run(*command, "--out", self.folder / "whole")
        self.assertEqual(whole.returncode, 0, whole.stderr)
        log = self.folder / "killed" / "refits.log"
        process = subprocess.Popen([GONOGO, *command, "--out", self.folder / "killed"], stdout=subprocess.DEVNULL)
        header = (self.folder / "whole" / "refits.log").stat().st_size // 4
        while process.poll() is None and (not log.exists() or log.stat().st_size < header):
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
        process.wait()
        with open(log, "r+b") as file:  # a record torn by the crash
            file.truncate(max(log.stat().st_size - 5, 100))
        self.assertEqual(run(*command, "--out", self.folder / "killed").returncode, 0)
        for name in ["result.json", "report.html"]:
            self.assertEqual((self.folder / "killed" / name).read_bytes(), (self.folder / "whole" / name).read_bytes())

    def test_an_interrupted_audit_says_so_and_keeps_its_refits(self):
        process = subprocess.Popen([GONOGO, "control", "learner", "--out", self.folder / "run"],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        while process.poll() is None and not (self.folder / "run" / "refits.log").exists():
            time.sleep(0.005)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 130)
        self.assertIn("the same command goes on", said)

    def test_another_run_is_not_mixed_in(self):
        self.assertEqual(self.audit(SORTING, *RIDGE).returncode, 0)
        other = self.audit(SORTING, "--learner", "ridge", "--refits", "41")
        self.assertEqual(other.returncode, 3)
        self.assertIn("another run", other.stderr)

    def test_a_table_written_by_h5py_without_signal_is_never_a_go(self):
        null_table(self.folder / "null.h5")
        shown = self.audit(self.folder / "null.h5", *RIDGE, "--json")
        self.assertEqual(shown.returncode, 0, shown.stderr)
        result = json.loads(shown.stdout)
        self.assertTrue(result["complete"])
        self.assertNotEqual(result["reading"], "GO")
        self.assertEqual(result["status"], "descriptive")
        for name in ["H_global", "H_avail", "H_total", "H_alloc", "H_dep", "q"]:
            self.assertEqual(sorted(set(result["estimates"][name]) & {"point", "lower", "upper"}), ["lower", "point", "upper"])
        self.assertEqual(result, json.loads((self.folder / "run" / "result.json").read_text()))

    def test_given_choices_are_audited_without_a_learner(self):
        null_table(self.folder / "null.h5")
        shown = self.audit(self.folder / "null.h5", "--choices", "choice", "--json")
        self.assertEqual(shown.returncode, 0, shown.stderr)
        result = json.loads(shown.stdout)
        self.assertEqual(result["source"], "choices")
        for rule, target in zip(result["rules"], ["the choices as they are", "the adapter that made these choices"]):
            self.assertIn(target, rule["target"])

    def test_terminal_and_page_print_the_channels_of_the_result(self):
        shown = self.audit(SORTING, *RIDGE)
        self.assertEqual(shown.returncode, 0, shown.stderr)
        result = json.loads((self.folder / "run" / "result.json").read_text())
        page = (self.folder / "run" / "report.html").read_text()
        deciding = [channel for channel in result["channels"] if channel["decides"]]
        self.assertEqual([channel["name"] for channel in deciding], ["H_dep", "H_alloc", "q", "H_total"])
        lines = shown.stdout.splitlines()
        for channel in deciding:
            row = next(line for line in lines if line.startswith(f"  {channel['name']} "))
            self.assertIn(channel["question"], row)
            self.assertIn(channel["needed"], row)
            self.assertIn(f"{channel['decided_by']['end']} ", row)
            self.assertTrue(row.endswith(channel["state"]), row)
            self.assertIn(channel["question"], page)
        self.assertIn("query: one choice to make", " ".join(shown.stdout.split()))

    def test_every_overridden_declaration_is_named(self):
        shown = self.audit(SORTING, *RIDGE)
        self.assertIn('descriptive: learner.kind: declared "mlp", used "ridge"', shown.stdout)
        self.assertIn("descriptive: bootstrap.refits: declared 200, used 40", shown.stdout)

    def test_an_ablation_keeps_the_refits_of_every_feature_set(self):
        protocol = self.folder / "sets.toml"
        protocol.write_text((SORTING.parent / "audit.toml").read_text() + '[feature_sets]\none = ["probes"]\nother = ["probes"]\n')
        command = [SORTING, "--protocol", protocol, *RIDGE, "--ablation"]
        self.assertEqual(self.audit(*command).returncode, 0)
        result = (self.folder / "run" / "result.json").read_bytes()
        logs = [self.folder / "run" / f"refits-features-{i}.log" for i in (1, 2)]
        self.assertTrue(all(log.stat().st_size > 1000 for log in logs))
        logs[1].unlink()
        kept = logs[0].read_bytes()
        self.assertEqual(self.audit(*command).returncode, 0)
        self.assertEqual((self.folder / "run" / "result.json").read_bytes(), result)
        self.assertEqual(logs[0].read_bytes(), kept)

    def test_an_ablation_without_feature_sets_is_refused_before_anything_is_fitted(self):
        shown = self.audit(SORTING, "--ablation")
        self.assertEqual(shown.returncode, 2)
        self.assertIn("[feature_sets]", shown.stderr)
        self.assertFalse((self.folder / "run").exists())

    def test_a_wrong_value_of_a_flag_is_told_with_the_flag(self):
        for flags, said in [(["--refits", "-1"], "--refits: found -1, expected a whole number from 1"),
                            (["--refits", "many"], "--refits: found 'many', expected a whole number"),
                            (["--set", "protocol.kappa=two"], "--set protocol.kappa=two: found 'two', expected a number"),
                            (["--set", "kappa=0.1"], "did you mean 'protocol.kappa'?"),
                            (["--seeds", "-2"], "--seeds"), (["--color", "pink"], "--color: found pink, expected auto, always or never")]:
            shown = self.audit(SORTING, *flags)
            self.assertEqual(shown.returncode, 2, shown.stderr)
            self.assertIn(said, shown.stderr)
            self.assertFalse((self.folder / "run").exists())

    def test_a_control_refuses_wrong_names_before_anything_is_written(self):
        for flags, code, said in [(["--feature", "f_spred", "--actions", "quick,heap"], 3, "table.csv: the table has no feature 'f_spred' (did you mean 'f_spread'?)"),
                                  (["--feature", "f_spread", "--actions", "merge,heap"], 3, "'merge' is the reference action"),
                                  (["--feature", "f_spread", "--actions", "heap,heap"], 2, "names 'heap' twice")]:
            shown = run("control", "observable", SORTING, *RIDGE, *flags, "--out", self.folder / "run")
            self.assertEqual(shown.returncode, code, shown.stderr)
            self.assertIn(said, shown.stderr)
            self.assertFalse((self.folder / "run").exists())

    def test_a_full_disk_is_an_io_error_and_no_device_is_replaced(self):
        declared = run("declare", SORTING.parent / "audit.toml", "--out", "/dev/full")
        self.assertEqual(declared.returncode, 4)
        self.assertIn("/dev/full: cannot write: No space left on device", declared.stderr)
        self.assertTrue(pathlib.Path("/dev/full").is_char_device())
        with open("/dev/full", "w") as full:
            shown = subprocess.run([GONOGO, "audit", SORTING, *RIDGE, "--json", "--out", self.folder / "run"],
                                   stdout=full, stderr=subprocess.PIPE, text=True, check=False)
            self.assertEqual(shown.returncode, 4, shown.stderr)
            helped = subprocess.run([GONOGO, "--help"], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual(helped.returncode, 4)
        self.assertIn("standard output: cannot write", helped.stderr)

    def test_a_log_that_cannot_be_written_does_not_end_a_run(self):
        with open("/dev/full", "w") as full:
            shown = subprocess.run([GONOGO, "audit", SORTING, *RIDGE, "--out", self.folder / "run"],
                                   stdout=subprocess.PIPE, stderr=full, text=True, check=False)
        self.assertEqual(shown.returncode, 0)
        self.assertIn("GO", shown.stdout)
        self.assertTrue((self.folder / "run" / "report.html").exists())

    def test_a_preset_is_not_an_override(self):
        shown = self.audit(SORTING, "--set", "protocol.preset=archived")
        self.assertEqual(shown.returncode, 2)
        self.assertIn("write it in the file", shown.stderr)

    def test_learners_stand_side_by_side_and_only_the_declared_one_decides(self):
        null_table(self.folder / "null.h5")
        shown = self.audit(self.folder / "null.h5", "--learner", "all", "--refits", "10", "--set", "learner.epochs=2",
                           "--set", "learner.trees.rounds=5", "--json")
        self.assertEqual(shown.returncode, 0, shown.stderr)
        result = json.loads(shown.stdout)
        self.assertEqual([row["learner"] for row in result["learners"]], ["mlp", "ridge", "trees", "forest", "policy"])
        self.assertEqual(result["source"], "mlp")

    def test_a_reference_that_always_fails_gets_no_decision(self):
        null_table(self.folder / "failing.h5")
        with h5py.File(self.folder / "failing.h5", "a") as file:
            file["success"][...] = False
        shown = self.audit(self.folder / "failing.h5", *RIDGE, "--gate")
        self.assertEqual(shown.returncode, 22, shown.stderr)
        self.assertIn("NO DECISION", shown.stdout)
        self.assertIn("succeeds at 0.0 % of the queries", shown.stdout)
        self.assertIn("check: Is 1 a success in the column 'success'", shown.stdout)
        result = json.loads((self.folder / "run" / "result.json").read_text())
        self.assertIsNone(result["decision"])
        self.assertIsNone(result["reading"])
        self.assertIn("succeeds at 0.0 %", result["no_decision"]["reason"])
        self.assertEqual([rule["decision"] for rule in result["rules"]], [None] * len(result["rules"]))
        self.assertEqual({channel["state"] for channel in result["channels"]}, {None})
        self.assertIn("No decision can rest on this table", (self.folder / "run" / "report.html").read_text())
        lower = self.audit(self.folder / "failing.h5", *RIDGE, "--gate", "--set", "rule.min_reference_success=0", out="lower")
        self.assertEqual(lower.returncode, 21, lower.stderr)

    def test_the_gate_tells_the_verdict(self):
        null_table(self.folder / "null.h5")
        self.assertEqual(self.audit(self.folder / "null.h5", *RIDGE, "--gate").returncode, 21)
        go = run("control", "learner", "--learner", "ridge", "--out", self.folder / "go")
        self.assertTrue(go.stdout.startswith("GO "), go.stdout)

    def test_a_signal_planted_in_view_is_found_and_a_hidden_one_is_not(self):
        null_table(self.folder / "null.h5")
        planted = ["--actions", "slow,fast", "--gamma", "0.15", *RIDGE, "--json"]
        seen = run("control", "observable", self.folder / "null.h5", "--feature", "obs_0", *planted, "--out", self.folder / "seen")
        hidden = run("control", "hidden", self.folder / "null.h5", "--mappings", "4", *planted, "--out", self.folder / "hidden")
        self.assertEqual(seen.returncode, 0, seen.stderr)
        self.assertEqual(hidden.returncode, 0, hidden.stderr)
        gains = json.loads(seen.stdout)["points"]
        spurious = json.loads(hidden.stdout)["points"]
        self.assertGreater(gains[0]["H_alloc"]["point"], 0.02)
        self.assertFalse([point for point in spurious if point["H_alloc"]["lower"] > 0.01])


    def test_the_report_of_a_result_shows_the_controls_of_its_table(self):
        null_table(self.folder / "null.h5")
        null_table(self.folder / "other.h5", seed=2)
        self.assertEqual(self.audit(self.folder / "null.h5", *RIDGE).returncode, 0)
        for table in ["null", "other"]:
            hidden = run("control", "hidden", self.folder / f"{table}.h5", "--actions", "slow,fast", "--mappings", "2", *RIDGE,
                         "--out", self.folder / table)
            self.assertEqual(hidden.returncode, 0, hidden.stderr)
            self.assertIn("the table's own gain", hidden.stdout)
        result = self.folder / "run" / "result.json"
        made = (self.folder / "run" / "report.html").read_bytes()
        for named in (result, result.parent):  # the file or its folder
            self.assertEqual(run("report", named).returncode, 0)
            self.assertEqual((self.folder / "run" / "report.html").read_bytes(), made)
        page = self.folder / "page.html"
        shown = run("report", result, "--control", self.folder / "null" / "result.json", "--out", page)
        self.assertEqual(shown.returncode, 0, shown.stderr)
        self.assertIn("Calibration controls", page.read_text())
        wrong = run("report", result, "--control", self.folder / "other" / "result.json", "--out", page)
        self.assertEqual(wrong.returncode, 3)
        self.assertIn("the control of table", wrong.stderr)
        earlier = json.loads(result.read_text())
        del earlier["channels"]
        (self.folder / "earlier.json").write_text(json.dumps(earlier))
        refused = run("report", self.folder / "earlier.json", "--out", page)
        self.assertEqual(refused.returncode, 3)
        self.assertIn("run the audit again", refused.stderr)
        (self.folder / "no.json").write_text('{"schema": "gonogo.table/1"}')
        self.assertEqual(run("report", self.folder / "no.json").returncode, 3)

    def test_a_killed_control_resumes_to_the_same_bytes(self):
        null_table(self.folder / "null.h5")
        command = ["control", "hidden", self.folder / "null.h5", "--actions", "slow,fast", "--mappings", "2", "--refits", "20",
                   "--set", "learner.epochs=20", "--quiet"]
        self.assertEqual(run(*command, "--out", self.folder / "whole").returncode, 0)
        process = subprocess.Popen([GONOGO, *map(str, command), "--out", self.folder / "killed"], stdout=subprocess.DEVNULL)
        second = self.folder / "killed" / "refits-2.log"
        while process.poll() is None and not second.exists():
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
        process.wait()
        self.assertFalse((self.folder / "killed" / "result.json").exists())
        self.assertEqual(run(*command, "--out", self.folder / "killed").returncode, 0)
        for name in ["result.json", "report.html"]:
            self.assertEqual((self.folder / "killed" / name).read_bytes(), (self.folder / "whole" / name).read_bytes())


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]], verbosity=2)
