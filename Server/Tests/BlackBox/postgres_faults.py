#!/usr/bin/env python3
"""A network to PostgreSQL that is slow, silent or breaks in the middle of a commit; and a PostgreSQL that refuses.

  postgres_faults.py --program PATH [--rounds 3] [--only SECTION …]

Rows ST-07 and ST-08. One node reaches the database through a proxy, another one directly, which sees the result.
A commit whose answer was lost has an unknown outcome and is repeated: no account twice, no audit event twice, no session ended
as a theft, no code redeemed without its effect. In round N the Nth write of each request is cut, at every moment of it.
"""

import argparse
import json
import sys
import threading
import time
from collections import Counter

from apps import App
from checks import Checks
from drills.cluster import Cluster, Database, production
from drills.deeds import DEEDS, ONCE, Place
from drills.journal import Journal
from drills.load import HEALED_WITHIN, QUIET, SAID_WITHIN, SLACK
from drills.needing import needing
from drills.people import Asker
from drills.post import Post
from peers.faulty_postgres import AFTER, LATE, LOCKED, MOMENTS, SILENT, FaultyPostgres
from peers.guard import Guard

AWAY = 3.5  # Seconds of a fault that no retry inside the server outlasts.
REPEATED_WITHIN = 5  # Seconds for a request of several writes, one of which is repeated, on a busy machine.
MANY = 10**6


class Faults:
    def __init__(self, database, proxy, cluster, post, checks):
        self.database, self.proxy, self.checks, self.post = database, proxy, checks, post
        self.node, self.other = cluster.nodes
        self.journal = Journal()
        disturbed, plain = ({name: App(node.wire, post, name) for name in ("vici", "barqnet")} for node in cluster.nodes)
        self.place = Place(disturbed, plain, post, checks, Asker(self.journal))
        self.usual = {}  # Operation → its audit events without a fault.

    def run(self, name, disturb=lambda: None, calm=lambda: None):
        """Performs an operation, disturbed; returns its seconds, and whether the client had to repeat it."""
        deed = DEEDS[name](self.place)
        who, work = next(deed)
        before = len(self.journal.outages)
        disturb()
        began = time.monotonic()
        answer, unknown = work()
        seconds = time.monotonic() - began
        calm()
        if who is not None:
            self.written_down(name, who, len(self.journal.outages) - before)
        try:
            deed.send((answer, unknown))
        except StopIteration:
            pass
        self.checks.none("nothing wrong is answered", self.journal.wrong[:3])
        self.journal.wrong.clear()
        return seconds, unknown

    def written_down(self, name, who, repeated):
        """No audit event is duplicated, and none is missing where no request was repeated."""
        app = "barqnet" if who.startswith("+") else "vici"
        shown = self.other.command("users", "show", "--app", app, who, "--json")
        if not self.checks.equal(f"{name}: there is one account", (0, ""), (shown.returncode, shown.stderr)):
            return
        account = json.loads(shown.stdout)
        account = (account[0] if isinstance(account, list) else account)["id"]

        def written():
            lines = self.other.command("audit", "--json", "--app", app, "--since", "5m").stdout.splitlines()
            return Counter((event["action"], event["outcome"]) for event in map(json.loads, lines)
                           if event.get("account") == account)

        came = written()
        usual = self.usual.setdefault(name, came)
        if repeated == 0:
            deadline = time.monotonic() + 2
            while came != usual and time.monotonic() < deadline:
                came = written()
            self.checks.equal(f"{name}: the audit has what it has when nothing fails", usual, came)
        else:
            more = {what: count for what, count in (came - usual).items() if what[1] == "ok"}
            allowed = 0 if name in ONCE else repeated
            self.checks.that(f"{name}: the audit has nothing twice", all(count <= allowed for count in more.values()),
                             f"{allowed} more", more)

    # Sections

    def undisturbed(self):
        for name in DEEDS:
            self.run(name)
            self.run(name)
        self.proxy.learn(3)

    def cut(self, skip, moments):
        """The write after `skip` others is cut once: the server repeats it by itself, without an effect on the client."""
        total = 0
        for name in DEEDS:
            for moment in moments:
                before = self.checks.failed
                seconds, unknown = self.run(name, lambda: self.proxy.arm(moment, skip=skip))
                cut = self.proxy.disarm()
                total += cut
                if skip == 0:
                    self.checks.that(f"{name}, cut {moment}: its first write was cut", cut)
                if cut:
                    text = self.proxy.done[0][:120]
                    # Silence lasts for as long as a request may: the client gets an error in time, and repeats the request.
                    if moment != SILENT:
                        self.checks.that(f"{name}, cut {moment}: the client notices nothing", not unknown, "an answer",
                                         "503")
                        self.checks.that(f"{name}, cut {moment}: it is repeated in time", seconds <= REPEATED_WITHIN,
                                         f"{REPEATED_WITHIN} s", f"{seconds:.2f} s")
                    self.told_in_time(f"{name}, cut {moment}")
                    if self.checks.failed > before:
                        print(f"  … {name}, cut {moment} at write {skip + 1}: {text}", flush=True)
                if not cut:
                    break  # It has fewer writes.
        print(f"{total} writes were cut")
        self.checks.that("there was something to cut", total > 0)

    def cut_for_long(self, moments):
        """Every write is cut for longer than the server retries: the client gets 503 in time, and repeats."""
        for name in DEEDS:
            for moment in moments:
                timer = threading.Timer(AWAY, self.proxy.disarm)

                def disturb():
                    self.proxy.arm(moment, count=MANY)
                    timer.start()

                before = self.checks.failed
                self.run(name, disturb, timer.join)
                self.told_in_time(f"{name}, always cut {moment}")
                if self.checks.failed > before:
                    print(f"  … {name}, always cut {moment}", flush=True)

    def told_in_time(self, what, after=0):
        """Failures are answered in time, which begins `after` seconds of a request at the latest."""
        slow = max((outage.ended - outage.began for outage in self.journal.outages), default=0)
        strange = [outage for outage in self.journal.outages if outage.status != 503]
        self.checks.equal(f"{what}: failures are 503", [], strange[:2])
        self.checks.that(f"{what}: failures are told in time", slow <= after + SAID_WITHIN + SLACK,
                         f"{after + SAID_WITHIN} s, and {SLACK} s on a busy machine", f"{slow:.2f} s")
        self.journal.outages.clear()

    def latency(self, seconds):
        """Applies a round-trip latency of `seconds`, for a while."""
        for name in DEEDS:
            timer = threading.Timer(AWAY + seconds, lambda: setattr(self.proxy, "latency", 0))

            def disturb():
                self.proxy.latency = seconds / 2
                timer.start()

            def calm():
                timer.cancel()
                self.proxy.latency = 0

            _, unknown = self.run(name, disturb, calm)
            if seconds < 0.5:
                self.checks.that(f"{name} works at {seconds} s", not unknown, "an answer", "503")
            # The statements before the one that fails took their time too.
            self.told_in_time(f"{name} at {seconds} s", after=3 * seconds if seconds >= 0.5 else 0)

    def away(self, what, break_it, mend_it, fails=True, seconds=AWAY):
        """Applies a fault for a while, to requests that read and write; they fail only with 503, in time, and the service recovers."""
        vici, asker = self.place.disturbed["vici"], self.place.asker
        people = [self.place.plain["vici"].register() for _ in range(4)]
        done, answered = threading.Event(), []

        def use(person):
            token = person.refresh
            while not done.is_set():
                answer, _ = asker.ask(vici, "refresh", {"refreshToken": token})
                if self.place.check_status(f"{what}: refresh", 200, answer):
                    token = vici.tokens(answer)[1]
                self.place.check_status(f"{what}: me", 200, asker.ask(vici, "me", bearer=person.access)[0])
                answered.append(time.monotonic())

        threads = [threading.Thread(target=use, args=(person,)) for person in people]
        for thread in threads:
            thread.start()
        time.sleep(0.3)
        break_it()
        time.sleep(seconds)
        mend_it()
        mended = time.monotonic()
        failed = len(self.journal.outages)
        while time.monotonic() - max([mended, *(outage.ended for outage in self.journal.outages)]) < QUIET:
            time.sleep(0.05)
            if time.monotonic() - mended > 3 * HEALED_WITHIN:
                break
        done.set()
        for thread in threads:
            thread.join()
        late = max((outage.ended - mended for outage in self.journal.outages), default=0)
        if fails:
            self.checks.that(f"{what}: requests fail", failed > 0, "503", "none")
        self.checks.that(f"{what}: it heals in time", late <= HEALED_WITHIN, f"{HEALED_WITHIN} s", f"{late:.2f} s")
        self.told_in_time(what)
        print(f"{what}: {failed} × 503, healed after {max(late, 0):.2f} s, {len(answered)} rounds", flush=True)

    def silence(self):
        # A request that the silence meets in the middle is given up after some 3.5 s.
        self.away("half-open, and new connections too", self.proxy.freeze, self.proxy.thaw, seconds=5)
        self.away("half-open, new connections pass", self.proxy.forget, lambda: None, fails=False)
        self.away("reset", self.proxy.reset, lambda: None, fails=False, seconds=0.5)

    def refusals(self):
        sql = self.database.sql
        end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'ostiary'"

        def altered(how):
            return lambda: (sql(f"ALTER ROLE ostiary {how}"), sql(end))

        self.away("no connection allowed", altered("CONNECTION LIMIT 0"), altered("CONNECTION LIMIT -1"))
        self.away("fewer connections than the pools want", altered("CONNECTION LIMIT 3"), altered("CONNECTION LIMIT -1"),
                  fails=False)
        self.away("another password", altered("PASSWORD 'another'"), altered(f"PASSWORD '{self.database.password}'"))
        self.away("read-only", altered("SET default_transaction_read_only = on"),
                  altered("RESET default_transaction_read_only"))

    def locked(self):
        """Another session holds locks on every table."""
        lock = ("DO $$ DECLARE name text; BEGIN FOR name IN SELECT quote_ident(schemaname) || '.' || quote_ident(tablename) "
                "FROM pg_tables WHERE tableowner = 'ostiary' LOOP EXECUTE 'LOCK TABLE ' || name || "
                f"' IN ACCESS EXCLUSIVE MODE'; END LOOP; PERFORM pg_sleep({AWAY}); END $$")
        holder = threading.Thread(target=self.database.sql, args=(lock,))
        self.away("tables are locked", holder.start, holder.join, seconds=0)

    def pool(self):
        """No fault has left connections behind."""
        def connections():
            return int(self.database.sql("SELECT count(*) FROM pg_stat_activity WHERE usename = 'ostiary'")[0][0])

        self.checks.that("the pools hold no more connections than they may", connections() <= 2 * 20, "40", connections())
        waiting = self.database.sql("SELECT count(*) FROM pg_stat_activity WHERE usename = 'ostiary' AND "
                                    "state LIKE 'idle in transaction%' AND state_change < now() - interval '5 s'")
        self.checks.equal("no transaction was left open", [["0"]], waiting)


def sections(faults, rounds):
    """The faults of each round: a single round omits the slow ones."""
    long = rounds > 1
    work = {f"write {skip + 1} is cut": lambda skip=skip: faults.cut(skip, MOMENTS if long else (LOCKED, LATE, AFTER))
            for skip in range(rounds)}
    if long:
        work["writes are cut for long"] = lambda: faults.cut_for_long((AFTER, LATE, SILENT))
    for seconds in (0.2, 1, 5) if long else (0.2,):
        work[f"latency of {seconds} s"] = lambda seconds=seconds: faults.latency(seconds)
    return work | {"silence": faults.silence, "refusals": faults.refusals, "locks": faults.locked,
                   "connections": faults.pool}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, help="path of the program `ostiary`")
    parser.add_argument("--rounds", type=int, default=3, help="which writes of a request are cut: the first so many")
    parser.add_argument("--only", nargs="+", metavar="SECTION", help="the sections that begin so")
    arguments = parser.parse_args()
    checks = Checks()
    with Guard() as guard, Post() as post:
        database = Database(guard)
        with FaultyPostgres(database.primary.port) as proxy:
            cluster = Cluster(arguments.program, guard, 2, lambda base: production(database.url(), base, post))
            cluster.nodes[0].configuration = cluster.nodes[0].configuration | {"store": database.url(port=proxy.port)}
            faults = Faults(database, proxy, cluster.start(), post, checks)
            checks.run("undisturbed", faults.undisturbed)
            for name, work in sections(faults, arguments.rounds).items():
                if not arguments.only or name.startswith(tuple(arguments.only)):
                    checks.run(name, work)
            cluster.stop(checks)
    return checks.close()


if __name__ == "__main__":
    sys.exit(needing(main, "postgres"))
