#!/usr/bin/env bash
# Uses Examples/CommandLine on a terminal, with a separate server: registers, starts again with the stored session, calls the API,
# signs out, signs in; by password and with a code by text message.
#
#   try-command-line.sh GREETER OSTIARY
set -euo pipefail
greeter=$(realpath "$1")
program=$(realpath "$2")
place=$(mktemp -d)
server=
trap 'if [ -n "$server" ]; then kill "$server" && wait "$server" || true; fi; rm -rf "$place"' EXIT
cd "$place"
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
"$program" serve --listen "127.0.0.1:$port" >server.log 2>&1 &
server=$!
answers() { python3 -c 'import sys, urllib.request; urllib.request.urlopen(sys.argv[1], timeout=2)' "http://127.0.0.1:$port/dev/inbox" 2>/dev/null; }
for attempt in {1..100}; do
  if answers; then break; fi
  if [ "$attempt" = 100 ] || ! kill -0 "$server"; then
    echo "the server does not answer:"
    cat server.log
    exit 1
  fi
  sleep 0.1
done
# Independent of the current user: a home directory and a key file of its own.
export HOME="$place/home" XDG_STATE_HOME="$place/state" XDG_RUNTIME_DIR="$place/run"
unset DBUS_SESSION_BUS_ADDRESS OSTIARY_SESSION_KEY
mkdir -p "$HOME" "$XDG_RUNTIME_DIR"

expect() {
  local wanted=$1
  shift
  local told
  told=$("$@" 2>greeter.log) || true
  [ "$told" = "$wanted" ] || { echo "$*: \"$told\" instead of \"$wanted\""; cat greeter.log server.log; exit 1; }
}

export CONTRACT=vici API_BASE_URL="http://127.0.0.1:$port/vici"
expect "Hello, ann@example.com." "$greeter" register ann@example.com <<<"correct horse 7 battery"
expect "Hello, ann@example.com." "$greeter"
"$greeter" get /api/auth/me | grep -q '"email":"ann@example.com"'
expect "Bye." "$greeter" sign-out
expect "" "$greeter"
expect "" "$greeter" sign-in ann@example.com <<<"a wrong password"
expect "Hello, ann@example.com." "$greeter" sign-in ann@example.com <<<"correct horse 7 battery"

export CONTRACT=barqnet API_BASE_URL="http://127.0.0.1:$port/barqnet"
# The code has been read from the inbox.
{
  python3 - "$port" <<'PYTHON'
import json, sys, time, urllib.request
address = f"http://127.0.0.1:{sys.argv[1]}/dev/inbox?to=%2B15551234567"
for _ in range(200):
    request = urllib.request.Request(address, headers={"Accept": "application/json"})
    messages = json.load(urllib.request.urlopen(request))["messages"]
    if messages:
        print(messages[0]["code"])
        break
    time.sleep(0.05)
PYTHON
  echo "correct horse 7 battery"
} | expect "Hello, whoever you are." "$greeter" register +15551234567
expect "Bye." "$greeter" sign-out
echo "the command-line example registers, is remembered, asks the API, signs out and signs in"
