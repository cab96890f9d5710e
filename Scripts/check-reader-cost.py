#!/usr/bin/env python3
"""Counts the cost of every reader of untrusted text as hostile input grows, and refuses more than linear growth.

  check-reader-cost.py --program Server/.build/debug/reader-cost [--sizes 4096 8192 16384] [--only READER …]

Instructions are counted by callgrind, not time, so that other load on the machine changes nothing. Twice the size may cost 2.3
times as much, and a fixed allowance for one-time initialization.
"""

import argparse
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

GROWTH = 2.3
SLACK = 150_000
DUMP = re.compile(r"\.(\d+)$")
TOTALS = re.compile(r"^(?:totals|summary): (\d+)", re.MULTILINE)


def measured(program):
    """Returns the mangled name of `measuredRead`: callgrind counts and dumps by the whole name, not by a pattern."""
    names = subprocess.run(["nm", program], capture_output=True, text=True, check=True).stdout
    found = re.findall(r" [tT] (\S*12measuredRead\S*F)$", names, re.MULTILINE)
    if len(found) != 1:
        sys.exit(f"{program} has {len(found)} functions named measuredRead")
    return found[0]


def counted(program, sizes, names):
    """The cases in their order, each with its instructions."""
    function = measured(program)
    with tempfile.TemporaryDirectory(prefix="ostiary-cost-") as directory:
        out = os.path.join(directory, "out")
        # Valgrind aborts on debug information of a newer format; the symbol names are sufficient.
        plain = os.path.join(directory, "program")
        subprocess.run(["strip", "--strip-debug", "-o", plain, program], check=True)
        run = subprocess.run(
            ["valgrind", "--quiet", "--tool=callgrind", f"--toggle-collect={function}",
             f"--dump-after={function}", f"--callgrind-out-file={out}", plain, *map(str, sizes), *names],
            capture_output=True, text=True)
        if run.returncode != 0:
            sys.exit(f"{program} ended with {run.returncode}: {run.stderr[-2000:]}")
        cases = [line.split("\t") for line in run.stdout.splitlines()]
        counts = {}
        for path in glob.glob(out + "*"):
            number = DUMP.search(path)
            if not number:
                continue
            with open(path, errors="replace") as file:
                totals = TOTALS.search(file.read())
            counts[int(number[1])] = int(totals[1]) if totals else 0
        if len(counts) < len(cases) or not cases:
            sys.exit(f"{len(cases)} reads but {len(counts)} counts: is it a debug build, with symbols?")
        return [(reader, kind, int(size), counts[index])
                for index, (reader, kind, size) in enumerate(cases, start=1)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--sizes", type=int, nargs="+", default=[8192, 16384, 32768, 65536])
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--verbose", action="store_true", help="print every count")
    options = parser.parse_args()
    if shutil.which("valgrind") is None:
        sys.exit("valgrind is needed: apt-get install valgrind")
    costs = {}
    for reader, kind, size, count in counted(options.program, sorted(options.sizes), options.only):
        costs.setdefault((reader, kind), []).append((size, count))
    failures = 0
    for (reader, kind), steps in costs.items():
        if options.verbose:
            print(f"{reader}, {kind}: " + ", ".join(f"{count:,} at {size}" for size, count in steps))
        for (size, count), (larger, more) in zip(steps, steps[1:]):
            allowed = count * (1 + (GROWTH - 1) * (larger / size - 1)) + SLACK
            if more > allowed:
                failures += 1
                print(f"FAIL {reader}, {kind}: {count:,} instructions for {size} bytes, {more:,} for {larger}")
    print(f"{len(costs)} readers and inputs, {failures} of them grow faster than their input")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
