#!/usr/bin/env bash
# Our refits against the PyTorch script, interleaved, on the same number of threads each.
#   bench/audit_speed.sh [ROUNDS=3] [THREADS=2]
# Prints seconds per refit (median of the rounds, wall and CPU) and the ratios to ours. Wall times share the machine with whatever
# else runs on it; CPU times of one thread each are the steadier comparison (THREADS=1). PyTorch's products run on OpenBLAS, which has
# threads of its own: for one thread they are limited too. With two, OPENBLAS_NUM_THREADS=1 in the environment is what helps PyTorch most.
set -euo pipefail
cd "$(dirname "$0")/.."
rounds=${1:-3}
threads=${2:-2}
ours=${GONOGO_REFIT_SPEED:-build/bench/bin/refit_speed}
[ -x "$ours" ] || { echo "no $ours: cmake --preset bench && cmake --build --preset bench --target refit_speed"; exit 2; }

[ "$threads" -gt 1 ] || export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
lines=$(mktemp)
trap 'rm -f "$lines"' EXIT
for ((round = 1; round <= rounds; ++round)); do
  echo "round $round of $rounds" >&2
  "$ours" "$threads" "$threads" >> "$lines"
  for name in single bmm grouped; do
    bench/torch_audit.py --threads "$threads" "$name" >> "$lines"
  done
done
/usr/bin/python3 - "$lines" << 'PY'
import json, statistics, sys
runs = {}
for line in open(sys.argv[1]):
    run = json.loads(line)
    runs.setdefault(run["name"], []).append(run)
median = lambda name, key: statistics.median(run[key] for run in runs[name])
print(f"{'seconds per refit':<16} {'threads':>7} {'wall':>8} {'cpu':>8} {'wall ratio':>11} {'cpu ratio':>10}")
for name in runs:
    wall, cpu = median(name, "wall_s"), median(name, "cpu_s")
    print(f"{name:<16} {runs[name][0]['threads']:>7} {wall:>8.2f} {cpu:>8.2f} "
          f"{wall / median('gonogo', 'wall_s'):>11.1f} {cpu / median('gonogo', 'cpu_s'):>10.1f}")
PY
