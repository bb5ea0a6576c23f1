#!/usr/bin/env bash
# The wheels as a user gets them: built, installed into empty virtual environments far from the sources, and used there with the real
# libraries that speak Arrow and the real MuJoCo. A verdict on a polars frame, and one on a robot, have to be there within 60 s of an empty
# environment.
#   python/tests/wheel_test.sh                       builds both and tries them with the system's Python
#   BUILT=1 PYTHON=python3.13 python/tests/wheel_test.sh    tries those in build/wheels with another one
set -euo pipefail
cd "$(dirname "$0")/../.."
source=$PWD
python=${PYTHON:-/usr/bin/python3}
program=$source/build/release/bin/gonogo
if [ -z "${BUILT:-}" ]; then
  tools/make_wheel.sh
  tools/make_wheel.sh sim
fi
wheel=$(ls "$source"/build/wheels/gonogo-*-cp311-abi3-manylinux*.whl)
with_robots=$(ls "$source"/build/wheels/gonogo_sim-*-cp311-abi3-manylinux*.whl)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
# here ENVIRONMENT COMMAND...
here() { env -u LD_LIBRARY_PATH -u PYTHONPATH "$folder/$1/bin/$2" "${@:3}"; }
install() { here "$1" pip --disable-pip-version-check -q install "${@:2}"; }
# within_a_minute BEGIN WHAT
within_a_minute() {
  echo "$("$python" --version), from an empty environment to $2: $((SECONDS - $1)) s"
  [ $((SECONDS - $1)) -le 60 ] || [ -n "${GONOGO_BUSY:-}" ] || { echo "that took more than 60 s" >&2; exit 1; }
}

begin=$SECONDS
"$python" -m venv tables
install tables "$wheel"
install tables --require-hashes --only-binary=:all: -r "$source/python/tests/requirements.txt"
here tables python "$source/python/tests/polars_verdict.py" "$source/examples/sorting/table.csv" | tee verdict.txt
within_a_minute "$begin" "a verdict on a polars frame"
grep -q GO verdict.txt

# The package, its command and the program of the build agree in everything but the build that they name.
cp "$source"/examples/sorting/{table.csv,audit.toml} .
here tables gonogo audit table.csv --learner ridge --refits 40 --quiet --out by-command >/dev/null
here tables python -c 'import gonogo; gonogo.audit("table.csv", learner="ridge", refits=40, progress=False, out="by-package")'
cmp by-command/result.json by-package/result.json
# same A.json B.json: apart from the build
same() {
  here tables python - "$@" <<'PYTHON'
import json, sys
results = [json.load(open(name)) for name in sys.argv[1:]]
for result in results:
    del result["provenance"]["build"]
assert results[0] == results[1], "the wheel and the build disagree"
PYTHON
}
if [ -x "$program" ]; then
  "$program" audit table.csv --learner ridge --refits 40 --quiet --out by-build >/dev/null
  same by-command/result.json by-build/result.json
fi
# Robots are another package, and are asked for in words.
here tables python - <<'PYTHON'
import gonogo
try:
    gonogo.study
except ImportError as error:
    assert "gonogo-sim" in str(error), error
else:
    raise SystemExit("a wheel without robots studies one")
PYTHON
install tables --require-hashes --only-binary=:all: -r "$source/python/tests/arrow-requirements.txt"
here tables python -m pytest -q -p no:cacheprovider "$source/python/tests/test_arrow.py"

# The engine is that of the package mujoco: in the version the wheel was built with, and nowhere else.
! "$python" -m zipfile -l "$with_robots" | grep libmujoco
engine=$(sed -n 's/^mujoco==\([0-9.]*\).*/\1/p' "$source/tools/mujoco-requirements.txt")
begin=$SECONDS
"$python" -m venv robots
install robots "$wheel" "$with_robots"
here robots python - "$source/robots/go2" <<'PYTHON'
import sys
import gonogo
assert gonogo.check(sys.argv[1], quick=True, seconds=2).verdict == "ok"
small = {"protocol.actions": ["direct", "scale-0.75"], "protocol.min_clusters": 3, "collect.seeds": [1, 2, 3], "collect.terrain": "flat",
         "collect.queries_per_cluster": 3, "collect.queries_per_episode": 1, "learner.kind": "ridge", "bootstrap.refits": 20}
study = gonogo.study(sys.argv[1], settings=small, check=False, out="study", progress=False)
print(study.verdict)
PYTHON
within_a_minute "$begin" "a verdict on a robot"
here robots pip freeze | grep -x "mujoco==$engine"
here robots gonogo version | grep "MuJoCo $engine"
here robots gonogo collect "$source/robots/go2" --protocol study/declaration.toml --out collected --quiet >/dev/null
cmp collected/table.h5 study/table.h5
