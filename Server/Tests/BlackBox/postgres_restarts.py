#!/usr/bin/env python3
"""PostgreSQL is restarted, its connections are ended, and it is unavailable for a while, under load at two nodes.

  postgres_restarts.py --program PATH [--rounds 50] [--outage 30] [--seed N]

Row ST-06. Rounds are restarts, by `fast`, `immediate` and SIGKILL in turn: no acknowledged write is lost, none is
duplicated, requests fail only with 503, in at most 2 s, and the service recovers within 5 s.
"""

import argparse
import random
import sys
import time

from checks import Checks
from drills.cluster import Cluster, Database, production
from drills.load import HEALED_WITHIN, LATE, Load
from drills.needing import needing
from drills.post import Post
from peers.guard import Guard
from wire import Wire

KINDS = ["fast", "immediate", "kill"]
ROUND = 5  # Restarts between two examinations.


class Restarts:
    def __init__(self, database, load, seed):
        self.database, self.load, self.random = database, load, random.Random(seed)
        self.postgres, self.checks = database.primary, load.checks

    def restarts(self, kinds):
        with self.load.running():
            time.sleep(0.5)
            for kind in kinds:
                self.away(kind, self.random.uniform(0, 0.5))
        self.load.examine()

    def away(self, how, seconds):
        with self.load.failing(how, 503) as window:
            self.postgres.kill() if how == "kill" else self.postgres.stop(how)
            time.sleep(seconds)
            self.postgres.start()
            back = time.monotonic()
            window.until = back + HEALED_WITHIN
            late = self.load.healed(back)
        print(f"{how}: the last 503 came {late:.2f} s after it was back", flush=True)

    def outage(self, seconds):
        with self.load.running():
            time.sleep(0.5)
            self.away("fast", seconds)
        self.load.examine()

    def terminated(self):
        """An administrator ends the server's connections: a request that is retried inside the server need not fail."""
        with self.load.running():
            for _ in range(5):
                time.sleep(0.3)
                with self.load.failing("connections are ended", 503) as window:
                    ended = self.postgres.sql(
                        "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE usename = 'ostiary'")
                    now = time.monotonic()
                    window.until = now + HEALED_WITHIN
                    self.checks.that("there were connections", int(ended[0][0]) > 0, "some", ended)
                    self.load.healed(now)
        failed = len(self.load.journal.outages)
        print(f"{failed} requests failed")
        self.load.examine()
        self.checks.equal("a request outlives its connection", 0, failed)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, help="path of the program `ostiary`")
    parser.add_argument("--rounds", type=int, default=50, help="restarts")
    parser.add_argument("--outage", type=float, default=30, help="seconds that PostgreSQL is away")
    parser.add_argument("--late", type=float, default=LATE, help="seconds that a message may take; 0: not checked")
    parser.add_argument("--width", type=int, default=6, help="people at once")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    arguments = parser.parse_args()
    print(f"seed {arguments.seed}")
    checks = Checks()
    with Guard() as guard, Post() as post:
        database = Database(guard)
        store = database.url()
        cluster = Cluster(arguments.program, guard, 2, lambda base: production(store, base, post)).start()
        load = Load(checks, [Wire(node.base) for node in cluster.nodes], post, arguments.width, arguments.seed)
        restarts = Restarts(database, load, arguments.seed)
        kinds = [KINDS[number % len(KINDS)] for number in range(arguments.rounds)]
        for begin in range(0, len(kinds), ROUND):
            some = kinds[begin:begin + ROUND]
            checks.run(f"restarts {begin + 1} to {begin + len(some)}", lambda: restarts.restarts(some))
        checks.run("connections ended", restarts.terminated)
        checks.run(f"{arguments.outage:g} s away", lambda: restarts.outage(arguments.outage))
        checks.run("the end", lambda: load.close(arguments.late))
        cluster.stop(checks)
    return checks.close()


if __name__ == "__main__":
    sys.exit(needing(main, "postgres"))
