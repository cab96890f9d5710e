#!/usr/bin/env python3
"""Builds apps that add this package by its URL and a version, as external users do.

  check-consumers.py [--only native|swiftbuild] [--each] [--keep-going]

The package's working tree becomes a git repository with one tag in `.build-consumers`. Consumers beside it add it by `file://`
and that version; their sources are in Examples/Consumer and Examples/CommandLine. Each source is built in Swift 6 and Swift 5
mode, with a new Xcode project's settings (`TEMPLATE`) and without, as a new app does it: without traits by `swiftbuild`, Xcode's
build system, and with all traits by SwiftPM's native one. With --each every system builds without traits, with those for apps and
with each trait alone. None of this project's own settings apply: warnings do not fail a consumer's build.

Also counts the packages that an app resolves because of the SDK. None of them is a web server's, except with the trait `Hummingbird`.
"""

import argparse
import json
import shutil
import sys

from built_modules import MODULES, ROOT
from consumer_package import FOLDER, PLACE, TEMPLATE, TRAITS, dependency, publish, swift

SOURCES = ROOT / "Examples/Consumer"
# One program each: its sources, the product it uses, and the trait without which that product is empty.
PROGRAMS = {"App": (SOURCES / "App", "OstiaryClient", None), "Screens": (SOURCES / "Screens", "OstiaryUI", None),
            "Administration": (SOURCES / "Administration", "OstiaryAdmin", None),
            "Greeter": (ROOT / "Examples/CommandLine/Sources/Greeter", "OstiaryClient", None),
            "Pinned": (SOURCES / "Pinned", "OstiaryNIO", "NIO"), "Counted": (SOURCES / "Counted", "OstiaryMetrics", "Metrics")}
VARIANTS = {"Swift6": (".v6", ""), "Swift5": (".v5", ""), "Template6": (".v6", TEMPLATE), "Template5": (".v5", TEMPLATE)}
APP_TRAITS = ["NIO", "Metrics"]
USUAL = {"swiftbuild": [[]], "native": [TRAITS]}
EACH = [[], APP_TRAITS, ["Metrics"], ["NIO"], ["Hummingbird"]]
# The maximum number of packages that an app resolves.
MOST_PACKAGES = 2
# The packages that an app resolves with the trait `Hummingbird` alone.
PACKAGES_OF_SERVICES = {"hummingbird", "async-http-client", "swift-http-types", "swift-log", "swift-service-lifecycle"}


def manifest(name, url, version, traits, targets):
    return f"""\
// swift-tools-version: 6.2
import PackageDescription

let template: [SwiftSetting] = [
    {TEMPLATE},
]

let package = Package(
    name: "{name}", platforms: [.macOS(.v15), .iOS(.v18)],
    dependencies: [{dependency(url, version, traits)}],
    targets: [
{targets}
    ])
"""


def target(name, kind, products, language, settings):
    dependencies = ", ".join(f'.product(name: "{product}", package: "ostiary")' for product in products)
    added = " + template" if settings else ""
    return (f'        .{kind}(name: "{name}", dependencies: [{dependencies}], path: "{name}", '
            f"swiftSettings: [.swiftLanguageMode({language})]{added}),")


def copy(sources, name):
    shutil.rmtree(FOLDER / name, ignore_errors=True)
    shutil.copytree(sources, FOLDER / name)


def consumer(traits, url, version):
    """Writes the consumer with some of the traits. Returns its programs."""
    targets, programs = [], []
    for name, (sources, product, trait) in PROGRAMS.items():
        if trait is not None and trait not in traits:
            continue
        for variant, (language, settings) in VARIANTS.items():
            programs.append(name + variant)
            copy(sources, programs[-1])
            targets.append(target(programs[-1], "executableTarget", [product], language, settings))
    # Every product, whether or not a program uses it.
    (FOLDER / "Everything").mkdir(parents=True, exist_ok=True)
    imports = "\n".join(f"import {product}" for product in MODULES)
    (FOLDER / "Everything/main.swift").write_text(f'{imports}\n\nprint("{" ".join(MODULES)}")\n')
    targets.append(target("Everything", "executableTarget", MODULES, ".v6", ""))
    for variant, (language, settings) in VARIANTS.items():
        copy(SOURCES / "Tests", f"Tests{variant}")
        targets.append(target(f"Tests{variant}", "testTarget", ["OstiaryClient", "OstiaryTesting"], language, settings))
    (FOLDER / "Package.swift").write_text(manifest("consumer", url, version, traits, "\n".join(targets)))
    return [*programs, "Everything"]


def products_of(system):
    found = PLACE / f"build-{system}"
    return found / ("out/Products/Debug-linux" if system == "swiftbuild" else "debug")


def build(programs, system):
    """Builds a consumer. Returns True if every program was built, and the output of the build."""
    place = products_of(system)
    for program in programs:
        (place / program).unlink(missing_ok=True)
    done = swift(system, "build", *(["--build-tests"] if system == "native" else []))
    # `swiftbuild` may crash after it has succeeded, so the built programs decide.
    missing = [program for program in programs if not (place / program).exists()]
    succeeded = not missing and (done.returncode == 0 or done.returncode < 0 and "error:" not in done.stdout)
    return succeeded, done.stdout + "".join(f"not built: {program}\n" for program in missing)


def packages():
    """The packages besides ostiary that the consumer resolves, with the traits that it was written with."""
    told = swift("native", "package", "show-dependencies", "--format", "json").stdout
    found = set()

    def look(package):
        for dependency in package["dependencies"]:
            found.add(dependency["identity"])
            look(dependency)

    look(json.loads(told[told.index("{"):]))
    return found - {"ostiary"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=["native", "swiftbuild"])
    parser.add_argument("--each", action="store_true", help="build every combination of traits by both systems")
    parser.add_argument("--keep-going", action="store_true", help="build the others after one has failed")
    arguments = parser.parse_args()
    url, version = publish()
    systems, failed = [arguments.only] if arguments.only else ["swiftbuild", "native"], 0
    for system in systems:
        for traits in EACH if arguments.each else USUAL[system]:
            programs = consumer(traits, url, version)
            succeeded, said = build(programs, system)
            named = " and ".join(traits) or "no trait"
            print(f"{'built' if succeeded else 'FAILED'}: {len(programs)} programs with {named}, by {system}", flush=True)
            if not succeeded:
                lines = [line for line in said.splitlines() if "error:" in line or line.startswith("not built")]
                print("\n".join(dict.fromkeys(lines)) or said)
                failed += 1
                if not arguments.keep_going:
                    sys.exit(1)
        if system == "native":
            tested = swift(system, "test", "--disable-xctest", "--skip-build")
            print(f"tests of an app: {'passed' if tested.returncode == 0 else tested.stdout}")
            failed += tested.returncode != 0
    for traits in APP_TRAITS, *([trait] for trait in APP_TRAITS):
        consumer(traits, url, version)
        if needless := PACKAGES_OF_SERVICES & packages():
            print(f"with {' and '.join(traits)} an app resolves {', '.join(sorted(needless))}, which are for services")
            failed += 1
    consumer([], url, version)
    found = packages()
    print(f"the SDK makes an app resolve {len(found)} outside packages (at most {MOST_PACKAGES}): {', '.join(sorted(found))}")
    if failed or len(found) > MOST_PACKAGES:
        sys.exit(1)


if __name__ == "__main__":
    main()
