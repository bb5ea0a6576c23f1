# SPDX-License-Identifier: Apache-2.0
"""The command ``gonogo``: the program that lies in the package, or that of gonogo-sim where it is installed."""
from __future__ import annotations

import importlib.util
import os
import pathlib
import sys


def path() -> pathlib.Path:
    """Where the program lies."""
    sim = importlib.util.find_spec("gonogo_sim")
    folder = pathlib.Path(sim.origin if sim is not None and sim.origin else __file__).parent
    return folder / "bin" / "gonogo"


def main() -> None:
    program = path()
    if not program.exists():
        sys.exit(f"gonogo: {program} is missing; this package was not installed from a wheel: use the program of your build")
    os.execv(program, ["gonogo", *sys.argv[1:]])
