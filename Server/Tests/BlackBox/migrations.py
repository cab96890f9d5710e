#!/usr/bin/env python3
"""Starts many nodes at once on an empty PostgreSQL, and kills nodes while they create its tables.

  migrations.py --program PATH [--rounds 40] [--seed N]

Rows ST-10 and ST-11. First the node is killed after each of its first units of work, observed by a proxy; then at
random moments of its start, in the given number of rounds. The next start must succeed, and users sign up.
"""

import argparse
import random
import re
import sys
import threading
import time
from collections import Counter

from apps import App
from checks import Checks
from drills.cluster import Cluster, Database, Node, encryption_key
from drills.needing import needing
from drills.stage import Inboxes
from peers.faulty_postgres import FaultyPostgres
from peers.guard import Guard
from server import app, development

KEY = encryption_key()
FEW = 6  # The number of units that are chosen in a short run.


class Migrations:
    def __init__(self, program, guard, checks, seed):
        self.program, self.guard, self.checks, self.random = program, guard, checks, random.Random(seed)
        self.database = Database(guard, log_statement="ddl")
        self.made, self.number = 0, 0

    def empty(self):
        """Creates an empty database, which all URLs refer to from now on."""
        self.made += 1
        self.database.primary.sql(f"CREATE DATABASE empty_{self.made} OWNER ostiary")
        return f"empty_{self.made}"

    def url(self, name, port=None):
        return self.database.url(port or self.database.primary.port).removesuffix("ostiary") + name

    def node(self, store):
        self.number += 1
        return Node(self.program, self.guard, f"starting-{self.number}", development(vici=app("vici")) | {
            "store": store, "encryption_key": KEY})

    def works(self, node):
        person = App(node.wire, node.inbox, "vici").register()
        self.checks.that("people sign up", App(node.wire, node.inbox, "vici").accepts(person.access))

    def at_once(self, count):
        name, log = self.empty(), self.database.primary.log
        before = log.stat().st_size
        cluster = Cluster(self.program, self.guard, count, lambda base: development(vici=app("vici")) | {
            "public_url": base, "store": self.url(name), "encryption_key": KEY}, names=f"{name}-node")
        problems = []

        def start(node):
            try:
                node.start()
            except RuntimeError as error:
                problems.append(str(error))

        threads = [threading.Thread(target=start, args=(node,)) for node in cluster.nodes]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.checks.equal(f"{count} nodes start on an empty database", [], problems)
        said = log.read_bytes()[before:].decode(errors="replace")
        made = Counter(re.findall(r"\bCREATE (?:TABLE|UNIQUE INDEX|INDEX) (?!IF )([\w.\"]+)", said))
        self.checks.that("there were tables to make", made, "some", made)
        # Every node queries the list of steps itself, if it is missing.
        self.checks.that("each table is made once", set(made.values()) <= {1}, "once", made.most_common(3))
        if not problems:
            people = [App(node.wire, Inboxes(cluster.nodes), "vici").register() for node in cluster.nodes]
            self.checks.that("all serve the same accounts", all(
                App(node.wire, node.inbox, "vici").accepts(person.access) for node in cluster.nodes for person in people))
        cluster.stop(self.checks)

    def at_each_unit(self, few):
        """Kills the node after the Nth unit of work, for every N."""
        with FaultyPostgres(self.database.primary.port) as proxy:
            first = self.node(self.url(self.empty(), proxy.port))
            proxy.units = 0
            first.start()
            count = proxy.units
            first.stop()
            self.checks.that("there are units to be killed after", count > 0)
            chosen = range(1, count + 1)
            if few and count > FEW:
                chosen = sorted(self.random.sample(chosen, FEW))
            inside = 0
            for number in chosen:
                node = self.node(self.url(self.empty(), proxy.port))
                proxy.units, proxy.freezes_after = 0, number
                starting = threading.Thread(target=self.start_quietly, args=(node,))
                starting.start()
                deadline = time.monotonic() + 10
                while not proxy.frozen and starting.is_alive() and time.monotonic() < deadline:
                    time.sleep(0.005)
                inside += proxy.frozen
                node.process.kill()
                starting.join()
                proxy.freezes_after = None
                proxy.reset()
                proxy.thaw()
                self.starts(node, f"after a kill at unit {number} of {count}")
            # Starts differ by a unit; the last units may not occur.
            self.checks.that("the kills came before a start was done", inside * 2 > len(chosen), chosen, inside)
        print(f"killed at {inside} of {count} units")

    def at_random(self, rounds):
        node = self.node(self.url(self.empty()))
        usual = node.start()
        node.stop()
        for _ in range(rounds):
            node = self.node(self.url(self.empty()))
            delay = self.random.uniform(0, usual)
            starting = threading.Thread(target=self.start_quietly, args=(node,))
            starting.start()
            time.sleep(delay)
            while node.process is None:
                time.sleep(0.001)
            node.process.kill()
            starting.join()
            self.starts(node, f"after a kill {delay * 1000:.0f} ms after its start")

    @staticmethod
    def start_quietly(node):
        try:
            node.start()
        except (RuntimeError, ValueError, OSError):
            pass

    def starts(self, node, when):
        try:
            node.start()
        except RuntimeError as error:
            return self.checks.that(f"a node starts {when}", False, "a start", str(error))
        self.works(node)
        return self.checks.equal(f"SIGTERM ends it, {when}", 0, node.stop())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, help="path of the program `ostiary`")
    parser.add_argument("--rounds", type=int, default=40, help=f"random moments; fewer than 10: {FEW} of the units alone")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    arguments = parser.parse_args()
    print(f"seed {arguments.seed}")
    checks = Checks()
    with Guard() as guard:
        migrations = Migrations(arguments.program, guard, checks, arguments.seed)
        checks.run("three nodes at once", lambda: migrations.at_once(3))
        checks.run("killed at a unit", lambda: migrations.at_each_unit(few=arguments.rounds < 10))
        checks.run("killed at random", lambda: migrations.at_random(arguments.rounds))
    return checks.close()


if __name__ == "__main__":
    sys.exit(needing(main, "postgres"))
