#!/usr/bin/env python3
"""Adds an operation to a copy of the SDK, in exactly the files that ARCHITECTURE.md lists, and calls it as a client does.

  check-new-operation.py

The operation `Ping` and the program that calls it are in Tests/NewOperation. The copy is built in .build-new-operation; the first
build takes some minutes.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
GIVEN = ROOT / "Tests/NewOperation"
COPY = ROOT / ".build-new-operation"
# The files that the list names, for an operation called Ping.
ADDED = {
    "Sources/OstiaryCore/Operations/NAME.swift": "Ping.swift",
    "Sources/OstiaryEngine/Operations/HANDLER.swift": "PingHandler.swift",
}
CHANGED = "Sources/OstiaryCore/OperationKind.swift"
TARGET = """
        .executableTarget(
            name: "new-operation", dependencies: ["OstiaryClient", "OstiaryTesting"], path: "NewOperation",
            swiftSettings: settings),
        // The rules of sign-in"""


def listed():
    """Returns the files that an operation touches according to ARCHITECTURE.md."""
    text = (ROOT / "ARCHITECTURE.md").read_text()
    section = re.search(r"^## Adding an operation\n(.*?)(?=^## )", text, re.MULTILINE | re.DOTALL)
    if not section:
        sys.exit("ARCHITECTURE.md has no section on adding an operation")
    return set(re.findall(r"^\d\. `(.+?)`", section[1], re.MULTILINE))


def replaced(text, old, new):
    if text.count(old) != 1:
        sys.exit(f"found {text.count(old)} times, not once: {old}")
    return text.replace(old, new)


def main():
    if listed() != set(ADDED) | {CHANGED}:
        sys.exit(f"ARCHITECTURE.md lists {sorted(listed())}, this check follows {sorted(set(ADDED) | {CHANGED})}")
    COPY.mkdir(exist_ok=True)
    shutil.rmtree(COPY / "NewOperation", ignore_errors=True)
    for folder in ["Sources", "Tests"]:
        shutil.rmtree(COPY / folder, ignore_errors=True)
        shutil.copytree(ROOT / folder, COPY / folder)
    manifest = (ROOT / "Package.swift").read_text()
    manifest = replaced(manifest, "        // The rules of sign-in", TARGET.lstrip("\n"))
    (COPY / "Package.swift").write_text(manifest)
    for path, name in ADDED.items():
        target = COPY / Path(path).parent / name
        target.write_text((GIVEN / name).read_text())
    kinds = (ROOT / CHANGED).read_text()
    kinds = replaced(kinds, "    case register, ", "    case ping, register, ")
    kinds = replaced(kinds, "        case .register: Register.self\n",
                     "        case .register: Register.self\n        case .ping: Ping.self\n")
    (COPY / CHANGED).write_text(kinds)
    (COPY / "NewOperation").mkdir()
    shutil.copy(GIVEN / "main.swift", COPY / "NewOperation/main.swift")
    subprocess.run(["swift", "run", "--package-path", str(COPY), "new-operation"], check=True)


if __name__ == "__main__":
    main()
