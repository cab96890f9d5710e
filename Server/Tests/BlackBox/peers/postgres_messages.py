"""A parser of PostgreSQL's protocol, limited to recognizing the messages of a commit.

Source: PostgreSQL documentation, chapter "Frontend/Backend Protocol", "Message Formats".
"""

import re
import struct
from dataclasses import dataclass, field

_WRITE = re.compile(r"\b(INSERT|UPDATE|DELETE|MERGE|CREATE|ALTER|DROP|TRUNCATE)\b", re.IGNORECASE)
_LOCK = re.compile(r"\bFOR\s+(NO\s+KEY\s+)?UPDATE\b", re.IGNORECASE)
_BEGIN = re.compile(r"^\s*(BEGIN|START\s+TRANSACTION)\b", re.IGNORECASE)
_COMMIT = re.compile(r"^\s*(COMMIT|END)\b", re.IGNORECASE)
_ROLLBACK = re.compile(r"^\s*(ROLLBACK|ABORT)\b", re.IGNORECASE)


@dataclass
class Unit:
    """The statements executed up to one Sync, or by one simple query."""
    texts: list = field(default_factory=list)
    commits_a_write: bool = False


class Frontend:
    """The messages of a client."""

    def __init__(self):
        self.buffer, self.begun = b"", False
        self.statements, self.portals = {}, {}
        self.unit = Unit()
        self.wrote = self.explicit = False

    def read(self, piece):
        """Returns whole messages, each with the unit that ends with it, or None."""
        self.buffer += piece
        while True:
            if not self.begun:
                if len(self.buffer) < 8:
                    return
                length, code = struct.unpack("!II", self.buffer[:8])
                if len(self.buffer) < length:
                    return
                # SSL, GSS encryption and cancel requests have codes of their own; the startup message or the end follows.
                self.begun = code >> 16 == 3
                yield self._take(length), None
            else:
                if len(self.buffer) < 5:
                    return
                length = 1 + struct.unpack("!I", self.buffer[1:5])[0]
                if len(self.buffer) < length:
                    return
                message = self._take(length)
                yield message, self._understand(message[:1], message[5:])

    def within_unit(self, message):
        """Returns True if more of the same unit certainly follows this message. A flush requests answers before that."""
        return self.begun and message[:1] in b"PBDEC"

    def _take(self, length):
        message, self.buffer = self.buffer[:length], self.buffer[length:]
        return message

    def _understand(self, kind, body):
        if kind == b"P":
            name, text = body.split(b"\0")[:2]
            self.statements[name] = text.decode("utf-8", "replace")
        elif kind == b"B":
            portal, name = body.split(b"\0")[:2]
            self.portals[portal] = name
        elif kind == b"E":
            self._execute(self.statements.get(self.portals.get(body.split(b"\0")[0]), ""))
        elif kind == b"Q":
            for text in body.rstrip(b"\0").decode("utf-8", "replace").split(";"):
                self._execute(text)
            return self._end()
        elif kind == b"S":
            return self._end()
        return None

    def _execute(self, text):
        if not text.strip():
            return
        self.unit.texts.append(text)
        if _BEGIN.match(text):
            self.explicit = True
        elif _COMMIT.match(text):
            self.unit.commits_a_write |= self.wrote
            self.explicit = self.wrote = False
        elif _ROLLBACK.match(text):
            self.explicit = self.wrote = False
        elif _WRITE.search(_LOCK.sub("", text)):
            self.wrote = True

    def _end(self):
        unit, self.unit = self.unit, Unit()
        if self.wrote and not self.explicit:
            unit.commits_a_write, self.wrote = True, False
        return unit


class Backend:
    """The messages of the database."""

    def __init__(self):
        self.buffer, self.begun = b"", False

    def read(self, piece):
        """Returns whole messages, each with whether it reports that a unit is done (ReadyForQuery)."""
        self.buffer += piece
        # The refusal of TLS or GSS is a single byte, before any message.
        while not self.begun and self.buffer:
            if self.buffer[:1] == b"N":
                self.buffer = self.buffer[1:]
                yield b"N", False
            else:
                self.begun = True
        while len(self.buffer) >= 5:
            length = 1 + struct.unpack("!I", self.buffer[1:5])[0]
            if len(self.buffer) < length:
                return
            message, self.buffer = self.buffer[:length], self.buffer[length:]
            yield message, message[:1] == b"Z"
