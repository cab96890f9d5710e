#!/usr/bin/env python3
"""Prints how many source files name each operation, and fails if a given one is named in too many.

  operation-files.py [--at-most N KIND] [--files KIND] [--self-test]

A file names an operation if an identifier in it contains the operation's name, as `ConfirmRegistration` or
`confirmRegistration`, outside comments and texts. Names like `refresh` and `signIn` are also ordinary words of the client's API
and parts of other names, so they are found in more files than depend on the operation.
"""

import argparse
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PRODUCTS = ["Sources", "Server/Sources"]
KINDS = ROOT / "Sources/OstiaryCore/OperationKind.swift"
COMMENT = re.compile(r"//.*?$|/\*.*?\*/", re.MULTILINE | re.DOTALL)
TEXT = re.compile(r'"(?:[^"\\\n]|\\.)*"')


def code(text):
    """The text without comments and string literals."""
    return COMMENT.sub("", TEXT.sub('""', text))


def kinds():
    """The operations, each with the name of its type."""
    return dict(re.findall(r"case \.(\w+): (\w+)\.self", KINDS.read_text()))


def names(text, kind):
    """Returns True if an identifier of the code contains the kind's name."""
    return re.search(rf"(?<![A-Za-z])[{kind[0]}{kind[0].upper()}]{kind[1:]}", text) is not None


def self_test():
    assert not names(code('// confirmRegistration\nlet a = "confirmRegistration"'), "confirmRegistration")
    assert names(code("let a = ConfirmRegistrationView()"), "confirmRegistration")
    assert names(code("case .confirmRegistration: b"), "confirmRegistration")
    assert not names(code("reconfirmRegistration()"), "confirmRegistration")
    assert len(kinds()) > 20, "OperationKind lists the operations"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--at-most", nargs=2, metavar=("N", "KIND"))
    parser.add_argument("--files", metavar="KIND")
    parser.add_argument("--self-test", action="store_true")
    arguments = parser.parse_args()
    if arguments.self_test:
        return self_test()
    sources = {
        path.relative_to(ROOT): code(path.read_text())
        for product in PRODUCTS for path in sorted((ROOT / product).rglob("*.swift"))
    }
    if arguments.files:
        print("\n".join(str(path) for path, text in sources.items() if names(text, arguments.files)))
        return None
    counts = {kind: sum(names(text, kind) for text in sources.values()) for kind in kinds()}
    for kind, count in counts.items():
        print(f"{count:4} {kind}")
    if arguments.at_most and counts[arguments.at_most[1]] > int(arguments.at_most[0]):
        sys.exit(f"{arguments.at_most[1]} is named in more than {arguments.at_most[0]} source files")
    return None


if __name__ == "__main__":
    main()
