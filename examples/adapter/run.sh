#!/usr/bin/env bash
# run.sh GONOGO EXAMPLE ROBOT: collects a small table, exports an adapter whatever the verdict, and lets the example use it.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$1" collect "$3" --protocol "$here/protocol.toml" --out "$folder/collected" --quiet >/dev/null
"$1" audit "$folder/collected/table.h5" --out "$folder/audit" --export "$folder/adapter" --export-anyway --quiet >/dev/null
"$2" "$3" "$folder/adapter"
