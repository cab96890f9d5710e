"""Administrators in the browser: how they are invited, sign in to the console, and move in it."""

from dataclasses import dataclass

from apps import new_password

from browsing.factors import Authenticator, recovery_codes

MENU = {
    "Overview": "/admin", "People": "/admin/people", "Roles": "/admin/roles", "Audit log": "/admin/audit",
    "Messages": "/admin/messages", "Events": "/admin/events", "Service keys": "/admin/service-keys",
    "Signing keys": "/admin/signing-keys", "Configuration": "/admin/configuration", "Health": "/admin/health",
}
SIGN_OUT = "form[action$='/admin/sign-out'] button"


@dataclass
class Administrator:
    email: str
    password: str
    authenticator: Authenticator


def arrive(browser, walk, path="/admin"):
    """Waits until a page of the console is open: a page that leads on at once may be before it."""
    wanted = walk.admin + path
    browser.until(lambda: browser.driver.current_url.split("#")[0].split("?")[0] == wanted.split("?")[0]
                  and browser.all("#navigation"), f"the console is not at {path}")


def first_sign_in(walk, browser, email, link):
    """Sets the password by the link of the invitation, signs in, and adds an authenticator app."""
    password = new_password()
    browser.open(link)
    browser.submit(password=password)
    browser.open(f"{walk.admin}/admin")
    browser.submit(email=email, password=password)
    browser.press("button[value=totp]")
    authenticator = Authenticator(browser.find("[name=uri]").get_attribute("value"))
    browser.submit(code=authenticator.code(), name="Phone")
    assert len(recovery_codes(browser)) == 10
    browser.press("a.button")
    arrive(browser, walk)
    return Administrator(email, password, authenticator)


def invited(walk, browser):
    return first_sign_in(walk, browser, *walk.invite())


def sign_in(walk, browser, administrator, path="/admin"):
    """Opens a page of the console and signs in, with the password and the app."""
    browser.open(walk.admin + path)
    answer(browser, administrator)
    arrive(browser, walk, path)


def answer(browser, administrator):
    browser.submit(email=administrator.email, password=administrator.password)
    browser.submit(code=administrator.authenticator.code())


def go(walk, browser, path):
    browser.open(walk.admin + path)


def person(walk, browser, email, app="vici"):
    """Opens the page of a person by the search."""
    go(walk, browser, f"/admin/people?app={app}")
    browser.submit("form[role=search] button", q=email)
    browser.press("tbody th a")
