"""timetracker: sign-in in the browser, at the built-in provider where none is configured, and every refusal."""

import urllib.parse

from apps import new_email, new_password
from user_agent import Browser
from expectations import refusal, success
from upstreams import flow

CALLBACK = "timetracker://oauth/callback"
REFUSED_REDIRECTS = [
    "", "timetracker:/oauth/callback", "timetracker:oauth/callback", "timetracker://oauth/callback/",
    "timetracker://oauth/callback?x=1", "timetracker://oauth/callback#x", "TIMETRACKER://oauth/callback",
    "timetracker://oauth", "viewvault://oauth/callback", "https://evil.example/", "javascript:alert(1)",
    "data:text/html,x",
    "timetracker://oauth/callback\r\nSet-Cookie: x=1", "timetracker://oauth/callback/../callback", "x" * 8000,
]


def run(walk):
    app, checks = walk.apps["timetracker"], walk.checks
    begin(app, checks)
    if at_built_in(walk, app):
        whole(walk, app)
    else:
        walk.skipped("timetracker's sign-in to its end: the server has a provider that this does not know")
    refused_beginnings(app, checks)
    sample = app["token"].sample
    for name, body in (("an unknown code and state", sample), ("an unregistered redirect_uri", sample | {
            "redirect_uri": "https://evil.example/"}), ("empty values", dict.fromkeys(sample, "")),
            ("a verifier nobody asked for", sample | {"code_verifier": "x" * 43})):
        refusal(checks, f"token with {name}", app.call("token", body), app.contract, 400)
    for name, bearer in (("no token", None), ("an unknown token", "x" * 43),
                         ("another app's token", walk.apps["clarity"].register().access)):
        refusal(checks, f"me with {name}", app.call("me", bearer=bearer), app.contract, 401)
    for name, bearer in (("an unknown token", "x" * 43), ("a malformed token", "a.b.c")):
        success(checks, f"logout with {name}", app.call("logout", bearer=bearer), app["logout"])


def begin(app, checks):
    states = set()
    for _ in range(2):
        answer = app.wire.get("/auth/login?" + urllib.parse.urlencode({"redirect_uri": CALLBACK}))
        location = answer.header("location") or ""
        query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(location).query))
        came = (answer.status, location.startswith("http"), query.get("response_type"),
                query.get("code_challenge_method"))
        checks.equal("login redirects to the provider, with an S256 challenge", (302, True, "code", "S256"), came)
        checks.that("state, nonce and challenge are at least 128 bits", all(
            len(query.get(key, "")) >= 22 for key in ("state", "nonce", "code_challenge")), "22 characters each", query)
        checks.that("the answer is not stored", "no-store" in (answer.header("cache-control") or ""), "no-store")
        checks.that("openid is asked for", "openid" in query.get("scope", "").split(), "openid", query.get("scope"))
        cookie = (answer.header("set-cookie") or "").lower()
        checks.that("the browser is bound by a cookie", "httponly" in cookie and "samesite=lax" in cookie,
                    "HttpOnly, SameSite=Lax", cookie)
        states.add(query.get("state"))
    checks.equal("each state is new", 2, len(states))


def at_built_in(walk, app):
    return Browser().visit(flow.login(app)).url.startswith(f"{walk.wire.base}/idp/")


def whole(walk, app):
    """Registers at the built-in provider, and returns to the app."""
    checks, browser = walk.checks, Browser()
    person = {"email": new_email(), "password": new_password()}
    page = browser.visit(flow.login(app))
    link = next((url for url in page.links.values() if "/idp/register" in url), None)
    if not checks.that("a stranger can register at the built-in provider", link, "a link", page.links):
        return
    page = browser.visit(link)
    page = browser.submit(page, page.form("email", "password"), person | {"full_name": "Ada Lovelace"})
    arrived = flow.back(browser, page)
    answer = flow.redeem(app, arrived)
    success(checks, "token", answer, app["token"], email=person["email"], fullName="Ada Lovelace")
    access, user = answer.json["access_token"], answer.json["user"]
    me = app.call("me", bearer=access)
    checks.equal("me is the user object", (200, user), (me.status, me.json))
    again = flow.redeem(app, flow.back(browser, browser.visit(flow.login(app))))
    checks.equal("signed in there, the next time is one step", user, again.json.get("user"))
    other = Browser()
    page = other.visit(flow.login(app))
    wrong = other.submit(page, page.form("email", "password"), person | {"password": new_password()})
    checks.that("a wrong password stays at the provider", wrong.status in (401, 403), "401 or 403", wrong)
    page = other.submit(wrong, wrong.form("email", "password"), person)
    third = flow.redeem(app, flow.back(other, page))
    checks.equal("another browser asks for the password, and is the same account", user, third.json.get("user"))
    success(checks, "logout", app.call("logout", bearer=access), app["logout"])
    refusal(checks, "the token stops working at once", app.call("me", bearer=access), app.contract, 401)
    refusal(checks, "code and state a second time", flow.redeem(app, arrived), app.contract, 400)
    checks.equal("another session lives on", 200, app.call("me", bearer=third.json["access_token"]).status)


def refused_beginnings(app, checks):
    queries = ["", "?", "?redirect_uri", f"?redirect_uri={CALLBACK}&redirect_uri={CALLBACK}"]
    queries += ["?" + urllib.parse.urlencode({"redirect_uri": uri}) for uri in REFUSED_REDIRECTS]
    for query in queries:
        answer = app.wire.get(f"/auth/login{query}")
        refusal(checks, f"login{query[:80]}", answer, app.contract, 400)
        checks.equal(f"login{query[:80]}: no redirect", None, answer.header("location"))
    for path in ("/auth/callback", "/auth/callback?code=x&state=y", "/auth/callback?error=access_denied&state=y"):
        answer = app.wire.get(path)
        checks.that(f"{path} without a flow is refused without a redirect", 400 <= answer.status < 500
                    and answer.header("location") is None, "4xx, no Location", answer)
