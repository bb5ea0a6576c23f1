#!/usr/bin/env python3
"""Ranks under mpirun: the bytes of a plain run for any number of them, a killed rank, ranks that disagree.

    tests/cluster/ranks_test.py path/to/gonogo path/to/repository
"""
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

from small_runs import (COLLECT_PROTOCOL, GO2, GONOGO, SORTING, audit, calibrate, collect, environment, mpi_missing, mpirun, needs,
                        run, slow_audit, small_training)


def on_ranks(ranks, command, *options, **more):
    return subprocess.run([*mpirun(ranks, *options), *map(str, command)], capture_output=True, text=True, check=False,
                          env=environment(**more), timeout=300)


def differently(here, there):
    """The first command as rank 0, the second as rank 1. mpirun's own way, with a colon, crashes the launcher of Debian 13."""
    choice = f'if [ "$OMPI_COMM_WORLD_RANK" = 1 ]; then exec {shlex.join(there)}; fi; exec {shlex.join(here)}'
    return subprocess.run([*mpirun(2)[:-1], "sh", "-c", choice], capture_output=True, text=True, check=False, env=environment(), timeout=60)


def rank_of(pid):
    try:
        words = pathlib.Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
        return next(int(word.split(b"=")[1]) for word in words if word.startswith(b"OMPI_COMM_WORLD_RANK="))
    except (OSError, StopIteration):
        return None


def process_of_rank(launcher, rank):
    """The process of a rank that this mpirun started."""
    children = pathlib.Path(f"/proc/{launcher.pid}/task/{launcher.pid}/children").read_text().split()
    return next((int(pid) for pid in children if rank_of(pid) == rank), None)


class Ranks(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def done(self, result):
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return result

    def same(self, name, other):
        self.assertEqual((self.folder / "plain" / name).read_bytes(), (self.folder / other / name).read_bytes(), other)

    def test_an_audit_has_the_same_bytes_on_any_number_of_ranks_and_threads(self):
        plain = self.done(run([*audit(self.folder / "plain"), "--seeds", "2", "--json"]))
        for ranks, jobs in [(1, 1), (2, 1), (4, 2)]:
            out = self.folder / f"{ranks}"
            shared = self.done(on_ranks(ranks, [*audit(out), "--seeds", "2", "--jobs", jobs, "--json"]))
            self.assertEqual(shared.stdout, plain.stdout, "one rank alone prints the result")
            for name in ["result.json", "report.html", "manifest.json"]:
                self.same(name, out.name)

    @needs(GONOGO, "robots")
    def test_a_collection_and_a_benchmark_have_the_same_bytes(self):
        protocol = self.folder / "small.toml"
        protocol.write_text(COLLECT_PROTOCOL)
        self.done(run(collect(protocol, self.folder / "plain")))
        self.done(run(calibrate(self.folder / "benchmark")))
        for ranks in [1, 2, 4]:
            self.done(on_ranks(ranks, collect(protocol, self.folder / f"{ranks}", "--jobs", "1")))
            self.same("table.h5", f"{ranks}")
            self.same("parts/cluster-2.h5", f"{ranks}")
            self.done(on_ranks(ranks, calibrate(self.folder / f"benchmark-{ranks}")))
            self.assertEqual(self.benchmark("benchmark"), self.benchmark(f"benchmark-{ranks}"), ranks)

    def benchmark(self, folder):
        """What a calibration found; seconds differ."""
        result = json.loads((self.folder / folder / "result.json").read_text())
        for cell in result["cells"]:
            del cell["fit_cpu_seconds"], cell["pair_fit_cpu_seconds"]
        return result

    @needs(GONOGO, "robots")
    def test_models_and_the_episodes_they_are_made_of_have_the_same_bytes(self):
        command = ["identify", GO2, "--envs", "3", "--steps", "100", "--epochs", "2", "--macro-epochs", "1", "--value-episodes", "8",
                   "--terrain", "flat", "--no-contrasts", "--json", "--quiet", "--out"]
        plain = self.done(run([*command, self.folder / "plain"]))
        shared = self.done(on_ranks(2, [*command, self.folder / "two", "--jobs", "1"]))
        self.assertEqual(plain.stdout, shared.stdout)
        names = sorted(file.name for file in (self.folder / "plain").iterdir())
        self.assertEqual(names, sorted(file.name for file in (self.folder / "two").iterdir()))
        self.assertIn("macro.onnx", names)
        for name in names:
            self.same(name, "two")
        # As if rank 0 had been killed while it wrote a model: three ranks train that one alone and remove the half.
        ended = subprocess.Popen(["true"])
        ended.wait()
        half = self.folder / "two" / f"macro.json.{socket.gethostname()}-{ended.pid}.tmp"
        (self.folder / "two" / "macro.json").rename(half)
        words = self.done(on_ranks(3, [word for word in command if word != "--quiet"] + [self.folder / "two", "--jobs", "1"])).stderr
        self.assertFalse(half.exists())
        self.same("macro.json", "two")
        # Three environments are kept in excitation.h5, two models of three as they are; the eight episodes are run again.
        self.assertEqual(sum(rank["units"] for rank in json.loads(words.strip().splitlines()[-1])["ranks"]), 1 + 8)

    @needs(GONOGO, "robots")
    def test_controllers_compared_on_the_ground_of_each_seed_have_the_same_bytes(self):
        command = ["evaluate", GO2, "--seeds", "1,2", "--trials", "1", "--methods", "direct,scale-0.75", "--family", "moderate",
                   "--terrain", "rough", "--terrain-seed", "each", "--json", "--quiet", "--out"]
        plain = self.done(run([*command, self.folder / "plain"]))
        shared = self.done(on_ranks(2, [*command, self.folder / "two", "--jobs", "1"]))
        self.assertEqual(plain.stdout, shared.stdout)
        for name in ["episodes.csv", "evaluation.json", "report.html"]:
            self.same(name, "two")

    @needs(GONOGO, "robots")
    def test_an_adapter_confirmed_on_ranks_has_the_same_bytes(self):
        protocol = self.folder / "small.toml"
        protocol.write_text(COLLECT_PROTOCOL)
        self.done(run(collect(protocol, self.folder / "collected")))
        self.done(run(["audit", self.folder / "collected" / "table.h5", "--learner", "ridge", "--refits", "20", "--quiet", "--out",
                       self.folder / "audit", "--export", self.folder / "adapter", "--export-anyway"]))
        command = ["confirm", self.folder / "adapter", GO2, "--seeds", "11,12", "--trials", "1", "--json", "--quiet", "--out"]
        plain = self.done(run([*command, self.folder / "plain"]))
        shared = self.done(on_ranks(2, [*command, self.folder / "two", "--jobs", "1"]))
        self.assertEqual(plain.stdout, shared.stdout)
        for name in ["confirm.json", "episodes.csv"]:
            self.same(name, "two")

    @needs(GONOGO, "paper")
    def test_a_study_and_a_reproduction_have_the_same_bytes(self):
        protocol = self.folder / "small.toml"
        # Noise, so that the conditions of a collection reach every rank, too.
        protocol.write_text(COLLECT_PROTOCOL + 'conditions = "noise"\n')
        study = ["study", GO2, "--protocol", protocol, "--set", "learner.kind=ridge", "--skip-check", "--json", "--quiet", "--out"]
        plain = self.done(run([*study, self.folder / "plain"]))
        shared = self.done(on_ranks(2, [*study, self.folder / "two", "--jobs", "1"]))
        self.assertEqual(plain.stdout.replace(str(self.folder / "plain"), "OUT"), shared.stdout.replace(str(self.folder / "two"), "OUT"))
        for name in ["table.h5", "audit/result.json", "audit/report.html"]:
            self.same(name, "two")
        # A folder without the paper's other robots: what needs them is left out, and said so.
        robot = self.folder / "robots" / "go2"
        shutil.copytree(GO2, robot)
        made = {}
        for name, start in [("alone", run), ("ranks", lambda words: on_ranks(2, words))]:
            words = ["reproduce", "scales-h1", "audit-h1", "--robot", robot, "--out", self.folder / name, "--quiet"]
            self.done(start(words))
            self.done(start(words))  # both items are kept now
            made[name] = re.sub(r"[0-9.]+ (s|ms)\b", "some time", (self.folder / name / "reproduction.md").read_text())
        self.assertIn("h1", made["alone"])
        self.assertEqual(made["alone"], made["ranks"])

    @needs(GONOGO, "training")
    def test_ten_iterations_of_training_have_the_same_bytes_and_go_on_with_another_number_of_ranks(self):
        robot = small_training(self.folder)
        self.done(run(["train", robot, "--out", self.folder / "plain", "--quiet"]))
        commands = {ranks: ["train", robot, "--out", self.folder / ranks, "--jobs", "1", "--quiet"] for ranks in ["1", "2", "4", "mixed"]}
        self.done(on_ranks(1, commands["1"]))
        self.done(on_ranks(2, commands["2"]))
        self.done(on_ranks(4, commands["4"]))
        self.done(on_ranks(3, [*commands["mixed"], "--iterations", "6"]))  # its last checkpoint is of iteration 4
        self.done(on_ranks(2, commands["mixed"]))
        for name in ["checkpoint.bin", "policy.onnx"]:
            for other in commands:
                self.same(name, other)

    def test_a_killed_rank_ends_the_run_with_a_message_and_the_same_command_goes_on(self):
        self.done(run(slow_audit(self.folder / "plain")))
        records = (self.folder / "plain" / "refits.log").stat().st_size
        killed = self.folder / "killed"
        log = killed / "refits.log"
        with subprocess.Popen([*mpirun(2), *slow_audit(killed, "--jobs", "1")], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              text=True, env=environment()) as launcher:
            while launcher.poll() is None and (not log.exists() or log.stat().st_size < records // 4):
                time.sleep(0.005)
            os.kill(process_of_rank(launcher, 1), signal.SIGKILL)
            _, said = launcher.communicate(timeout=60)
        self.assertNotEqual(launcher.returncode, 0)
        self.assertIn("rank 1", said)
        self.assertIn("Killed", said)
        self.assertIn(f"finished refits are kept in {killed}", said)
        self.assertFalse((killed / "result.json").exists())
        kept = log.stat().st_size
        self.assertGreaterEqual(kept, records // 4)
        before = log.read_bytes()
        self.done(on_ranks(2, slow_audit(killed, "--jobs", "1")))
        self.assertTrue(log.read_bytes().startswith(before[:kept]), "finished refits were not used")
        self.assertEqual(log.stat().st_size, records, "a finished refit was made again")
        for name in ["result.json", "report.html"]:
            self.same(name, "killed")

    def test_ranks_with_another_table_or_protocol_stop_naming_both_hashes(self):
        other = self.folder / "table.csv"
        other.write_text(SORTING.read_text().replace(",1310,", ",1311,", 1))
        shutil.copy(SORTING.parent / "audit.toml", self.folder)
        command = [str(GONOGO), *audit(self.folder / "out")]
        there = [word.replace(str(SORTING), str(other)) for word in command]
        result = differently(command, there)
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertRegex(result.stderr, r"rank 1 on \S+ has another table than rank 0: [0-9a-f]{64} there, [0-9a-f]{64} here")
        result = differently(command, [*command, "--set", "protocol.kappa=0.02"])
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertIn("rank 1", result.stderr)
        self.assertEqual(len(re.findall(r"gonogo: ", result.stderr)), 1, "every rank said it: " + result.stderr)

    def test_the_summary_counts_every_unit_and_tells_idle_time_and_bytes(self):
        command = [word for word in audit(self.folder / "out") if word != "--quiet"]
        result = self.done(on_ranks(2, [*command, "--jobs", "1", "--json"]))
        summary = json.loads(result.stderr.strip().splitlines()[-1])
        self.assertEqual(sum(rank["units"] for rank in summary["ranks"]), 64)
        self.assertEqual(len(summary["ranks"]), 2)
        self.assertTrue(0 <= summary["idle_share"] <= 1)
        # Every refit is sent to the other rank once, whoever made it.
        self.assertGreater(summary["bytes_moved"], (self.folder / "out" / "refits.log").stat().st_size * 0.9)
        words = self.done(on_ranks(2, command)).stderr
        self.assertIn("units by rank: 0, 0", words)  # all were kept

    def test_errors_are_said_once(self):
        result = on_ranks(3, audit(self.folder / "out")[:1] + ["no/such.csv"])
        self.assertEqual(result.returncode, 4, result.stderr)
        self.assertEqual(result.stderr.count("no/such.csv"), 1, result.stderr)

    def test_verbs_that_share_nothing_say_so(self):
        result = on_ranks(2, ["version"])
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertEqual(result.stderr.count("does not share its work"), 1)

    def test_a_build_without_mpi_says_what_to_do(self):
        result = on_ranks(2, audit(self.folder / "out"), GONOGO_MPI_PLUGIN="/no/such.so")
        self.assertEqual(result.returncode, 2)
        self.assertIn("built without MPI", result.stderr)


if __name__ == "__main__":
    missing = mpi_missing()
    if missing:
        print(f"skipped: {missing}")
        sys.exit(77)
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
