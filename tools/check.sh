#!/usr/bin/env bash
# Format, layers, names, paths, version, headers and clang-tidy. `tools/check.sh` checks everything; `tools/check.sh --quick` leaves headers and
# clang-tidy out; `tools/check.sh --tidy FILE...` runs clang-tidy on the named sources only.
set -euo pipefail
cd "$(dirname "$0")/.."
failed=0

if [ "${1:-}" != --tidy ]; then
  mapfile -t files < <(git ls-files --cached --others --exclude-standard 'gonogo/*.h' 'gonogo/*.cc' 'bench/*.cc' 'bench/*.h' 'tests/*.cc' 'tests/*.h' 'examples/*.cc' 'fuzz/*.cc' 'python/*.cc' 'python/*.h')
  # Another version would format otherwise; Debian 13 does not have this one.
  if command -v clang-format-14 >/dev/null; then
    clang-format-14 --dry-run --Werror "${files[@]}" || failed=1
  else
    echo "format not checked: this system has no clang-format-14" >&2
  fi
  python3 tools/check_layers.py || failed=1
  python3 tools/check_names.py || failed=1
  python3 tools/check_paths.py || failed=1
  if git grep -nE '^ +\.[a-z_]+ = GONOGO_TRY' -- '*.cc' '*.h'; then
    echo "GONOGO_TRY inside an initialiser leaks the members before it when it returns (gonogo/base/result.h)" >&2
    failed=1
  fi
  # They are renamed and moved from one release of a library to the next.
  if git grep -nE '^#include <([^>]*/(impl|details?|internal)/|onnx/[^>]*\.pb\.h)' -- '*.cc' '*.h'; then
    echo "a private header of a dependency is included" >&2
    failed=1
  fi
  # A tag can be moved to other code, a commit cannot.
  if git grep -n 'uses: ' -- .github | grep -vE '@[0-9a-f]{40} # v'; then
    echo "an action is not pinned to a commit" >&2
    failed=1
  fi
  python3 tools/check_version.py || failed=1
  [ "${1:-}" = --quick ] && exit $failed
fi
# A configuration of its own, of which nothing is compiled: the checks have to know how each source is compiled by itself.
build=build/lint
cmake --preset lint >/dev/null
cmake --build "$build" --target gonogo_commit >/dev/null
if [ "${1:-}" = --tidy ]; then
  shift
else
  python3 tools/check_headers.py "$build" || failed=1
fi
tools/tidy.py "$build" "$@" || failed=1
exit $failed
