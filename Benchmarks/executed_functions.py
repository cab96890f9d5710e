#!/usr/bin/env python3
"""Writes the symbols of the functions that a server executes as it starts and serves: executed_functions.py PROGRAM OUTPUT

A linker that places them beside each other makes a program of which far fewer pages are read. The program runs under callgrind. It starts
with a new data directory, answers every kind of request of the soak for an app with access tokens of either kind, and starts again.
"""

import argparse
import email.utils
import re
import sys
import tempfile
from pathlib import Path

from callgrind import Callgrind
from measured_server import APPS
from mixed_load import MIX, Visitor
from server import Server, app, development  # measured_server.py adds the folder of this.

# As in `fn=(12) name` and, inside of a recursion, `fn=(12) name'2`.
FUNCTION = re.compile(r"^c?fn=\(\d+\) ([^\n']+)", re.MULTILINE)
# Under callgrind a start takes seconds, and a hash too.
PATIENCE = 300


def executed(program):
    with tempfile.TemporaryDirectory(prefix="ostiary-executed-") as directory:
        return run(program, directory, answers=True) | run(program, directory, answers=False)


def run(program, directory, answers):
    """Returns the functions of one start, and of a request of each kind if it `answers`."""
    callgrind = Callgrind(program, directory, "--demangle=no")
    server = Server(callgrind.wrapper, directory, development(**{name: app(name) for name in APPS}))
    server.start(PATIENCE)
    try:
        callgrind.pid = server.process.pid
        # Formatted by ICU, of which the program has a part: raises for a text that is no date.
        email.utils.parsedate_to_datetime(server.wire.get("/healthz").header("date"))
        for name in APPS if answers else []:
            visitor = Visitor(server, name, seed=0, persons=1)
            for kind in MIX:
                visitor.request(kind)
        return set(FUNCTION.findall(callgrind.dump().read_text(errors="replace")))
    finally:
        server.kill()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path)
    parser.add_argument("output", type=Path)
    options = parser.parse_args()
    # In the order of their names, so that the same functions give the same program.
    functions = sorted(executed(options.program))
    options.output.write_text("".join(f"{function}\n" for function in functions))
    print(f"{len(functions)} functions")


if __name__ == "__main__":
    sys.exit(main())
