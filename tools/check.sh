#!/usr/bin/env bash
# Format, layers and clang-tidy. `tools/check.sh` checks everything; `tools/check.sh --quick` leaves clang-tidy out;
# `tools/check.sh --tidy FILE...` runs clang-tidy on the named sources only.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${GONOGO_BUILD:-build/release}
failed=0

if [ "${1:-}" != --tidy ]; then
  mapfile -t files < <(git ls-files --cached --others --exclude-standard 'gonogo/*.h' 'gonogo/*.cc' 'bench/*.cc' 'bench/*.h' 'tests/*.cc' 'tests/*.h' 'examples/*.cc' 'fuzz/*.cc')
  clang-format-14 --dry-run --Werror "${files[@]}" || failed=1
  python3 tools/check_layers.py || failed=1
  [ "${1:-}" = --quick ] && exit $failed
else
  shift
fi
[ -f "$build/compile_commands.json" ] || { echo "no $build/compile_commands.json: configure first (make build)"; exit 2; }
tools/tidy.py "$build" "$@" || failed=1
exit $failed
