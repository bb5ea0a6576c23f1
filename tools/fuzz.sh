#!/usr/bin/env bash
# Builds the fuzz targets with clang and sanitizers and runs each for a while: tools/fuzz.sh [SECONDS each, default 60].
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-60}
mapfile -t targets < <(basename -s .cc fuzz/*_fuzz.cc)
cmake --preset fuzz >/dev/null
cmake --build --preset fuzz --target "${targets[@]}"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for name in "${targets[@]}"; do
  mkdir -p "$scratch/$name"
  echo "fuzzing $name for $seconds s"
  "build/fuzz/bin/$name" -max_total_time="$seconds" -rss_limit_mb=4096 -verbosity=0 "$scratch/$name" 2>"$scratch/$name.log" ||
    { cat "$scratch/$name.log"; echo "$name found a crash"; exit 1; }
done
