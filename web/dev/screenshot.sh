#!/usr/bin/env bash
# web/dev/screenshot.sh PAGE.html OUT.png WIDTH HEIGHT [chromium flags] — e.g. --blink-settings=preferredColorScheme=0 for dark.
set -euo pipefail
page=$(realpath "$1") out=$(realpath -m "$2") width=$3 height=$4
shift 4
profile=$(mktemp -d)
trap 'rm -rf "$profile"' EXIT
chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking \
  --disable-component-update --disable-sync --hide-scrollbars --user-data-dir="$profile" --window-size="$width,$height" \
  --virtual-time-budget=4000 --screenshot="$out" "$@" "file://$page" 2> >(grep -i console >&2 || true)
