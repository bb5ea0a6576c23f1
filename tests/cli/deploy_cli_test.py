#!/usr/bin/env python3
"""From a verdict to an adapter elsewhere: every learner's export is read by python3-onnx, evaluated with NumPy and put through the
gate as README.md describes it; the choices must be those of the file that --choices-out of the same adapter's audit gives.

    tests/cli/deploy_cli_test.py path/to/gonogo path/to/repository
"""
import csv
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import h5py
import numpy as np

GONOGO = sys.argv[1]
ROOT = pathlib.Path(sys.argv[2])
sys.path.insert(0, str(ROOT / "tests/support"))
from built_with import needs  # noqa: E402

EVALUATE = ROOT / "gonogo/nn/testdata/onnx/evaluate.py"
QUICK = ["--set", "bootstrap.refits=5", "--set", "learner.epochs=20", "--set", "learner.trees.rounds=20",
         "--set", "learner.forest.members=5"]

DECLARED = """
[protocol]
name = "sides"
reference = "direct"
actions = ["direct", "left", "right"]
[learner]
kind = "ridge"
[bootstrap]
refits = 30
"""


def gate(adapter, outputs):
    """The choice in every row, from the words of the README."""
    constants = adapter["gate"]
    mean = {name: values.mean(1) for name, values in outputs.items()}
    sd = {name: values.std(1, ddof=constants["ddof"]) for name, values in outputs.items()}
    upper = mean["work"] + constants["z"] * sd["work"]
    passes = upper < 0
    if "time" in outputs:
        passes &= mean["time"] + constants["z"] * sd["time"] <= constants["time_limit"]
    if "eligible" in outputs:
        passes &= mean["eligible"] - constants["z"] * sd["eligible"] >= constants["min_eligibility"]
    best = np.where(passes, upper, 0.0).argmin(1)
    return np.where(passes.any(1), best + 1, 0)


class Deploy(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        shutil.copytree(ROOT / "examples/sorting", self.folder / "sorting")
        self.table = self.folder / "sorting/table.csv"
        self.addCleanup(shutil.rmtree, self.folder)

    def gonogo(self, *arguments, code=0):
        done = subprocess.run([GONOGO, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def rows(self, adapter):
        """A row of features for every query, in the order of adapter.json."""
        with open(self.table) as file:
            records = [r for r in csv.DictReader(file) if r["action"] == adapter["actions"][0]]
        columns = [c for group in adapter["features"] for c in group["columns"]]
        return np.array([[np.float32(r[c]) for c in columns] for r in records], np.float32)

    def evaluate(self, folder, adapter, rows):
        done = subprocess.run(["/usr/bin/python3", EVALUATE, folder / "adapter.onnx", str(len(rows))], text=True,
                              capture_output=True, check=True, input=" ".join(map(repr, rows.ravel().tolist())))
        shape = (len(rows), adapter["model"]["members"], len(adapter["actions"]) - 1)
        lines = done.stdout.strip().split("\n")
        return {name: np.array(line.split(), np.float64).reshape(shape)
                for name, line in zip(adapter["model"]["outputs"], lines, strict=True)}

    def test_every_learner_chooses_the_same_elsewhere(self):
        for learner in ["ridge", "mlp", "trees", "forest"]:
            with self.subTest(learner):
                folder = self.folder / learner
                self.gonogo("audit", self.table, "--learner", learner, *QUICK, "--out", self.folder / f"run-{learner}",
                            "--export", folder, "--export-anyway")
                adapter = json.loads((folder / "adapter.json").read_text())
                self.assertEqual(adapter["model"]["learner"], learner)
                self.assertEqual(adapter["checked"]["differing_choices"], 0)
                self.assertLess(adapter["checked"]["largest_difference"], 2e-6)
                choices = gate(adapter, self.evaluate(folder, adapter, self.rows(adapter)))
                # How often each action is chosen, by our own executor over the same rows.
                counts = np.bincount(choices, minlength=len(adapter["actions"]))
                self.assertEqual(counts.tolist(), adapter["checked"]["chosen"])
                self.assertGreater(len(set(choices.tolist())), 1, "an adapter that never chooses proves nothing")

    def test_without_a_go_nothing_is_exported_unless_asked_for(self):
        hard = ["--set", "protocol.delta_dep=0.9", *QUICK, "--learner", "ridge", "--out", "run"]
        done = self.gonogo("audit", self.table, *hard, "--export", "adapter", code=21)
        self.assertIn("no adapter was exported to adapter: the audit does not say GO", done.stderr)
        self.assertFalse((self.folder / "adapter").exists())
        self.gonogo("audit", self.table, *hard, "--export", "adapter", "--export-anyway")
        readme = (self.folder / "adapter/README.md").read_text()
        self.assertIn("Do not deploy this adapter", readme)
        self.assertFalse(json.loads((self.folder / "adapter/adapter.json").read_text())["verdict"]["advised"])

    def test_a_go_is_exported_with_its_verdict(self):
        (self.folder / "audit.toml").write_text(DECLARED)
        fingerprint = self.gonogo("declare", "audit.toml").stdout.strip()
        rows = ["cluster,query,action,cost,declaration_sha256,f_side"]
        for query in range(200):
            side = np.sin(12.9 * query)
            for action, cost in [("direct", 100), ("left", 100 - 30 * side), ("right", 100 + 30 * side)]:
                rows.append(f"c{query // 10:02},q{query:03},{action},{cost},{fingerprint},{side}")
        (self.folder / "table.csv").write_text("\n".join(rows) + "\n")
        self.gonogo("audit", "table.csv", "--out", "run", "--export", "adapter")
        adapter = json.loads((self.folder / "adapter/adapter.json").read_text())
        self.assertEqual(adapter["verdict"]["answer"], "GO")
        self.assertTrue(adapter["verdict"]["advised"])
        self.assertIn("GO: the audit found this adapter worth it.", (self.folder / "adapter/README.md").read_text())
        result = json.loads((self.folder / "run/result.json").read_text())
        self.assertEqual(adapter["table"]["sha256"], result["provenance"]["table_sha256"])

    def test_choices_come_as_csv_and_as_hdf5(self):
        self.gonogo("audit", self.table, "--learner", "ridge", *QUICK, "--out", "run", "--choices-out", "choices.csv")
        self.gonogo("audit", self.table, "--learner", "ridge", *QUICK, "--out", "run", "--choices-out", "choices.h5")
        with open(self.folder / "choices.csv") as file:
            rows = list(csv.DictReader(file))
        with h5py.File(self.folder / "choices.h5") as file:
            actions, choice, oracle = list(file.attrs["actions"]), file["choice"][()], file["oracle"][()]
            upper = file["predicted_work_upper"][()]
        self.assertEqual([actions[c] for c in choice], [r["action"] for r in rows if r["chosen"] == "1"])
        self.assertEqual([actions[o] for o in oracle], [r["action"] for r in rows if r["oracle"] == "1"])
        self.assertEqual(float(rows[1]["predicted_work_upper"]), upper[0, 1])
        chosen = sum(float(r["cost"]) for r in rows if r["chosen"] == "1")
        reference = sum(float(r["cost"]) for r in rows if r["action"] == actions[0])
        result = json.loads((self.folder / "run/result.json").read_text())
        self.assertAlmostEqual(1 - chosen / reference, result["estimates"]["H_total"]["point"], 12)

    @needs(GONOGO, "robots")
    def test_a_robots_adapter_walks_and_is_confirmed(self):
        go2 = ROOT / "robots/go2"
        self.gonogo("collect", go2, "--protocol", ROOT / "examples/adapter/protocol.toml", "--out", "collected")
        self.gonogo("audit", "collected/table.h5", "--out", "audit", "--export", "adapter", "--export-anyway")
        adapter = json.loads((self.folder / "adapter/adapter.json").read_text())
        self.assertEqual(adapter["collection"]["robot"], "go2")
        episode = json.loads(self.gonogo("rollout", go2, "--target", "0.75,0", "--terrain", "flat", "--controller", "adapter:adapter",
                                         "--json").stdout)
        self.assertEqual(episode["controller"], "adapter:adapter")
        # The same start under several controllers, as numbers and on a page.
        walk = ["rollout", go2, "--target", "0.75,0", "--terrain", "flat", "--json", "--controller"]
        beside = json.loads(self.gonogo(*walk, "adapter:adapter", "--beside", "direct,action:scale-0.75", "--page", "beside.html").stdout)
        self.assertEqual([beside["controller"], *(other["controller"] for other in beside["beside"])],
                         ["adapter:adapter", "direct", "action:scale-0.75"])
        self.assertEqual(beside["work_j"], episode["work_j"])
        self.assertEqual(beside["beside"][0]["work_j"], json.loads(self.gonogo(*walk, "direct").stdout)["work_j"])
        self.assertNotEqual(beside["beside"][0]["work_j"], beside["beside"][1]["work_j"])
        self.assertIn("3 controllers from one start", (self.folder / "beside.html").read_text())
        self.assertIn("no controller is called \"sideways\"", self.gonogo(*walk, "direct", "--beside", "sideways", code=2).stderr)
        compared = self.gonogo("evaluate", go2, "--methods", "direct,adapter:adapter", "--family", "moderate", "--terrain", "flat", "--seeds", "1",
                               "--trials", "1", "--out", "evaluated")
        self.assertIn("adapter:adapter", compared.stdout)
        confirm = ["confirm", "adapter", go2, "--trials", "1", "--seeds"]
        text = self.gonogo(*confirm, "11,12", "--out", "one", "--jobs", "1").stdout
        self.assertIn("2 clusters that the adapter has never seen, 4 starts each", text)
        self.assertIn("Does it beat its actions at random?", text)
        self.assertIn("Drift: features at", text)
        self.gonogo(*confirm, "11,12", "--out", "two", "--jobs", "2")
        self.assertEqual((self.folder / "one/confirm.json").read_text(), (self.folder / "two/confirm.json").read_text())
        self.assertIn("seed 2 is a cluster the adapter was trained on", self.gonogo(*confirm, "2,11", code=2).stderr)
        # Another robot observes something else.
        self.assertIn("was trained over another policy", self.gonogo("confirm", "adapter", ROOT / "robots/anymal_d", code=3).stderr)

    def test_what_cannot_be_written_is_said_before_anything_runs(self):
        for flags, message in [(["--choices-out", "a.txt"], "expected a name that ends in .csv or .h5"),
                               (["--export-anyway"], "--export-anyway needs --export"),
                               (["--choices", "mine", "--export", "a"], "--choices audits one that exists already"),
                               (["--shard", "1/2", "--export", "a"], "--shard makes refits only")]:
            self.assertIn(message, self.gonogo("audit", self.table, *flags, code=2).stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
