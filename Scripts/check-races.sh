#!/bin/bash
# Runs the tests of the SDK and of the driver for PostgreSQL under the thread sanitizer. Fails on any report; none is
# suppressed.
#
# check-races.sh [sdk|driver [FILTER]]: FILTER as `swift test --filter` takes it.
set -euo pipefail
cd "$(dirname "$0")/.."

part=${1:-all}
filter=${2:-}
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

# Verifies the sanitizer first: it must detect a race, and must not report a Mutex as one.
if watched "$work/race" "$work/sees" race; then
    echo "the thread sanitizer does not see a race" >&2
    exit 1
fi
if ! watched "$work/mutex" "$work/sees" mutex; then
    echo "the thread sanitizer takes a Mutex for a race: is Scripts/tsan/mutex.c right for this toolchain?" >&2
    exit 1
fi

# check OPTION…: builds and runs the tests of the package that the options name.
check() {
    local code=0 options=(--sanitize thread "$@")
    swift build --build-tests "${options[@]}"
    rm -f "$work"/report.*
    watched "$work/report" swift test --disable-xctest --skip-build "${options[@]}" ${filter:+--filter "$filter"} || code=$?
    if compgen -G "$work/report.*" >/dev/null; then
        cat "$work"/report.*
        exit 1
    fi
    [ $code -eq 0 ] || exit $code
}

case "$part" in all | sdk) check --traits NIO,Metrics --scratch-path .build-tsan ;; esac
case "$part" in
    all | driver)
        # Separately: the whole server takes long to build with the sanitizer.
        driver=$PWD/.build-tsan/driver
        mkdir -p "$driver"
        ln -sfn "$PWD/Server/Sources" "$driver/Sources"
        ln -sfn "$PWD/Server/Tests" "$driver/Tests"
        ln -sfn "$PWD/Tests/Support" "$driver/Support"
        cp Scripts/tsan/Driver.swift "$driver/Package.swift"
        cp Server/Package.resolved "$driver/Package.resolved"
        check --package-path "$driver"
        ;;
esac
