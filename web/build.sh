#!/bin/sh
# web/build.sh OUT — bundles each web/src/<name>/main.js into OUT/<name>.js, one minified script without imports.
# Packages are those of package-lock.json, installed into OUT so that the source tree stays clean. Called by CMake.
set -eu
out=$(realpath -m "$1")
cd "$(dirname "$0")"
mkdir -p "$out"

if ! cmp -s package-lock.json "$out/package-lock.json" || [ ! -d "$out/node_modules" ]; then
  rm -f "$out/package-lock.json"  # reappears when the installation is complete
  mkdir -p "$out/install" && cp package.json package-lock.json .npmrc "$out/install"
  (cd "$out/install" && npm ci --prefer-offline --loglevel=error) || {
    echo "web/build.sh: npm ci failed (no network?); -DGONOGO_WEB=OFF builds pages with tables only" >&2
    exit 1
  }
  rm -rf "$out/node_modules" && mv "$out/install/node_modules" "$out/node_modules"
  cp package-lock.json "$out/package-lock.json"
fi

notice='/* Contains Vega and Vega-Lite (BSD-3-Clause, University of Washington Interactive Data Lab),
D3 (ISC, Mike Bostock) and three.js (MIT, three.js authors), as far as used. */'
for entry in src/*/main.js; do
  name=$(basename "$(dirname "$entry")")
  NODE_PATH=$out/node_modules "$out/node_modules/.bin/esbuild" "$entry" --bundle --minify --format=iife \
    --target=es2022 --legal-comments=none --log-level=warning "--banner:js=$notice" "--outfile=$out/$name.js"
done
