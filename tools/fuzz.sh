#!/usr/bin/env bash
# Builds the fuzz targets with clang and sanitizers and runs each for a while: tools/fuzz.sh [SECONDS each, default 60].
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-60}
cmake --preset fuzz >/dev/null
cmake --build --preset fuzz
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for target in build/fuzz/bin/*_fuzz; do
  name=$(basename "$target")
  mkdir -p "$scratch/$name"
  echo "fuzzing $name for $seconds s"
  "$target" -max_total_time="$seconds" -rss_limit_mb=4096 -print_final_stats=0 -verbosity=0 "$scratch/$name" "fuzz/corpus/${name%_fuzz}" 2>"$scratch/$name.log" ||
    { cat "$scratch/$name.log"; echo "$name found a crash"; exit 1; }
done
