#!/usr/bin/env python3
"""Compares the public API of the SDK's products with that of the last release: what is missing must be named in the changelog.

  check-api.py --graphs DIR [--write]
  check-api.py --diagnose | --self-test

DIR has the symbol graphs that check-symbols.py extracts. `Documentation/reference/api` has a file for each module with one line for
each public symbol of the last release, or until the first one of the day it was written. A line that is no longer in the graphs was
removed or changed. It passes if a bullet under "### Breaking" of the changelog's unreleased part has the symbol's path in backticks,
or that of a type which contains it. New symbols are no problem. `--write` replaces the files, as a release does. `--diagnose` runs
`swift package diagnose-api-breaking-changes` against the last tag, which builds that version too.
"""

import argparse
import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BASELINE = ROOT / "Documentation/reference/api"
# The ports of the server: whoever implements them changes them with each version, see decision 96.
WITHOUT_PROMISE = {"OstiaryEngine"}


def lines(graph):
    """The public symbols of a graph, a line each: its path, and its declaration."""
    found = set()
    for symbol in graph["symbols"]:
        declaration = "".join(part["spelling"] for part in symbol.get("declarationFragments", []))
        found.add(f"{'.'.join(symbol['pathComponents'])} | {' '.join(declaration.split())}")
    return found


def extracted(folder):
    """The lines of each module. A graph `A@B` has the extensions that A makes to types of B."""
    modules = {}
    for path in sorted(Path(folder).glob("*.symbols.json")):
        module = path.name.removesuffix(".symbols.json").split("@")[0]
        if module not in WITHOUT_PROMISE:
            modules.setdefault(module, set()).update(lines(json.loads(path.read_text())))
    # A module whose trait was not built is empty.
    return {module: found for module, found in modules.items() if found}


def breaking(changelog):
    """The paths that the changelog names as broken since the last release."""
    unreleased = re.split(r"^## ", changelog, flags=re.MULTILINE)[1:2]
    named = set()
    for part in re.split(r"^### ", "".join(unreleased), flags=re.MULTILINE):
        if part.startswith("Breaking\n"):
            named.update(re.findall(r"`([^`\n]+)`", part))
    return named


def unnamed(missing, named):
    """The missing lines whose path, or a type that contains it, is not named."""
    def is_named(line):
        path = line.split(" | ")[0]
        return any(path == name or path.startswith(f"{name}.") for name in named)

    return sorted(line for line in missing if not is_named(line))


def compare(modules):
    named, problems, added = breaking((ROOT / "CHANGELOG.md").read_text()), [], 0
    baselines = {path.stem: set(path.read_text().splitlines()) for path in BASELINE.glob("*.txt")}
    if not baselines:
        sys.exit(f"no files in {BASELINE}: run check-api.py --write")
    for module, before in baselines.items():
        if module not in modules:
            problems.append(f"{module}: has no symbols")
            continue
        added += len(modules[module] - before)
        problems += [f"{module}: {line}" for line in unnamed(before - modules[module], named)]
    print(*problems, sep="\n", end="\n" if problems else "")
    count = sum(map(len, baselines.values()))
    print(f"{count} public symbols of the last release, {len(problems)} removed or changed without a word, {added} new")
    if problems:
        sys.exit('name them under "### Breaking" in CHANGELOG.md, or keep them')


def write(modules):
    BASELINE.mkdir(parents=True, exist_ok=True)
    for module, found in modules.items():
        (BASELINE / f"{module}.txt").write_text("".join(f"{line}\n" for line in sorted(found)))
    print(f"{sum(map(len, modules.values()))} public symbols of {len(modules)} modules")


def diagnose():
    tag = subprocess.run(["git", "describe", "--tags", "--abbrev=0"], cwd=ROOT, capture_output=True, text=True)
    if tag.returncode:
        return print("skipped: there is no tag yet to compare the API with")
    return sys.exit(subprocess.run(
        ["swift", "package", "diagnose-api-breaking-changes", tag.stdout.strip()], cwd=ROOT).returncode)


def self_test():
    graph = {"symbols": [
        {"pathComponents": ["A", "f(_:)"], "declarationFragments": [{"spelling": "func f(_ x: "}, {"spelling": "Int)\n"}]},
        {"pathComponents": ["A"], "declarationFragments": [{"spelling": "struct A"}]}]}
    assert lines(graph) == {"A.f(_:) | func f(_ x: Int)", "A | struct A"}
    changelog = "# C\n\n## [Unreleased]\n\n### Breaking\n\n- `A.f(_:)` takes a text, `B` is gone.\n\n### Added\n\n- `D`\n\n## 1\n\n### Breaking\n\n- `E`\n"
    assert breaking(changelog) == {"A.f(_:)", "B"}, breaking(changelog)
    missing = {"A.f(_:) | func f(_ x: Int)", "B.x | var x: Int", "A.g() | func g()", "Bc | struct Bc", "D | struct D"}
    assert unnamed(missing, breaking(changelog)) == ["A.g() | func g()", "Bc | struct Bc", "D | struct D"]
    print("the comparison of APIs works")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graphs")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--diagnose", action="store_true")
    parser.add_argument("--self-test", action="store_true")
    arguments = parser.parse_args()
    if arguments.self_test:
        self_test()
    elif arguments.diagnose:
        diagnose()
    elif arguments.graphs:
        (write if arguments.write else compare)(extracted(arguments.graphs))
    else:
        parser.error("needs --graphs, --diagnose or --self-test")


if __name__ == "__main__":
    main()
