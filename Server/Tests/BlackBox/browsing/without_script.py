"""A person whose browser has no JavaScript: an authenticator app, the challenge and every other method."""

from browsing.chromium import PHONE, chromium
from browsing.factors import (
    Authenticator, add_authenticator, recovery_codes, registered, scanned, sign_in, sign_out, switch)
from browsing.people import quiet


def run(walk):
    with chromium(has_scripts=False) as browser:
        checks = walk.checks
        person = registered(walk, browser)
        checks.equal("the account page follows the registration", "/idp/account", browser.path)
        authenticator, codes = enrolment(walk, browser)
        sign_out(walk, browser)
        challenge(walk, browser, person, authenticator, codes)
        passkeys_need_script(walk, browser, person, authenticator)
        quiet(checks, browser, walk.base, told="without JavaScript")
    wrong_answers(walk)


def enrolment(walk, browser):
    checks = walk.checks
    browser.open(f"{walk.base}/idp/account")
    browser.press("a[href$='/account/authenticator']")
    browser.submit()
    uri = browser.find("[name=uri]").get_attribute("value")
    for is_dark in (False, True):
        for size in (None, PHONE):
            browser.look(size, is_dark)
            checks.equal(f"the QR code can be read, {'dark' if is_dark else 'light'}", [uri], scanned(browser))
    authenticator = Authenticator(scanned(browser)[0])
    checks.equal("the key is there as text", authenticator.totp.secret, browser.find(".key").text.replace(" ", ""))
    checks.that("the app's and the account's names are in it", authenticator.totp.issuer == "Nordwind"
                and "@" in authenticator.totp.name, "Nordwind, an address", uri)
    browser.submit(code="000000", name="Phone")
    checks.that("a wrong code is told at the field, and the QR code stays", browser.status == 400
                and browser.find("#code-problem").text and scanned(browser) == [uri], "400, a complaint", browser.text)
    browser.submit(code=authenticator.code(), name="Phone")
    codes = recovery_codes(browser)
    checks.equal("ten recovery codes are shown", (10, {11}), (len(set(codes)), {len(code) for code in codes}))
    checks.that("buttons that need a script are not there", not browser.shows("[data-copy]") and not browser.shows(
        "[data-print]"), "none", browser.text)
    browser.press("a.button")
    checks.that("the account page lists the app", "Phone" in browser.text and "10 recovery codes left" in browser.text,
                "Phone", browser.text)
    return authenticator, codes


def challenge(walk, browser, person, authenticator, codes):
    checks = walk.checks
    sign_in(walk, browser, person)
    checks.equal("the password leads to the challenge", ("/idp/sign-in", True), (
        browser.path, browser.shows("input[name=code]")))
    checks.equal("and signs nobody in", [], [cookie["name"] for cookie in browser.driver.get_cookies()
                                              if cookie["name"].endswith("-idp")])
    checks.equal("the cursor is in the field", "code", browser.focused)
    for wrong, told in (("000000", "not correct"), ("12", "not correct"), ("x" * 3000, "not correct")):
        browser.fill(code=wrong)
        browser.press("form button")
        checks.that(f"the code {wrong[:8]} is refused with words", browser.status == 400 and told in browser.find(
            "#code-problem").text, told, browser.text)
    switch(browser, "recovery_code")
    checks.that("another method is a button away", "recovery codes that you saved" in browser.text, "recovery", browser.text)
    browser.submit(code=codes[0].lower().replace("-", ""))
    checks.equal("a recovery code signs in", "/idp/account", browser.path)
    checks.that("and is used up", "9 recovery codes left" in browser.text, "9", browser.text)
    sign_out(walk, browser)
    sign_in(walk, browser, person)
    switch(browser, "recovery_code")
    browser.submit(code=codes[0])
    checks.that("a used one is refused", browser.status == 400 and "used already" in browser.text, 400, browser.text)
    switch(browser, "totp")
    code = authenticator.code()
    browser.submit(code=f"{code[:3]} {code[3:]}")
    checks.equal("the code of the app signs in, with its space", "/idp/account", browser.path)
    sign_out(walk, browser)


def passkeys_need_script(walk, browser, person, authenticator):
    checks = walk.checks
    browser.open(f"{walk.base}/idp/sign-in")
    checks.that("the sign-in says that passkeys need JavaScript", "Passkeys need JavaScript" in browser.text, "a note",
                browser.text)
    checks.that("and shows no button for them", not browser.shows("form[data-passkey] button"), "none", "a button")
    sign_in(walk, browser, person)
    browser.submit(code=authenticator.code())
    browser.open(f"{walk.base}/idp/account/passkey")
    checks.that("so does the page to add one", "Passkeys need JavaScript" in browser.text
                and not browser.shows("form[data-passkey] button"), "a note", browser.text)
    sign_out(walk, browser)


def wrong_answers(walk):
    """Five wrong answers end a challenge, in words."""
    # The pictures are checked by a script.
    with chromium() as browser:
        person = registered(walk, browser)
        add_authenticator(walk, browser)
        sign_out(walk, browser)
        sign_in(walk, browser, person)
        for _ in range(6):
            browser.submit(code="000000")
        walk.checks.equal("the sixth answer finds no challenge", "This step has expired", browser.heading)
        walk.look.at(browser, "challenge-expired")
        browser.press("a.button")
        walk.checks.equal("and leads to the sign-in", "/idp/sign-in", browser.path)
        quiet(walk.checks, browser, walk.base, told="wrong answers")
