#!/usr/bin/env bash
# Unpacks MuJoCo's library and headers into build/mujoco-VERSION, from the wheel that tools/mujoco-requirements.txt pins by its hash.
# Where it cannot be had this says so and ends well: everything that needs no robot can be built without it.
set -euo pipefail
cd "$(dirname "$0")/.."
version=$(sed -n 's/^mujoco==\([0-9.]*\).*/\1/p' tools/mujoco-requirements.txt)
folder=build/mujoco-$version
[ -d "$folder" ] && exit 0

mkdir -p build
scratch=$(mktemp -d "build/mujoco.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
echo "getting MuJoCo $version from PyPI"
# One wheel whatever Python there is: nothing here runs it. Debian's pip, because others may not be able to check hashes.
python=/usr/bin/python3
[ -x "$python" ] || python=python3
if ! "$python" -m pip --disable-pip-version-check --quiet download --no-deps --require-hashes --only-binary=:all: --python-version 3.11 \
    --platform manylinux_2_28_x86_64 --dest "$scratch" --requirement tools/mujoco-requirements.txt >"$scratch/said" 2>&1; then
  echo "MuJoCo $version could not be had: $(tail -n 1 "$scratch/said")" >&2
  echo "The build goes on without robots; tools/install_mujoco.sh tries again, -DMUJOCO_ROOT=FOLDER takes a copy of yours." >&2
  exit 0
fi
"$python" -m zipfile -e "$scratch"/mujoco-*.whl "$scratch/wheel"
mkdir -p "$scratch/ready/lib"
mv "$scratch/wheel/mujoco/include" "$scratch/ready/include"
mv "$scratch/wheel/mujoco/libmujoco.so.$version" "$scratch/ready/lib/"
mv "$scratch/wheel/mujoco-$version.dist-info/licenses" "$scratch/ready/licenses"
# A folder of that name is complete, whenever we are ended; another process may have been faster.
mv -T "$scratch/ready" "$folder" 2>/dev/null || [ -d "$folder" ]
