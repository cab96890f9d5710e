#!/usr/bin/env bash
# Serves vici on a free port, and runs the client's benchmark against it.
set -euo pipefail
cd "$(dirname "$0")/.."
directory=$(mktemp -d)
Server/.build-bench/release/ostiary serve --app vici --listen 127.0.0.1:0 --data "$directory" > "$directory/log" 2>&1 &
server=$!
trap 'kill "$server"; rm -rf "$directory"' EXIT
for _ in $(seq 100); do
  address=$(sed -n 's|.*listening on \(http://[^ ]*\).*|\1|p' "$directory/log" | head -1)
  [ -n "$address" ] && break
  sleep 0.1
done
.build-bench-client/release/bench-client "$address"
