#!/usr/bin/env python3
"""A store of one version, kept for later ones: people with passwords, sessions and second factors, on SQLite and on PostgreSQL.

  upgrade_fixture.py --program PATH --to Server/Tests/Upgrades/VERSION

Makes the folder: `ostiary.json` (the configuration), `sqlite.sql` and `postgres.sql` (the stores as statements), `people.json` (the
clients' secrets). The secrets are for tests alone. Tokens live for nearly ten years.
"""

import argparse
import base64
import json
import re
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

from apps import App
from checks import Checks
from peers import postgres
from second_factors import SecondFactors
from server import Server, clean_environment

NEARLY_TEN_YEARS = 3649 * 86_400  # The longest that the configuration accepts.
CONTRACTS = ("vici", "clarity")
PASSWORD = "Quiet-upgrade-fixture-harbour"
# Not the port of a server: tokens name it as their issuer, wherever they are presented.
PUBLIC_URL = "http://127.0.0.1:3001"
TOKENS = {"access": NEARLY_TEN_YEARS, "refresh": NEARLY_TEN_YEARS}
SESSIONS = {"idle": NEARLY_TEN_YEARS, "absolute": NEARLY_TEN_YEARS}
# Of the dump's settings, which depend on PostgreSQL's version; its comments; and its psql commands.
LEFT_OUT = re.compile(r"^(SET (?!check_function_bodies)|SELECT pg_catalog\.set_config|--|\\|$)")


def configuration(program):
    """Keys that every version knows, and the longest lifetimes of those that limit sessions."""
    vici = {"contract": "vici", "base_path": "/vici", "identity": {"kind": "local"},
            "jwt_secret": "upgrade-fixture-vici-access-secret", "jwt_refresh_secret": "upgrade-fixture-vici-refresh-secret"}
    clarity = {"contract": "clarity", "base_path": "/clarity", "identity": {"kind": "local"}}
    vici["tokens"], clarity["tokens"] = TOKENS, TOKENS | {"refresh_short": NEARLY_TEN_YEARS}
    whole = {"mode": "development", "public_url": PUBLIC_URL,
             "encryption_key": base64.b64encode(b"upgrade-fixture-encryption-key-1").decode(),
             "apps": {"vici": vici | {"sessions": SESSIONS}, "clarity": clarity | {"sessions": SESSIONS}}}
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        json.dump(whole, file, indent=2)
        file.flush()
        checked = subprocess.run([program, "config", "check", "--config", file.name], capture_output=True, text=True,
                                 env=clean_environment())
    if "apps.vici.sessions: is not a known key" in checked.stderr:
        whole["apps"] = {"vici": vici, "clarity": clarity}
    return whole


class Fixture:
    """The files of a version."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.name = self.folder.name

    @property
    def configuration(self):
        return json.loads((self.folder / "ostiary.json").read_text())

    @property
    def people(self):
        return json.loads((self.folder / "people.json").read_text())

    def restore_sqlite(self, file):
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file.touch(mode=0o600)
        database = sqlite3.connect(file)
        database.executescript((self.folder / "sqlite.sql").read_text())
        database.close()

    def restore_postgres(self, cluster, name):
        """Returns the URL of a new database with the tables."""
        password = cluster.database(name)
        url = postgres.url([cluster], name, password)
        psql(cluster, url, (self.folder / "postgres.sql").read_text())
        return url


def psql(cluster, url, text):
    done = subprocess.run(
        [f"{cluster.binaries}/psql", "--no-psqlrc", "--quiet", "--set", "ON_ERROR_STOP=1", "--dbname", url, "--file", "-"],
        input=text, capture_output=True, text=True, timeout=60)
    if done.returncode:
        raise RuntimeError(done.stderr)


def fixtures():
    """Returns the fixtures of all versions, the oldest first."""
    folders = (Path(__file__).resolve().parent.parent / "Upgrades").iterdir()
    return [Fixture(folder) for folder in sorted(folders) if (folder / "people.json").exists()]


# Making

def signed_up(server, checks):
    """Returns what the people of each app hold."""
    held = {}
    for name in CONTRACTS:
        app = App(server.wire, server.inbox, name)
        plain = app.register(email=f"plain@{name}.example", password=PASSWORD)
        careful = app.register(email=f"careful@{name}.example", password=PASSWORD)
        _, authenticator, codes = SecondFactors(server, name, checks).enrolled(careful)
        # The first refresh token is superseded, so that the fixture has a session with a history.
        access, refresh = app.refreshed(plain.refresh)
        held[name] = {"plain": plain.credentials | {"id": plain.user["id"], "access": access, "refresh": refresh},
                      "careful": careful.credentials | {"totp": authenticator.totp.secret, "recovery_codes": codes,
                                                        "refresh": careful.refresh}}
    return held


def sqlite_dump(file):
    database = sqlite3.connect(file)
    pragmas = [f"PRAGMA {name} = {database.execute(f'PRAGMA {name}').fetchone()[0]};"
               for name in ("application_id", "user_version")]
    text = "\n".join([*pragmas, *database.iterdump()]) + "\n"
    database.close()
    return text


def postgres_dump(cluster, url):
    done = subprocess.run([f"{cluster.binaries}/pg_dump", "--no-owner", "--no-privileges", "--inserts", "--dbname", url],
                          capture_output=True, text=True, check=True)
    return "\n".join(line for line in done.stdout.splitlines() if not LEFT_OUT.match(line)) + "\n"


def make(program, folder, checks):
    folder.mkdir(parents=True, exist_ok=True)
    settings, people = configuration(program), {}
    (folder / "ostiary.json").write_text(json.dumps(settings, indent=2) + "\n")
    with tempfile.TemporaryDirectory(prefix="ostiary-") as directory, postgres.serving() as cluster:
        url = postgres.url([cluster], "ostiary", cluster.database())
        for store, more in (("sqlite", {}), ("postgres", {"store": url})):
            place = Path(directory) / store
            place.mkdir()
            server = Server(program, place, settings | more)
            server.start()
            people[store] = signed_up(server, checks)
            checks.equal(f"SIGTERM ends the server on {store}", 0, server.stop())
        (folder / "sqlite.sql").write_text(sqlite_dump(Path(directory) / "sqlite" / "data" / "ostiary.db"))
        (folder / "postgres.sql").write_text(postgres_dump(cluster, url))
    (folder / "people.json").write_text(json.dumps(people, indent=2) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, help="path of the program `ostiary`")
    parser.add_argument("--to", required=True, type=Path, metavar="FOLDER")
    arguments = parser.parse_args()
    checks = Checks()
    checks.run("the fixture", lambda: make(arguments.program, arguments.to, checks))
    return checks.close()


if __name__ == "__main__":
    sys.exit(main())
