#!/usr/bin/env python3
"""Second factors on the wire: authenticator apps, recovery codes, step-up and the undo of changes, in every contract with passwords.

  second_factors.py --program PATH

The codes are those of `pyotp`, not the program's.
"""

import argparse
import html
import json
import re
import sys
import threading
import time
import urllib.parse

from apps import App
from authenticator import Authenticator
from checks import Checks
from server import app, development, serving
from wire import FORM

APPS = ["vici", "clarity", "barqnet", "viewvault"]
# What the notices of a change say.
ADDED, REMOVED = "was added to your", "was removed from your"


class SecondFactors:
    def __init__(self, server, name, checks):
        self.app, self.name, self.checks = App(server.wire, server.inbox, name), name, checks
        self.server = server
        self.prefix = self.app["challenge"].path.removesuffix("/challenge")
        self.camel = name == "vici"
        # The contract's own name of a one-time code.
        self.code = "otp" if name == "barqnet" else "code"
        self.by_phone = name == "barqnet"

    def path(self, rest):
        return f"{self.prefix}{rest}"

    def spelled(self, name):
        first, *rest = name.split("_")
        return first + "".join(map(str.capitalize, rest)) if self.camel else name

    def data(self, answer):
        return answer.json["data"] if self.app.contract.enveloped else answer.json

    def post(self, rest, body=None, access=None):
        return self.app.wire.post(self.path(rest), body, bearer=access)

    def answer(self, challenge, method, text, access=None):
        return self.post("/challenge", {self.spelled("challenge_token"): challenge, "answers": {method: text}}, access)

    def refused(self, name, answer, status, code):
        body = answer.json if isinstance(answer.json, dict) else {}
        self.checks.equal(f"{self.name}: {name}", (status, code), (answer.status, body.get("code")))

    def enrolled(self, person):
        pending = self.data(self.post("/factors/totp", access=person.access))
        authenticator = Authenticator(pending[self.spelled("otpauth_uri")])
        self.checks.equal(f"{self.name}: the URI has the secret", pending["secret"], authenticator.totp.secret)
        confirmed = self.post("/factors/totp/confirm", {
            self.spelled("factor_id"): pending[self.spelled("factor_id")], self.code: authenticator.code(), "name": "Téléphone"},
            person.access)
        self.checks.equal(f"{self.name}: a factor is confirmed", 200, confirmed.status)
        return pending[self.spelled("factor_id")], authenticator, self.data(confirmed)[self.spelled("recovery_codes")]

    def challenged(self, person):
        answer = self.app.call("login", person.credentials)
        self.refused("a password alone is not enough", answer, 401, "challenge_required")
        return answer.json

    def run(self):
        app, checks = self.app, self.checks
        person = app.register()
        checks.equal(f"{self.name}: without factors a sign-in is as before", 200, app.call("login", person.credentials).status)
        factors = self.data(app.wire.get(self.path("/factors"), bearer=person.access))
        checks.equal(f"{self.name}: no factors at first", ([], 0, False), (
            factors["factors"], factors[self.spelled("recovery_codes_left")], factors["required"]))
        other = app.sign_in(person)
        factor, authenticator, codes = self.enrolled(person)
        checks.equal(f"{self.name}: ten recovery codes", (10, {11}), (len(set(codes)), set(map(len, codes))))
        checks.that(f"{self.name}: the other session has ended", not app.accepts(other.access))
        checks.that(f"{self.name}: this session goes on", app.accepts(person.access))
        listed = self.data(app.wire.get(self.path("/factors"), bearer=person.access))["factors"]
        checks.equal(f"{self.name}: the list", [(factor, "totp", "Téléphone")],
                     [(entry["id"], entry["type"], entry["name"]) for entry in listed])

        challenge = self.challenged(person)
        methods = ["totp", "sms_code", "recovery_code"] if self.by_phone else ["totp", "recovery_code"]
        checks.equal(f"{self.name}: the challenge", ("SECOND_FACTOR", methods, 300),
                     (challenge["challenge"], challenge["methods"], challenge["expires_in"]))
        token = challenge["challenge_token"]
        checks.that(f"{self.name}: nothing of the account is disclosed", "user" not in challenge and "data" not in challenge)
        self.refused("a wrong code", self.answer(token, "totp", "000000"), 400, "code_refused")
        self.refused("a code that is none", self.answer(token, "totp", "123 456 é"), 400, "code_refused")
        self.refused("no answer", self.post("/challenge", {self.spelled("challenge_token"): token, "answers": {}}),
                     400, "answers_missing")
        self.refused("a method that is not offered", self.answer(token, "email_code", "123456"), 400, "answers_missing")
        self.codes(person, token)
        self.refused("a forged token", self.answer(token[:-6] + "AAAAAA", "totp", "000000"), 401, "challenge_refused")
        code = authenticator.code()
        signed_in = self.answer(token, "totp", code)
        checks.equal(f"{self.name}: the code signs in", 200, signed_in.status)
        access, refresh = app.tokens(signed_in)
        checks.that(f"{self.name}: the session is accepted", app.accepts(access))
        self.refused("the challenge is used up", self.answer(token, "recovery_code", codes[0]), 401, "challenge_refused")
        again = self.challenged(person)["challenge_token"]
        self.refused("the step is used up", self.answer(again, "totp", code), 400, "code_refused")
        checks.equal(f"{self.name}: a recovery code signs in", 200,
                     self.answer(again, "recovery_code", codes[0].lower().replace("-", "")).status)
        self.refused("a recovery code works once",
                     self.answer(self.challenged(person)["challenge_token"], "recovery_code", codes[0]), 400, "code_refused")
        if refresh:
            access, refresh = app.refreshed(refresh)
        stepped = self.post("/step-up", {"acr": "aal2", self.spelled("max_age"): 300}, access)
        checks.equal(f"{self.name}: a refresh keeps the level", (200, "aal2", ["mfa", "otp", "pwd"]), (
            stepped.status, self.data(stepped).get("acr"), self.data(stepped).get("amr")))
        self.step_up(person, access, authenticator)
        self.races(person, codes)
        self.reset()
        self.undo()
        removed = app.wire.send("DELETE", self.path(f"/factors/{factor}"), bearer=access)
        checks.equal(f"{self.name}: the factor is removed", 200 if app.contract.enveloped else 204, removed.status)
        checks.equal(f"{self.name}: without factors a sign-in is as before", 200, app.call("login", person.credentials).status)

    def codes(self, person, token):
        """Codes that the server sends, and every malformed request for one."""
        def send(method, challenge=token):
            return self.post("/challenge/send", {self.spelled("challenge_token"): challenge, "method": method})

        for method in ("totp", "email_code", "recovery_code", "password", "SMS_CODE", "", "x" * 5000, "e\u0301" * 2000):
            self.refused(f"no code is sent by {method[:12]!r}", send(method), 400, "method_not_supported")
        for method in (None, 1, ["sms_code"], {"sms_code": 1}):
            answer = send(method)
            self.checks.equal(f"{self.name}: a malformed method {method!r}", 400, answer.status)
        self.refused("a forged token sends nothing", send("sms_code", token[:-6] + "AAAAAA"), 401, "challenge_refused")
        if not self.by_phone:
            self.refused("no code by text message without a phone number", send("sms_code"), 400, "method_not_supported")
            return
        sent = send("sms_code")
        self.checks.equal(f"{self.name}: a code is sent", True, sent.status in (200, 204))
        # After the code of the registration.
        code = self.app.inbox.wait(self.name, person.credentials["phone_number"], 2, containing="code is")["code"]
        again = send("sms_code")
        self.refused("a second code within a minute", again, 429, "too_many_attempts")
        other = self.challenged(person)["challenge_token"]
        self.refused("a code of another challenge", self.answer(other, "sms_code", code), 400, "code_refused")
        mine = self.challenged(person)["challenge_token"]
        self.refused("the minute is the account's", send("sms_code", mine), 429, "too_many_attempts")

    def step_up(self, person, access, authenticator):
        answer = self.post("/step-up", {self.spelled("max_age"): 0}, access)
        time.sleep(0.01)
        answer = self.post("/step-up", {"acr": "aal2", self.spelled("max_age"): 0}, access)
        self.refused("a step-up is required", answer, 403, "step_up_required")
        self.checks.equal(f"{self.name}: RFC 9470's header",
                          'Bearer error="insufficient_user_authentication", acr_values="aal2", max_age="0"',
                          answer.header("www-authenticate"))
        self.checks.equal(f"{self.name}: the methods", ["password", "totp"] + (["sms_code"] if self.by_phone else []),
                          answer.json["methods"])
        self.refused("a step-up belongs to a session",
                     self.answer(answer.json["challenge_token"], "password", person.password), 401, "invalid_access_token")
        self.refused("a wrong password", self.answer(answer.json["challenge_token"], "password", "wrong", access),
                     401, "wrong_credentials")
        for body, code in (({"acr": "aal9"}, "acr_malformed"), ({self.spelled("max_age"): -1}, "max_age_malformed"),
                           ({self.spelled("max_age"): "1"}, "max_age_mistyped"), ({"acr": 2}, "acr_mistyped")):
            self.refused(f"a step-up of {body}", self.post("/step-up", body, access), 400, code)
        for path, body, code, status in (
                ("/factors/totp/confirm", {self.spelled("factor_id"): "x" * 65, self.code: "123456"}, "not_found", 404),
                ("/factors/totp/confirm", {self.spelled("factor_id"): "nobody", self.code: "123456"}, "not_found", 404),
                ("/factors/totp/confirm", {self.spelled("factor_id"): "nobody", self.code: "12345x"}, "code_malformed", 400),
                ("/factors/totp/confirm", {self.spelled("factor_id"): 7, self.code: "123456"}, None, None),
                ("/factors/totp/confirm", {self.spelled("factor_id"): "nobody", self.code: "123456", "name": "x" * 65},
                 "name_too_long", 400),
                ("/factors/totp/confirm", {self.spelled("factor_id"): "nobody", self.code: "123456", "name": "a\x07"},
                 "name_malformed", 400)):
            answer = self.post(path, body, access)
            if code:
                self.refused(f"{path} {list(body.values())!r:.60}", answer, status, code)
            else:
                self.checks.that(f"{self.name}: a factor id of another type is refused", 400 <= answer.status < 500)

    def reset(self):
        """An administrator removes the factors of a person who lost them."""
        person = self.app.register()
        who = next(iter(person.user[key] for key in ("email", "username", "phone_number", "phoneNumber") if person.user.get(key)))
        factor, _, _ = self.enrolled(person)
        listed = self.server.command("users", "factors", "list", "--app", self.name, who, "--json")
        self.checks.equal(f"{self.name}: the command lists the factor", [(factor, "totp", "Téléphone")],
                          [(entry["id"], entry["type"], entry["name"]) for entry in json.loads(listed.stdout)])
        done = self.server.command("users", "factors", "reset", "--app", self.name, who)
        self.checks.equal(f"{self.name}: the command removes it", (0, True), (
            done.returncode, done.stdout.startswith("removed 1 factor of ")))
        self.checks.that(f"{self.name}: a reset ends the sessions", not self.app.accepts(person.access))
        self.checks.equal(f"{self.name}: the password alone signs in", 200, self.app.call("login", person.credentials).status)
        again = self.server.command("users", "factors", "reset", "--app", self.name, who)
        self.checks.equal(f"{self.name}: nothing is left to reset", (1, True), (
            again.returncode, "has no second factors" in again.stderr))

    def verified(self):
        """A person with a verified address or number, and that address."""
        person = self.app.register()
        if self.by_phone:
            return person, person.credentials["phone_number"]
        email = person.user["email"]
        self.post("/forgot-password", {"email": email})
        token = query(self.app.inbox.wait(self.name, email)["link"])["token"]
        reset = self.post("/reset-password", {
            "token" if self.camel else "reset_token": token, "password": person.password})
        self.checks.equal(f"{self.name}: a reset verifies the address", 200, reset.status)
        return self.app.sign_in(person), email

    def undo(self):
        """The page that the link of a notice leads to."""
        app, checks, wire = self.app, self.checks, self.server.wire
        person, to = self.verified()
        factor, _, codes = self.enrolled(person)
        message = app.inbox.wait(self.name, to, containing=ADDED)
        checks.that(f"{self.name}: the notice has the address and the link", self.by_phone or (
            "\nFrom: 127.0.0.1\n" in message["text"] and message["link"] in message["text"]), "both", message["text"])
        link = target(message["link"])
        for method in ("GET", "HEAD", "GET"):
            checks.equal(f"{self.name}: {method} shows the page", 200, wire.send(method, link).status)
        for body in (b"", query(link)["token"].encode(), urllib.parse.urlsplit(link).query.encode()):
            for path in (link, link.partition("?")[0]):
                answer = wire.post(path, body=body, content_type=FORM)
                checks.equal(f"{self.name}: a bare POST is refused", 403, answer.status)
        checks.that(f"{self.name}: none of them did anything", app.accepts(person.access))
        self.refused("none of them removed the factor", app.call("login", person.credentials), 401, "challenge_required")
        page = Page(wire, link)
        checks.equal(f"{self.name}: the form of another browser is refused", 403, page.press(cookie=Page(wire, link).cookie))
        checks.equal(f"{self.name}: the form without its token is refused", 403, page.press(form_token=None))
        checks.equal(f"{self.name}: the button undoes the addition", 200, page.press())
        checks.that(f"{self.name}: all sessions have ended", not app.accepts(person.access))
        again = app.call("login", person.credentials)
        checks.equal(f"{self.name}: the password alone signs in", 200, again.status)
        checks.equal(f"{self.name}: the button works once", 404, page.press())
        checks.equal(f"{self.name}: the link works once", 404, wire.get(link).status)

        # After the notice of the undo: an addition, and its removal.
        person = app.sign_in(person)
        factor, authenticator, codes = self.enrolled(person)
        app.wire.send("DELETE", self.path(f"/factors/{factor}"), bearer=person.access)
        link = target(app.inbox.wait(self.name, to, containing=REMOVED)["link"])
        checks.equal(f"{self.name}: the button restores what was removed", 200, Page(wire, link).press())
        checks.that(f"{self.name}: all sessions have ended again", not app.accepts(person.access))
        challenge = self.challenged(person)["challenge_token"]
        signed_in = self.answer(challenge, "recovery_code", codes[0])
        checks.equal(f"{self.name}: the codes are restored too", 200, signed_in.status)

        person, to = self.verified()
        factor, authenticator, _ = self.enrolled(person)
        link = target(app.inbox.wait(self.name, to, containing=ADDED)["link"])
        checks.equal(f"{self.name}: the new factor signs in", 200,
                     self.answer(self.challenged(person)["challenge_token"], "totp", authenticator.code()).status)
        checks.equal(f"{self.name}: the button ends the sessions", 200, Page(wire, link).press())
        self.refused("a factor that signed in stays", app.call("login", person.credentials), 401, "challenge_required")
        audited = self.server.command("audit", "--app", self.name, "--json").stdout
        checks.that(f"{self.name}: the undo is audited", '"undoFactorChange"' in audited)
        checks.that(f"{self.name}: the audit log has no token", query(link)["token"] not in audited)

    def races(self, person, codes):
        """RC-09: 50 uses of one recovery code, each with a challenge of its own."""
        tokens = [self.challenged(person)["challenge_token"] for _ in range(8)]
        statuses = []
        threads = [threading.Thread(target=lambda token=token: statuses.append(
            self.answer(token, "recovery_code", codes[1]).status)) for token in tokens]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.checks.equal(f"{self.name}: RC-09: one of {len(tokens)} uses of a recovery code succeeds", (1, set()), (
            statuses.count(200), set(statuses) - {200, 400}))


class Page:
    """An opened page with a form, in a browser of its own."""

    def __init__(self, wire, link):
        self.wire, opened = wire, wire.get(link)
        self.path = link.partition("?")[0]
        self.cookie = opened.header("set-cookie").partition(";")[0]
        self.fields = {name: html.unescape(value) for name, value in re.findall(
            r'<input type="hidden" name="([^"]+)" value="([^"]*)">', opened.body.decode())}

    def press(self, cookie=None, **changes):
        fields = {name: value for name, value in (self.fields | changes).items() if value is not None}
        return self.wire.post(self.path, body=urllib.parse.urlencode(fields).encode(), content_type=FORM, headers=[
            ("Cookie", cookie or self.cookie), ("Origin", "null"), ("Sec-Fetch-Site", "same-origin")]).status


def target(link):
    """Returns the path and query of a link."""
    parts = urllib.parse.urlsplit(link)
    return f"{parts.path}?{parts.query}"


def query(link):
    return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(link).query))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    arguments = parser.parse_args()
    checks = Checks()
    with serving(arguments.program, development(**{name: app(name) for name in APPS}), checks) as server:
        for name in APPS:
            checks.run(name, SecondFactors(server, name, checks).run)
    return checks.close()


if __name__ == "__main__":
    sys.exit(main())
