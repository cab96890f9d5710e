#!/usr/bin/env bash
# Runs a command that tests, and repeats at the end what failed: the words themselves may stand thousands of lines above.
set -uo pipefail
log=$(mktemp)
trap 'rm -f "$log"' EXIT
"$@" 2>&1 | tee "$log"
status=${PIPESTATUS[0]}
if [ "$status" -ne 0 ]; then
  echo "What failed (exit status $status):"
  grep -aE 'recorded an issue|Fatal error|error:|FAILED|Crash' "$log" | cut -c 1-600 | head -40
fi
exit "$status"
