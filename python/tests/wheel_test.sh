#!/usr/bin/env bash
# Builds the wheel with Debian's tools, installs it into an empty virtual environment (which sees Debian's NumPy and pandas) and
# uses it far from the sources.
set -euo pipefail
cd "$(dirname "$0")/../.."
source=$PWD
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
/usr/bin/python3 -m pip wheel . -q --no-build-isolation --no-deps -w "$folder"
/usr/bin/python3 -m venv --system-site-packages "$folder/venv"
"$folder/venv/bin/python" -m pip install -q --no-index --no-deps "$folder"/gonogo-*.whl
cd "$folder"
"$folder/venv/bin/python" - "$source" <<'PYTHON'
import sys, gonogo
assert "venv" in gonogo.__file__, gonogo.__file__
result = gonogo.audit(sys.argv[1] + "/examples/sorting/table.csv", learner="ridge", refits=20, progress=False)
print("from the wheel:", result)
world = gonogo.World(sys.argv[1] + "/robots/go2", terrain="flat", seed=7)
print("from the wheel:", world.rollout(target=(1, 0)))
PYTHON
