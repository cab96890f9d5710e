#!/usr/bin/env python3
"""Stores of earlier versions migrate and serve: tokens, passwords, second factors and sessions that those versions issued go on.

  upgrades.py --program PATH [--previous PROGRAM [--seconds 20]]

The stores are those of `Server/Tests/Upgrades`, on SQLite and PostgreSQL. Then the program meets a store of a newer version. With
`--previous`, two nodes of that program on one PostgreSQL are replaced by this one under load, and back.
"""

import argparse
import collections
import contextlib
import json
import sqlite3
import sys
import tempfile
import threading
import time
from pathlib import Path

import pyotp

from apps import App
from checks import Checks
from drills.cluster import Database, Node
from drills.needing import missing
from peers import postgres
from peers.guard import Guard
from second_factors import SecondFactors
from server import Server
from upgrade_fixture import CONTRACTS, configuration, fixtures


def started(program, directory, settings):
    server = Server(program, directory, settings)
    server.start()
    return server


def refused_start(program, directory, settings):
    """Returns the exit status and the last line of a server that does not start."""
    server = Server(program, directory, settings)
    try:
        server.start()
    except RuntimeError:
        lines = server.log.read_text().strip().splitlines()
        return server.process.returncode, lines[-1] if lines else ""
    server.stop()
    return None, "started"


# Fixtures

def serves(server, people, checks, what):
    for name in CONTRACTS:
        app, plain, careful = App(server.wire, server.inbox, name), people[name]["plain"], people[name]["careful"]
        checks.that(f"{what}: {name}: an earlier access token is accepted", app.accepts(plain["access"]))
        refreshed = app.refresh(plain["refresh"])
        if checks.equal(f"{what}: {name}: an earlier refresh token is accepted", 200, refreshed.status):
            checks.that(f"{what}: {name}: and its successor", app.accepts(app.tokens(refreshed)[0]))
        credentials = {key: plain[key] for key in ("email", "password")}
        signed_in = app.call("login", credentials)
        checks.equal(f"{what}: {name}: the password signs in", 200, signed_in.status)
        wrong = app.call("login", credentials | {"password": "another passphrase"})
        checks.equal(f"{what}: {name}: and no other", 401, wrong.status)
        factors = SecondFactors(server, name, checks)
        for method, answer in (("totp", pyotp.TOTP(careful["totp"]).now()), ("recovery_code", careful["recovery_codes"][0])):
            asked = app.call("login", {key: careful[key] for key in ("email", "password")})
            checks.equal(f"{what}: {name}: a second factor is required", "challenge_required", asked.json.get("code"))
            done = factors.answer(asked.json["challenge_token"], method, answer)
            checks.equal(f"{what}: {name}: {method} completes the sign-in", 200, done.status)
        checks.equal(f"{what}: {name}: the session with a second factor is refreshed", 200, app.refresh(careful["refresh"]).status)
        newcomer = app.register()
        checks.that(f"{what}: {name}: a newcomer registers", app.accepts(newcomer.access))
        listed = server.command("sessions", "list", "--app", name, plain["email"], "--json")
        checks.that(f"{what}: {name}: the earlier session is listed", listed.returncode == 0 and len(json.loads(listed.stdout)) >= 2,
                    "two sessions", listed.stdout + listed.stderr)


def upgraded(program, fixture, checks, settings, directory, store):
    what = f"{fixture.name} on {store}"
    server = started(program, directory, settings)
    try:
        serves(server, fixture.people[store], checks, what)
    finally:
        checks.equal(f"{what}: SIGTERM ends the server", 0, server.stop())
    done = server.command("store", "check", "--json")
    checks.equal(f"{what}: `store check` finds nothing", 0, done.returncode)


def on_sqlite(program, checks):
    for fixture in fixtures():
        with tempfile.TemporaryDirectory(prefix="ostiary-") as directory:
            fixture.restore_sqlite(Path(directory) / "data" / "ostiary.db")
            upgraded(program, fixture, checks, fixture.configuration, directory, "sqlite")


def on_postgres(program, cluster, checks):
    for number, fixture in enumerate(fixtures()):
        with tempfile.TemporaryDirectory(prefix="ostiary-") as directory:
            settings = fixture.configuration | {"store": fixture.restore_postgres(cluster, f"upgrade_{number}")}
            upgraded(program, fixture, checks, settings, directory, "postgres")


# Downgrades

NEWER = "was written by a newer version of Ostiary. Run that version."


def newer_sqlite(program, checks):
    """A file of the next version: refused, and unchanged."""
    with tempfile.TemporaryDirectory(prefix="ostiary-") as directory:
        settings, file = configuration(program), Path(directory) / "data" / "ostiary.db"
        checks.equal("a server of this version", 0, started(program, directory, settings).stop())
        database = sqlite3.connect(file)
        database.execute("INSERT INTO grdb_migrations (identifier) VALUES ('9999 of the next version')")
        database.commit()
        before = list(database.iterdump())
        database.close()
        status, line = refused_start(program, directory, settings)
        checks.that("a newer file is refused with status 1 and words", status == 1 and NEWER in line, NEWER, (status, line))
        database = sqlite3.connect(file)
        checks.that("and unchanged", before == list(database.iterdump()), "the same rows", "others")
        database.close()
        print(f"status {status}: {line}")


def newer_postgres(program, cluster, checks):
    """A database that a newer version has extended: served while that version allows it, then refused."""
    with tempfile.TemporaryDirectory(prefix="ostiary-") as directory:
        settings = configuration(program) | {"store": postgres.url([cluster], "newer", cluster.database("newer"))}
        checks.equal("a server of this version", 0, started(program, directory, settings).stop())
        known = int(cluster.sql("SELECT max(number) FROM schema_step", "newer")[0][0])
        cluster.sql(f"INSERT INTO schema_step VALUES ({known + 1}, 'of the next version', 0, 1)", "newer")
        cluster.sql("ALTER TABLE account ADD COLUMN of_the_next_version text", "newer")
        server = started(program, directory, settings)
        app = App(server.wire, server.inbox, "vici")
        checks.that("a newer database that is made for this version too is served", app.accepts(app.register().access))
        checks.equal("ready", 200, server.wire.get("/readyz").status)
        cluster.sql(f"INSERT INTO schema_step VALUES ({known + 2}, 'another', 0, {known + 2})", "newer")
        deadline = time.monotonic() + 10
        while server.wire.get("/readyz").status == 200 and time.monotonic() < deadline:
            time.sleep(0.1)
        checks.equal("a running server is not ready once it is for newer ones alone", 503, server.wire.get("/readyz").status)
        checks.equal("SIGTERM ends it", 0, server.stop())
        status, line = refused_start(program, directory, settings)
        checks.that("and another start is refused with status 1 and words", status == 1 and NEWER in line, NEWER, (status, line))
        print(f"status {status}: {line}")


# Rolling

class Load:
    """People who go on at whichever node serves: each request at the next node, and at the other if that one is being replaced."""

    def __init__(self, nodes, checks):
        self.nodes, self.checks, self.ends, self.failures, self.count = nodes, checks, threading.Event(), [], 0
        # The nodes that get no request, and the number of requests that each is answering.
        self.away, self.busy, self.changed = set(), collections.Counter(), threading.Condition()
        self.threads = [threading.Thread(target=self.person, args=(name,), daemon=True) for name in CONTRACTS * 2]

    @contextlib.contextmanager
    def app(self, name):
        """An app at the next node, for one request."""
        with self.changed:
            self.count += 1
            serving = [node for node in self.nodes if node.name not in self.away]
            node = serving[self.count % len(serving)]
            self.busy[node.name] += 1
        try:
            yield App(node.wire, node.inbox, name)
        finally:
            with self.changed:
                self.busy[node.name] -= 1
                self.changed.notify_all()

    def ask(self, name, request):
        with self.app(name) as app:
            return request(app)

    def person(self, name):
        try:
            person = self.ask(name, lambda app: app.register())
            access, refresh = person.access, person.refresh
            while not self.ends.is_set():
                steps = {"me": self.ask(name, lambda app: app.accepts(access)),
                         "login": self.ask(name, lambda app: app.call("login", person.credentials).status == 200)}
                access, refresh = self.ask(name, lambda app: app.refreshed(refresh))
                self.failures += [f"{name}: {step}" for step, good in steps.items() if not good]
        except Exception as error:
            self.failures.append(f"{name}: {error!r}")

    def replace(self, node, program):
        """As behind a load balancer: no new request, the end, the other program, ready."""
        with self.changed:
            self.away.add(node.name)
            idle = self.changed.wait_for(lambda: self.busy[node.name] == 0, 30)
        self.checks.that(f"{node.name} has answered its requests", idle)
        self.checks.equal(f"SIGTERM ends {node.name}", 0, node.stop())
        node.program = str(Path(program).resolve())
        node.start()
        while node.wire.get("/readyz").status != 200:
            time.sleep(0.05)
        with self.changed:
            self.away.discard(node.name)


def rolling(program, previous, guard, checks, seconds):
    """Two nodes of the previous version are replaced one by one, and one of them goes back."""
    database = Database(guard, "rolling")
    settings = configuration(previous) | {"store": database.url()}
    for entry in settings["apps"].values():
        entry["rate_limits"] = {name: "1000000/1m" for name in ("sign_in", "refresh", "register", "other")}
    nodes = [Node(previous, guard, f"node-{number}", settings) for number in range(2)]
    for node in nodes:
        node.start()
    load = Load(nodes, checks)
    for thread in load.threads:
        thread.start()
    time.sleep(seconds / 5)
    before = database.sql("SELECT max(number) FROM schema_step")
    for node, to in ((nodes[0], program), (nodes[1], program), (nodes[0], previous), (nodes[0], program)):
        load.replace(node, to)
        time.sleep(seconds / 5)
    load.ends.set()
    for thread in load.threads:
        thread.join(30)
    after = database.sql("SELECT max(number) FROM schema_step")
    print(f"{load.count} requests while the schema went from step {before[0][0]} to {after[0][0]}")
    checks.that("no request fails and no session ends", not load.failures, "none", load.failures[:5])
    checks.that("there were requests", load.count > 50, "50", load.count)
    for node in nodes:
        checks.equal(f"SIGTERM ends {node.name} at the end", 0, node.stop())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, help="path of the program `ostiary`")
    parser.add_argument("--previous", help="the program of the version before")
    parser.add_argument("--seconds", type=float, default=20, help="the duration of the load")
    arguments = parser.parse_args()
    checks, program = Checks(), arguments.program
    checks.run("SQLite", lambda: on_sqlite(program, checks))
    checks.run("a newer file", lambda: newer_sqlite(program, checks))
    if why := missing("postgres"):
        checks.skip(why)
        return checks.close()
    with Guard() as guard:
        cluster = postgres.Postgres(guard, "postgres", settings=postgres.UNSAFE).create().start()
        checks.run("PostgreSQL", lambda: on_postgres(program, cluster, checks))
        checks.run("a newer database", lambda: newer_postgres(program, cluster, checks))
        if arguments.previous:
            checks.run("rolling", lambda: rolling(program, arguments.previous, guard, checks, arguments.seconds))
    return checks.close()


if __name__ == "__main__":
    sys.exit(main())
