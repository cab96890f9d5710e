#!/usr/bin/env python3
"""Second factors that move from one server to another: the same authenticator app and the same passkey sign in.

  move_factors.py --program PATH

The codes are those of `pyotp`, the passkey is one of `peers/passkey.py`. The servers are on SQLite, the last one on PostgreSQL
where it is installed.
"""

import argparse
import base64
import contextlib
import json
import secrets
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pyotp
from apps import App
from checks import Checks
from commandlines.store import Store, refused
from commandlines.viewvault import HASH, PASSWORD
from drills.needing import missing
from peers import postgres
from peers.passkey import Passkey
from second_factors import Authenticator, SecondFactors
from server import app

PASSPHRASE = "a passphrase of some length"


def key():
    return base64.b64encode(secrets.token_bytes(32)).decode()


class Place(Store):
    """A server with passkeys of `localhost` and its commands."""

    def __init__(self, program, directory, encryption_key, store=None):
        super().__init__(program, directory)
        self.origin = f"http://localhost:{self.server.port}"
        passkeys = {"rp_id": "localhost", "origins": [self.origin]}
        self.server.configuration = {
            "mode": "development", "encryption_key": encryption_key, "apps": {
                "vici": app("vici", passkeys=passkeys), "strict": app("vici", "strict", second_factor={"methods": ["passkey"]})},
        } | (store or {})
        self.options = self.server.options
        directory.joinpath("passphrase").write_text(PASSPHRASE + "\n")

    def factors(self, checks):
        return SecondFactors(self.server, "vici", checks)


class Move:
    def __init__(self, source, checks):
        self.source, self.checks = source, checks
        self.file = source.server.directory / "accounts.jsonl"

    def data(self, answer):
        return answer.json["data"] if isinstance(answer.json, dict) and "data" in answer.json else answer.json

    def prepare(self):
        """A person with an authenticator app and a passkey, and one without factors."""
        checks, factors = self.checks, self.source.factors(self.checks)
        self.person = factors.app.register()
        _, self.authenticator, self.codes = factors.enrolled(self.person)
        self.passkey = Passkey()
        options = factors.post("/factors/passkey/options", access=self.person.access)
        checks.equal("options of a passkey", 200, options.status)
        made = self.passkey.create(self.data(options)["publicKey"], self.source.origin)
        added = factors.post("/factors/passkey", {
            "passkeyToken": self.data(options)["passkeyToken"], "credential": made, "name": "Laptop"}, self.person.access)
        checks.equal("the passkey is added", 201, added.status)
        self.plain = factors.app.register()
        checks.equal("the passkey signs in before the move", 200, self.with_passkey(self.source).status)

    def with_passkey(self, place, passkey=None):
        factors = place.factors(self.checks)
        options = self.data(factors.post("/passkey/options"))
        credential = (passkey or self.passkey).get(options["publicKey"], place.origin)
        return factors.post("/passkey", {"passkeyToken": options["passkeyToken"], "credential": credential})

    def export(self):
        run, checks = self.source.run, self.checks
        exporting = ["users", "export", "--app", "vici", "--output", "accounts.jsonl"]
        refused(checks, "an export of factors without a passphrase", run(*exporting, "--factors"), "--passphrase-file")
        refused(checks, "a short passphrase", run(*exporting, "--factors", "--passphrase-stdin", input="short\n"), "12")
        refused(checks, "a passphrase file that is not there", run(
            *exporting, "--factors", "--passphrase-file", "absent"), "absent")
        checks.equal("a passphrase without --factors is wrong usage", 64, run(*exporting, "--passphrase-stdin").returncode)
        checks.equal("both ways at once are wrong usage", 64, run(
            *exporting, "--factors", "--passphrase-stdin", "--passphrase-file", "passphrase").returncode)
        checks.that("none of them leaves a file", not self.file.exists())
        without = run("users", "export", "--app", "vici").stdout
        checks.that("an export without --factors has none", '"factors"' not in without)
        done = run(*exporting, "--factors", "--passphrase-file", "passphrase")
        checks.equal("an export with a passphrase file", (0, "exported 2\n"), (done.returncode, done.stderr))
        checks.equal("the file is its owner's alone", 0o600, stat.S_IMODE(self.file.stat().st_mode))
        text = self.file.read_text()
        secret = base64.b32decode(self.authenticator.totp.secret + "=" * (-len(self.authenticator.totp.secret) % 8))
        for name, spelling in (("in base32", self.authenticator.totp.secret), ("in base64", base64.b64encode(secret).decode()),
                               ("a recovery code", self.codes[0]), ("the passphrase", PASSPHRASE),
                               ("a factor's name", "Téléphone"), ("a factor's name, escaped", "T\\u00e9l")):
            checks.that(f"the file does not disclose: {name}", spelling.strip("=") not in text)
        records = [json.loads(line) for line in text.splitlines()]
        checks.equal("only the account with factors has the member", [True, False], ["factors" in record for record in records])
        checks.that("which names its version", records[0]["factors"].startswith("ostiary-factors-1."))
        self.terminal()

    def terminal(self):
        """A terminal is asked twice, without an echo."""
        screen = self.source.terminal("users", "export", "--app", "vici", "--output", "typed.jsonl", "--factors")
        self.checks.that("a terminal is asked", screen.expect("Passphrase of the factors: "), "a question", screen.read)
        self.checks.that("without an echo", screen.wait_for_silence())
        screen.type(PASSPHRASE + "\n")
        self.checks.that("twice", screen.expect("Once more: "), "a question", screen.read)
        screen.wait_for_silence()
        screen.type(PASSPHRASE + "\n")
        # A code that is used at one server can be used at another, which has not seen it.
        self.used = self.authenticator.used
        self.checks.equal("and exports", 0, screen.end())
        self.checks.that("the passphrase was not shown", PASSPHRASE not in screen.read)
        screen.close()

    def wrong_imports(self, place):
        checks = self.checks
        importing = ["users", "import", "--app", "vici", "--from", str(self.file)]
        refused(checks, "an import of factors without a passphrase", place.run(*importing), "--passphrase-file")
        refused(checks, "a wrong passphrase", place.run(*importing, "--passphrase-stdin", input="another passphrase\n"),
                "the passphrase is wrong", "nothing was imported")
        altered = place.server.directory / "altered.jsonl"
        line = json.loads(self.file.read_text().splitlines()[0])
        # In the middle: the last character of base64 has bits that mean nothing.
        middle = len(line["factors"]) // 2
        line["factors"] = line["factors"][:middle] + ("A" if line["factors"][middle] != "A" else "B") + line["factors"][middle + 1:]
        altered.write_text(json.dumps(line) + "\n")
        refused(checks, "an altered line", place.run(
            "users", "import", "--app", "vici", "--from", "altered.jsonl", "--passphrase-stdin", input=PASSPHRASE), "altered")
        refused(checks, "a pipe", place.run(
            "users", "import", "--app", "vici", "--from", "/dev/stdin", "--passphrase-file", "passphrase", input=""),
            "regular file")
        checks.equal("nothing was written", [], place.listed("users", "list", "--app", "vici") if place.server.process else [])

    def import_into(self, place, same_key):
        """Imports, and signs in there as the people of the source do."""
        checks = self.checks
        importing = ["users", "import", "--app", "vici", "--from", str(self.file), "--passphrase-file", "passphrase"]
        done = place.run(*importing)
        checks.equal("the import", 0, done.returncode)
        checks.equal("recovery codes are left out where the key is another one", not same_key,
                     "recovery codes: left out" in done.stdout)
        again = place.run(*importing)
        checks.that("again it changes nothing", "2 there already" in again.stdout, "2 there already", again.stdout)
        if place.server.process is None:
            place.server.start()
        factors = place.factors(checks)
        checks.equal("who had no factors signs in by password", 200, factors.app.call("login", self.plain.credentials).status)
        methods = ["passkey", "totp"] + (["recovery_code"] if same_key else [])
        challenge = factors.challenged(self.person)
        checks.equal("who had factors is asked for them", methods, challenge["methods"])
        self.authenticator.used = self.used
        code = self.authenticator.code()
        answered = factors.answer(challenge["challenge_token"], "totp", code)
        checks.equal("the same authenticator app signs in", 200, answered.status)
        factors.refused("its code once", factors.answer(
            factors.challenged(self.person)["challenge_token"], "totp", code), 400, "code_refused")
        checks.equal("the same passkey signs in", 200, self.with_passkey(place).status)
        counter, self.passkey.counter = self.passkey.counter, 0
        checks.equal("a copy of the passkey from before the move does not", 401, self.with_passkey(place).status)
        self.passkey.counter = counter
        access = factors.app.tokens(answered)[0]
        answer = factors.app.wire.get(factors.path("/factors"), bearer=access)
        checks.equal("the factors are listed", 200, answer.status)
        listed = self.data(answer)
        checks.equal("the factors have their names", ["Téléphone", "Laptop"], [entry["name"] for entry in listed["factors"]])
        recovery = factors.answer(factors.challenged(self.person)["challenge_token"], "recovery_code", self.codes.pop())
        checks.equal("a recovery code signs in with the same key only", 200 if same_key else 400, recovery.status)
        actions = [event["action"] for event in place.events("--app", "vici")]
        checks.that("the audit log has the import", "cli.users.factors.import" in actions, "cli.users.factors.import", actions)

    def refuse_in_strict_app(self, place):
        done = place.run("users", "import", "--app", "strict", "--from", str(self.file), "--passphrase-file", "passphrase")
        self.checks.equal("an app that does not accept a factor refuses the account", (1, True), (
            done.returncode, "strict accepts no totp" in done.stderr))

    def foreign_secrets(self, place):
        """Lines of another system, with secrets in base32."""
        checks, directory = self.checks, place.server.directory
        secret = pyotp.random_base32()
        spaced = " ".join(secret[index:index + 4] for index in range(0, len(secret), 4)).lower()
        lines = [
            {"email": "old@example.com", "password_hash": HASH, "totp_secret": spaced},
            {"email": "bad@example.com", "totp_secret": "not base32!"}, {"email": "short@example.com", "totp_secret": "GEZDG"},
        ]
        (directory / "other.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
        done = place.run("users", "import", "--app", "vici", "--from", "other.jsonl")
        checks.equal("lines with bad secrets are refused by number", (1, ["line 2", "line 3"]), (
            done.returncode, [line.split(":")[0] for line in done.stderr.splitlines()]))
        checks.that("without the secret in the message", secret not in done.stderr and "base32!" not in done.stderr)
        factors = place.factors(checks)
        challenge = factors.app.call("login", {"email": "old@example.com", "password": PASSWORD})
        factors.refused("the account is asked for a code", challenge, 401, "challenge_required")
        answer = factors.answer(challenge.json["challenge_token"], "totp", pyotp.TOTP(secret).now())
        checks.equal("the authenticator app of the other system signs in", 200, answer.status)


def run(program):
    checks = Checks()
    with contextlib.ExitStack() as stack:
        def place(encryption_key, **more):
            directory = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="ostiary-")))
            made = Place(program, directory, encryption_key, **more)
            stack.callback(made.close)
            return made

        shared = key()
        source, running, stopped = place(shared), place(key()), place(shared)
        source.server.start()
        running.server.start()
        move = Move(source, checks)
        checks.run("people with factors", move.prepare)
        checks.run("export", move.export)
        checks.run("refused imports", lambda: move.wrong_imports(running))
        checks.run("another key, beside a running server", lambda: move.import_into(running, same_key=False))
        checks.run("the same key, without a server", lambda: move.import_into(stopped, same_key=True))
        checks.run("an app without the method", lambda: move.refuse_in_strict_app(running))
        checks.run("secrets of another system", lambda: move.foreign_secrets(running))
        checks.section = "PostgreSQL"
        lacking = missing("postgres")
        if lacking:
            checks.skip(lacking)
        else:
            cluster = stack.enter_context(postgres.serving())
            name = f"o{secrets.token_hex(4)}"
            node = place(shared, store={"store": postgres.url([cluster], name, cluster.database(name))})
            checks.run("the same key, on PostgreSQL", lambda: move.import_into(node, same_key=True))
        for server in (source.server, running.server, stopped.server):
            checks.equal("SIGTERM ends it with exit status 0", 0, server.stop())
    return checks.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, help="path of the program `ostiary`")
    return run(parser.parse_args().program)


if __name__ == "__main__":
    sys.exit(main())
