#!/usr/bin/env python3
"""Changes the encryption key, the secrets of tokens and, by schedule, signing keys: nobody is signed out, and no stored value
needs the old ones afterwards.

  key_rotation.py --program PATH [--store postgres]
"""

import argparse
import base64
import contextlib
import json
import secrets
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from apps import App
from checks import Checks
from commandlines.store import eventually
from drills.needing import needing
from peers import postgres
from second_factors import SecondFactors
from server import Server, app, clean_environment, development
from wire import Wire

CONTRACTS = ("vici", "clarity")


def key():
    return base64.b64encode(secrets.token_bytes(32)).decode()


class Installation:
    """One server, or two on one database."""

    def __init__(self, program, directory, url, sql):
        self.sql = sql
        self.keys = [key()]
        self.configuration = development(**{name: app(name) for name in CONTRACTS}) | {
            "encryption_key": self.keys[0], "idp": {}}
        if url:
            self.configuration["store"] = url
        self.servers = []
        for number in range(2 if url else 1):
            folder = Path(directory) / str(number)
            folder.mkdir()
            self.servers.append(Server(program, folder, dict(self.configuration)))
        for server in self.servers[1:]:
            server.base = self.servers[0].base

    @property
    def first(self):
        return self.servers[0]

    def start(self):
        for server in self.servers:
            base, server.base = server.base, f"http://127.0.0.1:{server.port}"
            server.configuration["public_url"] = base
            server.start()
            server.base = base

    def configure(self, **settings):
        """Restarts the servers one by one with other keys."""
        for server in self.servers:
            server.stop()
            for name in [name for name, value in settings.items() if value is None]:
                server.configuration.pop(name, None)
            server.configuration |= {name: value for name, value in settings.items() if value is not None}
            server.start() if server is self.first else self.start_other(server)

    def start_other(self, server):
        base, server.base = server.base, f"http://127.0.0.1:{server.port}"
        server.start()
        server.base = base

    def aged(self, change, **settings):
        """Restarts the servers after a change of the stored keys of clarity, in place of the days that pass."""
        for server in self.servers:
            server.stop()
            server.configuration |= settings
        statement = f"UPDATE signing_key SET {change} AND app = 'clarity'"
        if self.sql:
            self.sql(statement)
        else:
            with contextlib.closing(sqlite3.connect(self.first.data / "ostiary.db")) as database:
                database.execute(statement)
                database.commit()
        # Together, so that both look for keys that are due.
        threads = [threading.Thread(target=self.start_other, args=[server]) for server in self.servers]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def stop(self):
        return [server.stop() for server in self.servers if server.process and server.lives]


def rotate(server, *options):
    done = server.command("keys", "rotate-encryption", "--json", *options)
    lines = json.loads(done.stdout) if done.stdout else []
    totals = {name: sum(line[name] for line in lines) for name in ("current", "earlier", "unreadable")}
    return done.returncode, totals, done.stderr


def rotation(installation, checks):
    first = installation.first
    apps = {name: App(first.wire, first.inbox, name) for name in CONTRACTS}
    people = [(name, apps[name].register()) for name in CONTRACTS for _ in range(3)]
    sessions = [(name, *apps[name].refreshed(person.refresh)) for name, person in people]

    def still_signed_in(when):
        nonlocal sessions
        for name, access, _ in sessions:
            checks.that(f"{when}: {name}: the access token is accepted", apps[name].accepts(access))
        sessions = [(name, *apps[name].refreshed(refresh)) for name, _, refresh in sessions]

    factors = SecondFactors(first, "clarity", checks)
    careful = apps["clarity"].register()
    _, authenticator, codes = factors.enrolled(careful)
    old, new = installation.keys[0], key()
    status, totals, said = rotate(first, "--check")
    checks.that("at first one key is in use", status == 0 and totals["earlier"] == 0 and totals["current"] > 0, 0, said)
    if len(installation.servers) > 1:
        installation.configure(encryption_key=None, encryption_keys=[old, new])
        still_signed_in("the new key beside the old one")
    installation.configure(encryption_key=None, encryption_keys=[new, old])
    still_signed_in("the new key first")
    status, totals, said = rotate(first, "--check")
    checks.that("the check says that the old key is in use", status == 1 and totals["earlier"] > 0
                and "rotate-encryption" in said, 1, said)

    ends, refused = threading.Event(), []

    def load():
        while not ends.is_set():
            for name, person in people:
                if apps[name].call("login", person.credentials).status != 200:
                    refused.append(name)

    thread = threading.Thread(target=load, daemon=True)
    thread.start()
    # Killed at several moments, it can be run again.
    for wait in (0.05, 0.15, 0.3):
        process = subprocess.Popen(
            [first.program, "keys", "rotate-encryption", *first.options], stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, cwd=first.directory, env=clean_environment())
        time.sleep(wait)
        process.kill()
        process.wait()
    status, totals, said = rotate(first)
    ends.set()
    thread.join()
    checks.equal("nobody was refused meanwhile", [], refused)
    checks.that("the rotation seals everything again", status == 0 and totals["earlier"] == totals["unreadable"] == 0, 0,
                said)
    still_signed_in("after the rotation")
    status, totals, _ = rotate(first, "--check")
    checks.equal("the check says that the old key can be removed", (0, 0), (status, totals["earlier"]))
    installation.configure(encryption_key=new, encryption_keys=None)
    still_signed_in("without the old key")
    for name, person in people:
        checks.equal(f"{name}: the password signs in", 200, apps[name].call("login", person.credentials).status)
    for method, text in [("totp", authenticator.code()), ("recovery_code", codes[0])]:
        token = factors.challenged(careful)["challenge_token"]
        checks.equal(f"the {method} of before signs in", 200, factors.answer(token, method, text).status)
    checks.equal("the store is sound", 0, first.command("store", "check").returncode)

    secret = first.configuration["apps"]["vici"]
    entry = {name: value for name, value in secret.items() if not name.startswith("jwt_")} | {
        "jwt_secrets": [secrets.token_urlsafe(32), secret["jwt_secret"]],
        "jwt_refresh_secrets": [secrets.token_urlsafe(32), secret["jwt_refresh_secret"]]}
    installation.configure(apps=first.configuration["apps"] | {"vici": entry})
    still_signed_in("new secrets of tokens beside the old ones")
    entry = entry | {name: entry[name][:1] for name in ("jwt_secrets", "jwt_refresh_secrets")}
    installation.configure(apps=first.configuration["apps"] | {"vici": entry})
    still_signed_in("without the old secrets")

    schedule(installation, apps["clarity"], people[-1][1], checks)

    first.stop()
    first.configuration |= {"encryption_key": old}
    try:
        first.start(within=10)
        checks.that("the old key alone is refused", False, "no start", "a start")
    except RuntimeError as problem:
        checks.that("the old key alone is refused", "another encryption_key" in str(problem), "a reason", problem)


def schedule(installation, clarity, person, checks):
    first, day = installation.first, 86_400_000

    def kid(token):
        header = token.split(".")[0]
        return json.loads(base64.urlsafe_b64decode(header + "=" * (-len(header) % 4)))["kid"]

    def states():
        done = first.command("keys", "list", "--app", "clarity", "--json")
        return {entry["state"]: entry["kid"] for entry in json.loads(done.stdout)}

    def published():
        return [sorted(entry["kid"] for entry in Wire(f"http://127.0.0.1:{server.port}/clarity").get(
            "/.well-known/jwks.json").json["keys"]) for server in installation.servers]

    before = clarity.sign_in(person)
    checks.equal("the schedule is off: an old key goes on", {"current": kid(before.access)}, states())
    installation.aged(f"created_at = created_at - {95 * day} WHERE retires_at IS NULL", signing_key_days=90)
    checks.that("a key that is due gets a successor", eventually(lambda: "next" in states(), 10), "next", states())
    known = states()
    checks.that("exactly one, on every node", eventually(
        lambda: published() == [sorted(known.values())] * len(installation.servers), 10), sorted(known.values()), published())
    checks.equal("two keys are known", {"next", "current"}, set(known))
    checks.equal("the old one signs for another day", known["current"], kid(clarity.sign_in(person).access))
    events = first.command("audit", "--app", "clarity", "--json")
    events = [event for event in map(json.loads, events.stdout.splitlines()) if event["action"] == "admin.keys.rotate"]
    checks.equal("it is audited once", [("schedule", known["next"])],
                 [(event["actor"], event["details"]["kid"]) for event in events])
    installation.aged(f"created_at = created_at - {day} - 1000 WHERE retires_at IS NULL")
    checks.equal("a day later it signs", known["next"], kid(clarity.sign_in(person).access))
    checks.that("and the tokens of the old one are accepted", clarity.accepts(before.access))
    checks.equal("the old one is published", [sorted(known.values())] * len(installation.servers), published())
    installation.aged("retires_at = 1 WHERE retires_at IS NOT NULL")
    checks.equal("until its last token has ended", [[known["next"]]] * len(installation.servers), published())

    installation.aged(f"created_at = created_at - {50 * day} WHERE retires_at IS NULL")
    checks.equal("a key of half the days goes on", {"current": known["next"]}, states())
    for server in installation.servers:
        server.configuration["signing_key_days"] = 50
        server.options
        server.process.send_signal(signal.SIGHUP)
    checks.that("a reload changes the schedule", eventually(lambda: "next" in states(), 10), "next", states())
    checks.that("and every node publishes the one successor", eventually(
        lambda: published() == [sorted(states().values())] * len(installation.servers), 10), sorted(states().values()), published())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, help="path of the program `ostiary`")
    parser.add_argument("--store", choices=["sqlite", "postgres"], default="sqlite")
    arguments = parser.parse_args()
    program = str(Path(arguments.program).resolve())
    checks = Checks()

    def check(url=None, sql=None):
        with tempfile.TemporaryDirectory(prefix="ostiary-") as directory:
            installation = Installation(program, directory, url, sql)
            installation.start()
            try:
                checks.run("a change of keys", lambda: rotation(installation, checks))
            finally:
                installation.stop()
        return checks.close()

    if arguments.store == "sqlite":
        return check()

    def on_postgres():
        with postgres.serving() as cluster:
            name = f"o{secrets.token_hex(4)}"
            return check(postgres.url([cluster], name, cluster.database(name)), lambda text: cluster.sql(text, name))

    return needing(on_postgres, "postgres")


if __name__ == "__main__":
    sys.exit(main())
