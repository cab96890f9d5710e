#!/usr/bin/env python3
"""Three nodes behind nginx, two PostgreSQL servers with synchronous replication, and failures of each.

  failover.py --program PATH [--rounds 20] [--seed N]

Each round, under load: the primary is killed (SIGKILL, with all of its processes) and the standby promoted; a node is
killed and started again; a node is stopped by SIGTERM and started again; in a rolling restart every node is, after it was taken
out at nginx. No acknowledged write is lost, no session ends, requests fail only with 503 while there is no primary
(and by a lost connection to a node that was killed or stopped), and the service recovers within 5 s of the promotion.
"""

import argparse
import random
import sys
import time

from checks import Checks
from drills.cluster import Cluster, Pair, production
from drills.load import HEALED_WITHIN, LATE, NOT_ANSWERED, Load
from drills.needing import needing
from drills.post import Post
from peers.guard import Guard
from wire import Wire


class Failover:
    def __init__(self, pair, cluster, load, seed):
        self.pair, self.cluster, self.load, self.random = pair, cluster, load, random.Random(seed)
        self.checks = load.checks

    def round(self):
        with self.load.running():
            time.sleep(1)
            self.primary_dies()
            self.node_dies()
            self.node_stops()
            time.sleep(1)  # Until nginx considers all nodes available again: it would otherwise send no request to two of them.
            self.rolling_restart()
        self.load.examine()

    def primary_dies(self):
        with self.load.failing("no primary", 503) as window:
            killed = time.monotonic()
            self.pair.primary.kill()
            time.sleep(self.random.uniform(0.2, 2))
            self.pair.promote()
            promoted = time.monotonic()
            window.until = promoted + HEALED_WITHIN
            late = self.load.healed(promoted)
        print(f"promoted after {promoted - killed:.2f} s, the last 503 came {late:.2f} s later", flush=True)
        self.pair.rebuild()

    def node_dies(self):
        node = self.random.choice(self.cluster.nodes)
        with self.load.failing(f"{node.name} is killed", *NOT_ANSWERED):
            node.kill()
            time.sleep(0.5)
        node.start()
        time.sleep(0.5)

    def rolling_restart(self):
        """One after the other: taken out at nginx, stopped, started, put back. No request fails."""
        balancer = self.cluster.balancer
        for node in self.cluster.nodes:
            balancer.take_out(node.port)
            self.restart(node)
            balancer.put_back()

    def node_stops(self):
        """Stopped without being taken out at nginx. Requests in progress are finished; connections not yet accepted are not."""
        node = self.random.choice(self.cluster.nodes)
        with self.load.failing(f"{node.name} is stopped", *NOT_ANSWERED):
            before = len(self.load.journal.outages)
            self.restart(node)
        print(f"{len(self.load.journal.outages) - before} requests failed at a node that stopped", flush=True)

    def restart(self, node):
        self.checks.equal(f"{node.name}: SIGTERM ends it with exit status 0", 0, node.stop())
        node.start()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, help="path of the program `ostiary`")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--late", type=float, default=LATE, help="seconds that a message may take; 0: not checked")
    parser.add_argument("--width", type=int, default=6, help="people at once")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    arguments = parser.parse_args()
    print(f"seed {arguments.seed}")
    checks = Checks()
    with Guard() as guard, Post() as post:
        pair = Pair(guard)
        store = pair.url(target_session_attrs="read-write")
        cluster = Cluster(arguments.program, guard, 3, lambda base: production(store, base, post), balanced=True).start()
        load = Load(checks, [Wire(cluster.balancer.base)], post, arguments.width, arguments.seed)
        failover = Failover(pair, cluster, load, arguments.seed)
        for number in range(1, arguments.rounds + 1):
            checks.run(f"round {number}", failover.round)
        checks.run("the end", lambda: load.close(arguments.late))
        cluster.stop(checks)
    return checks.close()


if __name__ == "__main__":
    sys.exit(needing(main, "postgres", "nginx"))
