#!/usr/bin/env bash
# clang, which compiles the C code of other packages once for all build folders: those of the SDK, the server, the consumers and
# Apple/ each contain BoringSSL. `.ci/run` names it in CC, where SwiftPM looks for the C compiler.
set -euo pipefail

source= dependencies= arguments=()
for argument in "$@"; do
  case "$argument" in */checkouts/*.c | */checkouts/*.cc | */checkouts/*.cpp | */checkouts/*.S) source=$argument ;; esac
done
[ -n "$source" ] || exec clang "$@"

while [ $# -gt 0 ]; do
  case "$1" in
    -index-store-path) shift ;; # ccache does not know it
    -g) ;; # names the build folder in the object
    -MF) dependencies=$2 && shift ;;
    -MT) shift ;;
    -MD) ;;
    *) arguments+=("$1") ;;
  esac
  shift
done
# ccache would name the files relative to `checkouts`. They do not change, because a new version is a new checkout.
[ -z "$dependencies" ] || echo "dependencies: $source" > "$dependencies"
export CCACHE_BASEDIR=${source%%/checkouts/*}/checkouts
cd "$CCACHE_BASEDIR"
exec ccache clang "${arguments[@]}"
