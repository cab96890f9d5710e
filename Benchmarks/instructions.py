#!/usr/bin/env python3
"""Counts the instructions of a request by callgrind, and compares them with those of the committed baseline.

  instructions.py --program PROGRAM --baseline FILE [--update]

The program serves as always, with SQLite and its access log. Instructions do not depend on what else the machine does, but on compiler,
libraries and the instruction sets of the processor: a baseline is for one build configuration and says with which compiler it was made.
Hashing of passwords is left out, because the program chooses its method by measuring. Fails if an operation costs over 5 % more.
"""

import argparse
import contextlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from measured_server import APPS, MeasuredServer

HERE = Path(__file__).resolve().parent
MOST = 1.05
ROUNDS = 3
# Requests in a round; a sign-in takes seconds under callgrind.
OPERATIONS = {"current_user": 20, "verify": 20, "refresh": 10, "register": 1, "sign_in": 1}
# The loops of CBcrypt, and libcrypt's.
HASHING = re.compile(r"^run_(one|two|three|four)$|^BF_|^_crypt")


def counted(path, skipped=HASHING):
    """Returns the instructions of a callgrind file that no function of `skipped` ran itself."""
    total, names, function, called = 0, {}, "", False

    def name(text):
        number, _, rest = text.partition(" ")
        if rest:
            names[number] = rest
        return names.get(number, text)

    for line in path.read_text(errors="replace").splitlines():
        if line.startswith("fn="):
            function = name(line[3:])
        elif line.startswith("cfn="):
            name(line[4:])
        elif line.startswith("calls="):
            called = True
        elif line[:1] in "0123456789+-*" and line:
            if not called and not skipped.search(function):
                total += int(line.rsplit(" ", 1)[1])
            called = False
    return total


class CountedServer(MeasuredServer):
    """The program under callgrind."""

    def __init__(self, program, directory):
        self.directory = Path(directory)
        # Valgrind aborts on debug information of a newer format; the symbol names are sufficient.
        plain, wait, wrapper = (self.directory / name for name in ("program", "wait.so", "under-callgrind"))
        subprocess.run(["strip", "--strip-debug", "-o", plain, program], check=True)
        subprocess.run([shutil.which("cc") or "clang", "-shared", "-fPIC", "-O1", "-o", wait, HERE / "wait_at_exit.c"], check=True)
        wrapper.write_text(
            f'#!/bin/sh\nLD_PRELOAD={wait} exec valgrind --quiet --tool=callgrind --instr-atstart=no '
            f'--callgrind-out-file={self.directory}/out {plain} "$@"\n')
        wrapper.chmod(0o755)
        super().__init__(wrapper, directory, within=120)
        self.dumps = 0

    def register(self, name):
        self.apps[name].register()

    def control(self, *options):
        done = subprocess.run(
            ["callgrind_control", *options, str(self.server.process.pid)], capture_output=True, text=True, timeout=60)
        if "OK" not in done.stdout:
            raise RuntimeError(f"callgrind_control {options}: {done.stdout[-300:]} {done.stderr[-300:]}")

    def instructions(self, call, count):
        self.control("--zero")
        for _ in range(count):
            call()
        self.control("--dump")
        self.dumps += 1
        path = self.directory / f"out.{self.dumps}"
        total = counted(path)
        path.unlink()
        return total / count


def measured(program, baseline):
    """Returns the least instructions of each operation of each app: timers and the batches of the log only add to them.

    An operation above its `baseline` is measured once more, with three times the rounds.
    """
    figures = {}
    with contextlib.ExitStack() as stack:
        server = CountedServer(program, stack.enter_context(tempfile.TemporaryDirectory(prefix="ostiary-instructions-")))
        stack.callback(server.server.stop, 60)
        server.control("--instr=on")
        for operation, count in OPERATIONS.items():
            for name in APPS:
                def call():
                    getattr(server, operation)(name)

                def least(rounds):
                    return round(min(server.instructions(call, count) for _ in range(rounds)))
                call()
                what = f"{operation} of {name}"
                figures[what] = least(ROUNDS)
                if figures[what] > baseline.get(what, 0) * MOST > 0:
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
        failed = before is None or count > before * MOST
        failures += failed
        ratio = f"{count / before:8.1%}" if before else "     new"
        print(f"{name:28} {count:14,} {before or 0:14,} {ratio}{'  FAIL' if failed else ''}")
    print(f"{len(figures)} operations, {failures} of them over {MOST - 1:.0%} more than the baseline")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
