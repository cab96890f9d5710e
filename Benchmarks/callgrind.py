"""Counts the instructions of a server under callgrind, without the hashes of passwords."""

import re
import shutil
import subprocess
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
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


class Callgrind:
    """A program that `wrapper` starts under callgrind; `pid` is set once it runs."""

    def __init__(self, program, directory, *options):
        self.directory = Path(directory)
        # Valgrind aborts on debug information of a newer format; the symbol names are sufficient.
        plain, wait, self.wrapper = (self.directory / name for name in ("program", "wait.so", "under-callgrind"))
        subprocess.run(["strip", "--strip-debug", "-o", plain, program], check=True)
        subprocess.run([shutil.which("cc") or "clang", "-shared", "-fPIC", "-O1", "-o", wait, HERE / "wait_at_exit.c"], check=True)
        self.wrapper.write_text(
            f'#!/bin/sh\nLD_PRELOAD={wait} exec valgrind --quiet --tool=callgrind '
            f'{" ".join(options or ("--instr-atstart=no",))} --callgrind-out-file={self.directory}/out {plain} "$@"\n')
        self.wrapper.chmod(0o755)
        self.pid = None
        self.dumps = 0

    def control(self, *options):
        done = subprocess.run(["callgrind_control", *options, str(self.pid)], capture_output=True, text=True, timeout=60)
        if "OK" not in done.stdout:
            raise RuntimeError(f"callgrind_control {options}: {done.stdout[-300:]} {done.stderr[-300:]}")

    def instructions(self, call, count, keep=None, awaits_idle=False):
        """Returns the instructions of one of `count` calls, with what they left to do if `awaits_idle`. Moves the file to `keep`."""
        self.control("--zero")
        for _ in range(count):
            call()
        if awaits_idle:
            self.await_idle()
        path = self.dump()
        total = counted(path)
        if keep:
            shutil.move(path, keep)
        else:
            path.unlink()
        return total / count

    def dump(self):
        """Returns the file of what ran since the start, or since the counts were set to zero."""
        self.control("--dump")
        self.dumps += 1
        return self.directory / f"out.{self.dumps}"

    def await_idle(self, within=10):
        """Waits until the threads of the program do not run any more."""
        end, last = time.monotonic() + within, None
        while (now := self.ran()) != last and time.monotonic() < end:
            last = now
            time.sleep(0.1)

    def ran(self):
        """Returns the clock ticks that the process ran."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return int(fields[11]) + int(fields[12])
