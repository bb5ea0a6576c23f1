#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""commands_test.py SOURCE GONOGO: what the tutorials tell people to type is typed, and prints what they say it prints.

Every block marked sh is run, in order, in an empty folder beside which examples and robots lie; a plain block after it is what it must
print, where ... stands for anything."""
import doctest
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

GONOGO = pathlib.Path(sys.argv.pop())
SOURCE = pathlib.Path(sys.argv.pop())
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```\n", re.M | re.S)


class Commands(unittest.TestCase):
    def run_page(self, page):
        commands = 0
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "robots").symlink_to(SOURCE / "robots")
            # Audits write down their looks beside a table.
            subprocess.run(["cp", "-r", SOURCE / "examples", folder], check=True)
            blocks = BLOCK.findall(page.read_text())
            for (kind, text), (after, expected) in zip(blocks, [*blocks[1:], ("none", "")]):
                if kind != "sh":
                    continue
                commands += 1
                done = subprocess.run(["bash", "-ec", text], cwd=folder, capture_output=True, text=True,
                                      env={**os.environ, "PATH": f"{GONOGO.parent}:{os.environ['PATH']}"})
                self.assertEqual(done.returncode, 0, f"{page.name}: {text}{done.stderr}")
                if after == "":
                    fits = doctest.OutputChecker().check_output(expected, done.stdout, doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
                    self.assertTrue(fits, f"{page.name}: {text}printed\n{done.stdout}expected\n{expected}")
        return commands

    def test_tutorials_print_what_they_say(self):
        pages = sorted((SOURCE / "docs/tutorials").glob("*.md"))
        self.assertGreaterEqual(sum(self.run_page(page) for page in pages), 7)


if __name__ == "__main__":
    unittest.main()
