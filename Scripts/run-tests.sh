#!/usr/bin/env bash
# Runs a test command, for half an hour at most, and repeats at the end which tests failed or did not end: those lines may be
# thousands of lines above. When no test or case begins or ends for two minutes, prints the stacks of all threads; at the end,
# prints the test cases that took longest.
set -uo pipefail
here=$(dirname "$0")
log=$(mktemp)
events=$(mktemp)
watchdog=
trap '[ -z "$watchdog" ] || kill "$watchdog" 2> /dev/null; rm -f "$log" "$events"' EXIT

# Counts the lines about tests, of which a case prints one when it begins; prints stacks once each time that the count does not
# change. Reading a process's stacks suspends it, which can fail tests that measure time: never done without need.
watch() {
  local count before=-1 still=0 step=10 limit=${STILL_SECONDS:-120}
  [ "$limit" -ge "$step" ] || step=1
  while sleep "$step"; do
    count=$(grep -acE '(Test|Suite|Test case) .* (started\.|passed after |failed after )' "$log")
    if [ "$count" != "$before" ]; then before=$count still=0; continue; fi
    still=$((still + step))
    if [ "$still" -eq "$limit" ]; then
      echo "No test has begun or ended for $limit seconds. The stacks of all threads:"
      "$here/stacks.sh" $$
    fi
  done
}

limit=()
# Interrupted rather than terminated, because SwiftPM then ends its child processes.
if command -v timeout > /dev/null; then limit=(timeout --foreground --signal=INT --kill-after=10 "${TEST_MINUTES:-30}m"); fi
watch &
watchdog=$!
stream=()
[ "$1 $2" != "swift test" ] || stream=(--event-stream-output-path "$events" --event-stream-version 0)
"${limit[@]+"${limit[@]}"}" "$@" "${stream[@]+"${stream[@]}"}" 2>&1 | tee "$log"
status=${PIPESTATUS[0]}
[ ! -s "$events" ] || python3 "$here/slowest-tests.py" "$events"
if [ "$status" -ne 0 ]; then
  echo "What failed (exit status $status):"
  grep -aE 'recorded an issue|Fatal error|error:|FAILED|Crash' "$log" | cut -c 1-600 | head -40
fi
if [ "$status" -eq 124 ] || [ "$status" -eq 137 ]; then
  echo "What began and did not end:"
  # Anywhere in a line: the output of cases and tests is sometimes interleaved there.
  sed -nE 's/^.*(◇|✔|✘) Test ("[^"]*"|[^ ]+\(.*\))( with [0-9]+ test cases?)? (started|passed after|failed after|skipped).*$/\4\t\2/p' \
    "$log" | awk -F '\t' '{ open[$2] += $1 == "started" ? 1 : -1 } END { for (name in open) if (open[name] > 0) print name }' |
    sort | cut -c 1-200
fi
exit "$status"
