#!/usr/bin/env python3
"""Ranks on two hosts made of network namespaces: the bytes of a plain run; one host is cut off in the middle.

    tests/cluster/hosts_test.py path/to/gonogo path/to/repository      (root; make test-cluster)
"""
import os
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
        with subprocess.Popen(self.hosts.mpirun(GONOGO, *command), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                              env=environment(GONOGO_TEAM_SILENCE_S="6")) as launcher:
            while launcher.poll() is None and (not log.exists() or log.stat().st_size < size // 4):
                time.sleep(0.01)
            self.hosts.cut()
            begin = time.time()
            said = ""
            # mpirun itself may wait much longer for the host it lost; what matters is that the run has ended.
            os.set_blocking(launcher.stderr.fileno(), False)
            while "rank 1 on right" not in said and launcher.poll() is None and time.time() - begin < 60:
                said += launcher.stderr.read() or ""
                time.sleep(0.1)
            launcher.terminate()
            try:
                launcher.wait(timeout=10)
            except subprocess.TimeoutExpired:
                launcher.kill()
            said += launcher.stderr.read() or ""
        self.assertRegex(said, "rank 1 on right has not been heard of for 6 s|lost communication")
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
    unittest.main(argv=sys.argv[:1])
