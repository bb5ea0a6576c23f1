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
if ! tools/unpack_wheel.sh mujoco "$scratch"; then
  echo "The build goes on without robots; tools/install_mujoco.sh tries again, -DMUJOCO_ROOT=FOLDER takes a copy of yours." >&2
  exit 0
fi
mkdir -p "$scratch/ready/lib"
mv "$scratch/wheel/mujoco/include" "$scratch/ready/include"
mv "$scratch/wheel/mujoco/libmujoco.so.$version" "$scratch/ready/lib/"
mv "$scratch/wheel/mujoco-$version.dist-info/licenses" "$scratch/ready/licenses"
# A folder of that name is complete, whenever we are ended; another process may have been faster.
mv -T "$scratch/ready" "$folder" 2>/dev/null || [ -d "$folder" ]
