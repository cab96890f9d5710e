"""Import of ViewVault's table, with kills in between and with every kind of value that such a table can hold."""

import hashlib
import json
import signal
import sqlite3

import tokens
from apps import App
from commandlines.store import eventually, one_line

PASSWORD = "Quiet-harbour-7!"
HASH = "$2b$10$abcdefghijklmnopqrstuuwwMZcPIRt1lqYr8fSiA611mCJXKWigK"  # Of PASSWORD.
COLUMNS = "id, username, email, full_name, hashed_password, is_active, is_admin, auth0_user_id, auth_provider"


def write_database(path, rows, declared="INTEGER NOT NULL PRIMARY KEY"):
    with sqlite3.connect(path) as database:
        database.execute(f"CREATE TABLE user (id {declared}, username VARCHAR, email VARCHAR, full_name VARCHAR, "
                         "hashed_password VARCHAR, is_active BOOLEAN, is_admin BOOLEAN, auth0_user_id VARCHAR, "
                         "auth_provider VARCHAR)")
        database.executemany(f"INSERT INTO user ({COLUMNS}) VALUES (?,?,?,?,?,?,?,?,?)", rows)
    database.close()


def ordinary(number):
    if number % 5:
        return (number, f"user{number}", f"user{number}@example.com", f"Person {number}", HASH, 1,
                int(number % 1000 == 1), None, "local")
    subject = f"auth0|{number:x}" if number % 2 else f"google-oauth2|{number}"
    return (number, f"user{number}@example.com", f"user{number}@example.com", None, "", 1, 0, subject, "auth0")


def accounts(store, app="viewvault"):
    done = store.run("users", "export", "--app", app)
    return {account["id"]: account for account in map(json.loads, done.stdout.splitlines())}


def summary(done):
    return done.stdout.strip().splitlines()[-1] if done.stdout.strip() else done.stderr


def many(store, checks, rows):
    """A whole database: killed in between, run again, then every kind of user signs in."""
    path = store.server.directory / "viewvault.db"
    write_database(path, [ordinary(number) for number in range(1, rows + 1)])
    before = hashlib.sha256(path.read_bytes()).hexdigest()
    importing = ["users", "import", "--app", "viewvault", "--from", f"viewvault:{path}"]
    killed = store.begin(*importing)
    checks.that("the import begins", eventually(lambda: log_bytes(store) > 300_000), "a write-ahead log", "none")
    killed.send_signal(signal.SIGKILL)
    killed.communicate()
    store.server.start()

    def there():
        return len(store.listed("users", "list", "--app", "viewvault"))

    before_it = there()
    checks.that("killed in the middle", 0 < before_it < rows, f"between 0 and {rows}", before_it)
    killed = store.begin(*importing)
    checks.that("it goes on with a server", eventually(lambda: there() > before_it), "more", before_it)
    killed.send_signal(signal.SIGKILL)
    killed.communicate()
    checks.that("the server outlives it", store.server.lives, "alive", "gone")
    before_it = there()
    bereft = store.begin(*importing)
    eventually(lambda: there() > before_it)
    store.server.kill()
    _, told = bereft.communicate(timeout=60)
    checks.that("a command whose server is killed", bereft.returncode == 1 and one_line(told), 1, told)
    store.server.start()
    done = store.run(*importing)
    checks.equal("run again: exit status", 0, done.returncode)
    checks.that("run again: adds the rest", f"skipped {rows - count(summary(done), 'added')}" in summary(done), rows,
                summary(done))
    done = store.run(*importing)
    checks.that("once more: adds nothing", summary(done).startswith(f"added 0, skipped {rows}"), rows, summary(done))
    checks.equal("once more: exit status", 0, done.returncode)
    checks.equal("the database is as it was", before, hashlib.sha256(path.read_bytes()).hexdigest())
    kept = accounts(store)
    checks.equal("every account is there once", {str(number) for number in range(1, rows + 1)}, set(kept))
    checks.equal("hashes are kept", {HASH, None}, {account.get("password_hash") for account in kept.values()})

    app = App(store.server.wire, store.server.inbox, "viewvault")
    for number in (1, 2, rows - 1):
        for name in (f"user{number}", f"USER{number}@example.com"):
            answer = app.call("login", {"username": name, "password": PASSWORD})
            checks.equal(f"{name} signs in", (200, number), (answer.status, (answer.json.get("user") or {}).get("id")))
    answer = app.call("login", {"username": "user1", "password": PASSWORD}).json
    checks.equal("an admin is one", True, answer["user"]["is_admin"])
    checks.equal("the token names the username", "user1", tokens.parts(answer["access_token"])[1]["sub"])
    checks.equal("a wrong password does not", 401, app.call("login", {"username": "user1", "password": "x"}).status)
    checks.equal("an Auth0 account has no password", 401, app.call(
        "login", {"username": "user5@example.com", "password": ""}).status)
    checks.equal("subjects begin with auth0| once", ("auth0|5", "auth0|google-oauth2|10"),
                 (kept["5"]["provider_subject"], kept["10"]["provider_subject"]))
    new = app.register()
    checks.that("a newcomer's id is beyond", new.user["id"] > rows, rows + 1, new.user["id"])


def log_bytes(store):
    log = store.server.data / "ostiary.db-wal"
    return log.stat().st_size if log.exists() else 0


def count(text, word):
    words = text.replace(",", "").split()
    return int(words[words.index(word) + 1])


def odd_rows(store, checks):
    """The values that a table without type checks can hold."""
    good = {
        "NULLs": (101, "u101", None, None, HASH, None, None, None, None),
        "text for numbers": (102, "u102", "u102@example.com", "N", HASH, "true", "1", None, "LOCAL"),
        "$2a$": (103, "u103", None, "", HASH.replace("$2b", "$2a"), 1, 0, "", "local"),
        "$2y$": (104, "u104", None, "", HASH.replace("$2b", "$2y"), 1, 0, None, "local"),
        "no username": (105, None, "u105@example.com", "N", HASH, 1, 0, None, "local"),
        "inactive": (106, "u106", None, "N", HASH, 0, 0, None, "local"),
        "no hash": (107, "u107", None, "N", None, 1, 0, None, "local"),
        "an Auth0 name that a local email has": (108, "u109@example.com", "u109@example.com", None, "", 1, 0, "x|1",
                                                 "auth0"),
        "the local email": (109, "u109", "u109@example.com", None, HASH, 1, 0, None, "local"),
        "Auth0 by its id alone": (110, None, None, None, None, 1, 0, "github|110", None),
        "a blob": (111, b"u111", None, None, HASH.encode(), 1, 0, None, "local"),
    }
    changed = {
        "a taken username": (201, "U101", None, None, HASH, 1, 0, None, "local"),
        "a taken email": (202, "u202", "U102@example.com", None, HASH, 1, 0, None, "local"),
        "a bad email": (204, "u204", "nobody", None, HASH, 1, 0, None, "local"),
        "an escape in the name": (205, "u205", None, "\x1b[31m", HASH, 1, 0, None, "local"),
    }
    bad = {
        "a bad hash": (203, "u203", None, None, "plaintext", 1, 0, None, "local"),
        "another provider": (206, "u206", None, None, HASH, 1, 0, None, "ldap"),
        "Auth0 without an id": (207, "u207", None, None, HASH, 1, 0, None, "auth0"),
        "a flag that is none": (208, "u208", None, None, HASH, "perhaps", 0, None, "local"),
        "nobody": (209, None, None, None, None, 1, 0, None, "local"),
        "an Auth0 id twice": (210, "u210", None, None, "", 1, 0, "github|110", "auth0"),
        "an id that is none": ("x y", "u211", None, None, HASH, 1, 0, None, "local"),
        "no id": (None, "u212", None, None, HASH, 1, 0, None, "local"),
        "an id twice": (101, "u213", None, None, HASH, 1, 0, None, "local"),
    }
    path = store.server.directory / "odd.db"
    write_database(path, [*good.values(), *changed.values(), *bad.values()], declared="")
    importing = ["users", "import", "--app", "viewvault", "--from", f"viewvault:{path}"]
    done = store.run(*importing)
    checks.equal("bad rows: exit status", 1, done.returncode)
    added = len(good) + len(changed)
    checks.that("bad rows are counted", summary(done).startswith(f"added {added}, skipped {len(bad)}"),
                (added, len(bad)), summary(done))
    # And the Auth0 account that does not keep its username.
    checks.that("PT-11: changes are counted", f"changed {len(changed) + 1} of those added" in summary(done),
                len(changed) + 1, summary(done))
    checks.equal("PT-11: one line each, before the summary", len(changed) + 2, done.stdout.count("\n"))
    for name, row in changed.items():
        checks.that(f"PT-11: {name} is told by its id", f"user {row[0]}: added, but " in done.stdout, row[0], done.stdout)
    for name, row in bad.items():
        found = f"user {row[0]}:" if row[0] is not None else "in row"
        checks.that(f"{name} is told by its id", found in done.stderr, found, done.stderr)
    checks.equal("one line each", len(bad), done.stderr.count("\n"))
    told = done.stdout + done.stderr
    checks.that("no hash and no escape is told", HASH not in told and "\x1b" not in told, "", "")
    kept = accounts(store)
    for name, row in (good | changed).items():
        checks.that(f"{name} is there", str(row[0]) in kept, row[0], sorted(kept))
    checks.equal("NULLs are active and no admin", (True, []), (kept["101"]["active"], kept["101"]["roles"]))
    checks.equal("an inactive account is one", False, kept["106"]["active"])
    checks.equal("the Auth0 account gives way", "auth0|x|1", kept["108"]["username"])
    app = App(store.server.wire, store.server.inbox, "viewvault")
    for name in ("u101", "U101", "u102", "u202", "u103", "u104", "u204", "u205", "u105@example.com", "u109@example.com",
                 "u111"):
        checks.equal(f"{name} signs in", 200, app.call("login", {"username": name, "password": PASSWORD}).status)
    for name in ("u106", "u107", "u201", "u203"):
        checks.equal(f"{name} does not", 401, app.call("login", {"username": name, "password": PASSWORD}).status)
    again = store.run(*importing)
    checks.that("again: nothing is added", summary(again).startswith("added 0"), "added 0", summary(again))
    checks.equal("again: the same refusals", done.stderr, again.stderr)
