#!/bin/bash
# Compares the server's bcrypt with libxcrypt, as it is built for release and under the address, memory and undefined behaviour
# sanitizers, and verifies that it takes no branch on a secret.
#
# check-bcrypt.sh [COUNT]: COUNT random passwords in each build.
set -euo pipefail
cd "$(dirname "$0")/.."

count=${1:-300}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# check COUNT OPTION…: builds with these options and compares COUNT passwords.
check() {
    clang -std=c11 -g -Wall -Wextra -Werror -fuse-ld=lld -IServer/Sources/CBcrypt/include "${@:2}" \
        -o "$work/compare" Server/Tests/CBcrypt/compare.c -lcrypt
    "$work/compare" "$1"
}

check "$count" -O2
check "$count" -O1 -fsanitize=address
# Optimized, this one takes ten seconds to build.
check "$count" -O0 -fsanitize=undefined -fno-sanitize-recover=all
check "$count" -O1 -fsanitize=memory
# Reports a branch on a secret, and none of Blowfish's lookups, since it does not examine addresses.
check 1 -O2 -fsanitize=memory -fno-sanitize-memory-param-retval -mllvm -msan-check-access-address=0 -DBRANCHES
echo "bcrypt agrees with libxcrypt"
