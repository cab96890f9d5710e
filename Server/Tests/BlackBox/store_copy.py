#!/usr/bin/env python3
"""Moves a store from SQLite to PostgreSQL: all sessions remain valid, no row is lost, and it can be interrupted at any moment.

  store_copy.py --program PATH [--rows 20000] [--seed N]
"""

import argparse
import base64
import contextlib
import hashlib
import json
import random
import secrets
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from apps import App
from checks import Checks
from drills.needing import needing
from peers import postgres
from server import Server, app, clean_environment, development

CONTRACTS = ("vici", "clarity", "barqnet")


def configuration():
    """The same secrets before and after."""
    apps = {name: app(name) for name in CONTRACTS}
    return development(**apps) | {"encryption_key": base64.b64encode(secrets.token_bytes(32)).decode()}


def copy(program, source, target, *options, **more):
    return subprocess.run(
        [program, "store", "copy", "--from", f"sqlite:{source}", "--to", target, *options], capture_output=True,
        text=True, timeout=600, stdin=subprocess.DEVNULL, env=clean_environment() | more.pop("env", {}), **more)


class Move:
    """A server on SQLite and an empty database."""

    def __init__(self, program, directory, cluster):
        self.program, self.cluster = str(Path(program).resolve()), cluster
        self.name = f"o{secrets.token_hex(4)}"
        self.password = cluster.database(self.name)
        self.before = Server(self.program, directory, configuration())
        self.file = self.before.data / "ostiary.db"

    @property
    def url(self):
        return postgres.url([self.cluster], self.name, self.password)

    def after(self):
        """The same server, on PostgreSQL and with another data directory."""
        server = Server(self.program, self.before.directory, self.before.configuration | {"store": self.url})
        server.port, server.base, server.wire = self.before.port, self.before.base, self.before.wire
        server.data = self.before.directory / "other"
        return server

    def copy(self, *options, **more):
        return copy(self.program, self.file, self.url, *options, **more)

    def rows(self, table):
        return int(self.cluster.sql(f"SELECT count(*) FROM {table}", self.name)[0][0])

    def end(self):
        if self.before.process and self.before.lives:
            self.before.kill()


def listed(server, *arguments):
    done = server.command(*arguments)
    if done.returncode:
        raise RuntimeError(f"{arguments}: {done.returncode} {done.stderr}")
    return done.stdout


def everything(server):
    """Returns the output of commands about every app, for comparison."""
    texts = {}
    for name in CONTRACTS:
        texts[f"accounts of {name}"] = listed(server, "users", "export", "--app", name)
    texts["keys"] = listed(server, "keys", "list", "--json")
    texts["audit"] = listed(server, "audit", "--json")
    return texts


def moving(move, checks):
    """Users with sessions, passwords, roles, and pending codes and links."""
    server = move.before
    server.start()
    apps = {name: App(server.wire, server.inbox, name) for name in CONTRACTS}
    people = {name: [apps[name].register() for _ in range(3)] for name in CONTRACTS}
    refreshed = {name: [apps[name].refreshed(person.refresh) for person in people[name]] for name in CONTRACTS}
    ended = apps["vici"].sign_in(people["vici"][0])
    apps["vici"].call("logout", {"refreshToken": ended.refresh})
    email = people["vici"][1].credentials["email"]
    server.command("users", "roles", "--app", "vici", email, "--add", "admin")
    roles = listed(server, "users", "show", "--app", "vici", email, "--json")
    number = f"+1555{secrets.randbelow(10**7):07}"
    code = apps["barqnet"].code_for(number)[1]
    texts = everything(server)
    checks.equal("SIGTERM ends the server on SQLite", 0, server.stop())

    before = hashlib.sha256(move.file.read_bytes()).hexdigest()
    done = move.copy("--json")
    checks.equal("the copy ends well", (0, ""), (done.returncode, done.stderr))
    tables = {line["table"]: line for line in json.loads(done.stdout)}
    checks.that("it says table by table what it compared", all(
        len(line["sha256"]) == 64 and line["rows"] == move.rows(name) for name, line in tables.items()), "rows", tables)
    checks.that("it compared what there is", tables["account"]["rows"] == 9 and tables["session"]["rows"] == 10
                and tables["audit_event"]["rows"] > 9 and tables["signing_key"]["rows"] >= 1, "rows", tables)
    checks.equal("the file was not changed", before, hashlib.sha256(move.file.read_bytes()).hexdigest())

    after = move.after()
    after.start()
    try:
        checks.that("nothing is made in the data directory", not after.data.exists(), "no directory", after.data)
        same = everything(after)
        for name, text in texts.items():
            checks.that(f"{name} are the same", same[name].startswith(text), text[-200:], same[name][-200:])
        for name in CONTRACTS:
            for person, (access, refresh) in zip(people[name], refreshed[name], strict=True):
                checks.that(f"{name}: an access token goes on", apps[name].accepts(access), "accepted", "refused")
                checks.equal(f"{name}: an earlier refresh token is answered as before", 200,
                             apps[name].refresh(person.refresh).status)
                access, refresh = apps[name].refreshed(refresh)
                checks.that(f"{name}: and the session can be renewed again", apps[name].accepts(access)
                            and apps[name].refresh(refresh).status == 200, "accepted", "refused")
                checks.equal(f"{name}: a password signs in", 200, apps[name].call("login", person.credentials).status)
        checks.that("who signed out stays signed out", not apps["vici"].accepts(ended.access)
                    and apps["vici"].refresh(ended.refresh).status == 401, "401", "alive")
        checks.equal("roles stay", json.loads(roles)["roles"],
                     json.loads(listed(after, "users", "show", "--app", "vici", email, "--json"))["roles"])
        body = {"phone_number": number, "password": "Quiet-lake-harbour-7", "otp": code}
        checks.equal("a code under way still works", 201, apps["barqnet"].call("register", body).status)
        body = apps["vici"].newcomer()
        first = apps["vici"].call("register", body)
        checks.equal("somebody new can register", 201, first.status)
        events = [json.loads(line) for line in listed(after, "audit", "--json").splitlines()]
        checks.that("audit goes on where it was", len(events) > len(texts["audit"].splitlines()), "more", len(events))
    finally:
        checks.equal("SIGTERM ends the server on PostgreSQL", 0, after.stop())

    again = move.copy()
    checks.that("a copy that is complete is not begun again", again.returncode == 1 and "complete" in again.stderr,
                "1", again.stderr)


def killed(move, checks):
    """A killed server leaves part of its database in the log beside it."""
    server = move.before
    server.start()
    vici = App(server.wire, server.inbox, "vici")
    people = [vici.register() for _ in range(3)]
    refreshed = [vici.refreshed(person.refresh)[1] for person in people]
    server.kill()
    checks.that("there is a log beside the file", (server.data / "ostiary.db-wal").stat().st_size > 0, "a log", "none")
    checks.equal("the copy ends well", 0, move.copy().returncode)
    after = move.after()
    after.start()
    try:
        for refresh in refreshed:
            checks.equal("what was acknowledged last is there", 200, vici.refresh(refresh).status)
    finally:
        checks.equal("SIGTERM ends the server on PostgreSQL", 0, after.stop())


def interrupted(move, checks, rows, seed):
    """SIGKILL at random moments, repeatedly, until it is done."""
    server = move.before
    lines = "".join(
        json.dumps({"id": f"id-{index}", "email": f"p{index}@example.com", "full_name": "ä" * (index % 50)}) + "\n"
        for index in range(rows))
    source = server.directory / "accounts.jsonl"
    source.write_text(lines)
    done = subprocess.run([server.program, "users", "import", "--app", "vici", "--from", str(source), *server.options],
                          capture_output=True, text=True, timeout=600, cwd=server.directory, env=clean_environment())
    checks.equal("the accounts are imported", 0, done.returncode)
    luck = random.Random(seed)
    print(f"seed {seed}")
    kills, refusals, counts = 0, 0, []
    while kills < 20:
        process = subprocess.Popen(
            [server.program, "store", "copy", "--from", f"sqlite:{move.file}", "--to", move.url],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=clean_environment())
        try:
            process.wait(luck.uniform(0.1, 0.6))
            break
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            kills += 1
        begun = move.cluster.sql("SELECT to_regclass('store_copy') IS NOT NULL", move.name)[0][0] == "t"
        if begun and move.rows("store_copy"):
            counts.append(move.rows("account"))
            if refusals < 3:
                refusals += 1
                refused = subprocess.run(
                    [server.program, "serve", "--listen", "127.0.0.1:0", *move.after().options], capture_output=True,
                    text=True, timeout=60, cwd=server.directory, env=clean_environment())
                checks.that("no server starts on half a copy", refused.returncode == 1
                            and "not complete" in refused.stderr, "1", refused.stderr)
    else:
        process = None
    print(f"killed {kills} times, at {counts} accounts")
    checks.that("it was killed on its way", kills >= 3 and any(0 < count < rows for count in counts), "3", kills)
    checks.equal("what was there stays there", sorted(counts), counts)
    if process is None:
        done = move.copy()
        checks.equal("in the end it ends", 0, done.returncode)
    else:
        out, err = process.communicate()
        checks.equal("in the end it ends", (0, ""), (process.returncode, "" if process.returncode == 0 else err))
    checks.equal("everybody is there", rows, move.rows("account"))
    exported = listed(server, "users", "export", "--app", "vici")
    checks.that("and as they were", exported == listed(move.after(), "users", "export", "--app", "vici"), "same", "not")


def refusals(move, checks, program):
    server = move.before

    def refused(name, done, status, *named):
        checks.equal(f"{name}: exit status", status, done.returncode)
        checks.that(f"{name}: says why", all(text in done.stderr for text in named), named, done.stderr)
        checks.that(f"{name}: tells no password", move.password not in done.stderr + done.stdout, "none", done.stderr)
        if status != 64:
            checks.equal(f"{name}: in one line", 1, done.stderr.count("\n"))

    refused("a file that is not there", copy(program, server.directory / "none.db", move.url), 1, "does not exist")
    checks.that("and makes none", not list(server.directory.glob("none*")), "nothing", "files")
    server.start()
    refused("a file that a server has open", move.copy(), 1, "in use")
    server.stop()
    other = server.directory / "other.db"
    other.write_text("no database")
    refused("a file that is no database", copy(program, other, move.url), 1, "not an SQLite database")
    refused("a wrong source", copy(program, "", move.url), 78, "--from")
    done = subprocess.run([program, "store", "copy", "--from", move.url, "--to", move.url], capture_output=True,
                          text=True, env=clean_environment())
    refused("a source that is no file", done, 64, "sqlite:PATH")
    refused("a target that is a file", copy(program, move.file, "sqlite:x.db"), 64, "postgres://")
    refused("a remote database without TLS", copy(program, move.file, "postgres://u@db.example.com/o"), 78, "--to", "TLS")
    refused("a wrong password", copy(program, move.file, move.url.replace(move.password, "wrong")), 1, "password")
    refused("a database that is not there", copy(program, move.file, move.url + "-none"), 1, "no database")
    move.cluster.sql("CREATE TABLE beside (x int)", move.name)
    done = copy(program, move.file, move.url.replace(f":{move.password}@", "@"), env={"PGPASSWORD": move.password})
    checks.equal("the password may come from the environment", 0, done.returncode)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, help="path of the program `ostiary`")
    parser.add_argument("--rows", type=int, default=20_000, help="how many accounts the killed copy has")
    parser.add_argument("--seed", type=int, default=time.time_ns() % 1_000_000)
    arguments = parser.parse_args()
    checks = Checks()
    program = str(Path(arguments.program).resolve())

    with postgres.serving() as cluster:
        @contextlib.contextmanager
        def fresh():
            with tempfile.TemporaryDirectory(prefix="ostiary-") as directory:
                move = Move(program, directory, cluster)
                try:
                    yield move
                finally:
                    move.end()

        def section(name, work):
            with fresh() as move:
                checks.run(name, lambda: work(move))

        section("moving", lambda move: moving(move, checks))
        section("killed", lambda move: killed(move, checks))
        section("interrupted", lambda move: interrupted(move, checks, arguments.rows, arguments.seed))
        section("refusals", lambda move: refusals(move, checks, program))
    return checks.close()


if __name__ == "__main__":
    sys.exit(needing(main, "postgres"))
