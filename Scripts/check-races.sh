#!/bin/bash
# Runs the SDK's tests under the thread sanitizer. Fails on any report; none is suppressed.
#
# check-races.sh [FILTER]: FILTER as `swift test --filter` takes it.
set -euo pipefail
cd "$(dirname "$0")/.."

options=(--traits NIO,Metrics --sanitize thread --scratch-path .build-tsan)
swift build --build-tests "${options[@]}"

work=$PWD/.build-tsan/check
rm -rf "$work"
mkdir -p "$work"
preload=
if [ "$(uname)" = Linux ]; then
    preload=$work/mutex.so
    clang -shared -fPIC -O1 -Wall -Werror -o "$preload" Scripts/tsan/mutex.c
fi
swiftc -sanitize=thread -o "$work/sees" Scripts/tsan/sees.swift

watched() { LD_PRELOAD="$preload" TSAN_OPTIONS="exitcode=66:log_path=$1" "${@:2}"; }

# What cannot tell a race from a lock has nothing to say about the tests.
if watched "$work/race" "$work/sees" race; then
    echo "the thread sanitizer does not see a race" >&2
    exit 1
fi
if ! watched "$work/mutex" "$work/sees" mutex; then
    echo "the thread sanitizer takes a Mutex for a race: is Scripts/tsan/mutex.c right for this toolchain?" >&2
    exit 1
fi

code=0
watched "$work/report" swift test --disable-xctest --skip-build "${options[@]}" ${1:+--filter "$1"} || code=$?
if compgen -G "$work/report.*" >/dev/null; then
    cat "$work"/report.*
    exit 1
fi
exit $code
