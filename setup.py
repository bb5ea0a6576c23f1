# SPDX-License-Identifier: Apache-2.0
"""The wheel's extension module, built by CMake (docs/decisions/0051-wheel.md)."""
import os
import pathlib
import re
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parent


class CMakeExtension(build_ext):
    """Builds the target gonogo_native in GONOGO_WHEEL_BUILD (build/release), where a finished build saves its work, and takes the
    module from there."""

    def build_extension(self, extension):
        build = pathlib.Path(os.environ.get("GONOGO_WHEEL_BUILD", ROOT / "build" / "release"))
        subprocess.run(["cmake", "--preset", "python", "-B", build, f"-DPython_EXECUTABLE={sys.executable}"], cwd=ROOT, check=True)
        subprocess.run(["cmake", "--build", build, "--target", "gonogo_native", "-j", str(os.cpu_count())], cwd=ROOT, check=True)
        built = next((build / "python" / "gonogo").glob("_native.*.so"))
        target = pathlib.Path(self.get_ext_fullpath(extension.name))
        target.parent.mkdir(parents=True, exist_ok=True)
        self.copy_file(str(built), str(target))


version = re.search(r"project\(gonogo VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text()).group(1)
setup(version=version, ext_modules=[Extension("gonogo._native", sources=[])], cmdclass={"build_ext": CMakeExtension})
