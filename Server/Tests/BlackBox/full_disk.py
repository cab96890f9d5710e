#!/usr/bin/env python3
"""A server on SQLite whose disk takes no more: `/readyz` says so, nothing is half done, and it recovers without a restart.

  full_disk.py --program PATH

The disk is the kernel's limit of a file's size (RLIMIT_FSIZE), which the check sets and lifts while the server runs.
"""

import argparse
import json
import resource
import sys
import tempfile
import time
from pathlib import Path

from apps import App
from checks import Checks
from server import app, development, serving


def program_without_signal(program, directory):
    """Returns a program that ignores the limit's signal, so that a write fails as on a full disk."""
    path = Path(directory) / "ostiary"
    path.write_text(f"#!/bin/sh\ntrap '' XFSZ\nexec '{Path(program).resolve()}' \"$@\"\n")
    path.chmod(0o700)
    return path


def eventually(condition, within):
    deadline = time.monotonic() + within
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.2)
    return True


def fill(server):
    """Leaves the server's files no room to grow."""
    log = next(server.data.glob("*.db-wal"))
    _, hard = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (log.stat().st_size, hard))


def empty(server):
    _, hard = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (hard, hard))


def full_disk(server, checks):
    vici = App(server.wire, server.inbox, "vici")
    person = vici.register()

    def ready():
        return server.wire.get("/readyz").status

    checks.equal("it is ready at first", 200, ready())
    fill(server)
    newcomer = vici.newcomer()
    refused = vici.call("register", newcomer)
    checks.equal("a registration is refused, and may be repeated", (503, "unavailable", True), (
        refused.status, refused.json.get("code"), refused.header("retry-after") is not None or "incident" in refused.json))
    unready = server.wire.get("/readyz")
    checks.equal("readyz is 503", (503, "5"), (unready.status, unready.header("retry-after")))
    checks.equal("healthz is 200", 200, server.wire.get("/healthz").status)
    checks.that("a session is still accepted", vici.accepts(person.access))
    deadline = time.monotonic() + 12
    states = set()
    while time.monotonic() < deadline:
        states.add(ready())
        time.sleep(0.25)
    checks.equal("readyz stays 503 while the disk is full", {503}, states)
    errors = [json.loads(line) for line in server.log.read_text().splitlines() if '"not ready"' in line]
    checks.that("the log says why", errors and "SQLite" in json.dumps(errors[-1]), "SQLite's code", errors[-1:])
    empty(server)
    checks.that("readyz is 200 again without a restart", eventually(lambda: ready() == 200, within=8), 200, ready())
    checks.equal("the refused registration left nothing behind", 201, vici.call("register", newcomer).status)
    checks.equal("and everybody signs in", 200, vici.call("login", person.credentials).status)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, help="path of the program `ostiary`")
    program = parser.parse_args().program
    checks = Checks()
    with tempfile.TemporaryDirectory(prefix="ostiary-") as directory:
        with serving(program_without_signal(program, directory), development(vici=app("vici")), checks) as server:
            checks.run("a full disk", lambda: full_disk(server, checks))
    return checks.close()


if __name__ == "__main__":
    sys.exit(main())
