#!/usr/bin/env bash
# Builds fuzz targets with clang and sanitizers and runs them side by side for a while, each from its seeds in fuzz/seeds:
#   tools/fuzz.sh [SECONDS each, default 60] [TARGET...]      all of fuzz/*_fuzz.cc without targets
# GONOGO_FUZZ_SEED=N draws the inputs of an earlier run again, as far as the time goes; otherwise they are new ones. A test should not depend
# on luck, a search should. An input that takes more than 2 minutes (a starved machine may well stall for half of one) or 4 GB counts as a crash.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-60}
targets=("${@:2}")
[ ${#targets[@]} -gt 0 ] || mapfile -t targets < <(basename -s .cc fuzz/*_fuzz.cc)
cmake --preset fuzz >/dev/null
cmake --build --preset fuzz --target "${targets[@]}"
# In memory: many targets write a file for each input.
scratch=$(mktemp -d -p /dev/shm 2>/dev/null || mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fuzz() {
  local name=$1
  mkdir -p "$scratch/$name"
  local words=()
  [ -e "fuzz/$name.dict" ] && words=("-dict=fuzz/$name.dict")
  TMPDIR="$scratch" "build/fuzz/bin/$name" "${words[@]}" -max_total_time="$seconds" -seed="${GONOGO_FUZZ_SEED:-0}" -timeout=120 -rss_limit_mb=4096 \
    -verbosity=0 -print_final_stats=1 -artifact_prefix="build/fuzz/$name-" "$scratch/$name" "fuzz/seeds/$name" 2>"$scratch/$name.log" ||
    { cat "$scratch/$name.log"; echo "$name found a crash"; return 1; }
  echo "$name: $(awk '/number_of_executed_units/ { print $2 }' "$scratch/$name.log") inputs in $seconds s, no crash"
}
export -f fuzz
export scratch seconds
printf '%s\0' "${targets[@]}" | xargs -0 -n 1 -P "${#targets[@]}" bash -c 'fuzz "$0"'
