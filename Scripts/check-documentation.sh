#!/usr/bin/env bash
# Checks that no link between documents is broken, that every example of README.md and QUICKSTART.md has the stated result, that
# every Swift example of the SDK's documentation compiles and every symbol that it links to or names exists, and that the
# reference contains every command, option, metric and code of a refusal; and that no public symbol of the last release is missing.
set -euo pipefail
cd "$(dirname "$0")/.."
program=$(pwd)/$1
python=$(pwd)/.build-python/bin/python

"$python" Scripts/check-links.py *.md $(git ls-files 'Documentation/*.md' 'Documentation/**/*.md' 'Examples/**/*.md' 'Benchmarks/*.md' 'Sources/**/*.md')
"$python" Scripts/check-snippets.py
graphs=$(mktemp --directory)
trap 'rm -r "$graphs"' EXIT
"$python" Scripts/check-symbols.py .build-consumers/build-native/debug --graphs "$graphs"
"$python" Scripts/check-names.py --graphs "$graphs"
"$python" Scripts/check-api.py --graphs "$graphs"
"$python" Scripts/make-reference.py --program "$program" --check
"$python" Server/Tests/BlackBox/readme_examples.py README.md QUICKSTART.md Documentation/admin-api.md --program "$program"
