#!/usr/bin/env python3
"""Job arrays: shards of audit, collect and calibrate merge to the bytes of a plain run; everything else is refused by name.

    tests/cluster/shards_test.py path/to/gonogo path/to/repository
"""
import json
import pathlib
import shutil
import sys
import tempfile
import unittest

from small_runs import COLLECT_PROTOCOL, GONOGO, audit, calibrate, collect, needs, run


class Shards(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def done(self, command):
        result = run(command)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result

    def refused(self, command, *words):
        result = run(command)
        self.assertEqual(result.returncode, 3, result.stdout + result.stderr)
        for word in words:
            self.assertIn(word, result.stderr)

    def same(self, name):
        self.assertEqual((self.folder / "plain" / name).read_bytes(), (self.folder / "array" / name).read_bytes())

    def test_an_audit_in_three_shards_has_the_bytes_of_a_plain_one(self):
        self.done(audit(self.folder / "plain", "--seeds", "2"))
        for shard in ["2/3", "3/3", "1/3", "3/3"]:  # in any order; a finished one again changes nothing
            self.done(audit(self.folder / "array", "--seeds", "2", "--shard", shard))
        merged = json.loads(self.done(["merge", self.folder / "array", "--json"]).stdout)
        self.assertEqual([(log["shards"], log["units"]) for log in merged["logs"]], [(3, 64), (3, 64)])
        log = (self.folder / "array" / "refits.log").read_bytes()
        self.done(audit(self.folder / "array", "--seeds", "2"))
        self.same("result.json")
        self.same("report.html")
        self.assertEqual((self.folder / "array" / "refits.log").read_bytes(), log, "the merged run made fits again")

    def test_shards_from_several_places_merge_into_the_first(self):
        self.done(audit(self.folder / "plain"))
        self.done(audit(self.folder / "array", "--shard", "1/2"))
        self.done(audit(self.folder / "elsewhere", "--shard", "2/2"))
        self.done(["merge", self.folder / "array", self.folder / "elsewhere"])
        self.done(audit(self.folder / "array"))
        self.same("result.json")

    def test_gaps_overlaps_and_strangers_are_refused_by_name(self):
        array = self.folder / "array"
        for shard in ["1/4", "3/4"]:
            self.done(audit(array, "--shard", shard))
        self.refused(["merge", array], "2 are missing", "--shard 2/4, 4/4")
        for shard in ["2/4", "4/4"]:
            self.done(audit(array, "--shard", shard, "--jobs", "1"))  # one thread finishes its units in order
        # Cut in the middle of its last records, as a killed task leaves it.
        log = array / "refits.shard-4-of-4.log"
        whole = log.read_bytes()
        log.write_bytes(whole[:-2000])
        self.refused(["merge", array], "refits.shard-4-of-4.log", "of its 16 units", "--shard 4/4")
        self.assertFalse((array / "refits.log").exists())
        self.done(audit(array, "--shard", "4/4", "--jobs", "1"))
        self.assertEqual(log.read_bytes(), whole, "a resumed shard ends with other bytes")
        # The same shard from two places.
        shutil.copytree(array, self.folder / "copy")
        self.refused(["merge", array, self.folder / "copy"], "is there twice", str(self.folder / "copy"))
        shutil.rmtree(self.folder / "copy")
        # A shard under the name of another.
        shutil.copy(array / "refits.shard-1-of-4.log", log)
        self.refused(["merge", array], "refits.shard-4-of-4.log", "does not say that it is shard 4 of 4")
        # A shard of another run.
        log.unlink()
        self.done([*audit(self.folder / "other"), "--set", "protocol.kappa=0.02", "--shard", "4/4"])
        self.refused(["merge", array, self.folder / "other"], "different runs", "hashes")
        # Shards of another division.
        self.done(audit(array, "--shard", "4/4"))
        self.done(audit(array, "--shard", "2/3"))
        self.refused(["merge", array], "shard 2 of 3", "shards of one array")

    def test_a_folder_without_shards_is_refused(self):
        (self.folder / "empty").mkdir()
        self.refused(["merge", self.folder / "empty"], "holds no shards")

    def test_wrong_shards_are_usage_errors(self):
        for wrong in ["0/3", "4/3", "3", "a/b"]:
            result = run(audit(self.folder / "array", "--shard", wrong))
            self.assertEqual(result.returncode, 2, wrong)
            self.assertIn("such as 3/16", result.stderr)

    def test_a_shard_is_no_look_at_the_table(self):
        table = self.folder / "table.csv"
        shutil.copy(pathlib.Path(sys.argv[2]) / "examples" / "sorting" / "table.csv", table)
        shutil.copy(pathlib.Path(sys.argv[2]) / "examples" / "sorting" / "audit.toml", self.folder / "audit.toml")
        command = audit(self.folder / "array", "--shard", "1/2")
        command[1] = str(table)
        self.done(command)
        self.assertFalse((self.folder / "looks.json").exists())

    def test_a_benchmark_in_shards_has_the_bytes_of_a_plain_one(self):
        self.done(calibrate(self.folder / "plain"))
        for shard in ["1/2", "2/2"]:
            self.done(calibrate(self.folder / "array", "--shard", shard))
        self.done(["merge", self.folder / "array"])
        self.done(calibrate(self.folder / "array"))
        results = [json.loads((self.folder / name / "result.json").read_text()) for name in ["plain", "array"]]
        for result in results:  # the only number that may vary from run to run
            for cell in result["cells"]:
                del cell["fit_cpu_seconds"], cell["pair_fit_cpu_seconds"]
        self.assertEqual(*results)

    @needs(GONOGO, "robots")
    def test_a_collection_in_shards_has_the_bytes_of_a_plain_one(self):
        protocol = self.folder / "small.toml"
        protocol.write_text(COLLECT_PROTOCOL)
        self.done(collect(protocol, self.folder / "plain"))
        self.done(collect(protocol, self.folder / "array", "--shard", "1/2"))
        self.refused(["merge", self.folder / "array"], "these clusters are missing: 2")
        self.done(collect(protocol, self.folder / "elsewhere", "--shard", "2/2"))
        stranger = self.folder / "elsewhere" / "parts" / "cluster-9.h5"
        shutil.copy(self.folder / "elsewhere" / "parts" / "cluster-2.h5", stranger)
        both = ["merge", self.folder / "array", self.folder / "elsewhere"]
        self.refused(both, "cluster-9.h5", "is not a cluster of this collection")
        stranger.unlink()
        self.assertFalse((self.folder / "array" / "table.h5").exists())
        self.done(both)
        self.same("table.h5")
        self.refused(both, "collected twice", "cluster-2.h5")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
