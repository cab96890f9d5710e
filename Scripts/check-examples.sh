#!/usr/bin/env bash
# Builds the consumer package and proves what the SDK makes an app resolve; builds and plays the command-line example; checks
# what the example apps are made of besides Swift, the sixth contract, and the OpenAPI of all.
set -euo pipefail
cd "$(dirname "$0")/.."
program=$(pwd)/Server/.build/debug/ostiary
python=$(pwd)/.build-python/bin/python

swift build --package-path Examples/Consumer --scratch-path .build-examples
outside=$(swift package --package-path Examples/Consumer --scratch-path .build-examples show-dependencies --format json \
  | "$python" -c '
import json, sys
def names(package):
    for dependency in package["dependencies"]:
        yield dependency["identity"], dependency["url"]
        yield from names(dependency)
print(len({identity for identity, url in names(json.load(sys.stdin)) if "://" in url}))')
echo "the SDK makes an app resolve $outside outside packages (at most 2)"
[ "$outside" -le 2 ]

swift build --package-path Examples/CommandLine --scratch-path .build-examples
Scripts/try-command-line.sh .build-examples/debug/Greeter "$program"

"$python" Scripts/check-apps.py

"$program" contract check Examples/SixthContract/orchard.json
documents=$(mktemp -d)
trap 'rm -rf "$documents"' EXIT
for contract in timetracker vici clarity barqnet viewvault Examples/SixthContract/orchard.json; do
  "$program" contract openapi "$contract" > "$documents/$(basename "$contract" .json).json"
done
"$python" Tests/OstiaryContractsTests/validate_openapi.py "$documents"/*.json
