#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Executes a notebook from its first cell to its last.

  run_notebook.py NOTEBOOK            compares what its cells show with what is stored in it
  run_notebook.py NOTEBOOK --shape    the same, but any number stands for any other: those of a robot change with its policy
  run_notebook.py NOTEBOOK --update   stores what they show

Its working folder is a temporary one with links to the examples and robots of the sources."""
import argparse
import os
import pathlib
import re
import sys
import tempfile

# Debuggers warn about frozen modules of Python 3.11 otherwise.
os.environ.setdefault("PYDEVD_DISABLE_FILE_VALIDATION", "1")
import nbclient
import nbformat

SOURCE = pathlib.Path(__file__).resolve().parents[2]


def shown(cell, shape=False):
    """The text of a cell's outputs; pictures and HTML say the same in another form."""
    texts = []
    for output in cell.get("outputs", []):
        texts.append(output.get("text") or output.get("data", {}).get("text/plain", ""))
    return [re.sub(r"\s*[-+]?\d+(\.\d+)?", " #", text) for text in texts] if shape else texts


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("notebook", type=pathlib.Path)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--shape", action="store_true")
    arguments = parser.parse_args()
    stored = nbformat.read(arguments.notebook, as_version=4)
    fresh = nbformat.read(arguments.notebook, as_version=4)
    with tempfile.TemporaryDirectory() as folder:
        for name in ("examples", "robots"):
            os.symlink(SOURCE / name, pathlib.Path(folder) / name)
        nbclient.NotebookClient(fresh, timeout=300, kernel_name="python3", resources={"metadata": {"path": folder}}).execute()
    if arguments.update:
        for cell in fresh.cells:
            cell.metadata.clear()
        nbformat.write(fresh, arguments.notebook)
        return 0
    different = 0
    for number, (before, after) in enumerate(zip(stored.cells, fresh.cells)):
        if shown(before, arguments.shape) != shown(after, arguments.shape):
            different += 1
            print(f"{arguments.notebook.name}: cell {number} shows\n{shown(after)}\nstored is\n{shown(before)}")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
