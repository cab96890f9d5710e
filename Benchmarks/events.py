#!/usr/bin/env python3
"""Measures what events cost: sign-ins beside an app without an endpoint, and events a second that a database queues.

  events.py --program PATH [--rounds 5]

Two servers, equal but for three endpoints that receive every event, take turns: the result is the median of the ratios of their
sign-ins a second. Then sessions are added with SQL alone, with and without an endpoint, to SQLite and PostgreSQL: each is one event.
The endpoints are at a closed port, so that events are queued and retried.
"""

import argparse
import concurrent.futures
import json
import pathlib
import sqlite3
import statistics
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "Server" / "Tests" / "BlackBox"))

from apps import App  # noqa: E402
from drills.cluster import Database, Node, encryption_key  # noqa: E402
from peers.guard import Guard  # noqa: E402
from server import app, development, free_port  # noqa: E402

SECONDS, PEOPLE, CONNECTIONS = 4, 16, 4
SESSIONS = 100_000
SESSION = """INSERT INTO session (id, app, account_id, created_at, last_used_at, idle_seconds, idle_ends_at, ends_at, generation,
    generation_issued_at) """


def endpoints(server, count=3):
    for _ in range(count):
        done = server.command("events", "create", "--app", "vici", "--url", f"http://127.0.0.1:{free_port()}/")
        if done.returncode:
            raise SystemExit(done.stderr)


class SignIns:
    """One server, and the people who sign in to it."""

    def __init__(self, program, guard, name, configuration, has_endpoints):
        self.server = Node(program, guard, name, configuration)
        self.server.start()
        if has_endpoints:
            endpoints(self.server)
        self.app = App(self.server.wire, self.server.inbox, "vici")
        self.people = [self.app.register() for _ in range(PEOPLE)]

    def rate(self):
        end = time.monotonic() + SECONDS

        def sign_in(number):
            count = 0
            while time.monotonic() < end:
                answer = self.app.call("login", self.people[(number + count * CONNECTIONS) % PEOPLE].credentials)
                if answer.status != 200:
                    raise SystemExit(f"a sign-in failed: {answer}")
                count += 1
            return count

        with concurrent.futures.ThreadPoolExecutor(CONNECTIONS) as pool:
            return sum(pool.map(sign_in, range(CONNECTIONS))) / SECONDS


def sign_ins(program, store, rounds):
    with Guard() as guard:
        def configuration(name):
            base = development(vici=app("vici"))
            return base if store == "sqlite" else base | {
                "store": Database(guard, f"postgres-{name}").url(), "encryption_key": encryption_key()}

        plain = SignIns(program, guard, "plain", configuration("plain"), False)
        watched = SignIns(program, guard, "watched", configuration("watched"), True)
        ratios, rates = [], []
        for number in range(rounds + 1):
            pair = [plain, watched][:: 1 if number % 2 else -1]
            measured = {each.server.name: each.rate() for each in pair}
            if number:
                ratios.append(measured["watched"] / measured["plain"])
                rates.append(measured["plain"])
        for each in (plain, watched):
            each.server.stop()
        return {"sign_ins_per_second": statistics.median(rates), "with_events": statistics.median(ratios),
                "ratios": [round(ratio, 3) for ratio in ratios]}


def sqlite_rate(program, count):
    """Sessions a second that SQLite adds in transactions of 100, with `count` endpoints."""
    with Guard() as guard:
        server = Node(program, guard, "sqlite", development(vici=app("vici")))
        server.start()
        endpoints(server, count)
        person = App(server.wire, server.inbox, "vici").register()
        server.stop()
        path = next(path for path in server.data.rglob("*.db"))
        with sqlite3.connect(path, isolation_level=None) as database:
            database.execute("PRAGMA synchronous = FULL")
            begun = time.monotonic()
            for start in range(0, SESSIONS, 100):
                database.execute("BEGIN IMMEDIATE")
                database.executemany(SESSION + "VALUES (?, 'vici', ?, 1, 1, 1, 1, 1, 0, 1)",
                                     [(f"b{number}", str(person.user["id"])) for number in range(start, start + 100)])
                database.execute("COMMIT")
            seconds = time.monotonic() - begun
            events = database.execute("SELECT count(*) FROM account_event WHERE type = 'session.created'").fetchone()[0]
    expected = SESSIONS + 1 if count else 0
    if events != expected:
        raise SystemExit(f"{events} events instead of {expected}")
    return SESSIONS / seconds


def postgres_rate(program, count):
    """Sessions a second that one connection to PostgreSQL adds in transactions of 100, with `count` endpoints."""
    with Guard() as guard:
        database = Database(guard)
        server = Node(program, guard, "postgres", development(vici=app("vici")) | {
            "store": database.url(), "encryption_key": encryption_key()})
        server.start()
        endpoints(server, count)
        person = App(server.wire, server.inbox, "vici").register()
        server.stop()
        begun = time.monotonic()
        database.sql(f"""DO $$ BEGIN FOR n IN 0..{SESSIONS // 100 - 1} LOOP
            {SESSION} SELECT 'b' || m, 'vici', '{person.user["id"]}', 1, 1, 1, 1, 1, 0, 1
                FROM generate_series(n * 100, n * 100 + 99) AS m;
            COMMIT;
        END LOOP; END $$""")
        return SESSIONS / (time.monotonic() - begun)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, help="path of the program `ostiary`, a release build")
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    result = {}
    for store in ("sqlite", "postgres"):
        result[store] = sign_ins(arguments.program, store, arguments.rounds)
        print(store, json.dumps(result[store]), flush=True)
    for store, rate in (("sqlite", sqlite_rate), ("postgres", postgres_rate)):
        rates = {f"{count} endpoints": round(rate(arguments.program, count)) for count in (0, 1, 3)}
        print(f"{store}: sessions added per second:", json.dumps(rates), flush=True)


if __name__ == "__main__":
    main()
