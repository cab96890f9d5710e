#!/usr/bin/env python3
"""Counts the instructions of a request by callgrind, and compares them with those of the committed baseline.

  instructions.py --program PROGRAM --baseline FILE [--update]

The program serves as always, with SQLite and its access log. Instructions do not depend on what else the machine does, but on compiler,
libraries and the instruction sets of the processor: a baseline is for one build configuration and says with which compiler it was made.
Hashing of passwords is left out, because the program chooses its method by measuring. Fails if an operation costs over 5 % more, or
10 % for a registration and a sign-in, of which few are counted and which vary by 4 % from run to run.
"""

import argparse
import contextlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from callgrind import Callgrind
from measured_server import APPS, MeasuredServer

ROUNDS = 3
# How long each of `ROUNDS` samples of an idle server takes.
IDLE_SECONDS = 2
# The requests of a round, and the ratio to the baseline that fails. A hash takes seconds under callgrind.
OPERATIONS = {"current_user": (20, 1.05), "verify": (20, 1.05), "refresh": (10, 1.05), "register": (1, 1.1), "sign_in": (1, 1.1)}


class CountedServer(MeasuredServer):
    """The program under callgrind."""

    def __init__(self, program, directory):
        self.callgrind = Callgrind(program, directory)
        super().__init__(self.callgrind.wrapper, directory, within=120)
        self.callgrind.pid = self.server.process.pid

    def idle_rate(self):
        """Returns the least instructions a second of the timers, which run whatever is asked."""
        return min(self.callgrind.instructions(lambda: time.sleep(IDLE_SECONDS), 1) for _ in range(ROUNDS)) / IDLE_SECONDS

    def register(self, name):
        self.apps[name].register()
        # The kept connection is unused meanwhile: on a slow machine for longer than the server keeps it.
        self.connection.close()


def measured(program, baseline):
    """Returns the least instructions of each operation of each app, without those of timers: the batches of the log only add to them.

    A hash takes seconds where the machine does other work beside, and the timers run meanwhile.

    An operation above its `baseline` is measured once more, with three times the rounds.
    """
    figures = {}
    with contextlib.ExitStack() as stack:
        server = CountedServer(program, stack.enter_context(tempfile.TemporaryDirectory(prefix="ostiary-instructions-")))
        stack.callback(server.server.stop, 60)
        server.callgrind.control("--instr=on")
        idle_rate = server.idle_rate()
        for operation, (count, most) in OPERATIONS.items():
            for name in APPS:
                def call():
                    getattr(server, operation)(name)

                def sample():
                    began = time.monotonic()
                    instructions = server.callgrind.instructions(call, count)
                    return instructions - idle_rate * (time.monotonic() - began) / count

                def least(rounds):
                    return round(min(sample() for _ in range(rounds)))
                call()
                what = f"{operation} of {name}"
                figures[what] = least(ROUNDS)
                if figures[what] > baseline.get(what, 0) * most > 0:
                    figures[what] = min(figures[what], least(3 * ROUNDS))
    return figures


def compiler():
    text = subprocess.run(["swiftc", "--version"], capture_output=True, text=True, check=True).stdout
    return re.search(r"Swift version (\S+)", text)[1]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=Path, required=True)
    parser.add_argument("--baseline", type=Path, required=True)
    parser.add_argument("--update", action="store_true", help="write the baseline instead")
    options = parser.parse_args()
    if shutil.which("callgrind_control") is None:
        sys.exit("valgrind is needed: apt-get install valgrind")
    if options.update:
        figures = measured(options.program, {})
        options.baseline.write_text(json.dumps({"swift": compiler(), "instructions": figures}, indent=2) + "\n")
        return 0
    baseline = json.loads(options.baseline.read_text())
    if baseline["swift"] != compiler():
        print(f"not compared: the baseline is of Swift {baseline['swift']}, this is {compiler()}")
        return 0
    figures = measured(options.program, baseline["instructions"])
    failures = 0
    print(f"{'operation':28} {'instructions':>14} {'baseline':>14} {'ratio':>8}")
    for name, count in figures.items():
        before = baseline["instructions"].get(name)
        failed = before is None or count > before * OPERATIONS[name.split()[0]][1]
        failures += failed
        ratio = f"{count / before:8.1%}" if before else "     new"
        print(f"{name:28} {count:14,} {before or 0:14,} {ratio}{'  FAIL' if failed else ''}")
    print(f"{len(figures)} operations, {failures} of them too much over the baseline")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
