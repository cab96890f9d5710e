"""timetracker, as far as it goes without a browser: where sign-in begins, and every refusal."""

import urllib.parse

from expectations import refusal, success

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
    if app.wire.get("/auth/login?" + urllib.parse.urlencode({"redirect_uri": CALLBACK})).status == 503:
        walk.skipped("timetracker's sign-in in the browser: the server has no provider for it")
    else:
        begin(app, checks)
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
