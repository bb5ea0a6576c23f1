#!/usr/bin/env python3
"""Ranks on two hosts made of network namespaces: the bytes of a plain run; one host is cut off in the middle.

    tests/cluster/hosts_test.py path/to/gonogo path/to/repository      (root; make test-cluster)
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

from own_hosts import OwnHosts
from small_runs import GONOGO, audit, environment, mpi_missing, run, slow_audit


class Hosts(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="gonogo-two-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.hosts = OwnHosts()
        self.hosts.__enter__()
        self.addCleanup(self.hosts.__exit__)

    def shared(self, command):
        return subprocess.run(self.hosts.mpirun(GONOGO, *command), capture_output=True, text=True, check=False, timeout=300,
                              env=environment(GONOGO_TEAM_SILENCE_S="6"))

    def same(self, name):
        self.assertEqual((self.folder / "plain" / name).read_bytes(), (self.folder / "two" / name).read_bytes())

    def test_two_hosts_give_the_bytes_of_one(self):
        self.assertEqual(run(audit(self.folder / "plain")).returncode, 0)
        result = self.shared([word for word in audit(self.folder / "two", "--json", "--jobs", "1") if word != "--quiet"])
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn('"host":"right"', result.stderr)
        self.same("result.json")

    def test_a_host_that_is_cut_off_ends_the_run_by_name_and_the_same_command_resumes(self):
        self.assertEqual(run(slow_audit(self.folder / "plain")).returncode, 0)
        size = (self.folder / "plain" / "refits.log").stat().st_size
        log = self.folder / "two" / "refits.log"
        command = slow_audit(self.folder / "two", "--jobs", "1")
        said_file = self.folder / "said"
        with open(said_file, "w", encoding="utf-8") as said, subprocess.Popen(
                self.hosts.mpirun(GONOGO, *command), stdout=subprocess.DEVNULL, stderr=said,
                env=environment(GONOGO_TEAM_SILENCE_S="6")) as launcher:
            while launcher.poll() is None and (not log.exists() or log.stat().st_size < size // 4):
                time.sleep(0.01)
            self.hosts.cut()
            # First the program ends the run and says why, then mpirun finds that its other half is gone.
            try:
                launcher.wait(timeout=90)
            except subprocess.TimeoutExpired:
                launcher.kill()
                self.fail("mpirun did not end: " + said_file.read_text())
        said = said_file.read_text()
        self.assertNotEqual(launcher.returncode, 0)
        self.assertRegex(said, "rank 1 on right has not been heard of for 6 s")
        self.assertFalse((self.folder / "two" / "result.json").exists())
        kept = log.read_bytes()
        self.hosts.__exit__()
        self.hosts.__enter__()
        result = self.shared(command)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertTrue(log.read_bytes().startswith(kept), "finished refits were not used")
        self.assertEqual(log.stat().st_size, size)
        self.same("result.json")


if __name__ == "__main__":
    if mpi_missing():
        sys.exit(f"cannot test ranks on several hosts: {mpi_missing()}")
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
