"""The page that undoes a change of second factors, with and without scripts."""

import time

import pyotp
from browsing.accounts import opened_by_a_scanner
from browsing.chromium import chromium
from browsing.looking import ON_A_PHONE
from browsing.people import quiet


def run(walk):
    with chromium() as browser:
        undone(walk, browser, "en", walk.look.ways)
        quiet(walk.checks, browser, walk.base, told="second factors")
    with chromium(language="de", has_scripts=False) as browser:
        undone(walk, browser, "de", ON_A_PHONE)


def undone(walk, browser, language, ways):
    checks, vici = walk.checks, walk.apps["vici"]
    person, email, factor = enrolled(walk)
    link = walk.inbox.wait("vici", email, 3)["link"]
    checks.equal("vici: a scanner of mail opens the link of a notice", 200, opened_by_a_scanner(walk, link))
    browser.open(link)
    checks.equal("vici: the page has one button, and nothing to fill in", (1, 0), (
        len(browser.all("form button")), len(browser.all("input:not([type=hidden])"))))
    look(walk, browser, f"{'undo-factor-change' if browser.has_scripts else 'undo-without-scripts'}", language, ways)
    checks.that("vici: opening it does nothing", vici.accepts(person.access))
    browser.submit()
    checks.equal("vici: the button undoes the addition", (200, False, 200), (
        browser.status, vici.accepts(person.access), vici.call("login", person.credentials).status))
    look(walk, browser, "factor-change-undone", language, ways)
    browser.open(link)
    checks.equal("vici: the link of a notice works once", (404, 0), (browser.status, len(browser.all("form"))))
    look(walk, browser, "undo-link-used", language, ways)


def look(walk, browser, name, language, ways):
    if browser.has_scripts:
        walk.look.at(browser, name, language, ways)


def enrolled(walk):
    """A person with a verified address, who has added an authenticator app: two messages, and the notice."""
    vici = walk.apps["vici"]
    person = vici.register()
    email = person.credentials["email"]
    vici.call("forgot", {"email": email})
    token = walk.inbox.wait("vici", email)["link"].partition("token=")[2]
    vici.call("reset", {"token": token, "password": person.password})
    person = vici.sign_in(person)
    pending = vici.wire.post("/api/auth/factors/totp", bearer=person.access).json
    code = pyotp.parse_uri(pending["otpauthUri"]).at(int(time.time()))
    confirmed = vici.wire.post(
        "/api/auth/factors/totp/confirm", {"factorId": pending["factorId"], "code": code}, bearer=person.access)
    walk.checks.equal("vici: an authenticator app is added", 200, confirmed.status)
    return person, email, pending["factorId"]
