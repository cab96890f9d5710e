"""The provider's pages: registration, forged forms, sign-out."""

import urllib.parse

from apps import new_email, new_password
from upstreams.builtin.provider import CALLBACK, GOODBYE, SITE
from user_agent import Browser


def run(provider):
    for work in (forms, signing_out, disabled):
        work(provider)


def registration(provider):
    browser = Browser()
    page = browser.visit(f"{provider.base}/register")
    answers = {"email": provider.person["email"], "password": provider.person["password"]}
    short = browser.submit(page, provider.form(page, "email", "password"), answers | {"password": "Zq7-x"})
    provider.checks.that("a password that is too short is told on the page, and not shown", short.status == 400
                     and provider.person["email"] in short.text and "Zq7-x" not in short.text, "400, the form again",
                     short.text[-600:])
    page = browser.submit(page, provider.form(page, "email", "password"), answers | {
        "full_name": provider.person["name"]})
    provider.checks.that("registers, and is shown who it is", page.status == 200
                         and page.url == f"{provider.base}/account" and provider.person["email"] in page.text,
                         "the account page", page)
    for header, part in (("content-security-policy", "default-src 'none'"), ("cache-control", "no-store"),
                         ("x-content-type-options", "nosniff"), ("referrer-policy", "no-referrer"),
                         ("content-security-policy", "frame-ancestors 'none'")):
        provider.checks.that(f"the page has {header}: {part}", part in (page.answer.header(header) or ""), part,
                         page.answer.header(header))
    cookies = {name: attributes for (_, name), (_, _, attributes) in browser.jar.items()}
    provider.checks.that("its cookies are HttpOnly and Lax", cookies and all(
        "httponly" in attributes and attributes.get("samesite") == "lax" for attributes in cookies.values()),
        "HttpOnly, SameSite=Lax", cookies)


def forms(provider):
    browser = Browser(stops_at=[SITE])
    page = browser.visit(provider.address())
    form = page.form("email", "password")
    answers = {"email": provider.person["email"], "password": provider.person["password"]}
    wrong = browser.submit(page, form, answers | {"password": new_password()})
    stranger = browser.submit(page, form, answers | {"email": new_email()})
    provider.checks.equal("wrong password and unknown address are told alike", wrong.text.replace(
        provider.person["email"], "…").split("<form")[0], stranger.text.split("<form")[0])
    provider.checks.that("refused, and no session", wrong.status in (401, 403) and wrong.status == stranger.status
                     and not any(name.endswith("ostiary-idp") for _, name in browser.jar), "401 or 403", wrong)
    # A form that was made for another browser, or by another site.
    other = Browser()
    other.visit(provider.address())
    forged = other.submit(page, form, answers)
    provider.checks.equal("a form with another browser's token", 403, forged.status)
    provider.checks.equal("a form without a cookie", 403, Browser().submit(page, form, answers).status)
    bare = browser.submit(page, type(form)(form.action, "POST", []), answers)
    provider.checks.equal("a form without its token", 403, bare.status)
    body = urllib.parse.urlencode([*[pair for pair in form.fields if pair[0] not in answers], *answers.items()])
    cross = browser.send("POST", form.action, body.encode(), None, {
        "Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"}.items())
    provider.checks.equal("a form from another site", 403, cross.status)
    for typed in ("<script>alert(1)</script>@x.example", '"><img src=x onerror=alert(1)>', "{{7*7}}"):
        shown = browser.submit(page, form, answers | {"email": typed})
        provider.checks.that(f"what was typed is shown as text: {typed[:20]}", "<script>alert" not in shown.text
                         and "<img src=x" not in shown.text and "49" not in shown.text.split("<main")[-1][:2000],
                         "escaped", shown)
    hint = browser.visit(provider.address(login_hint='"><script>alert(1)</script>', state='"><script>'))
    provider.checks.that("a hint is text", "<script>alert" not in hint.text, "escaped", hint)
    done = browser.submit(page, form, answers)
    provider.checks.that("the right form of the right browser still signs in", done.url.startswith(
        CALLBACK + "?code="), "a code", done)


def signing_out(provider):
    browser = Browser(stops_at=[SITE])
    session, token, _ = provider.tokens("web", "openid offline_access", browser=browser)
    url = f"{provider.base}/end-session?" + urllib.parse.urlencode({
        "id_token_hint": token["id_token"], "post_logout_redirect_uri": GOODBYE, "state": "st"})
    page = browser.visit(url)
    provider.checks.that("sign-out asks before it does anything", page.status == 200 and page.forms, "a page", page)
    provider.checks.that("and has done nothing", "code" in browser.visit(provider.address()).query, "still signed in")
    gone = browser.submit(page, page.forms[0], button=page.forms[0].buttons[0] if page.forms[0].buttons
                          and page.forms[0].buttons[0][0] else None)
    provider.checks.equal("then goes where the client asked", f"{GOODBYE}?state=st", gone.url)
    page = browser.visit(provider.address())
    provider.checks.that("the browser is signed out", page.status == 200 and page.form("password"), "the sign-in page",
                     page)
    for uri in ("https://evil.example/", GOODBYE + "/", "javascript:alert(1)"):
        answer = browser.send("GET", f"{provider.base}/end-session?" + urllib.parse.urlencode({
            "id_token_hint": token["id_token"], "post_logout_redirect_uri": uri}))
        provider.checks.that(f"end-session to {uri} leads nowhere", not answer.header("location")
                         and b"evil.example" not in answer.body and answer.status == 400, "400", answer)
    answer = browser.send("GET", f"{provider.base}/end-session?post_logout_redirect_uri={urllib.parse.quote(GOODBYE)}")
    provider.checks.that("without a client a redirect is not gone to", not answer.header("location"), "none", answer)


def disabled(provider):
    """Disabling an account at the provider revokes the tokens of its clients."""
    if not provider.world.server:
        return
    session, token, _ = provider.tokens("own", "openid email offline_access")
    run = provider.world.server.command("users", "disable", "--app", "idp", provider.person["email"], "--yes")
    if not provider.checks.equal("users disable --app idp", (0, ""), (run.returncode, run.stderr.strip())):
        return
    provider.checks.equal("a disabled person's access token is dead", 401, provider.wire.get(
        "/userinfo", bearer=token["access_token"]).status)
    provider.refused("and the refresh token", provider.post("/oauth/token", {
        "grant_type": "refresh_token", "refresh_token": token["refresh_token"]}, "own"), "invalid_grant")
    page = provider.sign_in(Browser(stops_at=[SITE]), provider.address())
    provider.checks.that("and does not sign in", page.status in (401, 403), "401 or 403", page)
    provider.world.server.command("users", "enable", "--app", "idp", provider.person["email"], "--yes")
