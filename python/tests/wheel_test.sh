#!/usr/bin/env bash
# The wheel as a user gets it: built, installed into an empty virtual environment far from the sources, and used there with the real
# libraries that speak Arrow. A verdict on a polars frame has to be there within 60 s of an empty environment.
set -euo pipefail
cd "$(dirname "$0")/../.."
source=$PWD
python=${PYTHON:-/usr/bin/python3}
tag=$("$python" -c 'import sys; print(f"cp{sys.version_info[0]}{sys.version_info[1]}")')
tools/make_wheel.sh
wheel=$(ls "$source"/build/wheels/gonogo-*"$tag"*manylinux*.whl)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
here() { env -u LD_LIBRARY_PATH -u PYTHONPATH "$folder/venv/bin/$1" "${@:2}"; }
begin=$SECONDS
"$python" -m venv venv
here pip --disable-pip-version-check -q install "$wheel"
here pip --disable-pip-version-check -q install --require-hashes --only-binary=:all: -r "$source/python/tests/requirements.txt"
here python "$source/python/tests/polars_verdict.py" "$source/examples/sorting/table.csv" | tee verdict.txt
echo "from an empty environment to a verdict: $((SECONDS - begin)) s"
[ $((SECONDS - begin)) -le 60 ] || [ -n "${GONOGO_BUSY:-}" ] || { echo "that took more than 60 s" >&2; exit 1; }
grep -q GO verdict.txt

# The package, its command and the program of the build agree in everything but the build that they name.
cp "$source"/examples/sorting/{table.csv,audit.toml} .
here gonogo audit table.csv --learner ridge --refits 40 --quiet --out by-command >/dev/null
here python -c 'import gonogo; gonogo.audit("table.csv", learner="ridge", refits=40, progress=False, out="by-package")'
cmp by-command/result.json by-package/result.json
if [ -x "$source/build/release/bin/gonogo" ]; then
  "$source/build/release/bin/gonogo" audit table.csv --learner ridge --refits 40 --quiet --out by-build >/dev/null
  here python - <<'PYTHON'
import json
results = [json.load(open(f"by-{name}/result.json")) for name in ("command", "build")]
for result in results:
    del result["provenance"]["build"]
assert results[0] == results[1], "the wheel and the build disagree"
PYTHON
fi
# Robots are another package, and are asked for in words.
here python - <<'PYTHON'
import gonogo
try:
    gonogo.World
except ImportError as error:
    assert "gonogo[sim]" in str(error), error
else:
    raise SystemExit("a wheel without robots has a World")
PYTHON
here pip --disable-pip-version-check -q install --require-hashes --only-binary=:all: -r "$source/python/tests/arrow-requirements.txt"
here python -m pytest -q -p no:cacheprovider "$source/python/tests/test_arrow.py"
