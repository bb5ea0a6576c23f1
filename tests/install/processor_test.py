#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""processor_test.py PROGRAM [PYTHON_FOLDER]: starts the program, and the Python package, on a processor of 2008 that qemu plays."""
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

PROGRAM, PACKAGE = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None
SENTENCE = r"^gonogo: this build is for processors with [-A-Z0-9]+, which this one lacks: build it with [^\n]+\n$"
QEMU = shutil.which("qemu-x86_64")


def on(processor, *command, **more):
    return subprocess.run([QEMU, "-cpu", processor, *command], capture_output=True, text=True, env={**os.environ, **more}, timeout=300)


@unittest.skipIf(QEMU is None, "needs qemu-user")
class Processor(unittest.TestCase):
    def test_the_program_says_what_the_processor_lacks(self):
        run = on("Nehalem", PROGRAM, "--version")
        self.assertEqual(run.returncode, 2, run)
        self.assertRegex(run.stderr, SENTENCE)
        self.assertEqual(run.stdout, "")

    def test_it_starts_where_nothing_is_missing(self):
        run = on("max", PROGRAM, "--version")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertRegex(run.stdout, r"^gonogo \d")

    @unittest.skipIf(PACKAGE is None or not pathlib.Path(PACKAGE, "gonogo").exists(), "built without Python")
    def test_so_does_the_python_package(self):
        module = next(pathlib.Path(PACKAGE, "gonogo").glob("_native*.so"))
        if b"libmujoco.so" in module.read_bytes():
            self.skipTest("with robots the interpreter loads MuJoCo first, and that ends on such a processor before anything of ours runs")
        run = on("Nehalem", "/usr/bin/python3", "-c", "import gonogo", PYTHONPATH=PACKAGE)
        self.assertEqual(run.returncode, 2, run)
        self.assertRegex(run.stderr, SENTENCE)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
