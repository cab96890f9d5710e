"""Sign-in with Google, Apple and GitHub beside passwords: in the browser, and with an ID token of the device."""

import secrets

from apps import new_email
from user_agent import Browser
from expectations import refusal, success
from upstreams.flow import at_once, name_oneself, query_of, verifier_and_challenge

CALLBACK = "vici://oauth/callback"
BASE = "/api/auth"
ANSWER = "login"  # Every way of signing in has the answer of a sign-in.


def run(world, app, google, apple, github):
    checks = world.checks
    unknown(app, checks)
    with_google(app, checks, google)
    with_apple(app, checks, apple)
    with_github(app, checks, github)
    bound_to_the_browser(app, checks, google)
    bound_to_the_device(app, checks)
    refused(app, checks, google)
    beside_passwords(app, checks, google)
    nothing_secret(world, checks, google, apple, github)


def callback(app, provider):
    """Returns the redirect URI of one of several providers."""
    return f"{app.wire.base}{BASE}/providers/{provider}/callback"


def address(app, provider, **begun):
    answer = app.wire.post(f"{BASE}/social/{provider}", begun)
    if answer.status != 200:
        raise RuntimeError(f"no address: {answer}")
    return answer.json["oauthUrl"]


def to_provider(app, provider, **begun):
    browser = Browser()
    page = browser.visit(address(app, provider, **begun))
    if page.answer is None or page.status != 200:
        raise RuntimeError(f"not at the provider: {page}")
    return browser, page


def arrive(app, provider, sub, **begun):
    """Performs the sign-in from the app's button to its callback; returns the parameters to redeem."""
    browser, page = to_provider(app, provider, **begun)
    page = name_oneself(browser, page, sub)
    if page.status == 200 and page.forms:  # Apple's page, whose form is sent automatically.
        page = browser.submit(page, page.forms[0])
    if not page.url.startswith(CALLBACK):
        raise RuntimeError(f"the browser did not come back to the app: {page}")
    query = query_of(page.url)
    return {"authorizationCode": query["code"], "state": query["state"]}


def redeem(app, body):
    return app.wire.post(f"{BASE}/social-callback", body)


def signs_in(app, checks, name, provider, sub, /, **values):
    answer = redeem(app, arrive(app, provider, sub))
    if success(checks, name, answer, app[ANSWER], **values):
        checks.equal(f"{name}: me", (200, answer.json["user"]), (
            (me := app.call("me", bearer=answer.json["accessToken"])).status, me.json))
        checks.equal(f"{name}: refresh", 200, app.refresh(answer.json["refreshToken"]).status)
    return answer


def unknown(app, checks):
    for provider in ("facebook", "GOOGLE", "local", "google%20", "..%2fgoogle"):
        refusal(checks, f"social/{provider}", app.wire.post(f"{BASE}/social/{provider}", {}), app.contract, (400, 404))
        refusal(checks, f"social/{provider}/identity-token", app.wire.post(
            f"{BASE}/social/{provider}/identity-token", {"identityToken": "a.b.c", "nonce": "n" * 32}), app.contract,
            (400, 404))


def asked_for(checks, name, peer, path, callback):
    query = next(exchange.query for exchange in reversed(peer.exchanges)
                 if exchange.method == "GET" and exchange.path.endswith(path))
    checks.equal(f"{name} is sent our callback", callback, query.get("redirect_uri"))
    checks.that(f"{name} is sent a state of 128 bits", len(query.get("state", "")) >= 22, "22 characters", query)
    checks.equal(f"{name} is sent an S256 challenge", ("S256", 43), (
        query.get("code_challenge_method"), len(query.get("code_challenge", ""))))
    return query


def with_google(app, checks, google):
    google.people["1001"] = {"email": "Ada@Gmail.com", "email_verified": True, "name": "Ada Lovelace"}
    url = address(app, "google")
    checks.that("the address is one of ours, so that the browser is bound", url.startswith(
        f"{app.wire.base}{BASE}/start?id="), f"{app.wire.base}{BASE}/start?id=…", url)
    one = signs_in(app, checks, "Google", "google", "1001", email="Ada@Gmail.com", name="Ada Lovelace")
    query = asked_for(checks, "Google", google, "/authorize", callback(app, "google"))
    checks.that("Google is asked for openid", "openid" in query.get("scope", "").split(), "openid", query)
    checks.that("and sent a nonce", len(query.get("nonce", "")) >= 22, "22 characters", query)
    two = redeem(app, arrive(app, "google", "1001"))
    checks.equal("Google again is the same account", one.json["user"]["id"], two.json["user"]["id"])
    google.people["1002"] = {"email": "ada@gmail.com", "email_verified": True}
    other = redeem(app, arrive(app, "google", "1002"))
    checks.that("another subject with the same address is another account", other.status == 200
                and other.json["user"]["id"] != one.json["user"]["id"], "another id", other)


def with_apple(app, checks, apple):
    apple.people["001234.ab.5678"] = {"email": "x7@privaterelay.appleid.com", "email_verified": "true",
                                      "is_private_email": "true"}
    signs_in(app, checks, "Apple", "apple", "001234.ab.5678", email="x7@privaterelay.appleid.com")
    query = asked_for(checks, "Apple", apple, "/authorize", callback(app, "apple"))
    checks.equal("Apple is asked to post its answer", "form_post", query.get("response_mode"))
    posted = [url for url, answer in Browser.everything if url == callback(app, "apple")]
    checks.that("which the browser posted to our callback, from another site", posted, "a POST", len(posted))
    checks.that("Apple's client secret is a JWT of the developer's key, new enough", apple.secrets and all(
        apple.check(secret) for secret in apple.secrets[:3]), "a valid JWT", len(apple.secrets))
    apple.people["001234.no.mail"] = {}
    answer = redeem(app, arrive(app, "apple", "001234.no.mail"))
    checks.equal("Apple without an address signs in", 200, answer.status)
    # A form that belongs to no sign-in of this server.
    stranger = Browser()
    page = stranger.visit(f"{callback(app, 'apple')}?state={'x' * 43}&code=y")
    checks.that("an unknown state at our callback leads nowhere", page.status and 400 <= page.status < 500, "4xx", page)


def with_github(app, checks, github):
    github.people["octocat"] = ({"id": 583231, "login": "octocat", "name": "Mona", "email": None}, [
        {"email": "spare@example.com", "primary": False, "verified": True},
        {"email": "mona@example.com", "primary": True, "verified": True}])
    one = signs_in(app, checks, "GitHub", "github", "octocat", email="mona@example.com", name="Mona")
    asked_for(checks, "GitHub", github, "/login/oauth/authorize", callback(app, "github"))
    github.people["renamed"] = ({"id": 583231, "login": "renamed", "name": "Mona", "email": None}, [])
    two = redeem(app, arrive(app, "github", "renamed"))
    checks.equal("GitHub's number is who it is, not the login", one.json["user"]["id"], two.json["user"]["id"])
    github.people["taker"] = ({"id": 999, "login": "octocat", "name": None, "email": None}, [])
    other = redeem(app, arrive(app, "github", "taker"))
    checks.that("who takes over a login is somebody else", other.status == 200
                and other.json["user"]["id"] != one.json["user"]["id"], "another id", other)
    checks.that("GitHub without an address signs in, without one", other.status == 200
                and not other.json["user"].get("email"), "no email", other)
    github.people["unverified"] = ({"id": 1000, "login": "u", "name": None, "email": "u@example.com"}, [
        {"email": "u@example.com", "primary": True, "verified": False}])
    checks.equal("GitHub with an address nobody checked signs in", 200, redeem(
        app, arrive(app, "github", "unverified")).status)
    for name, user in (("no id", {"login": "x"}), ("an id that is text", {"id": "583231", "login": "x"}),
                       ("a fraction as id", {"id": 1.5, "login": "x"}), ("a list", [])):
        github.people["odd"] = (user, [])
        answer = redeem(app, arrive(app, "github", "odd"))
        refusal(checks, f"GitHub says {name}", answer, app.contract, (400, 401, 502, 503))


def bound_to_the_browser(app, checks, google):
    url = address(app, "google")
    browser = Browser()
    page = browser.visit(url)
    again = Browser().visit(url)
    checks.that("an address begins one browser", again.status and 400 <= again.status < 500, "4xx", again)
    stopped = Browser()
    stopped.jar, opens = browser.jar, stopped.opens
    stopped.opens = lambda url: opens(url) and callback(app, "google") not in url
    back = name_oneself(stopped, page, "1001").url
    query = query_of(back)
    for name, other in (("without a cookie", Browser()), ("of somebody else", to_provider(app, "google")[0])):
        came = other.visit(back)
        checks.that(f"the provider's answer in a browser {name} leads nowhere", came.status
                    and 400 <= came.status < 500, "4xx", came)
    refusal(checks, "code and state that did not come back in their browser", redeem(
        app, {"authorizationCode": query["code"], "state": query["state"]}), app.contract, 400)


def bound_to_the_device(app, checks):
    """OA-15: `appChallenge` and `appVerifier`."""
    verifier, challenge = verifier_and_challenge()
    other, _ = verifier_and_challenge()
    for name, begun, body, status in (
        ("challenge and its verifier", {"appChallenge": challenge}, {"appVerifier": verifier}, 200),
        ("challenge, no verifier", {"appChallenge": challenge}, {}, 400),
        ("challenge, another verifier", {"appChallenge": challenge}, {"appVerifier": other}, 400),
        ("challenge as its own verifier (plain)", {"appChallenge": challenge}, {"appVerifier": challenge}, 400),
        ("no challenge, a verifier", {}, {"appVerifier": verifier}, 400),
        ("null challenge, null verifier", {"appChallenge": None}, {"appVerifier": None}, 200),
    ):
        arrived = arrive(app, "google", "1001", **begun)
        answer = redeem(app, arrived | body)
        if status == 200:
            success(checks, name, answer, app[ANSWER])
        else:
            refusal(checks, name, answer, app.contract, 400)
            refusal(checks, f"{name}: burned", redeem(app, arrived | ({"appVerifier": verifier} if begun else {})),
                    app.contract, 400)
    for bad in ("", "x", challenge[:-1], challenge + "x", verifier, "!" * 43):
        refusal(checks, f"social with appChallenge {bad[:10]!r} of {len(bad)}", app.wire.post(
            f"{BASE}/social/google", {"appChallenge": bad}), app.contract, 400)


def refused(app, checks, google):
    body = arrive(app, "google", "1001")
    for name, changed in (("no state", {"authorizationCode": body["authorizationCode"]}),
                          ("another state", body | {"state": "x" * 43})):
        refusal(checks, f"social-callback with {name}", redeem(app, changed), app.contract, 400)
    first = redeem(app, body)
    checks.equal("none of that burned the right one", 200, first.status)
    refusal(checks, "social-callback a second time", redeem(app, body), app.contract, 400)
    refusal(checks, "which ends the session of the first", app.call("me", bearer=first.json["accessToken"]),
            app.contract, 401)
    body = arrive(app, "google", "1001")
    refusal(checks, "another code", redeem(app, body | {"authorizationCode": "x" * 43}), app.contract, 400)
    refusal(checks, "burns the state", redeem(app, body), app.contract, 400)
    # A sign-in that began at one provider is not completed with another's code (mix-up).
    one, other = arrive(app, "google", "1001"), arrive(app, "github", "octocat")
    refusal(checks, "the code of another provider", redeem(app, one | {
        "authorizationCode": other["authorizationCode"]}), app.contract, 400)
    bodies = [arrive(app, "google", "1001") for _ in range(2)]
    statuses = sorted(answer.status for answer in at_once(10, lambda _: redeem(app, bodies[0])))
    checks.that("10 at once with one code and state", statuses.count(200) <= 1 and set(statuses) <= {200, 400},
                "one 200", statuses)
    sub = secrets.token_hex(8)
    google.people[sub] = {"email": new_email()}
    bodies = [arrive(app, "google", sub) for _ in range(10)]
    answers = at_once(10, lambda number: redeem(app, bodies[number]))
    checks.equal("10 first sign-ins of one person at once", ([200] * 10, 1), (
        [answer.status for answer in answers], len({answer.json["user"]["id"] for answer in answers
                                                    if answer.status == 200})))


def beside_passwords(app, checks, google):
    """OA-25, OA-29: an email is a label."""
    person = app.register()
    email = person.credentials["email"]
    google.people["2001"] = {"email": email, "email_verified": True}
    social = redeem(app, arrive(app, "google", "2001"))
    checks.that("the address of a local account at Google is an account of its own", social.status == 200
                and social.json["user"]["id"] != person.user["id"], "another id", social)
    checks.that("the local session lives on", app.accepts(person.access))
    checks.equal("the local password signs in to the local account", person.user["id"], app.call(
        "login", person.credentials).json.get("user", {}).get("id"))
    google.people["2002"] = {"email": new_email(), "email_verified": True}
    first = redeem(app, arrive(app, "google", "2002")).json["user"]
    late = app.call("register", app.newcomer(email=google.people["2002"]["email"]))
    checks.that("who registers an address later gets an account of its own", late.status == 201
                and late.json["user"]["id"] != first["id"], "201, another id", late)
    checks.equal("and Google's goes on", first["id"], redeem(app, arrive(app, "google", "2002")).json["user"]["id"])


def nothing_secret(world, checks, google, apple, github):
    hidden = {"Google's client secret": {google.client.secret}, "GitHub's client secret": {github.client_secret},
              "GitHub's token": set(github.tokens), "Apple's client secret": set(apple.secrets),
              "Apple's key": {apple.pem.splitlines()[1]}}
    redeemed = [exchange for exchange in google.requests("/token") if exchange.status == 200]
    hidden["Google's ID token"] = {exchange.json["id_token"] for exchange in redeemed}
    hidden["a verifier"] = {exchange.form["code_verifier"] for exchange in redeemed}
    seen = b"\n".join([world.traffic(), world.server.log.read_bytes(), world.stored()])
    for what, values in hidden.items():
        checks.that(f"there is {what} to look for", values)
        checks.that(f"no trace of {what}", not any(value.encode() in seen for value in values), "none")


