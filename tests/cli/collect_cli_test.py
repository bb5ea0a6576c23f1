#!/usr/bin/env python3
"""collect, study, branch and reproduce as a user meets them: a small study, a kill -9, wrong requests.

    tests/cli/collect_cli_test.py path/to/gonogo path/to/repository
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
GO2 = SOURCE / "robots" / "go2"

PROTOCOL = """
[protocol]
name = "small"
actions = ["direct", "scale-0.75", "heading+0.3"]
min_clusters = 3
[collect]
seeds = [1, 2, 3]
queries_per_cluster = 4
queries_per_episode = 1
family = "moderate"
terrain = "flat"
replayed = 2
[learner]
kind = "ridge"
[bootstrap]
refits = 10
[rule]
kind = "paper"
"""


def run(*arguments):
    return subprocess.run([GONOGO, *map(str, arguments)], capture_output=True, text=True, check=False)


class Collected(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.protocol = self.folder / "small.toml"
        self.protocol.write_text(PROTOCOL)
        self.out = self.folder / "out"

    def collect(self, *arguments, out=None):
        return run("collect", GO2, "--protocol", self.protocol, "--out", out or self.out, *arguments)

    def test_the_table_is_readable_with_h5py_and_its_audit_is_confirmatory(self):
        result = self.collect("--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        summary = json.loads(result.stdout)
        self.assertTrue(summary["complete"])
        self.assertEqual(summary["reconstruction_error"], 0.0)
        self.assertEqual(summary["replayed"], 6)
        with h5py.File(self.out / "table.h5") as table:
            self.assertEqual(table["cost"].shape, (12, 3))
            self.assertTrue(np.all(table["cost"][:] > 0))
            self.assertEqual(table["features/target"].shape, (12, 2))
            self.assertIn("collect.seeds = [1, 2, 3]", table.attrs["declaration"])
            self.assertEqual(json.loads(table.attrs["provenance"])["robot"], "go2")
        audit = run("audit", self.out / "table.h5", "--out", self.folder / "audit", "--json")
        self.assertEqual(json.loads(audit.stdout)["status"], "confirmatory", audit.stdout[:500])
        changed = run("audit", self.out / "table.h5", "--out", self.folder / "changed", "--json",
                      "--set", "collect.blend=0.7")
        self.assertEqual(json.loads(changed.stdout)["status"], "descriptive")
        self.assertIn("collect.blend", " ".join(json.loads(changed.stdout)["reasons"]))

    def test_kill_9_and_other_jobs_end_with_the_same_bytes(self):
        self.assertEqual(self.collect("--jobs", "1").returncode, 0)
        other = self.folder / "killed"
        process = subprocess.Popen(
            [GONOGO, "collect", str(GO2), "--protocol", str(self.protocol), "--out", str(other), "--jobs", "4"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.time() + 60
        while not list(other.glob("parts/*.h5")) and process.poll() is None and time.time() < deadline:
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
        process.wait()
        self.assertTrue((other / "declaration.toml").exists())
        result = self.collect("--jobs", "4", out=other)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual((self.out / "table.h5").read_bytes(), (other / "table.h5").read_bytes())

    def test_a_study_ends_with_a_verdict_and_a_report(self):
        result = run("study", GO2, "--protocol", self.protocol, "--out", self.out)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("confirmatory", result.stdout)
        self.assertIn("4 queries per cluster instead of the paper's 48", result.stdout)
        self.assertIn("report: ", result.stderr)
        self.assertIn("queries per cluster instead", (self.out / "audit" / "report.html").read_text())
        again = run("study", GO2, "--protocol", self.protocol, "--out", self.out)
        self.assertEqual(again.stdout, result.stdout)

    def until_decided(self, out, *arguments):
        return ["study", GO2, "--protocol", self.protocol, "--out", out, "--skip-check", "--until-decided",
                "--max-clusters", "6", "--set", "rule.kind=calibrated", "--set", "rule.futility=0",
                "--set", "protocol.delta_dep=0.5", "--set", "bootstrap.refits=8", *arguments]

    def test_a_study_whose_outcomes_cannot_be_read_back_says_so(self):
        # What is written to this part is gone, and it cannot be put aside.
        part = self.out / "parts" / "cluster-2.h5"
        (self.out / "parts" / "cluster-2.h5.damaged" / "full").mkdir(parents=True)
        part.symlink_to("/dev/null")
        result = run("study", GO2, "--protocol", self.protocol, "--skip-check", "--out", self.out)
        self.assertEqual(result.returncode, 4, result.stderr)
        self.assertIn("the outcomes of clusters 2 cannot be read back; the same command collects them again", result.stderr)
        part.unlink()
        again = run("study", GO2, "--protocol", self.protocol, "--skip-check", "--out", self.out)
        self.assertEqual(again.returncode, 0, again.stderr)

    def test_a_study_until_decided_killed_at_any_point_ends_with_the_same_bytes(self):
        whole = run(*self.until_decided(self.out))
        self.assertEqual(whole.returncode, 0, whole.stderr)
        result = json.loads((self.out / "audit" / "result.json").read_text())
        path = result["path"]
        self.assertEqual([look["clusters"] for look in path], [3, 6][:len(path)])
        self.assertIn(path[-1]["then"], ["decided", "last look"])
        self.assertEqual(result["status"], "confirmatory", result["reasons"])
        self.assertIn("of 2", whole.stdout)
        other = self.folder / "killed"
        for wanted in ["parts/*.h5", "audit-3/refits.log"]:
            process = subprocess.Popen([GONOGO, *map(str, self.until_decided(other))],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            deadline = time.time() + 60
            while not list(other.glob(wanted)) and process.poll() is None and time.time() < deadline:
                time.sleep(0.002)
            process.send_signal(signal.SIGKILL)
            process.wait()
        resumed = run(*self.until_decided(other))
        self.assertEqual(resumed.returncode, 0, resumed.stderr)
        self.assertEqual(resumed.stdout, whole.stdout)
        for name in ["audit/result.json", "audit/report.html", "audit-3/result.json", "table.h5", "declaration.toml"]:
            self.assertEqual((self.out / name).read_bytes(), (other / name).read_bytes(), name)

    def test_looks_need_a_rule_that_spends_its_error(self):
        result = run("study", GO2, "--protocol", self.protocol, "--until-decided", "--skip-check")
        self.assertEqual(result.returncode, 2)
        self.assertIn("rule.kind=calibrated", result.stderr)

    def test_branches_of_a_query_can_be_looked_at(self):
        result = run("branch", GO2, "2/001", "--protocol", self.protocol, "--out", self.out)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("heading+0.3", (self.out / "branches.html").read_text())
        self.assertTrue((self.out / "scale-0.75.h5").exists())

    def test_wrong_requests_are_refused_by_name(self):
        for arguments, words, code in [
                (["--queries", "vgc"], ["no controller is called \"vgc\""], 2),
                (["--queries", "vgcc", "--models", self.folder], ["response-effort"], 3),
                (["--clusters", "4"], ["--clusters 4", "1, 2, 3"], 2),
                (["--set", "collect.prefx=3"], ["collect.prefx", "did you mean"], 2),
                (["--set", "collect.terrain=moon"], ["moon"], 2),
                (["--set", "protocol.actions=[\"direct\", \"scale\"]"], ["no intervention is called 'scale'"], 2),
                (["--set", "collect.family=easy"], ["\"easy\""], 2),
                (["--merge"], ["no finished cluster"], 3)]:
            result = self.collect(*arguments, out=self.folder / "wrong")
            self.assertEqual(result.returncode, code, (arguments, result.stderr))
            for word in words:
                self.assertIn(word, result.stderr, arguments)
        nowhere = run("collect", self.folder / "nowhere")
        self.assertEqual(nowhere.returncode, 4, nowhere.stderr)
        query = run("branch", GO2, "9/001", "--protocol", self.protocol, "--out", self.out)
        self.assertEqual(query.returncode, 2)
        self.assertIn("expected CLUSTER/NUMBER", query.stderr)
        item = run("reproduce", "terain", "--list")
        self.assertEqual(item.returncode, 2)
        self.assertIn("terrain", item.stderr)

    def test_reproduce_lists_what_there_is_and_how_long_it_takes(self):
        result = run("reproduce", "--list", "--robot", GO2)
        self.assertEqual(result.returncode, 0, result.stderr)
        for word in ["audit-direct", "identification", "terrain", "on two idle cores"]:
            self.assertIn(word, result.stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
