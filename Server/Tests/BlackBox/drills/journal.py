"""What servers have acknowledged, and when they did not answer."""

import threading
import time
from dataclasses import dataclass, field


@dataclass(eq=False)
class Member:
    """An account as its owner knows it."""
    app: object
    credentials: dict
    sessions: list = field(default_factory=list)
    reset_at: float = 0  # When a reset was asked for last.

    @property
    def address(self):
        return self.credentials[self.app.contract.identifier]


@dataclass(eq=False)
class Session:
    member: Member
    access: str
    refresh: str
    spent: str | None = None  # The refresh token before the current one.


@dataclass(frozen=True)
class Outage:
    """One request that got no answer, or 502 to 504."""
    began: float
    ended: float
    operation: str
    status: int | None
    said: str


class Journal:
    def __init__(self):
        self.lock = threading.Lock()
        self.members, self.sessions, self.ended, self.spent = [], [], [], []
        self.outages, self.wrong, self.acknowledged = [], [], 0
        self.awaited = []  # Messages that were promised and did not come soon: to whom, how many, with what, since when.

    def note(self, kept, *things):
        """One more acknowledgement: `things` go to the list `kept`."""
        with self.lock:
            kept.extend(things)
            self.acknowledged += 1

    def outage(self, began, operation, status, said):
        with self.lock:
            self.outages.append(Outage(began, time.monotonic(), operation, status, said))

    def complain(self, text):
        """Something that must never be, whatever fails."""
        with self.lock:
            self.wrong.append(text)

    def outages_since(self, moment):
        with self.lock:
            return [outage for outage in self.outages if outage.ended >= moment]
