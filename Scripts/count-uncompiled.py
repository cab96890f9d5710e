#!/usr/bin/env python3
"""Counts the SDK's lines that no build here compiles, and fails when there are more than before.

  count-uncompiled.py [--self-test]

Every `#if` of Sources/ is evaluated for each of these builds: this package on Linux with all traits, and without any in release,
`Apple/` as iOS and as macOS, and `Apple/Darwin`. The modules that each build can import are read from the toolchain, from the shims
in `Apple/` and from the manifests. A line that no build compiles is uncompiled. Lines that only watchOS, tvOS or visionOS compile
are listed separately: there are no shims for those, and the lines have only been read. A condition that cannot be evaluated is an
error.
"""

import argparse
import json
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# The maximum number of uncompiled lines. It only decreases.
MAXIMUM_UNCOMPILED = 0
SDK = ["OstiaryCore", "OstiaryContracts", "OstiaryEngine", "OstiaryWebAuthn", "OstiaryClient", "OstiaryUI", "OstiaryTesting",
       "OstiaryAdminAPI", "OstiaryAdmin"]
COMPILER = (6, 2)
# On Apple's platforms; a framework that is missing on one of them is recorded in Apple/Declarations.
APPLE_SYSTEM = {"Darwin", "Foundation", "Dispatch", "os", "CryptoKit", "Observation", "Synchronization", "CoreFoundation", "ObjectiveC"}
PLATFORMS = ["iOS", "macOS", "macCatalyst", "visionOS", "tvOS", "watchOS"]
ONLY_READ = ["visionOS", "tvOS", "watchOS"]


@dataclass
class Build:
    """The values of conditions in a build, and its files."""

    name: str
    system: str
    modules: set
    flags: set
    environment: set = field(default_factory=set)
    compiles: object = lambda path: True


class Undecidable(Exception):
    pass


TOKEN = re.compile(r'\s*(&&|\|\||!|\(|\)|,|>=|<|==|_version\s*:|[A-Za-z_]\w*|[\d.]+)')


def tokens(text):
    position, found = 0, []
    text = text.split("//")[0].strip()
    while position < len(text):
        match = TOKEN.match(text, position)
        if not match:
            raise Undecidable(text)
        found.append(match[1])
        position = match.end()
    return found


class Condition:
    """A condition of `#if`, by recursive descent: `||` binds less than `&&`, and that less than `!`."""

    def __init__(self, text, build):
        self.text, self.build, self.rest = text, build, tokens(text)

    def value(self):
        value = self.either()
        if self.rest:
            raise Undecidable(self.text)
        return value

    def next(self, expected=None):
        if not self.rest or (expected and self.rest[0] != expected):
            raise Undecidable(self.text)
        return self.rest.pop(0)

    def either(self):
        value = self.both()
        while self.rest and self.rest[0] == "||":
            self.next()
            value = self.both() or value
        return value

    def both(self):
        value = self.single()
        while self.rest and self.rest[0] == "&&":
            self.next()
            value = self.single() and value
        return value

    def single(self):
        word = self.next()
        if word == "!":
            return not self.single()
        if word == "(":
            value = self.either()
            self.next(")")
            return value
        if word in ("true", "false"):
            return word == "true"
        if self.rest and self.rest[0] == "(":
            self.next("(")
            arguments = []
            while self.rest and self.rest[0] != ")":
                arguments.append(self.next())
            self.next(")")
            return self.query(word, arguments)
        if not re.match(r"[A-Za-z_]", word):
            raise Undecidable(self.text)
        return word in self.build.flags

    def query(self, name, arguments):
        match name, arguments:
            case "os", [system]:
                return system == self.build.system
            case "canImport", [module]:
                return module in self.build.modules
            case "targetEnvironment", [environment]:
                return environment in self.build.environment
            case ("compiler" | "swift"), [relation, version]:
                wanted = tuple(int(part) for part in version.split("."))
                return COMPILER >= wanted if relation == ">=" else COMPILER < wanted
            case "hasFeature", [feature]:
                return feature in ("ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility")
        raise Undecidable(self.text)


DIRECTIVE = re.compile(r"\s*#(if|elseif|else|endif)\b(.*)")


def compiled(lines, build):
    """For each line of source: True if the build compiles it; None for directives, comments and blank lines."""
    result, stack, comment, text = [], [], 0, False
    for line in lines:
        inside = comment > 0 or text
        if not inside and (directive := DIRECTIVE.match(line)):
            kind, condition = directive[1], directive[2]
            if kind == "if":
                value = Condition(condition, build).value()
                stack.append([value, value])
            elif kind == "elseif":
                value = not stack[-1][1] and Condition(condition, build).value()
                stack[-1] = [value, stack[-1][1] or value]
            elif kind == "else":
                stack[-1] = [not stack[-1][1], True]
            else:
                stack.pop()
            result.append(None)
            continue
        code, began = line.strip(), comment > 0
        if not text and not code.startswith("//"):
            comment += code.count("/*") - code.count("*/")
        if not began and comment == 0 and line.count('"""') % 2 == 1:
            text = not text
        is_source = code and not began and not code.startswith(("//", "/*"))
        result.append(all(active for active, _ in stack) if is_source else None)
    if stack:
        raise Undecidable("#if without #endif")
    return result


def toolchain_modules():
    """Returns the modules that the toolchain lets every program on this system import."""
    information = json.loads(subprocess.run(["swiftc", "-print-target-info"], capture_output=True, check=True, text=True).stdout)
    modules = set()
    for folder in information["paths"]["runtimeLibraryImportPaths"]:
        modules |= {path.stem for path in Path(folder).glob("*.swiftmodule")}
        modules |= {path.stem for path in Path(folder).parent.glob("linux/*.swiftmodule")}
    return modules


def products(manifest):
    return set(re.findall(r'\.product\(\s*name: "(\w+)"', manifest))


def builds():
    here = toolchain_modules()
    manifest = (ROOT / "Package.swift").read_text()
    traits = set(re.findall(r'\.trait\(\s*name: "(\w+)"', manifest))
    shims = {path.name for path in (ROOT / "Apple/Shims").iterdir()}
    apple = here | {"Crypto"} | set(SDK)
    of_apple = lambda path: path.parts[1] in SDK
    linked = {link.resolve() for link in (ROOT / "Apple/Darwin/Sources").rglob("*.swift") if link.is_symlink()}
    darwin = {path.name for path in (ROOT / "Apple/Darwin/Shims").iterdir()}
    return [
        Build("Linux", "Linux", here | products(manifest) | set(SDK), {"DEBUG"} | traits),
        # The benchmark of the client, which `make bench-client` builds: the only build here without DEBUG.
        Build("Linux in release", "Linux", here | products(manifest) | set(SDK), set()),
        Build("Apple as iOS", "Linux", apple | shims - {"AppKit", "_Testing_AppKit"}, {"DEBUG"}, compiles=of_apple),
        Build("Apple as macOS", "Linux", apple | shims - {"UIKit", "_Testing_UIKit"}, {"DEBUG"}, compiles=of_apple),
        Build("Apple/Darwin", "Linux", here | darwin, {"DEBUG"}, compiles=lambda path: (ROOT / path).resolve() in linked),
    ]


def platforms():
    """Apple's real platforms."""
    frameworks = {
        path.stem: json.loads(path.read_text()).get("platforms", PLATFORMS)
        for path in (ROOT / "Apple/Declarations").glob("*.json")
    }
    made = []
    for platform in PLATFORMS:
        modules = APPLE_SYSTEM | set(SDK) | {name for name, where in frameworks.items() if platform in where}
        system = "iOS" if platform == "macCatalyst" else platform
        for simulator in (set(), {"simulator"}):
            if platform == "macCatalyst":
                simulator = {"macCatalyst"}
            made.append(Build(platform, system, modules, {"DEBUG"}, simulator))
    return made


def measure():
    """Returns the uncompiled lines, and those that only platforms without shims compile."""
    uncompiled, read = [], []
    ours, theirs = builds(), platforms()
    for path in sorted(p for p in (ROOT / "Sources").rglob("*.swift")):
        name = path.relative_to(ROOT)
        lines = path.read_text().splitlines()
        try:
            here = [compiled(lines, build) for build in ours if build.compiles(name)]
            there = [(build.name, compiled(lines, build)) for build in theirs]
        except Undecidable as problem:
            sys.exit(f"{name}: cannot decide: {problem}")
        for index, line in enumerate(lines):
            if here[0][index] is None or any(build[index] for build in here):
                continue
            takers = list(dict.fromkeys(platform for platform, taken in there if taken[index]))
            entry = f"{name}:{index + 1}: {line.strip()}"
            if takers and set(takers) <= set(ONLY_READ):
                read.append(f"{entry}  [{', '.join(takers)}]")
            else:
                uncompiled.append(f"{entry}  [{', '.join(takers) or 'no platform of Apple'}]")
    return uncompiled, read


def self_test():
    """Compares the evaluator with the compiler."""
    build = Build("test", "Linux", {"UIKit"}, {"NIO"}, {"simulator"})
    for text, expected in [
        ("os(Linux)", True), ("!os(Linux) || canImport(UIKit)", True), ("canImport(UIKit) && !os(Linux)", False),
        ("NIO && (false || compiler(>=6.0))", True), ("swift(<6)", False), ("targetEnvironment(simulator)", True),
        ("false && true || true", True), ("hasFeature(ExistentialAny) // why", True), ("DEBUG", False),
    ]:
        assert Condition(text, build).value() == expected, text
    for text in ["", "os(", "canImport(UIKit", "arch(arm64)", "a b", "1"]:
        try:
            Condition(text, build).value()
            raise AssertionError(f"decides {text!r}")
        except Undecidable:
            pass
    source = ["a", "#if os(macOS)", "b", "#elseif NIO", "c // x", "// comment", "#else", "d", "#endif", '"""', "#if x", '"""', "e"]
    assert compiled(source, build) == [
        True, None, False, None, True, None, None, False, None, True, True, True, True], compiled(source, build)
    nested = ["#if os(macOS)", "#if NIO", "a", "#endif", "#else", "#if NIO", "b", "#endif", "#endif"]
    assert [value for value in compiled(nested, build) if value is not None] == [False, True]
    assert compiled(["/* a", "b */", "c"], build) == [None, None, True]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--self-test", action="store_true")
    if parser.parse_args().self_test:
        self_test()
        return
    uncompiled, read = measure()
    for line in uncompiled:
        print(line)
    if read:
        print(f"only read, for want of a stand-in ({len(read)} lines):")
        for line in read:
            print(f"  {line}")
    print(f"{len(uncompiled)} lines of Sources are compiled by no build here, {MAXIMUM_UNCOMPILED} may be; {len(read)} are only read")
    if len(uncompiled) > MAXIMUM_UNCOMPILED:
        sys.exit(1)


if __name__ == "__main__":
    main()
