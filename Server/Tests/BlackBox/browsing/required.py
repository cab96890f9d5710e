"""A provider that requires a second factor: the registration adds one, with JavaScript and without; remembered browsers."""

from browsing.chromium import chromium
from browsing.factors import (
    Authenticator, Device, recovery_codes, registered, scanned, sign_in, sign_out, switch)
from browsing.pages import authorization
from browsing.people import quiet


def run(walk):
    with chromium(has_scripts=False) as browser:
        with_an_app(walk, browser)
        quiet(walk.checks, browser, walk.base, told="required, without JavaScript")
    with chromium() as browser, Device(browser):
        with_a_passkey(walk, browser)
        quiet(walk.checks, browser, walk.base, told="required")


def with_an_app(walk, browser):
    checks = walk.checks
    person = registered(walk, browser)
    checks.equal("a registration leads to the choice of a factor", "Add a second factor", browser.heading)
    checks.equal("and has no session", [], [cookie["name"] for cookie in browser.driver.get_cookies()
                                             if cookie["name"].endswith("-idp")])
    browser.press("button[value=totp]")
    authenticator = Authenticator(scanned(browser)[0])
    browser.submit(code=authenticator.code(), name="Phone")
    codes = recovery_codes(browser)
    checks.equal("recovery codes come with it", 10, len(codes))
    browser.press("a.button")
    checks.that("the person is signed in", browser.path == "/idp/account" and "Phone" in browser.text, "Phone", browser.text)
    remembered(walk, browser, person, authenticator)
    lost(walk, browser, person, codes)


def remembered(walk, browser, person, authenticator):
    checks = walk.checks
    sign_out(walk, browser)
    sign_in(walk, browser, person)
    browser.find("[name=remember_device]").click()
    browser.submit(code=authenticator.code())
    sign_out(walk, browser)
    sign_in(walk, browser, person)
    checks.equal("a remembered browser is not asked again", "/idp/account", browser.path)
    browser.open(authorization(walk.base, acr_values="aal2")[0])
    checks.that("but by a client that requires aal2", browser.shows("input[name=code]"), "a code", browser.text)
    sign_out(walk, browser)
    browser.driver.delete_cookie("ostiary-device")


def lost(walk, browser, person, codes):
    checks = walk.checks
    sign_in(walk, browser, person, authorization(walk.base)[0])
    switch(browser, "recovery_code")
    browser.submit(code=codes[0])
    checks.that("a recovery code leads to no client", not browser.has_opened_app() and browser.shows("input[name=code]"),
                "a step-up", browser.text)
    browser.press("a[href*='/account/factors']")
    checks.that("but to the factors", "Phone" in browser.text and "Connected apps" not in browser.text, "Phone", browser.text)


def with_a_passkey(walk, browser):
    checks = walk.checks
    person = registered(walk, browser, "Grace Example")
    walk.look.at(browser, "enrolment")
    browser.press("button[value=passkey]")
    walk.look.at(browser, "enrolment-passkey")
    browser.press("form[data-passkey] button")
    checks.equal("recovery codes come with the passkey", 10, len(recovery_codes(browser)))
    browser.press("a.button")
    checks.equal("and the person is signed in", "/idp/account", browser.path)
    sign_out(walk, browser)
    device_is_away(walk, browser, person)


def device_is_away(walk, browser, person):
    credentials = browser.driver.get_credentials()
    browser.driver.remove_all_credentials()
    sign_in(walk, browser, person)
    walk.look.at(browser, "challenge-remembering")
    browser.find("[name=remember_device]").click()
    browser.driver.add_credential(credentials[0])
    browser.press("form[data-passkey] button")
    sign_out(walk, browser)
    browser.driver.remove_all_credentials()
    sign_in(walk, browser, person)
    walk.checks.equal("a browser is remembered with a passkey too", "/idp/account", browser.path)
    browser.press("a[href*='/account/factor']")
    walk.look.at(browser, "step-up-password")
