#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The small part of `make gallery`: one domain is measured again, and its verdict and a NO-GO come from the tables in the repository."""
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest

ROOT, GONOGO = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
MEASURED_WITH = "3.40.1"  # SQLite of Debian 12: another version takes other steps


class GalleryTest(unittest.TestCase):
    def test_the_tables_in_the_repository_give_the_verdicts_that_the_page_shows(self):
        command = [sys.executable, ROOT / "tools/gallery.py", GONOGO, "--domains", "joins,caches"]
        printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
        page = (ROOT / "docs/gallery.md").read_text()
        self.assertTrue(printed[2].endswith("| GO |"), printed[2])
        self.assertTrue(printed[3].endswith("| NO-GO |"), printed[3])
        for row in printed[2:]:
            self.assertIn(row, page)

    @unittest.skipUnless(sqlite3.sqlite_version == MEASURED_WITH, "another SQLite")
    def test_measuring_again_gives_the_same_table(self):
        with tempfile.TemporaryDirectory() as folder:
            script = pathlib.Path(shutil.copy(ROOT / "examples/joins/make_table.py", folder))
            declared = subprocess.run([GONOGO, "declare", ROOT / "examples/joins/audit.toml"], capture_output=True, text=True, check=True)
            subprocess.run([sys.executable, script, declared.stdout.split()[0]], check=True)
            self.assertEqual(script.with_name("table.csv").read_bytes(), (ROOT / "examples/joins/table.csv").read_bytes())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
