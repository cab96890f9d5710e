"""Users of the browser: how they reach the provider's pages, and how their app completes the sign-in."""

from dataclasses import dataclass

from apps import new_email, new_password

TIMETRACKER = "timetracker://oauth/callback"
VIEWVAULT = "viewvault://oauth/callback"
# The status of a page that refuses a sign-in. Both are valid: a 401 would require a challenge, and the page's form serves as one.
REFUSED = (401, 403)
# The button that ends the browser's sign-in, on the account page.
SIGN_OUT = "form[action$='/end-session'] button"


@dataclass
class Person:
    email: str
    password: str
    full_name: str

    @property
    def credentials(self):
        return {"email": self.email, "password": self.password}

    @property
    def registration(self):
        return self.credentials | {"full_name": self.full_name}


def somebody(full_name="Ada Example"):
    return Person(new_email(), new_password(), full_name)


def login_url(base, app="timetracker", redirect_uri=TIMETRACKER):
    return f"{base}/{app}/auth/login?redirect_uri={redirect_uri}"


def register(browser, base, person):
    """Registers an account through an app's sign-in; ends at the app."""
    browser.open(login_url(base))
    browser.press("a[href*='/register']")
    browser.submit(**person.registration)
    return browser.app_url("timetracker")


def sign_in(browser, base, person):
    browser.open(login_url(base))
    browser.submit(**person.credentials)
    return browser.app_url("timetracker")


def sign_out(browser, base):
    """Ends the browser's sign-in at the provider, on its page."""
    browser.open(f"{base}/idp/account")
    browser.press(SIGN_OUT)


def redeem(app, query, redirect_uri=TIMETRACKER, **more):
    """Sends the app's own request with the result of the redirect from the browser."""
    return app.call("token", {"code": query["code"], "state": query["state"], "redirect_uri": redirect_uri} | more)


def quiet(checks, browser, base, *, other_hosts=(), console=(), told=""):
    """Checks the whole record of a browser: no violation of a policy, no failed request, no request to another host.

    `console` lists the allowed messages of the console: parts of messages that belong to the tested attack.
    """
    browser.read_logs()
    allowed = (base + "/", *other_hosts)
    checks.none(f"{told}: no request to any other host", sorted(
        {url for url in browser.requests if not url.startswith(allowed)}))
    checks.none(f"{told}: no request failed", browser.failures)
    checks.none(f"{told}: everything that a page needs is there", sorted(
        {f"{status} {kind} {url}" for url, status, kind in browser.responses
         if status >= 400 and kind != "Document"}))
    # The console also reports the status of a refused page.
    checks.none(f"{told}: the console is empty", [
        line for line in browser.console
        if not any(part in line for part in console) and not refused_page(browser, line)])


def refused_page(browser, line):
    return "Failed to load resource" in line and any(
        line.startswith(url) for url, status, kind in browser.responses if kind == "Document" and status >= 400)
