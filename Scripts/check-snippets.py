#!/usr/bin/env python3
"""Compiles every Swift example of the documentation.

  check-snippets.py [--built DIR]

Every ```swift block of the .docc pages and of README.md is put into a package that adds this one by its URL, as an app does, and
built with warnings as errors: with a new Xcode project's settings and without. A page is one function that is async and throws; each
block of it sees the preceding ones. The declarations that a page presupposes are in comments, which are not rendered:

  <!-- given: import OstiaryUI -->       a module besides OstiaryClient and Foundation
  <!-- given: let auth: AuthClient -->   a value
  <!-- given: @MainActor -->             where the page's code runs
  <!-- given: struct Project … -->       anything else: a declaration

A block that begins with ```swift apple is for Apple's platforms: keychain, SwiftUI, Face ID. Those of a page are in a separate
file, compiled with the modules of the package in `Apple/` and its shims of the frameworks, as iOS and as macOS; one with an import
or an extension is at the top level of that file. Of the given declarations, they also have those that begin with `given apple:`.
OstiaryUI and SwiftUI are imported there. They are compiled with those settings and without, too.

With --built, where this package has been built with all traits (`.build/debug`), no package is created: the compiler uses the
modules of that build, and blocks for Apple's platforms are compiled with the modules of `Apple/` if it has been built. That takes
seconds, and is meant for writing pages.

Directly before a block, `<!-- file -->` declares that it is outside of any function, `<!-- program: NAME -->` that it is a whole
main.swift, and `<!-- manifest -->` that it is a whole Package.swift, which SwiftPM parses.

In a table whose last column is called `test`, every name there must be that of a test.
"""

import argparse
import re
import shutil
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from built_modules import APPLE_BUILDS, MODULES, ROOT, build_apple, c_modules, run
from consumer_package import FOLDER, TEMPLATE, dependency, publish, swift

SCRATCH = FOLDER / "Documentation"
APPLE_SCRATCH = ROOT / ".build-snippets-apple"
FENCE = re.compile(r"^```(\w*)([^\n]*)\n(.*?)^```[ \t]*$", re.MULTILINE | re.DOTALL)
GIVEN = re.compile(r"<!--\s*given( apple)?:\s*(.*?)\s*-->", re.DOTALL)
MARK = re.compile(r"<!--\s*(file|manifest|program:\s*(\w+))\s*-->\s*\Z")
NAMES = re.compile(r"^(?:async )?(?:let|var) (?:\(([^)]*)\)|(\w+))", re.MULTILINE)

MANIFEST = """\
// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]
let template: [SwiftSetting] = [
    %(template)s,
]
let ostiary: [Target.Dependency] = [%(products)s]

let package = Package(
    name: "consumer", platforms: [.macOS(.v15), .iOS(.v18)],
    dependencies: [%(dependency)s],
    targets: [
%(targets)s
    ])
"""
# The same settings for a compiler.
TEMPLATE_OPTIONS = ["-default-isolation", "MainActor"] + [
    option for name in re.findall(r'enableUpcomingFeature\("(\w+)"\)', TEMPLATE) for option in ("-enable-upcoming-feature", name)]
VARIANTS = {"": "strict", "Template": "strict + template"}


@dataclass
class Block:
    kind: str
    name: str
    line: int
    text: str
    is_apple: bool


@dataclass
class Page:
    path: Path
    givens: list = field(default_factory=list)
    apple_givens: list = field(default_factory=list)
    blocks: list = field(default_factory=list)

    @property
    def source(self):
        return self.path.relative_to(ROOT)

    @property
    def identifier(self):
        return re.sub(r"\W", "_", str(self.source.with_suffix("")))

    @staticmethod
    def read(path):
        text = path.read_text()
        page = Page(path)
        for apple, given in GIVEN.findall(text):
            (page.apple_givens if apple else page.givens).append(given.strip())
        end = 0
        for fence in FENCE.finditer(text):
            before, end = text[end:fence.start()], fence.end()
            if fence[1] != "swift":
                continue
            mark = MARK.search(before)
            kind = mark[1].split(":")[0] if mark else "code"
            line = text.count("\n", 0, fence.start()) + 2
            information = fence[2].split()
            if information not in ([], ["apple"]):
                sys.exit(f"{page.source}:{line - 1}: after ```swift there can be nothing but `apple`")
            # Declarations at a file's top level are recognized by themselves.
            if information and kind == "code" and re.search(r"^(import|extension) ", fence[3], re.MULTILINE):
                kind = "file"
            page.blocks.append(Block(kind, mark[2] or "" if mark else "", line, fence[3], information == ["apple"]))
        # An indented block, or one with another fence, would not be found.
        if len(page.blocks) != len(re.findall(r"^\s*(?:```|~~~)\s*swift", text, re.MULTILINE | re.IGNORECASE)):
            sys.exit(f"{page.source}: a Swift block does not begin and end with ``` at the beginning of a line")
        return page

    def of_kind(self, kind, is_apple=False):
        return [block for block in self.blocks if block.kind == kind and block.is_apple == is_apple]

    def located(self, block):
        return f'#sourceLocation(file: "{self.source}", line: {block.line})\n{block.text}#sourceLocation()\n'

    def swift(self, is_apple=False):
        """Returns the page as a file, or None if there is nothing in it to compile."""
        files, code = self.of_kind("file", is_apple), self.of_kind("code", is_apple)
        if not files and not code:
            return None
        givens = self.givens + self.apple_givens if is_apple else self.givens
        imports = ["Foundation", "OstiaryClient"]
        imports += ["OstiaryUI", "SwiftUI"] if is_apple else []
        # Modules that are not among Apple's are for the page's other blocks.
        imports += [
            name for name in (given.split()[1] for given in givens if given.startswith("import "))
            if not is_apple or name not in ("OstiaryNIO", "OstiaryMetrics")]
        values = dict.fromkeys(given[4:] for given in givens if given.startswith("let "))
        attributes = dict.fromkeys(given for given in givens if given.startswith("@MainActor"))
        others = [given for given in givens if not given.startswith(("import ", "let ", "@MainActor"))]
        lines = [f"import {name}" for name in dict.fromkeys(imports)]
        lines += ["#if canImport(FoundationNetworking)", "import FoundationNetworking", "#endif"]
        lines += [self.located(block) for block in files]
        if code:
            # Types of one page are invisible to the others.
            lines += [f"enum {self.identifier} {{"] + others
            lines += [*attributes, f"static func page({', '.join(values)}) async throws {{"]
            for block in code:
                lines += ["do {", self.located(block)] + [f"_ = {name}" for name in names(block.text)]
            lines += ["}"] * len(code) + ["}", "}"]
        else:
            lines += others
        return "\n".join(lines) + "\n"


def names(code):
    """Returns the names that a block declares at its outermost level: each is used once, so that no example has to."""
    found = []
    for several, one in NAMES.findall(code):
        found += [name.strip() for name in several.split(",")] if several else [one]
    return [name for name in dict.fromkeys(found) if name != "_"]


def check_tests_named(pages):
    """Checks that in a table whose last column is `test`, every code voice there is the name of a test."""
    known = set()
    for path in [path for folder in ("Tests", "Server/Tests", "Apple/Tests") for path in ROOT.glob(f"{folder}/**/*.swift")]:
        if ".build" not in path.parts:
            known.update(re.findall(r"func\s+`([^`]*)`", path.read_text()))
    count, missing = 0, []
    for page in pages:
        inside = False
        for line in page.path.read_text().splitlines():
            if line.endswith("| test |"):
                inside = True
            elif not line.startswith("|"):
                inside = False
            elif inside:
                for name in re.findall(r"`([^`]*)`", line[:-1].rpartition("|")[2]):
                    count += 1
                    if name not in known:
                        missing.append(f"{page.source}: there is no test `{name}`")
    if missing:
        sys.exit("\n".join(missing))
    print(f"{count} tests that the pages name exist")


def write(path, text):
    """Writes a changed file, and otherwise keeps its modification time, so that it is not built again."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def generate_apple(pages):
    """Writes the blocks for Apple's platforms, a folder for each module. Returns the folders."""
    folders = []
    shutil.rmtree(APPLE_SCRATCH, ignore_errors=True)
    for page in pages:
        if (text := page.swift(is_apple=True)) is not None:
            write(APPLE_SCRATCH / "Pages" / f"{page.identifier}.swift", text)
        for block in page.of_kind("program", is_apple=True):
            write(APPLE_SCRATCH / block.name / "App.swift", page.located(block))
            folders.append(APPLE_SCRATCH / block.name)
    if (APPLE_SCRATCH / "Pages").exists():
        folders.append(APPLE_SCRATCH / "Pages")
    return folders


def compile_apple(folders, needs_build):
    """Compiles them with Apple's modules, as iOS and as macOS. Returns the number of the two for which there were modules."""
    count = 0
    for scratch, environment in APPLE_BUILDS.items() if folders else ():
        if needs_build:
            build_apple(scratch, environment)
        modules = ROOT / "Apple" / scratch / "debug/Modules"
        if not modules.exists():
            continue
        count += 1
        for folder, options in ((folder, options) for folder in folders for options in ([], TEMPLATE_OPTIONS)):
            with tempfile.TemporaryDirectory() as output_folder:
                code, output = run([
                    "swiftc", "-swift-version", "6", "-warnings-as-errors", "-wmo", "-parse-as-library", *options, "-module-name",
                    folder.name, "-c", "-o", Path(output_folder) / "out.o", "-I", modules,
                    *c_modules(modules.parent), *folder.glob("*.swift")])
                if code != 0:
                    sys.exit(f"{output}\nan example for Apple's platforms does not compile ({scratch})")
    return count


def generate(pages):
    """Writes the pages and programs, once for each variant of settings. Returns the programs' names."""
    shutil.rmtree(SCRATCH, ignore_errors=True)
    programs = []
    for page in pages:
        text = page.swift()
        for variant in VARIANTS:
            if text is not None:
                write(SCRATCH / f"Pages{variant}" / f"{page.identifier}.swift", text)
            for block in page.of_kind("program"):
                write(SCRATCH / f"{block.name}{variant}" / "main.swift", page.located(block))
        programs += [block.name for block in page.of_kind("program")]
    return programs


def build(programs):
    """Builds a package of the examples that adds this one by its URL."""
    url, version = publish()
    targets = [f'        .{kind}(name: "{name}{variant}", dependencies: ostiary, path: "Documentation/{name}{variant}", '
               f"swiftSettings: {settings}),"
               for variant, settings in VARIANTS.items()
               for name, kind in [("Pages", "target"), *((name, "executableTarget") for name in programs)]]
    products = ", ".join(f'.product(name: "{name}", package: "ostiary")' for name in MODULES)
    write(FOLDER / "Package.swift", MANIFEST % {
        "products": products, "targets": "\n".join(targets), "dependency": dependency(url, version), "template": TEMPLATE})
    done = swift("native", "build")
    if done.returncode != 0:
        told = [line for line in done.stdout.splitlines() if re.search(r"\b(error|warning):|^\d+\.\s", line)]
        print("\n".join(dict.fromkeys(told)) or done.stdout)
        sys.exit("an example does not compile")


def compile_with(built, programs):
    """Compiles the output of `generate` with the modules of an existing build."""
    units = [(name + variant, [*(SCRATCH / f"{name}{variant}").glob("*.swift")], options + more)
             for variant, more in (("", []), ("Template", TEMPLATE_OPTIONS))
             for name, options in [("Pages", ["-parse-as-library"]), *((name, []) for name in programs)]]
    with tempfile.TemporaryDirectory() as scratch:
        for name, files, options in units:
            code, output = run([
                "swiftc", "-swift-version", "6", "-warnings-as-errors", "-wmo", "-module-name", name, *options, "-c", "-o",
                Path(scratch) / "out.o", "-I", built / "Modules", *c_modules(built), *files])
            if code != 0:
                sys.exit(f"{output}\nan example does not compile ({name})")


def read_manifests(pages):
    count = 0
    for page in pages:
        for block in page.of_kind("manifest"):
            with tempfile.TemporaryDirectory() as folder:
                (Path(folder) / "Package.swift").write_text(block.text)
                code, output = run(["swift", "package", "dump-package", "--package-path", folder])
                if code != 0:
                    sys.exit(f"{page.source}:{block.line}: SwiftPM does not read this Package.swift\n{output}")
            count += 1
    return count


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--built", type=Path, help="take the modules of a build that is there")
    arguments = parser.parse_args()
    paths = [ROOT / "README.md"] + sorted(ROOT.glob("Sources/*/*.docc/**/*.md"))
    pages = [Page.read(path) for path in paths]
    check_tests_named(pages)
    count = sum(len(page.blocks) for page in pages)
    for_apple = sum(block.is_apple for page in pages for block in page.blocks)
    programs = generate(pages)
    if arguments.built:
        compile_with(arguments.built.resolve(), programs)
    else:
        build(programs)
    platforms = compile_apple(generate_apple(pages), needs_build=not arguments.built)
    manifests = read_manifests(pages)
    print(f"{count} examples on {len(pages)} pages: {count - manifests - for_apple} compile, SwiftPM reads {manifests}, "
          f"{for_apple} are for Apple's platforms and compile against stand-ins for {platforms} of them")


if __name__ == "__main__":
    main()
