#!/usr/bin/env python3
"""Policies for second factors: a sign-in adds the factor that an app requires, weaker sessions are insufficient, and devices
are remembered.

  factor_policies.py --program PATH

The codes are those of `pyotp`, not the program's.
"""

import argparse
import sys
import threading

from apps import App
from checks import Checks
from second_factors import APPS, Authenticator, SecondFactors
from server import app, development, serving


class RequiredFactors(SecondFactors):
    """An app whose policy requires a factor of every account."""

    def enrolment(self, answer):
        self.refused("a sign-in without a factor opens no session", answer, 401, "challenge_required")
        body = answer.json
        self.checks.equal(f"{self.name}: the account must add a factor", ("ENROLL_FACTOR", ["totp"], 600), (
            body["challenge"], [method for method in body["methods"] if method != "passkey"], body["expires_in"]))
        return body["challenge_token"]

    def begun(self, token):
        pending = self.data(self.post("/factors/totp", access=token))
        return pending[self.spelled("factor_id")], Authenticator(pending[self.spelled("otpauth_uri")])

    def confirmed(self, token, factor, code):
        return self.post("/factors/totp/confirm", {self.spelled("factor_id"): factor, self.code: code}, token)

    def run(self):
        app, checks = self.app, self.checks
        body = app.newcomer()
        credentials = {key: body[key] for key in (app.contract.identifier, "password")}
        first = self.enrolment(app.call("register", body))
        token = self.enrolment(app.call("login", credentials))
        for method, path in (("GET", "/factors"), ("POST", "/factors/recovery-codes"), ("POST", "/step-up"),
                             ("DELETE", "/factors/x"), ("GET", "/sessions")):
            answer = app.wire.send(method, self.path(path), {} if method == "POST" else None, bearer=token)
            self.refused(f"the token does not open {path}", answer, 401, "invalid_access_token")
        checks.equal(f"{self.name}: nor /verify", 401, app.wire.get("/verify", bearer=token).status)
        self.refused("a forged token", self.post("/factors/totp", access=token[:-6] + "AAAAAA"), 401, "invalid_access_token")
        self.refused("the token answers no challenge", self.answer(token, "totp", "123456"), 401, "challenge_refused")
        late, _ = self.begun(first)
        factor, authenticator = self.begun(token)
        self.refused("a wrong code", self.confirmed(token, factor, "000000"), 400, "code_refused")
        self.refused("a factor of another enrolment's owner", self.confirmed(token, "nobody", "123456"), 404, "not_found")
        answers = self.at_once(token, factor, authenticator.code())
        done = [answer for answer in answers if answer.status == 200]
        checks.equal(f"{self.name}: RC-09: one of {len(answers)} confirmations signs in", 1, len(done))
        checks.that(f"{self.name}: the others are refused in words", all(
            answer.json.get("code") in ("challenge_refused", "not_found", "code_refused") for answer in answers if answer not in done))
        access, _ = app.tokens(done[0])
        checks.equal(f"{self.name}: with ten recovery codes", 10, len(self.data(done[0])[self.spelled("recovery_codes")]))
        checks.equal(f"{self.name}: and the user", True, bool(self.data(done[0]).get("user")))
        checks.that(f"{self.name}: the session is accepted", app.accepts(access))
        self.refused("the other enrolment has ended", self.confirmed(first, late, "123456"), 401, "challenge_refused")
        self.refused("and this one", self.post("/factors/totp", access=token), 401, "challenge_refused")
        listed = self.data(app.wire.get(self.path("/factors"), bearer=access))
        checks.equal(f"{self.name}: the factor is required", ([factor], True), (
            [entry["id"] for entry in listed["factors"]], listed["required"]))
        self.refused("the last factor stays", app.wire.send("DELETE", self.path(f"/factors/{factor}"), bearer=access),
                     409, "factor_required")
        challenge = app.call("login", credentials)
        checks.equal(f"{self.name}: the next sign-in asks for it", "SECOND_FACTOR", challenge.json.get("challenge"))
        checks.equal(f"{self.name}: and succeeds with it", 200,
                     self.answer(challenge.json["challenge_token"], "totp", authenticator.code()).status)

    def at_once(self, token, factor, code):
        answers = []
        threads = [threading.Thread(target=lambda: answers.append(self.confirmed(token, factor, code))) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return answers


class RequiredForRole(SecondFactors):
    """An app that requires a factor of administrators."""

    def run(self):
        app, checks = self.app, self.checks
        person = app.register()
        who = person.user["email"]

        def roles(*change):
            done = self.server.command("users", "roles", "--app", app.name, who, *change)
            checks.equal(f"{app.name}: the roles change", 0, done.returncode)

        roles("--add", "editor")
        checks.that(f"{app.name}: another role changes nothing", app.accepts(person.access))
        roles("--add", "admin")
        answer = app.wire.get(self.path("/me"), bearer=person.access)
        self.refused("the session is insufficient at once", answer, 403, "step_up_required")
        checks.equal(f"{app.name}: RFC 9470's header", 'Bearer error="insufficient_user_authentication", acr_values="aal2"',
                     answer.header("www-authenticate"))
        checks.equal(f"{app.name}: only a new sign-in helps", False, "challenge_token" in answer.json)
        for query in ("", "?role=admin", "?acr=aal1"):
            self.refused(f"/verify{query} too", app.wire.get(f"/verify{query}", bearer=person.access), 403, "step_up_required")
        answer = app.call("login", person.credentials)
        checks.equal(f"{app.name}: a sign-in adds a factor", "ENROLL_FACTOR", answer.json.get("challenge"))
        # The sign-in of this session is recent enough for it to add the factor itself.
        self.enrolled(person)
        checks.that(f"{app.name}: the session is sufficient now", app.accepts(person.access))
        checks.equal(f"{app.name}: for the role too", 200, app.wire.get("/verify?role=admin", bearer=person.access).status)


class RememberedDevices(SecondFactors):
    """An app that remembers devices."""

    def sign_in(self, person, device=None):
        headers = [] if device is None else [("X-Device-Token", device)]
        return self.app.call("login", person.credentials, headers=headers)

    def run(self):
        app, checks = self.app, self.checks
        person = app.register()
        _, authenticator, _ = self.enrolled(person)
        challenge = self.challenged(person)
        checks.equal(f"{app.name}: the challenge says for how many days", 30, challenge.get("remember_device_days"))
        body = {self.spelled("challenge_token"): challenge["challenge_token"],
                "answers": {"totp": authenticator.code()}, self.spelled("remember_device"): True}
        self.refused("remember_device of another type", self.post("/challenge", body | {self.spelled("remember_device"): "yes"}),
                     400, "remember_device_mistyped")
        answer = self.post("/challenge", body)
        first = answer.header("x-device-token")
        checks.equal(f"{app.name}: the answer has the secret of the device", (200, 43), (answer.status, len(first or "")))
        checks.that(f"{app.name}: in the header alone", (first or "").encode() not in answer.body)
        for device in (None, "", "x", "A" * 43, first[:-1], f"{first}, {first}", "é", "A" * 5000):
            checks.equal(f"{app.name}: a device with {str(device)[:8]!r} is asked", 401, self.sign_in(person, device).status)
        other = app.register()
        self.enrolled(other)
        checks.equal(f"{app.name}: another person on the device is asked", 401, self.sign_in(other, first).status)
        listed = app.wire.get(self.path("/devices"), bearer=other.access)
        checks.equal(f"{app.name}: their list has their device alone", (200, 1), (
            listed.status, len((listed.json.get("data") or listed.json)["devices"])))
        answer = self.sign_in(person, first)
        second = answer.header("x-device-token")
        checks.equal(f"{app.name}: the device is not asked", (200, True), (answer.status, second not in (None, first)))
        access, _ = app.tokens(answer)
        stepped = self.post("/step-up", {"acr": "aal2"}, access)
        self.refused("its session has one factor", stepped, 403, "step_up_required")
        checks.equal(f"{app.name}: a used secret is asked", 401, self.sign_in(person, first).status)
        statuses = []
        threads = [threading.Thread(target=lambda: statuses.append(self.sign_in(person, second).status)) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        checks.equal(f"{app.name}: RC-09: of eight uses at once one is not asked", (1, 7), (
            statuses.count(200), statuses.count(401)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    arguments = parser.parse_args()
    checks = Checks()
    apps = {name: app(name, second_factor={"policy": "required"}) for name in APPS}
    roles = app("vici", "roles", second_factor={"required_for": ["admin"]})
    devices = app("vici", "devices", second_factor={"remember_device_days": 30})
    with serving(arguments.program, development(**apps, roles=roles, devices=devices), checks) as server:
        for name in APPS:
            checks.run(name, RequiredFactors(server, name, checks).run)
        for name, kind in (("roles", RequiredForRole), ("devices", RememberedDevices)):
            scenario = kind(server, "vici", checks)
            scenario.app = App(server.wire, server.inbox, "vici", name)
            checks.run(name, scenario.run)
    return checks.close()


if __name__ == "__main__":
    sys.exit(main())
