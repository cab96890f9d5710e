"""Sign-in in the browser, step by step, as the timetracker app and its user perform it."""

import base64
import hashlib
import secrets
import threading
import urllib.parse
from dataclasses import dataclass, field

from user_agent import Browser

CALLBACK = "timetracker://oauth/callback"


@dataclass
class Back:
    """The parameters that the app's redirect URI received."""
    code: str = None
    state: str = None
    error: str = None
    browser: Browser = None
    page: object = None
    more: dict = field(default_factory=dict)

    @property
    def body(self):
        return {"code": self.code, "state": self.state, "redirect_uri": CALLBACK}


def login(app, **query):
    """The address that the app opens."""
    return f"{app.wire.base}/auth/login?" + urllib.parse.urlencode({"redirect_uri": CALLBACK} | query)


def at_provider(app, browser=None, **query):
    """Opens the provider's page through the app's login address."""
    browser = browser or Browser()
    page = browser.visit(login(app, **query))
    if page.answer is None or page.url.startswith(app.wire.base):
        raise RuntimeError(f"login did not lead to the provider: {page}")
    return browser, page


def name_oneself(browser, page, sub):
    """Signs in at a page of an Authlib peer."""
    return browser.submit(page, page.form("sub"), {"sub": sub})


def back(browser, page):
    """Returns the parameters of the app's callback."""
    if not page.url.startswith(CALLBACK):
        raise RuntimeError(f"the browser did not come back to the app: {page}")
    query = page.query
    return Back(query.pop("code", None), query.pop("state", None), query.pop("error", None), browser, page, query)


def arrive(app, sub, **query):
    """Performs the sign-in from the login address to the app's callback."""
    browser, page = at_provider(app, **query)
    return back(browser, name_oneself(browser, page, sub))


def without_last_hop(browser, page, sub):
    """Signs in, and stops before the browser opens the server's callback address."""
    stopped = Browser(stops_at=())
    stopped.jar = browser.jar
    own = stopped.opens
    stopped.opens = lambda url: own(url) and "/auth/callback" not in url
    return name_oneself(stopped, page, sub).url


def redeem(app, arrived, **more):
    return app.call("token", arrived.body | more)


def verifier_and_challenge():
    verifier = secrets.token_urlsafe(48)
    digest = hashlib.sha256(verifier.encode()).digest()
    return verifier, base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def at_once(count, work):
    """Returns the results of `work(number)`, run `count` times at the same moment."""
    barrier, answers = threading.Barrier(count), [None] * count

    def one(number):
        barrier.wait()
        try:
            answers[number] = work(number)
        except Exception as error:  # The check that reads the answers reports it.
            answers[number] = error

    threads = [threading.Thread(target=one, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


def query_of(url):
    return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(url).query, keep_blank_values=True))
