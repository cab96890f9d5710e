#!/usr/bin/env python3
"""Passkeys of Chromium's virtual authenticator, in every contract with passwords: sign-in, second factor, step-up, and accounts
that begin with a passkey.

  passkeys.py --program PATH

The browser reads the options and writes the responses by itself (`parseCreationOptionsFromJSON`, `toJSON`).
"""

import argparse
import copy
import json
import sys
import threading
import urllib.parse

from apps import App, new_password
from browsing.chromium import chromium
from checks import Checks
from selenium.webdriver.common.virtual_authenticator import VirtualAuthenticatorOptions
from server import app, development, serving
from shapes import shape_of

APPS = ["vici", "clarity", "barqnet", "viewvault"]
CREATE = """
const done = arguments[arguments.length - 1];
navigator.credentials.create({publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(JSON.parse(arguments[0]))})
  .then(credential => done({credential: credential.toJSON()}), error => done({error: String(error)}));
"""
GET = CREATE.replace("credentials.create", "credentials.get").replace("parseCreation", "parseRequest")


class Device:
    """A browser with an authenticator that verifies its user."""

    def __init__(self, browser, origin):
        options = VirtualAuthenticatorOptions(
            protocol=VirtualAuthenticatorOptions.Protocol.CTAP2, transport=VirtualAuthenticatorOptions.Transport.INTERNAL,
            has_resident_key=True, has_user_verification=True, is_user_consenting=True, is_user_verified=True)
        self.driver = browser.driver
        self.driver.add_virtual_authenticator(options)
        self.driver.get(origin)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.driver.remove_virtual_authenticator()

    def ask(self, script, public_key):
        answer = self.driver.execute_async_script(script, json.dumps(public_key))
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return answer["credential"]

    def create(self, public_key):
        return self.ask(CREATE, public_key)

    def get(self, public_key):
        return self.ask(GET, public_key)


class Passkeys:
    def __init__(self, server, name, device, checks, contract=None):
        self.app = App(server.wire, server.inbox, contract or name, name)
        self.wire, self.name, self.device, self.checks = server.wire, name, device, checks
        self.prefix = self.app["challenge"].path.removesuffix("/challenge")
        self.camel = self.app.contract.name == "vici"

    def spelled(self, name):
        first, *rest = name.split("_")
        return first + "".join(map(str.capitalize, rest)) if self.camel else name

    def data(self, answer):
        return answer.json["data"] if self.app.contract.enveloped else answer.json

    def post(self, path, body=None, access=None):
        body = body and {self.spelled(name): value for name, value in body.items()}
        return self.app.wire.post(f"{self.prefix}{path}", body, bearer=access)

    def options(self, path, access=None, body=None):
        answer = self.post(path, body, access)
        self.checks.equal(f"{self.name}: options at {path}", 200, answer.status)
        data = self.data(answer)
        return data.get(self.spelled("passkey_token")), data[self.spelled("public_key")]

    def refused(self, name, answer, status, code):
        body = answer.json if isinstance(answer.json, dict) else {}
        self.checks.equal(f"{self.name}: {name}", (status, code), (answer.status, body.get("code")))

    def run(self):
        app, checks = self.app, self.checks
        person = app.register()
        token, public_key = self.options("/factors/passkey/options", person.access)
        checks.equal(f"{self.name}: the options", ("localhost", "required", "required", "none"), (
            public_key["rp"]["id"], public_key["authenticatorSelection"]["residentKey"],
            public_key["authenticatorSelection"]["userVerification"], public_key["attestation"]))
        made = self.device.create(public_key)
        self.hostile_registrations(made, person)
        added = self.post("/factors/passkey", {"passkey_token": token, "credential": made, "name": "Chromium"}, person.access)
        checks.equal(f"{self.name}: the passkey is added", (201, "passkey", "Chromium", 10), (
            added.status, self.data(added).get("type"), self.data(added).get("name"),
            len(self.data(added).get(self.spelled("recovery_codes")) or [])))
        self.refused("a registration works once", self.post(
            "/factors/passkey", {"passkey_token": token, "credential": made}, person.access), 400, "credential_refused")

        token, public_key = self.options("/passkey/options")
        checks.equal(f"{self.name}: the options of a sign-in name no credential", [], public_key["allowCredentials"])
        response = self.device.get(public_key)
        self.hostile_assertions(response)
        signed_in = self.race(token, response)
        if signed_in:
            checks.that(f"{self.name}: the session is accepted", app.accepts(app.tokens(signed_in)[0]))
            stepped = self.post("/step-up", {"acr": "aal2", "max_age": 300}, app.tokens(signed_in)[0])
            checks.equal(f"{self.name}: a passkey alone has both factors", (200, "aal2"), (
                stepped.status, self.data(stepped).get("acr")))

        answer = app.call("login", person.credentials)
        self.refused("the password alone is not enough", answer, 401, "challenge_required")
        codes = ["sms_code"] if self.name == "barqnet" else []
        checks.equal(f"{self.name}: the methods", ["passkey", *codes, "recovery_code"], answer.json["methods"])
        challenge = answer.json["challenge_token"]
        _, public_key = self.options("/challenge/passkey", body={"challenge_token": challenge})
        checks.equal(f"{self.name}: the challenge names the passkey", [made["id"]],
                     [entry["id"] for entry in public_key["allowCredentials"]])
        self.refused("the response to another challenge", self.post(
            "/challenge", {"challenge_token": challenge, "credential": response}), 400, "code_refused")
        good = self.device.get(public_key)
        answered = self.post("/challenge", {"challenge_token": challenge, "credential": good})
        checks.equal(f"{self.name}: the passkey answers", 200, answered.status)
        self.refused("a challenge is answered once", self.post(
            "/challenge", {"challenge_token": challenge, "credential": good}), 401, "challenge_refused")
        self.refused("options for a forged token", self.post(
            "/challenge/passkey", {"challenge_token": challenge[:-6] + "AAAAAA"}), 401, "challenge_refused")
        self.refused("options without a session", self.post("/factors/passkey/options"), 401, "invalid_access_token")

    def account(self):
        """An account with a passkey and no password: registration, its recovery codes, its way in, its first password."""
        app, checks = self.app, self.checks
        taken = app.register()
        body = app.newcomer()
        body.pop("password")
        key = app.contract.identifier
        answers = [self.post("/register/passkey/options", {key: identifier})
                   for identifier in (body[key], taken.credentials[key])]
        checks.equal(f"{self.name}: the options for a taken identifier are alike", (200, True), (
            answers[1].status, shape_of(answers[0].json) == shape_of(answers[1].json)))
        token, public_key = (self.data(answers[0])[self.spelled(name)] for name in ("passkey_token", "public_key"))
        checks.equal(f"{self.name}: the options name the identifier", (body[key], []), (
            public_key["user"]["name"], public_key["excludeCredentials"]))
        made = self.device.create(public_key)
        passkey = {"passkey_token": token, "credential": made}
        self.hostile_accounts(body, passkey, taken, self.data(answers[1])[self.spelled("passkey_token")])
        registered = self.post("/register", body | passkey)
        checks.equal(f"{self.name}: the passkey registers an account, and answers as a password does",
                     (201, shape_of(taken.answer.json)), (registered.status, shape_of(registered.json)))
        access, _ = app.tokens(registered)
        self.refused("a registration works once", self.post("/register", body | passkey), *(
            (400, "code_refused") if self.name == "barqnet" else (409, "identifier_taken")))
        self.refused("no password signs in", app.call("login", {key: body[key], "password": new_password()}),
                     401, "wrong_credentials")
        stepped = self.post("/step-up", {"acr": "aal2", "max_age": 300}, access)
        checks.equal(f"{self.name}: the session has both factors", (200, "aal2"), (
            stepped.status, self.data(stepped).get("acr")))
        codes = self.data(self.post("/factors/recovery-codes", access=access))[self.spelled("recovery_codes")]
        checks.equal(f"{self.name}: the session creates the codes", 10, len(codes))
        listed = self.data(app.wire.get(f"{self.prefix}/factors", bearer=access))["factors"]
        checks.equal(f"{self.name}: the passkey is the factor", ["passkey"], [entry["type"] for entry in listed])
        remove = f"{self.prefix}/factors/{listed[0]['id']}"
        self.refused("the last way in stays", app.wire.send("DELETE", remove, bearer=access), 409, "factor_required")
        token, public_key = self.options("/passkey/options")
        signed_in = self.post("/passkey", {"passkey_token": token, "credential": self.device.get(public_key)})
        checks.equal(f"{self.name}: the passkey signs in", 200, signed_in.status)
        self.recover(body, codes)
        access, _ = app.tokens(signed_in)
        if not app.accepts(access):
            token, public_key = self.options("/passkey/options")
            access, _ = app.tokens(self.post("/passkey", {"passkey_token": token, "credential": self.device.get(public_key)}))
        elif self.post("/change-password", {"new_password": new_password()}, access).status != 200:
            checks.that(f"{self.name}: the first password needs no other", False)
        removed = app.wire.send("DELETE", remove, bearer=access)
        checks.that(f"{self.name}: with a password the passkey can be removed", removed.status in (200, 204), "2xx", removed)

    def hostile_accounts(self, body, passkey, taken, other_token):
        """None of them registers an account or uses up the challenge."""
        for name, changes, status, code in [
                ("neither password nor passkey", {}, 400, "password_missing"),
                ("both", passkey | {"password": new_password()}, 400, "credential_not_supported"),
                ("no token", {"credential": passkey["credential"]}, 400, "passkey_token_missing"),
                ("no credential", {"passkey_token": passkey["passkey_token"]}, 400, "credential_missing"),
                ("a forged token", passkey | {"passkey_token": "AAAA"}, 401, "challenge_refused"),
                ("a token of another identifier", passkey | {"passkey_token": other_token}, 401, "challenge_refused"),
                ("a text", passkey | {"credential": "x"}, 400, "credential_mistyped"),
                ("nothing in it", passkey | {"credential": {}}, 400, "credential_malformed"),
                ("another id", passkey | {"credential": passkey["credential"] | {"id": "AAAA"}}, 400, "credential_malformed")]:
            answer = self.post("/register", body | changes)
            self.refused(f"a registration with {name}", answer, status, code)
        token, _ = self.options("/passkey/options")
        self.refused("a registration with the token of a sign-in", self.post(
            "/register", body | passkey | {"passkey_token": token}), 401, "challenge_refused")
        if self.name != "barqnet":
            self.refused("a registration of a taken identifier", self.post(
                "/register", body | passkey | {key: taken.credentials[key] for key in [self.app.contract.identifier]}),
                409, "identifier_taken")

    def recover(self, body, codes):
        """The owner lost the passkey: a reset of the password, then a recovery code."""
        if "email" not in body:
            return
        self.post("/forgot-password", {"email": body["email"]})
        link = self.app.inbox.wait(self.name, body["email"], containing="a way back into")["link"]
        token, password = urllib.parse.parse_qs(urllib.parse.urlsplit(link).query)["token"][0], new_password()
        reset = self.post("/reset-password", {"token" if self.camel else "reset_token": token, "password": password})
        self.checks.equal(f"{self.name}: the owner resets the password", 200, reset.status)
        key = self.app.contract.identifier
        answer = self.app.call("login", {key: body[key], "password": password})
        self.refused("the mailbox alone does not sign in", answer, 401, "challenge_required")
        answered = self.post("/challenge", {
            "challenge_token": answer.json["challenge_token"], "answers": {"recovery_code": codes[0]}})
        self.checks.equal(f"{self.name}: a recovery code does", 200, answered.status)

    def confirmed(self):
        """A registration whose address is confirmed first, with the same passkey."""
        body = self.app.newcomer()
        body.pop("password")
        token, public_key = self.options("/register/passkey/options", body={"email": body["email"]})
        made = self.device.create(public_key)
        answer = self.post("/register", body | {"passkey_token": token, "credential": made})
        self.refused("the address is confirmed first", answer, 403, "confirmation_required")
        link = urllib.parse.urlsplit(self.app.inbox.wait(self.name, body["email"])["link"])
        page = self.wire.get(f"{link.path}?{link.query}")
        self.checks.equal(f"{self.name}: the page of the link refers to the app", (200, True, False), (
            page.status, b"Open the link of the message in the app" in page.body, b"<form" in page.body))
        registration = urllib.parse.parse_qs(link.query)["token"][0]
        self.refused("a password does not confirm it", self.post("/confirm-registration", {
            "registration_token": registration, "password": new_password()}), 400, "credential_missing")
        token, public_key = self.options("/passkey/options")
        response = self.device.get(public_key)
        self.refused("nor does a changed response", self.post("/confirm-registration", {
            "registration_token": registration, "passkey_token": token,
            "credential": changed(response, "signature", "AAAA")}), 401, "wrong_credentials")
        token, public_key = self.options("/passkey/options")
        confirmed = self.post("/confirm-registration", {
            "registration_token": registration, "passkey_token": token, "credential": self.device.get(public_key)})
        self.checks.equal(f"{self.name}: the passkey confirms it", 201, confirmed.status)
        self.checks.that(f"{self.name}: the session is accepted", self.app.accepts(self.app.tokens(confirmed)[0]))

    def race(self, token, response):
        """RC-09: 20 uses of one response; returns the one that succeeded."""
        answers = []
        threads = [threading.Thread(target=lambda: answers.append(
            self.post("/passkey", {"passkey_token": token, "credential": response}))) for _ in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        good = [answer for answer in answers if answer.status == 200]
        self.checks.equal(f"{self.name}: RC-09: one of 20 uses of a response signs in", (1, {401}), (
            len(good), {answer.status for answer in answers} - {200}))
        return good[0] if good else None

    def hostile_registrations(self, made, person):
        """Every one is a refusal in the contract's words. Those that are read use up their own challenge alone."""
        for name, credential in [("nothing", {}), ("a text", "x"), ("a list", []), ("deep", {"response": {"a": [[[[]]]]}}),
                                 ("another type", made | {"type": "password"}), ("another id", made | {"id": "AAAA"}),
                                 ("no attestation", changed(made, "attestationObject", None)),
                                 ("not base64url", changed(made, "clientDataJSON", "é")),
                                 ("100 KiB", changed(made, "attestationObject", "A" * 40000))]:
            token, _ = self.options("/factors/passkey/options", person.access)
            answer = self.post("/factors/passkey", {"passkey_token": token, "credential": credential}, person.access)
            self.checks.that(f"{self.name}: a registration of {name} is 400", answer.status == 400 and "code" in answer.json,
                             "400", answer.status)
        token, _ = self.options("/factors/passkey/options", person.access)
        self.refused("the response to other options", self.post(
            "/factors/passkey", {"passkey_token": token, "credential": made}, person.access), 400, "credential_refused")
        listed = self.data(self.app.wire.get(f"{self.prefix}/factors", bearer=person.access))["factors"]
        self.checks.equal(f"{self.name}: nothing of it was kept", [], listed)

    def hostile_assertions(self, response):
        token, _ = self.options("/passkey/options")
        self.refused("the response to another sign-in", self.post(
            "/passkey", {"passkey_token": token, "credential": response}), 401, "wrong_credentials")
        for name, credential, status, code in [
                ("nothing", {}, 400, "credential_malformed"), ("a text", "x", 400, "credential_mistyped"),
                ("no signature", changed(response, "signature", None), 400, "credential_malformed"),
                ("unreadable client data", changed(response, "clientDataJSON", "AAAA"), 401, "wrong_credentials")]:
            token, _ = self.options("/passkey/options")
            self.refused(f"an assertion of {name}", self.post(
                "/passkey", {"passkey_token": token, "credential": credential}), status, code)
        self.refused("a forged token", self.post(
            "/passkey", {"passkey_token": "AAAA", "credential": response}), 401, "challenge_refused")
        self.refused("no credential", self.post("/passkey", {"passkey_token": "AAAA"}), 400, "credential_missing")


def changed(credential, member, value):
    credential = copy.deepcopy(credential)
    credential["response"][member] = value
    return credential


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    arguments = parser.parse_args()
    checks = Checks()

    def configuration(port):
        passkeys = {"rp_id": "localhost", "origins": [f"http://localhost:{port}"],
                    "apple_apps": ["A1B2C3D4E5.com.example.app"]}
        return development(**{name: app(name, passkeys=passkeys) for name in APPS},
                           safe=app("vici", "safe", registration={"safe": True}, passkeys=passkeys))

    with serving(arguments.program, configuration, checks) as server, chromium() as browser:
        for name in APPS:
            # All apps have one RP ID, so that an authenticator would offer the passkeys of each to the others.
            with Device(browser, f"http://localhost:{server.port}/healthz") as device:
                checks.run(name, Passkeys(server, name, device, checks).run)
            with Device(browser, f"http://localhost:{server.port}/healthz") as device:
                checks.run(f"{name}: accounts", Passkeys(server, name, device, checks).account)
        with Device(browser, f"http://localhost:{server.port}/healthz") as device:
            checks.run("confirmed", Passkeys(server, "safe", device, checks, "vici").confirmed)
        association = server.wire.get("/.well-known/apple-app-site-association")
        checks.equal("the file for Apple's platforms", {"webcredentials": {"apps": ["A1B2C3D4E5.com.example.app"]}},
                     association.json)
    return checks.close()


if __name__ == "__main__":
    sys.exit(main())
