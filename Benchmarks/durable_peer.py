"""Bare SQLite: the statements of one rotation, each rotation with a durable commit of its own."""

import sqlite3
import time

SCHEMA = """
CREATE TABLE account (
    number INTEGER PRIMARY KEY, app TEXT NOT NULL, id TEXT NOT NULL, is_active BOOLEAN NOT NULL, UNIQUE (app, id));
CREATE TABLE session (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, app TEXT NOT NULL, account_id TEXT NOT NULL,
    generation INTEGER NOT NULL, generation_issued_at INTEGER NOT NULL, last_used_at INTEGER NOT NULL,
    idle_ends_at INTEGER NOT NULL, first_used_at INTEGER, revoked_at INTEGER);
CREATE TABLE generation_use (
    session INTEGER NOT NULL, generation INTEGER NOT NULL, first_used_at INTEGER NOT NULL,
    PRIMARY KEY (session, generation)) WITHOUT ROWID;
"""


class DurablePeer:
    def __init__(self, path, sessions):
        self.ids = [f"session-{number:016}" for number in range(sessions)]
        self.database = sqlite3.connect(path, isolation_level=None)
        self.database.execute("PRAGMA journal_mode = WAL")
        self.database.execute("PRAGMA synchronous = FULL")
        self.database.execute("PRAGMA wal_autocheckpoint = 8192")
        self.database.executescript(SCHEMA)
        for number, session in enumerate(self.ids):
            self.database.execute("INSERT INTO account VALUES (?, 'vici', ?, TRUE)", (number, f"account-{number}"))
            self.database.execute(
                "INSERT INTO session VALUES (?, ?, 'vici', ?, 0, 0, 0, 0, NULL, NULL)",
                (number, session, f"account-{number}"))

    def rotations_a_second(self, seconds):
        start = time.monotonic()
        count = 0
        while (elapsed := time.monotonic() - start) < seconds:
            self.rotate(self.ids[count % len(self.ids)], int(time.time() * 1000))
            count += 1
        return count / elapsed

    def rotate(self, session, now):
        run = self.database.execute
        run("BEGIN IMMEDIATE")
        number, generation, first_used_at = run(
            "SELECT s.number, s.generation, s.first_used_at FROM session s"
            " JOIN account a ON a.app = s.app AND a.id = s.account_id WHERE s.id = ? AND s.app = 'vici'",
            (session,)).fetchone()
        run("UPDATE session SET generation = generation + 1, generation_issued_at = ?1, last_used_at = ?1,"
            " idle_ends_at = ?1 + 604800000, first_used_at = NULL"
            " WHERE number = ?2 AND generation = ?3 AND revoked_at IS NULL", (now, number, generation))
        run("DELETE FROM generation_use WHERE session = ? AND first_used_at < ?", (number, now - 30_000))
        run("INSERT INTO generation_use VALUES (?, ?, ?)", (number, generation, first_used_at or now))
        run("COMMIT")

    def close(self):
        self.database.close()
