#!/usr/bin/env python3
"""Kills the program (SIGKILL) during mixed writes; every acknowledged write must exist after the next start.

  durability.py --program PATH [--rounds 50] [--seed N] [--store postgres]

Rows ST-01 and ST-09. Each round: start on the same data directory within 2 s, check everything acknowledged before,
write from several threads, kill 5 to 500 ms later, check the database's integrity on a copy (SQLite).
"""

import argparse
import contextlib
import http.client
import random
import shutil
import sqlite3
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from apps import App
from checks import Checks
from drills.cluster import Database, Node, encryption_key
from drills.stage import needed, options
from peers.guard import Guard
from server import app, development

THREADS, SESSIONS_EACH, REMEMBERED = 4, 4, 25
READY_WITHIN = 2


@dataclass(eq=False)
class Held:
    """One session from its client's perspective."""
    person: object
    spent: str | None  # The refresh token before the current one.
    current: str
    access: str
    pending: str | None = None  # A request that was sent and has no answer yet: "refresh" or "logout".


class Ledger:
    """The operations that the server has acknowledged. Each thread writes to its own sessions; the lists are only appended to."""

    def __init__(self):
        self.people, self.sessions, self.ended, self.unanswered = [], [], [], []
        self.acknowledged = 0


class Writer(threading.Thread):
    """Refreshes, signs out and registers until the server is killed."""

    def __init__(self, app, ledger, sessions, seed, registers):
        super().__init__()
        self.app, self.ledger, self.sessions = app, ledger, sessions
        self.random, self.registers, self.acknowledged = random.Random(seed), registers, 0
        self.surprise = None

    def run(self):
        try:
            while True:
                if self.registers and self.random.random() < 0.2:
                    self.register()
                elif self.sessions:
                    self.use(self.random.choice(self.sessions))
                else:
                    self.register()
        except (OSError, http.client.HTTPException):
            pass  # Killed: the acknowledged operations are in the ledger.
        except Exception as error:
            self.surprise = error

    def register(self):
        body = self.app.newcomer()
        self.ledger.unanswered.append(body)
        self.ledger.people.append(self.app.person_from(self.app.call("register", body), body))
        self.ledger.unanswered.remove(body)
        self.acknowledged += 1

    def use(self, held):
        if self.random.random() < 0.05:
            held.pending = "logout"
            answer = self.app.call("logout", {"refreshToken": held.current})
            if answer.status != 200:
                raise RuntimeError(f"logout: {answer}")
            self.ledger.ended.append(held)
            self.sessions.remove(held)
            self.ledger.sessions.remove(held)
        else:
            held.pending = "refresh"
            held.access, successor = self.app.refreshed(held.current)
            held.spent, held.current = held.current, successor
        held.pending = None
        self.acknowledged += 1


class Durability:
    def __init__(self, server, checks, seed, in_file=True):
        self.in_file = in_file
        self.server, self.checks, self.random = server, checks, random.Random(seed)
        self.app = App(server.wire, server.inbox, "vici")
        self.ledger = Ledger()

    def round(self):
        seconds = self.server.start()
        self.checks.that("ready in time", seconds <= READY_WITHIN, f"{READY_WITHIN} s", f"{seconds:.2f} s")
        self.verify()
        self.top_up()
        delay = self.random.uniform(0.005, 0.5)
        writers = [Writer(self.app, self.ledger, self.ledger.sessions[index::THREADS], self.random.random(), index == 0)
                   for index in range(THREADS)]
        for writer in writers:
            writer.start()
        time.sleep(delay)
        self.server.kill()
        for writer in writers:
            writer.join()
            self.checks.equal("writers see no other failure than the kill", None, writer.surprise)
        acknowledged = sum(writer.acknowledged for writer in writers)
        self.ledger.acknowledged += acknowledged
        print(f"killed after {delay * 1000:.0f} ms and {acknowledged} acknowledgements")
        if self.in_file:
            self.integrity()

    def verify(self):
        for held in list(self.ledger.sessions):
            self.session(held)
        for held in self.some(self.ledger.ended):
            self.checks.that("an acknowledged sign-out holds", not self.app.accepts(held.access)
                             and self.app.refresh(held.current).status == 401, "dead tokens", "a live one")
        for person in self.some(self.ledger.people, 4):
            self.checks.equal("an acknowledged registration signs in", 200,
                              self.app.call("login", person.credentials).status)
        for body in self.ledger.unanswered:
            again = self.app.call("register", body).status
            credentials = {key: body[key] for key in ("email", "password")}
            self.checks.that("an unanswered registration happened wholly or not at all", again in (201, 409)
                             and self.app.call("login", credentials).status == 200, "201 or 409, then a sign-in", again)
        self.ledger.unanswered.clear()

    def session(self, held):
        """Checks that the latest acknowledged token is the session's current one, unless a request was in progress."""
        if held.pending == "logout":
            self.ledger.sessions.remove(held)
            if self.app.refresh(held.current).status == 401:
                self.ledger.ended.append(held)
            return
        if held.pending is None and held.spent:
            answer = self.app.refresh(held.spent)
            came = self.app.tokens(answer)[1] if answer.status == 200 else answer
            self.checks.equal("an acknowledged refresh holds: the spent token is answered with its successor",
                              held.current, came)
        answer = self.app.refresh(held.current)
        if self.checks.equal("the refresh token acknowledged last is answered", 200, answer.status):
            held.access, successor = self.app.tokens(answer)
            held.spent, held.current, held.pending = held.current, successor, None
        else:
            self.ledger.sessions.remove(held)

    def some(self, items, count=REMEMBERED):
        """Returns the newest, and as many again of all."""
        return items[-count:] + self.random.sample(items[:-count], min(count, len(items[:-count])))

    def top_up(self):
        if not self.ledger.people:
            self.ledger.people.extend(self.app.register() for _ in range(3))
        while len(self.ledger.sessions) < THREADS * SESSIONS_EACH:
            person = self.app.sign_in(self.random.choice(self.ledger.people[:3]))
            self.ledger.sessions.append(Held(person, None, person.refresh, person.access))

    def integrity(self):
        databases = [path for path in self.server.data.rglob("*") if path.is_file()
                     and path.read_bytes()[:16] == b"SQLite format 3\0"]
        self.checks.that("there is a database", databases, "one", "none")
        with tempfile.TemporaryDirectory(prefix="ostiary-copy-") as copies:
            for database in databases:
                for suffix in ("", "-wal"):
                    source = database.with_name(database.name + suffix)
                    if source.exists():
                        shutil.copy(source, copies)
                with contextlib.closing(sqlite3.connect(Path(copies) / database.name)) as copy:
                    self.checks.equal(f"integrity of {database.name}", [("ok",)],
                                      copy.execute("PRAGMA integrity_check").fetchall())
                    self.checks.equal(f"foreign keys of {database.name}", [],
                                      copy.execute("PRAGMA foreign_key_check").fetchall())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, help="path of the program `ostiary`")
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    options(parser)
    arguments = parser.parse_args()
    return needed(arguments, lambda: run(arguments))


def run(arguments):
    print(f"seed {arguments.seed}")
    checks = Checks()
    with Guard() as guard:
        configuration, in_file = development(vici=app("vici")), arguments.store == "sqlite"
        if not in_file:
            configuration |= {"store": Database(guard).url(), "encryption_key": encryption_key()}
        server = Node(arguments.program, guard, "node", configuration)
        durability = Durability(server, checks, arguments.seed, in_file)
        try:
            for number in range(1, arguments.rounds + 1):
                checks.run(f"round {number}", durability.round)
            checks.section = "the end"
            server.start()
            durability.verify()
            checks.equal("SIGTERM ends it with exit status 0", 0, server.stop())
        finally:
            if server.process and server.lives:
                server.kill()
    print(f"{durability.ledger.acknowledged} acknowledged writes over {arguments.rounds} rounds")
    return checks.close()


if __name__ == "__main__":
    sys.exit(main())
