#!/usr/bin/env bash
# Unpacks nanobind's headers and sources into build/nanobind-VERSION. Where it cannot be had this says so and ends well: everything but the
# Python package can be built without it.
set -euo pipefail
cd "$(dirname "$0")/.."
version=$(sed -n 's/^nanobind==\([0-9.]*\).*/\1/p' tools/nanobind-requirements.txt)
folder=build/nanobind-$version
[ -d "$folder" ] && exit 0

mkdir -p build
scratch=$(mktemp -d "build/nanobind.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
if ! tools/unpack_wheel.sh nanobind "$scratch"; then
  echo "The build goes on without the Python package; tools/install_nanobind.sh tries again." >&2
  exit 0
fi
# A folder of that name is complete, whenever we are ended; another process may have been faster.
mv -T "$scratch/wheel/nanobind" "$folder" 2>/dev/null || [ -d "$folder" ]
