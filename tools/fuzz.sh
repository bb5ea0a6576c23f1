#!/usr/bin/env bash
# Builds fuzz targets with clang and sanitizers and runs each for a while, from its seeds in fuzz/seeds:
#   tools/fuzz.sh [SECONDS each, default 60] [TARGET...]      all of fuzz/*_fuzz.cc without targets
# GONOGO_FUZZ_SEED=N repeats the inputs of an earlier run, GONOGO_FUZZ_RUNS=N stops after so many at the latest; otherwise they are new ones
# until the time is over. A test must not depend on luck or on the speed of the machine, a search should.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-60}
targets=("${@:2}")
[ ${#targets[@]} -gt 0 ] || mapfile -t targets < <(basename -s .cc fuzz/*_fuzz.cc)
cmake --preset fuzz >/dev/null
cmake --build --preset fuzz --target "${targets[@]}"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fuzz() {
  local name=$1 corpus=("$scratch/$1")
  mkdir -p "${corpus[0]}"
  [ -d "fuzz/seeds/$name" ] && corpus+=("fuzz/seeds/$name")
  TMPDIR="$scratch" "build/fuzz/bin/$name" -max_total_time="$seconds" -seed="${GONOGO_FUZZ_SEED:-0}" -runs="${GONOGO_FUZZ_RUNS:--1}" \
    -rss_limit_mb=4096 -verbosity=0 -print_final_stats=1 \
    "${corpus[@]}" 2>"$scratch/$name.log" || { cat "$scratch/$name.log"; echo "$name found a crash"; return 1; }
  echo "$name: $(awk '/number_of_executed_units/ { print $2 }' "$scratch/$name.log") inputs, no crash"
}
export -f fuzz
export scratch seconds
printf '%s\0' "${targets[@]}" | xargs -0 -n 1 -P "$(nproc)" bash -c 'fuzz "$0"'
