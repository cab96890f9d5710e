#!/bin/bash
# Fuzzes the readers of OstiaryWebAuthn with libFuzzer, from the inputs in Tests/OstiaryWebAuthnTests/Corpus. A finding is
# left in .build-fuzz and ends it with another exit status than 0.
#
# fuzz.sh [build | run [SECONDS] | merge]: all of `build` and `run` by default. `merge` reduces what a run has found to the
# inputs that each reach something new, and writes the corpus that the tests replay.
set -euo pipefail
cd "$(dirname "$0")/../.."

work=$PWD/.build-fuzz
# SwiftPM takes the name of the package for `package` access from its folder.
package=$work/ostiary
fuzzer=$work/fuzzer
corpus=Tests/OstiaryWebAuthnTests/Corpus/inputs.txt
part=${1:-all}

build() {
    mkdir -p "$package/Sources"
    for target in OstiaryCore OstiaryContracts OstiaryWebAuthn; do
        ln -sfn "$PWD/Sources/$target" "$package/Sources/$target"
    done
    ln -sfn "$PWD/Tests/WebAuthnFuzzing" "$package/Fuzzing"
    cp Scripts/fuzz/Package.swift "$package/Package.swift"
    # Optimized; overflows, bounds and preconditions trap as in debug builds.
    swift build -c release --package-path "$package" --product Fuzzing
    # The whole archive, in which SwiftPM has some objects twice: otherwise the linker leaves out an object to which no symbol
    # refers, such as one with a conformance only. The runtime then fails to find the type. As an input it names its libraries.
    local built
    built=$(swift build -c release --package-path "$package" --show-bin-path)
    swiftc -sanitize=fuzzer -O -parse-as-library -swift-version 6 -package-name ostiary -o "$fuzzer" \
        -I "$built/Modules" Scripts/fuzz/Driver.swift "$built/libFuzzing.a" -lstdc++ \
        -Xlinker --allow-multiple-definition -Xlinker --whole-archive -Xlinker "$built/libFuzzing.a" \
        -Xlinker --no-whole-archive
}

run() {
    mkdir -p "$work/found" "$work/corpus"
    python3 Scripts/fuzz/corpus.py unpack "$corpus" "$work/corpus"
    "$fuzzer" -max_total_time="${1:-60}" -max_len=4096 -timeout=5 -rss_limit_mb=2048 -dict=Scripts/fuzz/webauthn.dict \
        -artifact_prefix="$work/" -print_final_stats=1 "$work/found" "$work/corpus"
}

merge() {
    rm -rf "$work/merged"
    mkdir -p "$work/merged"
    "$fuzzer" -merge=1 -max_len=4096 "$work/merged" "$work/corpus" "$work/found"
    python3 Scripts/fuzz/corpus.py pack "$work/merged" "$corpus"
}

case "$part" in
    all) build && run ;;
    build) build ;;
    run) run "${2:-}" ;;
    merge) merge ;;
esac
