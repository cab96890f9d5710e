"""viewvault: username or email and password, beside Auth0's social sign-in."""

import urllib.parse

from apps import new_email, new_password
from user_agent import Browser
from expectations import refusal, success
from tokens import parts
from upstreams.flow import query_of
from walks.vici import same_refusal

CALLBACK = "viewvault://oauth/callback"


def run(walk):
    app, checks = walk.apps["viewvault"], walk.checks
    accounts(app, checks)
    social(walk, app, checks)
    sign_out(app, checks)


def accounts(app, checks):
    body = app.newcomer(full_name="Katherine Johnson")
    typed = f" K.{body['email'].upper()} "
    body["email"] = typed
    registered = app.call("register", body)
    shown = {"username": body["username"], "email": typed.strip(), "full_name": "Katherine Johnson",
             "auth_provider": "local", "is_admin": False}
    success(checks, "register", registered, app["register"], **shown)
    user = registered.json["user"]
    for name, form in (("username", body["username"]), ("email", typed.strip()), ("email in lower case", typed.lower()),
                       ("username, untrimmed", f" {body['username']} ")):
        success(checks, f"login with the {name}", app.call("login", {"username": form, "password": body["password"]}),
                app["login"], **user)
    for name, taken in (("username", {"email": new_email()}),
                        ("email", {"username": f"u{new_email()}", "email": typed.lower()})):
        answer = app.call("register", body | taken)
        refusal(checks, f"register with a taken {name}", answer, app.contract, 409)
        checks.equal(f"a taken {name} is told in the original's words", "User already exists",
                     answer.json.get("detail"))
    same_refusal(app, checks, {"username": body["username"], "password": new_password()},
                 {"username": f"u{new_email()}", "password": new_password()})
    same_refusal(app, checks, {"username": typed.strip(), "password": new_password()},
                 {"username": new_email(), "password": new_password()})
    for name, more in (("absent", {}), ("null", {"full_name": None})):
        success(checks, f"register, full_name {name}", app.call("register", app.newcomer() | more), app["register"])
    username = new_email()
    success(checks, "register with an email address as username", app.call("register", {
        "username": username, "email": username, "password": new_password()}), app["register"],
        username=username, email=username)

    access = registered.json["access_token"]
    success(checks, "me", app.call("me", bearer=access), app["me"], **user)
    claims = parts(access)[1]
    checks.equal("the token's claims of a local user", (body["username"], "local", 3600),
                 (claims.get("sub"), claims.get("auth_provider"), claims["exp"] - claims["iat"]))
    first_wins(app, checks)


def first_wins(app, checks):
    """Sign-in tries the username first, then the email."""
    one = app.newcomer()
    other = app.newcomer() | {"username": one["email"]}
    if app.call("register", one).status == 201 and app.call("register", other).status == 201:
        success(checks, "a username wins over another's email", app.call("login", {
            "username": one["email"], "password": other["password"]}), app["login"], username=one["email"])
        success(checks, "the other signs in by username", app.call("login", {
            "username": one["username"], "password": one["password"]}), app["login"], username=one["username"])


def without_provider(walk, app, checks):
    """Without Auth0, the social endpoints are refused in the contract's format."""
    for operation in ("config", "google", "github"):
        answer = app.call(operation)
        refusal(checks, f"{operation} without Auth0", answer, app.contract, 503)
        checks.equal(f"{operation} without Auth0, in the original's words", "Authentication not available",
                     answer.json.get("detail"))
    walk.skipped("viewvault's social sign-in: the server has no provider for it")


def other_providers(app, checks):
    for provider in ("facebook", "twitter", "GOOGLE", "goog", "google/", "google%2f", "..", "%00"):
        refusal(checks, f"oauth/{provider}", app.wire.post(f"/api/auth/auth0/oauth/{provider}", {}), app.contract,
                (400, 404) if provider == "%00" else 404)


def social(walk, app, checks):
    other_providers(app, checks)
    settings = app.call("config")
    if settings.status == 503 and not walk.server:
        return without_provider(walk, app, checks)
    success(checks, "auth0/config", settings, app["config"])
    states = set()
    for operation, connection in (("google", "google-oauth2"), ("github", "github")) * 2:
        answer = app.call(operation)
        if not success(checks, f"oauth/{operation}", answer, app[operation]):
            continue
        url = urllib.parse.urlsplit(answer.json["oauth_url"])
        query = dict(urllib.parse.parse_qsl(url.query))
        checks.that("oauth_url is the domain's /authorize", url.path.endswith("/authorize")
                    and settings.json["domain"].split("://")[-1].split("/")[0] == url.netloc,
                    f"https://{settings.json['domain']}/authorize?…", answer)
        wanted = {"client_id": settings.json["client_id"], "redirect_uri": CALLBACK,
                  "connection": connection, "response_type": "code", "code_challenge_method": "S256"}
        checks.equal("oauth_url's parameters", wanted, {key: query.get(key) for key in wanted})
        checks.that("state is at least 128 bits", len(query.get("state", "")) >= 22, "22 characters", query)
        checks.that("nothing secret is in oauth_url", not {"client_secret", "code_verifier"} & query.keys())
        states.add(query.get("state"))
    checks.equal("each state is new", 4, len(states))
    success(checks, "oauth/google with an empty object", app.call("google", {}), app["google"])
    state = states.pop()
    for name, body in (("an unknown code", {"code": "x" * 43, "state": state}), ("its burned state", {
            "code": "x" * 43, "state": state}), ("an unknown state", {"code": "x" * 43, "state": "y" * 43}),
            ("no state", {"code": "x" * 43}), ("a null state", {"code": "x" * 43, "state": None})):
        refusal(checks, f"callback with {name}", app.call("callback", body), app.contract, (400, 401))
    if f"{walk.wire.base}/idp/authorize" in app.call("google").json["oauth_url"]:
        stand_in(app, checks)
    else:
        walk.skipped("viewvault's social sign-in to its end: the server has a provider that this does not know")


def stand_in(app, checks):
    """In development the built-in provider simulates Auth0: it accepts a name and an address without proof."""
    email = new_email()
    for provider in ("google", "github"):
        browser = Browser()
        page = browser.visit(app.call(provider).json["oauth_url"])
        page = browser.submit(page, page.form("email"), {"email": email, "full_name": "Ada Lovelace"})
        if not checks.that(f"{provider}: the stand-in comes back to the app", page.url.startswith(CALLBACK), CALLBACK,
                           page):
            continue
        body = {key: query_of(page.url)[key] for key in ("code", "state")}
        answer = app.call("callback", body)
        success(checks, f"{provider}: callback", answer, app["callback"], email=email, full_name="Ada Lovelace",
                auth_provider="auth0", is_admin=False)
        claims = parts(answer.json["access_token"])[1]
        checks.equal(f"{provider}: the token's claims", (True, email, "Ada Lovelace", "auth0", 3600), (
            claims["sub"].startswith("auth0|"), claims.get("email"), claims.get("name"), claims.get("auth_provider"),
            claims["exp"] - claims["iat"]))
        me = app.call("me", bearer=answer.json["access_token"])
        checks.equal(f"{provider}: me", (200, answer.json["user"]), (me.status, me.json))
        refusal(checks, f"{provider}: code and state a second time", app.call("callback", body), app.contract, 400)


def sign_out(app, checks):
    person = app.register()
    other = app.sign_in(person)
    success(checks, "logout", app.call("logout", bearer=person.access), app["logout"])
    checks.that("the token is dead at once", not app.accepts(person.access), "refused", "accepted")
    checks.that("another session lives on", app.accepts(other.access), "accepted", "refused")
    for name, token in (("again", person.access), ("with an unknown token", "x" * 43)):
        success(checks, f"logout {name}", app.call("logout", bearer=token), app["logout"])
    success(checks, "logout with an empty object", app.call("logout", {}, bearer=other.access), app["logout"])
