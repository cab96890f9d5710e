#!/usr/bin/env python3
"""Compares the p99 of `/me` while a server sweeps and counts statistics with that of the same server afterwards: upkeep.py PROGRAM.

A database with a million accounts gets sessions that ended forty days ago and audit events that no statistics contain. A server that
starts deletes the sessions and counts the events; `/me` is requested meanwhile by eight connections that pause for 10 ms before
each request, and again when both are done. Then the database gets the same again. Figures are medians of the rounds.
"""

import argparse
import contextlib
import random
import shutil
import sqlite3
import statistics
import sys
import tempfile
import time
from pathlib import Path

from growth import PostgresPopulation, make_durable, password_hash, postgres_cluster
from made_tokens import access_token
from population import VICI
from programs import BUILD, Load
from results import show, write
from sqlite_population import SQLitePopulation

ROUNDS, SECONDS = 5, 4
AIM = 1.2
ENDED_SESSIONS = """INSERT INTO session (
    id, app, account_id, created_at, last_used_at, idle_seconds, idle_ends_at, ends_at, generation, generation_issued_at{columns})
SELECT 'ended-' || {now} || '-' || n, 'vici', a.id, t.ended - 1, t.ended - 1, 1, t.ended, t.ended, 0, t.ended - 1{values}
FROM (SELECT {ended} AS ended) AS t, {numbers} JOIN account a ON a.number = 1 + CAST(n AS bigint) * 7919 % {accounts}"""
NEW_EVENTS = """INSERT INTO audit_event (happened_at, app, action, outcome, account_id, session_id, identifier, address, method)
SELECT {now} - {events} + n, 'vici', 'signIn', 'ok', a.id, 'session-' || n, 'p***@example.com', '192.0.2.1', 'password'
FROM {numbers} JOIN account a ON a.number = 1 + CAST(n AS bigint) * 104729 % {accounts}"""
REMAINING = "SELECT count(*) FROM session WHERE id LIKE 'ended-%'"
UNCOUNTED = "SELECT (SELECT max(number) FROM audit_event) - (SELECT position FROM statistics_position WHERE source = 'audit_event')"


class SQLite(SQLitePopulation):
    def numbers(self, count):
        return f"(WITH RECURSIVE s(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM s WHERE n < {count}) SELECT n FROM s) AS s"

    sweep_column = ("", "")

    def change(self, *statements):
        with contextlib.closing(sqlite3.connect(self.file, isolation_level=None)) as database:
            database.execute("BEGIN IMMEDIATE")
            for statement in statements:
                database.execute(statement)
            database.execute("COMMIT")

    def ask(self, statement):
        with contextlib.closing(sqlite3.connect(f"file:{self.file}?mode=ro", uri=True)) as database:
            return database.execute(statement).fetchone()[0]


class Postgres(PostgresPopulation):
    def numbers(self, count):
        return f"generate_series(1, {count}) AS s(n)"

    sweep_column = (", sweep_at", ", t.ended")

    def change(self, *statements):
        for statement in statements:
            self.population.psql("--command", statement)

    def ask(self, statement):
        return int(self.population.psql("--command", statement))


def p99(server, tokens, seconds=SECONDS):
    return Load(f"http://127.0.0.1:{server.port}{VICI}/me", seconds, 8, "bearer", tokens, 10).result()["p99"]


def round_of(population, directory, sessions, events):
    """Returns the p99 during and after, the rows that were left when the first was over, and the seconds until all was done."""
    now = int(time.time() * 1000)
    columns, values = population.sweep_column
    words = {"now": now, "ended": now - 40 * 86_400_000, "columns": columns, "values": values, "accounts": population.count, "events": events}
    population.change(ENDED_SESSIONS.format(numbers=population.numbers(sessions), **words),
                      NEW_EVENTS.format(numbers=population.numbers(events), **words))
    server = population.serve()
    try:
        began = time.monotonic()
        tokens = directory / f"tokens-{population.count}"
        people = random.Random(1).sample(range(1, population.count + 1), 300)
        tokens.write_text("".join(f"{access_token(each, population.secrets['jwt_secret'])}\n" for each in people))
        p99(server, tokens, 1)  # The first requests of a server fill caches.
        busy = p99(server, tokens)
        left = population.ask(REMAINING), population.ask(UNCOUNTED)
        while population.ask(REMAINING) or population.ask(UNCOUNTED):
            if time.monotonic() - began > 600:
                raise SystemExit(f"not done within ten minutes: {population.ask(REMAINING)} sessions, {population.ask(UNCOUNTED)} events")
            time.sleep(0.5)
        done = time.monotonic() - began
        time.sleep(1)
        return busy, p99(server, tokens), left, done
    finally:
        server.stop()


def measured(name, population, directory, sessions, events):
    rounds = [round_of(population, directory, sessions, events) for _ in range(ROUNDS + 1)][1:]
    busy, calm = (statistics.median(each[column] for each in rounds) for column in (0, 1))
    ratio = statistics.median(each[0] / each[1] for each in rounds)
    idle = sum(1 for each in rounds if not any(each[2]))
    if idle:
        print(f"{name}: in {idle} of {ROUNDS} rounds all was done before the first measurement ended")
    return [name, f"{busy:.2f} ms", f"{calm:.2f} ms", f"{ratio:.0%}",
            f"{min(each[0] / each[1] for each in rounds):.0%} to {max(each[0] / each[1] for each in rounds):.0%}",
            f"{statistics.median(each[3] for each in rounds):.0f} s", f"<= {AIM:.0%}", "yes" if ratio <= AIM else "no"], rounds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path)
    parser.add_argument("--stores", nargs="+", choices=["sqlite", "postgres"], default=["sqlite", "postgres"])
    parser.add_argument("--accounts", type=int, default=1_000_000)
    parser.add_argument("--sessions", type=int, default=200_000, help="that ended")
    parser.add_argument("--events", type=int, default=200_000, help="that no statistics contain")
    options = parser.parse_args()
    program = options.program.resolve(strict=True)
    rows, records = [["p99 of /me", "during", "after", "ratio", "range", "until done", "aim", "reached"]], {}
    for store in options.stores:
        directory = Path(tempfile.mkdtemp(prefix="upkeep-", dir=BUILD))
        directory.chmod(0o711)
        try:
            with contextlib.ExitStack() as stack:
                made = directory, program, options.accounts, password_hash(directory / "first", program)
                if store == "sqlite":
                    population = SQLite(*made)
                else:
                    cluster = stack.enter_context(postgres_cluster(directory))
                    population = Postgres(cluster, *made)
                    make_durable(cluster)
                row, rounds = measured(store, population, directory, options.sessions, options.events)
        finally:
            shutil.rmtree(directory)
        rows.append(row)
        records[store] = {"accounts": options.accounts, "rounds": rounds}
    show(rows)
    write("upkeep", records)


if __name__ == "__main__":
    sys.exit(main())
