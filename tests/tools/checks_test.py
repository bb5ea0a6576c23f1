#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The checks of make test find what they are there to find: checks_test.py SOURCE"""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(sys.argv.pop())


class Checks(unittest.TestCase):
    """Each test runs a check in a small tree, once as it should be and once with a fault."""

    def setUp(self):
        self.tree = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.tree)
        subprocess.run(["git", "init", "-q", self.tree], check=True)
        self.write("gonogo/audit/CMakeLists.txt", "gonogo_module(audit DEPS base ROOMS .)\n")
        self.write("gonogo/audit/rule.h", "struct Reading {\n};\n")
        self.write("gonogo/base/CMakeLists.txt", "gonogo_module(base ROOMS .)\n")
        self.write("docs/words.md", "See `gonogo/audit/rule.h`, audit/rule.h, [the rule](../gonogo/audit/rule.h) and gonogo/audit/NAME.h.\n")

    def write(self, name, text):
        (self.tree / name).parent.mkdir(parents=True, exist_ok=True)
        (self.tree / name).write_text(text)

    def check(self, tool):
        (self.tree / "tools").mkdir(exist_ok=True)
        shutil.copy(SOURCE / "tools" / tool, self.tree / "tools")
        done = subprocess.run([sys.executable, self.tree / "tools" / tool], capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    def test_a_named_file_that_is_gone_is_found(self):
        self.assertEqual(self.check("check_paths.py")[0], 0, self.check("check_paths.py")[1])
        self.write("docs/words.md", "See `gonogo/audit/rules.h`, audit/old.h and [it](gone.md).\n")
        self.write("gonogo/audit/rule.cc", "// docs/lost.md says why.\n")
        code, said = self.check("check_paths.py")
        self.assertEqual(code, 1)
        for missing in ["docs/words.md:1: gonogo/audit/rules.h", "gonogo/audit/old.h", "link to gone.md", "gonogo/audit/rule.cc:1: docs/lost.md"]:
            self.assertIn(missing, said)

    def test_a_second_meaning_of_a_name_is_found(self):
        self.assertEqual(self.check("check_names.py")[0], 0)
        self.write("gonogo/base/reading.h", "struct Reading;\n")  # a declaration is no second meaning
        self.assertEqual(self.check("check_names.py")[0], 0)
        self.write("gonogo/base/reading.h", "class Reading final : public Other {\n};\n")
        code, said = self.check("check_names.py")
        self.assertEqual(code, 1)
        self.assertIn("Reading is defined in gonogo/audit/rule.h and in gonogo/base/reading.h", said)

    def test_a_crowded_folder_and_a_long_file_are_found(self):
        self.assertEqual(self.check("check_layers.py")[0], 0, self.check("check_layers.py")[1])
        for number in range(31):
            self.write(f"gonogo/base/part_{number}.h", "\n")
        self.write("gonogo/audit/rule.cc", "\n" * 401)
        code, said = self.check("check_layers.py")
        self.assertEqual(code, 1)
        self.assertIn("gonogo/base: 31 sources in one folder", said)
        self.assertIn("gonogo/audit/rule.cc: 401 lines", said)


if __name__ == "__main__":
    unittest.main()
