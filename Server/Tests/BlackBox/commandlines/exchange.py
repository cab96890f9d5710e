"""Import and export of JSON lines, invalid sources, and progress on a terminal."""

import json
import os
import signal
import sqlite3
import stat

from apps import App
from commandlines.store import eventually, refused
from commandlines.viewvault import HASH, PASSWORD, accounts, ordinary, summary, write_database


def wrong_sources(store, checks):
    directory = store.server.directory
    (directory / "text.db").write_text("not a database at all, but long enough to be taken for one\n" * 40)
    with sqlite3.connect(directory / "other.db") as database:
        database.execute("CREATE TABLE users (id INTEGER)")
    with sqlite3.connect(directory / "short.db") as database:
        database.execute("CREATE TABLE user (id INTEGER, username TEXT)")
    for source, named in (
            ("viewvault:absent.db", "absent.db"), ("viewvault:text.db", "text.db"), ("viewvault:other.db", "user"),
            ("viewvault:short.db", "email"), ("absent.jsonl", "absent.jsonl"), ("other.db", "viewvault:other.db"),
            (".", ""), ("viewvault:", "")):
        refused(checks, f"--from {source}", store.run("users", "import", "--app", "viewvault", "--from", source), named)
    refused(checks, "an unknown app", store.run("users", "import", "--app", "nope", "--from", "other.db"))


def json_lines(store, checks):
    directory = store.server.directory
    lines = [
        json.dumps({"email": "one@example.com", "password_hash": HASH, "roles": ["a"], "full_name": "Zoë 王"}),
        "", json.dumps({"id": "kept-id", "email": "two@example.com", "active": False,
                        "created_at": "2020-02-03T04:05:06Z"}) + "\r",
        "{", "[]", json.dumps({"email": "three@example.com", "colour": "red"}), json.dumps({"full_name": "Nobody"}),
        json.dumps({"email": "ONE@example.com"}), json.dumps({"email": "x@example.com", "full_name": "y" * 70_000}),
        json.dumps({"email": 7}), "\xff", json.dumps({"email": "four@example.com", "created_at": "yesterday"}),
        json.dumps({"email": "last@example.com"}),
    ]
    (directory / "in.jsonl").write_bytes("\n".join(lines).encode("latin-1", "replace").replace(b"Zo?", "Zoë".encode()))
    done = store.run("users", "import", "--app", "vici", "--from", "in.jsonl")
    checks.equal("bad lines: exit status", 1, done.returncode)
    checks.that("bad lines are counted", summary(done).startswith("added 3, skipped 9"), (3, 9), summary(done))
    told = [line.split(":")[0] for line in done.stderr.splitlines()]
    checks.equal("bad lines are told by number", [f"line {n}" for n in (4, 5, 6, 7, 9, 10, 11, 12)], told)
    checks.that("somebody twice is there already", "1 there already" in summary(done), "1", summary(done))
    login = App(store.server.wire, store.server.inbox, "vici").call(
        "login", {"email": "one@example.com", "password": PASSWORD})
    checks.equal("the imported account signs in", 200, login.status)

    done = store.run("users", "export", "--app", "vici", "--output", "out.jsonl")
    checks.equal("export: exit status", 0, done.returncode)
    exported = directory / "out.jsonl"
    checks.equal("the file is its owner's alone", 0o600, stat.S_IMODE(exported.stat().st_mode))
    records = [json.loads(line) for line in exported.read_text().splitlines()]
    kept = {record["email"]: record for record in records}
    checks.equal("an id, a state and a date are kept", ("kept-id", False, "2020-02-03T04:05:06Z"), tuple(
        kept["two@example.com"][key] for key in ("id", "active", "created_at")))
    checks.that("hashes are there", kept["one@example.com"]["password_hash"].startswith("$2"), "$2…", "")
    checks.equal("standard output has the same", exported.read_text(), store.run(
        "users", "export", "--app", "vici").stdout)
    refused(checks, "a file that is there", store.run("users", "export", "--app", "vici", "--output", "out.jsonl"),
            "out.jsonl")
    refused(checks, "a directory that is not", store.run(
        "users", "export", "--app", "vici", "--output", "absent/out.jsonl"), "absent/out.jsonl")
    refused(checks, "an unknown app", store.run("users", "export", "--app", "nope", "--output", "nope.jsonl"), "nope")
    checks.that("leaves no file", not [name for name in os.listdir(directory) if "nope" in name], "none", "")

    done = store.run("users", "import", "--app", "clarity", "--from", "out.jsonl")
    checks.equal("another app takes what was exported", 0, done.returncode)
    checks.equal("unchanged", {r["email"]: r for r in records}, {
        account["email"]: account for account in accounts(store, "clarity").values()})
    checks.equal("and again", 0, store.run("users", "import", "--app", "clarity", "--from", "out.jsonl").returncode)


def progress(store, checks, rows):
    """On a terminal there is a progress bar, and Ctrl-C stops between two pages."""
    path = store.server.directory / "bar.db"
    write_database(path, [ordinary(number) for number in range(1, rows + 1)])
    importing = ["users", "import", "--app", "viewvault", "--from", f"viewvault:{path}"]
    piped = store.run("users", "import", "--app", "clarity", "--from", "out.jsonl")
    checks.that("no bar in a pipe", "\r" not in piped.stderr + piped.stdout, "none", piped.stderr)
    screen = store.terminal(*importing)
    checks.that("a bar on a terminal", screen.expect("[#"), "[#", screen.read[-200:])
    screen.interrupt()
    status = screen.end()
    checks.that("Ctrl-C ends it", status == 130 and "interrupted" in screen.read, 130, (status, screen.read[-200:]))
    screen.close()
    screen = store.terminal(*importing)
    status = screen.end(within=180)
    checks.that("and it can go on", status == 0 and "added" in screen.read, 0, (status, screen.read[-200:]))
    screen.close()
    screen = store.terminal("users", "export", "--app", "viewvault", "--output", "bar.jsonl")
    checks.that("export shows progress", screen.expect("exported"), "exported", screen.read)
    screen.end()
    screen.close()
    exporting = store.begin("users", "export", "--app", "viewvault", "--output", "cut.jsonl")
    eventually(lambda: any(name.startswith("cut.jsonl") for name in os.listdir(store.server.directory)))
    exporting.send_signal(signal.SIGINT)
    exporting.communicate()
    left = [name for name in os.listdir(store.server.directory) if name.startswith("cut.jsonl.")]
    checks.equal("an interrupted export leaves nothing half-done", [], left)
