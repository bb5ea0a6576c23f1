#!/bin/sh
# Runs a test in a temporary folder of its own, so that tests may run side by side, and removes it afterwards.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
TEST_TMPDIR=$folder/ TMPDIR=$folder/ "$@"
