#!/usr/bin/env python3
"""Commands with `--server`: the same output as on the server's own machine, through the admin API and a service key.

  remote_administration.py --program PATH
"""

import argparse
import contextlib
import json
import os
import re
import signal
import socketserver
import subprocess
import sys
import tempfile
import threading

from apps import App
from checks import Checks
from server import app, clean_environment, development, free_port, serving

SCOPES = ["accounts:read", "accounts:write", "sessions:read", "sessions:write", "factors:read", "factors:write", "roles:read",
          "roles:write", "audit:read", "stats:read"]
VARIABLE = "OSTIARY_ADMIN_KEY"
ATTRIBUTES = {"plan": {"type": "string", "enum": ["free", "pro"], "access": "admin"}, "seats": {"type": "integer", "access": "admin"},
              "tags": {"type": "string_list", "access": "admin"}, "wants_news": {"type": "boolean", "access": "admin"}}


class Machines:
    """A server, and another machine: an empty directory, from which commands reach the server by its admin API alone."""

    def __init__(self, server, port, elsewhere, checks):
        self.server, self.port, self.elsewhere, self.checks = server, port, elsewhere, checks
        self.app = App(server.wire, server.inbox, "clarity")
        self.people = [self.app.register() for _ in range(3)]
        self.key = self.create_key(*SCOPES)

    def create_key(self, *scopes):
        done = self.server.command("admin", "keys", "create", "--name", "Elsewhere", "--scope", *scopes, "--json")
        if done.returncode:
            raise RuntimeError(done.stderr)
        return json.loads(done.stdout)["key"]

    def local(self, *arguments, **more):
        return self.server.command(*arguments, **more)

    def remote(self, *arguments, input=None, key=None, url=None):
        return subprocess.run(
            [self.server.program, *arguments, *(("--server", url) if url else self.address())], input=input,
            capture_output=True, text=True, timeout=30, cwd=self.elsewhere,
            env=clean_environment() | {VARIABLE: self.key if key is None else key})

    def address(self):
        return "--server", f"http://127.0.0.1:{self.port}"

    def email(self, index):
        return self.people[index].credentials["email"]

    def id(self, index):
        return str(self.people[index].user["id"])

    def same(self, name, *arguments, without=None):
        """A command that changes nothing prints the same on both machines."""
        local, remote = self.local(*arguments), self.remote(*arguments)

        def shown(done):
            text = re.sub(without, "", done.stdout) if without else done.stdout
            return done.returncode, text

        self.checks.equal(name, shown(local), shown(remote))
        self.checks.equal(f"{name}: succeeds", (0, ""), (remote.returncode, remote.stderr))

    def refused(self, name, done, text, status=1):
        self.checks.equal(f"{name}: status", status, done.returncode)
        self.checks.that(f"{name}: one line", done.stderr.count("\n") == 1, "one line", done.stderr)
        self.checks.that(f"{name}: the reason", text in done.stderr, text, done.stderr)
        self.checks.equal(f"{name}: no output", "", done.stdout)


def output(machines):
    machines.app.sign_in(machines.people[0])
    for more in ((), ("--json",)):
        named = " ".join(more)
        machines.same(f"users list {named}", "users", "list", "--app", "clarity", *more)
        for who in (machines.email(0), machines.email(0).upper(), machines.id(0), f"id:{machines.id(0)}"):
            machines.same(f"users show {who} {named}", "users", "show", "--app", "clarity", who, *more)
        # The admin API tells the time at which an unused session ends, and no other.
        machines.same(f"sessions list {named}", "sessions", "list", "--app", "clarity", machines.email(0), *more,
                      without=r'"ends_at":"[^"]*",')
        machines.same(f"roles list {named}", "roles", "list", "--app", "clarity", *more)
        machines.same(f"users factors list {named}", "users", "factors", "list", "--app", "clarity", machines.email(0), *more,
                      without=r"recovery codes left: .*\n")
    machines.same("users roles", "users", "roles", "--app", "clarity", machines.email(0))


def statistics(machines):
    # The end of the period is the present, so that the two commands ask for different ones.
    period = r'"(from|to|start)":"[^"]*",?|"active_days":\[[^]]*\],?|clarity: .*|active accounts .*'
    for more in ((), ("--json",)):
        machines.same(f"stats {' '.join(more)}", "stats", "--app", "clarity", *more, without=period)


def audit(machines):
    machines.same("audit of an account", "audit", "--app", "clarity", "--account", machines.email(2))
    machines.same("audit, as JSON", "audit", "--app", "clarity", "--action", "register", "--json")
    machines.local("users", "update", "--app", "clarity", machines.email(2), "--name", "Renamed")
    machines.same("audit, with details", "audit", "--app", "clarity", "--action", "cli.users.update", "--json")


def following(machines):
    """`audit --follow` from another machine prints every event once, and none of its own requests."""
    checks = machines.checks
    known = machines.local("audit", "--app", "clarity", "--action", "register").stdout.count(" register ")
    watch = subprocess.Popen(
        [machines.server.program, "audit", "--follow", "--json", "--app", "clarity", "--since", "1h", *machines.address()],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=machines.elsewhere,
        env=clean_environment() | {VARIABLE: machines.key})
    events = []
    arrived = threading.Condition()

    def read():
        for line in watch.stdout:
            with arrived:
                events.append(json.loads(line))
                arrived.notify_all()

    def wait(action, count):
        with arrived:
            arrived.wait_for(lambda: sum(event["action"] == action for event in events) >= count, 10)
            return sum(event["action"] == action for event in events)

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    try:
        checks.equal("the events so far", known, wait("register", known))
        for number in (1, 2):
            machines.app.register()
            checks.equal(f"new events, {number}", known + number, wait("register", known + number))
    finally:
        watch.send_signal(signal.SIGINT)
        status = watch.wait(10)
        reader.join(10)
    checks.equal("Ctrl-C ends it", (0, ""), (status, watch.stderr.read()))
    ids = [event["id"] for event in events]
    checks.equal("each event once, in order", sorted(set(ids)), ids)
    checks.equal("no request of its own", [], [event for event in events if event["action"] == "admin.listAuditEvents"])
    revoked = machines.create_key("audit:read")
    machines.local("admin", "keys", "revoke", revoked.split("_")[1])
    machines.refused("a revoked key follows nothing", machines.remote("audit", "--follow", key=revoked), "service_key_revoked")


def attributes(machines):
    """Values on the command line have the types that the server's app declares."""
    checks, clarity = machines.checks, ("--app", "clarity")
    done = machines.remote("users", "create", *clarity, "--email", "typed@example.com", "--set", "plan=pro", "--set", "seats=3",
                           "--set", "tags=a,b", "--set", "wants_news=true", "--json")
    checks.equal("users create --set", (0, {"plan": "pro", "seats": 3, "tags": ["a", "b"], "wants_news": True}),
                 (done.returncode, done.returncode == 0 and json.loads(done.stdout)["attributes"]))
    done = machines.remote("users", "update", *clarity, "typed@example.com", "--set", "seats=4", "--unset", "tags", "--unset", "plan",
                           "--json")
    checks.equal("users update --set --unset", (0, {"seats": 4, "wants_news": True}),
                 (done.returncode, done.returncode == 0 and json.loads(done.stdout)["attributes"]))
    machines.same("users show, with attributes", "users", "show", *clarity, "typed@example.com", "--json")
    for bad, code in (("seats=three", "seats_mistyped"), ("colour=red", "colour_unknown"), ("plan=gold", "/attributes/plan: not_supported")):
        machines.refused(f"--set {bad}", machines.remote("users", "update", *clarity, "typed@example.com", "--set", bad), code)
    machines.refused("set and removed", machines.remote("users", "update", *clarity, "typed@example.com", "--set", "seats=1", "--unset",
                                                        "seats"), "both set and removed")
    machines.same("nothing has changed", "users", "show", *clarity, "typed@example.com", "--json")


def moving(machines):
    """Accounts are exported and imported through the admin API, as far as it goes."""
    checks, clarity = machines.checks, ("--app", "clarity")
    machines.refused("users export", machines.remote("users", "export", *clarity), "--without-passwords")
    machines.refused("users export --factors", machines.remote("users", "export", *clarity, "--factors"), "own machine")
    export = ("users", "export", *clarity, "--without-passwords")
    local, remote = machines.local(*export), machines.remote(*export)
    checks.equal("users export", (0, local.stdout, local.stderr), (remote.returncode, remote.stdout, remote.stderr))
    hashed = next(line for line in machines.local("users", "export", *clarity).stdout.splitlines() if machines.email(0) in line)
    password_hash = json.loads(hashed)["password_hash"]
    checks.that("without hashes", machines.email(0) in remote.stdout and password_hash not in remote.stdout)

    records = [
        {"email": "moved@example.com", "full_name": "Moved", "password_hash": password_hash, "roles": ["editor"],
         "attributes": {"plan": "pro"}},
        {"email": "early@example.com", "created_at": "2020-01-31T12:00:00Z"},
        {"email": machines.email(1).upper()},
        {"email": "kept@example.com", "id": "1b0e4d8c-7a4f-4f0a-9d6e-3f3f3f3f3f3f"},
        {"email": "disabled@example.com", "active": False},
        {"provider_subject": "s1", "auth_provider": "google"},
        {"email": "factors@example.com", "totp_secret": "JBSWY3DPEHPK3PXP"},
        {"email": "nobody"}, {"email": "hash@example.com", "password_hash": "plain"}, {"username": "other", "email": machines.email(1)},
        {"colour": "red"}]
    source = os.path.join(machines.elsewhere, "accounts.jsonl")
    with open(source, "w") as file:
        file.writelines(json.dumps(record) + "\n" for record in records)
        file.write('{"email": "one@example.com", "email": "two@example.com"}\n')
    done = machines.remote("users", "import", *clarity, "--from", source)
    checks.equal("users import: status", 1, done.returncode)
    changed, summary = done.stdout.splitlines()
    checks.equal("users import: the differences", "line 2: added, but created_at: is the time of the import", changed)
    checks.equal("users import: the report", "added 2, skipped 10 (1 there already, 9 refused), changed 1 of those added", summary)
    reasons = dict(line.split(": ", 1) for line in done.stderr.removeprefix("ostiary: ").splitlines())
    for line, reason in ((4, "id: "), (5, "active: "), (6, "auth_provider: "), (7, "factors: "), (8, "/email: malformed"),
                         (9, "/password_hash: not_supported"), (10, "identifier_taken"), (11, "unknown key colour"),
                         (12, "repeated key email")):
        came = reasons.get(f"line {line}", "")
        checks.that(f"users import: line {line}", reason in came, reason, done.stderr)
    checks.equal("the hash signs in", 200, machines.app.call("login", machines.people[0].credentials | {"email": "moved@example.com"}).status)
    account = json.loads(machines.local("users", "show", *clarity, "moved@example.com", "--json").stdout)
    checks.equal("with role and attribute", ("Moved", ["editor"], {"plan": "pro"}),
                 (account["full_name"], account["roles"], account["attributes"]))
    with open(source, "w") as file:
        file.write("\ufeff")
        file.writelines(json.dumps(record) + "\n" for record in records[:3])
    again = machines.remote("users", "import", *clarity, "--from", source)
    checks.equal("again", (0, "added 0, skipped 3 (3 there already)\n", ""), (again.returncode, again.stdout, again.stderr))

    with open(source, "w") as file:
        file.write(machines.remote(*export).stdout)
    refused = machines.remote("users", "import", *clarity, "--from", source)
    checks.that("an export's ids are refused", refused.returncode == 1 and "--new-ids" in refused.stderr, "--new-ids", refused.stderr)
    done = machines.remote("users", "import", *clarity, "--from", source, "--new-ids")
    checks.equal("with new ids everybody is there", 0, done.returncode)
    checks.that("and nothing is added", done.stdout.startswith("added 0, "), "added 0", done.stdout + done.stderr)
    machines.refused("users import, with a passphrase",
                     machines.remote("users", "import", *clarity, "--from", source, "--passphrase-stdin", input="x\n"), "own machine")
    machines.refused("users import, without the scope",
                     machines.remote("users", "import", *clarity, "--from", source, "--new-ids", key=machines.create_key("accounts:read")),
                     "accounts:write")
    with open(source, "w") as file:
        file.write(json.dumps({"email": "roleless@example.com", "roles": ["editor"]}) + "\n")
    machines.refused("users import, without the scope for roles", machines.remote(
        "users", "import", *clarity, "--from", source, key=machines.create_key("accounts:read", "accounts:write")), "without its roles")
    os.unlink(source)


def changes(machines):
    checks, clarity = machines.checks, ("--app", "clarity")
    done = machines.remote("users", "create", *clarity, "--email", "remote@example.com", "--name", "Remote", "--role", "admin",
                           "--password-stdin", "--json", input="a long enough 4 password\n")
    checks.equal("users create: status", (0, ""), (done.returncode, done.stderr))
    account = json.loads(done.stdout)
    checks.equal("users create: the account", ("remote@example.com", "Remote", ["admin"], True),
                 (account["email"], account["full_name"], account["roles"], account["active"]))
    person = machines.app.call("login", {"email": "remote@example.com", "password": "a long enough 4 password"})
    checks.equal("its password signs in", 200, person.status)
    access = machines.app.tokens(person)[0]

    machines.refused("users create, taken",
                     machines.remote("users", "create", *clarity, "--email", "remote@example.com", "--password-stdin",
                                     input="a long enough 4 password\n"), "identifier_taken")
    done = machines.remote("users", "roles", *clarity, "remote@example.com", "--add", "editor@project:42", "--remove", "admin")
    checks.equal("users roles", (0, "editor@project:42\n"), (done.returncode, done.stdout))
    machines.same("users roles, afterwards", "users", "roles", *clarity, "remote@example.com")

    checks.that("the session is alive", machines.app.accepts(access))
    done = machines.remote("users", "disable", *clarity, "remote@example.com")
    checks.equal("users disable", (0, f"disabled {account['id']} (remote@example.com)\n"), (done.returncode, done.stdout))
    checks.that("its session has ended", not machines.app.accepts(access))
    checks.equal("users enable", 0, machines.remote("users", "enable", *clarity, "remote@example.com").returncode)
    done = machines.remote("users", "set-password", *clarity, "remote@example.com", "--password-stdin",
                           input="another long 5 password\n")
    checks.equal("users set-password", (0, ""), (done.returncode, done.stderr))
    new = {"email": "remote@example.com", "password": "another long 5 password"}
    checks.equal("the new password signs in", 200, machines.app.call("login", new).status)
    done = machines.remote("sessions", "revoke", *clarity, "--all", "remote@example.com")
    checks.equal("sessions revoke --all", (0, "ended 1 session\n"), (done.returncode, done.stdout))
    done = machines.remote("users", "delete", *clarity, "remote@example.com", "--yes")
    checks.equal("users delete", 0, done.returncode)
    machines.refused("users show, deleted", machines.remote("users", "show", *clarity, "remote@example.com"), "no account")

    # The audit log has the key as the actor of everything.
    done = machines.local("audit", *clarity, "--json")
    actors = {json.loads(line)["actor"] for line in done.stdout.splitlines() if '"admin.users.' in line}
    checks.that("the actor is the key", actors and all(re.fullmatch("key:[0-9a-f]{16}", actor or "") for actor in actors),
                "key:…", actors)


def refusals(machines):
    clarity = ("--app", "clarity")
    listing = ("users", "list", *clarity)
    machines.refused("no key", machines.remote(*listing, key=""), VARIABLE)
    machines.refused("not a key", machines.remote(*listing, key="a b"), VARIABLE)
    wrong = "ostk_0123456789abcdef_" + "A" * 43
    done = machines.remote(*listing, key=wrong)
    machines.refused("a wrong key", done, "service_key_unknown")
    machines.checks.that("the key is not printed", wrong not in done.stderr + done.stdout)
    machines.refused("a missing scope", machines.remote(*listing, key=machines.create_key("stats:read")), "accounts:read")
    machines.refused("another app", machines.remote("users", "list", "--app", "nothere"), "not_found")
    machines.refused("no account", machines.remote("users", "show", *clarity, "nobody@example.com"), "no account")
    machines.refused("plain HTTP to another machine", machines.remote(*listing, url="http://admin.example.com"), "https")
    machines.refused("no URL", machines.remote(*listing, url="admin"), "--server")
    machines.refused("nothing listens", machines.remote(*listing, url=f"http://127.0.0.1:{free_port()}"), "cannot be reached")
    machines.refused("with --data", machines.remote(*listing, "--data", "x"), "--data", 64)
    machines.refused("one session", machines.remote("sessions", "revoke", *clarity, "s1"), "--all")
    machines.checks.that("nothing was written", not os.listdir(machines.elsewhere), "no file", os.listdir(machines.elsewhere))


def hostile(machines):
    """Answers that no server gives: one line, and status 1."""
    listing = ("users", "list", "--app", "clarity")
    many = b'{"items":[' + b'{"id":7},' * 1000 + b'{}],"next_cursor":null}'
    answers = {
        "a redirect": b"HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n",
        "another form": response(b"[]"), "not JSON": response(b"<html>"), "nothing": b"", "half an answer": response(many)[:-9],
        "wrong types": response(many), "nested": response(b"[" * 100_000), "a control character": response(
            b'{"type":"","title":"\\u001b[2J","status":400,"code":"x"}', b"400 Bad Request"),
        "not HTTP": b"220 mail.example.com\r\n"}
    for name, answer in answers.items():
        with answering(answer) as (url, requests):
            done = machines.remote(*listing, url=url)
            machines.checks.equal(f"{name}: status", 1, done.returncode)
            machines.checks.that(f"{name}: one line of text", done.stderr.count("\n") == 1 and "\x1b" not in done.stderr,
                                 "one line", done.stderr)
            machines.checks.that(f"{name}: the key went to this server alone", requests)


def endless(machines):
    """A server that answers a cursor again ends the list with an error."""
    account = json.loads(machines.local("users", "show", "--app", "clarity", machines.email(0), "--json").stdout)
    item = {"id": account["id"], "app": "clarity", "email": account["email"], "email_verified": False, "username": None,
            "phone_number": None, "phone_number_verified": False, "full_name": None, "active": True, "has_password": True,
            "attributes": {}, "roles": [], "providers": [], "factors": [], "created_at": "2026-01-01T00:00:00.000Z",
            "updated_at": "2026-01-01T00:00:00.000Z", "last_sign_in_at": None}
    for name, cursors in (("the same cursor", ["c1"]), ("two cursors in turn", ["c1", "c2"])):
        pages = [response(json.dumps({"items": [item], "next_cursor": cursor}).encode()) for cursor in cursors]
        for command in (("users", "list"), ("users", "export", "--without-passwords"), ("sessions", "list", account["id"])):
            with answering(*pages) as (url, requests):
                done = machines.remote(*command, "--app", "clarity", url=url)
            machines.checks.equal(f"{name}, {command[0]} {command[1]}: status", 1, done.returncode)
            machines.checks.that(f"{name}, {command[0]} {command[1]}: the reason", "the same cursor twice" in done.stderr, "cursor", done.stderr)
            machines.checks.that(f"{name}, {command[0]} {command[1]}: it stops at once", len(requests) <= 6, 6, len(requests))


def response(body, status=b"200 OK"):
    return b"HTTP/1.1 %s\r\ncontent-type: application/json\r\ncontent-length: %d\r\nconnection: close\r\n\r\n%s" % (
        status, len(body), body)


@contextlib.contextmanager
def answering(*answers):
    """A server that answers its requests in turn."""
    requests = []

    class Handler(socketserver.BaseRequestHandler):
        def handle(self):
            requests.append(self.request.recv(65536))
            self.request.sendall(answers[(len(requests) - 1) % len(answers)])

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}", requests
        finally:
            server.shutdown()
            thread.join()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    arguments = parser.parse_args()
    checks, port = Checks(), free_port()
    configuration = development(clarity=app("clarity", roles={"editor": ["videos:write"]}, attributes=ATTRIBUTES)) | {
        "admin": {"listen": f"127.0.0.1:{port}"}}
    with serving(arguments.program, configuration, checks) as server, tempfile.TemporaryDirectory() as elsewhere:
        machines = Machines(server, port, elsewhere, checks)
        for section in (output, statistics, audit, changes, attributes, moving, refusals, hostile, endless, following):
            checks.run(section.__name__, lambda section=section: section(machines))
    return checks.close()


if __name__ == "__main__":
    sys.exit(main())
