#!/usr/bin/env python3
"""Measures what a request costs as the number of accounts grows: growth.py PROGRAM [--stores S …] [--accounts N …]

Databases of each size are made, on SQLite and PostgreSQL, and a server serves each, all at once. Requests alternate between the
sizes in short rounds on one connection each. The cost is the time that threads of the server, and processes of PostgreSQL, ran: other
work on the machine changes it much less than the time that a request takes. Figures are medians of the rounds.

`/me` is requested with the tokens of 300 sessions in turn; the first `/me` of a session finds nothing in the server's cache; refreshes
and sign-ins are of accounts at random. Writes `growth.md` and `growth.svg`. A million accounts take minutes and 2 GB on either store, ten
million half an hour and 20 GB.
"""

import argparse
import contextlib
import http.client
import itertools
import json
import random
import shutil
import sqlite3
import statistics
import tempfile
from pathlib import Path

import growth_page
from on_postgres import HASTE, SETTINGS, Guard, Postgres
from made_tokens import access_token, refresh_token
from population import PASSWORD, VICI, Population, credentials
from processor_time import nanoseconds
from programs import BUILD, ostiary
from results import read, show, write
from sqlite_population import SQLitePopulation

ROUNDS = 7
# The requests of each round. Together the first requests of sessions must not exceed the smallest number of accounts.
OPERATIONS = {"/me": 600, "first /me of a session": 60, "refresh": 200, "sign-in": 10}


class PostgresPopulation:
    """The same on PostgreSQL, whose processes' time counts too."""

    def __init__(self, postgres, directory, program, count, password_hash):
        self.postgres, self.count = postgres, count
        self.population = Population(postgres, f"a{count}", count, directory, password_hash, program)
        self.secrets = self.population.secrets

    def serve(self):
        return self.population.node("one")

    def database_nanoseconds(self):
        main = self.postgres.process.pid
        children = Path(f"/proc/{main}/task/{main}/children").read_text().split()
        return nanoseconds(main, *children)

    def bytes(self):
        return sum(self.population.sizes().values())


class Requests:
    """One server, and the accounts of its requests: no account has two roles."""

    def __init__(self, population):
        self.population, self.server = population, population.serve()
        self.connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=60)
        people = random.Random(1).sample(range(1, population.count + 1), min(population.count, 20_000))
        looking, signing, self.new, refreshing = people[:200], people[200:250], people[250:750], people[750:]
        access, refresh = population.secrets["jwt_secret"], population.secrets["jwt_refresh_secret"]
        self.access_tokens = itertools.cycle([access_token(each, access) for each in looking])
        self.new_tokens = (access_token(each, access) for each in self.new)
        self.refresh_tokens = [refresh_token(each, refresh) for each in refreshing]
        self.people = itertools.cycle(signing)

    def ask(self, method, path, body=None, bearer=None):
        headers = {"Content-Type": "application/json"} if body else {}
        if bearer:
            headers["Authorization"] = f"Bearer {bearer}"
        self.connection.request(method, VICI + path, json.dumps(body) if body else None, headers)
        answer = self.connection.getresponse()
        content = answer.read()
        if answer.status != 200:
            raise SystemExit(f"{method} {path} of {self.population.count:,} accounts: {answer.status} {content[:200]}")
        return content

    def send(self, operation):
        if operation == "/me":
            self.ask("GET", "/me", bearer=next(self.access_tokens))
        elif operation == "first /me of a session":
            self.ask("GET", "/me", bearer=next(self.new_tokens))
        elif operation == "refresh":
            body = json.loads(self.ask("POST", "/refresh-token", {"refreshToken": self.refresh_tokens.pop(0)}))
            self.refresh_tokens.append(body["refreshToken"])
        else:
            self.ask("POST", "/login", credentials(next(self.people)))

    def cost(self, operation, count):
        """Returns the microseconds of a request: of the server, and of the database's processes."""
        before = nanoseconds(self.server.process.pid), self.population.database_nanoseconds()
        for _ in range(count):
            self.send(operation)
        after = nanoseconds(self.server.process.pid), self.population.database_nanoseconds()
        return [(late - early) / count / 1000 for early, late in zip(before, after)]


def measured(populations):
    """Returns the microseconds of each round by operation and number of accounts."""
    sides = [Requests(population) for population in populations]
    try:
        rounds = {operation: {side.population.count: [] for side in sides} for operation in OPERATIONS}
        for number in range(-1, ROUNDS):
            for operation, count in OPERATIONS.items():
                for side in sides if number % 2 else sides[::-1]:
                    cost = side.cost(operation, count)
                    if number >= 0:  # The first round fills caches and allocates memory.
                        rounds[operation][side.population.count].append(cost)
        return rounds
    finally:
        for side in sides:
            side.connection.close()
            side.server.stop()


@contextlib.contextmanager
def postgres_cluster(directory):
    """A cluster that is filled in haste, until `make_durable`."""
    with Guard("ostiary-growth-", str(directory / "postgres")) as guard:
        postgres = Postgres(guard, "cluster", settings=SETTINGS | HASTE).create().start()
        try:
            yield postgres
        finally:
            if postgres.lives:
                postgres.stop("immediate")


def password_hash(directory, program):
    """Returns the server's hash of the password that all accounts share."""
    server = ostiary(directory, program=program)
    try:
        server.ask("POST", VICI + "/register", credentials(0) | {"name": "Person 0"})
    finally:
        server.stop()
    with contextlib.closing(sqlite3.connect(directory / "ostiary.db")) as database:
        return database.execute("SELECT password_hash FROM account").fetchone()[0]


def make_durable(postgres):
    """Starts it again as in service."""
    postgres.stop()
    postgres.settings = {name: value for name, value in postgres.settings.items() if name not in HASTE}
    postgres.start()


def of_store(store, directory, program, counts, password_hash):
    if store == "sqlite":
        populations = [SQLitePopulation(directory, program, count, password_hash) for count in counts]
        return measured(populations), {population.count: population.bytes() for population in populations}
    with postgres_cluster(directory) as postgres:
        populations = [PostgresPopulation(postgres, directory, program, count, password_hash) for count in counts]
        make_durable(postgres)
        return measured(populations), {population.count: population.bytes() for population in populations}


def summary(rounds):
    """Returns the medians of the sums, and of the database's part."""
    return {operation: {str(count): {"microseconds": statistics.median(sum(cost) for cost in costs),
                                     "database": statistics.median(cost[1] for cost in costs),
                                     "rounds": costs} for count, costs in by_count.items()}
            for operation, by_count in rounds.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path)
    parser.add_argument("--stores", nargs="+", choices=["sqlite", "postgres"], default=["sqlite", "postgres"])
    parser.add_argument("--accounts", nargs="+", type=int, default=[1000, 1_000_000])
    options = parser.parse_args()
    program = options.program.resolve(strict=True)
    for store in options.stores:
        # Beside the build and not in /tmp, which may be memory: commits must reach a disk.
        directory = Path(tempfile.mkdtemp(prefix="growth-", dir=BUILD))
        directory.chmod(0o711)  # PostgreSQL does not run as root and has to traverse the directory.
        try:
            rounds, sizes = of_store(
                store, directory, program, options.accounts, password_hash(directory / "first", program))
        finally:
            shutil.rmtree(directory)
        figures = summary(rounds)
        show([["µs of CPU on " + store, *(f"{count:,}" for count in options.accounts)]] + [
            [operation, *(f"{figures[operation][str(count)]['microseconds']:,.0f}" for count in options.accounts)]
            for operation in OPERATIONS])
        write("growth", read().get("growth", {}) | {store: {"costs": figures, "bytes": {str(k): v for k, v in sizes.items()}}})
    growth_page.write(read()["growth"])


if __name__ == "__main__":
    main()
