#!/usr/bin/env python3
"""The admin API from outside: service keys, the order of the checks, idempotency, cursors, and its OpenAPI document.

  admin_api.py --program PATH [--only SECTION …] [--seconds 40]

Rows AD-01 (every operation without a key, without its scope and for another app), AD-05 (paths), AD-06 (paging) and PT-07 (DNS
rebinding).
"""

import argparse
import concurrent.futures
import contextlib
import json
import re
import subprocess
import sys
import time
from pathlib import Path

from apps import App, new_email, new_password
from checks import Checks
from server import app, clean_environment, development, free_port, serving
from wire import Wire

BASE = "/admin/v1"
PROBLEM = "application/problem+json"
KEY = re.compile(r"ostk_[0-9a-f]{16}_[A-Za-z0-9_-]{43}\Z")
METHODS = ("get", "post", "put", "patch", "delete")


class Administration:
    """A server with an admin listener, and keys of all kinds."""

    def __init__(self, server, port, checks):
        self.server, self.checks = server, checks
        self.wire = Wire(f"http://127.0.0.1:{port}")
        self.app = App(server.wire, server.inbox, "clarity")
        self.people = [self.app.register() for _ in range(2)]
        self.key = self.create("--scope", *self.scopes)["key"]
        self.document = self.get("/openapi.json").json

    scopes = ["accounts:read", "accounts:write", "accounts:export", "accounts:impersonate", "sessions:read", "sessions:write",
              "factors:read", "factors:write", "roles:read", "roles:write", "audit:read", "stats:read", "messages:read",
              "messages:write", "events:read", "events:write", "signing_keys:read", "signing_keys:write"]

    def command(self, *arguments):
        return self.server.command("admin", "keys", *arguments)

    def create(self, *arguments):
        done = self.command("create", "--name", "Check", *arguments, "--json")
        if done.returncode:
            raise RuntimeError(done.stderr)
        return json.loads(done.stdout)

    def wait(self, seconds=10):
        """Waits until the admin listener accepts connections, which it does after the main one."""
        end = time.monotonic() + seconds
        while True:
            try:
                return self.wire.connect().connect()
            except ConnectionRefusedError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.05)

    def send(self, method, path, *more, key=None, **others):
        return self.wire.send(method, BASE + path, *more, bearer=self.key if key is None else key, **others)

    def get(self, path, **more):
        return self.send("GET", path, **more)

    def account(self, index=0):
        return f"/apps/clarity/accounts/{self.people[index].user['id']}"

    def refused(self, name, answer, status, code):
        body = answer.json
        came = (answer.status, answer.header("content-type"), body.get("code"), body.get("status"))
        return self.checks.equal(name, (status, PROBLEM, code, status), came)

    def operations(self):
        """Every operation of the document: method, path below the base, scope."""
        for path, methods in self.document["paths"].items():
            for method in METHODS:
                if method in methods:
                    yield method.upper(), path.removeprefix(BASE), methods[method].get("x-scope")

    def filled(self, path, app="clarity"):
        path = path.replace("{app}", app).replace("{account}", str(self.people[0].user["id"]))
        return re.sub(r"\{[a-z]+\}", "x1", path)


def keys(admin):
    checks = admin.checks
    created = admin.create("--scope", "audit:read", "sessions:read", "--app", "clarity", "idp", "--network", "127.0.0.0/8",
                           "--expires", "90d")
    checks.that("the key has the form that scanners look for", KEY.match(created["key"]), KEY.pattern, created["key"])
    checks.equal("scopes", ["sessions:read", "audit:read"], created["scopes"])
    checks.equal("apps", ["clarity", "idp"], created["apps"])
    checks.equal("networks", ["127.0.0.0/8"], created["networks"])
    checks.equal("is accepted", 200, admin.get("/apps", key=created["key"]).status)
    listed = json.loads(admin.command("list", "--json").stdout)
    own = [key for key in listed if key["id"] == created["id"]]
    checks.equal("is listed once, without its secret", [{k: v for k, v in created.items() if k != "key"}],
                 [{k: v for k, v in key.items() if k != "last_used_at"} for key in own])
    deadline = time.monotonic() + 5
    while "last_used_at" not in own[0] and time.monotonic() < deadline:
        own = [key for key in json.loads(admin.command("list", "--json").stdout) if key["id"] == created["id"]]
    checks.that("its use is recorded", "last_used_at" in own[0], "last_used_at", own[0])
    table = admin.command("list").stdout
    checks.that("and in the table", created["id"] in table and created["key"] not in table, "a row", table)
    made = admin.command("create", "--name", "A", "--scope", "audit:read")
    checks.that("a person is shown the key once", re.search(r"^key: ostk_\S+$", made.stdout, re.M) and "not shown again" in made.stderr,
                "a line `key: …`", made.stdout + made.stderr)
    elsewhere = admin.create("--scope", "audit:read", "--network", "192.0.2.0/24")
    admin.refused("from another network", admin.get("/apps", key=elsewhere["key"]), 401, "network_not_allowed")
    revoked = admin.command("revoke", created["id"], "--json")
    checks.that("revoked", "revoked_at" in json.loads(revoked.stdout), "revoked_at", revoked.stdout)
    admin.refused("the next request is refused", admin.get("/apps", key=created["key"]), 401, "service_key_revoked")
    for arguments in (["revoke", "nothing"], ["create", "--name", "A", "--scope", "audit:*"], ["create", "--name", " ", "--scope", "audit:read"],
                      ["create", "--name", "A", "--scope", "audit:read", "--app", "nowhere"],
                      ["create", "--name", "A", "--scope", "audit:read", "--network", "10.0.0.1/8"],
                      ["create", "--name", "A", "--scope", "audit:read", "--expires", "3654d"],
                      ["create", "--name", "A", "--scope", "audit:read", "--expires", "4294967295w"]):
        done = admin.command(*arguments)
        checks.equal(f"{' '.join(arguments)}: refused in one line", (1, 1, ""), (done.returncode, len(done.stderr.splitlines()), done.stdout))
    # `ostk_<id>_<secret>`, whose secret can contain underscores.
    secret = created["key"].split("_", 2)[2][:20]
    for path in [admin.server.log, *Path(admin.server.data).iterdir()]:
        if path.is_file():
            checks.that(f"{path.name} has no secret", secret.encode() not in path.read_bytes())
    events = [json.loads(line) for line in admin.server.command("audit", "--json").stdout.splitlines()]
    own = [event for event in events if event.get("identifier") == created["id"]]
    checks.equal("creation and revocation are in the audit log", ["cli.service_keys.create", "cli.service_keys.revoke"],
                 [event["action"] for event in own])


def without_a_server(admin):
    with admin.server.paused():
        key = admin.create("--scope", "audit:read")
        admin.checks.equal("keys are listed without a server", key["id"], json.loads(admin.command("list", "--json").stdout)[-1]["id"])
    admin.checks.equal("and are accepted afterwards", 200, admin.get("/apps", key=key["key"]).status)


def order(admin):
    """Key, app, scope, existence, body: each refusal with everything after it wrong as well."""
    checks = admin.checks
    operations = list(admin.operations())
    checks.that("there are operations", len(operations) > 30, "more than 30", len(operations))
    other = admin.create("--scope", *admin.scopes, "--app", "vici")["key"]
    nothing = {"key": ""}
    for number, (method, path, scope) in enumerate(operations):
        name = f"{method} {path}"
        if number < 20:  # More wrong keys than these a minute are refused: see wrong_keys.
            answer = admin.send(method, admin.filled(path) + "?x=1", body=b"{", **nothing)
            admin.refused(f"{name} with an empty key", answer, 401, "service_key_unknown")
        missing = admin.wire.send(method, BASE + admin.filled(path) + "?x=1", body=b"{")
        admin.refused(f"{name} without a key", missing, 401, "service_key_missing")
        checks.equal(f"{name}: WWW-Authenticate", "Bearer", missing.header("www-authenticate"))
        if "{app}" in path:
            unknown, reached = (admin.send(method, admin.filled(path, app=app), key=other) for app in ("nowhere", "clarity"))
            admin.refused(f"{name} of an unknown app", unknown, 404, "not_found")
            checks.equal(f"{name} of another app: the same bytes", unknown.body, reached.body)
        if scope:
            key = admin.create("--scope", *(each for each in admin.scopes if each != scope))["key"]
            answer = admin.send(method, admin.filled(path) + "?x=1", body=b"{", key=key)
            admin.refused(f"{name} without {scope}", answer, 403, "missing_scope")
            checks.equal(f"{name} names the scope", scope, answer.json.get("scope"))
        if "{account}" in path:
            path = path.replace("{account}", "nobody")
            admin.refused(f"{name} of nobody", admin.send(method, admin.filled(path) + "?x=1", body=b"{"), 404, "not_found")


def paths(admin):
    """Paths and methods that exist in another spelling only."""
    for path in ("", "/", "/apps/", "//apps", "/apps/../apps", "/apps/%2e%2e/apps", "/APPS", "/apps;x", "/%61pps%00", "/apps/clarity"):
        admin.refused(f"GET {path!r}", admin.get(path), 404, "not_found")
    answer = admin.send("PUT", "/apps")
    admin.refused("PUT /apps", answer, 405, "method_not_allowed")
    admin.checks.equal("Allow", "GET, HEAD, OPTIONS", answer.header("allow"))
    answer = admin.send("OPTIONS", "/apps")
    admin.checks.equal("OPTIONS", (204, "GET, HEAD, OPTIONS"), (answer.status, answer.header("allow")))
    admin.checks.equal("HEAD", (200, b""), (admin.send("HEAD", "/apps").status, admin.send("HEAD", "/apps").body))
    for path in ("/vici/api/auth/me", "/clarity/verify", "/idp/login", "/dev/inbox"):
        admin.checks.equal(f"{path} is not on the admin listener", 404, admin.wire.get(path, bearer=admin.key).status)
    admin.checks.equal("the API is not on the main listener", 404, admin.server.wire.get(f"{BASE}/apps", bearer=admin.key).status)
    admin.checks.equal("metrics are", 200, admin.wire.get("/metrics").status)


def hosts(admin):
    """A page whose name was pointed at this listener (DNS rebinding) sends that name."""
    for host, status in (("localhost", 200), ("127.0.0.1:1", 200), ("admin.example.com", 200), ("evil.example", 421),
                         ("localhost.evil.example", 421), ("127.0.0.1.evil.example", 421)):
        connection = admin.wire.connect()
        connection.request("GET", f"{BASE}/apps", headers={"Host": host, "Authorization": f"Bearer {admin.key}"})
        admin.checks.equal(f"Host: {host}", status, connection.getresponse().status)
        connection.close()


def wrong_keys(admin):
    wrong = "ostk_0123456789abcdef_" + "A" * 43
    statuses = [admin.get("/apps", key=wrong).status for _ in range(60)]
    admin.checks.that("wrong keys are limited", 429 in statuses and set(statuses) <= {401, 429}, "401, then 429", set(statuses))
    answer = next(answer for answer in (admin.get("/apps", key=wrong) for _ in range(60)) if answer.status == 429)
    admin.refused("with a wait", answer, 429, "too_many_requests")
    admin.checks.equal("in both places", answer.json["retry_after"], int(answer.header("retry-after")))
    admin.checks.equal("the right key is not", 200, admin.get("/apps").status)


def pages(admin):
    first = admin.get("/apps?limit=1").json
    second = admin.get(f"/apps?limit=1&cursor={first['next_cursor']}").json
    names = [item["name"] for page in (first, second) for item in page["items"]]
    admin.checks.equal("two pages", ["clarity", "vici"], names)
    admin.checks.equal("the last one says so", None, second["next_cursor"])
    cursor = first["next_cursor"]
    for path in (f"/apps?cursor={cursor[:-2]}AA", f"{admin.account()}/sessions?cursor={cursor}", "/apps?cursor=x"):
        answer = admin.get(path)
        admin.refused(path.replace(cursor, "CURSOR"), answer, 400, "invalid_request")
        admin.checks.equal("the pointer", "/cursor", answer.json["errors"][0]["pointer"])
    for query, pointer in (("limit=201", "/limit"), ("limit=0", "/limit"), ("page=1", "/page")):
        answer = admin.get(f"/apps?{query}")
        admin.refused(query, answer, 400, "invalid_request")
        admin.checks.equal(f"{query}: the pointer", [pointer], [error["pointer"] for error in answer.json["errors"]])
    admin.refused("a repeated parameter", admin.get("/apps?limit=1&limit=1"), 400, "malformed_request")


def idempotency(admin):
    checks = admin.checks
    path = f"{admin.account(1)}/disable"

    def send(key, **more):
        return admin.send("POST", path, headers=[("Idempotency-Key", key)], **more)

    def count():
        events = admin.server.command("audit", "--json").stdout.splitlines()
        return sum(json.loads(line)["action"] == "admin.users.disable" for line in events)

    before = count()
    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(lambda _: send("k1"), range(32)))
    checks.that("32 at once are performed or told to wait", {answer.status for answer in answers} <= {204, 409}, "204, 409",
                {answer.status for answer in answers})
    for answer in answers:
        if answer.status == 409:
            admin.refused("while the first is performed", answer, 409, "idempotency_key_in_use")
    checks.equal("and performed once", before + 1, count())
    checks.equal("later as well", 204, send("k1").status)
    admin.refused("with another body", send("k1", body=b"{}"), 422, "idempotency_key_reused")
    admin.server.kill()
    admin.server.start()
    admin.wait()
    checks.equal("after kill -9 as well", 204, send("k1").status)
    checks.equal("still performed once", before + 1, count())
    admin.refused("a refusal is not kept", send("k2", body=b"{\"x\":1}"), 400, "invalid_request")
    checks.equal("so that the request can be corrected", 204, send("k2").status)
    for key in ("", "a b", "k" * 256):
        admin.refused(f"the key {key[:4]!r}", send(key), 400, "idempotency_key_malformed")
    admin.send("POST", f"{admin.account(1)}/enable")


def accounts(admin):
    """One account from its creation to its end, by the fields of the documentation."""
    checks, path = admin.checks, "/apps/clarity/accounts"
    email = new_email()
    body = {"email": email, "email_verified": True, "full_name": "Ann Example", "attributes": {"plan": "pro"}, "password": new_password()}

    def create(**changes):
        return admin.send("POST", path, body | changes, headers=[("Idempotency-Key", "create-" + email)])

    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(lambda _: create(), range(16)))
    created = [answer for answer in answers if answer.status == 201]
    checks.that("16 creations at once are one, or told to wait", created and {answer.status for answer in answers} <= {201, 409},
                "201 and 409", {answer.status for answer in answers})
    checks.equal("and one answer", 1, len({answer.body for answer in created}))
    admin.refused("another body", create(full_name="Al"), 422, "idempotency_key_reused")
    account = created[0].json
    checks.equal("Location", f"{BASE}{path}/{account['id']}", created[0].header("location"))
    own = created[0].header("location").removeprefix(BASE)
    checks.equal("where the account is", account, admin.get(own).json)
    checks.equal("as it was described", (email, True, "Ann Example", True, {"plan": "pro"}, True),
                 tuple(account[name] for name in ("email", "email_verified", "full_name", "active", "attributes", "has_password")))
    taken = admin.send("POST", path, body)
    admin.refused("the email is taken", taken, 409, "identifier_taken")
    checks.equal("at its pointer", [{"pointer": "/email", "code": "identifier_taken"}], taken.json["errors"])
    found = admin.get(f"{path}?q={email[:12].upper()}&active=true").json["items"]
    checks.equal("is found by the beginning of its email", [account["id"]], [item["id"] for item in found])
    changed = admin.send("PATCH", own, {"full_name": None, "attributes": {"plan": None}}, content_type="application/merge-patch+json").json
    checks.equal("a merge patch removes", (None, {}), (changed["full_name"], changed["attributes"]))
    for patch, pointer, code in (({"attributes": {"colour": "red"}}, "/attributes/colour", "unknown"),
                                 ({"attributes": {"plan": {"a": 1}}}, "/attributes/plan", "mistyped"),
                                 ({"attributes": {"plan": "gold"}}, "/attributes/plan", None),
                                 ({"email": "nobody"}, "/email", "malformed"), ({"password": "x"}, "/password", "unknown_field")):
        answer = admin.send("PATCH", own, patch)
        admin.refused(f"{patch}", answer, 400, "invalid_request")
        checks.equal(f"{patch}: its pointer", (pointer, code or answer.json["errors"][0]["code"]),
                     (answer.json["errors"][0]["pointer"], answer.json["errors"][0]["code"]))
    export = admin.get(f"{own}/export").json
    checks.equal("the export", {"exported_at", "account", "sessions", "factors", "identities", "audit", "messages", "sign_in_origins", "devices"}, set(export))
    checks.that("with the account's history", any(event["action"] == "admin.users.update" for event in export["audit"]), "admin.users.update",
                [event["action"] for event in export["audit"]])
    lines = admin.get(f"/audit?app=clarity&account={account['id']}", headers=[("Accept", "application/x-ndjson")])
    checks.equal("lines of the audit log", "application/x-ndjson", lines.header("content-type"))
    checks.equal("one event a line", {account["id"]}, {json.loads(line)["account"] for line in lines.body.splitlines()})
    checks.equal("deleted", 204, admin.send("DELETE", own).status)
    admin.refused("and gone", admin.get(own), 404, "not_found")
    text = admin.server.log.read_bytes()
    checks.that("no email and no search is in the log", email.encode() not in text and email[:12].upper().encode() not in text)


def described(admin, seconds):
    """Schemathesis sends what the document permits and what it does not, and compares the answers with it."""
    document = json.loads(json.dumps(admin.document))
    ids = {"app": ["clarity", "vici"], "account": [str(person.user["id"]) for person in admin.people]}
    for methods in document["paths"].values():
        for operation in methods.values():
            for parameter in operation.get("parameters", []):
                if parameter["in"] == "path" and parameter["name"] in ids:
                    parameter["schema"]["examples"] = ids[parameter["name"]]
                    parameter["schema"]["anyOf"] = [{"enum": ids[parameter["name"]]}, {"pattern": "^[a-z0-9]{1,20}$"}]
    path = admin.server.directory / "openapi.json"
    path.write_text(json.dumps(document))
    # Not every request of the right form succeeds: an account is unknown, an identifier is taken.
    run = subprocess.run(
        [sys.executable, "-m", "schemathesis.cli", "run", str(path), "--url", admin.wire.base, "--header", f"Authorization: Bearer {admin.key}",
         "--phases", "examples,coverage,fuzzing", "--max-time", str(seconds), "--max-examples", "20", "--seed", "1",
         "--exclude-checks", "positive_data_acceptance,negative_data_rejection", "--suppress-health-check", "all", "--continue-on-failure", "--warnings", "off"],
        capture_output=True, text=True, timeout=seconds * 3 + 120, cwd=admin.server.directory, env=clean_environment())
    admin.checks.equal("schemathesis", 0, run.returncode)
    if run.returncode:
        print(run.stdout[-12000:], run.stderr[-2000:], flush=True)


def beside_the_apps(program, checks):
    """Development without an admin listener: the API is on the main one, for this machine alone."""
    with serving(program, development(clarity=app("clarity")), checks) as server:
        admin = Administration(server, server.port, checks)
        checks.equal("on the main listener", 200, admin.get("/apps").status)
        for header in ("X-Forwarded-For", "Forwarded", "Via"):
            checks.equal(f"not with {header}", 404, admin.get("/apps", headers=[(header, "192.0.2.1")]).status)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--only", nargs="+", default=[])
    parser.add_argument("--seconds", type=int, default=40, help="the time that schemathesis has")
    arguments = parser.parse_args()
    checks, port = Checks(), free_port()
    plan = {"type": "string", "enum": ["free", "pro"], "access": "admin", "visible": True}
    configuration = development(clarity=app("clarity", attributes={"plan": plan}), vici=app("vici")) | {
        "admin": {"listen": f"127.0.0.1:{port}", "public_url": "https://admin.example.com"}}
    sections = {
        "keys": keys, "keys without a server": without_a_server, "order of the checks": order, "paths": paths, "hosts": hosts,
        "wrong keys": wrong_keys, "pages": pages, "accounts": accounts, "idempotency": idempotency,
        "openapi": lambda admin: described(admin, arguments.seconds)}
    with contextlib.ExitStack() as stack:
        admin = None
        for name, section in sections.items():
            if arguments.only and name not in arguments.only:
                continue
            admin = admin or Administration(stack.enter_context(serving(arguments.program, configuration, checks)), port, checks)
            checks.run(name, lambda: section(admin))
    if not arguments.only or "beside the apps" in arguments.only:
        checks.run("beside the apps", lambda: beside_the_apps(arguments.program, checks))
    return checks.close()


if __name__ == "__main__":
    sys.exit(main())
