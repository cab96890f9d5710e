#!/usr/bin/env python3
"""Measures whether a server grows under mixed load: soak.py PROGRAM [--seconds N] [--warm-up N] [--rate N]

`Benchmarks/mixed_load.py` signs in, refreshes, asks, registers and is refused at a rate that leaves the cores time. Every five
seconds the resident memory is read, and the slope of its line after the warm-up, by default a third of the time and at most ten
minutes, is shown with its standard error, and in halves: what fills up flattens. An hour is the measurement of the aim; a shorter
run has a larger error. Open files and the database are beside it. Fails if an answer has another status than expected.
"""

import argparse
import itertools
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

from measured_server import APPS
from mixed_load import MixedLoad
from resident import descriptors, resident
from results import write
from server import Server, app, development

THREADS, EVERY = 4, 5
MB = 1e6
AIM = 1.0


def slope(samples, value):
    """Returns the megabytes an hour of a line through the samples, and their standard error."""
    times = [sample["seconds"] / 3600 for sample in samples]
    values = [value(sample) / MB for sample in samples]
    steepness, begin = statistics.linear_regression(times, values)
    middle = statistics.fmean(times)
    remaining = sum((here - begin - steepness * at) ** 2 for at, here in zip(times, values))
    return steepness, (remaining / (len(times) - 2) / sum((at - middle) ** 2 for at in times)) ** 0.5


def sample(server, began):
    files = itertools.chain(server.data.rglob("*.db"), server.data.rglob("*.db-wal"))
    return {"seconds": time.monotonic() - began, "memory": resident(server.process.pid),
            "descriptors": descriptors(server.process.pid), "database": sum(file.stat().st_size for file in files)}


def soak(program, seconds, rate):
    samples = []
    with tempfile.TemporaryDirectory(prefix="ostiary-soak-") as directory:
        server = Server(program, directory, development(**{name: app(name) for name in APPS}))
        server.start()
        try:
            with MixedLoad(server, APPS, THREADS, rate) as load:
                began = time.monotonic()
                while (elapsed := time.monotonic() - began) < seconds and not load.problem:
                    samples.append(sample(server, began))
                    time.sleep(min(EVERY, seconds - elapsed))
                samples.append(sample(server, began))
            if load.problem:
                raise load.problem
        finally:
            server.stop()
    return samples, load.counts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path)
    parser.add_argument("--seconds", type=float, default=float(os.environ.get("SOAK_SECONDS", 3600)))
    parser.add_argument("--warm-up", type=float, metavar="SECONDS", help="how much of them is not measured")
    parser.add_argument("--rate", type=float, default=60, help="requests a second")
    options = parser.parse_args()
    samples, counts = soak(options.program, options.seconds, options.rate)
    warm_up = min(options.seconds / 3, 600) if options.warm_up is None else options.warm_up
    steady = [one for one in samples if one["seconds"] >= warm_up]
    print(f"{sum(counts.values()):,} requests in {options.seconds:,.0f} s: "
          + ", ".join(f"{count:,} {kind} {status}" for (kind, status), count in sorted(counts.items())))
    parts = {"after the warm-up": steady, "first half of it": steady[: len(steady) // 2], "second half": steady[len(steady) // 2:]}
    slopes = {}
    for what, value in (("resident memory", lambda one: one["memory"]["all"]),
                        ("heap and stacks", lambda one: one["memory"]["heap and stacks"])):
        for part, those in parts.items():
            slopes[f"{what}, {part}"] = found = slope(those, value)
            print(f"{what}, {part}: {found[0]:+.2f} ± {found[1]:.2f} MB an hour")
    for name, one in (("after the warm-up", steady[0]), ("at the end", steady[-1])):
        print(f"{name}: {one['memory']['all'] / MB:.1f} MB resident, {one['descriptors']} open files, "
              f"{one['database'] / MB:.1f} MB of database")
    grown = slopes["resident memory, after the warm-up"][0]
    print(f"aim: less than {AIM} MB an hour: {'reached' if grown < AIM else 'not reached'}")
    write("soak", {"seconds": options.seconds, "warm-up": warm_up, "rate": options.rate, "slopes": slopes, "samples": samples,
                   "counts": {f"{kind} {status}": count for (kind, status), count in counts.items()}})


if __name__ == "__main__":
    sys.exit(main())
