#!/usr/bin/env python3
"""Events over HTTP: signatures by the reference library of Standard Webhooks, order, retries, hostile receivers, and no event lost
when the program is killed (SIGKILL) between a change and its event.

  events.py --program PATH [--rounds 4] [--store postgres]
"""

import argparse
import contextlib
import http.client
import ipaddress
import json
import random
import socket
import sys
import threading
import time
from pathlib import Path

from apps import App
from checks import Checks
from drills.cluster import Database, Node, encryption_key
from drills.stage import needed, options
from peers.guard import Guard
from peers.receiver import Receiver, verifies
from server import app, development

GUIDE = Path(__file__).parents[3] / "Documentation" / "events.md"


class Events:
    def __init__(self, server, checks):
        self.server, self.checks = server, checks

    @property
    def app(self):
        return App(self.server.wire, self.server.inbox, "vici")

    def command(self, *arguments):
        done = self.server.command("events", *arguments)
        self.checks.equal(f"events {' '.join(arguments[:1])}", (0, ""), (done.returncode, done.stderr.strip()))
        return done.stdout

    @contextlib.contextmanager
    def endpoint(self, *arguments):
        """A receiver whose endpoint is removed at the end."""
        receiver = Receiver()
        endpoint = json.loads(self.command("create", "--app", "vici", "--url", receiver.url(), "--json", *arguments))
        receiver.secrets.append(endpoint["secret"])
        receiver.id = endpoint["id"]
        try:
            yield receiver
        finally:
            self.command("delete", receiver.id)
            receiver.close()

    def deliveries(self, receiver, *arguments):
        return json.loads(self.command("deliveries", "--endpoint", receiver.id, "--json", *arguments))

    def settled(self, receiver, condition, seconds=20):
        """Returns the deliveries, newest first, once `condition` is true of them."""
        deadline = time.monotonic() + seconds
        while not condition(found := self.deliveries(receiver)):
            if time.monotonic() > deadline:
                raise RuntimeError(f"the deliveries are {found}")
            time.sleep(0.2)
        return found

    # The sections.

    def signatures(self):
        checks = self.checks
        with self.endpoint("--include", "email", "--type", "account.created", "--type", "session.created") as receiver:
            person = self.app.register()
            checks.equal("types", ["account.created", "session.created"], receiver.types(2))
            created, session = receiver.requests
            checks.equal("the reference library verifies", [receiver.secrets] * 2, [r.verified for r in receiver.requests])
            checks.that("and refuses another body", not verifies(receiver.secrets[0], created.body + b" ", created.headers))
            checks.equal("path and type", ("/events", "application/json"), (created.path, created.headers["content-type"]))
            checks.equal("app", "vici", created.data["app"])
            checks.equal("the account is the user", str(person.user["id"]), created.data["account"])
            checks.equal("an included field", person.credentials["email"], created.data["email"])
            checks.that("a masked identifier", person.credentials["email"] != created.data["identifier"] and
                        created.data["identifier"].endswith("@example.com") or "…" in created.data["identifier"],
                        "a masked address", created.data["identifier"])
            checks.equal("no actor", None, created.data["actor"])
            checks.that("a session", session.data["session"])
            checks.equal("ids differ", 2, len({r.id for r in receiver.requests}))

            old = receiver.secrets[0]
            new = json.loads(self.command("rotate-secret", receiver.id, "--json"))["secret"]
            receiver.secrets.append(new)
            receiver.clear()
            self.app.register()
            receiver.types(2)
            checks.equal("both secrets verify after a rotation", [[old, new]] * 2, [r.verified for r in receiver.requests])

            receiver.clear()
            self.command("test", receiver.id)
            checks.equal("a test", ["endpoint.test"], receiver.types(1))
            checks.equal("a test is signed", [old, new], receiver.requests[0].verified)
            checks.equal("a test has no account", None, receiver.requests[0].data["account"])

            delivery = next(d for d in self.deliveries(receiver) if d["event_id"] == created.id)
            checks.equal("a delivery", ("delivered", 204), (delivery["state"], delivery["attempts"][0]["status"]))
            receiver.clear()
            self.command("redeliver", delivery["id"])
            receiver.types(1)
            checks.equal("a redelivery has id and body", (created.id, created.body),
                         (receiver.requests[0].id, receiver.requests[0].body))

    def changes(self):
        """What administrators and owners do, and what is refused."""
        checks, app = self.checks, self.app
        person = app.register()
        who = person.credentials["email"]
        with self.endpoint() as receiver:
            for number in range(3):
                checks.equal("a wrong password", 401, app.call("login", person.with_password(f"wrong-{number}")).status)
            checks.equal("one refusal a minute", ["sign_in.refused"], receiver.types(1))
            checks.equal("its code", "wrong_credentials", receiver.requests[0].data["code"])
            receiver.clear()
            app.sign_in(person)
            self.server.command("users", "roles", "--app", "vici", who, "--add", "editor")
            self.server.command("users", "disable", "--app", "vici", who)
            self.server.command("users", "enable", "--app", "vici", who)
            self.server.command("users", "delete", "--app", "vici", who, "--yes")
            expected = ["session.created", "account.updated", "account.disabled", "session.revoked", "session.revoked",
                        "account.enabled", "account.deleted"]
            checks.equal("events of a life", sorted(expected), sorted(receiver.types(len(expected))))
            requests = list(receiver.requests)
            checks.equal("in order", ["session.created", "account.updated"], [r.type for r in requests[:2]])
            checks.equal("the last", ["account.enabled", "account.deleted"], [r.type for r in requests[-2:]])
            checks.equal("what changed", ["roles"], requests[1].data["changed"])
            checks.that("the administrator", requests[1].data["actor"].startswith("cli:"), "cli:…", requests[1].data["actor"])
            checks.equal("every request verifies", True, all(r.verified for r in requests))

    def order(self):
        """A failed attempt delays the account's next events, and no other account's."""
        checks = self.checks
        with self.endpoint("--type", "account.created", "--type", "session.created") as receiver:
            failed = []

            def fail_once(request):
                if request.type == "account.created" and not failed:
                    failed.append(request)
                    return 500
                return 204

            receiver.answer = fail_once
            first = self.app.register()
            receiver.types(1)
            other = self.app.register()
            requests = receiver.wait(lambda all: len(all) >= 5)
            own = [r for r in requests if r.data["account"] == str(first.user["id"])]
            checks.equal("the account's order", ["account.created", "account.created", "session.created"], [r.type for r in own])
            checks.equal("the repetition has the same id and body", (own[0].id, own[0].body), (own[1].id, own[1].body))
            waited = own[1].at - own[0].at
            checks.that("after five seconds", 4.5 <= waited <= 9, "5 s", waited)
            others = [r for r in requests if r.data["account"] == str(other.user["id"])]
            checks.that("the other account does not wait", len(others) == 2 and others[-1].at < own[1].at)

    def hostile(self):
        """Receivers that redirect, send too much, too slowly or nothing at all."""
        checks, target = self.checks, Receiver()
        with self.endpoint("--type", "account.deleted") as receiver:
            def attempt(answer, seconds=20):
                receiver.answer = lambda request: answer
                self.command("test", receiver.id)
                return self.settled(receiver, lambda found: found[0]["attempts"], seconds)[0]["attempts"][0]

            for status in (301, 302, 307, 308):
                came = attempt((status, {"location": target.url()}, b""))
                checks.equal(f"a redirect by {status} is no success", status, came.get("status"))
            checks.equal("and is not followed", [], target.requests)

            def huge(handler):
                handler.send_response(200)
                handler.send_header("content-length", str(10**9))
                handler.end_headers()
                sent = 0
                with contextlib.suppress(OSError):
                    while sent < 10**9:
                        sent += handler.wfile.write(b"x" * 65536)
                receiver.sent = sent
                handler.close_connection = True

            came = attempt(huge)
            checks.equal("a huge answer is a success", 200, came.get("status"))
            checks.that("and is not read", receiver.sent < 10**8, "a part", receiver.sent)

            def slow(handler):
                handler.send_response(200)
                handler.send_header("content-length", "100")
                handler.end_headers()
                with contextlib.suppress(OSError):
                    for _ in range(100):
                        handler.wfile.write(b"x")
                        handler.wfile.flush()
                        time.sleep(0.5)
                handler.close_connection = True

            came = attempt(slow)
            checks.equal("a slow answer is a failure", (None, "no answer in time"), (came.get("status"), came.get("error")))
            checks.that("after ten seconds", 9_500 <= came["duration_ms"] <= 13_000, "10 s", came["duration_ms"])
        target.close()

    def gone(self):
        """410 disables an endpoint, and its contact gets mail."""
        checks = self.checks
        with self.endpoint("--contact", "ops@example.com", "--type", "account.created") as receiver:
            receiver.answer = lambda request: 410
            self.app.register()
            mail = self.server.inbox.wait("vici", "ops@example.com", seconds=15)
            checks.that("the mail names the host", f"127.0.0.1:{receiver.port}" in mail["text"], "the host", mail["text"])
            listed = {endpoint["id"]: endpoint for endpoint in json.loads(self.command("list", "--json"))}
            checks.equal("disabled", "disabled", listed[receiver.id]["state"])
            receiver.clear()
            self.app.register()
            self.command("enable", receiver.id)
            receiver.answer = lambda request: 204
            self.app.register()
            receiver.types(1)
            checks.equal("one event after it was enabled", 1, len(receiver.requests))

    def guide(self):
        """The receiver of the guide, as it is printed there."""
        text = GUIDE.read_text()
        source = text.split("```python\n", 1)[1].split("```", 1)[0]
        with self.endpoint("--type", "account.created") as receiver:
            names = {}
            exec(compile(source, "events.md", "exec"), names)
            self.app.register()
            receiver.types(1)
            request = receiver.requests[0]
            event = names["verified"](receiver.secrets[0], request.body, request.headers)
            self.checks.equal("the guide's receiver reads the event", request.event, event)
            for body, headers in ((request.body + b" ", request.headers), (request.body, request.headers | {"webhook-id": "x"})):
                try:
                    names["verified"](receiver.secrets[0], body, headers)
                    self.checks.that("the guide's receiver refuses what was altered", False)
                except Exception:
                    self.checks.that("the guide's receiver refuses what was altered", True)

    # Crashes.

    def crash(self, receiver, ledger, seed):
        """Registers from several threads until the program is killed."""
        self.server.start()
        writers = [Registering(self.app, ledger) for _ in range(4)]
        for writer in writers:
            writer.start()
        time.sleep(random.Random(seed).uniform(0.05, 1.0))
        self.server.kill()
        for writer in writers:
            writer.join()
            self.checks.equal("writers see no other failure than the kill", None, writer.surprise)

    def none_lost(self, rounds):
        receiver = Receiver()
        endpoint = json.loads(self.command("create", "--app", "vici", "--url", receiver.url(), "--json"))
        receiver.secrets.append(endpoint["secret"])
        self.server.stop()
        ledger = []
        for number in range(rounds):
            self.crash(receiver, ledger, number)
        self.server.start()
        accounts = {str(person.user["id"]) for person in ledger}

        def received(requests):
            return {r.data["account"] for r in requests if r and r.type == "account.created"}

        # A claim of the killed program is repeated when it ends, after a minute.
        receiver.wait(lambda all: accounts <= received(all), seconds=90)
        self.checks.equal("every acknowledged registration is an event", set(), accounts - received(receiver.requests))
        order = {}
        for request in receiver.requests:
            order.setdefault(request.data["account"], []).append(request.type)
        wrong = [types for types in order.values() if types[0] != "account.created"]
        self.checks.equal("each account begins with its creation", [], wrong)
        self.checks.equal("every request verifies", True, all(r.verified for r in receiver.requests))
        print(f"{len(accounts)} acknowledged registrations over {rounds} kills, {len(receiver.requests)} requests")
        self.command("delete", endpoint["id"])
        receiver.close()


class Registering(threading.Thread):
    def __init__(self, app, ledger):
        super().__init__()
        self.app, self.ledger, self.surprise = app, ledger, None

    def run(self):
        try:
            while True:
                self.ledger.append(self.app.register())
        except (OSError, http.client.HTTPException):
            pass
        except Exception as error:
            self.surprise = error


def production(program, checks):
    """In production no request leaves for an address of this machine or its network, whatever its name is."""
    with Guard() as guard:
        configuration = {
            "mode": "production", "public_url": "https://auth.example.com", "encryption_key": encryption_key(),
            "admin": {"listen": "127.0.0.1:0"}, "apps": {"vici": app("vici")},
            "email": {"kind": "smtp", "url": "smtps://127.0.0.1:1", "from": "a@example.com"}}
        server = Node(program, guard, "production", configuration)
        server.start()
        events = Events(server, checks)
        for url in ("http://crm.example.com/", "https://localhost/", "https://127.0.0.1:8443/", "https://10.1.2.3/",
                    "https://[::1]/", "https://[fd00::1]/", "https://169.254.169.254/latest/meta-data/", "https://0x7f.1/"):
            done = server.command("events", "create", "--app", "vici", "--url", url)
            checks.that(f"{url} is refused", done.returncode not in (0, None) and "secret" not in done.stdout, "a refusal", done)
        name = private_name()
        if name is None:
            checks.skip("no name resolves to a private address here")
        else:
            # The peer would accept the connection: only the check of the address prevents it.
            with socket.socket() as listener:
                listener.bind(("0.0.0.0", 0))
                listener.listen()
                listener.settimeout(0.2)
                endpoint = json.loads(events.command(
                    "create", "--app", "vici", "--url", f"https://{name}:{listener.getsockname()[1]}/", "--json"))
                events.command("test", endpoint["id"])
                receiver = type("Endpoint", (), {"id": endpoint["id"]})
                attempt = events.settled(receiver, lambda found: found[0]["attempts"])[0]["attempts"][0]
                checks.equal(f"{name} is refused when it is resolved", "the address is not allowed", attempt.get("error"))
                try:
                    listener.accept()
                    checks.that("there was no connection", False)
                except TimeoutError:
                    checks.that("there was no connection", True)
        checks.equal("SIGTERM ends it with exit status 0", 0, server.stop())


def private_name():
    """A name of this machine with a dot or a letter in it whose addresses are all private."""
    name = socket.gethostname()
    with contextlib.suppress(OSError, ValueError):
        addresses = {ipaddress.ip_address(entry[4][0]) for entry in socket.getaddrinfo(name, 443)}
        if addresses and not any(address.is_global for address in addresses) and name != "localhost":
            return name
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, help="path of the program `ostiary`")
    parser.add_argument("--rounds", type=int, default=4)
    options(parser)
    arguments = parser.parse_args()
    return needed(arguments, lambda: run(arguments))


def run(arguments):
    checks = Checks()
    with Guard() as guard:
        configuration = development(vici=app("vici"))
        if arguments.store != "sqlite":
            configuration |= {"store": Database(guard).url(), "encryption_key": encryption_key()}
        server = Node(arguments.program, guard, "node", configuration)
        server.start()
        events = Events(server, checks)
        try:
            for section in (events.signatures, events.changes, events.order, events.gone, events.guide):
                checks.run(section.__name__, section)
            if arguments.store == "sqlite":
                checks.run("hostile", events.hostile)
            checks.run("none lost", lambda: events.none_lost(arguments.rounds))
            checks.equal("SIGTERM ends it with exit status 0", 0, server.stop())
        finally:
            if server.process and server.lives:
                server.kill()
    if arguments.store == "sqlite":
        checks.run("production", lambda: production(arguments.program, checks))
    return checks.close()


if __name__ == "__main__":
    sys.exit(main())
