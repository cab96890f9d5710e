"""Passkeys of a device: added on the account's page, as the way in by button and by autofill, and as the second factor."""

from browsing.chromium import chromium
from browsing.factors import Device, recovery_codes, registered, sign_in, sign_out, switch
from browsing.people import quiet

BUTTON = "form[data-passkey] button"


def run(walk):
    with chromium() as browser, Device(browser) as device:
        person = registered(walk, browser, "Grace Example")
        codes = addition(walk, browser, device)
        by_button(walk, browser, device)
        by_autofill(walk, browser)
        as_second_factor(walk, browser, device, person, codes)
        files(walk)
        quiet(walk.checks, browser, walk.base, told="passkeys")


def files(walk):
    """What browsers and Apple's platforms fetch: the script, once, and the apps that share the passkeys."""
    checks = walk.checks
    script = walk.wire.get("/assets/passkeys.js")
    again = walk.wire.get("/assets/passkeys.js", headers=[("If-None-Match", script.header("etag"))])
    checks.equal("the script is not sent twice", (200, 304, b""), (script.status, again.status, again.body))
    apps = walk.wire.get("/.well-known/apple-app-site-association").json
    checks.equal("the provider's apps share its passkeys", {"webcredentials": {"apps": ["A1B2C3D4E5.com.example.app"]}}, apps)


def addition(walk, browser, device):
    checks = walk.checks
    browser.open(f"{walk.base}/idp/account")
    browser.press("a[href$='/account/passkey']")
    walk.look.at(browser, "new-passkey")
    device.refuses()
    browser.find(BUTTON).click()
    browser.until(lambda: browser.find("[role=status]").text, "nothing was said")
    checks.that("a cancelled passkey is told in words", "cancelled" in browser.find("[role=status]").text, "cancelled",
                browser.find("[role=status]").text)
    walk.look.at(browser, "new-passkey-cancelled")
    device.refuses(False)
    browser.fill(name="Laptop")
    browser.press(BUTTON)
    codes = recovery_codes(browser)
    checks.equal("recovery codes come with the first factor", 10, len(codes))
    walk.look.at(browser, "recovery-codes")
    copied_and_printed(walk, browser, codes)
    browser.press("a.button")
    checks.that("the account lists it", "Laptop" in browser.text and len(device.credentials) == 1, "Laptop", browser.text)
    browser.open(f"{walk.base}/idp/account/passkey")
    browser.find(BUTTON).click()
    browser.until(lambda: browser.find("[role=status]").text, "nothing was said")
    checks.that("a device that has one adds no second", "already" in browser.find("[role=status]").text, "already",
                browser.find("[role=status]").text)
    return codes


def copied_and_printed(walk, browser, codes):
    checks = walk.checks
    browser.devtools("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"],
                     origin=walk.base)
    browser.script("window.print = () => { window.printed = true; }")
    browser.find("[data-copy]").click()
    browser.until(lambda: browser.find("[data-copy]").text == "Copied", "nothing was copied")
    text = browser.driver.execute_async_script("navigator.clipboard.readText().then(arguments[0])")
    checks.equal("the codes are copied, one a line", codes, text.split("\n"))
    browser.find("[data-print]").click()
    checks.that("the page is printed", browser.script("return window.printed === true"))
    browser.devtools("Emulation.setEmulatedMedia", media="print")
    checks.equal("a print has the codes, and no buttons", (True, False, False), (
        browser.shows("#codes"), browser.shows("button"), browser.shows("a.button")))
    browser.devtools("Emulation.setEmulatedMedia", media="")
    browser.look()


def by_button(walk, browser, device):
    checks = walk.checks
    sign_out(walk, browser)
    # Without a passkey that the browser may offer, autofill waits and the button is pressed.
    credentials = device.credentials
    device.driver.remove_all_credentials()
    browser.open(f"{walk.base}/idp/sign-in")
    checks.that("the sign-in offers passkeys", browser.shows(BUTTON) and not browser.shows(".without-script"), "a button",
                browser.text)
    checks.equal("the field offers them too", "username webauthn", browser.find("[name=email]").get_attribute("autocomplete"))
    walk.look.at(browser, "sign-in-with-passkeys")
    device.driver.add_credential(credentials[0])
    browser.press(BUTTON)
    checks.equal("the passkey signs in alone", "/idp/account", browser.path)


def by_autofill(walk, browser):
    """The virtual authenticator chooses for the person, so that the conditional request is answered by itself."""
    sign_out(walk, browser)
    browser.leave(lambda: browser.driver.execute_script(f"location = '{walk.base}/idp/sign-in'"))
    browser.until(lambda: browser.path == "/idp/account", "autofill did not sign in")
    walk.checks.equal("a passkey chosen in the field signs in", "/idp/account", browser.path)


def as_second_factor(walk, browser, device, person, codes):
    checks = walk.checks
    sign_out(walk, browser)
    credentials = device.credentials
    device.driver.remove_all_credentials()
    sign_in(walk, browser, person)
    checks.that("after the password the passkey is asked for", browser.heading == "Confirm your sign-in"
                and browser.shows(BUTTON), "a button", browser.text)
    walk.look.at(browser, "challenge-passkey")
    browser.find(BUTTON).click()
    browser.until(lambda: browser.find("[role=status]").text, "nothing was said")
    checks.that("without the device it is told", browser.find("[role=status]").text, "words", browser.text)
    device.driver.add_credential(credentials[0])
    browser.press(BUTTON)
    checks.equal("the passkey answers the challenge", "/idp/account", browser.path)
    sign_out(walk, browser)
    device.driver.remove_all_credentials()
    sign_in(walk, browser, person)
    switch(browser, "recovery_code")
    walk.look.at(browser, "challenge-recovery-code")
    browser.submit(code=codes[0])
    checks.equal("a recovery code replaces the lost device", "/idp/account", browser.path)
    browser.press("a[href*='/account/factor']")
    walk.look.at(browser, "change-factor")
    browser.press("button.danger")
    checks.that("with it the lost passkey is removed", "Laptop" not in browser.text and browser.path == "/idp/account",
                "no Laptop", browser.text)
