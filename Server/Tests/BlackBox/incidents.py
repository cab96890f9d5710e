#!/usr/bin/env python3
"""The playbooks of `Documentation/operations/incidents.md`: their commands are typed at a running server, and do what the page says.

  incidents.py --program PATH
"""

import argparse
import base64
import json
import os
import re
import secrets
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from apps import App, new_email, new_password
from checks import Checks
from commandlines.store import eventually
from server import Server, app, clean_environment, development, free_port
from wire import Wire

PAGE = Path(__file__).resolve().parents[3] / "Documentation" / "operations" / "incidents.md"
BLOCK = re.compile(r"^( *)<!-- play: ([\w ]+) -->\n *```\w+\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
BLOCKS = {name: text for _, name, text in BLOCK.findall(PAGE.read_text())}
ATTACKER, OWNER = "203.0.113.7", "198.51.100.20"


def key():
    return base64.b64encode(secrets.token_bytes(32)).decode()


class Incident:
    """A server, and the shell of its administrator."""

    def __init__(self, program, directory, checks):
        self.checks, self.directory = checks, directory
        self.admin = free_port()
        self.server = Server(program, directory, development(
            vici=app("vici", rate_limits={"sign_in": "1000/1m"}), clarity=app("clarity")) | {
                "encryption_key": key(), "trusted_proxies": ["127.0.0.1/32"], "admin": {"listen": f"127.0.0.1:{self.admin}"}})
        self.bin = directory / "bin"
        self.bin.mkdir()
        (self.bin / "ostiary").symlink_to(self.server.program)
        self.server.start()
        self.vici, self.clarity = (App(self.server.wire, self.server.inbox, name) for name in ("vici", "clarity"))

    def play(self, name, **replacements):
        """Types a block of the page, and returns what it prints."""
        text = BLOCKS[name].replace("127.0.0.1:3002", f"127.0.0.1:{self.admin}").replace(
            "/var/lib/ostiary/", f"{self.server.data}/")
        for old, new in replacements.items():
            self.checks.that(f"{name}: the page has {old}", old in text)
            text = text.replace(old, new)
        options = dict(zip(*[iter(self.server.options)] * 2))
        manager = self.bin / "systemctl"
        manager.write_text(f'#!/bin/sh\ntest "$*" = "reload ostiary" && kill -HUP {self.server.process.pid}\n')
        manager.chmod(0o755)
        done = subprocess.run(
            ["bash", "-o", "pipefail", "-c", text], capture_output=True, text=True, timeout=60, cwd=self.directory,
            env=clean_environment() | {"PATH": f"{self.bin}:{os.environ['PATH']}", "OSTIARY_CONFIG": options["--config"],
                                       "OSTIARY_DATA": options["--data"]})
        self.checks.equal(f"{name}: no command fails", (0, ""), (done.returncode, done.stderr))
        return done.stdout

    def sign_in(self, person, address, password=None):
        return self.vici.call("login", person.with_password(password or person.password), headers=[("X-Forwarded-For", address)])


def signing_key(incident, checks):
    clarity = incident.clarity
    person = clarity.register()

    def published():
        return [entry["kid"] for entry in clarity.wire.get("/.well-known/jwks.json").json["keys"]]

    stolen = published()
    checks.that("the token is accepted before", clarity.accepts(person.access))
    printed = incident.play("a signing key")
    checks.equal("one other key is published", (1, False), (len(published()), published() == stolen))
    checks.that("the commands show it, and not the stolen one", published()[0] in printed and stolen[0] not in printed,
                published(), printed)
    checks.that("the audit log has it", "cli.keys.rotate" in printed, "cli.keys.rotate", printed)
    checks.that("tokens of the stolen key are refused", not clarity.accepts(person.access))
    access, _ = clarity.refreshed(person.refresh)
    checks.that("the person is signed in", clarity.accepts(access))


def service_key(incident, checks):
    made = json.loads(incident.server.command(
        "admin", "keys", "create", "--name", "Leaked", "--scope", "accounts:read", "accounts:impersonate", "--json").stdout)
    admin, person = Wire(f"http://127.0.0.1:{incident.admin}/admin/v1"), incident.clarity.register()
    path = f"/apps/clarity/accounts/{person.user['id']}"
    opened = admin.post(path + "/impersonate", {"reason": "A test"}, bearer=made["key"])
    access = incident.clarity.tokens(opened)[0] if incident.clarity.contract.access in str(opened.json) else opened.json["access_token"]
    checks.that("the thief has a session", incident.clarity.accepts(access), 200, opened)
    printed = incident.play("a service key", ID=made["id"])
    checks.that("the log has what the key did", f'"actor":"key:{made["id"]}"' in printed and "mpersonat" in printed, "impersonate", printed)
    checks.equal("the key is refused", 401, admin.get(path, bearer=made["key"]).status)
    checks.that("so is the session", not incident.clarity.accepts(access))
    checks.that("the person's own is not", incident.clarity.accepts(person.access))


def attack(incident, checks):
    people = [incident.vici.register() for _ in range(3)]
    owner = people[0]
    checks.equal("the owner signs in", 200, incident.sign_in(owner, OWNER).status)
    entered = incident.sign_in(people[1], ATTACKER)
    checks.equal("the attacker knows one password", 200, entered.status)

    def guess():
        return incident.vici.call("login", {"email": new_email(), "password": new_password()},
                                  headers=[("X-Forwarded-For", ATTACKER)]).status

    checks.equal("it guesses others", [401] * 8, [guess() for _ in range(8)])
    printed = incident.play("an attack")
    checks.that("the address is found", re.search(rf'\b8 "address":"{re.escape(ATTACKER)}"', printed), ATTACKER, printed)
    checks.that("the statistics are shown", "%" in printed or "sign" in printed.lower(), "statistics", printed)

    limits = {"rate_limits": {"sign_in": "5/1m", "register": "5/10m"}, "stuffing": {"identifiers": 10},
              "registration": {"per_network_day": 20}}
    for setting, values in limits.items():
        line = f"{setting}: {{{', '.join(f'{name}: {value}' for name, value in values.items())}}}"
        checks.that(f"the page has {setting}", line in BLOCKS["limits"], line, BLOCKS["limits"])
    incident.server.configuration["apps"]["vici"] |= limits
    incident.play("a reload")
    checks.that("the configuration is taken", eventually(
        lambda: b"configuration reloaded" in incident.server.log.read_bytes(), 10), "reloaded", "not")
    checks.equal("the attacker is refused at any account", 429, [guess() for _ in range(6)][-1])
    checks.equal("the owner signs in", 200, incident.sign_in(owner, OWNER).status)
    incident.play("entered accounts")
    checks.that("the attacker's session is over", not incident.vici.accepts(incident.vici.tokens(entered)[0]))
    checks.that("the owner's is not", incident.vici.accepts(owner.access))


def stolen_database(incident, checks):
    people = [incident.vici.register() for _ in range(2)]
    printed = incident.play("resets")
    for person in people:
        checks.that("a reset is sent", f"{person.user['id']} 202" in printed, 202, printed)
        checks.that("it arrives", incident.server.inbox.wait("vici", person.credentials["email"]))
    incident.play("all sessions")
    checks.equal("all sessions are over", [False, False], [incident.vici.accepts(person.access) for person in people])


def lost_key(incident, checks):
    server, person = incident.server, incident.vici.register()
    server.stop()
    server.configuration["encryption_key"] = key()
    done = server.command("users", "export", "--app", "vici", "--output", "none.jsonl")
    checks.that("no command opens the database", done.returncode == 1 and "another encryption_key" in done.stderr, 1, done.stderr)
    if not shutil.which("sqlite3"):
        return checks.skip("sqlite3 is not installed")
    incident.play("accounts without a key")
    server.data = server.directory / "new"
    server.start()
    printed = incident.play("an import")
    checks.that("every account is added", "skipped 0" in printed, "skipped 0", printed)
    answer = incident.vici.call("login", person.credentials)
    checks.equal("the password signs in to the same account", (200, person.user["id"]), (
        answer.status, answer.json.get("user", {}).get("id")))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, help="path of the program `ostiary`")
    program, checks = parser.parse_args().program, Checks()
    with tempfile.TemporaryDirectory(prefix="ostiary-") as directory:
        incident = Incident(program, Path(directory), checks)
        try:
            for work in (signing_key, service_key, attack, stolen_database, lost_key):
                checks.run(work.__name__.replace("_", " "), lambda: work(incident, checks))
        finally:
            if incident.server.lives:
                incident.server.stop()
    return checks.close()


if __name__ == "__main__":
    sys.exit(main())
