#!/usr/bin/env python3
"""Second factors that an app requires: a sign-in adds the first factor, and weaker sessions are insufficient.

  required_factors.py --program PATH

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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    arguments = parser.parse_args()
    checks = Checks()
    apps = {name: app(name, second_factor={"policy": "required"}) for name in APPS}
    roles = app("vici", "roles", second_factor={"required_for": ["admin"]})
    with serving(arguments.program, development(**apps, roles=roles), checks) as server:
        for name in APPS:
            checks.run(name, RequiredFactors(server, name, checks).run)
        required_for_role = RequiredForRole(server, "vici", checks)
        required_for_role.app = App(server.wire, server.inbox, "vici", "roles")
        checks.run("roles", required_for_role.run)
    return checks.close()


if __name__ == "__main__":
    sys.exit(main())
