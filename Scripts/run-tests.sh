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
  echo "What began and did not end within ${TEST_MINUTES:-30} minutes:"
  sed -nE 's/^[^ ]+ Test ("[^"]*"|[^ ]+\(.*\)).* (started|passed|failed|skipped).*$/\1/p' "$log" | grep -av '^case ' |
    sort | uniq -u | cut -c 1-200
fi
exit "$status"
