#!/usr/bin/env python3
"""The templates of examples/slurm under a real Slurm on loopback: arrays, MPI, a job that is cancelled, one that runs out of time.

    tests/cluster/slurm_test.py path/to/gonogo path/to/repository      (root; make test-cluster)
"""
import pathlib
import shutil
import sys
import tempfile
import time
import unittest

from own_slurm import OwnSlurm
from small_runs import GONOGO, SOURCE, audit, mpi_missing, run, slow_audit

TEMPLATES = SOURCE.resolve() / "examples" / "slurm"


class Slurm(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.slurm = OwnSlurm()
        cls.slurm.__enter__()
        cls.addClassCleanup(cls.slurm.__exit__)

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="gonogo-jobs-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def said(self):
        return "\n".join(f"{file.name}: {file.read_text()}" for file in sorted(self.folder.glob("job-*.out")))

    def submit(self, *words):
        return self.slurm.submit(self.folder, *words)

    def completed(self, job):
        states = self.slurm.finish(job)
        self.assertEqual(set(states), {"COMPLETED"}, self.said())

    def same(self, name, other):
        self.assertEqual((self.folder / "plain" / name).read_bytes(), (self.folder / other / name).read_bytes())

    def wait_for_log(self, log, size, job):
        while not log.exists() or log.stat().st_size < size:
            self.assertTrue(set(self.slurm.states(job)) & {"PENDING", "RUNNING", "CONFIGURING"}, self.said())
            time.sleep(0.02)

    def test_an_array_and_its_merge_end_with_the_bytes_of_a_plain_run(self):
        self.assertEqual(run(audit(self.folder / "plain")).returncode, 0)
        command = [GONOGO, *audit(self.folder / "array")]
        job = self.submit("--array=1-4", "--cpus-per-task=1", TEMPLATES / "array.sbatch", *command)
        merge = self.submit(f"--dependency=afterok:{job}", TEMPLATES / "merge.sbatch", self.folder / "array", *command)
        self.completed(merge)
        self.same("result.json", "array")

    def test_a_cancelled_task_of_an_array_is_named_and_resumed(self):
        self.assertEqual(run(slow_audit(self.folder / "plain")).returncode, 0)
        size = (self.folder / "plain" / "refits.log").stat().st_size
        command = [GONOGO, *slow_audit(self.folder / "array")]
        job = self.submit("--array=1-2", "--cpus-per-task=1", TEMPLATES / "array.sbatch", *command)
        log = self.folder / "array" / "refits.shard-2-of-2.log"
        self.wait_for_log(log, size // 8, job)
        self.slurm.call("scancel", f"{job}_2")
        self.assertIn("CANCELLED", self.slurm.finish(job), self.said())
        kept = log.read_bytes()
        refused = run(["merge", self.folder / "array"])
        self.assertEqual(refused.returncode, 3)
        self.assertIn("--shard 2/2", refused.stderr)
        # Only the cancelled one again; GONOGO_SHARDS because the array now has another size.
        again = self.submit("--array=2", "--export=ALL,GONOGO_SHARDS=2", "--cpus-per-task=1", TEMPLATES / "array.sbatch", *command)
        self.completed(again)
        self.assertTrue(log.read_bytes().startswith(kept[:size // 8]), "finished refits were not used")
        self.completed(self.submit(TEMPLATES / "merge.sbatch", self.folder / "array", *command))
        self.same("result.json", "array")

    @unittest.skipIf(mpi_missing(), mpi_missing())
    def test_ranks_of_a_cancelled_job_are_resumed(self):
        self.assertEqual(run(slow_audit(self.folder / "plain")).returncode, 0)
        size = (self.folder / "plain" / "refits.log").stat().st_size
        log = self.folder / "ranks" / "refits.log"
        command = ["--ntasks-per-node=2", "--cpus-per-task=1", "--export=ALL,GONOGO_MPIRUN=--allow-run-as-root --oversubscribe",
                   TEMPLATES / "mpi.sbatch", GONOGO, *slow_audit(self.folder / "ranks")]
        job = self.submit(*command)
        self.wait_for_log(log, size // 4, job)
        self.slurm.call("scancel", job)
        self.assertEqual(set(self.slurm.finish(job)), {"CANCELLED"})
        kept = log.read_bytes()
        self.completed(self.submit(*command))
        self.assertTrue(log.read_bytes().startswith(kept[:size // 4]))
        self.assertEqual(log.stat().st_size, size, "a finished refit was made again")
        self.same("result.json", "ranks")

    def test_a_job_that_runs_out_of_time_is_resumed(self):
        # Slurm counts time limits in minutes; this takes several on one thread.
        long_audit = slow_audit(self.folder / "out", "--jobs", "1", refits=2000, epochs=60)
        script = self.folder / "one.sbatch"
        script.write_text('#!/bin/bash\nexec "$@"\n')
        job = self.submit("--time=1", script, GONOGO, *long_audit)
        self.assertEqual(self.slurm.finish(job), ["TIMEOUT"], self.said())
        log = self.folder / "out" / "refits.log"
        kept = log.read_bytes()
        self.assertIn("finished refits are kept in", self.said())
        again = self.submit("--time=1", script, GONOGO, *long_audit)
        self.slurm.finish(again)
        self.assertTrue(log.read_bytes().startswith(kept[:-4096]), "finished refits were not used")
        self.assertGreater(log.stat().st_size, len(kept))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
