"""The commands beside a running server: one store, one writer, also if either is killed (AD-08)."""

import json
import os
import re
import signal
import stat
import subprocess
import threading

import tokens
from apps import App, new_email
from commandlines.store import Store, eventually, one_line, refused
from server import app, development

COMMANDS = [
    ["users"], *(["users", name] for name in (
        "list", "show", "create", "disable", "enable", "delete", "set-password", "roles", "import", "export")),
    ["sessions"], ["sessions", "list"], ["sessions", "revoke"], ["keys"], ["keys", "list"], ["keys", "rotate"],
    ["roles"], ["roles", "list"], ["roles", "create"], ["roles", "update"], ["roles", "delete"], ["messages"],
    ["messages", "list"], ["messages", "retry"], ["audit"], ["store"], ["store", "copy"],
]
WRONG_USAGE = [
    ["users", "list"], ["users", "show", "--app", "vici"], ["users", "create", "--app", "vici"], ["users", "colour"],
    ["users", "list", "--app", "vici", "--colour"], ["users", "import", "--app", "vici"], ["keys", "rotate"],
    ["sessions", "list", "--app", "vici"], ["sessions", "revoke", "--app", "vici"],
    ["sessions", "revoke", "--app", "vici", "id", "--all", "ann"], ["audit", "--since", "yesterday"],
    ["audit", "--since", "-1h"], ["audit", "--since", ""], ["audit", "extra"],
]
# Source: Semantic Versioning 2.0.0, without build metadata.
VERSION = r"\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?\n"


def usage(store, checks):
    for command in COMMANDS:
        done = subprocess.run([store.server.program, *command, "--help"], capture_output=True, text=True, timeout=30)
        checks.equal(f"{' '.join(command)} --help: exit status", 0, done.returncode)
        checks.that(f"{' '.join(command)} --help has an example", f"ostiary {command[0]} " in done.stdout.split(
            "USAGE")[0] and "Example" in done.stdout, "an example", done.stdout)
    done = subprocess.run([store.server.program, "--version"], capture_output=True, text=True, timeout=30)
    checks.equal("--version: exit status", 0, done.returncode)
    checks.that("--version is a semantic version, alone on its line", re.fullmatch(VERSION, done.stdout), VERSION,
                done.stdout)
    for command in WRONG_USAGE:
        checks.equal(f"{' '.join(command)}: wrong usage", 64, store.run(*command).returncode)
    for command in (["users", "list", "--app", "vici"], ["keys", "list"], ["audit"]):
        refused(checks, f"{command[0]} on nothing", store.run(*command), "ostiary.db")
    checks.that("which makes nothing", not store.server.data.exists(), "no directory", "a directory")
    (store.server.directory / "bad.yaml").write_text("mode: nonsense\n")
    done = subprocess.run(
        [store.server.program, "users", "list", "--app", "vici", "--config", "bad.yaml"], capture_output=True,
        text=True, cwd=store.server.directory, timeout=30)
    refused(checks, "a bad configuration", done, "mode", status=78)


def keys(store, checks):
    clarity = App(store.server.wire, store.server.inbox, "clarity")
    person = clarity.register()
    before = store.listed("keys", "list", "--app", "clarity")
    after = store.listed("keys", "rotate", "--app", "clarity")
    checks.equal("rotate adds one", len(before) + 1, len(after))
    checks.equal("one is in use, the newest", [True] + [False] * len(before), ["retires_at" not in k for k in after])
    checks.that("the old token goes on", clarity.accepts(person.access), "accepted", "refused")
    fresh = clarity.sign_in(person)
    checks.equal("the new key signs at once", after[0]["kid"], tokens.parts(fresh.access)[0]["kid"])
    published = {key["kid"] for key in clarity.wire.get("/.well-known/jwks.json").json["keys"]}
    checks.equal("all are published", {key["kid"] for key in after}, published)
    everyone = store.listed("keys", "list")
    checks.that("list has every app that has keys, and the provider", {"clarity", "barqnet", "viewvault", "idp"} == {
        key["app"] for key in everyone}, "three apps and idp", everyone)
    shown = store.run("keys", "list").stdout + json.dumps(everyone)
    checks.that("no private key is shown", "sealed" not in shown and '"d"' not in shown, "", shown)
    refused(checks, "rotate where a secret signs", store.run("keys", "rotate", "--app", "vici"), "jwt_secret")
    checks.equal("list where a secret signs", [], store.listed("keys", "list", "--app", "vici"))
    actions = [event["action"] for event in store.events("--app", "clarity")]
    checks.equal("rotation is audited", 1, actions.count("cli.keys.rotate"))


def full_output(store, checks):
    """Commands whose output cannot be written; a service key that was not printed is revoked."""
    vici = ["--app", "vici"]
    store.create("--email", new_email())
    create = ["admin", "keys", "create", "--name", "Back office", "--scope", "accounts:read"]
    for command in (["users", "list", *vici], ["audit"], ["config", "show"], ["config", "check"], ["stats", *vici], create, [*create, "--json"]):
        with open("/dev/full", "wb") as full:
            done = store.begin(*command, stdout=full)
            _, told = done.communicate(timeout=60)
        name = f"{' '.join(command)} to a full disk"
        checks.equal(f"{name}: exit status", 1, done.returncode)
        checks.that(f"{name}: one line that says why", one_line(told) and told.startswith(
            "standard output cannot be written: No space left on device"), "a line", told)
    keys = store.listed("admin", "keys", "list")
    checks.equal("keys that were not printed are revoked", [True, True], ["revoked_at" in key for key in keys])
    checks.that("their ids are named", keys[-1]["id"] in told, keys[-1]["id"], told)
    shown = json.loads(store.run(*create, "--json").stdout)
    checks.that("a printed key stays valid", "key" in shown and "revoked_at" not in shown, "a key", list(shown))


def following(store, checks):
    """`audit --follow` beside a server, through its restart, and without one."""
    follower = store.begin("audit", "--follow", "--json", "--app", "vici")
    seen = []
    reader = threading.Thread(target=lambda: seen.extend(follower.stdout), daemon=True)
    reader.start()
    address = new_email()
    vici = App(store.server.wire, store.server.inbox, "vici")

    def shows(count):
        return eventually(lambda: sum('"sign_in"' in line or '"signIn"' in line for line in list(seen)) >= count)

    before = len(store.events("--app", "vici"))
    checks.that("shows what there is", eventually(lambda: len(seen) >= before), before, len(seen))
    seen.clear()
    vici.call("login", {"email": address, "password": "wrong password"})
    checks.that("shows what happens", shows(1), 1, seen)
    store.server.stop()
    checks.that("leaves the store to the next server", store.server.start() < 30, "started", "not")
    vici.call("login", {"email": address, "password": "wrong password"})
    checks.that("goes on after a restart", shows(2), 2, seen)
    checks.that("without a person in the clear", not any(address in line for line in seen), "masked", seen)
    follower.send_signal(signal.SIGINT)
    checks.equal("Ctrl-C ends it", 0, follower.wait(20))
    checks.that("lines are JSON", all(json.loads(line)["at"] for line in seen), "JSON", seen)

    reader, writer = os.pipe()
    follower = store.begin("audit", "--follow", stdout=writer)
    os.close(writer)
    os.read(reader, 100)
    os.close(reader)
    try:
        checks.equal("a closed pipe ends it", 0, follower.wait(20))
    except subprocess.TimeoutExpired:
        checks.that("a closed pipe ends it", False, "an end", "goes on")
        follower.kill()


def beside(store, checks):
    """Servers and commands that start and stop."""
    sock, vici = store.server.data / "ostiary.sock", ["--app", "vici"]
    checks.that("there is a socket", eventually(sock.exists), "there", "not")
    mode = os.stat(sock).st_mode
    checks.that("the socket is its owner's alone", stat.S_ISSOCK(mode) and stat.S_IMODE(mode) == 0o600, "0600", mode)
    emails = [new_email() for _ in range(20)]
    started = [store.begin("users", "create", *vici, "--email", email) for email in emails]
    checks.equal("twenty commands at once", {0}, {each.wait(60) for each in started})
    refused(checks, "an app that is not there", store.run("users", "list", "--app", "nope"), "nope", "vici")

    os.rename(sock, f"{sock}.away")
    refused(checks, "a server that cannot be reached", store.run("users", "list", *vici), "in use")
    os.rename(f"{sock}.away", sock)
    place = store.server.directory / "other"
    place.mkdir()
    other = Store(store.server.program, place)
    other.server.configuration = development(vici=app("vici")) | {"store": f"sqlite:{place}/other.db"}
    other.server.data = store.server.data
    other.options = other.server.options
    refused(checks, "a configuration that names another database", other.run("users", "list", *vici), "database")
    second = other.begin("serve", "--listen", "127.0.0.1:0")
    checks.that("a second server leaves the socket to the first", eventually(
        lambda: len(store.listed("users", "list", *vici)) >= 20), "20 accounts", "fewer")
    second.send_signal(signal.SIGTERM)
    second.communicate(timeout=30)
    checks.equal("and after its end", 0, store.run("users", "list", *vici).returncode)

    store.server.kill()
    checks.that("a killed server leaves its socket", sock.exists(), "there", "gone")
    listed = store.listed("users", "list", *vici)
    checks.that("commands work beside it", {account["email"] for account in listed} >= set(emails), 20, len(listed))
    started = [store.begin("users", "create", *vici, "--email", new_email()) for _ in range(3)]
    checks.equal("three at once without a server", {0}, {each.wait(60) for each in started})
    store.server.start()
    checks.equal("the next server answers", 0, store.run("users", "list", *vici).returncode)
    checks.equal("and ends", 0, store.server.stop())
    checks.that("taking its socket along", not sock.exists(), "gone", "there")
    leftovers = [name for name in os.listdir(store.server.data) if name.startswith(".")]
    checks.equal("nothing else is left", [], leftovers)


def odd_directories(program, checks, directory):
    """Paths that are difficult for a socket or a URL."""
    # The maximum length of a socket's path on any system.
    longest = "x" * (100 - len(f"{directory}//data/ostiary.sock"))
    for name in ("with space", "wïth-ümlaut", "per%20cent?#", longest):
        place = directory / name
        place.mkdir()
        store = Store(program, place)
        store.server.start()
        done = store.run("users", "create", "--app", "vici", "--email", new_email())
        checks.equal(f"{name}: a command reaches the server", (0, "the account has no password yet\n"),
                     (done.returncode, done.stderr))
        checks.equal(f"{name}: the server ends", 0, store.server.stop())
    place = directory / ("y" * 120)
    place.mkdir()
    store = Store(program, place)
    store.server.start()
    checks.equal("and serves all the same", 200, store.server.wire.get("/healthz").status)
    done = store.run("users", "list", "--app", "vici")
    checks.that("a command says so", done.returncode == 1 and one_line(done.stderr), 1, done.stderr)
    checks.equal("the server ends", 0, store.server.stop())
    # The server may accept requests before it has logged this.
    checks.that("a path too long for a socket is told", "too long" in store.server.log.read_text(), "too long", "")
    checks.equal("then commands work", 0, store.run("users", "list", "--app", "vici").returncode)


def associations(store, checks):
    """`config aasa` prints the file for Apple's platforms, which the server answers on its own hosts; apps that share an RP ID
    are warned about."""
    one, other = "A1B2C3D4E5.com.example.one", "A1B2C3D4E5.com.example.other"
    server = store.server
    apps = server.configuration["apps"]
    refused(checks, "no apps for Apple's platforms", store.run("config", "aasa"), "apple_apps")
    apps["vici"]["passkeys"] = {"rp_id": "example.com", "apple_apps": [other, one]}
    apps["clarity"]["passkeys"] = {"rp_id": "example.com", "apple_apps": [one]}
    apps["clarity"]["universal_links"] = {"apple_apps": [one], "paths": ["/clarity/open/*"]}
    store.options = server.options
    refused(checks, "several domains", store.run("config", "aasa"), "--domain", "127.0.0.1, example.com")
    refused(checks, "a foreign domain", store.run("config", "aasa", "--domain", "example.org"), "example.org")
    credentials = {"webcredentials": {"apps": [one, other]}}
    links = {"applinks": {"details": [{"appIDs": [one], "components": [{"/": "/clarity/open/*"}]}]}}
    done = store.run("config", "aasa", "--domain", "example.com")
    checks.equal("the document of the RP ID's host", (0, credentials), (done.returncode, json.loads(done.stdout)))
    checks.that("and where to serve it", "https://example.com/.well-known/apple-app-site-association" in done.stderr,
                "the URL", done.stderr)
    own = store.run("config", "aasa", "--domain", "127.0.0.1")
    checks.equal("the document of the server's host", credentials | links, json.loads(own.stdout))
    server.start()
    answer = server.wire.get("/.well-known/apple-app-site-association")
    checks.equal("which the server answers", (200, "application/json", credentials | links), (
        answer.status, answer.header("content-type"), answer.json))
    warned = [json.loads(line) for line in server.log.read_text().splitlines() if "share an RP ID" in line]
    checks.equal("apps with one RP ID are warned about once", [("example.com", "vici, clarity")], [
        (line.get("rp_id"), line.get("apps")) for line in warned])
    checks.equal("SIGTERM ends it with exit status 0", 0, server.stop())
