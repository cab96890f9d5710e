"""Measures the same work on PostgreSQL: one node and two, a thousand accounts and a million, beside SQLite and bare peers.

All commits wait for the disk, as in production. The cluster is created for the run and removed with it.
"""

import functools
import statistics
import sys

from population import POOL, BarePeer, Population
from programs import HERE, bare_bcrypt

sys.path.append(str(HERE.parent / "Server" / "Tests" / "BlackBox"))

from peers.guard import Guard  # noqa: E402
from peers.postgres import Postgres  # noqa: E402

ROUNDS = 5
THOUSAND, MILLION = 1000, 1_000_000
# A common server setting; all others are PostgreSQL's defaults, including `fsync` and `synchronous_commit`.
SETTINGS = {"shared_buffers": "1GB", "max_wal_size": "4GB", "wal_compression": "on"}
# For the creation of a million accounts: data that need not survive a crash.
HASTE = {"fsync": "off", "full_page_writes": "off", "wal_level": "minimal", "max_wal_senders": "0"}
COLUMNS = {
    "sqlite": "SQLite", "small1": "1 node, 1 k", "small2": "2 nodes, 1 k", "large1": "1 node, 1 M",
    "large2": "2 nodes, 1 M", "bare": "bare peer",
}


class Row:
    """One kind of work, and how it is measured in each column."""

    def __init__(self, name, rounds, peer, **measures):
        self.name, self.count, self.peer, self.measures = name, rounds, peer, measures
        self.rounds = {column: [] for column in measures}

    def round(self, number):
        """Round 0 is a warm-up: plans, caches, pages that are written for the first time. The order alternates."""
        if number > self.count:
            return
        for column in list(self.measures)[::1 if number % 2 else -1]:
            value = self.measures[column]()
            if number:
                self.rounds[column].append(value)

    def value(self, column):
        return statistics.median(self.rounds[column])

    def ratio(self, column, to):
        return statistics.median(a / b for a, b in zip(self.rounds[column], self.rounds[to]))

    def cells(self):
        growth = [self.ratio(f"large{nodes}", f"small{nodes}") for nodes in (1, 2)]
        return [self.name, *(f"{self.value(column):,.0f}" for column in COLUMNS), self.peer,
                f"{self.ratio('small1', 'bare'):.0%}", *(f"{each:.0%}" for each in growth)]

    def record(self):
        return {
            "name": self.name, "unit": "/s", "peer_name": self.peer,
            "medians": {COLUMNS[column]: self.value(column) for column in COLUMNS},
            "rounds": {COLUMNS[column]: self.rounds[column] for column in COLUMNS},
            "growth": {f"{nodes} nodes": self.ratio(f"large{nodes}", f"small{nodes}") for nodes in (1, 2)},
        }


class OnPostgres:
    def __init__(self, directory, sqlite, password_hash):
        """`sqlite` measures, by the names "me", "refresh" and "sign_in", the same on SQLite."""
        self.directory, self.sqlite, self.password_hash = directory, sqlite, password_hash
        self.rows, self.sizes = [], {}

    def run(self):
        with Guard("ostiary-bench-", str(self.directory / "postgres")) as guard:
            postgres = Postgres(guard, "cluster", settings=SETTINGS | HASTE).create().start()
            populations = []
            try:
                for name, count in {"small": THOUSAND, "large": MILLION}.items():
                    populations.append(Population(postgres, name, count, self.directory, self.password_hash))
                self.sizes = populations[-1].sizes()
                bare = BarePeer(postgres, MILLION, self.directory)
                postgres.stop()
                postgres.settings = {name: value for name, value in postgres.settings.items() if name not in HASTE}
                postgres.start()
                for population in populations:
                    population.begin()
                self.measure(*populations, bare)
            finally:
                for population in populations:
                    population.end()
                if postgres.lives:
                    postgres.stop("immediate")

    def measure(self, small, large, bare):
        def columns(kind, peer):
            work = {"sqlite": self.sqlite[kind], "bare": peer}
            for name, population in {"small": small, "large": large}.items():
                for count in (1, 2):
                    work[f"{name}{count}"] = functools.partial(getattr(population, kind), count)
            return {column: work[column] for column in COLUMNS}

        self.rows = [
            Row("/me", ROUNDS, "pgbench, SELECT by key", **columns("me", bare.reads)),
            Row("refresh rotations", ROUNDS, "pgbench, UPDATE by key", **columns("refresh", bare.writes)),
            Row("password sign-ins", 3, "bare libcrypt", **columns("sign_in", lambda: bare_bcrypt(5))),
        ]
        for number in range(ROUNDS + 1):
            for row in self.rows:
                row.round(number)

    def table(self):
        header = ["a second", *COLUMNS.values(), "which peer", "1 node : peer", "1 M : 1 k", "with 2 nodes"]
        return [header] + [row.cells() for row in self.rows]

    def record(self):
        return {
            "accounts": [THOUSAND, MILLION], "pool_size": POOL, "settings": SETTINGS,
            "rows": [row.record() for row in self.rows],
            "bytes_at_a_million": self.sizes,
        }
