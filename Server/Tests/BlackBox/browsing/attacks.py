"""Attacks on the pages of second factors and of the account: other sites' forms and frames, replays, changed forms."""

import http.client
import itertools
import re
import threading
import time
import urllib.parse

from authenticator import Authenticator
from browsing.chromium import chromium
from browsing.factors import add_authenticator, registered
from browsing.foreign import foreign_site
from browsing.forgery import refused, sent
from browsing.people import quiet, somebody
from user_agent import Browser

FORMS = {
    "/idp/challenge": {"challenge_token": "x", "methods": "totp", "method": "totp", "code": "123456"},
    "/idp/passkey": {"passkey_token": "x", "credential": "{}"}, "/idp/enrol": {"decision": "totp"},
    "/idp/account/name": {"full_name": "Forged"},
    "/idp/account/password": {"current_password": "x", "password": "a forged horse battery"},
    "/idp/account/authenticator": {}, "/idp/account/passkey": {"passkey_token": "x", "credential": "{}", "name": "x"},
    "/idp/account/factor": {"id": "x", "decision": "remove"}, "/idp/account/recovery-codes": {},
    "/idp/account/session": {"id": "x"}, "/idp/account/app": {"client": "notes"},
    "/idp/passkey/options": {}, "/idp/challenge/passkey": {"challenge_token": "x"}, "/idp/account/passkey/options": {},
}
PAGES = ("/idp/account", "/idp/account/password", "/idp/account/authenticator", "/idp/account/passkey",
         "/idp/account/recovery-codes", "/idp/sign-in")
ELSEWHERE = ("https://evil.example", "//evil.example", "/\\evil.example", "javascript:alert(1)", "/account/password/../../x",
             "/account/factor?../../x", "/account/factor?https://evil.example", "\r\nLocation: https://evil.example", "/healthz")


def run(walk):
    with foreign_site() as site, chromium() as browser:
        Browser.addresses = (f"198.51.100.{number}" for number in itertools.count(1))
        registered(walk, browser, "The Victim")
        add_authenticator(walk, browser)
        foreign(walk, browser, site)
        framed(walk, browser, site)
        browser.open(f"{walk.base}/idp/account")
        walk.checks.that("nothing changed", "The Victim" in browser.text and "10 recovery codes left" in browser.text
                         and "Phone" in browser.text, "as before", browser.text)
        open_redirects(walk)
        hostile_inputs(walk)
        race(walk)
        browser.read_logs()
        quiet(walk.checks, browser, walk.base, other_hosts=(site.same_site, site.cross_site),
              console=("ERR_BLOCKED_BY_RESPONSE", "frame-ancestors", "400", "403", "X-Frame-Options"), told="attacks")


def foreign(walk, browser, site):
    """Forms of other sites, with the form token of the attacker's own browser and without one."""
    checks = walk.checks
    attacker = Browser()
    token = dict(attacker.visit(f"{walk.base}/idp/sign-in").form("email", "password").fields)["form_token"]
    for action, fields in FORMS.items():
        for told, origin in (("a sibling origin", site.cross_site), ("another site", site.same_site)):
            for form_token in (None, token):
                path = site.form(f"{action}/{len(site.pages)}", walk.base + action,
                                 fields | ({"form_token": form_token} if form_token else {}))
                sent(browser, origin + path, walk.base + action)
                checks.that(f"{action} from {told}, {'with the attacker’s' if form_token else 'without a'} form token",
                            browser.status in (400, 403) and browser.driver.current_url.startswith(walk.base), "400 or 403",
                            browser.status)


def framed(walk, browser, site):
    for path in PAGES:
        site.put("/frame", f'<iframe src="{walk.base}{path}"></iframe>')
        for told, origin in (("a sibling origin", site.cross_site), ("another site", site.same_site)):
            browser.read_logs()
            browser.failures.clear()
            browser.open(f"{origin}/frame")
            browser.until(lambda: refused(browser), f"{path} in a frame of {told} was not refused")
            browser.driver.switch_to.frame(0)
            content = [element.tag_name for element in browser.all("form, input, main")]
            browser.driver.switch_to.default_content()
            walk.checks.equal(f"{path} in a frame of {told} stays empty", [], content)
        browser.failures.clear()


class Victim:
    """A person with an authenticator app, and a browser without JavaScript at the challenge of each sign-in."""

    def __init__(self, walk):
        self.base, self.person = walk.base, somebody()
        browser = Browser()
        page = browser.visit(f"{walk.base}/idp/register")
        browser.submit(page, page.form("email", "full_name"), self.person.registration)
        page = browser.visit(f"{walk.base}/idp/account/authenticator")
        page = browser.submit(page, page.forms[0])
        form = page.form("code", "name")
        self.authenticator = Authenticator(dict(form.fields)["uri"])
        page = browser.submit(page, form, {"code": self.authenticator.code(), "name": "Phone"})
        self.codes = [line.split("</code>")[0] for line in page.text.split("<li><code>")[1:]]

    def challenge(self):
        """Returns a browser, its page and the form of the challenge."""
        browser = Browser()
        page = browser.visit(f"{self.base}/idp/sign-in")
        page = browser.submit(page, page.form("email", "password"), self.person.credentials)
        # Sign-ins that are not completed count as failures of unrecognized browsers: five, then waits of 1, 2, 4 s.
        for seconds in (1, 2, 4, 8):
            if page.status != 429:
                break
            time.sleep(seconds + 0.1)
            page = browser.submit(page, page.form("email", "password"), self.person.credentials)
        return browser, page, page.form("code")


def send(browser, page, form, **changes):
    fields = dict(form.fields) | {"code": "000000"} | changes
    return browser.send("POST", form.action, urllib.parse.urlencode(fields).encode(), page.url)


def open_redirects(walk):
    checks, victim = walk.checks, Victim(walk)
    for index, elsewhere in enumerate(ELSEWHERE):
        if index % 4 == 0:
            challenge = victim.challenge()
        answer = send(*challenge, next=elsewhere)
        checks.that(f"next={elsewhere!r} is not kept", answer.status == 400 and not answer.header("location")
                    and "evil.example" not in answer.body.decode(), "a refusal without it", answer)
    answer = send(*victim.challenge(), next=ELSEWHERE[0], code=victim.authenticator.code())
    checks.equal("a right answer leads to the account", (303, "/idp/account"), (answer.status, answer.header("location")))


def hostile_inputs(walk):
    """Every answer is a refusal: no redirect, no 500, nothing of the input as markup."""
    checks, victim = walk.checks, Victim(walk)
    huge = "A" * 60_000
    for index, (name, changes) in enumerate((
            ("a huge code", {"code": huge}), ("a huge token", {"challenge_token": huge}), ("huge methods", {"methods": huge}),
            ("a code of combining marks", {"code": "e" + "\u0301" * 20_000}), ("markup as method", {"method": "<b>"}),
            ("markup as code", {"code": "<script>alert(1)</script>"}), ("NUL", {"code": "12\x003456"}),
            ("a foreign request", {"request": "client_id=notes&redirect_uri=https://evil.example"}),
            ("an unknown decision", {"decision": "x" * 5000}), ("another method", {"switch": "password"}))):
        if index % 5 == 0:
            challenge = victim.challenge()
        answer = send(*challenge, **changes)
        checks.that(f"{name}: a refusal", answer.status in (400, 413, 429) and not answer.header("location"), 400, answer)
        checks.that(f"{name}: is no markup", b"<script>alert" not in answer.body and b"<b>" not in answer.body, "text")
    for agent in ("<script>alert(1)</script>", "A" * 8000, "${7*7}{{7*7}}"):
        page = Browser().visit(f"{walk.base}/idp/sign-in", headers=[("User-Agent", agent)])
        checks.equal(f"a page for the browser {agent[:20]}", 200, page.status)
    checks.equal("and the server is well", 200, walk.wire.get("/healthz").status)


def race(walk):
    """RC-09: one recovery code in many challenges at once signs in once; one challenge is answered once."""
    checks = walk.checks
    for told, count in (("one code in eight challenges", 8), ("one challenge eight times", 1)):
        victim = Victim(walk)
        challenges = [victim.challenge() for _ in range(count)] * (8 // count)
        code = victim.codes.pop()
        answers = []

        def answer(browser, page, form):
            fields = dict(form.fields) | {"method": "recovery_code", "code": code}
            parts = urllib.parse.urlsplit(form.action)
            connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=30)
            cookie = "; ".join(f"{name}={value}" for (_, name), (value, _, _) in browser.jar.items())
            connection.request("POST", parts.path, urllib.parse.urlencode(fields), {
                "Content-Type": "application/x-www-form-urlencoded", "Cookie": cookie, "Sec-Fetch-Site": "same-origin",
                "X-Forwarded-For": browser.address})
            response = connection.getresponse()
            answers.append((response.status, bool(re.search(r"-idp=.", response.getheader("set-cookie") or ""))))
            response.read()
            connection.close()

        threads = [threading.Thread(target=answer, args=challenge) for challenge in challenges]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        checks.equal(f"{told}: one sign-in", 1, sum(status == 303 and cookie for status, cookie in answers))
        checks.that(f"{told}: the others are refused", all(status in (303, 400, 429) for status, _ in answers), 400, answers)
