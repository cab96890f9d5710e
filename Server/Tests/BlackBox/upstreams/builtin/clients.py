"""The whole code flow, as Authlib and idpyoidc perform it."""

import contextlib
import logging
import tempfile

from authlib.oidc.core import CodeIDToken
from idpyoidc.client.rp_handler import RPHandler
from joserfc import jwt

from upstreams.builtin.provider import CALLBACK, SITE
from upstreams.flow import query_of
from user_agent import Browser

logging.getLogger("idpyoidc").setLevel(logging.CRITICAL)


def run(provider):
    with_authlib(provider)
    # idpyoidc writes keys of its own into the current directory.
    with tempfile.TemporaryDirectory() as directory, contextlib.chdir(directory):
        with_idpyoidc(provider)
    without_consent(provider)
    confirmation(provider)


def with_authlib(provider):
    browser = Browser(stops_at=[SITE])
    session, url, state, verifier, nonce = provider.begun("web", "openid profile email offline_access")
    page = provider.sign_in(browser, url)
    provider.checks.that("a client of another house is named, and has to be allowed", page.status == 200
                     and "Example Web" in page.text, "a page with Example Web", page)
    denied = provider.agree(browser, page, "deny")
    provider.checks.equal("declined: error and state at the client", ("access_denied", state), (
        denied.query.get("error"), denied.query.get("state")))
    page = provider.agree(browser, browser.visit(url))
    provider.checks.equal("allowed: state and issuer at the client", (state, provider.base), (
        page.query.get("state"), page.query.get("iss")))
    token = session.fetch_token(provider.document["token_endpoint"], authorization_response=page.url,
                                code_verifier=verifier, state=state)
    provider.checks.equal("Bearer, an hour", ("Bearer", 3600), (token["token_type"], token["expires_in"]))
    decoded = jwt.decode(token["id_token"], provider.keys, algorithms=["RS256"])
    claims = CodeIDToken(decoded.claims, decoded.header, {
        "iss": {"essential": True, "value": provider.base}, "aud": {"essential": True, "value": "web"},
        "nonce": {"essential": True, "value": nonce}}, {"access_token": token["access_token"], "nonce": nonce,
                                                        "client_id": "web"})
    claims.validate(leeway=5)  # Throws; checks at_hash and nonce too.
    provider.checks.equal("the ID token's labels", (provider.person["email"], provider.person["name"]), (
        claims.get("email"), claims.get("name")))
    provider.checks.equal("nobody has checked the address", False, claims.get("email_verified"))
    info = session.get(provider.document["userinfo_endpoint"]).json()
    provider.checks.equal("userinfo is about the same person", {"sub": claims["sub"], "email": provider.person["email"],
                                                            "name": provider.person["name"]},
                      {key: info.get(key) for key in ("sub", "email", "name")})
    introspection(provider, session, token, claims["sub"])
    fresh = session.refresh_token(provider.document["token_endpoint"], refresh_token=token["refresh_token"])
    provider.checks.that("refresh gives another access and refresh token", fresh["access_token"]
                     and fresh["refresh_token"] != token["refresh_token"], "others")
    provider.checks.equal("with which userinfo answers", 200, session.get(
        provider.document["userinfo_endpoint"]).status_code)
    revocation(provider, session, fresh)


def introspection(provider, session, token, sub):
    for kind in ("access_token", "refresh_token"):
        body = provider.post("/oauth/introspect", {"token": token[kind]}, "web").json
        provider.checks.equal(f"introspection of the {kind}", (True, "web", sub), (
            body.get("active"), body.get("client_id"), body.get("sub")))
        other = provider.post("/oauth/introspect", {"token": token[kind]}, "own").json
        provider.checks.equal(f"of the {kind} by another client", {"active": False}, other)
    provider.checks.equal("of nonsense", {"active": False}, provider.post(
        "/oauth/introspect", {"token": "x" * 43}, "web").json)
    provider.checks.equal("without a client", 401, provider.post("/oauth/introspect", {"token": "x"}, None).status)


def revocation(provider, session, token):
    provider.checks.equal("another client's revocation says yes", 200, provider.post(
        "/oauth/revoke", {"token": token["refresh_token"]}, "own").status)
    provider.checks.equal("and does nothing", True, provider.post(
        "/oauth/introspect", {"token": token["access_token"]}, "web").json.get("active"))
    answer = session.revoke_token(provider.document["revocation_endpoint"], token=token["refresh_token"],
                                  token_type_hint="refresh_token")
    provider.checks.equal("revocation", 200, answer.status_code)
    provider.checks.equal("ends the access token too", 401, session.get(
        provider.document["userinfo_endpoint"]).status_code)
    provider.refused("refresh after revocation", provider.post("/oauth/token", {
        "grant_type": "refresh_token", "refresh_token": token["refresh_token"]}, "web"), "invalid_grant")
    provider.checks.equal("revocation of nonsense says yes", 200, provider.post(
        "/oauth/revoke", {"token": "x" * 43}, "web").status)


def with_idpyoidc(provider):
    secret = provider.clients["web"]["secret"]
    handler = RPHandler(base_url=SITE, client_configs={"idp": {
        "issuer": provider.base, "client_id": "web", "client_secret": secret, "redirect_uris": [CALLBACK],
        "client_type": "oidc", "application_type": "web", "response_types_supported": ["code"],
        "scopes_supported": ["openid", "profile", "email", "offline_access"],
        "token_endpoint_auth_methods_supported": ["client_secret_basic"],
        "client_authn_methods": ["client_secret_basic", "bearer_header"],
        "add_ons": {"pkce": {"function": "idpyoidc.client.oauth2.add_on.pkce.add_support",
                             "kwargs": {"code_challenge_length": 64, "code_challenge_method": "S256"}}},
        "services": {name: {"class": f"idpyoidc.client.oidc.{where}"} for name, where in (
            ("discovery", "provider_info_discovery.ProviderInfoDiscovery"),
            ("authorization", "authorization.Authorization"), ("accesstoken", "access_token.AccessToken"),
            ("userinfo", "userinfo.UserInfo"), ("refresh", "refresh_access_token.RefreshAccessToken"))}}})
    url = handler.begin("idp")
    browser = Browser(stops_at=[SITE])
    page = provider.agree(browser, provider.sign_in(browser, url))
    answer = handler.finalize(provider.base, page.query)
    provider.checks.that("idpyoidc accepts the ID token", "id_token" in answer and "error" not in answer, "an ID token",
                     answer)
    if "error" in answer:
        return
    info = answer["userinfo"].to_dict()
    provider.checks.equal("idpyoidc gets who it is", provider.person["email"], info.get("email"))
    provider.checks.equal("userinfo and ID token are about one subject", answer["id_token"]["sub"], info.get("sub"))
    if "offline_access" in query_of(url).get("scope", ""):
        fresh = handler.refresh_access_token(page.query["state"])
        provider.checks.that("idpyoidc refreshes", fresh.get("access_token"), "a token", dict(fresh))


def without_consent(provider):
    browser = Browser(stops_at=[SITE])
    session, token, _ = provider.tokens(browser=browser)
    provider.checks.that("without offline_access there is no refresh token", "refresh_token" not in token, "none",
                     list(token))
    _, url, state, _, _ = provider.begun()
    page = browser.visit(url)
    provider.checks.that("who is signed in is not asked again", page.answer is None and "code" in page.query, "a code",
                     page)
    for prompt, error in (("none", None), ("login", "asked")):
        page = browser.visit(f"{url}&prompt={prompt}")
        if error:
            provider.checks.that("prompt=login asks for the password again", page.status == 200
                                 and page.form("password"), "the sign-in page", page)
        else:
            provider.checks.that("prompt=none signs in", "code" in page.query, "a code", page)
    stranger = Browser(stops_at=[SITE]).visit(f"{url}&prompt=none")
    provider.checks.equal("prompt=none with nobody there", ("login_required", state), (
        stranger.query.get("error"), stranger.query.get("state")))
    two = provider.tokens(browser=browser)[1]
    subject = lambda answer: jwt.decode(answer["id_token"], provider.keys, algorithms=["RS256"]).claims["sub"]
    provider.checks.equal("the subject stays", subject(token), subject(two))
    post = provider.session("own", method="client_secret_post")
    browser, (_, url, state, verifier, _) = Browser(stops_at=[SITE]), provider.begun()
    page = provider.sign_in(browser, url)
    answer = post.fetch_token(provider.document["token_endpoint"], authorization_response=page.url,
                              code_verifier=verifier, state=state)
    provider.checks.that("the secret may stand in the form", answer.get("access_token"))
    least = provider.tokens(scope="openid")[0]
    provider.checks.equal("only openid: only the subject", {"sub"}, set(
        least.get(provider.document["userinfo_endpoint"]).json()))


def confirmation(provider):
    """OA-35: a session gives no code to an app that any program can pretend to be, until the person confirms it."""
    checks, browser = provider.checks, Browser(stops_at=["http://127.0.0.1:45678"])
    for redirect_uri in ("http://127.0.0.1:45678/callback", "com.example.device:/callback"):
        begun = provider.begun("device", redirect_uri=redirect_uri)
        page = provider.sign_in(browser, f"{begun[1]}&prompt=login")
        checks.that(f"{redirect_uri}: a sign-in as a step of the request is enough", page.answer is None
                    and "code" in page.query, "a code", page)
        checks.that(f"{redirect_uri}: no proof of it is sent to the client", "interaction" not in page.query, "none", page)
        session, url, state, verifier, _ = provider.begun("device", redirect_uri=redirect_uri)
        page = browser.visit(url)
        checks.that(f"{redirect_uri}: a session of before is confirmed, and the app is named", page.status == 200
                    and "Device" in page.text and provider.person["email"] in page.text
                    and page.form(button=("decision", "allow")), "a page with Device", page)
        checks.that(f"{redirect_uri}: in no frame", "frame-ancestors 'none'" in (page.answer.header(
            "content-security-policy") or "") and page.answer.header("x-frame-options") == "DENY", "neither", page)
        silent = browser.visit(f"{url}&prompt=none")
        checks.equal(f"{redirect_uri}: a silent request is told", ("interaction_required", state, None), (
            silent.query.get("error"), silent.query.get("state"), silent.query.get("code")))
        cancelled = provider.agree(browser, page, "deny")
        checks.equal(f"{redirect_uri}: who cancels goes back with an error", ("access_denied", state, None), (
            cancelled.query.get("error"), cancelled.query.get("state"), cancelled.query.get("code")))
        form = page.form(button=("decision", "allow"))
        other = browser.submit(page, form, {"request": dict(form.fields)["request"].replace(state, "s" * 30)},
                               button=("decision", "allow"))
        checks.that(f"{redirect_uri}: the form is of no use to another request", other.status == 200
                    and other.form(button=("decision", "allow")), "the page again", other)
        confirmed = provider.agree(browser, page)
        token = session.fetch_token(provider.document["token_endpoint"], authorization_response=confirmed.url,
                                    code_verifier=verifier, state=state)
        checks.that(f"{redirect_uri}: who confirms: the client gets tokens", token.get("access_token"), "a token")
