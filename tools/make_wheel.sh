#!/usr/bin/env bash
# Builds a wheel that needs no compiler and no library of the system, in build/wheels, for every Python from 3.11 on:
#   tools/make_wheel.sh         gonogo: tables, logs, plans, calibration, adapters, reports, the command gonogo
#   tools/make_wheel.sh sim     gonogo-sim: the same with robots; MuJoCo comes from the package mujoco
# The tools are those of tools/wheel-requirements.txt, by version and hash. The oldest system a wheel runs on is the one it was built on.
set -euo pipefail
cd "$(dirname "$0")/.."
case "${1:-}" in
  "") source=. name=gonogo exclude=() ;;
  # The module finds MuJoCo's library in the package mujoco, which lies beside it.
  sim) source=python/sim name=gonogo_sim exclude=(--exclude 'libmujoco.so.*') ;;
  *) echo "usage: tools/make_wheel.sh [sim]" >&2; exit 2 ;;
esac
tools/install_nanobind.sh
tools=build/wheel-tools
if ! cmp -s tools/wheel-requirements.txt "$tools/complete"; then
  rm -rf "$tools"
  /usr/bin/python3 -m venv "$tools"
  "$tools/bin/pip" --disable-pip-version-check --quiet install --require-hashes --only-binary=:all: -r tools/wheel-requirements.txt
  cp tools/wheel-requirements.txt "$tools/complete"
fi
raw=$(mktemp -d)
trap 'rm -rf "$raw"' EXIT
export PATH=$PWD/$tools/bin:$PATH
export CMAKE_BUILD_PARALLEL_LEVEL=${JOBS:-$(nproc)}
# By the name that the ordinary build calls it by, whose objects ccache then finds.
export CXX=${CXX:-c++}
"$tools/bin/pip" --disable-pip-version-check --quiet wheel "$source" --no-build-isolation --no-deps -w "$raw"
rm -f build/wheels/"$name"-*.whl
LD_LIBRARY_PATH=$(echo build/mujoco-*/lib) "$tools/bin/auditwheel" repair "${exclude[@]}" -w build/wheels "$raw/$name"-*.whl
ls -1 build/wheels/"$name"-*.whl
