"""viewvault's social sign-in at an Auth0 made of Authlib's server parts, beside local accounts."""

import base64
import secrets

from apps import App, new_email, new_password
from user_agent import Browser
from expectations import refusal, success
from peers.forging import forging, lies, signed
from server import app as entry
from server import serving
from tokens import parts
from upstreams.flow import at_once, name_oneself, query_of

CALLBACK = "viewvault://oauth/callback"


def run(world, app, peer):
    checks = world.checks
    public_settings(app, checks, peer)
    whole(app, checks, peer)
    first_sign_ins(app, checks, peer)
    beside_local(app, checks, peer)
    refused(app, checks, peer)
    bad_tokens(app, checks, peer)
    nothing_secret(world, app, checks, peer)


def arrive(app, sub, provider="google"):
    """Performs the sign-in from the app's button to its callback; returns code and state."""
    url = app.call(provider).json["oauth_url"]
    browser = Browser()
    page = name_oneself(browser, browser.visit(url), sub)
    if not page.url.startswith(CALLBACK):
        raise RuntimeError(f"the browser did not come back to the app: {page}")
    query = query_of(page.url)
    return {"code": query["code"], "state": query["state"]}


def public_settings(app, checks, peer):
    answer = app.call("config")
    success(checks, "auth0/config", answer, app["config"])
    checks.equal("it shows public values alone", (peer.client.id, "https://api.example.com"),
                 (answer.json.get("client_id"), answer.json.get("audience")))
    checks.that("the domain is the peer's", f"127.0.0.1:{peer.port}" in answer.json.get("domain", ""), peer.base,
                answer)
    seen = set()
    for provider, connection in (("google", "google-oauth2"), ("github", "github")) * 2:
        url = app.call(provider).json["oauth_url"]
        query = query_of(url)
        wanted = {"client_id": peer.client.id, "redirect_uri": CALLBACK, "connection": connection,
                  "response_type": "code", "code_challenge_method": "S256"}
        checks.equal(f"oauth/{provider}", wanted, {key: query.get(key) for key in wanted})
        checks.that(f"oauth/{provider} is at the domain", url.startswith(f"{peer.base}/authorize?"), peer.base, url)
        checks.that("state and nonce are 128 bits", all(len(query.get(key, "")) >= 22 for key in ("state", "nonce")))
        checks.that("nothing secret is in the address", not {"client_secret", "code_verifier"} & query.keys())
        seen |= {query.get("state"), query.get("nonce")}
    checks.equal("each state and nonce is new", 8, len(seen))
    for provider in ("facebook", "twitter", "auth0", "GOOGLE", ""):
        refusal(checks, f"oauth/{provider}", app.wire.post(f"/api/auth/auth0/oauth/{provider}", {}), app.contract, 404)


def whole(app, checks, peer):
    for sub, provider, claims, username, token_sub in (
        ("google-oauth2|1234", "google", {"email": "G@Example.com", "name": "Gina", "email_verified": True},
         "G@Example.com", "auth0|google-oauth2|1234"),
        ("auth0|abc", "github", {"email": "db@example.com", "name": "Dora"}, "auth0|abc", "auth0|abc"),
        ("github|77", "github", {}, "auth0|github|77", "auth0|github|77"),
    ):
        peer.people[sub] = claims
        answer = app.call("callback", arrive(app, sub, provider))
        shape = app["callback"] if claims else None
        if shape:
            success(checks, f"callback of {sub}", answer, shape, username=username, email=claims["email"],
                    full_name=claims["name"], auth_provider="auth0", is_admin=False)
        checks.equal(f"callback of {sub}", 200, answer.status)
        user = answer.json["user"]
        checks.equal(f"provider of {sub}", "auth0", user["auth_provider"])
        if not claims:
            checks.that(f"the username of {sub} is its subject", user["username"] in (sub, token_sub), sub, user)
            checks.equal(f"the email of {sub}", None, user.get("email"))
        said = parts(answer.json["access_token"])[1]
        wanted = {"sub": token_sub, "auth_provider": "auth0"}
        wanted |= {"email": claims["email"], "name": claims["name"]} if claims else {}
        checks.equal(f"claims of {sub}", wanted, {key: said.get(key) for key in wanted})
        checks.equal(f"lifetime of {sub}", 3600, said["exp"] - said["iat"])
        me = app.call("me", bearer=answer.json["access_token"])
        checks.equal(f"me of {sub}", (200, user), (me.status, me.json))
        again = app.call("callback", arrive(app, sub, provider))
        checks.equal(f"{sub} again is the same account", user, again.json.get("user"))
        success(checks, f"logout of {sub}", app.call("logout", bearer=answer.json["access_token"]), app["logout"])
        refusal(checks, f"me of {sub} after logout", app.call("me", bearer=answer.json["access_token"]), app.contract,
                401)


def first_sign_ins(app, checks, peer):
    sub = f"google-oauth2|{secrets.token_hex(6)}"
    peer.people[sub] = {"email": new_email(), "name": "Many Times"}
    bodies = [arrive(app, sub) for _ in range(20)]
    answers = at_once(20, lambda number: app.call("callback", bodies[number]))
    checks.equal("20 first sign-ins of one person at once all succeed", [200] * 20, [
        getattr(answer, "status", answer) for answer in answers])
    ids = {answer.json["user"]["id"] for answer in answers if getattr(answer, "status", 0) == 200}
    checks.equal("and make one account", 1, len(ids))
    checks.that("all of them are signed in", all(app.accepts(answer.json["access_token"]) for answer in answers))


def beside_local(app, checks, peer):
    local = app.newcomer()
    local["username"] = local["email"]
    registered = app.call("register", local)
    success(checks, "a local account", registered, app["register"], auth_provider="local")
    sub = f"google-oauth2|{secrets.token_hex(6)}"
    peer.people[sub] = {"email": local["email"], "name": "Same Address", "email_verified": True}
    social = app.call("callback", arrive(app, sub))
    checks.equal("the same address at Auth0 signs in", 200, social.status)
    user = social.json["user"]
    checks.that("as an account of its own", user["id"] != registered.json["user"]["id"], "another id", user)
    checks.that("whose username is the subject, for the address is taken", sub in user["username"], sub, user)
    again = app.call("login", {"username": local["username"], "password": local["password"]})
    success(checks, "the local account signs in as before", again, app["login"], **registered.json["user"])
    claims = parts(again.json["access_token"])[1]
    checks.equal("claims of the local user", (local["username"], "local"), (claims["sub"], claims["auth_provider"]))
    refusal(checks, "the social account has no password", app.call("login", {
        "username": user["username"], "password": new_password()}), app.contract, 401)
    email = new_email()
    peer.people["github|first"] = {"email": email, "name": "First"}
    first = app.call("callback", arrive(app, "github|first", "github")).json["user"]
    late = app.call("register", app.newcomer() | {"email": email})
    checks.that("the address of a social account does not keep a local one away", late.status == 201
                and late.json["user"]["id"] != first["id"], "201, another id", late)
    # No user can register a subject's name in advance.
    for name in ("auth0|google-oauth2|999", "auth0|x"):
        refusal(checks, f"register with the username {name}", app.call(
            "register", app.newcomer() | {"username": name}), app.contract, (400, 409))


def refused(app, checks, peer):
    sub = "google-oauth2|1234"
    body = arrive(app, sub)
    for name, changed in (("no state", {"code": body["code"]}), ("a null state", body | {"state": None}),
                          ("another state", body | {"state": "x" * 43}), ("an empty state", body | {"state": ""})):
        refusal(checks, f"callback with {name}", app.call("callback", changed), app.contract, 400)
    answer = app.call("callback", body)
    checks.equal("none of that burned the right one", 200, answer.status)
    for code in ("x" * 43, body["code"] + "x"):
        refusal(checks, "PT-18: the state again with a made-up code", app.call("callback", body | {"code": code}),
                app.contract, 400)
    checks.equal("PT-18: ends no session", 200, app.call("me", bearer=answer.json["access_token"]).status)
    refusal(checks, "code and state a second time", app.call("callback", body), app.contract, 400)
    refusal(checks, "which ends the session of the first", app.call("me", bearer=answer.json["access_token"]),
            app.contract, 401)
    body = arrive(app, sub)
    refusal(checks, "a wrong code", app.call("callback", body | {"code": "x" * 43}), app.contract, (400, 401))
    refusal(checks, "burns its state", app.call("callback", body), app.contract, 400)
    one, other = arrive(app, sub), arrive(app, sub)
    refusal(checks, "the code of another sign-in (PKCE)", app.call("callback", one | {"code": other["code"]}),
            app.contract, (400, 401))
    body = arrive(app, sub)
    statuses = sorted(answer.status for answer in at_once(20, lambda _: app.call("callback", body)))
    checks.that("20 at once with one code and state", statuses.count(200) <= 1 and set(statuses) <= {200, 400},
                "one 200, nineteen 400", statuses)


def bad_tokens(app, checks, peer):
    forging(peer, lambda claims: signed(peer, claims))
    checks.equal("an ID token that is only signed again is taken", 200, app.call(
        "callback", arrive(app, "auth0|abc")).status)
    for name, lie in lies(peer).items():
        body = arrive(app, "auth0|abc")
        forging(peer, lie)
        answer = app.call("callback", body)
        peer.rewrite = {}
        # An answer without an ID token is not a token of Auth0.
        statuses = 401 if name not in ("an empty text",) else (400, 401, 502, 503)
        refusal(checks, f"ID token: {name}", answer, app.contract, statuses)
        if answer.status == 401:
            checks.equal(f"ID token: {name}, in the original's words", "Invalid Auth0 token", answer.json.get("detail"))


def nothing_secret(world, app, checks, peer):
    redeemed = [exchange for exchange in peer.requests("/oauth/token") if exchange.status == 200]
    hidden = {"client_secret": {peer.client.secret}, "code_verifier": {
        exchange.form["code_verifier"] for exchange in redeemed}}
    for key in ("access_token", "id_token"):
        hidden[f"Auth0's {key}"] = {exchange.json[key] for exchange in redeemed if exchange.json.get(key)}
    seen = b"\n".join([world.traffic(), world.server.log.read_bytes(), world.stored()])
    for what, values in hidden.items():
        checks.that(f"there is a {what} to look for", values)
        checks.that(f"no {what} in an answer, the log or the data directory", not any(
            value.encode() in seen for value in values if len(value) > 8), "none")


def in_production(program, checks):
    """In production without Auth0, the social endpoints are refused in the contract's format."""
    configuration = {
        "mode": "production", "encryption_key": base64.b64encode(secrets.token_bytes(32)).decode(),
        "email": {"kind": "smtp", "url": "smtps://user:password@127.0.0.1:9", "from": "no-reply@example.com"},
        "apps": {"viewvault": entry("viewvault", identity={"kind": "local"})}}
    with serving(program, configuration, checks) as server:
        app = App(server.wire, server.inbox, "viewvault")
        for operation in ("config", "google", "github", "callback"):
            answer = app.call(operation, app[operation].sample or None)
            refusal(checks, f"{operation} without Auth0", answer, app.contract, 503)
            checks.equal(f"{operation} without Auth0, in the original's words", "Authentication not available",
                         answer.json.get("detail"))
        refusal(checks, "another provider without Auth0", app.wire.post("/api/auth/auth0/oauth/facebook", {}),
                app.contract, (404, 503))
        checks.equal("the built-in provider is not there by itself", 404, server.wire.get(
            "/idp/.well-known/openid-configuration").status)
        person = app.register()
        checks.equal("local accounts work all the same", 200, app.call("me", bearer=person.access).status)
