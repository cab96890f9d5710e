"""Simulated users at the nodes during a fault, and the invariants that must hold afterwards."""

import concurrent.futures
import contextlib
import random
import time
from dataclasses import dataclass

from apps import App
from drills.journal import Journal
from drills.people import Asker, Person

HEALED_WITHIN = 5  # Seconds from the moment that the database accepts writes again to the last failed request.
SAID_WITHIN = 2  # Seconds until a request is refused because the store is unavailable.
SLACK = 2.5  # Seconds that a request may take beyond that on a busy machine.
HASHED = ("login", "register", "reset")  # Operations that hash a password between two requests to the store …
HASHING = 3  # … which takes that many seconds at most if all users do so at once.
QUIET = 1.5  # Seconds without a failure after which the service counts as recovered.
REMEMBERED = 40
LATE = 130  # Seconds until another node delivers the messages of a killed one: its claim of 120 s, and the next poll.
NOT_ANSWERED = (None, 502)  # The results of a request at a node that is killed; nginx answers 502.


@dataclass
class Window:
    """The period in which requests may fail, and the allowed statuses."""
    what: str
    statuses: tuple
    since: float
    until: float = float("inf")

    def allows(self, outage):
        # A request that failed here began before the end of the period; it may have ended a little later.
        return outage.status in self.statuses and outage.ended >= self.since and outage.began <= self.until


class Load:
    def __init__(self, checks, bases, post, width, seed):
        """Users send requests to all of `bases`, the addresses of nodes or of a balancer, in turn."""
        self.checks, self.post, self.width, self.random = checks, post, width, random.Random(seed)
        self.journal, self.windows, self.people = Journal(), [], []
        self.worst = self.longest = 0
        self.apps = [{name: App(base, post, name) for name in ("vici", "barqnet")} for base in bases]
        self.people = [self._person(index) for index in range(width)]

    def _person(self, index):
        apps = self.apps[index % len(self.apps)]
        return Person(self.journal, apps["vici"], apps["barqnet"], self.post, self.random.random())

    @contextlib.contextmanager
    def running(self):
        """Runs the same users again, with the sessions that they have."""
        old, self.people = self.people, []
        for index, before in enumerate(old):
            person = self._person(index)
            person.members, person.sessions = before.members, before.sessions
            self.people.append(person)
        for person in self.people:
            person.start()
        try:
            yield
        finally:
            for person in self.people:
                person.leaving.set()
            for person in self.people:
                person.join()

    @contextlib.contextmanager
    def failing(self, what, *statuses):
        """Allows requests to fail, with one of these statuses, until the end of the `with`, which may set another end."""
        window = Window(what, statuses, time.monotonic())
        self.windows.append(window)
        yield window
        window.until = min(window.until, time.monotonic())

    def healed(self, since, patience=15):
        """Waits until no request fails any more; checks that the last failure came soon enough after `since`."""
        while True:
            now = time.monotonic()
            late = max((outage.ended - since for outage in self.journal.outages_since(since)), default=0)
            if now - since - late > QUIET or now - since > patience:
                break
            time.sleep(0.05)
        self.worst = max(self.worst, late)
        self.checks.that("it heals in time", late <= HEALED_WITHIN, f"{HEALED_WITHIN} s", f"{late:.2f} s")
        return late

    def examine(self):
        """Checks everything of the round, while no user sends requests."""
        for person in self.people:
            self.checks.equal("people see nothing unexpected", None, person.surprise)
        self.checks.none("whatever fails, nothing wrong is answered", self.journal.wrong[:5], len(self.journal.wrong))
        self.journal.wrong.clear()
        strange = [outage for outage in self.journal.outages if not any(each.allows(outage) for each in self.windows)]
        self.checks.that("requests fail only while something is broken", not strange, "none",
                         [f"{len(strange)} of {len(self.journal.outages)}", *strange[:2]])
        for hashing, limit in ((False, SAID_WITHIN + SLACK), (True, SAID_WITHIN + SLACK + HASHING)):
            slow = max((outage for outage in self.journal.outages
                        if outage.status == 503 and (outage.operation in HASHED) == hashing),
                       key=lambda outage: outage.ended - outage.began, default=None)
            seconds = slow.ended - slow.began if slow else 0
            self.longest = max(self.longest, seconds)
            self.checks.that("a request that fails is told so in time", seconds <= limit,
                             f"{SAID_WITHIN} s, on a busy machine {limit} s", f"{seconds:.2f} s {slow}")
        self.journal.outages.clear()
        self.windows.clear()
        self.holds(REMEMBERED)

    def holds(self, count=None):
        """Checks that the acknowledged data exists: all active sessions, and the newest `count` of the rest with as many again."""
        asker = Asker(self.journal)
        wrong = self.journal.wrong

        def alive(session):
            app = session.member.app
            answer, _ = asker.ask(app, "refresh", {next(iter(app["refresh"].fields)): session.refresh})
            if answer.status != 200:
                return self.journal.complain(f"a session that nobody ended: {answer}")
            session.access, session.refresh = app.tokens(answer)

        def signs_in(member):
            answer, _ = asker.ask(member.app, "login", member.credentials)
            if answer.status != 200:
                self.journal.complain(f"an account that was acknowledged, signing in: {answer}")

        def spent(use):
            app, operation, body, statuses = use
            answer, _ = asker.ask(app, operation, body)
            if answer.status not in statuses:
                self.journal.complain(f"{operation} with what was spent: {answer}")

        some = self._some
        with concurrent.futures.ThreadPoolExecutor(self.width) as pool:
            for work, things in ((alive, self.journal.sessions), (self.people[0].see_dead, some(self.journal.ended, count)),
                                 (signs_in, some(self.journal.members, count and count // 4)),
                                 (spent, some(self.journal.spent, count and count // 4))):
                list(pool.map(work, things))
        self.checks.none("what was acknowledged is there", wrong[:5], len(wrong))
        wrong.clear()

    def _some(self, items, count):
        if count is None:
            return list(items)
        return items[-count:] + self.random.sample(items[:-count], min(count, len(items[:-count])))

    def messages(self, late):
        """Checks that another node delivers the messages of a killed one after `late` seconds at most."""
        awaited = self.journal.awaited
        if awaited and not late:
            return print(f"not checked: {len(awaited)} messages that did not come soon")
        for to, count, holds, since in awaited:
            left = max(0, since + late - time.monotonic())
            try:
                self.post.wait(None, to, count, left, holds)
                came = "a message"
            except RuntimeError as error:
                came = str(error)
            self.checks.equal(f"a message that was promised comes within {late:g} s", "a message", came)

    def close(self, late=0):
        """Checks everything once more, and prints the figures."""
        self.holds()
        self.messages(late)
        journal = self.journal
        print(f"{journal.acknowledged} acknowledgements, {len(journal.members)} accounts, {len(journal.sessions)} sessions "
              f"alive, {len(journal.ended)} ended; healed after {self.worst:.2f} s at most, "
              f"a 503 took {self.longest:.2f} s at most", flush=True)
