#!/usr/bin/env bash
# Builds a product of the server for release, in Server/.build-bench, with the Swift runtime linked in.
#
#   build-release.sh PRODUCT [OPTION...]     with options of `swift build`
#
# On Linux, `ostiary` has the part of ICU's data that it uses, no function that nothing uses, no tables for unwinding, and beside each other
# the functions that run as it starts and serves: Documentation/decisions/103-layout-of-the-release-program.md
# It loads libraries from the system's folders alone, not from its own folder first (--disable-local-rpath).
set -euo pipefail
cd "$(dirname "$0")/../Server"
product=$1 build=.build-bench
options=(-c release --static-swift-stdlib --disable-local-rpath --scratch-path "$build" --product "$@")
# In one order of traits: see BUILD in the Makefile.
build() {
  SWIFT_DETERMINISTIC_HASHING=1 swift build "${options[@]}"
}
if [ "$(uname)" != Linux ]; then
  build
  exit
fi

# The same for every product, so that they share what is compiled.
options+=(
  -Xswiftc -Xfrontend -Xswiftc -function-sections
  -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors
  -Xcc -ffunction-sections -Xcc -fdata-sections)
if [ "$product" != ostiary ]; then
  build
  exit
fi

order=$build/executed-functions
mkdir -p "$build"
touch "$order"
../Scripts/trim-icu-data.py "$build/lib_FoundationICU.a"
options+=(
  -Xlinker "$PWD/../Scripts/without-unwind-tables.ld"
  -Xlinker "--remap-inputs=*/lib_FoundationICU.a=$PWD/$build/lib_FoundationICU.a"
  -Xlinker "--symbol-ordering-file=$PWD/$order" -Xlinker --no-warn-symbol-ordering)
# Linked anew, because SwiftPM does not know of these inputs.
rm -f "$build/release/$product"
build
if ! command -v valgrind > /dev/null; then
  echo "build-release.sh: the functions are not ordered, because valgrind is not installed" >&2
  exit 0
fi
../Benchmarks/executed_functions.py "$build/release/$product" "$order"
# The same options: others would compile again.
rm "$build/release/$product"
build
