# SPDX-License-Identifier: Apache-2.0
"""Which components the program under test was built with (cmake/GonogoComponents.cmake)."""
import json
import subprocess
import unittest


def components(program):
    """Some of tables, robots, training and paper."""
    shown = subprocess.run([program, "version", "--json"], capture_output=True, text=True, check=True)
    return json.loads(shown.stdout)["components"]


def needs(program, component):
    """A decorator of tests: skips those of a component that the program was built without."""
    return unittest.skipUnless(component in components(program), f"the program was built without {component}")
