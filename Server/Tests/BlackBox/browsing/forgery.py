"""Attacks by other sites: forms sent to the server, the server's pages in frames; and the state after sign-out."""

import urllib.parse

from browsing.chromium import chromium
from browsing.foreign import foreign_site
from browsing.pages import authorization
from browsing.people import REFUSED, SIGN_OUT, VIEWVAULT, login_url, quiet, redeem, register, sign_out, somebody

# A client's request to the mock of a social provider.
SOCIAL = urllib.parse.urlencode({
    "response_type": "code", "client_id": "viewvault", "redirect_uri": VIEWVAULT, "scope": "openid",
    "state": "s" * 22, "nonce": "n" * 22, "code_challenge": "c" * 43, "code_challenge_method": "S256",
    "connection": "google-oauth2"})


def run(walk):
    with foreign_site() as site, chromium() as browser:
        foreign_forms(walk, browser, site)
        quiet(walk.checks, browser, walk.base, other_hosts=(site.same_site, site.cross_site), told="foreign forms")


def framing(walk):
    with foreign_site() as site, chromium() as browser:
        frames(walk, browser, site)


def going_back(walk):
    with chromium() as browser:
        back_after_sign_out(walk, browser)
        quiet(walk.checks, browser, walk.base, told="back")


def foreign_forms(walk, browser, site):
    """Forms that would sign the person in with another account, sign them out, or create an account."""
    checks, victim, attacker = walk.checks, somebody("The Victim"), somebody("The Attacker")
    with chromium() as elsewhere:
        register(elsewhere, walk.base, attacker)
        sign_out(elsewhere, walk.base)
        elsewhere.open(f"{walk.base}/idp/sign-in")
        # A form token of the attacker's own browser is invalid in another browser.
        token = elsewhere.find("[name=form_token]").get_attribute("value")
    register(browser, walk.base, victim)
    newcomer = somebody("A Newcomer")
    attempts = {
        "/idp/sign-in": attacker.credentials, "/idp/register": newcomer.registration, "/idp/end-session": {},
        "/idp/forgot-password": {"email": victim.email},
        "/idp/consent": {"request": urllib.parse.urlsplit(authorization(walk.base)[0]).query, "decision": "allow"},
        "/idp/stand-in": attacker.registration | {"request": SOCIAL},
        "/idp/reset-password": {"token": "x"} | attacker.credentials,
        "/vici/reset-password": {"token": "x"} | attacker.credentials,
    }
    for action, fields in attempts.items():
        for told, origin in (("a sibling origin", site.same_site), ("another site", site.cross_site)):
            for form_token in (None, token):
                path = site.form(f"{action}/{len(site.pages)}", walk.base + action,
                                 fields | ({"form_token": form_token} if form_token else {}))
                attempt = f"{action} from {told}, {'with the attacker’s' if form_token else 'without a'} form token"
                sent(browser, origin + path, walk.base + action)
                # A client's own form may request the sign-out: then the user is asked for confirmation.
                asks = action == "/idp/end-session" and not form_token
                checks.equal(attempt, (200 if asks else 403, True), (
                    browser.status, browser.driver.current_url.startswith(walk.base)))
    walk.look.at(browser, "form-expired")
    browser.open(f"{walk.base}/idp/account")
    checks.that("after all of it the person is signed in as before", victim.email in browser.text, victim.email,
                browser.text)
    checks.that("and no app was opened", len(browser.opened) == 1, "only at registration", browser.opened[1:])
    checks.equal("and nobody was written to", [], [
        message["subject"] for person in (victim, newcomer) for message in walk.inbox.messages("idp", person.email)])
    sign_out(browser, walk.base)
    browser.open(f"{walk.base}/idp/sign-in")
    browser.submit(**newcomer.credentials)
    checks.that("and nobody was registered", browser.status in REFUSED, REFUSED, browser.status)

    interrupted(walk, browser, site, victim)
    site.put("/pictures", "".join(f'<img alt="" src="{walk.base}{path}">' for path in (
        "/idp/end-session", "/idp/sign-in", "/timetracker/auth/callback?code=x&state=y")))
    browser.open(f"{site.cross_site}/pictures")
    browser.open(f"{walk.base}/idp/account")
    checks.that("a picture on another site signs nobody out", victim.email in browser.text, victim.email, browser.text)
    # Failed requests for pictures do not count as errors.
    browser.read_logs()
    browser.responses = [answer for answer in browser.responses if answer[2] != "Image"]
    browser.console = [line for line in browser.console if "end-session" not in line and "auth/callback" not in line]
    browser.failures = [line for line in browser.failures if "ERR_BLOCKED_BY" not in line]


def interrupted(walk, browser, site, victim):
    """A form of another site is sent without the server's cookies. The answer must not give the browser new ones."""
    browser.open(login_url(walk.base))
    waiting = browser.driver.current_url
    sent(browser, site.cross_site + site.form("/interrupt", f"{walk.base}/idp/sign-in", {"email": "x"}),
         f"{walk.base}/idp/sign-in")
    browser.open(waiting)
    browser.submit(**victim.credentials)
    if walk.checks.that("a sign-in that another site's form interrupted can be finished", browser.has_opened_app(),
                        "the app", browser.heading):
        _, query = browser.app_url("timetracker")
        walk.checks.equal("and its code is good", 200, redeem(walk.apps["timetracker"], query).status)


def sent(browser, page, action):
    """Opens a page whose form is sent automatically, and waits for the answer."""
    browser.read_logs()
    before = len(browser.responses)
    browser.open(page)

    def answered():
        browser.read_logs()
        return any(url.startswith(action) for url, _, _ in browser.responses[before:])

    browser.until(answered, "the form was not sent")
    browser.until(lambda: urllib.parse.urlsplit(browser.driver.current_url)[:2] == urllib.parse.urlsplit(action)[:2]
                  and browser.script("return document.readyState") == "complete", "no page came")


def frames(walk, browser, site):
    register(browser, walk.base, somebody())
    # From here on from this machine: the inbox is for it alone.
    browser.devtools("Network.setExtraHTTPHeaders", headers={})
    paths = ("/idp/account", "/idp/sign-in", "/idp/end-session", "/idp/reset-password?token=x", "/vici/reset-password?token=x",
             "/dev/inbox")
    for path in paths:
        site.put("/frame", f'<iframe src="{walk.base}{path}"></iframe>')
        for told, origin in (("a sibling origin", site.same_site), ("another site", site.cross_site)):
            browser.read_logs()
            browser.failures.clear()
            browser.open(f"{origin}/frame")
            browser.until(lambda: refused(browser), f"{path} in a frame of {told} was not refused")
            browser.driver.switch_to.frame(0)
            content = [element.tag_name for element in browser.all("form, input, main")]
            browser.driver.switch_to.default_content()
            walk.checks.equal(f"{path} in a frame of {told} stays empty", [], content)


def refused(browser):
    browser.read_logs()
    return any("ERR_BLOCKED_BY_RESPONSE" in line for line in browser.failures)


def back_after_sign_out(walk, browser):
    checks, person = walk.checks, somebody("Nobody Should See")
    register(browser, walk.base, person)
    browser.open(f"{walk.base}/idp/account")
    checks.that("the account's page shows the person", person.email in browser.text, person.email, browser.text)
    cookies = browser.driver.get_cookies()
    browser.press(SIGN_OUT)
    for step in ("back", "back twice"):
        browser.back()
        browser.until(lambda: browser.script("return document.readyState") == "complete", "no page came")
        seen = browser.driver.page_source
        checks.that(f"{step}: nothing of the person is shown", person.email not in seen
                    and person.full_name not in seen, "neither name nor address", browser.text)
    browser.open(f"{walk.base}/idp/sign-in")
    for cookie in cookies:
        browser.driver.add_cookie(cookie)
    browser.open(f"{walk.base}/idp/account")
    checks.that("the account's page asks to sign in, even with the cookies from before",
                browser.shows("input[name=password]"), "a form", browser.text)
