#!/usr/bin/env python3
"""Evaluating controllers as a user meets it: exit codes, wrong input, same bytes, resuming, files.

    tests/cli/evaluate_cli_test.py path/to/gonogo path/to/repository
"""
import csv
import json
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

GONOGO, SOURCE = sys.argv[1], pathlib.Path(sys.argv[2])
GO2 = SOURCE / "robots" / "go2"
SMALL = ["--methods", "direct,scale-0.75,governor", "--seeds", "1,2", "--trials", "1"]


def run(*arguments, **options):
    return subprocess.run([GONOGO, *map(str, arguments)], capture_output=True, text=True, check=False, **options)


class EvaluateCommand(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def evaluate(self, *arguments, out="run"):
        return run("evaluate", GO2, *arguments, "--out", self.folder / out)

    def files(self, out):
        names = ["episodes.csv", "evaluation.json", "report.html"]
        return {name: (self.folder / out / name).read_bytes() for name in names}

    def test_help_names_studies_and_controllers(self):
        shown = run("evaluate", "--help").stdout
        for word in ["Examples:", "Exit codes", "frontier", "per-target", "vgcc-no-floor", "episodes.csv"]:
            self.assertIn(word, shown)

    def test_writes_a_table_a_csv_a_json_and_a_page(self):
        done = self.evaluate(*SMALL)
        self.assertEqual(done.returncode, 0, done.stderr)
        for word in ["direct", "scale-0.75", "governor", "sign test p"]:
            self.assertIn(word, done.stdout)
        with (self.folder / "run" / "episodes.csv").open() as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), 3 * 2 * 8)
        result = json.loads((self.folder / "run" / "evaluation.json").read_text())
        self.assertEqual(result["schema"], "gonogo.evaluation/1")
        evaluation = result["evaluations"][0]
        self.assertEqual(len(evaluation["episodes"]), len(rows))
        for name in ["success", "work_j", "time_s", "path_m", "cot", "final_distance_m", "final_height_m"]:
            self.assertIn(name, evaluation["episodes"][0])
        direct = [float(row["work_j"]) for row in rows if row["method"] == "direct"]
        self.assertAlmostEqual(evaluation["methods"][0]["work_j"], sum(direct) / len(direct), places=9)
        self.assertIn("Cost of transport against completion time", (self.folder / "run" / "report.html").read_text())

    def test_the_same_bytes_for_any_jobs_and_after_a_kill(self):
        self.assertEqual(self.evaluate(*SMALL, "--jobs", 1, out="one").returncode, 0)
        self.assertEqual(self.evaluate(*SMALL, "--jobs", 4, out="four").returncode, 0)
        log = self.folder / "killed" / "episodes-go2.log"
        victim = subprocess.Popen([GONOGO, "evaluate", GO2, *SMALL, "--jobs", "1", "--out", log.parent],
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while victim.poll() is None and (not log.exists() or log.stat().st_size < 6000):
            time.sleep(0.01)
        victim.send_signal(signal.SIGKILL)
        victim.wait()
        self.assertFalse((log.parent / "episodes.csv").exists(), "killed before it was done")
        kept = log.stat().st_size
        self.assertEqual(self.evaluate(*SMALL, "--jobs", 2, out="killed").returncode, 0)
        self.assertGreater(log.stat().st_size, kept)
        self.assertEqual(self.files("one"), self.files("four"))
        self.assertEqual(self.files("one"), self.files("killed"))

    def test_evaluations_in_one_folder_share_their_episodes(self):
        self.assertEqual(self.evaluate(*SMALL).returncode, 0)
        log = self.folder / "run" / "episodes-go2.log"
        size = log.stat().st_size
        self.assertEqual(self.evaluate("--methods", "governor,direct", "--seeds", "2", "--trials", "1").returncode, 0)
        self.assertEqual(log.stat().st_size, size)
        self.assertEqual(self.evaluate(*SMALL, "--set", "governor.least_scale=0.9").returncode, 0)
        self.assertGreater(log.stat().st_size, size, "another governor")

    def test_another_ground_in_the_same_folder_is_refused(self):
        self.assertEqual(self.evaluate(*SMALL).returncode, 0)
        refused = self.evaluate(*SMALL, "--terrain-seed", 2)
        self.assertEqual(refused.returncode, 3)
        self.assertIn("another run", refused.stderr)

    def test_ground_conditions_and_rate_of_work_are_declared_in_words(self):
        small = ["--methods", "direct", "--seeds", "1,2", "--trials", "1"]
        rates = {}
        for rate in ["physics", "control"]:
            done = self.evaluate(*small, "--terrain", "stairs+boxes:0-1", "--terrain-seed", "each", "--conditions", "isaac-go2",
                                 "--work-rate", rate)
            self.assertEqual(done.returncode, 0, done.stderr)
            rates[rate] = (done.stdout, (self.folder / "run" / "episodes.csv").read_text())
            provenance = json.loads((self.folder / "run" / "evaluation.json").read_text())["provenance"]
            self.assertEqual((provenance["terrain"], provenance["terrain_seed"]), ("stairs+boxes:0-1", "each"))
            self.assertEqual((provenance["conditions"], provenance["work_rate_shown"]), ("isaac-go2", rate))
        self.assertEqual(rates["physics"][1], rates["control"][1], "the file has both rates")
        self.assertNotEqual(rates["physics"][0], rates["control"][0], "tables show the one asked for")
        row = next(csv.DictReader(rates["control"][1].splitlines()))
        self.assertNotEqual(row["work_j"], row["control_work_j"])
        for arguments, words in [(["--terrain", "stairs:0-12"], "rows are 0 to 9"), (["--terrain-seed", "all"], 'or "each"'),
                                 (["--conditions", "nois"], "there is no such condition"), (["--work-rate", "50"], "expected physics")]:
            refused = self.evaluate(*small, *arguments, out="refused")
            self.assertEqual(refused.returncode, 2, refused.stderr)
            self.assertIn(words, refused.stderr)

    def test_wrong_input_is_named(self):
        for arguments, code, words in [
                (["--study", "fronteer"], 2, "did you mean 'frontier'"),
                (["--study", "harder", "--methods", "direct"], 2, "leave out --methods"),
                (["--methods", "direct,vgc"], 2, "did you mean 'vgcc'"),
                (["--methods", "direct,direct"], 2, "given twice"),
                (["--methods", "scale-9"], 2, "expected (0, 2]"),
                (["--methods", "direct", "--seeds", "4,4"], 2, "seed 4 is given twice"),
                (["--methods", "direct", "--trials", "0"], 2, "trials is 0"),
                (["--methods", "direct", "--family", "hard"], 2, "no target family"),
                (["--methods", "direct", "--terrain", "moon"], 2, "expected flat"),
                (["--methods", "direct", "--set", "vgcc.gain=2"], 2, "vgcc.gain is 2"),
                (["--methods", "direct", "--set", "vgcc.gian=0.2"], 2, "did you mean 'vgcc.gain'"),
                (["--methods", "vgcc", "--models", "nowhere"], 3, "nowhere/response-effort.json")]:
            with self.subTest(arguments=arguments):
                done = self.evaluate(*arguments)
                self.assertIn(words, done.stderr)
                self.assertEqual(done.returncode, code, done.stderr)
        self.assertIn("only studies over several robots", run("evaluate", GO2, GO2, "--study", "harder").stderr)

    def test_a_rollout_takes_every_controller_by_name(self):
        file = self.folder / "episode.h5"
        arguments = ["rollout", GO2, "--target", "1,0", "--terrain", "flat", "--out", file, "--json"]
        slow = run(*arguments, "--controller", "governor", "--set", "governor.least_scale=0.2")
        self.assertEqual(slow.returncode, 0, slow.stderr)
        self.assertEqual(json.loads(slow.stdout)["controller"], "governor")
        self.assertIn("did you mean 'governor'", run(*arguments, "--controller", "govnor").stderr)
        self.assertIn("response-effort.json", run(*arguments, "--controller", "vgcc", "--models", "x").stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
