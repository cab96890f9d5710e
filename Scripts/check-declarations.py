#!/usr/bin/env python3
"""Compares the shims of Apple's frameworks with the declarations in Apple's documentation.

  check-declarations.py [--record]

Apple/Declarations/FRAMEWORK.json holds, for each public declaration of Apple/Shims/FRAMEWORK:

  documented   the declaration as documented, the first versions that have it, and the URL of the page; `differs` where the
               shim's cannot be the same, with the reason
  unsourced    declarations for which no page has been found, by name. Their form is an assumption
  maximum_unsourced  the maximum number of them. It only decreases, except for a new shim without documentation

The shims' declarations are read from the build of `Apple/`, as iOS and as macOS. Declarations with `Shim` in their
name are for tests, and are not compared. The script fails if

- a declaration is on neither list, or a listed one is missing;
- a documented one differs, or needs a later system than the SDK and does not state in `guarded` how its use is guarded;
- there are more unsourced ones than the maximum;
- a shim re-exports a module without a reason in `reexports`;
- a file uses a name of `overlays` and does not import both frameworks, as the real one must: here the name is in one of the two.

`--record` adds the declarations that are on neither list to the unsourced ones.
"""

import argparse
import json
import re
import sys
import tempfile
from pathlib import Path

from built_modules import ROOT, run

DECLARATIONS = ROOT / "Apple/Declarations"
SHIMS = ROOT / "Apple/Shims"
BUILDS = [ROOT / "Apple/.build/debug", ROOT / "Apple/.build-macos/debug"]
# The minimum versions of the SDK, as in Package.swift; for the other platforms the versions released with them.
MINIMUM = {"iOS": (18,), "macOS": (15,), "macCatalyst": (18,), "visionOS": (2,), "tvOS": (18,), "watchOS": (11,)}
KEYS = {"symbol", "declaration", "available", "source", "differs", "guarded"}


def toolchain():
    code, output = run(["swiftc", "-print-target-info"])
    if code != 0:
        sys.exit(output)
    information = json.loads(output)
    return Path(information["paths"]["runtimeResourcePath"]).parent.parent / "bin", information["target"]["unversionedTriple"]


def symbols(module, build, scratch):
    """Returns the public declarations of a shim, by name; several may have the same name."""
    folder, triple = toolchain()
    code, output = run([
        folder / "swift-symbolgraph-extract", "-module-name", module, "-target", triple, "-I", build / "Modules",
        "-minimum-access-level", "public", "-skip-synthesized-members", "-output-dir", scratch])
    if code != 0:
        sys.exit(f"{module}: its declarations cannot be read\n{output}")
    found = {}
    for path in scratch.glob(f"{module}*.symbols.json"):
        if path.name.split(".")[0].split("@")[0] != module:
            continue
        for symbol in json.loads(path.read_text())["symbols"]:
            name = ".".join(symbol["pathComponents"])
            if "::SYNTHESIZED::" in symbol["identifier"]["precise"] or re.search(r"shim", name, re.IGNORECASE):
                continue
            text = "".join(fragment["spelling"] for fragment in symbol["declarationFragments"])
            found.setdefault(name, set()).add(text)
    return found


def normal(declaration):
    """Returns a declaration without the parts that pages and the compiler write differently."""
    keywords = "class|final|struct|enum|protocol|func|init|var|let|static|convenience|open"
    text = re.sub(rf"(@\w+(\([^)]*\))?\s+)+(?=({keywords})\b)", "", declaration)
    text = re.sub(r"\b(public|open|final|convenience|nonisolated\(unsafe\)|nonisolated|required|override)\s+", "", text)
    text = re.sub(r"@(MainActor|preconcurrency|frozen|nonobjc)\s+", "", text)
    text = re.sub(r"\b(Foundation|Swift|Security|SwiftUI|UIKit|AppKit)\.(?=[A-Z])", "", text)
    # A property that cannot be set is a `let` or a `var { get }`, on either side; one that can is `var`, or `var { get set }`.
    if property := re.match(r"((?:static |class |weak )*)(var|let) ([^{]*)(\{ get(?: set)? \})?$", text):
        can_be_set = property[2] == "var" and property[4] != "{ get }"
        text = f"{property[1]}{'variable' if can_be_set else 'constant'} {property[3]}"
    # The page lists a type's conformances separately.
    text = re.sub(r"^((?:class|struct|enum|protocol) [\w.<>, ]+?)\s*:.*", r"\1", text)
    text = re.sub(r"\s+", " ", text).strip()
    return re.sub(r"\s*([:,()\[\]{}<>=?&|-])\s*", r"\1", text)


def version(text):
    return tuple(int(part) for part in text.split("."))


def reexports(module):
    texts = "\n".join(path.read_text() for path in sorted((SHIMS / module).glob("*.swift")))
    return set(re.findall(r"@_exported import (\w+)", texts))


def uses_without_import(module, overlays):
    """Returns the files that use a declaration of an overlay of two frameworks, and do not import both."""
    found = []
    files = [path for folder in ("Sources", "Examples/Apps", "Apple/Tests") for path in sorted((ROOT / folder).rglob("*.swift"))]
    for path in files:
        lines = [line.split("//")[0] for line in path.read_text().splitlines()]
        imports = {match[1] for line in lines if (match := re.search(r"\bimport (\w+)", line))}
        for other, names in overlays.items():
            for name in names:
                uses = any(re.search(rf"(?<!\w){name}(?!\w)", line) for line in lines)
                if uses and not {module, other} <= imports:
                    found.append(f"{path.relative_to(ROOT)} uses {name} and does not import {module} and {other}")
    return found


def check(module, found, data):
    problems = uses_without_import(module, data.get("overlays", {}))
    documented, unsourced = data.get("documented", []), data.get("unsourced", [])
    sourced = {}
    for entry in documented:
        name = entry.get("symbol", "")
        if set(entry) - KEYS or not {"symbol", "declaration", "available", "source"} <= set(entry):
            problems.append(f"{name}: has not the keys that it must have")
            continue
        if not re.match(r"https://developer\.apple\.com/documentation/\S+$", entry["source"]):
            problems.append(f"{name}: its source is no page of Apple's documentation")
        sourced.setdefault(name, []).append(entry)
        late = [
            f"{platform} {first}" for platform, first in entry["available"].items()
            if version(first) > MINIMUM[platform] + (0,) * 2 and platform in ("iOS", "macOS")
        ]
        if late and not entry.get("guarded"):
            problems.append(f"{name}: is there from {', '.join(late)} on")
        if name not in found:
            problems.append(f"{name}: is not in the stand-in")
        elif not entry.get("differs") and normal(entry["declaration"]) not in {normal(text) for text in found[name]}:
            problems.append(f"{name}: documented as `{entry['declaration']}`, but here `{' / '.join(sorted(found[name]))}`")
    for name in unsourced:
        if name not in found:
            problems.append(f"{name}: is not in the stand-in")
        if name in sourced:
            problems.append(f"{name}: is on both lists")
    missing = sorted(set(found) - set(sourced) - set(unsourced))
    problems += [f"{name}: is on neither list" for name in missing]
    if len(unsourced) > data.get("maximum_unsourced", 0):
        problems.append(f"{len(unsourced)} declarations have no source, {data.get('maximum_unsourced', 0)} may have none")
    extra = reexports(module) - set(data.get("reexports", {}))
    problems += [f"re-exports {name}" for name in sorted(extra)]
    return problems, missing


def self_test():
    for page, here in [
        ("func a(_ b: [String : Int]?) -> Bool", "func a(_ b: [String: Int]?) -> Bool"),
        ("let kSecClass: CFString", "nonisolated(unsafe) let kSecClass: CFString"),
        ("class LAContext", "class LAContext : NSObject"),
        ("var text: String { get set }", "var text: String"), ("static var a: Int { get }", "static let a: Int"),
        ("@frozen struct Logger", "struct Logger"),
    ]:
        assert normal(page) == normal(here), (normal(page), normal(here))
    for page, here in [
        ("func a(_ b: Int)", "func a(b: Int)"), ("func a() -> Int?", "func a() -> Int"), ("class A", "struct A"),
        ("func a(_ b: @escaping @Sendable () -> Void)", "func a(_ b: @escaping () -> Void)"),
        ("func a() async throws", "func a() async"),
        ("var text: String { get }", "var text: String"), ("static var a: Int { get }", "var a: Int { get }"),
    ]:
        assert normal(page) != normal(here), page


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--record", action="store_true")
    record = parser.parse_args().record
    self_test()
    sourced = unsourced = 0
    failed = False
    modules = sorted(path.name for path in SHIMS.iterdir() if not path.name.startswith("_"))
    for module in modules:
        builds = [build for build in BUILDS if (build / f"Modules/{module}.swiftmodule").exists()]
        if not builds:
            sys.exit(f"build Apple/ first, as iOS and as macOS: make test-apple ({module})")
        found = {}
        for build in builds:
            with tempfile.TemporaryDirectory() as scratch:
                for name, texts in symbols(module, build, Path(scratch)).items():
                    found.setdefault(name, set()).update(texts)
        path = DECLARATIONS / f"{module}.json"
        if not path.exists():
            sys.exit(f"there is no {path.relative_to(ROOT)}")
        data = json.loads(path.read_text())
        problems, missing = check(module, found, data)
        if record and missing:
            data["unsourced"] = sorted(data.get("unsourced", []) + missing)
            path.write_text(json.dumps(data, indent=2) + "\n")
            problems, _ = check(module, found, data)
        for problem in problems:
            print(f"{module}: {problem}")
        failed = failed or bool(problems)
        sourced += len(data.get("documented", []))
        unsourced += len(data.get("unsourced", []))
    print(f"{sourced} declarations of the stand-ins are as documented, {unsourced} have no source")
    if failed:
        sys.exit(1)


if __name__ == "__main__":
    main()
