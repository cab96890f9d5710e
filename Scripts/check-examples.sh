#!/usr/bin/env bash
# Builds apps that add the package by its URL and counts the packages that they resolve; runs the command-line example, the
# protected service and the customers' backend; checks the files of the example apps other than Swift, the sixth contract, and the
# OpenAPI of all.
set -euo pipefail
cd "$(dirname "$0")/.."
program=$(pwd)/Server/.build/debug/ostiary
python=$(pwd)/.build-python/bin/python

# `make drills` builds them by Xcode's build system too, and with each trait.
"$python" Scripts/check-consumers.py --only native

swift package --package-path Examples/CommandLine dump-package > /dev/null
Scripts/try-command-line.sh .build-consumers/build-native/debug/GreeterSwift6 "$program"

swift package --package-path Examples/ProtectedService dump-package > /dev/null
"$python" Scripts/try-protected-service.py --program "$program"
swift package --package-path Examples/CustomerBackend dump-package > /dev/null
"$python" Scripts/try-customer-backend.py --program "$program"

"$python" Scripts/check-apps.py

"$program" contract check Examples/SixthContract/orchard.json
documents=$(mktemp -d)
trap 'rm -rf "$documents"' EXIT
for contract in timetracker vici clarity barqnet viewvault Examples/SixthContract/orchard.json; do
  "$program" contract openapi "$contract" > "$documents/$(basename "$contract" .json).json"
done
"$python" Tests/OstiaryContractsTests/validate_openapi.py "$documents"/*.json
