#!/usr/bin/env python3
"""Accounts with a passkey and no password, in every contract, by authenticators on `python-fido2`: registration, hostile
credentials, taken identifiers, the required second factor, and the recovery of a lost passkey.

  passkey_accounts.py --program PATH
"""

import argparse
import secrets
import statistics
import sys
import time
import urllib.parse

from apps import App, new_email, new_password
from checks import Checks
from server import app, development, serving
from shapes import shape_of
from software_passkeys import BE, BS, EDDSA, ES256, RS256, UP, UV, SoftwarePasskey, hostile_registrations

APPS = ["vici", "clarity", "barqnet", "viewvault"]
ROUNDS = 150


class Accounts:
    def __init__(self, server, name, checks, contract=None):
        self.server, self.name, self.checks = server, name, checks
        self.app = App(server.wire, server.inbox, contract or name, name)
        self.prefix = self.app["challenge"].path.removesuffix("/challenge")
        self.camel = self.app.contract.name == "vici"
        self.key = self.app.contract.identifier
        self.origin = server.base.replace("127.0.0.1", "localhost")

    def spelled(self, name):
        first, *rest = name.split("_")
        return first + "".join(map(str.capitalize, rest)) if self.camel else name

    def data(self, answer):
        return answer.json["data"] if self.app.contract.enveloped else answer.json

    def post(self, path, body=None, access=None, **more):
        body = body and {self.spelled(name): value for name, value in body.items()}
        return self.app.wire.post(f"{self.prefix}{path}", body, bearer=access, **more)

    def options(self, path, body=None):
        data = self.data(self.post(path, body))
        return data[self.spelled("passkey_token")], data[self.spelled("public_key")]

    def refused(self, name, answer, status, code):
        body = answer.json if isinstance(answer.json, dict) else {}
        self.checks.equal(f"{self.name}: {name}", (status, code), (answer.status, body.get("code")))

    def newcomer(self):
        body = self.app.newcomer()
        body.pop("password")
        return body

    def respond(self, body, create):
        """Returns `body` with the response of an authenticator to new options."""
        token, public_key = self.options("/register/passkey/options", {self.key: body[self.key]})
        return body | {"passkey_token": token, "credential": create(public_key)}

    def sign_in(self, passkey):
        token, public_key = self.options("/passkey/options")
        return self.post("/passkey", {"passkey_token": token, "credential": passkey.get(public_key)})

    def run(self):
        for algorithm, flags in [(ES256, UP | UV), (EDDSA, UP | UV | BE | BS), (RS256, UP | UV)]:
            passkey = SoftwarePasskey(self.origin, algorithm, flags)
            registered = self.post("/register", self.respond(self.newcomer(), passkey.create))
            self.checks.equal(f"{self.name}: {algorithm} registers an account", 201, registered.status)
            self.checks.equal(f"{self.name}: and signs in", 200, self.sign_in(passkey).status)
            access, _ = self.app.tokens(registered)
            # The session is at `aal2`: a recent step-up is not asked for.
            self.checks.equal(f"{self.name}: its session creates recovery codes", 200, self.post(
                "/factors/recovery-codes", access=access).status)

    def hostile(self):
        """A credential that is refused registers nothing: the identifier is free afterwards."""
        body = self.newcomer()
        for name, create in hostile_registrations(self.origin).items():
            answer = self.post("/register", self.respond(body, create))
            code = answer.json.get("code") if isinstance(answer.json, dict) else None
            self.checks.that(f"{self.name}: a registration with {name} is refused", answer.status == 400 and code in (
                "credential_refused", "credential_malformed"), "400", answer)
        spent = self.respond(body, lambda options: SoftwarePasskey(self.origin).create(options, flags=0))
        self.refused("a credential that is refused", self.post("/register", spent), 400, "credential_refused")
        self.refused("spends its challenge", self.post("/register", spent), 400, "credential_refused")
        passkey = SoftwarePasskey(self.origin)
        self.checks.equal(f"{self.name}: the owner registers", 201, self.post(
            "/register", self.respond(body, passkey.create)).status)
        copied = self.newcomer()
        self.refused("a credential id that another account has", self.post(
            "/register", self.respond(copied, passkey.create)), 400, "credential_refused")
        stranger = SoftwarePasskey(self.origin)
        stranger.id, stranger.handle = passkey.id, passkey.handle
        self.refused("another key with the same id", self.sign_in(stranger), 401, "wrong_credentials")

    def alike(self):
        """The options for a taken identifier differ from others neither in form nor in time."""
        taken = self.app.register().credentials[self.key]
        identifiers = {"free": self.newcomer()[self.key], "taken": taken}
        connection = self.app.wire.connect()
        seconds = {name: [] for name in identifiers}
        shapes = {}
        for _ in range(ROUNDS):
            for name, identifier in identifiers.items():
                began = time.perf_counter()
                answer = self.post("/register/passkey/options", {self.key: identifier}, connection=connection)
                seconds[name].append(time.perf_counter() - began)
                shapes[name] = (answer.status, shape_of(answer.json), sorted(header for header, _ in answer.headers))
        connection.close()
        self.checks.equal(f"{self.name}: the options are alike", shapes["free"], shapes["taken"])
        medians = [statistics.median(values) for values in seconds.values()]
        difference = max(medians) - min(medians)
        self.checks.that(f"{self.name}: and take the same time", difference < max(0.25 * min(medians), 0.0005),
                         "the same medians", medians)

    def required(self):
        """An account that begins with a passkey has the factor that the app requires; one with a password adds it first."""
        by_password = self.app.call("register", self.app.newcomer())
        self.refused("a password alone does not suffice", by_password, 401, "challenge_required")
        passkey = SoftwarePasskey(self.origin)
        registered = self.post("/register", self.respond(self.newcomer(), passkey.create))
        self.checks.equal(f"{self.name}: a passkey alone does", 201, registered.status)
        access, _ = self.app.tokens(registered)
        self.checks.that(f"{self.name}: its session is accepted", self.app.accepts(access))
        verified = self.app.wire.get("/verify?acr=aal2&max_age=300", bearer=access)
        self.checks.equal(f"{self.name}: at aal2", (200, "aal2"), (verified.status, verified.header("X-Auth-Acr")))

    def confirmed(self):
        """Under `registration: safe` a taken address gets the answer of a free one, and no account is created before the link."""
        taken = {"email": new_email(), "password": new_password(), "name": "Some One"}
        self.app.call("register", taken)
        token = self.app.inbox.wait(self.name, taken["email"])["link"].partition("token=")[2]
        self.checks.equal(f"{self.name}: an account with a password", 201, self.post(
            "/confirm-registration", {"registration_token": token, "password": taken["password"]}).status)
        passkey, answers = SoftwarePasskey(self.origin), []
        for email in (new_email(), taken["email"]):
            answers.append(self.post("/register", self.respond({"email": email}, passkey.create)))
        self.checks.equal(f"{self.name}: a free and a taken address get one answer", [
            (403, answers[0].body)] * 2, [(answer.status, answer.body) for answer in answers])
        self.refused("there is no account before the link", self.sign_in(passkey), 401, "wrong_credentials")


    def recovery(self):
        """The owner of an account with nothing but a passkey gets a link that adds another one, a day later."""
        passkey, body = SoftwarePasskey(self.origin), self.newcomer()
        self.post("/register", self.respond(body, passkey.create))
        answers = [self.post("/forgot-password", {"email": email}) for email in (body["email"], new_email())]
        self.checks.equal(f"{self.name}: the request answers alike", (200, answers[0].body), (
            answers[1].status, answers[1].body))
        message = self.app.inbox.wait(self.name, body["email"])
        link = urllib.parse.urlsplit(message["link"])
        self.checks.equal(f"{self.name}: without codes the mail has this link alone", (f"/{self.name}/recover-passkey", False), (
            link.path, "reset-password" in message["text"]))
        page = self.server.wire.get(f"{link.path}?{link.query}")
        self.checks.that(f"{self.name}: the page names the time", page.status == 200 and b"Come back later" in page.body
                         and b"<form" not in page.body, "a page without a form", page)
        token = urllib.parse.parse_qs(link.query)["token"][0]
        early = self.post("/factors/passkey/options", access=token)
        self.refused("the link waits", early, 429, "too_many_attempts")
        self.checks.that(f"{self.name}: for a day", 86_300 < int(early.header("Retry-After")) <= 86_400, "86,400", early)
        for name, answer, refusal in [
                ("the account", self.app.wire.get(self.app["me"].path, bearer=token), (401, "invalid_access_token")),
                ("an authenticator app", self.post("/factors/totp", access=token), (401, "challenge_refused")),
                ("new codes", self.post("/factors/recovery-codes", access=token), (401, "invalid_access_token"))]:
            self.refused(f"the link does not open {name}", answer, *refusal)
        self.checks.equal(f"{self.name}: the owner signs in", 200, self.sign_in(passkey).status)
        self.refused("that ends the link", self.post("/factors/passkey/options", access=token), 401, "challenge_refused")
        page = self.server.wire.get(f"{link.path}?{link.query}")
        self.checks.that(f"{self.name}: and its page", page.status == 404 and b"no longer good" in page.body, "404", page)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    arguments = parser.parse_args()
    checks = Checks()

    def configuration(port):
        passkeys = {"rp_id": "localhost", "origins": [f"http://localhost:{port}"]}
        required = {"policy": "required"}
        return development(
            **{name: app(name, passkeys=passkeys) for name in APPS},
            timetracker=app("timetracker"),
            safe=app("vici", "safe", registration={"safe": True}, passkeys=passkeys),
            required=app("clarity", "required", second_factor=required, passkeys=passkeys),
            plain=app("vici", "plain", second_factor={"policy": "off"}))

    with serving(arguments.program, configuration, checks) as server:
        for name in APPS:
            accounts = Accounts(server, name, checks)
            checks.run(name, accounts.run)
            checks.run(f"{name}: alike", accounts.alike)
            if name != "barqnet":
                checks.run(f"{name}: recovery", accounts.recovery)
        checks.run("hostile", Accounts(server, "vici", checks).hostile)
        checks.run("required", Accounts(server, "required", checks, "clarity").required)
        checks.run("confirmed", Accounts(server, "safe", checks, "vici").confirmed)
        checks.section = "elsewhere"
        for path in ("/timetracker/auth/register/passkey/options", "/plain/api/auth/register/passkey/options"):
            answer = server.wire.post(path, {"email": f"{secrets.token_hex(8)}@example.com"})
            checks.equal(f"none at {path}", 404, answer.status)
    return checks.close()


if __name__ == "__main__":
    sys.exit(main())
