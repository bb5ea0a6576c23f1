#!/usr/bin/env bash
# What a newcomer waits for: CPU and wall time of `make demo` and `make test`, each on a fresh clone without compiler cache.
#   tools/measure_build.sh [TARGET...]        default: demo test
# Packages that are missing are installed by the targets themselves and count. Runs in a temporary folder; prints a table for
# docs/speed.md. GONOGO_MEASURE_LOG=FILE keeps what the targets print.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=(demo test)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
log=${GONOGO_MEASURE_LOG:-$folder/log}
: >"$log"
export CCACHE_DISABLE=1
TIMEFORMAT='%R %U %S'

minutes() { awk -v s="$1" 'BEGIN { printf "%.1f min", s / 60 }'; }

echo "commit $(git -C "$root" describe --always --dirty), $(nproc) cores, $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), load $(cut -d' ' -f1 /proc/loadavg)"
echo
echo "| command, on a fresh clone | CPU | wall | packages installed meanwhile |"
echo "|---|---|---|---|"
for target in "${targets[@]}"; do
  git clone -q "$root" "$folder/$target"
  before=$(dpkg-query -W -f='${Package}\n' | wc -l)
  spent=$({ time make -C "$folder/$target" "$target" >>"$log" 2>&1; } 2>&1) || { tail -n 30 "$log" >&2; echo "make $target failed" >&2; exit 1; }
  read -r real user system <<<"$spent"
  echo "| \`make $target\` | $(minutes "$(awk -v u="$user" -v s="$system" 'BEGIN { print u + s }')") | $(minutes "$real") | $(($(dpkg-query -W -f='${Package}\n' | wc -l) - before)) |"
  rm -rf "${folder:?}/$target"
done
