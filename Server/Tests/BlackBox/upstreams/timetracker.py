"""timetracker in front of two external OpenID providers: `oidc-provider-mock` and Authlib's server parts."""

import time
import urllib.parse

from user_agent import Browser
from expectations import refusal, success
from peers import serving
from tokens import CAN_VERIFY_ES256, parts, verifies_es256
from upstreams import sent
from upstreams.flow import (
    CALLBACK, arrive, at_once, at_provider, back, login, name_oneself, query_of, redeem, verifier_and_challenge,
    without_last_hop)


def run(world, app, peer, person, secret):
    """`person(sub, **claims)` creates a user at the peer; `secret` is the client's."""
    checks = world.checks
    person("ada", email="Ada@Example.com", preferred_username="johndoe", name="John Doe", email_verified=True)
    whole(app, checks)
    names(app, checks, person)
    used_twice(app, checks)
    at_the_same_time(app, checks)
    overtaken(app, checks, peer)
    wrong(app, checks)
    other_browsers(app, checks)
    mix_up(app, checks, peer)
    device(app, checks)
    sent.said(app, checks, peer)
    sent.kept(world, checks, peer, secret)


def whole(app, checks):
    arrived = arrive(app, "ada")
    checks.that("the app gets code and state and nothing else", arrived.code and arrived.state and not arrived.error
                and not arrived.more, "code, state", arrived.page)
    answer = redeem(app, arrived)
    user = {"username": "johndoe", "fullName": "John Doe", "email": "Ada@Example.com"}
    if not success(checks, "token", answer, app["token"], **user):
        return
    access = answer.json["access_token"]
    header, claims = parts(access)
    checks.equal("the access token lives as long as expires_in says", 3600, claims["exp"] - claims["iat"])
    if header["alg"] == "ES256" and CAN_VERIFY_ES256:
        keys = app.wire.get("/.well-known/jwks.json").json["keys"]
        checks.that("the token is ours", verifies_es256(access, keys), "a valid signature", header)
    me = app.call("me", bearer=access)
    checks.equal("me is the user object", (200, answer.json["user"]), (me.status, me.json))
    again = redeem(app, arrive(app, "ada"))
    checks.equal("the same person is the same account", answer.json["user"], again.json.get("user"))
    success(checks, "logout", app.call("logout", bearer=access), app["logout"])
    refusal(checks, "the token stops working at once", app.call("me", bearer=access), app.contract, 401)
    checks.equal("the other session lives on", 200, app.call("me", bearer=again.json["access_token"]).status)
    success(checks, "logout with an empty object", app.call("logout", {}, bearer=again.json["access_token"]),
            app["logout"])


def names(app, checks, person):
    for sub, claims, username, email, full_name in (
        ("n-all", {"preferred_username": "grace", "email": "g@example.com", "name": "Grace"}, "grace", "g@example.com",
         "Grace"),
        ("n-mail", {"email": "h@example.com"}, "h@example.com", "h@example.com", None),
        ("n-none", {}, "n-none", None, None),
        ("n-empty", {"preferred_username": "", "name": ""}, "n-empty", None, None),
        ("n-odd|sub:ü", {}, "n-odd|sub:ü", None, None),
    ):
        person(sub, **claims)
        user = redeem(app, arrive(app, sub)).json.get("user", {})
        checks.equal(f"user of {sorted(claims) or 'a bare subject'} ({sub})", (username, email, full_name),
                     (user.get("username"), user.get("email", "absent"), user.get("fullName")))
    # Case and Unicode forms: different subjects are different users.
    person("N-none")
    one, other = (redeem(app, arrive(app, sub)).json["user"]["id"] for sub in ("n-none", "N-none"))
    checks.that("subjects are compared byte for byte", one != other, "two accounts", one)
    person("n-all", preferred_username="ada2", email="new@example.com", name="Grace H")
    user = redeem(app, arrive(app, "n-all")).json["user"]
    checks.equal("labels follow the provider", ("ada2", "new@example.com", "Grace H"),
                 (user["username"], user["email"], user["fullName"]))
    person("twin", email="Ada@Example.com", preferred_username="johndoe", email_verified=True)
    twin, ada = (redeem(app, arrive(app, sub)).json["user"]["id"] for sub in ("twin", "ada"))
    checks.that("the same email and name at another subject is another account", twin != ada, "two accounts", twin)


def used_twice(app, checks):
    arrived = arrive(app, "ada")
    first = redeem(app, arrived)
    access = first.json["access_token"]
    checks.equal("the first use signs in", 200, app.call("me", bearer=access).status)
    refusal(checks, "the state a second time, with another code", redeem(
        app, arrived, code="x" * 48), app.contract, 400)
    checks.equal("which ends nobody's session", 200, app.call("me", bearer=access).status)
    refusal(checks, "code and state a second time", redeem(app, arrived), app.contract, 400)
    refusal(checks, "a second use ends the session of the first", app.call("me", bearer=access), app.contract, 401)
    refusal(checks, "a third time", redeem(app, arrived), app.contract, 400)
    # The provider's answer is delivered again: the state has been redeemed.
    again = arrived.browser.visit(next(url for url in arrived.page.via if "/auth/callback" in url))
    checks.that("our callback a second time leads nowhere", 400 <= (again.status or 0) < 500, "4xx, no redirect", again)


def at_the_same_time(app, checks):
    """RC-04."""
    arrived = arrive(app, "ada")
    answers = at_once(20, lambda _: redeem(app, arrived))
    statuses = sorted(getattr(answer, "status", 0) for answer in answers)
    checks.that("20 at once with one code and state: one succeeds at most, the others get 400",
                statuses.count(200) <= 1 and set(statuses) <= {200, 400}, "at most one 200, else 400", statuses)
    for answer in answers:
        if getattr(answer, "status", 0) == 200:
            refusal(checks, "what it opened is over", app.call("me", bearer=answer.json["access_token"]), app.contract, 401)


def overtaken(app, checks, peer):
    """A second use is refused and ends the session of the first one: also during the first exchange, when there is none
    yet. Then the first use is refused too."""
    for seconds, status in ((0.2, 400), (0.6, 200)):
        arrived = arrive(app, "ada")
        with peer.failing(serving.late(0.4), "/token$"):
            def use(number):
                time.sleep(number * seconds)
                return redeem(app, arrived)

            first, second = at_once(2, use)
        refusal(checks, f"the second use {seconds} s after the first", second, app.contract, 400)
        if status == 400:
            refusal(checks, f"the first use, {seconds} s before the second", first, app.contract, 400)
        elif checks.equal(f"the first use, {seconds} s before the second", 200, first.status):
            refusal(checks, f"what the first use opened, {seconds} s later", app.call(
                "me", bearer=first.json["access_token"]), app.contract, 401)


def wrong(app, checks):
    for name, more in (("another state", {"state": "A" * 43}), ("another redirect_uri", {
            "redirect_uri": "https://evil.example/"}), ("a redirect_uri in another case", {
            "redirect_uri": CALLBACK.upper()}), ("another code", {"code": "x" * 48}), ("an empty code", {"code": ""})):
        arrived = arrive(app, "ada")
        refusal(checks, f"token with {name}", redeem(app, arrived, **more), app.contract, 400)
        repeated = redeem(app, arrived)
        if "state" in more or more.get("code") == "":
            continue  # A forged state redeems nothing; a malformed body is refused before its state is read.
        refusal(checks, f"{name} burns the state", repeated, app.contract, 400)
    one, other = arrive(app, "ada"), arrive(app, "ada")
    refusal(checks, "the code of another sign-in", redeem(app, one, code=other.code), app.contract, 400)
    browser, page = at_provider(app)
    state = query_of(page.url)["state"]
    refusal(checks, "a state that did not come back yet", app.call("token", {
        "code": "x" * 48, "state": state, "redirect_uri": CALLBACK}), app.contract, 400)
    checks.equal("which burned nothing: its browser goes on", 200, redeem(
        app, back(browser, name_oneself(browser, page, "ada"))).status)
    browser, page = at_provider(app)
    denied = browser.submit(page, page.form(button=("action", "deny")), button=("action", "deny"))
    if "state=" in next(url for url in [*denied.via, denied.url] if "/auth/callback" in url):
        arrived = back(browser, denied)
        checks.equal("the provider's refusal comes to the app as error and state",
                     ("access_denied", query_of(page.url)["state"], None), (arrived.error, arrived.state, arrived.code))
        checks.that("and nothing else", not arrived.more, {}, arrived.more)
        refusal(checks, "after an error the state is spent", app.call("token", {
            "code": "x" * 48, "state": arrived.state, "redirect_uri": CALLBACK}), app.contract, 400)
    else:
        checks.that("a refusal without a state belongs to nobody: no redirect", 400 <= denied.status < 500, "4xx",
                    denied)


def other_browsers(app, checks):
    browser, page = at_provider(app)
    address = without_last_hop(browser, page, "ada")
    state = query_of(address)["state"]
    stranger = Browser()
    stranger.visit(login(app))  # Has a different cookie.
    for name, other in (("a browser without a cookie", Browser()), ("another browser", stranger)):
        came = other.visit(address)
        checks.that(f"our callback in {name} is refused without a redirect",
                    came.status and 400 <= came.status < 500 and not came.answer.header("location"), "4xx", came)
        checks.that(f"the page in {name} says nothing of code or state", state not in came.text
                    and query_of(address)["code"] not in came.text, "neither", came.text)
        checks.that(f"the page in {name} is safe to show", "default-src 'none'" in (
            came.answer.header("content-security-policy") or "") and "no-store" in (
            came.answer.header("cache-control") or ""), "CSP, no-store", came.answer.headers)
    refusal(checks, "a stranger cannot redeem what did not come back in its own browser", app.call("token", {
        "code": query_of(address)["code"], "state": state, "redirect_uri": CALLBACK}), app.contract, 400)
    browser, page = at_provider(app)
    address = without_last_hop(browser, page, "ada")
    Browser().visit(address)
    arrived = back(browser, browser.visit(address))
    checks.equal("another browser's try breaks nothing", 200, redeem(app, arrived).status)


def mix_up(app, checks, peer):
    """OA-22: an answer that names another issuer."""
    for issuer in ("https://evil.example", peer.issuer + "/", ""):
        browser, page = at_provider(app)
        address = without_last_hop(browser, page, "ada").partition("&iss=")[0]
        came = browser.visit(f"{address}&iss={urllib.parse.quote(issuer, safe='')}")
        checks.that(f"an answer of the issuer {issuer!r} is refused", came.status and 400 <= came.status < 500, "4xx",
                    came)
    browser, page = at_provider(app)
    address = without_last_hop(browser, page, "ada").partition("&iss=")[0]
    arrived = back(browser, browser.visit(f"{address}&iss={urllib.parse.quote(peer.issuer, safe='')}"))
    checks.equal("an answer that names the right issuer is taken", 200, redeem(app, arrived).status)


def device(app, checks):
    """`app_challenge` and `app_verifier`."""
    verifier, challenge = verifier_and_challenge()
    other, _ = verifier_and_challenge()
    for name, query, body, status in (
        ("challenge and its verifier", {"app_challenge": challenge}, {"app_verifier": verifier}, 200),
        ("challenge, no verifier", {"app_challenge": challenge}, {}, 400),
        ("challenge, another verifier", {"app_challenge": challenge}, {"app_verifier": other}, 400),
        ("challenge as its own verifier (plain)", {"app_challenge": challenge}, {"app_verifier": challenge}, 400),
        ("challenge, a verifier of 42 characters", {"app_challenge": challenge}, {"app_verifier": verifier[:42]}, 400),
        ("no challenge, a verifier", {}, {"app_verifier": verifier}, 400),
        ("neither, null verifier", {}, {"app_verifier": None}, 200),
    ):
        arrived = arrive(app, "ada", **query)
        answer = redeem(app, arrived, **body)
        if status == 200:
            success(checks, name, answer, app["token"])
        else:
            refusal(checks, name, answer, app.contract, 400)
            refusal(checks, f"{name}: burned", redeem(app, arrived, app_verifier=verifier) if query else redeem(
                app, arrived), app.contract, 400)
    for bad in ("", "x", challenge[:-1], challenge + "x", verifier, "!" * 43):
        answer = app.wire.get(login(app, app_challenge=bad).removeprefix(app.wire.base))
        refusal(checks, f"login with app_challenge {bad[:10]!r} of {len(bad)}", answer, app.contract, 400)
        checks.equal("and no redirect", None, answer.header("location"))


def expired(app, checks, peer, person, seconds):
    """Sets the maximum duration of a sign-in in the browser for `app`, in seconds."""
    person("ada", email="ada@example.com")
    quick = redeem(app, arrive(app, "ada"))
    checks.equal("a quick person signs in", 200, quick.status)
    arrived = arrive(app, "ada")
    browser, page = at_provider(app)
    time.sleep(seconds + 0.7)
    refusal(checks, "code and state after their time", redeem(app, arrived), app.contract, 400)
    late = name_oneself(browser, page, "ada")
    checks.that("coming back after its time leads nowhere", late.status and 400 <= late.status < 500,
                "4xx, no redirect", late)
