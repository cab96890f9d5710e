"""The account page: its parts, the step-up before changes, sessions of other browsers, and connected apps."""

import urllib.parse

from apps import new_password
from browsing.chromium import chromium
from browsing.factors import add_authenticator, registered, sign_in, sign_out, switch
from browsing.pages import authorization
from browsing.people import REFUSED, quiet

HOSTILE = "<img src=x onerror=alert(1)> \"'><b>{{7*7}}"


def run(walk):
    with chromium() as browser, chromium() as other:
        person = registered(walk, browser, HOSTILE)
        walk.look.at(browser, "account-new")
        names(walk, browser)
        password(walk, browser, person)
        authenticator, codes = add_authenticator(walk, browser, HOSTILE, look=True)
        browser.press("a.button")
        shown(walk, browser)
        other_browser(walk, browser, other, person, authenticator)
        connected(walk, browser)
        recovery(walk, browser, codes)
        removal(walk, browser)
        # The console tells the status of refused forms.
        quiet(walk.checks, browser, walk.base, told="account")
        quiet(walk.checks, other, walk.base, told="the other browser")


def names(walk, browser):
    checks = walk.checks
    browser.press("a[href$='/account/name']")
    walk.look.at(browser, "change-name")
    browser.submit(full_name="Ada Lovelace")
    checks.that("the name is changed", "Ada Lovelace" in browser.text and browser.path == "/idp/account", "Ada", browser.text)


def password(walk, browser, person):
    checks = walk.checks
    browser.press("a[href$='/account/password']")
    walk.look.at(browser, "change-password")
    browser.submit(current_password="not the password", password=new_password())
    checks.that("a wrong current password is refused at its field", browser.status in REFUSED
                and browser.focused == "current_password", "the field", (browser.status, browser.focused))
    walk.look.at(browser, "change-password-refused")
    old, person.password = person.password, new_password()
    browser.submit(current_password=old, password=person.password)
    checks.equal("the password is changed, and the person stays signed in", "Your password is changed", browser.heading)
    browser.press("a.button")
    checks.equal("the account is a link away", "/idp/account", browser.path)


def shown(walk, browser):
    checks = walk.checks
    checks.that("names are shown letter for letter", HOSTILE in browser.text, HOSTILE, browser.text)
    checks.equal("and are text", [], browser.all("main img, main b"))
    times = [time.text for time in browser.all("time")]
    checks.that("times are in the browser's zone", times and not any("UTC" in time for time in times), "local", times)
    walk.look.at(browser, "account-full")


def other_browser(walk, browser, other, person, authenticator):
    checks = walk.checks
    sign_in(walk, other, person)
    walk.look.at(other, "challenge-totp")
    other.submit(code="000000")
    walk.look.at(other, "challenge-totp-refused")
    other.submit(code=authenticator.code())
    checks.equal("another browser is signed in", "/idp/account", other.path)
    browser.open(f"{walk.base}/idp/account")
    forms = browser.all("form[action$='/account/session']")
    checks.equal("its session is listed, with a button", 1, len(forms))
    walk.look.at(browser, "account-sessions")
    browser.press("form[action$='/account/session'] button")
    checks.equal("which ends it", [], browser.all("form[action$='/account/session']"))
    other.open(f"{walk.base}/idp/account")
    checks.equal("at once", "/idp/sign-in", other.path)


def connected(walk, browser):
    checks = walk.checks
    url, verifier = authorization(walk.base)
    browser.open(url)
    checks.that("an app that a URI scheme identifies is confirmed, and named", not browser.has_opened_app()
                and walk.client_name in browser.text and browser.shows("button[value=allow]"), "a confirmation", browser.text)
    walk.look.at(browser, "confirm-sign-in")
    browser.press("button[value=allow]")
    _, query = browser.app_url("notes")
    body = urllib.parse.urlencode({
        "grant_type": "authorization_code", "client_id": "notes", "redirect_uri": "notes://oauth/callback",
        "code": query["code"], "code_verifier": verifier})
    form = "application/x-www-form-urlencoded"
    token = walk.wire.post("/idp/oauth/token", body=body.encode(), content_type=form).json
    browser.open(f"{walk.base}/idp/account")
    checks.that("the app is listed", walk.client_name in browser.text, walk.client_name, browser.text)
    walk.look.at(browser, "account-apps")
    browser.press("form[action$='/account/app'] button")
    checks.that("and is disconnected", walk.client_name not in browser.text, "none", browser.text)
    checks.equal("its token ends", 401, walk.wire.get("/idp/userinfo", bearer=token["access_token"]).status)


def recovery(walk, browser, codes):
    browser.press("a[href$='/account/recovery-codes']")
    walk.look.at(browser, "recovery-code-replacement")
    browser.submit()
    fresh = [line.text for line in browser.all("#codes li")]
    walk.checks.that("new recovery codes replace the earlier ones", len(fresh) == 10 and not set(fresh) & set(codes),
                     "ten others", fresh)
    browser.press("a.button")


def removal(walk, browser):
    checks = walk.checks
    browser.press("a[href*='/account/factor']")
    browser.submit(name="Tablet")
    checks.that("a factor is renamed", "Tablet" in browser.text, "Tablet", browser.text)
    browser.press("a[href*='/account/factor']")
    browser.press("button.danger")
    checks.that("and removed", "Tablet" not in browser.text and "recovery codes left" not in browser.text, "none",
                browser.text)


def in_german(walk):
    with chromium(language="de") as browser:
        person = registered(walk, browser, "Käthe Müller")
        walk.look.at(browser, "account", "de")
        for page in ("name", "password", "authenticator", "passkey"):
            browser.open(f"{walk.base}/idp/account/{page}")
            walk.look.at(browser, f"account-{page}", "de")
        authenticator, codes = add_authenticator(walk, browser, "Telefon")
        walk.look.at(browser, "recovery-codes", "de")
        browser.press("a.button")
        browser.press("a[href*='/account/factor']")
        walk.look.at(browser, "change-factor", "de")
        sign_out(walk, browser)
        sign_in(walk, browser, person)
        walk.look.at(browser, "challenge-totp", "de")
        switch(browser, "recovery_code")
        walk.look.at(browser, "challenge-recovery-code", "de")
        browser.submit(code=codes[0])
        url, _ = authorization(walk.base, acr_values="aal2")
        browser.open(url)
        walk.look.at(browser, "step-up", "de")
        walk.checks.that("a step-up names the app", walk.client_name in browser.text, walk.client_name, browser.text)
        browser.submit(code=authenticator.code())
        browser.app_url("notes")
        quiet(walk.checks, browser, walk.base, told="German")
