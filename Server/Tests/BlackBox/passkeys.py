#!/usr/bin/env python3
"""Passkeys of Chromium's virtual authenticator, in every contract with passwords: sign-in, second factor, step-up.

  passkeys.py --program PATH

The browser reads the options and writes the responses by itself (`parseCreationOptionsFromJSON`, `toJSON`).
"""

import argparse
import copy
import json
import sys
import threading

from apps import App
from browsing.chromium import chromium
from checks import Checks
from selenium.webdriver.common.virtual_authenticator import VirtualAuthenticatorOptions
from server import app, development, serving

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
    def __init__(self, server, name, device, checks):
        self.app, self.name, self.device, self.checks = App(server.wire, server.inbox, name), name, device, checks
        self.prefix = self.app["challenge"].path.removesuffix("/challenge")
        self.camel = name == "vici"

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
        return development(**{name: app(name, passkeys=passkeys) for name in APPS})

    with serving(arguments.program, configuration, checks) as server, chromium() as browser:
        for name in APPS:
            # All apps have one RP ID, so that an authenticator would offer the passkeys of each to the others.
            with Device(browser, f"http://localhost:{server.port}/healthz") as device:
                checks.run(name, Passkeys(server, name, device, checks).run)
        association = server.wire.get("/.well-known/apple-app-site-association")
        checks.equal("the file for Apple's platforms", {"webcredentials": {"apps": ["A1B2C3D4E5.com.example.app"]}},
                     association.json)
    return checks.close()


if __name__ == "__main__":
    sys.exit(main())
