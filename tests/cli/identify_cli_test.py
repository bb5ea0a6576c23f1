#!/usr/bin/env python3
"""`gonogo identify` as a user meets it: same bytes, resuming, data that do not belong, wrong input.

    tests/cli/identify_cli_test.py path/to/gonogo path/to/repository
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

GONOGO, SOURCE = sys.argv[1], pathlib.Path(sys.argv[2])
GO2 = SOURCE / "robots" / "go2"
SMALL = ["--terrain", "flat", "--envs", "6", "--steps", "150", "--epochs", "2", "--macro-epochs", "1", "--value-episodes", "8"]
QUICK = [*SMALL, "--no-contrasts", "--no-planner"]


def run(*arguments):
    return subprocess.run([GONOGO, *map(str, arguments)], capture_output=True, text=True, check=False)


class IdentifyCommand(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def identify(self, *arguments, robot=GO2, out="run"):
        return run("identify", robot, "--out", self.folder / out, *arguments)

    def refused(self, *words, arguments=QUICK, robot=GO2, out="run", code=3):
        result = self.identify(*arguments, robot=robot, out=out)
        self.assertEqual(result.returncode, code, result.stderr)
        for word in words:
            self.assertIn(word, result.stderr)

    def same(self, one, other):
        names, others = [sorted(p.name for p in (self.folder / out).iterdir()) for out in [one, other]]
        self.assertEqual(names, others)
        for name in names:
            self.assertEqual((self.folder / one / name).read_bytes(), (self.folder / other / name).read_bytes(), name)
        return names

    def kill_when(self, there, *arguments, out):
        process = subprocess.Popen([GONOGO, "identify", GO2, "--out", self.folder / out, *arguments],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while process.poll() is None and not (self.folder / out / there).exists():
            time.sleep(0.002)
        process.send_signal(signal.SIGKILL)
        process.wait()

    def test_help_has_examples_and_exit_codes(self):
        shown = run("identify", "--help")
        self.assertEqual(shown.returncode, 0)
        self.assertIn("Examples:", shown.stdout)
        self.assertIn("Exit codes", shown.stdout)

    def test_the_same_bytes_for_one_thread_and_for_four_and_all_tables(self):
        for jobs in ["1", "4"]:
            shown = self.identify(*SMALL, "--jobs", jobs, out=jobs)
            self.assertEqual(shown.returncode, 0, shown.stderr)
        self.assertIn("report.html", self.same("1", "4"))
        for words in ["paper R²", "world-frame labels", "50 % of the data", "utility-filtered", "4 macro steps", "remaining work"]:
            self.assertIn(words, shown.stdout)
        told = json.loads((self.folder / "1" / "identification.json").read_text())
        self.assertEqual([row["name"] for row in told["response"]][:2], ["effort", "power"])
        self.assertTrue(told["complete"])

    def test_a_killed_run_resumes_to_the_same_bytes(self):
        self.assertEqual(self.identify(*SMALL, out="whole").returncode, 0)
        for there in ["excitation.h5.parts/env-0001.h5", "response-effort.onnx", "response-power.json"]:
            self.kill_when(there, *SMALL, out="killed")
            resumed = self.identify(*SMALL, out="killed")
            self.assertEqual(resumed.returncode, 0, resumed.stderr)
            self.same("whole", "killed")
            shutil.rmtree(self.folder / "killed")

    def test_an_interruption_says_how_to_go_on(self):
        process = subprocess.Popen([GONOGO, "identify", GO2, "--out", self.folder / "run", "--terrain", "flat", "--envs", "200"],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        while process.poll() is None and not (self.folder / "run" / "excitation.h5.parts").exists():
            time.sleep(0.002)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=300)
        self.assertEqual(process.returncode, 130)
        self.assertIn("the same command resumes", said)

    def test_data_that_do_not_belong_are_refused(self):
        self.assertEqual(self.identify(*QUICK).returncode, 0)
        data = self.folder / "run" / "excitation.h5"
        self.refused("excitation.h5", "other options", arguments=[*QUICK, "--seed", "2"], code=2)
        other = self.folder / "other"
        shutil.copytree(GO2, other)
        text = (other / "robot.toml").read_text()
        (other / "robot.toml").write_text(text.replace('term = "base_ang_vel"', 'term = "base_ang_vel"\nscale = 0.5', 1))
        self.refused("excitation.h5", "observation layout", robot=other)
        (other / "robot.toml").write_text(text.replace('name = "go2"', 'name = "dog"', 1))
        self.refused("excitation.h5", "other options", "go2", robot=other, code=2)
        with open(data, "r+b") as file:
            file.truncate(data.stat().st_size // 2)
        self.refused("excitation.h5", "truncated")

    def test_an_empty_data_set_is_refused(self):
        self.assertEqual(self.identify(*QUICK).returncode, 0)
        with h5py.File(self.folder / "run" / "excitation.h5", "r+") as file:
            file.attrs["states"] = 0.0
        self.refused("excitation.h5", "holds no states")

    def test_a_folder_of_something_else_is_refused(self):
        (self.folder / "run").mkdir()
        (self.folder / "run" / "excitation.h5").write_text("not HDF5")
        self.refused("excitation.h5", "HDF5")

    def test_wrong_flags_and_robots(self):
        self.refused("moon", arguments=["--terrain", "moon"], code=2)
        self.refused("--envs", arguments=["--envs", "0"], code=2)
        self.refused("--epochs", arguments=["--epochs", "many"], code=2)
        self.refused("--value-episodes", arguments=["--value-episodes", "2"], code=2)
        self.refused("0 windows of 40 steps", arguments=[*QUICK, "--window", "40"])
        self.refused("nowhere", robot=self.folder / "nowhere", code=4)
        self.refused("fewer than two episodes", arguments=["--terrain", "flat", "--envs", "1", "--steps", "60"], out="one")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
