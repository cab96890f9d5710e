#!/usr/bin/env bash
# Checks that every link between documents leads somewhere, that every example of README.md and QUICKSTART.md does what it says, and
# that every Swift example of the SDK's documentation compiles and every symbol that it links to is there, and that the reference has
# every command, option, metric and code of a refusal.
set -euo pipefail
cd "$(dirname "$0")/.."
program=$(pwd)/$1
python=$(pwd)/.build-python/bin/python

"$python" Scripts/check-links.py *.md $(git ls-files 'Documentation/*.md' 'Documentation/**/*.md' 'Examples/**/*.md' 'Benchmarks/*.md' 'Sources/**/*.md')
"$python" Scripts/check-snippets.py
"$python" Scripts/check-symbols.py .build-consumers/build-native/debug
"$python" Scripts/make-reference.py --program "$program" --check
"$python" Server/Tests/BlackBox/readme_examples.py README.md QUICKSTART.md --program "$program"
