#!/usr/bin/env python3
"""Checks that each target imports no module but its own, its declared dependencies and those of the system.

    Scripts/check-imports.py [--self-test]

A module that another target of the same build needs can be imported without a declaration: the build succeeds here and fails
for a consumer that builds another selection of targets. `--explicit-target-dependency-import-check` of SwiftPM finds the same,
but scans every file with the compiler, which takes as long as a build.
"""
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKAGES = [".", "Server"]
# At the beginning of a line, so that programs in other languages inside string literals are not read.
IMPORT = re.compile(
    r"^(?:@\w+(?:\(\w+\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?import\s+"
    r"(?:(?:struct|class|enum|protocol|typealias|func|var|let|actor)\s+)?(\w+)", re.MULTILINE)
SYSTEM = {
    # The toolchain's.
    "Foundation", "FoundationNetworking", "CoreFoundation", "Dispatch", "Synchronization", "Observation", "Testing", "Glibc",
    "Musl", "Darwin", "os",
    # Apple's frameworks.
    "Accessibility", "AppKit", "AuthenticationServices", "CoreGraphics", "CoreImage", "CryptoKit", "DeviceCheck", "LocalAuthentication",
    "PhotosUI", "Security", "SwiftUI", "UIKit", "UserNotifications",
}
# A product's modules, where they have other names than the product.
MODULES = {
    "Metrics": {"Metrics", "CoreMetrics"},
    "_OstiaryTestSupport": {"OstiaryTestSupport", "OstiaryEngineTestSupport"},
}


def imports(text):
    return set(IMPORT.findall(text))


def declared(target):
    """Returns the modules that a target of `swift package dump-package` may import."""
    modules = {target["name"]}
    for dependency in target["dependencies"]:
        [values] = dependency.values()
        modules |= MODULES.get(values[0], {values[0]})
    return modules


def undeclared(text, target):
    return sorted(imports(text) - declared(target) - SYSTEM)


def self_test():
    target = {"name": "A", "dependencies": [{"byName": ["B", None]}, {"product": ["Metrics", "swift-metrics", None, None]}]}
    text = "import A\npublic import B\n@testable import C\nimport struct D.E\nimport CoreMetrics\n    import F\nimport Foundation\n"
    assert undeclared(text, target) == ["C", "D"], undeclared(text, target)


def main():
    self_test()
    if sys.argv[1:] == ["--self-test"]:
        return
    problems, count = [], 0
    for package in PACKAGES:
        folder = ROOT / package
        dump = subprocess.run(
            ["swift", "package", "--package-path", folder, "dump-package"], check=True, capture_output=True, text=True)
        for target in json.loads(dump.stdout)["targets"]:
            if target["type"] in ("system", "binary"):
                continue
            kind = "Tests" if target["type"] == "test" else "Sources"
            sources = folder / (target.get("path") or f"{kind}/{target['name']}")
            files = [
                pathlib.Path(parent) / name for parent, _, names in os.walk(sources, followlinks=True) for name in names
                if name.endswith(".swift")]
            if not files and not list(sources.glob("*.[ch]")) and not (sources / "include").is_dir():
                problems.append(f"{package}: the target {target['name']} has no sources at {sources}")
            for file in files:
                count += 1
                for module in undeclared(file.read_text(), target):
                    problems.append(f"{file.relative_to(ROOT)}: {target['name']} does not declare {module}")
    print("\n".join(problems) or f"{count} files import what their targets declare")
    sys.exit(bool(problems))


main()
