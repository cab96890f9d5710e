#!/usr/bin/env bash
# Runs a command that tests, half an hour at most, and repeats at the end what failed or did not end: the words themselves may
# stand thousands of lines above.
set -uo pipefail
log=$(mktemp)
trap 'rm -f "$log"' EXIT
limit=()
# Interrupted rather than ended, since that is when SwiftPM ends what it runs.
if command -v timeout > /dev/null; then limit=(timeout --foreground --signal=INT --kill-after=10 "${TEST_MINUTES:-30}m"); fi
"${limit[@]+"${limit[@]}"}" "$@" 2>&1 | tee "$log"
status=${PIPESTATUS[0]}
if [ "$status" -ne 0 ]; then
  echo "What failed (exit status $status):"
  grep -aE 'recorded an issue|Fatal error|error:|FAILED|Crash' "$log" | cut -c 1-600 | head -40
fi
if [ "$status" -eq 124 ] || [ "$status" -eq 137 ]; then
  echo "What began and did not end:"
  sed -nE 's/^[^ ]+ Test ("[^"]*"|[^ ]+\(.*\))( with [0-9]+ test cases?)? (started|passed after|failed after|skipped).*$/\3\t\1/p' \
    "$log" | awk -F '\t' '{ open[$2] += $1 == "started" ? 1 : -1 } END { for (name in open) if (open[name] > 0) print name }' |
    sort | cut -c 1-200
fi
exit "$status"
