"""A SQLite database with a given number of accounts and a session each, as `population.sql` makes it on PostgreSQL."""

import hashlib
import secrets
import sqlite3
import time

from programs import CONFIGURATION, ostiary

DAY = 86_400_000
NUMBERS = "WITH RECURSIVE numbers(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM numbers WHERE n < :accounts) "
ACCOUNTS = NUMBERS + """
INSERT INTO account (
    app, id, email, full_name, password_hash, roles, is_active, provider, is_email_verified, credential_version, created_at)
SELECT 'vici', hashed_id('account-' || n), 'person-' || n || '@example.com', 'Person ' || n, :hash, '[]', TRUE,
    'local', TRUE, 0, :now - 86400000
FROM numbers"""
NAMES = "INSERT INTO account_name (app, name, account_id) SELECT app, email, id FROM account WHERE app = 'vici'"
SESSIONS = NUMBERS + """
INSERT INTO session (
    id, app, account_id, created_at, last_used_at, idle_seconds, idle_ends_at, ends_at, generation, generation_issued_at,
    first_used_at, device_id, platform, os_version, app_version, address, user_agent)
SELECT hashed_id('session-' || n || '-1'), 'vici', hashed_id('account-' || n), born, born, 604800, born + 604800000,
    born + 31536000000, 0, born, born, hashed_id('device-' || n || '-1'), 'iOS', '18.2', '4.1.0',
    '198.51.' || (n / 256 % 256) || '.' || (n % 256), 'Vici/4.1.0 (iPhone; iOS 18.2)'
FROM (SELECT n, :now - (n * 7919 + 1) % 259200000 AS born FROM numbers)"""


def hashed_id(text):
    digest = hashlib.md5(text.encode()).hexdigest()
    return f"{digest[:8]}-{digest[8:12]}-{digest[12:16]}-{digest[16:20]}-{digest[20:]}"


class SQLitePopulation:
    """A data directory with the accounts, and the server on it."""

    def __init__(self, directory, program, count, password_hash):
        self.program, self.count, self.data = program, count, directory / f"sqlite-{count}"
        self.secrets = {"jwt_secret": secrets.token_urlsafe(32), "jwt_refresh_secret": secrets.token_urlsafe(32)}
        self.file = self.data / "ostiary.db"
        self.serve().stop()  # It creates the tables.
        began = time.monotonic()
        self.fill(password_hash)
        print(f"SQLite: {count:,} accounts and sessions made in {time.monotonic() - began:.0f} s, "
              f"{self.file.stat().st_size / 1e9:.1f} GB", flush=True)

    def serve(self):
        return ostiary(self.data, CONFIGURATION | {"apps": {"vici": CONFIGURATION["apps"]["vici"] | self.secrets}}, self.program)

    def database_nanoseconds(self):
        """SQLite runs in the server."""
        return 0

    def bytes(self):
        return sum(file.stat().st_size for file in self.data.glob("ostiary.db*"))

    def fill(self, password_hash):
        """Indexes and triggers are made anew afterwards: sorting is faster, and no trigger has anything to do."""
        with sqlite3.connect(self.file, isolation_level=None) as database:
            database.create_function("hashed_id", 1, hashed_id, deterministic=True)
            for setting in ("journal_mode = OFF", "synchronous = OFF", "foreign_keys = OFF", "cache_size = -3000000"):
                database.execute(f"PRAGMA {setting}")
            later = database.execute(
                "SELECT type, name, sql FROM sqlite_master WHERE type IN ('index', 'trigger') AND sql IS NOT NULL"
                " AND tbl_name IN ('account', 'account_name', 'session')").fetchall()
            values = {"accounts": self.count, "hash": password_hash, "now": int(time.time() * 1000)}
            database.execute("BEGIN")
            for kind, name, _ in later:
                database.execute(f"DROP {kind} {name}")
            for statement in (ACCOUNTS, NAMES, SESSIONS):
                database.execute(statement, {name: value for name, value in values.items() if f":{name}" in statement})
            for *_, statement in sorted(later):
                database.execute(statement)
            database.execute("COMMIT")
            database.execute("PRAGMA journal_mode = WAL")
        database.close()
