#!/usr/bin/env python3
"""The accounts that an import creates, and the lookup of accounts by administration commands.

  import_users.py --program PATH

A ViewVault table with every difficult case is imported, and each user in it signs in; commands find provider accounts by the
values they show; audit events name their actor. On SQLite, beside a server and without; on PostgreSQL where it is installed.
"""

import argparse
import base64
import contextlib
import getpass
import json
import secrets
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

from apps import App, new_email
from checks import Checks
from commandlines.store import Store, refused
from commandlines.viewvault import HASH, PASSWORD, accounts, summary, write_database
from drills.needing import missing
from peers import postgres, unprivileged
from server import app as entry
from server import clean_environment


def local(number, username, email=None, name=None, password_hash=HASH):
    return (number, username, email, name, password_hash, 1, 0, None, "local")


def social(number, username, email, subject):
    return (number, username, email, None, "", 1, 0, subject, "auth0")


# Every user can sign in with their name: the row, the name, and the reported changes.
PEOPLE = [
    (local(1, "ann", "shared@example.com"), "ann", None),
    (local(2, "bob", "shared@example.com"), "bob", "email"),
    (local(3, "carl", "SHARED@example.com"), "carl", "email"),
    (local(4, "Dora", "dora@example.com"), "Dora", None),
    (local(5, "dora", "dora2@example.com"), "dora", "username"),
    (local(6, "DORA", "dora@example.com"), "DORA", "username"),
    (local(7, "hans@localhost", "hans@localhost"), "hans@localhost", "email"),
    (local(8, "Hans@localhost", "hans@localhost"), "Hans@localhost", "email"),
    (local(9, None, "erna@localhost"), "erna@localhost", "email"),
    (local(10, "null-email"), "null-email", None),
    (local(11, "with space", "space@example.com"), "with space", None),
    (local(12, " around ", "around@example.com"), " around ", None),
    (local(13, "around", "around2@example.com"), "around", "username"),
    (local(14, "around ", None), "around ", "username"),
    (local(15, "Ren\u00e9", "rene@example.com"), "Ren\u00e9", None),
    (local(16, "Rene\u0301", "rene2@example.com"), "Rene\u0301", "username"),
    (local(17, "\u738b\u5c0f\u660e", None), "\u738b\u5c0f\u660e", None),
    (local(18, "\U0001f98a", None), "\U0001f98a", None),
    (local(19, "bella@example.com", "bella@example.com"), "bella@example.com", None),
    (local(20, "Bella@example.com", "bella@example.com"), "Bella@example.com", "username"),
    (local(21, "carol", "dave@example.com"), "carol", None),
    (local(22, "dave@example.com", "dave@example.com"), "dave@example.com", "username"),
    (local(23, "7", "seven@example.com"), "7", None),
    (local(24, "unprintable\u200e", "hidden@example.com"), "hidden@example.com", "username"),
    (local(25, "named", "named@example.com", "\x1b[31mRed"), "named", "full_name"),
    (local(26, "tick'; DROP TABLE account; --", None), "tick'; DROP TABLE account; --", None),
]
SOCIAL = [
    (social(31, "gina@example.com", "gina@example.com", "google-oauth2|1"), None),
    (social(32, "ann", "shared@example.com", "github|2"), "username"),
    (social(33, None, None, "github|3"), None),
    (social(34, "lena", "lena@localhost", "github|4"), "email"),
]


@contextlib.contextmanager
def fresh(program, kind, serving):
    """A separate store for one section."""
    with contextlib.ExitStack() as stack:
        directory = stack.enter_context(tempfile.TemporaryDirectory(prefix="ostiary-"))
        store = Store(program, Path(directory))
        store.server.configuration["apps"]["timetracker"] = entry("timetracker")
        if kind == "postgres":
            cluster = stack.enter_context(postgres.serving())
            name = f"o{secrets.token_hex(4)}"
            store.server.configuration |= {
                "store": postgres.url([cluster], name, cluster.database(name)),
                "encryption_key": base64.b64encode(secrets.token_bytes(32)).decode()}
        store.options = store.server.options
        if serving:
            store.server.start()
        try:
            yield store
        finally:
            store.close()


def importing(store, checks):
    """PT-11: each user signs in, and changes are reported."""
    path = store.server.directory / "viewvault.db"
    write_database(path, [row for row, *_ in PEOPLE] + [row for row, _ in SOCIAL])
    command = ["users", "import", "--app", "viewvault", "--from", f"viewvault:{path}"]
    done = store.run(*command)
    rows = len(PEOPLE) + len(SOCIAL)
    expected = {row[0]: field for row, *_, field in PEOPLE + SOCIAL if field}
    checks.equal("PT-11: exit status", 0, done.returncode)
    checks.equal("PT-11: nothing is refused", "", done.stderr)
    checks.equal("PT-11: the summary counts everybody, and who was changed",
                 f"added {rows}, skipped 0, changed {len(expected)} of those added", summary(done))
    for number, field in expected.items():
        checks.that(f"PT-11: user {number} is listed with its {field}",
                    f", user {number}: added, but {field}: " in done.stdout, field, done.stdout)
    listed = {int(line.split("user ")[1].split(":")[0]) for line in done.stdout.splitlines()[:-1]}
    checks.equal("PT-11: nobody else is", set(expected), listed)
    checks.that("PT-11: nothing unprintable is told", "\x1b" not in done.stdout and "\u200e" not in done.stdout)
    again = store.run(*command)
    checks.equal("PT-11: again changes nothing", f"added 0, skipped {rows} ({rows} there already)", summary(again))
    checks.equal("PT-11: and says nothing more", 1, again.stdout.count("\n"))
    kept = accounts(store)
    checks.equal("PT-11: every id is there", {str(number) for number in [*range(1, 27), *range(31, 35)]}, set(kept))
    checks.equal("PT-11: an email is one account's", ["1"], [
        number for number, account in kept.items() if (account.get("email") or "").lower() == "shared@example.com"
        and account["auth_provider"] == "local"])
    if not store.server.process:
        store.server.start()
    app = App(store.server.wire, store.server.inbox, "viewvault")
    for row, name, _ in PEOPLE:
        answer = app.call("login", {"username": name, "password": PASSWORD})
        checks.equal(f"PT-11: {name!r} signs in as {row[0]}", (200, row[0]),
                     (answer.status, (answer.json.get("user") or {}).get("id")))
    for name in ("ann", "shared@example.com", "dora", "hans@localhost"):
        checks.equal(f"PT-11: {name} with a wrong password", 401,
                     app.call("login", {"username": name, "password": "wrong"}).status)
    checks.equal("PT-11: another spelling signs the first in", 4,
                 app.call("login", {"username": "dORA", "password": PASSWORD}).json["user"]["id"])
    taken = app.newcomer() | {"username": "dora"}
    checks.that("PT-11: a name that differs in case stays taken", app.call("register", taken).status in (400, 409))
    return kept


def unreadable(store, checks):
    """A file whose read fails is not an empty one: the memory of the process has no page at address 0."""
    done = store.run("users", "import", "--app", "viewvault", "--from", "/proc/self/mem")
    checks.equal("a file that cannot be read: status", 1, done.returncode)
    checks.equal("a file that cannot be read: reason", "/proc/self/mem cannot be read\n", done.stderr)


def collisions(store, checks):
    """PT-33: a refusal names the identifier that collided, and its line."""
    lines = [{"id": "1", "username": "nobody-yet"}, {"username": "ann"}, {"email": "dora@example.com"},
             {"auth_provider": "auth0", "provider_subject": "auth0|github|3", "id": "99"}]
    (store.server.directory / "more.jsonl").write_text("\n".join(map(json.dumps, lines)))
    done = store.run("users", "import", "--app", "viewvault", "--from", "more.jsonl")
    checks.equal("PT-33: exit status", 1, done.returncode)
    for number, text in enumerate(("id: 1", "username: ann", "email: dora@example.com",
                                   "provider_subject: auth0|github|3"), 1):
        checks.that(f"PT-33: line {number} names {text}", f"line {number}: {text}" in done.stderr, text, done.stderr)
    refused(checks, "PT-33: create", store.run("users", "create", "--app", "viewvault", "--username", "ann"),
            "username: ann")


def who(store, checks):
    """PT-10 and PT-26: accounts are found by the values that commands show; never one of several matches."""
    lines = [
        {"auth_provider": "oidc", "provider_subject": "s1", "username": "johndoe", "email": "John@Example.com"},
        {"auth_provider": "oidc", "provider_subject": "s2", "username": "twin", "email": "twin@example.com"},
        {"auth_provider": "oidc", "provider_subject": "s3", "username": "Twin", "email": "twin@example.com"},
    ]
    (store.server.directory / "people.jsonl").write_text("\n".join(map(json.dumps, lines)))
    done = store.run("users", "import", "--app", "timetracker", "--from", "people.jsonl")
    checks.equal("PT-10: labels may be the same", "added 3, skipped 0", summary(done))
    listed = store.listed("users", "list", "--app", "timetracker")
    ids = {account["provider_subject"]: account["id"] for account in listed}
    commands = [("users", "show"), ("users", "disable"), ("users", "enable"), ("users", "roles"), ("sessions", "list"),
                ("sessions", "revoke", "--all")]

    def run(command, name):
        return store.run(*command[:2], "--app", "timetracker", *command[2:], name)

    for name in ("johndoe", "JOHNDOE", "john@example.com", ids["s1"], f"id:{ids['s1']}"):
        shown = store.listed("users", "show", "--app", "timetracker", name)
        checks.equal(f"PT-10: {name} is found", ids["s1"], shown["id"])
        for command in commands:
            checks.equal(f"PT-10: {' '.join(command)} {name}", 0, run(command, name).returncode)
    for name in ("twin", "twin@example.com"):
        for command in [*commands, ("users", "delete", "--yes")]:
            done = run(command, name)
            refused(checks, f"PT-10: {' '.join(command)} {name}", done, ids["s2"], ids["s3"], "t***")
            checks.that(f"PT-10: {name} is masked", done.stderr.count("twin@") <= 1, "once, as typed", done.stderr)
    for form in (ids["s3"], f"id:{ids['s3']}"):
        checks.equal(f"PT-10: {form} is one of them", ids["s3"],
                     store.listed("users", "show", "--app", "timetracker", form)["id"])
    checks.equal("PT-10: set-password finds it too", 0, store.run(
        "users", "set-password", "--app", "timetracker", "johndoe", "--password-stdin", input=PASSWORD).returncode)
    checks.equal("PT-10: delete finds it too", 0, run(("users", "delete", "--yes"), "john@example.com").returncode)

    # User 23 of the table is called 7.
    for command in (("users", "disable"), ("users", "delete", "--yes")):
        refused(checks, f"PT-26: {' '.join(command)} 7", store.run(
            *command[:2], "--app", "viewvault", *command[2:], "7"), "id 7", "id 23")
    for name, number in (("id:7", "7"), ("23", "23"), ("Dora", "4"), ("dora", "5"), ("gina@example.com", "31")):
        checks.equal(f"PT-26: {name} is {number}", number,
                     store.listed("users", "show", "--app", "viewvault", name)["id"])
    refused(checks, "PT-26: a spelling that is nobody's own", store.run(
        "users", "show", "--app", "viewvault", "dORA"), "id 4", "id 5", "id 6")


def actors(store, checks):
    """PT-23: the operating system reports the user of a command."""
    store.create("--email", new_email())
    store.run("keys", "rotate", "--app", "clarity")
    events = [event for event in store.events() if event["action"].startswith("cli.")]
    checks.equal("PT-23: every command's event names its actor", {f"cli:{getpass.getuser()}"},
                 {event.get("actor") for event in events})
    checks.that("PT-23: keys too", any(event["action"] == "cli.keys.rotate" for event in events))
    checks.equal("PT-23: requests have none", {None}, {
        event.get("actor") for event in store.events() if not event["action"].startswith("cli.")})
    checks.that("PT-23: the table shows it", f"cli:{getpass.getuser()}" in store.run("audit").stdout)


def another_user(store, checks):
    """PT-23: through the socket it is the command's user, not the server's."""
    user, server = unprivileged.account(), store.server
    if user is None:
        return checks.skip("only root can run the server as another user than the command")
    unprivileged.make_reachable(server.directory)
    server.data.mkdir()
    unprivileged.hand_over(server.data)
    program = server.program
    script = server.directory / "serve"
    script.write_text(f'#!/bin/sh\nexec {shlex.join(unprivileged.command(program))} "$@"\n')
    script.chmod(0o755)
    server.program = str(script)
    server.start()
    server.program = program
    store.create("--email", new_email())
    events = [event for event in store.events() if event["action"].startswith("cli.")]
    checks.equal(f"PT-23: the server is {user.pw_name}'s, the command root's", {"cli:root"},
                 {event.get("actor") for event in events})
    done = subprocess.run(unprivileged.command(*store.line("users", "create", "--app", "vici", "--email", new_email())),
                          capture_output=True, text=True, stdin=subprocess.DEVNULL, env=clean_environment())
    checks.equal("PT-23: the server's own user runs a command", 0, done.returncode)
    checks.equal(f"PT-23: which is {user.pw_name}'s", f"cli:{user.pw_name}",
                 [event for event in store.events() if event["action"].startswith("cli.")][-1].get("actor"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, help="path of the program `ostiary`")
    arguments = parser.parse_args()
    checks = Checks()

    def section(kind, serving):
        def work():
            with fresh(arguments.program, kind, serving) as store:
                importing(store, checks)
                if Path("/proc/self/mem").exists():
                    unreadable(store, checks)
                collisions(store, checks)
                who(store, checks)
                actors(store, checks)

        checks.run(f"{kind}, {'beside a server' if serving else 'without a server'}", work)

    def users():
        with fresh(arguments.program, "sqlite", serving=False) as store:
            another_user(store, checks)

    checks.run("another user's command", users)
    section("sqlite", serving=True)
    section("sqlite", serving=False)
    without = missing("postgres")
    if without:
        checks.skip(without)
    else:
        section("postgres", serving=True)
    return checks.close()


if __name__ == "__main__":
    sys.exit(main())
