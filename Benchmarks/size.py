#!/usr/bin/env python3
"""Shows the size of a release build: size.py PROGRAM. With `--build`, measures `make run`'s build instead: size.py --build.

The program is stripped, as `make release` does; the largest sections and what the parts of the build contribute to them are beside
it. A build is made from a clone of this commit, without caches but with the downloaded packages, and its CPU time counts: of one that has
the machine to itself.
"""

import argparse
import collections
import os
import re
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from results import show, write

ROOT = Path(__file__).resolve().parent.parent
MB = 1e6
AIM = 60 * MB
# Symbols of Swift name their module: "$s" and the length of its name, as in $s13OstiaryEngine.
SWIFT_MODULE = re.compile(r"^\$[sS](\d+)")


def run(*words):
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


def sections(program):
    """Returns the bytes of the largest sections."""
    lines = (line.split() for line in run("size", "-A", program).splitlines())
    found = {line[0]: int(line[1]) for line in lines if len(line) == 3 and line[1].isdigit() and line[0] != ".bss"}
    return dict(sorted(found.items(), key=lambda each: -each[1])[:6])


def owner(symbol):
    if symbol.startswith(("icudt", "uprv", "ucnv", "_foundation_unicode")) or "icu_" in symbol:
        return "ICU"
    if found := SWIFT_MODULE.match(symbol):
        begin = found.end()
        return symbol[begin:begin + int(found[1])]
    if symbol.startswith(("CNIOBoringSSL", "CCryptoBoringSSL")):
        return symbol.split("_")[0]
    return "other C and C++, and the standard library"


def modules(program):
    """Returns the bytes of the symbols by module, of a program that is not stripped."""
    sizes = collections.Counter()
    for line in run("nm", "--size-sort", program).splitlines():
        size, _, symbol = line.split(maxsplit=2)
        sizes[owner(symbol)] += int(size, 16)
    return dict(sizes.most_common(12))


def size(program):
    with tempfile.TemporaryDirectory(prefix="ostiary-size-") as directory:
        stripped = Path(directory) / "ostiary"
        run("strip", "--strip-unneeded", "-o", stripped, program)
        total, parts = stripped.stat().st_size, sections(stripped)
    by_module = modules(program)
    show([["release program, stripped", "MB"], ["all", f"{total / MB:.1f}"]]
         + [[f"section {name}", f"{count / MB:.1f}"] for name, count in parts.items()]
         + [[f"symbols of {name}", f"{count / MB:.1f}"] for name, count in by_module.items()])
    print(f"aim: less than {AIM / MB:.0f} MB: {'reached' if total < AIM else 'not reached'}")
    write("size", {"stripped": total, "sections": parts, "modules": by_module})


def build():
    with tempfile.TemporaryDirectory(prefix="build-", dir=ROOT) as directory:
        clone = Path(directory) / "ostiary"
        run("git", "clone", "--quiet", str(ROOT), str(clone))
        server = clone / "Server"
        subprocess.run(["swift", "package", "resolve"], cwd=server, check=True)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(["swift", "build", "--product", "ostiary"], cwd=server, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"`make run` from a clone: {seconds:,.0f} s of CPU time on {os.cpu_count()} cores")
    write("build", {"cpu_seconds": seconds})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path, nargs="?")
    parser.add_argument("--build", action="store_true")
    options = parser.parse_args()
    if options.build:
        build()
    elif options.program:
        size(options.program)
    else:
        parser.error("a program, or --build")


if __name__ == "__main__":
    sys.exit(main())
