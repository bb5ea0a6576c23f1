#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""consumer_test.py BUILD SOURCE: installs the library, then builds and runs examples/consumer against the installed tree alone."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(sys.argv.pop()).resolve()
BUILD = pathlib.Path(sys.argv.pop()).resolve()


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
        for component in ("dev", "data", "engine"):
            run("cmake", "--install", BUILD, "--prefix", cls.prefix, "--component", component)

    def test_a_project_finds_builds_and_audits(self):
        build = self.folder / "consumer"
        run("cmake", "-S", self.prefix / "share/gonogo/examples/consumer", "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
            f"-DCMAKE_PREFIX_PATH={self.prefix}", f"-DCMAKE_CXX_COMPILER_LAUNCHER={os.environ.get('GONOGO_LAUNCHER', '')}",
            "-DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=mold")
        run("cmake", "--build", build)
        table = self.prefix / "share/gonogo/examples/sorting/table.csv"
        printed = run(build / "consumer", table, self.folder / "report.html", cwd=self.folder)
        self.assertRegex(printed, r"^reading: (GO|NO-GO|ABSTAIN)\n$")
        self.assertIn("<html", (self.folder / "report.html").read_text()[:300])
        libraries = run("ldd", build / "consumer")
        self.assertNotIn("libmujoco", libraries)
        # Whoever does not ask for ONNX does not get it.
        config = (self.prefix / "lib/cmake/gonogo/gonogoConfig.cmake").read_text()
        if "gonogo_level GREATER_EQUAL 1)\n  find_dependency(Protobuf)" in config:
            for absent in ("libonnx", "libprotobuf"):
                self.assertNotIn(absent, libraries)

    def test_installed_headers_include_only_installed_ones(self):
        include = self.prefix / "include"
        headers = list(include.rglob("*.h"))
        # A few that one finds at a guess, and what they include.
        self.assertTrue((include / "gonogo/gonogo.h").exists())
        self.assertLessEqual(len(headers), 40)
        for header in headers:
            self.assertFalse({"internal", "testing"} & set(header.relative_to(include).parts), header)
            for name in re.findall(r'#include "(gonogo/[^"]+)"', header.read_text()):
                self.assertTrue((include / name).exists(), f"{header} includes {name}, which is not installed")

    def test_a_controller_of_ones_own_needs_one_header(self):
        if "sim" not in self.levels():
            self.skipTest("built without robots")
        folder = self.folder / "controller"
        folder.mkdir()
        documented = (SOURCE / "docs/howto/cpp.md").read_text()
        (folder / "half.cc").write_text(re.search(r"```cpp\n(.*?)```", documented, re.S).group(1))
        (folder / "CMakeLists.txt").write_text("""
            cmake_minimum_required(VERSION 3.25)
            project(controller LANGUAGES CXX)
            find_package(gonogo REQUIRED COMPONENTS sim)
            add_library(half OBJECT half.cc)
            target_link_libraries(half PRIVATE gonogo::study)""")
        run("cmake", "-S", folder, "-B", folder / "build", "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={self.prefix}",
            f"-DCMAKE_CXX_COMPILER_LAUNCHER={os.environ.get('GONOGO_LAUNCHER', '')}")
        run("cmake", "--build", folder / "build")

    def levels(self):
        """The components that were built."""
        config = (self.prefix / "lib/cmake/gonogo/gonogoConfig.cmake").read_text()
        return re.search(r"set\(gonogo_levels_here ([a-z;]+)\)", config).group(1).split(";")

    def configured(self, name, package, more=""):
        folder = self.folder / name
        folder.mkdir()
        (folder / "CMakeLists.txt").write_text(
            f"cmake_minimum_required(VERSION 3.25)\nproject({name} LANGUAGES CXX)\nfind_package(gonogo {package})\n{more}")
        return subprocess.run(["cmake", "-S", folder, "-B", folder / "build", f"-DCMAKE_PREFIX_PATH={self.prefix}"],
                              capture_output=True, text=True)

    def test_all_components_are_found_with_what_they_need(self):
        if "all" not in self.levels():
            done = self.configured("whole", "REQUIRED COMPONENTS all")
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("was built without the component 'all'", " ".join(done.stderr.split()))
            return
        done = self.configured("whole", "0.1 REQUIRED COMPONENTS audit all", "file(WRITE ${CMAKE_CURRENT_SOURCE_DIR}/main.cc \"int main() {}\")\n"
                               "add_executable(whole main.cc)\ntarget_link_libraries(whole gonogo::paper gonogo::train gonogo::calibrate)\n")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_users_choose_their_own_flags_and_matrices_look_the_same_in_memory(self):
        folder = self.folder / "flags"
        folder.mkdir()
        (folder / "layout.cc").write_text("""
            #include <cstdio>
            #include <Eigen/Core>
            struct Member { char first; Eigen::Vector4d vector; };
            int main() {
              std::printf("%d %zu %zu %zu\\n", EIGEN_DEFAULT_ALIGN_BYTES, alignof(Eigen::Vector4d), alignof(Eigen::Matrix4f), sizeof(Member));
            }""")
        (folder / "CMakeLists.txt").write_text("""
            cmake_minimum_required(VERSION 3.25)
            project(flags LANGUAGES CXX)
            set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
            find_package(gonogo REQUIRED COMPONENTS audit)
            add_executable(plain layout.cc)
            target_link_libraries(plain PRIVATE gonogo::flags Eigen3::Eigen)
            add_executable(same layout.cc)
            target_link_libraries(same PRIVATE gonogo::flags gonogo::same_bits Eigen3::Eigen)""")
        build = folder / "build"
        run("cmake", "-S", folder, "-B", build, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={self.prefix}")
        run("cmake", "--build", build)
        commands = [entry["command"] for entry in json.loads((build / "compile_commands.json").read_text())]
        plain, same = (next(command for command in commands if f"CMakeFiles/{name}.dir" in command) for name in ("plain", "same"))
        for forced in ("-march", "-ffp-contract"):
            self.assertNotIn(forced, plain)
        self.assertIn("-ffp-contract=off", same)
        self.assertEqual(run(build / "plain"), run(build / "same"))

    def test_the_engine_is_installed_where_its_users_look_for_it(self):
        if "sim" not in self.levels():
            self.skipTest("built without robots")
        config = (self.prefix / "lib/cmake/gonogo/gonogoConfig.cmake").read_text()
        place = re.search(r'IMPORTED_LOCATION "\$\{PACKAGE_PREFIX_DIR\}/([^"]+)"', config).group(1)
        self.assertTrue((self.prefix / place).is_file(), place)

    def test_an_unknown_component_and_another_version_are_told(self):
        done = self.configured("wrong", "REQUIRED COMPONENTS audits")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("no component is called 'audits'", " ".join(done.stderr.split()))
        done = self.configured("newer", "0.2 REQUIRED")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("0.2", done.stderr)

    def test_nothing_installed_knows_where_it_was_built(self):
        # A path begins here: where the source is /gonogo, lib/cmake/gonogo is another.
        place = re.compile(rf"(?<![a-z0-9_}}]){re.escape(str(SOURCE))}(?!\w)")
        for file in (self.prefix / "lib").rglob("*.cmake"):
            self.assertNotRegex(file.read_text(), place, file)


if __name__ == "__main__":
    unittest.main()
