#!/usr/bin/env python3
"""App Attest: attested keys, assertions of requests, bound sessions, hostile material, `monitor` and `required`.

  app_attest.py --program PATH

The device is one of `peers/app_attest.py`.
"""

import argparse
import json
import sys
import tempfile

from apps import App, new_email
from checks import Checks
from peers.app_attest import Authority, Key, base64url
from server import app, development, serving

APP_ID = "ABCDE12345.com.example.app"
HEADER = "X-App-Assertion"


class Attested:
    def __init__(self, server, name, contract, authority, checks):
        self.app, self.authority, self.checks, self.name = App(server.wire, server.inbox, contract, name), authority, checks, name
        self.prefix = self.app["challenge"].path.removesuffix("/challenge")
        self.camel = contract == "vici"

    def data(self, answer):
        return answer.json["data"] if self.app.contract.enveloped else answer.json

    def post(self, path, body=None):
        if body and self.camel:
            body = {"keyId" if name == "key_id" else name: value for name, value in body.items()}
        return self.app.wire.post(self.prefix + path, body)

    def refused(self, what, code, answer, status=403):
        self.checks.equal(what, (status, code), (answer.status, answer.json.get("code")))

    def challenge(self):
        answer = self.post("/attest/challenge")
        if answer.status != 200:
            raise RuntimeError(f"no challenge: {answer}")
        return self.data(answer)["challenge"]

    def attested(self):
        key = Key(APP_ID)
        answer = self.post("/attest", key.attestation(self.challenge(), self.authority))
        self.checks.that("a key is attested", answer.status in (200, 204), "200 or 204", answer)
        return key

    def call(self, operation, body, key=None, header=None, path=None, signed=None):
        """A request with the next assertion of a key, or any header."""
        endpoint, data = self.app[operation], json.dumps(body).encode()
        if key:
            header = key.assertion(endpoint.method, path or f"/{self.name}{endpoint.path}", data if signed is None else signed)
        headers = [(HEADER, header)] if header is not None else []
        return self.app.wire.send(endpoint.method, endpoint.path, body=data, headers=headers)

    def registration(self):
        return self.app.newcomer()


def sessions(attested, checks):
    key, other = attested.attested(), attested.attested()
    body = attested.registration()
    attested.refused("no assertion", "app_assertion_required", attested.call("register", body))
    registered = attested.call("register", body, key)
    checks.that("registers", registered.status in (200, 201), "200 or 201", registered)
    credentials = {name: body[name] for name in (attested.app.contract.identifier, "password")}
    signed_in = attested.call("login", credentials, key)
    checks.equal("signs in", 200, signed_in.status)
    access, refresh = attested.app.tokens(signed_in)
    token = next(iter(attested.app["refresh"].fields))
    attested.refused("refresh without the key", "app_assertion_required", attested.call("refresh", {token: refresh}))
    attested.refused("refresh by another key", "app_assertion_refused", attested.call("refresh", {token: refresh}, other))
    refreshed = attested.call("refresh", {token: refresh}, key)
    checks.equal("the refusals did not end the session", 200, refreshed.status)
    checks.that("other requests need no assertion", attested.app.accepts(attested.app.tokens(refreshed)[0]))


def replays(attested, checks):
    key = attested.attested()
    body = attested.registration()
    data, endpoint = json.dumps(body).encode(), attested.app["register"]
    path = f"/{attested.name}{endpoint.path}"
    header = key.assertion(endpoint.method, path, data)
    checks.that("is accepted", attested.call("register", body, header=header).status in (200, 201))
    attested.refused("the same assertion again", "app_assertion_refused", attested.call("register", body, header=header))
    credentials = {name: body[name] for name in (attested.app.contract.identifier, "password")}
    for what, more in [
            ("of another path", {"path": path}), ("of another body", {"signed": b"{}"}), ("without the base path", {"path": endpoint.path})]:
        attested.refused(f"an assertion {what}", "app_assertion_refused", attested.call("login", credentials, key, **more))
    earlier = key.assertion("POST", f"/{attested.name}{attested.app['login'].path}", json.dumps(credentials).encode(), counter=1)
    attested.refused("an earlier counter", "app_assertion_refused", attested.call("login", credentials, header=earlier))
    checks.equal("the next assertion", 200, attested.call("login", credentials, key).status)


def hostile(attested, checks):
    body = {attested.app.contract.identifier: new_email(), "password": "a password that nobody has"}
    key = Key(APP_ID)
    right = key.assertion("POST", f"/{attested.name}{attested.app['login'].path}", json.dumps(body).encode())
    for header in ["", ".", "a", "a.b", "é", right, right + ".", "." + right, right.split(".")[0], "A" * 2000, "A" * 5000,
                   base64url(bytes(32)) + "." + base64url(bytes(500)), right.replace(".", "=."), right + "\t"]:
        answer = attested.call("login", body, header=header.encode("utf-8").decode("latin-1"))
        checks.that(f"the header {header[:20]!r}", answer.status in (400, 403), "400 or 403", answer)
    challenge = attested.challenge()
    good = Key(APP_ID).attestation(challenge, attested.authority)
    for name in good:
        for value in ["", "a", "é", "=", base64url(bytes(32)), base64url(bytes(3000)), good["attestation"][:-4], None, 7, [], {}, True]:
            if value == good[name]:
                continue
            answer = attested.post("/attest", good | {"challenge": attested.challenge(), name: value})
            checks.that(f"{name} {str(value)[:20]!r}", answer.status in (400, 403), "400 or 403", answer)
    attested.refused("a key of another app", "attestation_refused", attested.post(
        "/attest", Key("ABCDE12345.com.example.other").attestation(attested.challenge(), attested.authority)))
    attested.refused("a key of the other environment", "attestation_refused", attested.post(
        "/attest", Key(APP_ID, b"appattestdevelop").attestation(attested.challenge(), attested.authority)))
    attested.refused("another root", "attestation_refused", attested.post(
        "/attest", Key(APP_ID).attestation(attested.challenge(), Authority())))
    checks.that("the challenge is still good", attested.post("/attest", good).status in (200, 204))
    attested.refused("a challenge that was used", "attestation_refused", attested.post(
        "/attest", Key(APP_ID).attestation(challenge, attested.authority)))


def monitored(attested, server, checks):
    body = attested.registration()
    checks.that("no assertion passes", attested.call("register", body).status in (200, 201))
    credentials = {name: body[name] for name in (attested.app.contract.identifier, "password")}
    checks.equal("a malformed one passes", 200, attested.call("login", credentials, header="x").status)
    checks.equal("a verified one passes", 200, attested.call("login", credentials, attested.attested()).status)
    metrics = server.wire.get("/metrics").body.decode()
    for subject, outcome in [("attestation", "ok"), ("assertion", "ok"), ("assertion", "missing"), ("assertion", "malformed")]:
        line = f'ostiary_app_attest_total{{app="{attested.name}",subject="{subject}",outcome="{outcome}"}} 1'
        checks.that(f"counts {subject} {outcome}", line in metrics, line)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    checks, authority = Checks(), Authority()

    with tempfile.NamedTemporaryFile(suffix=".pem") as root:
        root.write(authority.pem)
        root.flush()
        check(parser.parse_args().program, root.name, authority, checks)
    sys.exit(checks.close())


def check(program, root, authority, checks):
    def configuration(mode):
        return {"mode": mode, "team_id": "ABCDE12345", "bundle_ids": ["com.example.app"], "root_file": root}

    apps = {
        "vici": app("vici", app_attest=configuration("required")),
        "clarity": app("clarity", app_attest=configuration("required")),
        "barqnet": app("barqnet", app_attest=configuration("monitor")),
        "watched": app("vici", "watched", app_attest=configuration("monitor")),
        "plain": app("vici", "plain", app_attest=configuration("off")),
    }
    with serving(program, development(**apps), checks) as server:
        for name in ["vici", "clarity"]:
            attested = Attested(server, name, name, authority, checks)
            checks.run(f"{name}: sessions", lambda: sessions(attested, checks))
            checks.run(f"{name}: replays", lambda: replays(attested, checks))
            checks.run(f"{name}: hostile", lambda: hostile(attested, checks))
        checks.run("monitor", lambda: monitored(Attested(server, "watched", "vici", authority, checks), server, checks))
        plain = Attested(server, "plain", "vici", authority, checks)
        checks.run("off", lambda: plain.refused("no challenge", "not_found", plain.post("/attest/challenge"), 404))


if __name__ == "__main__":
    main()
