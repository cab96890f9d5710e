"""The remaining pages: a choice of providers, consent, sign-out requested by a client, errors; and all in German."""

import base64
import hashlib
import secrets
import subprocess
import urllib.parse

from browsing.chromium import chromium
from browsing.looking import ON_A_PHONE
from browsing.people import TIMETRACKER, login_url, quiet, redeem, register, sign_out, somebody

NOTES = "notes://oauth/callback"


def run(walk):
    with chromium() as browser:
        choice(walk, browser)
        consent(walk, browser)
        errors(walk, browser, "en", walk.look.ways)
        inbox(walk, browser, "en", walk.look.ways)
        home(walk, browser)
        quiet(walk.checks, browser, walk.base, told="pages")
    with chromium(language="de") as browser:
        in_german(walk, browser)
        quiet(walk.checks, browser, walk.base, told="German pages")


def choice(walk, browser):
    checks = walk.checks
    browser.open(login_url(walk.base, "choice"))
    checks.equal("with several providers the person is asked", "/choice/auth/choose", browser.path)
    checks.equal("a link a provider", len(walk.choices), len(browser.all("main a[href*='provider=']")))
    walk.look.at(browser, "choose-provider")
    browser.press("a[href*='provider=google']")
    checks.equal("a provider that is away says so on a page", 503, browser.status)
    checks.that("and opens no app", not browser.has_opened_app(), "none", browser.opened)
    walk.look.at(browser, "provider-away")
    browser.open(login_url(walk.base, "choice"))
    browser.press("a[href*='provider=builtin']")
    checks.that("the provider that was chosen is there", browser.path.startswith("/idp/"), "/idp/…", browser.path)
    browser.press("a[href*='/register']")
    browser.submit(**somebody().registration)
    _, query = browser.app_url("timetracker")
    checks.equal("and signs in", 200, redeem(walk.apps["choice"], query).status)
    sign_out(browser, walk.base)


def consent(walk, browser):
    """A third-party client asks for consent first."""
    checks, person = walk.checks, somebody("Consenting Person")
    register(browser, walk.base, person)
    url, _ = authorization(walk.base)
    browser.open(url)
    checks.that("who is signed in is asked for consent", browser.all("button[value=allow]"), "a consent", browser.text)
    checks.that("the client is named", walk.client_name in browser.text, walk.client_name, browser.text)
    walk.look.at(browser, "consent")
    browser.press("button[value=deny]")
    _, query = browser.app_url("notes")
    checks.equal("who declines is sent back with an error", ("access_denied", True, None), (
        query.get("error"), "state" in query, query.get("code")))
    url, verifier = authorization(walk.base)
    browser.open(url)
    browser.press("button[value=allow]")
    _, query = browser.app_url("notes")
    body = urllib.parse.urlencode({
        "grant_type": "authorization_code", "client_id": "notes", "redirect_uri": NOTES, "code": query.get("code", ""),
        "code_verifier": verifier})
    answer = walk.wire.post(
        "/idp/oauth/token", body=body.encode(), content_type="application/x-www-form-urlencoded")
    checks.that("who consents: the client gets tokens", answer.status == 200 and "id_token" in answer.json, 200, answer)
    for prompt, told in (("login", "prompt=login asks for the password again"),):
        browser.open(authorization(walk.base, prompt=prompt)[0])
        checks.that(told, browser.shows("input[name=password]"), "a form", browser.text)
    browser.open(authorization(walk.base, prompt="none", client_id="notes-2")[0])
    checks.equal("an unknown client is told on a page", (400, False), (browser.status, browser.has_opened_app()))
    walk.look.at(browser, "unknown-client")
    browser.open(f"{walk.base}/idp/end-session?" + urllib.parse.urlencode(
        {"client_id": "notes", "post_logout_redirect_uri": "notes://signed-out", "state": "bye"}))
    checks.that("a client's wish alone signs nobody out", browser.all("form"), "a form", browser.text)
    walk.look.at(browser, "confirm-sign-out")
    browser.submit()
    if browser.has_opened_app():
        _, query = browser.app_url("notes")
        checks.equal("the client has its state back", "bye", query.get("state"))
    browser.open(f"{walk.base}/idp/account")
    checks.that("the person is signed out", browser.shows("input[name=password]"), "a form", browser.text)


def authorization(base, **changes):
    """A client's request, and its PKCE verifier."""
    verifier = secrets.token_urlsafe(32)
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
    query = {
        "response_type": "code", "client_id": "notes", "redirect_uri": NOTES, "scope": "openid profile email",
        "state": secrets.token_urlsafe(16), "nonce": secrets.token_urlsafe(16), "code_challenge": challenge,
        "code_challenge_method": "S256"} | changes
    return f"{base}/idp/authorize?{urllib.parse.urlencode(query)}", verifier


def errors(walk, browser, language, ways):
    checks = walk.checks
    for name, path in (
            ("sign-in-over", "/timetracker/auth/callback?code=x&state=unknown"),
            ("redirect-refused", f"/timetracker/auth/login?redirect_uri={TIMETRACKER}.evil"),
            ("link-malformed", "/idp/authorize?client_id=")):
        browser.open(walk.base + path)
        checks.equal(f"{name}: a page, and no app", (400, True, False), (
            browser.status, bool(browser.heading), browser.has_opened_app()))
        if browser.heading:
            walk.look.at(browser, name, language, ways)


def inbox(walk, browser, language, ways):
    """The development inbox, which is for this machine only."""
    browser.devtools("Network.setExtraHTTPHeaders", headers={})
    browser.open(f"{walk.base}/dev/inbox")
    walk.look.at(browser, "inbox", language, ways)
    browser.devtools("Network.setExtraHTTPHeaders", headers={"X-Forwarded-For": browser.address})


def home(walk, browser):
    """The home page of development mode, which is for this machine only."""
    checks = walk.checks
    browser.devtools("Network.setExtraHTTPHeaders", headers={})
    browser.open(f"{walk.base}/")
    listed = [element.text for element in browser.all("article h3")]
    checks.equal("the home page lists the apps", sorted(walk.apps), listed)
    walk.look.at(browser, "home")
    for summary in browser.all("summary"):
        summary.click()
    walk.look.at(browser, "home-endpoints")
    for element in browser.all(".command"):
        done = subprocess.run(["bash", "-c", f"{element.text} --silent --fail"], capture_output=True, timeout=30)
        checks.equal(f"a command of the home page succeeds: {element.text}", 0, done.returncode)
    links = {element.get_attribute("href") for element in browser.all("main a[href]")}
    for link in sorted(links):
        browser.open(link)
        checks.that(f"a link of the home page leads to a page: {link}", browser.status == 200, 200, browser.status)
    browser.devtools("Network.setExtraHTTPHeaders", headers={"X-Forwarded-For": browser.address})


def in_german(walk, browser):
    person = somebody("Käthe Beispiel")

    def look(name, ways=ON_A_PHONE):
        walk.look.at(browser, name, "de", ways)

    browser.open(login_url(walk.base))
    look("sign-in", walk.look.ways)
    browser.press("a[href*='/register']")
    look("register")
    browser.submit(email=person.email, full_name=person.full_name, password="passwort")
    look("register-refused")
    browser.submit(**person.registration)
    browser.app_url("timetracker")
    browser.open(f"{walk.base}/idp/account")
    look("account")
    browser.open(authorization(walk.base)[0])
    look("consent")
    sign_out(browser, walk.base)
    look("signed-out")
    browser.open(f"{walk.base}/idp/forgot-password")
    look("forgot-password")
    browser.submit(email=person.email)
    look("forgot-password-sent")
    browser.open(walk.inbox.wait("idp", person.email)["link"])
    look("reset-password")
    browser.open(login_url(walk.base, "choice"))
    look("choose-provider")
    browser.open(login_url(walk.base))
    browser.submit(email=person.email, password="falsch")
    look("sign-in-refused")
    errors(walk, browser, "de", ON_A_PHONE)
    inbox(walk, browser, "de", ON_A_PHONE)
