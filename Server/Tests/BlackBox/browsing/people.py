"""People in front of the browser: how they come to the provider's pages, and what their app does with what it gets."""

from dataclasses import dataclass

from apps import new_email, new_password

TIMETRACKER = "timetracker://oauth/callback"
VIEWVAULT = "viewvault://oauth/callback"
# A page that refuses a person. Either will do: 401 would have to say how to authenticate, and the page's form does.
REFUSED = (401, 403)


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
    """Makes an account by way of an app's sign-in; ends at the app."""
    browser.open(login_url(base))
    browser.press("a[href*='/register']")
    browser.submit(**person.registration)
    return browser.app_url("timetracker")


def sign_in(browser, base, person):
    browser.open(login_url(base))
    browser.submit(**person.credentials)
    return browser.app_url("timetracker")


def sign_out(browser, base):
    """Ends the browser's sign-in at the provider, by its page."""
    browser.open(f"{base}/idp/")
    browser.submit()


def redeem(app, query, redirect_uri=TIMETRACKER, **more):
    """The app's own request with what came back from the browser."""
    return app.call("token", {"code": query["code"], "state": query["state"], "redirect_uri": redirect_uri} | more)


def quiet(checks, browser, base, *, other_hosts=(), console=(), told=""):
    """What must hold for everything that a browser did: no violation of a policy, nothing failed, nobody else asked.

    `console` names what the console may say: parts of messages that belong to what was tried.
    """
    browser.read_logs()
    allowed = (base + "/", *other_hosts)
    checks.none(f"{told}: no request to any other host", sorted(
        {url for url in browser.requests if not url.startswith(allowed)}))
    checks.none(f"{told}: no request failed", browser.failures)
    checks.none(f"{told}: everything that a page needs is there", sorted(
        {f"{status} {kind} {url}" for url, status, kind in browser.responses
         if status >= 400 and kind != "Document"}))
    # A page that says no has its status told in the console as well.
    checks.none(f"{told}: the console is empty", [
        line for line in browser.console
        if not any(part in line for part in console) and not refused_page(browser, line)])


def refused_page(browser, line):
    return "Failed to load resource" in line and any(
        line.startswith(url) for url, status, kind in browser.responses if kind == "Document" and status >= 400)
