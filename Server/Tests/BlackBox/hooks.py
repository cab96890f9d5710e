#!/usr/bin/env python3
"""Hooks over HTTP: an app's backend that decides registrations and adds claims, and one that is slow, silent or wrong.

  hooks.py --program PATH

Row WH-03.
"""

import argparse
import base64
import contextlib
import gzip
import json
import secrets
import sys
import time

from apps import App, new_password
from checks import Checks
from peers.receiver import Receiver
from server import app, development, serving


def secret():
    return "whsec_" + base64.b64encode(secrets.token_bytes(32)).decode()


def claims_of(token):
    payload = token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))


class Backend(Receiver):
    """Answers questions with JSON, or as `answer` says."""

    def __init__(self):
        super().__init__()
        self.reply = {"decision": "allow"}
        self.answer = lambda request: (200, {"content-type": "application/json"}, json.dumps(self.reply).encode())

    def configuration(self, **more):
        key = secret()
        self.secrets.append(key)
        return {"url": self.url("/hook"), "secret": key} | more


class Hooks:
    def __init__(self, server, checks, registration, claims):
        self.server, self.checks, self.registration, self.claims = server, checks, registration, claims
        self.strict = App(server.wire, server.inbox, "vici")
        self.lenient = App(server.wire, server.inbox, "vici", "lenient")

    def reset(self):
        for backend, reply in ((self.registration, {"decision": "allow"}), (self.claims, {"claims": {}})):
            backend.reply = reply
            backend.answer = lambda request, backend=backend: (
                200, {"content-type": "application/json"}, json.dumps(backend.reply).encode())
            backend.clear()

    def decisions(self):
        checks, app = self.checks, self.strict
        body = app.newcomer()
        answer = app.call("register", body)
        checks.equal("allowed", 201, answer.status)
        question = self.registration.requests[0]
        checks.equal("the question is signed", 1, len(question.verified))
        checks.equal("the question", ("vici", "password", body["email"], body["name"], None), tuple(
            question.event[key] for key in ("app", "method", "email", "full_name", "phone_number")))
        self.registration.reply = {"decision": "deny", "message": "Ask your administrator."}
        answer = app.call("register", app.newcomer())
        checks.equal("denied", 403, answer.status)
        checks.that("with the hook's message", b"Ask your administrator." in answer.body, "the message", answer.body)
        checks.equal("one question each", 2, len(self.registration.requests))
        asked = self.claims.requests[-1].event
        checks.equal("claims are asked for the account", str(answer_user(app, body)), asked["account"])

    def further_claims(self):
        checks, app = self.checks, self.strict
        self.claims.reply = {"claims": {"plan": "pro", "tenant": {"id": 7}}}
        person = app.register()
        found = claims_of(person.access)
        checks.equal("claims of a registration", ("pro", {"id": 7}), (found.get("plan"), found.get("tenant")))
        checks.that("the token is accepted", app.accepts(person.access))
        self.claims.reply = {"claims": {"plan": "free"}}
        access, refresh = app.refreshed(person.refresh)
        checks.equal("claims of a refresh", ("free", None), (claims_of(access).get("plan"), claims_of(access).get("tenant")))
        for reserved in ("sub", "exp", "sid", "gen", "scope", "roles"):
            self.claims.reply = {"claims": {reserved: "x"}}
            checks.equal(f"{reserved} is refused", 503, app.refresh(refresh).status)
        self.claims.reply = {"claims": {"big": "x" * 2100}}
        checks.equal("2 KiB at most", 503, app.refresh(refresh).status)
        self.claims.reply = {"claims": {}}
        access, refresh = app.refreshed(refresh)
        checks.that("the session has survived", app.accepts(access))

    def failures(self):
        checks, strict, lenient = self.checks, self.strict, self.lenient
        person = strict.register()
        other = lenient.register()

        def silent(handler):
            time.sleep(6)
            handler.close_connection = True

        def trickling(handler):
            handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n")
            with contextlib.suppress(OSError):
                for _ in range(60):
                    handler.wfile.write(b" ")
                    time.sleep(0.1)
            handler.close_connection = True

        def endless(handler):
            handler.wfile.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            with contextlib.suppress(OSError):
                for _ in range(2000):
                    handler.wfile.write(b"10000\r\n" + b" " * 65536 + b"\r\n")
            handler.close_connection = True

        deep = b'{"claims":' + b'{"a":' * 500 + b"1" + b"}" * 501
        for name, answer in (("500", 500), ("204", 204), ("a redirect", (302, {"location": self.claims.url()}, b"")),
                             ("no JSON", (200, {}, b"<html>")), ("64 KiB", (200, {}, b"x" * 70000)), ("silence", silent),
                             ("a byte at a time", trickling), ("no end", endless), ("500 levels", (200, {}, deep)),
                             ("a name twice", (200, {}, b'{"claims": {}, "claims": {}}')),
                             ("compression", (200, {"content-encoding": "gzip"}, gzip.compress(b'{"claims": {}}')))):
            self.claims.answer = lambda request, answer=answer: answer
            begun = time.monotonic()
            checks.equal(f"{name}: a refresh answers 503", 503, strict.refresh(person.refresh).status)
            checks.that(f"{name}: within the time limit", time.monotonic() - begun < 3.5, "2 s", time.monotonic() - begun)
            other.access, other.refresh = lenient.refreshed(other.refresh)
            checks.that(f"{name}: allow goes on", lenient.accepts(other.access))
        self.reset()
        person.access, person.refresh = strict.refreshed(person.refresh)
        checks.that("the session has survived", strict.accepts(person.access))
        self.registration.answer = lambda request: 500
        checks.equal("a registration answers 503", 503, strict.call("register", strict.newcomer()).status)
        checks.equal("allow registers", 201, lenient.call("register", lenient.newcomer()).status)

    def administration(self):
        self.registration.answer = lambda request: 500
        self.registration.clear()
        done = self.server.command("users", "create", "--app", "vici", "--email", "admin@example.com", "--password-stdin",
                                   input=new_password())
        self.checks.equal("administrators are not asked", (0, 0), (done.returncode, len(self.registration.requests)))


def answer_user(app, body):
    person = app.person_from(app.call("login", {key: body[key] for key in ("email", "password")}), body)
    return person.user["id"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, help="path of the program `ostiary`")
    arguments = parser.parse_args()
    checks, registration, claims = Checks(), Backend(), Backend()

    def hooks(**more):
        return {"before_registration": registration.configuration(**more), "token_claims": claims.configuration(**more)}

    configuration = development(
        vici=app("vici", hooks=hooks(), profile="strict"),
        lenient=app("vici", "lenient", hooks=hooks(on_failure="allow"), profile="strict"))
    with serving(arguments.program, configuration, checks) as server:
        hooks = Hooks(server, checks, registration, claims)
        for section in (hooks.decisions, hooks.further_claims, hooks.failures, hooks.administration):
            hooks.reset()
            checks.run(section.__name__, section)
    return checks.close()


if __name__ == "__main__":
    sys.exit(main())
