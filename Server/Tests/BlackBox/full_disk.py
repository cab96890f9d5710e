#!/usr/bin/env python3
"""A server whose store's disk takes no more: nothing is half done, sessions are accepted, and it recovers without a restart.

  full_disk.py --program PATH [--store postgres]

The disk is the kernel's limit of a file's size (RLIMIT_FSIZE), which the check sets and lifts while the server runs: that of the server
with SQLite, that of PostgreSQL's processes with PostgreSQL, whose tables have reached it.
"""

import argparse
import base64
import json
import resource
import secrets
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from apps import App
from checks import Checks
from drills.needing import needing
from peers import unprivileged
from peers.guard import Guard, descendants
from peers.postgres import UNSAFE, Postgres, url
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
    eventually(lambda: ready() == 503, within=2)  # The outcome of a check is valid for a second.
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


# PostgreSQL

LIMIT = 1024 * 1024  # Also the size of a segment of the write-ahead log, which stays below the limit.


def limit_files(postgres, size):
    for pid in (postgres.process.pid, *descendants(postgres.process.pid)):
        # As their user, who alone may.
        subprocess.run(unprivileged.command("prlimit", f"--fsize={size or 'unlimited'}:", "--pid", str(pid)),
                       capture_output=True, timeout=10)


def full_database(server, postgres, checks):
    vici = App(server.wire, server.inbox, "vici")
    person = vici.register()
    # Rows beyond the limit, so that the tables cannot grow. Nothing refers to them.
    filler = "repeat(md5(g::text), 60)"
    postgres.sql(f"INSERT INTO account (app, id, full_name, roles, is_active, provider, is_email_verified, credential_version, created_at) "
                 f"SELECT 'filler', g, {filler}, '[]', FALSE, 'local', FALSE, 0, 0 FROM generate_series(1, 1500) g", "ostiary")
    postgres.sql("CHECKPOINT")
    size = int(postgres.sql("SELECT pg_relation_size('account')", "ostiary")[0][0])
    checks.that("the table is larger than the limit", size > LIMIT, LIMIT, size)
    limit_files(postgres, LIMIT)
    answers = [vici.call("register", vici.newcomer(name="N" * 90)) for _ in range(40)]
    refused = [answer for answer in answers if answer.status != 201]
    checks.that("registrations are refused once no page has room", refused, "some", [answer.status for answer in answers])
    checks.equal("with words that permit a repetition", {(503, "unavailable")},
                 {(answer.status, answer.json.get("code")) for answer in refused})
    checks.equal("healthz is 200", 200, server.wire.get("/healthz").status)
    checks.that("a session is still accepted", vici.accepts(person.access))
    limit_files(postgres, None)
    checks.that("registrations succeed again without a restart", eventually(
        lambda: vici.call("register", vici.newcomer()).status == 201, within=10))
    checks.equal("and everybody signs in", 200, vici.call("login", person.credentials).status)
    said = postgres.log.read_text(errors="replace")
    checks.that("PostgreSQL had no room", "could not extend file" in said or "could not write" in said, "no room", said[-300:])
    checks.that("and did not end", "terminated by signal" not in said and "PANIC" not in said, "no crash", said[-300:])


def on_postgres(program, checks):
    with Guard() as guard:
        postgres = Postgres(guard, "postgres", settings=UNSAFE).create("--wal-segsize", "1")
        postgres.start()
        store = url([postgres], "ostiary", postgres.database())
        key = base64.b64encode(secrets.token_bytes(32)).decode()
        with serving(program, development(vici=app("vici")) | {"store": store, "encryption_key": key}, checks) as server:
            checks.run("a full disk of PostgreSQL", lambda: full_database(server, postgres, checks))
    return checks.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, help="path of the program `ostiary`")
    parser.add_argument("--store", choices=["sqlite", "postgres"], default="sqlite")
    arguments = parser.parse_args()
    program, checks = arguments.program, Checks()
    if arguments.store == "postgres":
        return needing(lambda: on_postgres(program, checks), "postgres")
    with tempfile.TemporaryDirectory(prefix="ostiary-") as directory:
        with serving(program_without_signal(program, directory), development(vici=app("vici")), checks) as server:
            checks.run("a full disk", lambda: full_disk(server, checks))
    return checks.close()


if __name__ == "__main__":
    sys.exit(main())
