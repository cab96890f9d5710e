#!/usr/bin/env python3
"""Runs docc on the documentation: a link to a missing symbol or page is an error.

  check-symbols.py BUILT [--archive DIR] [--graphs DIR]

BUILT is where this package has been built with all traits, for example `.build-consumers/build-native/debug`. The modules that have
parts for Apple's platforms are read from where `Apple/` has been built, in `Apple/.build`, so that those parts are known.
"""

import argparse
import json
import re
import shutil
import sys
import tempfile
from pathlib import Path

from built_modules import MODULES, ROOT, c_modules, run

APPLE = ROOT / "Apple/.build/debug"
WITH_APPLE = ["OstiaryClient", "OstiaryUI", "OstiaryTesting"]


def toolchain():
    """The folder of the compiler's programs."""
    code, output = run(["swiftc", "-print-target-info"])
    if code != 0:
        sys.exit(output)
    information = json.loads(output)
    resources = Path(information["paths"]["runtimeResourcePath"])
    return resources.parent.parent / "bin", information["target"]["unversionedTriple"]


def with_module(text, module):
    """Returns a page with its links to symbols in the form that several modules in one documentation need."""
    return re.sub(
        r"``([A-Z]\w*)", lambda link: link[0] if link[1] in MODULES else f"``{module}/{link[1]}", text)


def convert(built, archive, hosting_base_path="", kept=None):
    """Runs docc on the pages and the comments of all modules, as one documentation.

    An archive is a static site below `hosting_base_path` of its host.
    """
    if not (APPLE / "Modules").exists():
        sys.exit("build Apple/ first: make test-apple")
    folder, triple = toolchain()
    docc, extract = folder / "docc", folder / "swift-symbolgraph-extract"
    missing = [tool.name for tool in (docc, extract) if not tool.exists()]
    if missing:
        print(f"skipped: links of the documentation, because this toolchain has no {' and no '.join(missing)}")
        return
    with tempfile.TemporaryDirectory() as scratch:
        graphs, catalog = Path(scratch) / "graphs", Path(scratch) / "Ostiary.docc"
        graphs.mkdir()
        catalog.mkdir()
        for module in MODULES:
            build = APPLE if module in WITH_APPLE else built
            code, output = run([
                extract, "-module-name", module, "-target", triple, "-I", build / "Modules", "-minimum-access-level", "public",
                "-skip-synthesized-members", "-output-dir", graphs, *c_modules(build)])
            if code != 0:
                sys.exit(f"{module}: its symbols cannot be read\n{output}")
        if kept:
            shutil.copytree(graphs, kept, dirs_exist_ok=True)
        # One catalog, so that pages of one module can link to symbols of another.
        for path in sorted(ROOT.glob("Sources/*/*.docc/**/*")):
            if path.is_file():
                if (catalog / path.name).exists():
                    sys.exit(f"two pages are called {path.name}")
                if path.suffix == ".md":
                    (catalog / path.name).write_text(with_module(path.read_text(), path.relative_to(ROOT).parts[1]))
                else:
                    shutil.copy(path, catalog)
        code, output = run([
            docc, "convert", catalog, "--additional-symbol-graph-dir", graphs, "--output-dir", archive or Path(scratch) / "archive",
            "--fallback-bundle-identifier", "ostiary", "--disable-parameters-and-returns-validation",
            "--transform-for-static-hosting", *(["--hosting-base-path", hosting_base_path] if hosting_base_path else []),
            "--warnings-as-errors"])
        if code != 0:
            print(output.replace(f"{catalog}/", ""))
            sys.exit("docc does not accept the documentation")
    print("docc accepts the documentation")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("built", type=Path)
    parser.add_argument("--archive", type=Path, help="where to write the documentation, for reading it in a browser")
    parser.add_argument("--graphs", type=Path, help="where to keep the symbol graphs, for check-names.py")
    arguments = parser.parse_args()
    convert(arguments.built.resolve(), arguments.archive, kept=arguments.graphs)


if __name__ == "__main__":
    main()
