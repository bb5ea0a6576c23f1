#!/usr/bin/env python3
"""Files of others become a table and a protocol that the audit takes as they are.

    tests/cli/import_cli_test.py path/to/gonogo path/to/repository
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

GONOGO = sys.argv[1]


def run(*arguments):
    return subprocess.run([GONOGO, *map(str, arguments)], capture_output=True, text=True, check=False)


class ImportTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        costs = ["query,small,large"]
        features = ["query,cluster,length"]
        for i in range(60):  # small is cheap for short queries only
            length = i % 10
            costs.append(f"q{i},{1 + length * length},{20 + i % 3}")
            features.append(f"q{i},customer-{i // 3},{'' if i == 7 else length}")
        (self.folder / "costs.csv").write_text("\n".join(costs) + "\n")
        (self.folder / "features.csv").write_text("\n".join(features) + "\n")

    def imported(self, *flags):
        return run("import", "costs", self.folder / "costs.csv", self.folder / "features.csv", "--out", self.folder / "out", *flags)

    def test_what_is_imported_can_be_audited(self):
        shown = self.imported("--reference", "large")
        self.assertEqual(shown.returncode, 0, shown.stderr)
        self.assertIn("60 queries, 2 actions, 20 clusters (cluster), 1 features", shown.stdout)
        self.assertIn('target = "difference"', (self.folder / "out" / "audit.toml").read_text())
        audited = run("audit", self.folder / "out" / "table.csv", "--refits", "20", "--out", self.folder / "run")
        self.assertEqual(audited.returncode, 0, audited.stderr)
        self.assertIn("20 clusters", audited.stdout)

    def test_the_cheapest_action_stands_in_for_a_reference_and_it_says_so(self):
        shown = self.imported()
        self.assertEqual(shown.returncode, 0, shown.stderr)
        self.assertIn("the cheapest action of these very outcomes", shown.stdout)

    def test_mistakes_are_named(self):
        shown = self.imported("--reference", "larg")
        self.assertEqual(shown.returncode, 2)
        self.assertIn("--reference larg: no such action (did you mean 'large'?)", shown.stderr)
        shown = self.imported("--cluster", "blocks:100")
        self.assertIn("expected a whole number of blocks from 2 to the 60 queries", shown.stderr)
        shown = run("import", "costs", self.folder / "costs.csv", "--out", self.folder / "out")
        self.assertEqual(shown.returncode, 2)
        self.assertIn("two files, costs and features", shown.stderr)
        self.assertEqual(run("import", "aslib", self.folder / "nowhere", "--cluster", "each", "--out", self.folder / "out").returncode, 4)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
