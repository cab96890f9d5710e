"""The provider's refusals, and how they are reported: never at a redirect URI that is not registered."""

import base64
import urllib.parse

from upstreams.builtin.provider import CALLBACK, SITE
from upstreams.flow import at_once
from user_agent import Browser
from wire import FORM


def run(provider):
    for work in (redirects, requests, codes, proofs, token_endpoint):
        work(provider)


def redirects(provider):
    """An unregistered redirect URI is never redirected to, whatever other problem the request has."""
    browser = Browser()
    for uri in ("https://evil.example/", CALLBACK + "/", CALLBACK + "?x=1", CALLBACK + "#x", CALLBACK.upper(),
                f"{SITE}/callback/../evil", "http://127.0.0.1:9@evil.example/callback", "javascript:alert(1)",
                "data:text/html,x", "//evil.example", "/callback", "", None, f"{CALLBACK}\r\nX: y",
                "http://127.0.0.1:10/callback", "http://localhost:9/callback"):
        for more in ({}, {"prompt": "none"}, {"response_type": "token"}, {"scope": "nonsense"}):
            answer = browser.send("GET", provider.address(redirect_uri=uri, **more))
            provider.checks.that(f"redirect_uri {uri!r} {more or ''}: 400, no redirect", answer.status == 400
                             and answer.header("location") is None, "400, no Location", answer)
    answer = browser.send("GET", provider.address() + f"&redirect_uri={urllib.parse.quote(CALLBACK)}")
    provider.checks.that("redirect_uri twice: no redirect", answer.status == 400 and not answer.header("location"),
                     400, answer)
    for client in ("nobody", "", None, "web\0", "WEB"):
        answer = browser.send("GET", provider.address(client_id=client))
        provider.checks.that(f"client {client!r}: 400, no redirect", answer.status == 400
                         and not answer.header("location"), 400, answer)
    device = provider.begun("device", redirect_uri="http://127.0.0.1:45678/callback")
    page = provider.sign_in(Browser(stops_at=["http://127.0.0.1:45678"]), device[1])
    provider.checks.that("a loopback redirect may have any port", page.url.startswith(
        "http://127.0.0.1:45678/callback?code="), "a code there", page)


def requests(provider):
    """Every other problem is reported to the client."""
    browser = Browser(stops_at=[SITE])
    for name, changes, error in (
        ("response_type token", {"response_type": "token"}, "unsupported_response_type"),
        ("response_type code id_token", {"response_type": "code id_token"}, "unsupported_response_type"),
        ("no response_type", {"response_type": None}, "invalid_request"),
        ("a request object", {"request": "a.b.c"}, "request_not_supported"),
        ("a request_uri", {"request_uri": "https://evil.example/r"}, "request_uri_not_supported"),
        ("challenge plain", {"code_challenge_method": "plain"}, "invalid_request"),
        ("a short challenge", {"code_challenge": "x"}, "invalid_request"),
        ("prompt none and login", {"prompt": "none login"}, "invalid_request"),
    ):
        page = browser.visit(provider.address(**changes))
        provider.checks.equal(f"{name}: told to the client", (error, "s" * 20, True), (
            page.query.get("error"), page.query.get("state"), page.url.startswith(CALLBACK + "?")))
    page = browser.visit(provider.address(client_id="device", redirect_uri="com.example.device:/callback",
                                      code_challenge=None, code_challenge_method=None))
    provider.checks.equal("a public client without a challenge", "invalid_request", page.query.get("error"))


def codes(provider):
    _, grant = provider.code(scope="openid offline_access")
    first = provider.post("/oauth/token", grant, "own")
    provider.checks.equal("a code is redeemed", 200, first.status)
    token = first.json
    provider.refused("a second time", provider.post("/oauth/token", grant, "own"), "invalid_grant")
    userinfo = provider.wire.get("/userinfo", bearer=token["access_token"])
    provider.checks.equal("which kills the access token of the first", 401, userinfo.status)
    provider.refused("and the refresh token", provider.post("/oauth/token", {
        "grant_type": "refresh_token", "refresh_token": token.get("refresh_token", "")}, "own"), "invalid_grant")
    _, grant = provider.code()
    statuses = sorted(answer.status for answer in at_once(20, lambda _: provider.post("/oauth/token", grant, "own")))
    provider.checks.that("20 at once with one code: at most one", statuses.count(200) <= 1
                     and set(statuses) <= {200, 400}, "one 200, nineteen 400", statuses)
    for name, change, client in (
        ("another redirect_uri", {"redirect_uri": f"{SITE}/other"}, "own"),
        ("another verifier", {"code_verifier": "x" * 43}, "own"), ("no verifier", {"code_verifier": None}, "own"),
        ("the challenge as verifier", {"code_verifier": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"}, "own"),
        ("another client", {}, "web"),
    ):
        _, grant = provider.code()
        changed = {key: value for key, value in (grant | change).items() if value is not None}
        provider.refused(f"a code with {name}", provider.post("/oauth/token", changed, client), "invalid_grant")
        provider.refused(f"a code with {name} is burned", provider.post("/oauth/token", grant, "own"), "invalid_grant")
    provider.refused("a code of nobody", provider.post("/oauth/token", grant | {"code": "x" * 43}, "own"),
                     "invalid_grant")


def proofs(provider):
    _, grant = provider.code()
    secret = provider.clients["own"]["secret"]
    for name, client, form in (
        ("no client", None, {}), ("a wrong secret", "own:wrong", {}), ("an unknown client", "nobody:secret", {}),
        ("an empty secret", "own:", {}), ("client_id alone", None, {"client_id": "own"}),
        ("a wrong secret in the form", None, {"client_id": "own", "client_secret": "wrong"}),
    ):
        answer = provider.post("/oauth/token", grant | form, client)
        provider.refused(f"token with {name}", answer, "invalid_client", 401)
        provider.checks.that(f"token with {name} asks for nothing by Basic", "basic" not in (
            answer.header("www-authenticate") or "").lower(), "no Basic", answer.headers)
    answer = provider.post("/oauth/token", grant | {"client_id": "own", "client_secret": secret}, "own")
    provider.checks.that("two proofs at once are refused", answer.status in (400, 401), "400 or 401", answer)
    provider.checks.equal("none of that burned the code", 200, provider.post("/oauth/token", grant, "own").status)


def token_endpoint(provider):
    for name, form, error in (("no grant_type", {}, "invalid_request"),
                              ("password", {"grant_type": "password", "username": "a", "password": "b"},
                               "unsupported_grant_type"),
                              ("client_credentials", {"grant_type": "client_credentials"}, "unsupported_grant_type"),
                              ("no code", {"grant_type": "authorization_code"}, "invalid_request")):
        provider.refused(f"token with {name}", provider.post("/oauth/token", form, "own"), error)
    twice = provider.wire.post("/oauth/token", body=b"grant_type=refresh_token&refresh_token=a&refresh_token=b",
                           content_type=FORM, headers=[("Authorization", "Basic " + base64.b64encode(
                               f"own:{provider.clients['own']['secret']}".encode()).decode())])
    provider.refused("a parameter twice", twice, "invalid_request")
    answer = provider.wire.post("/oauth/token", {"grant_type": "authorization_code"})
    provider.checks.equal("JSON is no form", 400, answer.status)
    for method, path in (("GET", "/oauth/token"), ("PUT", "/userinfo"), ("DELETE", "/authorize")):
        answer = provider.wire.send(method, path)
        provider.checks.that(f"{method} {path} is 405 with Allow", answer.status == 405 and answer.header("allow"), 405,
                         answer)
    for name, bearer in (("no token", None), ("nonsense", "x" * 43), ("an app's token", provider.world.apps[
            "social"].register().access)):
        answer = provider.wire.get("/userinfo", bearer=bearer)
        provider.checks.that(f"userinfo with {name}", answer.status == 401 and (answer.header(
            "www-authenticate") or "").startswith("Bearer"), "401, Bearer", answer)
    session, token, _ = provider.tokens()
    provider.checks.equal("an ID token opens nothing", 401, provider.wire.get(
        "/userinfo", bearer=token["id_token"]).status)
    provider.checks.equal("nor does a token in the query", 401, provider.wire.get(
        f"/userinfo?access_token={token['access_token']}").status)
    provider.checks.equal("the provider's token opens no app", 401, provider.world.apps["social"].call(
        "me", bearer=token["access_token"]).status)
