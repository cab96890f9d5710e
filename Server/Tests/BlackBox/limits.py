#!/usr/bin/env python3
"""Limits on guesses, on messages and on attacks on many accounts: PT-02, PT-03, PT-06, PT-20, PT-21, PT-25, PT-44, MA-01, MA-05, MA-08,
MA-12.

  limits.py --program PATH

The server trusts a proxy at 127.0.0.1, so that each request can name the address it comes from.
"""

import argparse
import hashlib
import itertools
import re
import secrets
import sys
import time

from apps import App, new_email, new_number, new_password
from checks import Checks
from server import MANY_MESSAGES, UNLIMITED, app, development, serving

HOME, AWAY = "192.0.2.1", "198.51.100.1"
# Requests for codes and resets have limits of their own, which would be reached first.
ASKING = {kind: UNLIMITED[kind] for kind in ("code_request", "reset", "register", "browser")}


class From:
    """An app as one client address reaches it."""

    def __init__(self, app, address, solution=None):
        self.app, self.headers = app, [("X-Forwarded-For", address)]
        if solution:
            self.headers.append(("X-Proof-Of-Work", solution))

    def call(self, operation, body=None, **more):
        return self.app.call(operation, body, headers=self.headers, **more)


class Limits:
    def __init__(self, server, checks):
        self.server, self.checks = server, checks
        self.apps = {name: App(server.wire, server.inbox, entry["contract"], name) for name, entry in APPS.items()}

    def at(self, name, address=HOME):
        return From(self.apps[name], address)

    def refused(self, name, answer, status=429, code="too_many_attempts"):
        body = answer.json if isinstance(answer.json, dict) else {}
        wait = answer.header("retry-after")
        self.checks.equal(name, (status, code), (answer.status, body.get("code")))
        if status == 429:
            self.checks.that(f"{name}: tells how long to wait", (wait or "").isdigit() and int(wait) > 0, "seconds", wait)

    def metric(self, cap):
        text = self.server.wire.get("/metrics").body.decode()
        found = re.search(rf'^ostiary_messages_held_back_total\{{cap="{cap}"\}} (\d+)$', text, re.MULTILINE)
        return int(found[1]) if found else None

    def owner(self, name="vici", address=HOME):
        """Returns the credentials of an account that was registered from `address`."""
        body = self.apps[name].newcomer()
        answer = self.at(name, address).call("register", body)
        self.checks.equal("an owner registers", 201, answer.status)
        return {key: body[key] for key in (self.apps[name].contract.identifier, "password")}

    def guesses(self, name, credentials, addresses):
        """Returns the answers to one wrong password from each address."""
        return [self.at(name, address).call("login", credentials | {"password": "Wrong-guess-entirely"})
                for address in addresses]

    def recipients(self):
        """PT-02"""
        number = new_number()
        sent = tries = 0
        # The cooldown of one second lies between them.
        while sent < 8 and tries < 200:
            tries += 1
            sent += self.at("patient", f"203.0.113.{tries}").call("send", {"phone_number": number}).status == 200
            self.wait(0.1)
        self.checks.equal("PT-02: eight messages a day go to one number, two more to its owner", 8, sent)
        self.wait(1.1)
        answer = self.at("patient", "203.0.113.250").call("send", {"phone_number": number})
        self.refused("PT-02: and no ninth, whoever asks", answer)
        self.checks.that("PT-02: for longer than the cooldown", int(answer.header("retry-after") or 0) > 600, "hours",
                         answer.header("retry-after"))
        answer = self.at("barqnet", "203.0.113.251").call("send", {"phone_number": number})
        self.refused("PT-02 RL-11: nor through another app", answer)
        self.checks.that("PT-02: the metric counts what was held back", (self.metric("recipient_day") or 0) >= 2, "2",
                         self.metric("recipient_day"))
        self.audit("message_cap_recipient_day", number)

    def audit(self, outcome, number):
        run = self.server.command("audit", "--json")
        lines = [line for line in run.stdout.splitlines() if outcome in line]
        self.checks.equal("PT-02: the audit log says so once a minute", 1, len(lines))
        self.checks.that("PT-02: without the number", number not in run.stdout and number[1:] not in run.stdout)

    def prefixes(self):
        """PT-02"""
        sent = [self.at("barqnet", f"203.0.{113 + index // 200}.{index % 200}").call(
            "send", {"phone_number": f"+4917155{index:05}"}).status for index in range(70)]
        self.checks.that("PT-02: forty messages an hour go to the numbers of one prefix",
                         sent[:40] == [200] * 40 and set(sent[41:]) == {429}, "40", sent.count(200))
        other = self.at("barqnet").call("send", {"phone_number": "+4917266000001"})
        self.checks.equal("PT-02: another prefix gets its own", 200, other.status)

    def networks(self):
        """PT-02"""
        sent = [self.at("barqnet", AWAY).call("send", {"phone_number": f"+49{1000 + index}77777"}).status
                for index in range(70)]
        self.checks.that("PT-02: forty messages an hour are sent for one network",
                         sent[:40] == [200] * 40 and set(sent[41:]) == {429}, "40", sent.count(200))
        six = [self.at("barqnet", f"2001:db8:0:{index:x}00::1").call("send", {"phone_number": f"+49{2000 + index}77777"}).status
               for index in range(210)]
        self.checks.that("PT-02: and four times as many for a /48 of IPv6", 160 <= six.count(200) <= 164, "160",
                         six.count(200))
        again = [self.at("vici", AWAY).call("forgot", {"email": new_email()}) for _ in range(2)]
        self.checks.equal("PT-02: a network that used up its messages is told nothing of accounts", [200, 200],
                          [answer.status for answer in again])

    def mails(self):
        """PT-25"""
        email = new_email()
        for name in MAILING:
            self.at(name).call("register", {"email": email, "password": new_password(), "name": "Some One"})
        answers = [self.at(name).call("forgot", {"email": email}) for name in MAILING]
        answers += [self.at(name).call("forgot", {"email": new_email()}) for name in MAILING]
        self.checks.equal("PT-25: whether a mail is sent is not told", {(200, answers[0].body)},
                          {(answer.status, answer.body) for answer in answers})
        self.server.inbox.wait(MAILING[1], email)
        self.checks.equal("PT-25: two mails a day go to one address, over all apps", [1, 1, 0],
                          [len(self.server.inbox.messages(name, email)) for name in MAILING])

    def countries(self):
        """PT-02"""
        for number in ("+442071234567", "+79161234567"):
            self.refused("PT-02: a number of another country", self.at("barqnet").call("send", {"phone_number": number}),
                         400, "phone_number_not_supported")
        self.checks.equal("PT-02: says nothing of accounts", 1, len({
            self.at("barqnet").call("send", {"phone_number": number}).body for number in ("+442071234567", "+442071234568")}))

    def rising(self):
        """PT-03"""
        owner, address = self.owner(), "198.51.100.20"
        for name, person in (("known", owner), ("unknown", owner | {"email": new_email()})):
            judged = self.guesses("vici", person, [address] * 5)
            self.checks.equal(f"PT-03: five guesses at {name} are judged", {401}, {answer.status for answer in judged})
            self.refused(f"PT-03: the next at {name} waits", self.guesses("vici", person, [address])[0])
            address = "198.51.100.21"
        waits = []
        person, address = self.owner("quick"), "198.51.100.22"
        self.guesses("quick", person, [address] * 5)
        for _ in range(3):
            judged = time.monotonic()
            wait = int(self.guesses("quick", person, [address])[0].header("retry-after") or 0)
            # From the failure, however late the guess after it came.
            waits.append(wait + time.monotonic() - judged)
            self.wait(wait + 0.1)
            self.checks.equal("PT-03: a guess after the wait is judged", 401,
                              self.guesses("quick", person, [address])[0].status)
        self.checks.that("PT-03: waits rise with every failure", waits == sorted(set(waits)) and len(waits) == 3,
                         "rising", waits)

    def everywhere(self):
        """PT-03"""
        owner = self.owner()
        answers = self.guesses("vici", owner, [f"198.51.{100 + index // 200}.{index % 200}" for index in range(200)])
        judged = sum(answer.status == 401 for answer in answers)
        self.checks.that("PT-03: at most a hundred guesses are judged, however many networks they come from",
                         judged <= 100 and answers[-1].status == 429, "at most 100", judged)
        self.checks.equal("PT-03: the network that signed in before is not kept out", 200,
                          self.at("vici").call("login", owner).status)
        # Until the wait is longer than the following requests take.
        while int(self.guesses("vici", owner, ["203.0.113.78"])[0].header("retry-after") or 0) < 6:
            time.sleep(0.1)
        answer = self.at("vici", "203.0.113.77").call("login", owner)
        self.refused("PT-03: another network waits, at most a quarter of an hour", answer)
        self.checks.that("PT-03: at most an hour", int(answer.header("retry-after") or 0) <= 3600, "3600",
                         answer.header("retry-after"))
        with self.server.paused():
            pass
        self.checks.equal("PT-03: what is known outlives the server", 200, self.at("vici").call("login", owner).status)
        # One more failure follows the waits that are over: five would be free if nothing were counted.
        for _ in range(10):
            answer = self.guesses("vici", owner, ["203.0.113.78"])[0]
            if answer.status == 401:
                break
            self.wait(int(answer.header("retry-after") or 0) + 0.1)
        self.refused("PT-03: and what is counted", self.at("vici", "203.0.113.79").call("login", owner))

    def crowd(self):
        """PT-20"""
        people = [self.owner("vici") for _ in range(15)]
        statuses = [self.at("vici", "203.0.113.200").call("login", person).status for person in people]
        self.checks.equal("PT-20: fifteen people behind one address sign in within a minute", [200] * 15, statuses)

    def codes(self):
        """PT-06"""
        for address in (AWAY, "198.51.100.99"):
            number = new_number()
            asked = self.at("barqnet").call("send", {"phone_number": number})
            session = asked.json["data"]["session_id"]
            code = self.server.inbox.wait("barqnet", number)["code"]
            wrong = f"{(int(code) + 1) % 10**6:06}"
            stranger = self.at("barqnet", address)
            for _ in range(12):
                stranger.call("verify", {"phone_number": number, "otp": wrong, "session_id": "made-up"})
                stranger.call("register", {"phone_number": number, "otp": wrong, "password": new_password()})
            self.checks.equal("PT-06: the owner's code is good after a stranger's guesses", 200, self.at("barqnet").call(
                "verify", {"phone_number": number, "otp": code, "session_id": session}).status)
            self.checks.equal("PT-06: and registers", 201, self.at("barqnet").call(
                "register", {"phone_number": number, "otp": code, "password": new_password()}).status)
        number = new_number()
        session = self.at("barqnet").call("send", {"phone_number": number}).json["data"]["session_id"]
        code = self.server.inbox.wait("barqnet", number)["code"]
        wrong = f"{(int(code) + 1) % 10**6:06}"
        for _ in range(5):
            self.at("barqnet").call("verify", {"phone_number": number, "otp": wrong, "session_id": session})
        proof = {"phone_number": number, "otp": code, "session_id": session}
        self.checks.equal("PT-06 OT-01: five wrong guesses with the session kill the code", 400,
                          self.at("barqnet").call("verify", proof).status)
        self.checks.equal("PT-06 OT-01: for registration too", 400, self.at("barqnet").call(
            "register", {"phone_number": number, "otp": code, "password": new_password()}).status)

    def unfinished(self):
        """PT-21"""
        path = "/timetracker/auth/login?redirect_uri=timetracker://oauth/callback"
        def begin(address):
            return self.server.wire.get(path, headers=[("X-Forwarded-For", address), ("Accept", "application/json")])
        statuses = [begin("198.51.100.50").status for _ in range(110)]
        self.checks.that("PT-21: one network leaves a hundred browser sign-ins unfinished",
                         all(status in (302, 303, 307) for status in statuses[:100]) and statuses[-1] == 429, "429",
                         sorted(set(statuses)))
        self.checks.that("PT-21: another network begins", begin("198.51.100.51").status in (302, 303, 307))

    def stranger(self, name):
        """Returns an identifier without an account."""
        return {"email": new_email, "phone_number": new_number, "username": lambda: f"nobody{next(NUMBERS)}"}[
            self.apps[name].contract.identifier]()

    def fail(self, name, password, networks):
        """Tries a password once from each address, each time for another identifier."""
        identifier = self.apps[name].contract.identifier
        return [self.at(name, address).call("login", {identifier: self.stranger(name), "password": password}).status
                for address in networks]

    def stuffing(self):
        """MA-01, MA-05"""
        for name in ("vici", "clarity", "barqnet", "viewvault"):
            owner = self.apps[name].register().credentials
            failed = self.fail(name, "Listed-elsewhere-7", [f"198.51.100.{index}" for index in range(30)])
            self.checks.equal(f"MA-01: {name} judges thirty identifiers of one network", {401}, set(failed))
            answer = self.at(name, "198.51.100.200").call("login", owner)
            self.refused(f"MA-01: {name} asks for a computation before the next", answer, code="proof_of_work_required")
            work = answer.json["proof_of_work"]
            self.checks.equal(f"MA-01: {name} names the computation", {"challenge", "bits"}, set(work))
            stranger = From(self.apps[name], "198.51.100.201", solved(work)).call(
                "login", owner | {self.apps[name].contract.identifier: self.stranger(name)})
            self.refused(f"MA-06: {name} refuses it for another identifier", stranger, code="proof_of_work_required")
            solution = solved(work)
            signed_in = From(self.apps[name], "198.51.100.202", solution).call("login", owner)
            self.checks.equal(f"MA-05: {name} signs the owner in with it", 200, signed_in.status)
            again = From(self.apps[name], "198.51.100.203", solution).call("login", owner)
            self.refused(f"MA-05: {name} takes it once", again, code="proof_of_work_required")
            self.checks.equal(f"MA-03: {name} asks nothing where the owner signed in before", 200,
                              self.apps[name].call("login", owner).status)
        text = self.server.wire.get("/metrics").body.decode()
        found = re.search(r'^ostiary_attack_refusals_total\{attack="credential_stuffing"\} (\d+)$', text, re.MULTILINE)
        self.checks.equal("MA-07: the metric counts what was refused", 12, int(found[1]) if found else None)

    def spraying(self):
        """MA-08"""
        owner = self.apps["vici"].register().credentials
        # Networks of one identifier each: no other limit is near.
        self.fail("vici", owner["password"], [f"198.51.{index}.1" for index in range(30)])
        answer = self.at("vici", "203.0.113.1").call("login", owner)
        self.checks.equal("MA-08: a sprayed password is refused as a wrong one", (401, "wrong_credentials"),
                          (answer.status, answer.json["code"]))
        self.checks.equal("MA-09: but not where the owner signed in before", 200,
                          self.apps["vici"].call("login", owner).status)

    def registrations(self):
        """MA-12"""
        statuses = [self.at("few", f"2001:db8:7:{index:x}00::1").call("register", self.apps["few"].newcomer()).status
                    for index in range(10)]
        self.checks.equal("MA-12: a /48 creates four times as many accounts as an address", [201] * 8 + [429] * 2, statuses)

    @staticmethod
    def wait(seconds):
        time.sleep(seconds)

    def changes(self):
        """PT-44"""
        first = self.apps["first"]
        person = first.register()
        password, access, answers = person.password, person.access, []
        for _ in range(5):
            new = new_password()
            answers.append(first.wire.post(
                "/api/auth/change-password", {"currentPassword": password, "newPassword": new}, bearer=access))
            if answers[-1].status == 200:
                password, access = new, first.tokens(answers[-1])[0]
        self.checks.equal("an account changes its password four times", [200] * 4, [answer.status for answer in answers[:4]])
        self.refused("and not five times a day", answers[4])
        self.server.inbox.wait("first", person.credentials["email"], 4)
        self.checks.equal("each change informed its owner", 4, len(self.server.inbox.messages("first", person.credentials["email"])))


NUMBERS = itertools.count(secrets.randbelow(10**9))


def solved(work):
    """Returns the header's value that solves a computation."""
    for counter in itertools.count():
        text = f"{work['challenge']}:{counter}"
        digest = int.from_bytes(hashlib.sha256(text.encode()).digest(), "big")
        if digest >> (256 - work["bits"]) == 0:
            return text


def limited(contract, name=None, **settings):
    """An app with the default limits."""
    entry = app(contract, name, **settings)
    entry["rate_limits"] = dict(ASKING)
    for key in ("messages", "browser", "registration", "stuffing", "spraying"):
        entry.pop(key)
    return entry | settings


MAILING = ["first", "second", "third"]
APPS = {name: limited("vici", name, messages=MANY_MESSAGES | {"per_recipient_day": 2}) for name in MAILING} | {
    "vici": limited("vici"),
    # One second a guess, so that the check can wait for them.
    "quick": limited("vici", "quick", rate_limits=ASKING | {"sign_in": {"identifier": "10/10s", "address": "1000/1m"}}),
    "barqnet": limited("barqnet"), "patient": limited("barqnet", "patient", codes={"resend_after": 1}),
    "timetracker": limited("timetracker"), "clarity": limited("clarity"), "viewvault": limited("viewvault"),
    "few": limited("vici", "few", registration={"per_network_day": 2}),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, help="path of the program `ostiary`")
    parser.add_argument("--only", nargs="+", metavar="SECTION")
    arguments = parser.parse_args()
    checks = Checks()
    configuration = development(**APPS) | {
        "trusted_proxies": ["127.0.0.1/32"], "sms": {"kind": "inbox", "countries": ["+1", "+49"]}}
    sections = ("countries", "recipients", "prefixes", "networks", "mails", "rising", "everywhere", "crowd", "codes",
                "unfinished", "stuffing", "spraying", "registrations", "changes")
    for section in sections:
        if arguments.only and section not in arguments.only:
            continue
        # A separate server: the caps apply to the whole server.
        with serving(arguments.program, configuration, checks) as server:
            checks.run(section, getattr(Limits(server, checks), section))
    return checks.close()


if __name__ == "__main__":
    sys.exit(main())
