#!/usr/bin/env bash
# tools/unpack_wheel.sh NAME FOLDER: gets the wheel that tools/NAME-requirements.txt pins by its hash from PyPI and unpacks it into FOLDER/wheel.
# Where it cannot be had this says why and ends with 1.
set -euo pipefail
pin=$(dirname "$0")/$1-requirements.txt
version=$(sed -n "s/^$1==\([0-9.]*\).*/\1/p" "$pin")
echo "getting $1 $version from PyPI"
# One wheel whatever Python there is: nothing here runs it. Debian's pip, because others may not be able to check hashes.
python=/usr/bin/python3
[ -x "$python" ] || python=python3
if ! "$python" -m pip --disable-pip-version-check --quiet download --no-deps --require-hashes --only-binary=:all: --python-version 3.11 \
    --platform manylinux_2_28_x86_64 --dest "$2" --requirement "$pin" >"$2/said" 2>&1; then
  echo "$1 $version could not be had: $(tail -n 1 "$2/said")" >&2
  exit 1
fi
"$python" -m zipfile -e "$2/$1"-*.whl "$2/wheel"
