"""The sign-in page in a network whose sign-ins failed with many identifiers: MA-01, MA-03, MA-05."""

from apps import new_email
from browsing.chromium import chromium
from browsing.people import quiet, register, sign_out, somebody
from user_agent import Browser

# Addresses of the network that is attacked. No other section fails in it, so that its allowance is whole.
HOME, AWAY = "192.0.2.7", "192.0.2.8"


def run(walk):
    person = somebody()
    with chromium() as browser:
        register(browser, walk.base, person)
        attack(walk)
        moved(browser, HOME)
        sign_out(browser, walk.base)
        browser.open(f"{walk.base}/idp/sign-in")
        browser.submit(**person.credentials)
        walk.checks.equal("MA-03: a recognized browser signs in", "/idp/account", browser.path)
    with chromium() as browser:
        moved(browser, AWAY)
        browser.open(f"{walk.base}/idp/sign-in")
        browser.submit(**person.credentials)
        walk.checks.equal("MA-01: the page asks for a computation", 429, browser.status)
        walk.look.at(browser, "sign-in-computation")
        browser.submit(**person.credentials)
        browser.until(lambda: browser.path == "/idp/account", "the script did not send the form")
        walk.checks.that("MA-05: its script computes, and the person is signed in", person.email in browser.text,
                         person.email, browser.text)
        quiet(walk.checks, browser, walk.base, console=("429",), told="computations")
    with chromium(has_scripts=False) as browser:
        moved(browser, AWAY)
        browser.open(f"{walk.base}/idp/sign-in")
        browser.submit(**somebody().credentials)
        walk.checks.that("MA-01: without a script the page says when to go on", browser.status == 429
                         and "Without JavaScript, try again in" in browser.text, "a time", browser.text)


def attack(walk):
    """Failures with thirty identifiers, each from an address of its own of one network."""
    for number in range(30):
        attacker = Browser()
        attacker.address = f"192.0.2.{100 + number}"
        page = attacker.visit(f"{walk.base}/idp/sign-in")
        form = page.form("email", "password")
        attacker.submit(page, form, [("email", new_email()), ("password", f"Listed-elsewhere-{number}")])


def moved(browser, address):
    browser.devtools("Network.setExtraHTTPHeaders", headers={"X-Forwarded-For": address})
