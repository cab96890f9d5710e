"""The hosted pages of accounts: registering, signing in, a forgotten password, and their error messages."""

import urllib.parse

from apps import new_password
from browsing.chromium import chromium
from browsing.people import REFUSED, login_url, quiet, register, sign_in, sign_out, somebody


def run(walk):
    with chromium() as browser:
        person = somebody("Ada <img src=x onerror=alert(1)> {{7*7}} &amp;")
        register(browser, walk.base, person)
        account_page(walk, browser, person)
        sign_out(browser, walk.base)
        refused_forms(walk, browser, person)
        forgotten_password(walk, browser, person)
        reset_at_an_app(walk, browser)
        quiet(walk.checks, browser, walk.base, told="accounts")


def account_page(walk, browser, person):
    browser.open(f"{walk.base}/idp/account")
    walk.checks.that("the account's page says whose it is, letter for letter",
                     person.full_name in browser.text and person.email in browser.text, person.full_name, browser.text)
    cookies = browser.driver.get_cookies()
    walk.checks.that("no script can read a cookie, and no other site's form brings one along", cookies and all(
        cookie["httpOnly"] and cookie["sameSite"] == "Lax" for cookie in cookies), "HttpOnly, SameSite=Lax", [
            (cookie["name"], cookie["httpOnly"], cookie["sameSite"]) for cookie in cookies])
    walk.look.at(browser, "account")


def refused_forms(walk, browser, person):
    checks = walk.checks
    browser.open(login_url(walk.base))
    browser.submit(email=person.email, password="not the password")
    checks.that("a wrong password is refused", browser.status in REFUSED, REFUSED, browser.status)
    announced = [element.text for element in browser.all("[role=alert]") if element.text]
    checks.that("what is wrong is announced", announced, "an alert", browser.text)
    checks.equal("the address is kept, the password is not", (person.email, ""), (
        browser.find("[name=email]").get_attribute("value"), browser.find("[name=password]").get_attribute("value")))
    checks.equal("the cursor is where something is to be done", "password", browser.focused)
    walk.look.at(browser, "sign-in-refused")
    stranger = somebody()
    browser.submit(email=stranger.email, password="not the password")
    checks.equal("a stranger is told the same", announced,
                 [element.text for element in browser.all("[role=alert]") if element.text])

    browser.press("a[href*='/register']")
    browser.submit(email=stranger.email, full_name="Some One", password="password")
    checks.equal("a common password is refused", 400, browser.status)
    checks.equal("name and address are kept", (stranger.email, "Some One"), (
        browser.find("[name=email]").get_attribute("value"), browser.find("[name=full_name]").get_attribute("value")))
    field = browser.find("[name=password]")
    told = [browser.find(f"#{name}").text for name in (field.get_attribute("aria-describedby") or "").split()]
    checks.equal("the field is marked, and says why", ("true", True), (
        field.get_attribute("aria-invalid"), any(told)))
    checks.equal("the cursor is in the field that is wrong", "password", browser.focused)
    walk.look.at(browser, "register-refused")
    browser.submit(**person.registration)
    checks.equal("a taken address is refused", 409, browser.status)
    checks.equal("the cursor is in the address", "email", browser.focused)
    walk.look.at(browser, "register-taken")


def forgotten_password(walk, browser, person):
    checks = walk.checks
    browser.open(login_url(walk.base))
    browser.press("a[href*='/forgot-password']")
    walk.look.at(browser, "forgot-password")
    browser.submit(email=person.email)
    sent = browser.heading
    walk.look.at(browser, "forgot-password-sent")
    browser.open(f"{walk.base}/idp/forgot-password")
    browser.submit(email=somebody().email)
    checks.equal("a stranger is told the same about a reset", (200, sent), (browser.status, browser.heading))

    link = walk.inbox.wait("idp", person.email)["link"]
    for _ in range(2):
        checks.equal("a scanner of mail opens the link", 200, opened_by_a_scanner(walk, link))
    browser.open(link)
    walk.look.at(browser, "reset-password")
    browser.submit(password="password")
    checks.that("a common password is refused, and the link not spent", browser.status == 400 and browser.all(
        "input[name=password]"), "400 and a form", f"{browser.status} {browser.heading}")
    old, person.password = person.password, new_password()
    browser.submit(password=person.password)
    checks.equal("the link is good for a new password", (200, False), (browser.status, bool(browser.all("form"))))
    walk.look.at(browser, "password-changed")
    browser.open(link)
    if browser.all("input[name=password]"):
        browser.submit(password=new_password())
    checks.equal("the link works once", 400, browser.status)
    walk.look.at(browser, "link-used")

    browser.open(login_url(walk.base))
    browser.submit(email=person.email, password=old)
    checks.that("the old password is refused", browser.status in REFUSED, REFUSED, browser.status)
    browser.submit(**person.credentials)
    browser.app_url("timetracker")
    sign_out(browser, walk.base)
    sign_in(browser, walk.base, person)
    sign_out(browser, walk.base)


def reset_at_an_app(walk, browser):
    checks, vici = walk.checks, walk.apps["vici"]
    person = vici.register()
    email = person.credentials["email"]
    checks.equal("vici: forgot-password", 200, vici.call("forgot", {"email": email}).status)
    link = walk.inbox.wait("vici", email)["link"]
    checks.equal("vici: a scanner of mail opens the link", 200, opened_by_a_scanner(walk, link))
    browser.open(link)
    walk.look.at(browser, "vici-reset-password")
    password = new_password()
    browser.submit(password=password)
    checks.equal("vici: the link is good for a new password", 200, browser.status)
    walk.look.at(browser, "vici-password-changed")
    checks.equal("vici: the new password signs in, the old one does not", (200, 401), tuple(
        vici.call("login", person.with_password(word)).status for word in (password, person.password)))


def opened_by_a_scanner(walk, link):
    """Returns the status for a program that follows links in mails: no cookies, and no requests for assets."""
    parts = urllib.parse.urlsplit(link)
    return walk.wire.get(f"{parts.path}?{parts.query}", headers=[("Accept", "text/html")]).status


def confirmed(walk):
    """Registration with an address that is proved by mail; on a separate server."""
    with chromium() as browser:
        person = somebody()
        browser.open(login_url(walk.base))
        browser.press("a[href*='/register']")
        browser.submit(**person.registration)
        walk.checks.that("registering opens no app before the address is proved", not browser.has_opened_app(),
                         "none", browser.opened)
        walk.look.at(browser, "registration-sent")
        link = walk.inbox.wait("idp", person.email)["link"]
        walk.checks.equal("a scanner of mail confirms nothing", 200, opened_by_a_scanner(walk, link))
        browser.open(login_url(walk.base))
        browser.submit(**person.credentials)
        walk.checks.that("nobody signs in before", browser.status in REFUSED, REFUSED, browser.status)
        browser.open(link)
        walk.look.at(browser, "confirm-registration")
        browser.submit(password="not the password")
        walk.checks.that("another's password confirms nothing", browser.status >= 400, "4xx", browser.status)
        if not browser.all("input[name=password]"):
            browser.open(link)
        browser.submit(password=person.password)
        walk.checks.equal("the link and the password confirm it", 200, browser.status)
        walk.look.at(browser, "registration-confirmed")
        sign_in(browser, walk.base, person)
        quiet(walk.checks, browser, walk.base, told="confirmed registration")
