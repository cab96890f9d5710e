"""The operations that servers have acknowledged, and the times without an answer."""

import threading
import time
from dataclasses import dataclass, field


@dataclass(eq=False)
class Member:
    """An account as its owner knows it."""
    app: object
    credentials: dict
    sessions: list = field(default_factory=list)
    reset_at: float = 0  # The time of the latest reset request.

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
        self.awaited = []  # Messages that were promised and did not arrive soon: recipient, number, content, and since when.

    def note(self, kept, *things):
        """Records one more acknowledgement: `things` are added to the list `kept`."""
        with self.lock:
            kept.extend(things)
            self.acknowledged += 1

    def outage(self, began, operation, status, said):
        with self.lock:
            self.outages.append(Outage(began, time.monotonic(), operation, status, said))

    def complain(self, text):
        """Records a violation of an invariant that must hold during every fault."""
        with self.lock:
            self.wrong.append(text)

    def outages_since(self, moment):
        with self.lock:
            return [outage for outage in self.outages if outage.ended >= moment]
