#!/usr/bin/env python3
"""Account attributes over HTTP and at the command line, in every contract with passwords: registration, profile, refusals.

  attributes.py --program PATH
"""

import argparse
import copy
import json
import subprocess
import sys
import tempfile
import time

from checks import Checks
from second_factors import APPS, SecondFactors
from server import Server, app, clean_environment, development, serving

ATTRIBUTES = {
    "avatar_url": {"type": "string", "max": 500, "access": "owner"},
    "theme": {"type": "string", "enum": ["dark", "light"], "access": "owner"},
    "seats": {"type": "integer", "access": "owner"}, "rating": {"type": "number", "access": "owner"},
    "wants_news": {"type": "boolean", "access": "owner"}, "tags": {"type": "string_list", "max": 3, "access": "owner"},
    "born_at": {"type": "date_time", "access": "owner"},
    "plan": {"type": "string", "enum": ["free", "pro"], "access": "admin", "visible": True},
    "internal_note": {"type": "string"},
}
VISIBLE = [name for name, entry in ATTRIBUTES.items() if entry.get("access") == "owner" or entry.get("visible")]
GOOD = {"avatar_url": "https://example.com/\u00e9.png", "theme": "dark", "seats": 2**53 - 1, "rating": 4.5, "wants_news": False,
        "tags": ["a", "b"], "born_at": "2000-01-01T00:00:00+01:00"}
KEPT = GOOD | {"born_at": "1999-12-31T23:00:00Z"}
# Values that the server refuses, with the end of the code.
BAD = [
    ("avatar_url", "x" * 501, "too_long"), ("avatar_url", 7, "mistyped"), ("avatar_url", {"a": 1}, "mistyped"),
    ("avatar_url", "a\0b", "malformed"), ("theme", "", "not_supported"), ("theme", "Dark", "not_supported"),
    ("seats", 2**53, "malformed"), ("seats", 2**70, "mistyped"), ("seats", 1.5, "mistyped"), ("seats", "1", "mistyped"),
    ("seats", True, "mistyped"), ("rating", "4", "mistyped"), ("rating", 2**53 + 1, "malformed"), ("wants_news", 1, "mistyped"),
    ("tags", ["a"] * 4, "too_many"), ("tags", ["x" * 201], "too_long"), ("tags", [1], "mistyped"), ("tags", [["a"]], "mistyped"),
    ("tags", {}, "mistyped"), ("born_at", "yesterday", "malformed"), ("born_at", "2026-02-30T00:00:00Z", "malformed"),
    ("born_at", 0, "mistyped"), ("plan", "pro", "read_only"), ("plan", "gold", "read_only"), ("internal_note", "x", "read_only"),
]
# Bodies that are no JSON of the strict reader.
UNREADABLE = [
    '{"%s": NaN}', '{"%s": Infinity}', '{"%s": 1e999}', '{"%s": "a", "%s": "b"}', '{"%s": ' + "[" * 5000 + "]" * 5000 + "}",
    '{"%s": "\\ud800"}', '{"%s": "a' + "\u0301" * 200 + '"}', '{"%s": "a"', "[]", '"x"', "\x00",
]


class Attributes(SecondFactors):
    """An app with attributes of every type."""

    def wire_named(self, values):
        return {self.spelled(name): value for name, value in values.items()}

    def shown(self, user):
        return {name: user[self.spelled(name)] for name in VISIBLE if user.get(self.spelled(name)) is not None}

    def patch(self, person, values=None, body=None):
        return self.app.wire.send("PATCH", self.path("/me"), self.wire_named(values) if body is None else None, body=body,
                                  bearer=person.access)

    def user(self, person):
        return self.data(self.app.wire.get(self.path("/me"), bearer=person.access))

    def users(self, *arguments, status=0):
        done = self.server.command("users", *arguments, "--app", self.name)
        self.checks.equal(f"{self.name}: users {' '.join(arguments)[:80]}", status, done.returncode)
        if status != 0:
            self.checks.equal(f"{self.name}: refused in one line", 1, len(done.stderr.strip().splitlines()))
        return done

    def run(self):
        app, checks, name = self.app, self.checks, self.name
        body = app.newcomer()
        answer = app.call("register", body | self.wire_named(GOOD))
        credentials = {key: body[key] for key in (app.contract.identifier, "password")}
        person = app.person_from(answer, credentials)
        who = credentials[app.contract.identifier]
        checks.equal(f"{name}: a registration answers with the attributes", KEPT, self.shown(person.user))
        plain = app.register()
        expected = sorted(set(plain.user) | {self.spelled(attribute) for attribute in VISIBLE})
        checks.equal(f"{name}: a user has every visible attribute, null without a value", expected, sorted(plain.user))
        checks.equal(f"{name}: and no value", {}, self.shown(plain.user))
        for place, user in (("/me", self.user(person)), ("a sign-in", app.sign_in(person).user)):
            checks.equal(f"{name}: {place} has them too", KEPT, self.shown(user))
            checks.that(f"{name}: {place} has no hidden one", not {"internal_note", "internalNote", "attributes"} & set(user))

        changed = self.patch(person, {"theme": "light", "seats": None, "unknown_one": 1, "attributes": {"plan": "pro"}})
        checks.equal(f"{name}: a profile update", (200, KEPT | {"theme": "light"}), (changed.status, self.shown(self.data(changed))))
        checks.equal(f"{name}: an empty one", (200, KEPT | {"theme": "light"}),
                     (lambda answer: (answer.status, self.shown(self.data(answer))))(self.patch(person, {})))
        self.refusals(person)
        checks.equal(f"{name}: refusals changed nothing", KEPT | {"theme": "light"}, self.shown(self.user(person)))
        taken = app.newcomer()
        self.refused("a registration with an administrator's attribute",
                     app.call("register", taken | self.wire_named({"plan": "pro"})), 400, "plan_read_only")
        checks.equal(f"{name}: made no account", 401, app.call("login", {
            key: taken[key] for key in (app.contract.identifier, "password")}).status)
        self.commands(person, who)
        self.describe()
        self.speed(person, plain)

    def refusals(self, person):
        checks, name = self.checks, self.name
        for attribute, value, code in BAD:
            answer = self.patch(person, {attribute: value})
            self.refused(f"{attribute} = {str(value)[:30]}", answer, 400, f"{attribute}_{code}")
            text = json.dumps(answer.json)
            checks.that(f"{name}: {attribute}_{code} says the contract's spelling", self.spelled(attribute) in text, came=text)
        for template in UNREADABLE:
            body = template.replace("%s", self.spelled("seats")).encode("utf-8", "surrogatepass")
            answer = self.patch(person, body=body)
            checks.equal(f"{name}: {template[:40]!r}", (400, "malformed_request"), (answer.status, answer.json["code"]))
        huge = self.patch(person, {"avatar_url": "x" * 70_000})
        checks.equal(f"{name}: a huge body", 413, huge.status)
        many = self.patch(person, {f"a{number}": "x" for number in range(3000)})
        checks.equal(f"{name}: thousands of unknown names", 200, many.status)
        self.refused("no token", self.app.wire.send("PATCH", self.path("/me"), self.wire_named({"plan": "pro"})), 401,
                     "invalid_access_token")

    def commands(self, person, who):
        checks, name = self.checks, self.name
        self.users("update", who, "--set", "plan=pro", "--set", "internal_note=a=b", "--set", "seats=-3", "--set", "tags=x,y",
                   "--unset", "rating")
        user = self.user(person)
        checks.equal(f"{name}: the change holds at the next request", ("pro", -3, ["x", "y"], None), tuple(
            user[self.spelled(attribute)] for attribute in ("plan", "seats", "tags", "rating")))
        shown = self.users("show", who).stdout
        checks.that(f"{name}: users show has them", all(line in shown for line in ("plan          pro", "internal_note a=b")), came=shown)
        record = json.loads(self.users("show", who, "--json").stdout)
        checks.equal(f"{name}: users show --json", ("pro", -3, ["x", "y"]), tuple(
            record["attributes"][attribute] for attribute in ("plan", "seats", "tags")))
        for bad in ("plan=gold", "other=x", "seats=three", "wants_news=yes", "born_at=now", "rating=nan", "rating=inf"):
            done = self.users("update", who, "--set", bad, status=1)
            checks.that(f"{name}: {bad} is refused with a code", "attributes: " in done.stderr, came=done.stderr)
        self.users("update", who, "--unset", "other", status=1)
        for usage in (["--set", "plan"], ["--set", "Plan=x"], ["--set", "plan=a", "--set", "plan=b"], []):
            done = self.server.command("users", "update", "--app", name, who, *usage)
            checks.equal(f"{name}: users update {usage}", 64, done.returncode)
        identifier = {"barqnet": ["--phone", "+15557654321"], "viewvault": ["--username", "cli"]}.get(name, ["--email", "cli@example.com"])
        self.users("create", *identifier, "--set", "plan=free", "--set", "theme=dark")
        exported = [json.loads(line) for line in self.users("export").stdout.splitlines()]
        made = next(record for record in exported if record.get("attributes", {}).get("plan") == "free")
        checks.equal(f"{name}: an export has them", {"plan": "free", "theme": "dark"}, made["attributes"])
        self.imports(made)

    def imports(self, made):
        checks, name = self.checks, self.name
        self.users("delete", made["id"], "--yes")
        with tempfile.NamedTemporaryFile("w", suffix=".jsonl", dir=self.server.directory) as file:
            bad = {"attributes": {"other": "x"}}, {"attributes": {"plan": "gold"}}, {"attributes": {"seats": "3"}}
            lines = [made] + [{"email": f"import{number}@example.com"} | more for number, more in enumerate(bad)]
            file.write("".join(json.dumps(line) + "\n" for line in lines))
            file.flush()
            done = self.server.command("users", "import", "--app", name, "--from", file.name)
        checks.that(f"{name}: an import names what it refuses", all(
            code in done.stderr + done.stdout for code in ("other_unknown", "plan_not_supported", "seats_mistyped")),
            came=done.stderr + done.stdout)
        record = json.loads(self.users("show", made["id"], "--json").stdout)
        checks.equal(f"{name}: and keeps what it accepts", made["attributes"], record["attributes"])

    def describe(self):
        document = self.app.wire.get("/openapi.json").json
        user = document["components"]["schemas"]["User"]
        self.checks.equal(f"{self.name}: the description has the visible ones", set(map(self.spelled, VISIBLE)), {
            key for key in user["properties"] if key in map(self.spelled, ATTRIBUTES)})
        text = json.dumps(document)
        self.checks.that(f"{self.name}: and no hidden one", "internal" not in text.replace("internal server", ""))

    def speed(self, person, plain):
        """Reports how long /me takes with and without attributes; the check is that both answer."""
        figures = {}
        for label, someone in (("with", person), ("without", plain)):
            connection = self.app.wire.connect()
            times = []
            for _ in range(300):
                began = time.perf_counter()
                answer = self.app.wire.send("GET", self.path("/me"), bearer=someone.access, connection=connection)
                times.append(time.perf_counter() - began)
            connection.close()
            figures[label] = sorted(times)[len(times) // 2] * 1e6
            self.checks.equal(f"{self.name}: /me {label} attributes", 200, answer.status)
        print(f"{self.name}: /me median {figures['with']:.0f} µs with attributes, {figures['without']:.0f} µs without", flush=True)


def client_commands(server, checks):
    """The client at the terminal, which knows the contract and no declaration."""
    person = Attributes(server, "vici", checks).app.register()
    session = ["--server", f"{server.base}/vici", "--contract", "vici"]

    def client(*arguments, input=None):
        return subprocess.run([server.program, *arguments], input=input, capture_output=True, text=True, timeout=30,
                              cwd=server.directory, env=clean_environment() | {"HOME": str(server.directory)})

    done = client("login", *session, "--identifier", person.credentials["email"], "--password-stdin", input=person.password)
    checks.equal("the client signs in", 0, done.returncode)
    done = client("request", "PATCH", "/api/auth/me", "--data", '{"avatarUrl": "x", "seats": 7}')
    checks.equal("and changes its attributes", 0, done.returncode)
    done = client("whoami", "--json")
    checks.equal("whoami prints them by their declared names", {"avatar_url": "x", "seats": 7}, (
        json.loads(done.stdout) if done.returncode == 0 else {}).get("attributes"))
    client("logout")


def changed_declarations(program, checks):
    """A declaration that is removed, and one that is changed: the values are kept and not shown."""
    before = development(vici=app("vici", attributes=ATTRIBUTES))
    with serving(program, before, checks) as server:
        attributes = Attributes(server, "vici", checks)
        body = attributes.app.newcomer()
        person = attributes.app.person_from(
            attributes.app.call("register", body | attributes.wire_named(GOOD)), {key: body[key] for key in ("email", "password")})
        after = copy.deepcopy(before)
        del after["apps"]["vici"]["attributes"]["theme"]
        after["apps"]["vici"]["attributes"] |= {"seats": {"type": "string", "access": "owner"},
                                                "avatar_url": {"type": "string", "access": "owner", "max": 5}}
        with server.paused():
            server.configuration = after
        user = attributes.user(person)
        checks.equal("what no longer fits is not shown", (None, None, 4.5), tuple(
            user.get(name) for name in ("seats", "avatarUrl", "rating")))
        checks.that("what is no longer declared is not there", "theme" not in user, came=str(user))
        answer = attributes.patch(person, {"rating": 5})
        checks.equal("an update of another attribute", 200, answer.status)
        with server.paused():
            server.configuration = before
        user = attributes.user(person)
        checks.equal("and all are back with their declarations", KEPT | {"rating": 5}, attributes.shown(user))


def refused_configurations(program, checks):
    """Declarations that end the start with 78 and one line."""
    cases = {
        "a contract's field": {"email": {"type": "string"}}, "in the contract's spelling": {"name": {"type": "string"}},
        "in another spelling": {"full_name": {"type": "string"}}, "another case": {"avatarUrl": {"type": "string"}},
        "no type": {"plan": {}}, "an unknown type": {"plan": {"type": "object"}}, "an unknown key": {"plan": {"type": "string", "min": 1}},
        "a max without length": {"seats": {"type": "integer", "max": 3}}, "too many": {
            f"a{number}": {"type": "boolean"} for number in range(51)},
    }
    for label, attributes in cases.items():
        with tempfile.TemporaryDirectory(prefix="ostiary-") as directory:
            server = Server(program, directory, development(vici=app("vici", attributes=attributes)))
            done = server.command("serve", "--listen", "127.0.0.1:0")
            lines = done.stderr.strip().splitlines()
            checks.equal(f"{label}: status and lines", (78, 1), (done.returncode, len(lines)))
            checks.that(f"{label}: the line names the key", "apps.vici.attributes" in done.stderr, came=done.stderr)
            checks.that(f"{label}: nothing is written", not server.data.exists())
    with tempfile.TemporaryDirectory(prefix="ostiary-") as directory:
        server = Server(program, directory, development(vici=app("vici", attributes=ATTRIBUTES)))
        done = server.command("config", "show")
        checks.that("config show has them", all(text in done.stdout for text in ("avatar_url:", "max: 500", "access: owner")),
                    came=done.stdout[-300:])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    arguments = parser.parse_args()
    checks = Checks()
    checks.run("configuration", lambda: refused_configurations(arguments.program, checks))
    apps = {name: app(name, attributes=ATTRIBUTES) for name in APPS}
    with serving(arguments.program, development(**apps), checks) as server:
        for name in APPS:
            checks.run(name, Attributes(server, name, checks).run)
        checks.run("client", lambda: client_commands(server, checks))
    checks.run("changed declarations", lambda: changed_declarations(arguments.program, checks))
    return checks.close()


if __name__ == "__main__":
    sys.exit(main())
