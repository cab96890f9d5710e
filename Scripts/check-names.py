#!/usr/bin/env python3
"""Checks that every name of a type or function in single backticks exists.

  check-names.py [--graphs DIR] [--self-test]

A name is a word in single backticks of a Markdown page that begins with a capital letter and has a lower-case one, with or without
members (`AuthClient`, `ClientOptions.store`), or a function with its labels (`willEnterForeground()`). On pages for users of the
SDK it must be a public symbol: of the symbol graphs in DIR, which check-symbols.py extracts, or else of the sources. On the other
pages it may be any declaration of the sources, the tests and the shims. Names of others are in external-names.txt.
"""

import argparse
import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EXTERNAL = Path(__file__).with_name("external-names.txt")
# The changelog names what was renamed.
SKIPPED = {"CHANGELOG.md"}
NAME = re.compile(r"(?<!`)`([A-Z]\w*[a-z]\w*(?:\.[A-Za-z]\w*)*(?:\([\w:]*\))?|[a-z]\w*\([\w:]*\))`(?!`)")
DECLARATION = re.compile(
    r"\b(?:struct|class|enum|actor|protocol|typealias|associatedtype|func|var|let|case|macro)\s+`?([A-Za-z_]\w*)")
# Further cases of one declaration.
CASES = re.compile(r"^\s*(?:(?:public|package|indirect)\s+)*case\s+(.*)$", re.MULTILINE)
FILE = re.compile(r".*\.(?:swift|md|docc|plist|xcprivacy|json|txt|py|sh)$")
PUBLIC = r"\bpublic\b|\bcase\b"
FENCE = re.compile(r"^(?:```|~~~).*?^(?:```|~~~)\s*$", re.MULTILINE | re.DOTALL)


def tracked(*patterns):
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", *patterns], cwd=ROOT, capture_output=True, text=True,
        check=True)
    return [ROOT / line for line in listed.stdout.splitlines() if (ROOT / line).is_file()]


def is_for_users(path):
    """Whether a page is for those who use the SDK, and not for those who change it."""
    parts = path.relative_to(ROOT).parts
    return any(part.endswith(".docc") for part in parts) or parts[0] in ("README.md", "Examples")


def declared(paths, pattern=r""):
    """The names that Swift files declare on lines with a pattern."""
    names = set()
    for path in paths:
        for line in path.read_text().splitlines():
            if not re.search(pattern, line):
                continue
            names.update(DECLARATION.findall(line))
            for cases in CASES.findall(line):
                names.update(re.findall(r"(?:^|,\s*)`?(\w+)", re.sub(r"\([^)]*\)", "", cases)))
    return names


def public_names(graphs):
    names, modules = set(), set()
    for graph in sorted(graphs.glob("*.symbols.json")):
        symbols = json.loads(graph.read_text())["symbols"]
        names.update(re.sub(r"\(.*", "", part) for symbol in symbols for part in symbol["pathComponents"])
        if symbols:
            modules.add(re.split("[.@]", graph.name)[0])
    if not names:
        sys.exit(f"no symbols in {graphs}")
    # A module behind a trait that is not built has an empty graph.
    return names | declared(
        [path for path in tracked("Sources/*.swift") if path.relative_to(ROOT).parts[1] not in modules], PUBLIC)


def unknown(text, names):
    """The names of a page that are not among the known ones."""
    for found in NAME.findall(FENCE.sub("", text)):
        if FILE.match(found):
            if found not in names:
                yield found
            continue
        for part in re.sub(r"\(.*", "", found).split("."):
            if part not in names:
                yield found
                break


def self_test():
    text = "`Known` `known()` `Missing` `Known.gone` ``Missing`` `HTTP` `some-key`\n```swift\n`Missing`\n```\n`gone(now:)`"
    found = list(unknown(text, {"Known", "known"}))
    if found != ["Missing", "Known.gone", "gone(now:)"]:
        sys.exit(f"the check finds {found}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graphs", type=Path)
    parser.add_argument("--self-test", action="store_true")
    arguments = parser.parse_args()
    self_test()
    if arguments.self_test:
        return
    external = {line for line in EXTERNAL.read_text().splitlines() if line and not line.startswith("#")}
    every = declared(tracked("*.swift")) | {path.name.split(".")[0].split("+")[0] for path in tracked("*.swift")}
    # What the example of a page declares, it may speak of.
    public = public_names(arguments.graphs) if arguments.graphs else declared(tracked("Sources/*.swift"), PUBLIC)
    # Folders and files, among them modules.
    places = {part for path in tracked("*") for part in path.relative_to(ROOT).parts}
    failed, used = False, set()
    for page in tracked("*.md"):
        name = str(page.relative_to(ROOT))
        if name in SKIPPED:
            continue
        text = page.read_text()
        own = set(DECLARATION.findall("\n".join(FENCE.findall(text))))
        known = (public if is_for_users(page) else every) | own | places
        for found in NAME.findall(FENCE.sub("", text)):
            head = re.sub(r"\(.*", "", found)
            used.update({head, head.split(".")[0]})
        for found in unknown(text, known):
            head = re.sub(r"\(.*", "", found)
            if head in external or head.split(".")[0] in external:
                continue
            print(f"{name}: `{found}` is not declared")
            failed = True
    for name in sorted(external - used):
        print(f"{EXTERNAL.name}: {name} occurs on no page")
        failed = True
    if failed:
        sys.exit("documents name what does not exist; names of others belong in Scripts/external-names.txt")
    print("every name in backticks exists")


if __name__ == "__main__":
    main()
