#!/usr/bin/env python3
"""Broken tables and protocols as a user meets them: each is refused with exit code 3 and a message that names the file, the
place, what stands there and what was expected.

    tests/cli/table_cli_test.py path/to/gonogo path/to/repository
"""
import gzip
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest

import h5py
import numpy as np

GONOGO = sys.argv[1]

GOOD = """cluster,query,action,cost,time,success,obs_a,obs_b
c1,q1,direct,10,1,1,0.5,1
c1,q1,fast,8,1.2,0,0.5,1
c2,q2,direct,12,1,1,0.25,1
c2,q2,fast,9,1,1,0.25,1
"""

# What is replaced in the good table, by what, and what the message says.
CSV = [
    ("a missing cell", ("c2,q2,fast,9,1,1,0.25,1\n", ""), "query 'q2' has no row for action 'fast', expected one row for each"),
    ("a repeated cell", ("c2,q2,fast", "c2,q2,direct"), ":5: query 'q2' and action 'direct' were already on line 4, expected one row"),
    ("features that differ", ("0,0.5,1", "0,0.75,1"), ":3: column 'obs_a' is '0.75', which differs from the other rows of query 'q1'"),
    ("not a number", ("8,1.2", "nan,1.2"), ":3: column 'cost' is 'nan', expected a finite number"),
    ("infinity", ("0.25,1\nc2", "inf,1\nc2"), ":4: column 'obs_a' is 'inf', expected a finite number"),
    ("text", ("10,1,1", "ten,1,1"), ":2: column 'cost' is 'ten', expected a number"),
    ("an empty number", ("8,1.2", ",1.2"), ":3: column 'cost' is '', expected a number"),
    ("a negative cost", ("8,1.2", "-8,1.2"), ":3: column 'cost' is '-8', expected a finite number, 0 or more"),
    ("a free reference", ("direct,10", "direct,0"), ":2: cost of the reference action 'direct' is 0, expected more than 0"),
    ("half a success", ("1.2,0", "1.2,0.5"), ":3: column 'success' is '0.5', expected 0 or 1"),
    ("a nameless query", ("c1,q1,direct", "c1,,direct"), ":2: column 'query' is '', expected a name"),
    ("one cluster", ("c2", "c1"), "found 1 cluster(s), expected at least two"),
    ("a query in two clusters", ("c1,q1,fast", "c2,q1,fast"), ":3: query 'q1' is in cluster 'c2' here and in cluster 'c1' above, expected one"),
    ("a short row", ("c2,q2,fast,9,1,1,0.25,1", "c2,q2,fast,9"), ":5: the row has 4 fields, the header has 8"),
    ("an open quotation", ("c2,q2,fast", 'c2,"q2,fast'), ":5: "),
    ("no cost", ("cost", "kost"), "no column 'cost' (did you mean 'kost'?): expected the cost there"),
    ("a column twice", ("obs_a", "time"), "two columns are called 'time', expected one"),
    ("no rows", (GOOD[GOOD.index("c1"):], ""), "no rows after the header"),
    ("nothing", (GOOD, ""), "the file is empty"),
    ("a number no double holds", ("8,1.2", "8e400,1.2"), ":3: column 'cost' is '8e400', expected a number"),
]

# The same for the protocol of the good table.
PROTOCOL = [
    ("one action", 'protocol.actions = ["direct"]', "protocol.actions: found one action, expected at least two"),
    ("an action that never occurs", 'protocol.actions = ["direct", "fast", "slow"]', "the declared action 'slow' does not occur"),
    ("a missing reference", 'protocol.reference = "directly"', "the reference action 'directly'"),
    ("a misspelt key", "protocol.kapa = 0.05", "kapa"),
    ("a threshold of the wrong type", 'protocol.kappa = "five"', "protocol.kappa"),
    ("no refits", "bootstrap.refits = -1", "bootstrap.refits"),
    ("an impossible level", "bootstrap.level = 1.5", "bootstrap.level"),
    ("an unknown learner", 'learner.kind = "magic"', "magic"),
    ("half a file", "protocol.name = ", "audit.toml"),
    ("an empty feature set", "feature_sets.none = []", "feature_sets.none: found an empty list, expected at least one text"),
    ("an unknown column", 'table.cost = "joules"', "no column 'joules'"),
    ("a pattern without columns", 'table.features = { x = "x_*" }', "no column fits the pattern 'x_*'"),
]


def good_hdf5(file):
    file["cluster"] = np.repeat(np.arange(4), 3)
    file["query"] = np.arange(12)
    file["cost"] = np.full((12, 3), 5.0)
    file["success"] = np.ones((12, 3), dtype="u1")
    file["choice"] = np.zeros(12, dtype="i4")
    file["features/obs"] = np.stack([np.arange(12.0), np.ones(12)], 1)
    file.attrs["actions"] = ["direct", "slow", "fast"]
    file.attrs["reference"] = "direct"
    file.attrs["schema"] = "gonogo.table/1"


def replace(name, values):
    def change(file):
        if name in file:
            del file[name]
        if values is not None:
            file[name] = values
    return change


def put(name, place, value):
    def change(file):
        file[name][place] = value
    return change


def attribute(name, value):
    def change(file):
        if value is None:
            del file.attrs[name]
        else:
            file.attrs[name] = value
    return change


def written_in_part(file):
    del file["features/obs"]
    file.create_dataset("features/obs", shape=(12, 2), chunks=(3, 2), dtype="f8")[0] = 1.0


def larger_than_any_memory(file):
    del file["features/obs"]
    file.create_dataset("features/obs", shape=(12, 2**61), chunks=(1, 1024), dtype="f8")


def bytes_of_another_file(file):
    del file["cost"]
    file.create_dataset("cost", shape=(12, 3), dtype="f8", external=[("/etc/passwd", 0, 12 * 3 * 8)])


HDF5 = [
    ("a ragged file", replace("success", np.ones((11, 3))), "/success has shape [11,3], expected [12,3]"),
    ("another schema", attribute("schema", "gonogo.table/2"), "schema is 'gonogo.table/2', expected 'gonogo.table/1'"),
    ("no costs", replace("cost", None), "/cost"),
    ("no clusters", replace("cluster", None), "/cluster"),
    ("no actions", attribute("actions", None), "actions"),
    ("actions that repeat", attribute("actions", ["direct", "slow", "slow"]), "actions[2] is 'slow' like attribute actions[1], expected every name once"),
    ("another number of actions", attribute("actions", ["direct", "slow"]), "/cost has shape [12,3], expected [12,2]"),
    ("an unknown reference", attribute("reference", "walk"), "the reference action 'walk'"),
    ("a negative cost", put("cost", (7, 1), -1), "/cost[7,1] (action 'slow') is -1, expected a finite number, 0 or more"),
    ("a cost that is no number", put("cost", (7, 1), np.nan), "/cost[7,1] (action 'slow') is nan, expected a finite number"),
    ("a free reference", put("cost", (7, 0), 0), "is 0, expected more than 0"),
    ("success of two", put("success", (7, 1), 2), "/success[7,1] (action 'slow') is 2, expected 0 or 1"),
    ("an infinite feature", put("features/obs", (3, 1), np.inf), "/features/obs row 3, column 1 is inf, expected a number below 3.4e38"),
    ("a choice out of range", put("choice", 5, 3), "/choice[5]"),
    ("a query twice", put("query", 5, 2), "/query[5] is '2' like /query[2]"),
    ("one cluster", replace("cluster", np.zeros(12, dtype="i4")), "found 1 cluster(s), expected at least two"),
    ("clusters that are fractions", replace("cluster", np.linspace(0, 1, 12)), "/cluster holds neither whole numbers nor strings"),
    ("names that are no UTF-8", replace("cluster", np.array([b"a", b"\xe9"] * 6)), "/cluster[1] is '\\xe9', expected UTF-8"),
    ("actions that are no UTF-8", attribute("actions", np.array([b"direct", b"\xe9", b"c"])), "actions[1] is '\\xe9', expected UTF-8"),
    ("numbers beyond 64 bits", replace("cluster", np.arange(12, dtype="u8") + 2**63 - 6), "/cluster holds a number that is no whole one or too large"),
    ("features that were not all written", written_in_part, "/features/obs was only written in part (1 of 4 blocks)"),
    ("features that fit no memory", larger_than_any_memory, "/features/obs would take"),
    ("costs in another file", bytes_of_another_file, "/cost keeps its values in other files"),
    ("a link to another file", replace("cost", h5py.ExternalLink("other.h5", "/cost")), "/cost is not a data set of this file"),
    ("a link to itself", replace("cost", h5py.SoftLink("/cost")), "/cost is not a data set of this file"),
    ("compound costs", replace("cost", np.zeros((12, 3), dtype=[("a", "f8"), ("b", "f8")])), "/cost does not hold numbers"),
    ("a group among the features", replace("features/sub/obs", np.ones((12, 2))), "/features/sub is not a data set of this file"),
    ("a list of costs", replace("cost", np.ones(36)), "/cost has shape [36], expected [queries,3]"),
    ("a list of features", replace("features/obs", np.ones(12)), "/features/obs has shape [12], expected [12,features]"),
    ("costs that are words", replace("cost", np.full((12, 3), b"a")), "/cost"),
]


class Malformed(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def audit(self, name):
        return subprocess.run([GONOGO, "audit", self.folder / name, "--learner", "ridge", "--refits", "10", "--out", self.folder / "run"],
                              capture_output=True, text=True, check=False)

    def refused(self, name, *expected):
        shown = self.audit(name)
        self.assertEqual(shown.returncode, 3, shown.stderr + shown.stdout)
        self.assertEqual(shown.stdout, "")
        for part in expected:
            self.assertIn(part, shown.stderr)
        self.assertFalse((self.folder / "run").exists(), "a refused table leaves no run behind")

    def test_the_unbroken_ones_are_audited(self):
        (self.folder / "table.csv").write_text(GOOD)
        with h5py.File(self.folder / "table.h5", "w") as file:
            good_hdf5(file)
        for name in ["table.csv", "table.h5"]:
            shown = self.audit(name)
            self.assertEqual(shown.returncode, 0, shown.stderr)
            self.assertRegex(shown.stdout, "warning: 1 feature column.* never vary and carry nothing: obs_")
            shutil.rmtree(self.folder / "run")

    def test_csv_tables(self):
        for title, (old, new), expected in CSV:
            with self.subTest(title):
                self.assertIn(old, GOOD)
                (self.folder / "table.csv").write_text(GOOD.replace(old, new))
                self.refused("table.csv", "table.csv", expected)

    def test_protocols(self):
        (self.folder / "table.csv").write_text(GOOD)
        for title, line, expected in PROTOCOL:
            with self.subTest(title):
                (self.folder / "audit.toml").write_text(line + "\n")
                self.refused("table.csv", expected)
        (self.folder / "audit.toml").write_text("a." * 1000000 + "a = 1\n")
        self.refused("table.csv", "audit.toml:1: a dotted key has more than 64 parts")

    def test_an_action_that_was_not_declared(self):
        (self.folder / "audit.toml").write_text('protocol.actions = ["direct", "fast"]\n')
        (self.folder / "table.csv").write_text(GOOD.replace("c2,q2,fast", "c2,q2,fest"))
        self.refused("table.csv", "table.csv:5", "'fest'", "did you mean 'fast'")

    def test_hdf5_tables(self):
        for title, change, expected in HDF5:
            with self.subTest(title):
                with h5py.File(self.folder / "table.h5", "w") as file:
                    good_hdf5(file)
                    change(file)
                self.refused("table.h5", "table.h5", expected)

    def test_a_truncated_hdf5_table(self):
        with h5py.File(self.folder / "table.h5", "w") as file:
            good_hdf5(file)
        whole = (self.folder / "table.h5").read_bytes()
        for share in [0.1, 0.5, 0.9]:
            (self.folder / "table.h5").write_bytes(whole[:int(share * len(whole))])
            self.refused("table.h5", "table.h5")

    def test_csv_tables_that_are_no_text(self):
        (self.folder / "table.csv").write_bytes(GOOD.encode().replace(b"fast", b"\x1b[31m"))
        self.refused("table.csv", "table.csv:3: column 'action' is '", "expected UTF-8 text")
        (self.folder / "table.csv").write_bytes(GOOD.encode().replace(b"fast", b"f\0st"))
        self.refused("table.csv", "table.csv: has bytes of 0 and is no text")

    def test_provenance_nested_too_deep_is_kept_as_text(self):
        deep = "[" * 10000 + "]" * 10000
        with h5py.File(self.folder / "table.h5", "w") as file:
            good_hdf5(file)
            file.attrs["provenance"] = deep
        self.assertEqual(self.audit("table.h5").returncode, 0)
        self.assertIn(json.dumps(deep), (self.folder / "run" / "result.json").read_text())

    def test_what_is_no_table_at_all(self):
        (self.folder / "noise.bin").write_bytes(bytes(range(256)) * 40)
        self.refused("noise.bin", "noise.bin")
        for name, content, advice in [("table.csv.gz", gzip.compress(GOOD.encode())[:-9], "the gzip file is damaged or cut off"),
                                      ("table.xlsx", b"PK\x03\x04" + bytes(100), "save the sheet as CSV"),
                                      ("wide.csv", GOOD.encode("utf-16")[2:], "UTF-16 without a byte order mark: save it as UTF-8")]:
            (self.folder / name).write_bytes(content)
            self.refused(name, name, advice)

    def test_a_table_that_grows_while_it_is_read_is_refused_by_every_verb(self):
        rows = "".join(f"c{q % 20},q{q},{action},{1 + q % 7},{q % 5}\n" for q in range(10_000) for action in ("direct", "fast"))
        table = self.folder / "growing.csv"
        table.write_text("cluster,query,action,cost,f_x\n" + rows)
        over = threading.Event()

        def grow():
            with table.open("a") as file:
                while not over.is_set():
                    file.write("\n")  # a blank line means nothing in a table
                    file.flush()

        thread = threading.Thread(target=grow)
        thread.start()
        try:
            for words, more in ((["audit"], []), (["plan"], []), (["control", "hidden"], ["--actions", "direct,fast"])):
                for attempt in range(20):  # on a busy machine nothing may be added during one reading
                    found = subprocess.run([GONOGO, *words, str(table), *more, "--learner", "ridge", "--refits", "1", "--jobs", "1"],
                                           cwd=self.folder, capture_output=True, text=True)
                    if "was changed" in found.stderr:
                        break
                self.assertIn("growing.csv: was changed while it was read", found.stderr, words)
                self.assertEqual(found.returncode, 3)
        finally:
            over.set()
            thread.join()

    def test_names_in_any_script_come_through(self):
        for name in ["m\u00e4rkt 1", "\u5e02\u5834", '"a ""quoted"" one, with a comma"']:
            (self.folder / "table.csv").write_text(GOOD.replace("c2", name))
            self.assertEqual(self.audit("table.csv").returncode, 0)
            clusters = [fold["cluster"] for fold in json.loads((self.folder / "run" / "result.json").read_text())["folds"]]
            self.assertIn(name.strip('"').replace('""', '"'), clusters)
            shutil.rmtree(self.folder / "run")

    def test_a_table_without_features_leaves_no_run_behind(self):
        (self.folder / "table.csv").write_text(GOOD.replace("obs_", "x_"))
        self.refused("table.csv", "table.csv: no features for a learner", "[table] features")
        (self.folder / "table.csv").write_text(GOOD)
        (self.folder / "audit.toml").write_text('learner.features = ["ops"]\n')
        self.refused("table.csv", "table.csv: no feature group 'ops' (did you mean 'obs'?)")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]], verbosity=2)
