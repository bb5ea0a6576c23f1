#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""consumer_test.py BUILD SOURCE: installs the library, then builds and runs examples/consumer against the installed tree alone."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(sys.argv.pop())
BUILD = pathlib.Path(sys.argv.pop())


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)
    if done.returncode != 0:
        raise AssertionError(f"{command}:\n{done.stdout}{done.stderr}")
    return done.stdout


class Consumer(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.prefix = cls.folder / "prefix"
        for component in ("dev", "data"):
            run("cmake", "--install", BUILD, "--prefix", cls.prefix, "--component", component)

    def test_a_project_finds_builds_and_audits(self):
        build = self.folder / "consumer"
        run("cmake", "-S", self.prefix / "share/gonogo/examples/consumer", "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
            f"-DCMAKE_PREFIX_PATH={self.prefix}", f"-DCMAKE_CXX_COMPILER_LAUNCHER={os.environ.get('GONOGO_LAUNCHER', '')}",
            "-DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=mold")
        run("cmake", "--build", build)
        table = self.prefix / "share/gonogo/examples/sorting/table.csv"
        printed = run(build / "consumer", table, self.folder / "report.html")
        self.assertRegex(printed, r"^reading: (GO|NO-GO|ABSTAIN)\n$")
        self.assertIn("<html", (self.folder / "report.html").read_text()[:300])
        libraries = run("ldd", build / "consumer")
        for absent in ("libmujoco", "libonnx", "libprotobuf"):
            self.assertNotIn(absent, libraries, "the component audit needs neither MuJoCo nor ONNX")

    def test_installed_headers_include_only_installed_ones(self):
        include = self.prefix / "include"
        headers = list(include.rglob("*.h"))
        self.assertGreater(len(headers), 100)
        for header in headers:
            self.assertFalse({"internal", "testing"} & set(header.relative_to(include).parts), header)
            for name in re.findall(r'#include "(gonogo/[^"]+)"', header.read_text()):
                self.assertTrue((include / name).exists(), f"{header} includes {name}, which is not installed")

    def test_an_unknown_component_is_told(self):
        (self.folder / "wrong").mkdir()
        (self.folder / "wrong/CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.25)\nproject(wrong LANGUAGES CXX)\nfind_package(gonogo REQUIRED COMPONENTS audits)\n")
        done = subprocess.run(["cmake", "-S", self.folder / "wrong", "-B", self.folder / "wrong/build",
                               f"-DCMAKE_PREFIX_PATH={self.prefix}"], capture_output=True, text=True)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("no component is called 'audits'", " ".join(done.stderr.split()))

    def test_nothing_installed_knows_where_it_was_built(self):
        for file in (self.prefix / "lib").rglob("*.cmake"):
            self.assertNotIn(str(SOURCE), file.read_text(), file)


if __name__ == "__main__":
    unittest.main()
