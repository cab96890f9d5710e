"""Databases with a given number of accounts, the nodes that serve them, and the figures of pgbench on the same server."""

import base64
import json
import os
import random
import re
import secrets
import subprocess
import time

from made_tokens import access_token, refresh_token
from programs import CONFIGURATION, HERE, OSTIARY, Load, ostiary

PASSWORD = "correct horse battery staple"
VICI = "/vici/api/auth"
# Of one node; two share them.
LOOKING, REFRESHING, SIGNING_IN = 32, 64, 4 * (os.cpu_count() or 2)
# The number of a node's connections to PostgreSQL.
POOL = 16
TABLES = ["account", "account_name", "session", "generation_use"]


def credentials(number):
    return {"email": f"person-{number}@example.com", "password": PASSWORD}


class Population:
    """A database with a given number of accounts, a session each, and nodes that serve it."""

    def __init__(self, postgres, name, count, directory, password_hash, program=OSTIARY):
        """`password_hash` is the hash of `PASSWORD`, which all accounts share."""
        self.postgres, self.name, self.count, self.directory = postgres, name, count, directory
        self.program = program
        self.password = postgres.database(name)
        self.secrets = {"jwt_secret": secrets.token_urlsafe(32), "jwt_refresh_secret": secrets.token_urlsafe(32)}
        self.key = base64.b64encode(secrets.token_bytes(32)).decode()
        self.nodes, self.people = [], []
        self.node("first").stop()  # It creates the tables.
        began = time.monotonic()
        self.psql("--set", f"accounts={count}", "--set", "sessions=1", "--set", f"hash={password_hash}", "--file",
                  str(HERE / "population.sql"))
        print(f"{count:,} accounts and sessions made in {time.monotonic() - began:.0f} s", flush=True)

    def psql(self, *words):
        done = subprocess.run(
            [f"{self.postgres.binaries}/psql", "--no-psqlrc", "--quiet", "--no-align", "--tuples-only", *words],
            env=environment(self.postgres, self.name, self.password), capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"psql: {done.stderr}")
        return done.stdout.strip()

    def sizes(self):
        """Bytes of each table with its indexes."""
        return {table: int(self.psql("--command", f"SELECT pg_total_relation_size('{table}')")) for table in TABLES}

    def node(self, name):
        store = f"postgres://{self.name}:{self.password}@127.0.0.1:{self.postgres.port}/{self.name}?pool_size={POOL}"
        return ostiary(self.directory / f"{self.name}-{name}", CONFIGURATION | {
            "store": store, "encryption_key": self.key,
            "apps": {"vici": CONFIGURATION["apps"]["vici"] | self.secrets}}, self.program)

    def begin(self):
        """Starts two nodes, and selects the accounts of the load, so that no account is in two roles."""
        people = random.Random(self.count).sample(range(1, self.count + 1), min(self.count, 17_000))
        self.people, looking, people = people[:200], people[200:500], people[500:]
        self.write("sign-in", (json.dumps(credentials(each)) for each in self.people))
        self.write("bearer", (access_token(each, self.secrets["jwt_secret"]) for each in looking))
        half, quarter = len(people) // 2, len(people) // 4
        for name, group in [("refresh", people[:half]), ("refresh-0", people[half:half + quarter]),
                            ("refresh-1", people[half + quarter:])]:
            self.write(name, (refresh_token(each, self.secrets["jwt_refresh_secret"]) for each in group))
        self.nodes = [self.node("one"), self.node("two")]

    def write(self, name, lines):
        self.file(name).write_text("".join(f"{line}\n" for line in lines))

    def file(self, name):
        return self.directory / f"{self.name}-{name}"

    def end(self):
        for node in self.nodes:
            node.stop()

    # Requests a second of the first `count` nodes, concurrently.

    def me(self, count):
        return self.rate(count, lambda node, number: Load(
            f"{node}/me", 3, LOOKING // count, "bearer", self.file("bearer")))

    def refresh(self, count):
        share = REFRESHING // count
        return self.rate(count, lambda node, number: Load(
            f"{node}/refresh-token", 3, share, "refresh", self.file("refresh" if count == 1 else f"refresh-{number}"),
            "refreshToken", share, threads=share))

    def sign_in(self, count):
        rate = self.rate(count, lambda node, number: Load(
            f"{node}/login", 5, SIGNING_IN // count, "sign-in", self.file("sign-in")))
        for node in self.nodes[:count]:
            # Waits for the sign-ins that wrk left behind: this one is queued after them.
            node.ask("POST", f"{VICI}/login", credentials(self.people[0]))
        return rate

    def rate(self, count, load):
        loads = [load(f"http://127.0.0.1:{node.port}{VICI}", number) for number, node in enumerate(self.nodes[:count])]
        return sum(each.result()["rate"] for each in loads)


def environment(postgres, name, password):
    """The environment by which PostgreSQL's programs find a database."""
    return os.environ | {"PGHOST": "127.0.0.1", "PGPORT": str(postgres.port), "PGUSER": name, "PGDATABASE": name,
                         "PGPASSWORD": password}


class BarePeer:
    """pgbench: prepared statements by primary key, over as many connections as a node has, in a table with as many rows."""

    def __init__(self, postgres, rows, directory):
        self.postgres, self.rows, self.directory = postgres, rows, directory
        self.password = postgres.database("bare")
        postgres.sql(
            "SET ROLE bare; CREATE TABLE session (number bigint PRIMARY KEY, generation bigint NOT NULL, rest text NOT NULL)"
            " WITH (fillfactor = 80);"
            f"INSERT INTO session SELECT n, 0, repeat('x', 300) FROM generate_series(1, {rows}) n", "bare")
        postgres.sql("VACUUM (ANALYZE) session", "bare")

    def rate(self, statement, seconds=3):
        script = self.directory / "bare.sql"
        script.write_text(f"\\set number random(1, {self.rows})\n{statement};\n")
        done = subprocess.run(
            [f"{self.postgres.binaries}/pgbench", "--no-vacuum", "--protocol", "prepared", "--client", str(POOL), "--jobs",
             "2", "--time", str(seconds), "--file", str(script)], capture_output=True, text=True,
            env=environment(self.postgres, "bare", self.password))
        found = re.search(r"^tps = ([\d.]+)", done.stdout, re.MULTILINE)
        if done.returncode or not found:
            raise SystemExit(f"pgbench: {done.stdout}{done.stderr}")
        return float(found[1])

    def reads(self):
        return self.rate("SELECT generation, rest FROM session WHERE number = :number")

    def writes(self):
        return self.rate("UPDATE session SET generation = generation + 1 WHERE number = :number")
