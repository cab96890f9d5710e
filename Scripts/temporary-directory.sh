#!/usr/bin/env bash
# Prints the directory for the files of tests: in memory if there is room, because a flush to a busy disk can take half a minute.
# Tests that kill processes are valid there as well: the kernel keeps the data that the processes wrote.
set -euo pipefail
memory=/dev/shm
least=$((4 << 20)) # KiB; one run uses less than a quarter of it
if [ -z "${TMPDIR:-}" ] && [ -w "$memory" ] && grep " $memory tmpfs " /proc/mounts | grep -qv noexec &&
  [ "$(df --output=avail "$memory" | tail -1)" -ge "$least" ]; then
  echo "$memory"
else
  echo "${TMPDIR:-/tmp}"
fi
