"""The built-in OpenID provider, asked by two client libraries by others (Authlib and idpyoidc) and through its pages."""

import base64
import hashlib
import logging
import os
import secrets
import urllib.parse

os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"  # Plain HTTP on loopback.

from authlib.integrations.requests_client import OAuth2Session  # noqa: E402
from authlib.oidc.core import CodeIDToken  # noqa: E402
from idpyoidc.client.rp_handler import RPHandler  # noqa: E402
from joserfc import jwk, jwt  # noqa: E402

from apps import new_email, new_password  # noqa: E402
from user_agent import Browser, form_actions  # noqa: E402
from upstreams.flow import at_once, query_of  # noqa: E402
from wire import FORM, Wire  # noqa: E402

logging.getLogger("idpyoidc").setLevel(logging.CRITICAL)

SITE = "http://127.0.0.1:9"  # Where the client would be; nobody listens there.
CALLBACK, GOODBYE = f"{SITE}/callback", f"{SITE}/goodbye"
ENDPOINTS = {
    "authorization_endpoint": "/authorize", "token_endpoint": "/oauth/token", "userinfo_endpoint": "/userinfo",
    "jwks_uri": "/.well-known/jwks.json", "revocation_endpoint": "/oauth/revoke",
    "introspection_endpoint": "/oauth/introspect", "end_session_endpoint": "/end-session",
}


def clients():
    """What the configuration's `idp.clients` holds."""
    return {
        "web": {"name": "Example Web", "secret": secrets.token_urlsafe(33), "redirect_uris": [CALLBACK],
                "post_logout_redirect_uris": [GOODBYE]},
        "own": {"name": "Own", "secret": secrets.token_urlsafe(33), "redirect_uris": [CALLBACK], "first_party": True},
        "device": {"name": "Device", "public": True, "first_party": True,
                   "redirect_uris": ["http://127.0.0.1/callback", "com.example.device:/callback"]},
    }


def run(world, configured):
    Provider(world, configured).run()


class Provider:
    def __init__(self, world, configured):
        self.world, self.checks, self.clients = world, world.checks, configured
        self.base = f"{world.server.base}/idp"
        self.wire = Wire(self.base)
        self.browser = Browser(stops_at=[SITE])  # Signed in after its first visit.
        self.person = {"email": new_email(), "password": new_password(), "name": "Ada Lovelace"}

    def run(self):
        self.document = self.discovery()
        self.registration()
        self.with_authlib()
        self.with_idpyoidc()
        self.without_consent()
        self.redirects()
        self.requests()
        self.codes()
        self.proofs()
        self.token_endpoint()
        self.forms()
        self.signing_out()
        self.disabled()

    # What is there

    def discovery(self):
        answer = self.wire.get("/.well-known/openid-configuration")
        document = answer.json
        wanted = {"issuer": self.base} | {name: self.base + path for name, path in ENDPOINTS.items()} | {
            "response_types_supported": ["code"], "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"], "code_challenge_methods_supported": ["S256"],
            "authorization_response_iss_parameter_supported": True, "request_uri_parameter_supported": False,
            "request_parameter_supported": False, "claims_parameter_supported": False}
        self.checks.equal("discovery is 200", 200, answer.status)
        for name, value in wanted.items():
            self.checks.equal(f"discovery: {name}", value, document.get(name))
        for name, values in (("scopes_supported", {"openid", "profile", "email", "offline_access"}),
                             ("grant_types_supported", {"authorization_code", "refresh_token"}),
                             ("token_endpoint_auth_methods_supported", {
                                 "client_secret_basic", "client_secret_post", "none"}),
                             ("claims_supported", {"sub", "iss", "aud", "exp", "iat", "nonce", "email",
                                                   "email_verified", "name"})):
            self.checks.that(f"discovery: {name}", values <= set(document.get(name, [])), values, document.get(name))
        for name in ENDPOINTS:
            if name in ("jwks_uri", "userinfo_endpoint"):
                continue
            path = document[name].removeprefix(self.base)
            self.checks.that(f"{name} is there", self.wire.get(path).status not in (404, 500), "an answer")
        keys = self.wire.get("/.well-known/jwks.json").json["keys"]
        self.checks.that("an RSA key of 2048 bits or more is published", any(
            key["kty"] == "RSA" and key.get("alg") == "RS256" and len(key["n"]) >= 342 for key in keys), "RS256", keys)
        self.checks.that("no private member is", not any(
            {"d", "p", "q", "dp", "dq", "qi", "k"} & key.keys() for key in keys))
        self.keys = jwk.KeySet.import_key_set({"keys": keys})
        for path in ("/nothing", "/.well-known/", "/oauth", "/../healthz", "/sign-in/x"):
            self.checks.that(f"GET /idp{path} is nobody's", self.wire.get(path).status in (400, 404), 404)
        return document

    # Pages

    def form(self, page, *names):
        self.checks.that("a page's form may lead somewhere only by its policy", form_actions(page) is not None,
                         "form-action", page.answer.header("content-security-policy"))
        return page.form(*names)

    def registration(self):
        browser = Browser()
        page = browser.visit(f"{self.base}/register")
        answers = {"email": self.person["email"], "password": self.person["password"]}
        short = browser.submit(page, self.form(page, "email", "password"), answers | {"password": "Zq7-x"})
        self.checks.that("a password that is too short is told on the page, and not shown", short.status == 400
                         and self.person["email"] in short.text and "Zq7-x" not in short.text, "400, the form again",
                         short.text[-600:])
        page = browser.submit(page, self.form(page, "email", "password"), answers | {"full_name": self.person["name"]})
        self.checks.that("registers, and is shown who it is", page.status == 200 and page.url.rstrip("/") == self.base
                         and self.person["email"] in page.text, "the account page", page)
        for header, part in (("content-security-policy", "default-src 'none'"), ("cache-control", "no-store"),
                             ("x-content-type-options", "nosniff"), ("referrer-policy", "no-referrer"),
                             ("content-security-policy", "frame-ancestors 'none'")):
            self.checks.that(f"the page has {header}: {part}", part in (page.answer.header(header) or ""), part,
                             page.answer.header(header))
        cookies = {name: attributes for (_, name), (_, _, attributes) in browser.jar.items()}
        self.checks.that("its cookies are HttpOnly and Lax", cookies and all(
            "httponly" in attributes and attributes.get("samesite") == "lax" for attributes in cookies.values()),
            "HttpOnly, SameSite=Lax", cookies)

    def sign_in(self, browser, url, person=None, **more):
        """Opens an authorization address and signs in at the page that comes."""
        page = browser.visit(url)
        person = self.person | (person or {})
        if page.answer is None or page.status != 200 or not any("password" in form.kinds for form in page.forms):
            return page
        return browser.submit(page, page.form("email", "password"), {
            "email": person["email"], "password": person["password"]} | more)

    def agree(self, browser, page, decision="allow"):
        return browser.submit(page, page.form(button=("decision", decision)), button=("decision", decision))

    # Clients by others

    def session(self, name="web", scope="openid profile email", redirect_uri=CALLBACK, **more):
        return OAuth2Session(name, self.clients[name].get("secret"), redirect_uri=redirect_uri, scope=scope,
                             code_challenge_method="S256", token_endpoint_auth_method=more.pop(
                                 "method", "client_secret_basic" if "secret" in self.clients[name] else "none"), **more)

    def begun(self, name="own", scope="openid profile email", redirect_uri=CALLBACK, **more):
        """A library's session, its address, and what it has to remember."""
        session, verifier, nonce = self.session(name, scope, redirect_uri), secrets.token_urlsafe(40), secrets.token_urlsafe(20)
        url, state = session.create_authorization_url(
            self.document["authorization_endpoint"], code_verifier=verifier, nonce=nonce, **more)
        return session, url, state, verifier, nonce

    def tokens(self, name="own", scope="openid profile email", browser=None, **more):
        """All of it: the library's session with tokens, and the answer of the token endpoint."""
        browser = browser or self.browser
        session, url, state, verifier, nonce = self.begun(name, scope, **more)
        page = self.sign_in(browser, url)
        if page.answer is not None:
            page = self.agree(browser, page)
        self.last = page.url
        return session, session.fetch_token(
            self.document["token_endpoint"], authorization_response=page.url, code_verifier=verifier, state=state), nonce

    def with_authlib(self):
        browser = Browser(stops_at=[SITE])
        session, url, state, verifier, nonce = self.begun("web", "openid profile email offline_access")
        page = self.sign_in(browser, url)
        self.checks.that("a client of another house is named, and has to be allowed", page.status == 200
                         and "Example Web" in page.text, "a page with Example Web", page)
        denied = self.agree(browser, page, "deny")
        self.checks.equal("declined: error and state at the client", ("access_denied", state), (
            denied.query.get("error"), denied.query.get("state")))
        page = self.agree(browser, browser.visit(url))
        self.checks.equal("allowed: state and issuer at the client", (state, self.base), (
            page.query.get("state"), page.query.get("iss")))
        token = session.fetch_token(self.document["token_endpoint"], authorization_response=page.url,
                                    code_verifier=verifier, state=state)
        self.checks.equal("Bearer, an hour", ("Bearer", 3600), (token["token_type"], token["expires_in"]))
        decoded = jwt.decode(token["id_token"], self.keys, algorithms=["RS256"])
        claims = CodeIDToken(decoded.claims, decoded.header, {
            "iss": {"essential": True, "value": self.base}, "aud": {"essential": True, "value": "web"},
            "nonce": {"essential": True, "value": nonce}}, {"access_token": token["access_token"], "nonce": nonce,
                                                            "client_id": "web"})
        claims.validate(leeway=5)  # Throws; looks at at_hash and nonce too.
        self.checks.equal("the ID token's labels", (self.person["email"], self.person["name"]), (
            claims.get("email"), claims.get("name")))
        self.checks.equal("nobody has checked the address", False, claims.get("email_verified"))
        info = session.get(self.document["userinfo_endpoint"]).json()
        self.checks.equal("userinfo is about the same person", {"sub": claims["sub"], "email": self.person["email"],
                                                                "name": self.person["name"]},
                          {key: info.get(key) for key in ("sub", "email", "name")})
        self.introspection(session, token, claims["sub"])
        fresh = session.refresh_token(self.document["token_endpoint"], refresh_token=token["refresh_token"])
        self.checks.that("refresh gives another access and refresh token", fresh["access_token"]
                         and fresh["refresh_token"] != token["refresh_token"], "others")
        self.checks.equal("with which userinfo answers", 200, session.get(self.document["userinfo_endpoint"]).status_code)
        self.revocation(session, fresh)

    def introspection(self, session, token, sub):
        for kind in ("access_token", "refresh_token"):
            body = self.post("/oauth/introspect", {"token": token[kind]}, "web").json
            self.checks.equal(f"introspection of the {kind}", (True, "web", sub), (
                body.get("active"), body.get("client_id"), body.get("sub")))
            other = self.post("/oauth/introspect", {"token": token[kind]}, "own").json
            self.checks.equal(f"of the {kind} by another client", {"active": False}, other)
        self.checks.equal("of nonsense", {"active": False}, self.post(
            "/oauth/introspect", {"token": "x" * 43}, "web").json)
        self.checks.equal("without a client", 401, self.post("/oauth/introspect", {"token": "x"}, None).status)

    def revocation(self, session, token):
        self.checks.equal("another client's revocation says yes", 200, self.post(
            "/oauth/revoke", {"token": token["refresh_token"]}, "own").status)
        self.checks.equal("and does nothing", True, self.post(
            "/oauth/introspect", {"token": token["access_token"]}, "web").json.get("active"))
        answer = session.revoke_token(self.document["revocation_endpoint"], token=token["refresh_token"],
                                      token_type_hint="refresh_token")
        self.checks.equal("revocation", 200, answer.status_code)
        self.checks.equal("ends the access token too", 401, session.get(self.document["userinfo_endpoint"]).status_code)
        self.refused("refresh after revocation", self.post("/oauth/token", {
            "grant_type": "refresh_token", "refresh_token": token["refresh_token"]}, "web"), "invalid_grant")
        self.checks.equal("revocation of nonsense says yes", 200, self.post(
            "/oauth/revoke", {"token": "x" * 43}, "web").status)

    def with_idpyoidc(self):
        secret = self.clients["web"]["secret"]
        handler = RPHandler(base_url=SITE, client_configs={"idp": {
            "issuer": self.base, "client_id": "web", "client_secret": secret, "redirect_uris": [CALLBACK],
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
        page = self.agree(browser, self.sign_in(browser, url))
        answer = handler.finalize(self.base, page.query)
        self.checks.that("idpyoidc accepts the ID token", "id_token" in answer and "error" not in answer, "an ID token",
                         answer)
        if "error" in answer:
            return
        info = answer["userinfo"].to_dict()
        self.checks.equal("idpyoidc gets who it is", self.person["email"], info.get("email"))
        self.checks.equal("userinfo and ID token are about one subject", answer["id_token"]["sub"], info.get("sub"))
        if "offline_access" in query_of(url).get("scope", ""):
            fresh = handler.refresh_access_token(page.query["state"])
            self.checks.that("idpyoidc refreshes", fresh.get("access_token"), "a token", dict(fresh))

    def without_consent(self):
        browser = Browser(stops_at=[SITE])
        session, token, _ = self.tokens(browser=browser)
        self.checks.that("without offline_access there is no refresh token", "refresh_token" not in token, "none",
                         list(token))
        _, url, state, _, _ = self.begun()
        page = browser.visit(url)
        self.checks.that("who is signed in is not asked again", page.answer is None and "code" in page.query, "a code",
                         page)
        for prompt, error in (("none", None), ("login", "asked")):
            page = browser.visit(f"{url}&prompt={prompt}")
            if error:
                self.checks.that("prompt=login asks for the password again", page.status == 200 and page.form("password"))
            else:
                self.checks.that("prompt=none signs in", "code" in page.query, "a code", page)
        stranger = Browser(stops_at=[SITE]).visit(f"{url}&prompt=none")
        self.checks.equal("prompt=none with nobody there", ("login_required", state), (
            stranger.query.get("error"), stranger.query.get("state")))
        two = self.tokens(browser=browser)[1]
        subject = lambda answer: jwt.decode(answer["id_token"], self.keys, algorithms=["RS256"]).claims["sub"]
        self.checks.equal("the subject stays", subject(token), subject(two))
        post = self.session("own", method="client_secret_post")
        browser, (_, url, state, verifier, _) = Browser(stops_at=[SITE]), self.begun()
        page = self.sign_in(browser, url)
        answer = post.fetch_token(self.document["token_endpoint"], authorization_response=page.url,
                                  code_verifier=verifier, state=state)
        self.checks.that("the secret may stand in the form", answer.get("access_token"))
        least = self.tokens(scope="openid")[0]
        self.checks.equal("only openid: only the subject", {"sub"}, set(
            least.get(self.document["userinfo_endpoint"]).json()))

    # What is refused

    def post(self, path, form, client, headers=()):
        """A client's request; `client` proves itself by its secret."""
        sent = list(headers)
        if client:
            pair = f"{client}:{self.clients[client]['secret']}" if client in self.clients else client
            sent.append(("Authorization", "Basic " + base64.b64encode(pair.encode()).decode()))
        return self.wire.post(path, body=urllib.parse.urlencode(form).encode(), content_type=FORM, headers=sent)

    def refused(self, name, answer, error, status=400):
        body = answer.json if isinstance(answer.json, dict) else {}
        self.checks.equal(name, (status, error), (answer.status, body.get("error")))
        self.checks.that(f"{name}: not stored", "no-store" in (answer.header("cache-control") or ""), "no-store",
                         answer.headers)

    def address(self, **changes):
        query = {"client_id": "own", "redirect_uri": CALLBACK, "response_type": "code", "scope": "openid",
                 "state": "s" * 20, "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
                 "code_challenge_method": "S256"} | changes
        return f"{self.base}/authorize?" + urllib.parse.urlencode(
            {key: value for key, value in query.items() if value is not None})

    def redirects(self):
        """A redirect URI that is not registered is never gone to, whatever else is wrong."""
        browser = Browser()
        for uri in ("https://evil.example/", CALLBACK + "/", CALLBACK + "?x=1", CALLBACK + "#x", CALLBACK.upper(),
                    f"{SITE}/callback/../evil", "http://127.0.0.1:9@evil.example/callback", "javascript:alert(1)",
                    "data:text/html,x", "//evil.example", "/callback", "", None, f"{CALLBACK}\r\nX: y",
                    "http://127.0.0.1:10/callback", "http://localhost:9/callback"):
            for more in ({}, {"prompt": "none"}, {"response_type": "token"}, {"scope": "nonsense"}):
                answer = browser.send("GET", self.address(redirect_uri=uri, **more))
                self.checks.that(f"redirect_uri {uri!r} {more or ''}: 400, no redirect", answer.status == 400
                                 and answer.header("location") is None, "400, no Location", answer)
        answer = browser.send("GET", self.address() + f"&redirect_uri={urllib.parse.quote(CALLBACK)}")
        self.checks.that("redirect_uri twice: no redirect", answer.status == 400 and not answer.header("location"),
                         400, answer)
        for client in ("nobody", "", None, "web\0", "WEB"):
            answer = browser.send("GET", self.address(client_id=client))
            self.checks.that(f"client {client!r}: 400, no redirect", answer.status == 400
                             and not answer.header("location"), 400, answer)
        device = self.begun("device", redirect_uri="http://127.0.0.1:45678/callback")
        page = self.sign_in(Browser(stops_at=["http://127.0.0.1:45678"]), device[1])
        self.checks.that("a loopback redirect may have any port", page.url.startswith(
            "http://127.0.0.1:45678/callback?code="), "a code there", page)

    def requests(self):
        """What is wrong otherwise is told to the client."""
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
            page = browser.visit(self.address(**changes))
            self.checks.equal(f"{name}: told to the client", (error, "s" * 20, True), (
                page.query.get("error"), page.query.get("state"), page.url.startswith(CALLBACK + "?")))
        page = browser.visit(self.address(client_id="device", redirect_uri="com.example.device:/callback",
                                          code_challenge=None, code_challenge_method=None))
        self.checks.equal("a public client without a challenge", "invalid_request", page.query.get("error"))

    def code(self, client="own", **changes):
        """A code whose challenge is that of `verifier`."""
        verifier = secrets.token_urlsafe(40)
        challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
        browser = self.browser
        page = self.sign_in(browser, self.address(client_id=client, code_challenge=challenge, **changes))
        if page.answer is not None:
            page = self.agree(browser, page)
        return page.query["code"], {"grant_type": "authorization_code", "code": page.query["code"],
                                    "redirect_uri": CALLBACK, "code_verifier": verifier}

    def codes(self):
        _, grant = self.code(scope="openid offline_access")
        first = self.post("/oauth/token", grant, "own")
        self.checks.equal("a code is redeemed", 200, first.status)
        token = first.json
        self.refused("a second time", self.post("/oauth/token", grant, "own"), "invalid_grant")
        userinfo = self.wire.get("/userinfo", bearer=token["access_token"])
        self.checks.equal("which kills the access token of the first", 401, userinfo.status)
        self.refused("and the refresh token", self.post("/oauth/token", {
            "grant_type": "refresh_token", "refresh_token": token.get("refresh_token", "")}, "own"), "invalid_grant")
        _, grant = self.code()
        statuses = sorted(answer.status for answer in at_once(20, lambda _: self.post("/oauth/token", grant, "own")))
        self.checks.that("20 at once with one code: at most one", statuses.count(200) <= 1
                         and set(statuses) <= {200, 400}, "one 200, nineteen 400", statuses)
        for name, change, client in (
            ("another redirect_uri", {"redirect_uri": f"{SITE}/other"}, "own"),
            ("another verifier", {"code_verifier": "x" * 43}, "own"), ("no verifier", {"code_verifier": None}, "own"),
            ("the challenge as verifier", {"code_verifier": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"}, "own"),
            ("another client", {}, "web"),
        ):
            _, grant = self.code()
            changed = {key: value for key, value in (grant | change).items() if value is not None}
            self.refused(f"a code with {name}", self.post("/oauth/token", changed, client), "invalid_grant")
            self.refused(f"a code with {name} is burned", self.post("/oauth/token", grant, "own"), "invalid_grant")
        self.refused("a code of nobody", self.post("/oauth/token", grant | {"code": "x" * 43}, "own"), "invalid_grant")

    def proofs(self):
        _, grant = self.code()
        secret = self.clients["own"]["secret"]
        for name, client, form in (
            ("no client", None, {}), ("a wrong secret", "own:wrong", {}), ("an unknown client", "nobody:secret", {}),
            ("an empty secret", "own:", {}), ("client_id alone", None, {"client_id": "own"}),
            ("a wrong secret in the form", None, {"client_id": "own", "client_secret": "wrong"}),
        ):
            answer = self.post("/oauth/token", grant | form, client)
            self.refused(f"token with {name}", answer, "invalid_client", 401)
            self.checks.that(f"token with {name} asks for nothing by Basic", "basic" not in (
                answer.header("www-authenticate") or "").lower(), "no Basic", answer.headers)
        answer = self.post("/oauth/token", grant | {"client_id": "own", "client_secret": secret}, "own")
        self.checks.that("two proofs at once are refused", answer.status in (400, 401), "400 or 401", answer)
        self.checks.equal("none of that burned the code", 200, self.post("/oauth/token", grant, "own").status)

    def token_endpoint(self):
        for name, form, error in (("no grant_type", {}, "invalid_request"),
                                  ("password", {"grant_type": "password", "username": "a", "password": "b"},
                                   "unsupported_grant_type"),
                                  ("client_credentials", {"grant_type": "client_credentials"}, "unsupported_grant_type"),
                                  ("no code", {"grant_type": "authorization_code"}, "invalid_request")):
            self.refused(f"token with {name}", self.post("/oauth/token", form, "own"), error)
        twice = self.wire.post("/oauth/token", body=b"grant_type=refresh_token&refresh_token=a&refresh_token=b",
                               content_type=FORM, headers=[("Authorization", "Basic " + base64.b64encode(
                                   f"own:{self.clients['own']['secret']}".encode()).decode())])
        self.refused("a parameter twice", twice, "invalid_request")
        answer = self.wire.post("/oauth/token", {"grant_type": "authorization_code"})
        self.checks.equal("JSON is no form", 400, answer.status)
        for method, path in (("GET", "/oauth/token"), ("PUT", "/userinfo"), ("DELETE", "/authorize")):
            answer = self.wire.send(method, path)
            self.checks.that(f"{method} {path} is 405 with Allow", answer.status == 405 and answer.header("allow"), 405,
                             answer)
        for name, bearer in (("no token", None), ("nonsense", "x" * 43), ("an app's token", self.world.apps[
                "social"].register().access)):
            answer = self.wire.get("/userinfo", bearer=bearer)
            self.checks.that(f"userinfo with {name}", answer.status == 401 and (answer.header(
                "www-authenticate") or "").startswith("Bearer"), "401, Bearer", answer)
        session, token, _ = self.tokens()
        self.checks.equal("an ID token opens nothing", 401, self.wire.get("/userinfo", bearer=token["id_token"]).status)
        self.checks.equal("nor does a token in the query", 401, self.wire.get(
            f"/userinfo?access_token={token['access_token']}").status)
        self.checks.equal("the provider's token opens no app", 401, self.world.apps["social"].call(
            "me", bearer=token["access_token"]).status)

    # Pages under attack

    def forms(self):
        browser = Browser(stops_at=[SITE])
        page = browser.visit(self.address())
        form = page.form("email", "password")
        answers = {"email": self.person["email"], "password": self.person["password"]}
        wrong = browser.submit(page, form, answers | {"password": new_password()})
        stranger = browser.submit(page, form, answers | {"email": new_email()})
        self.checks.equal("wrong password and unknown address are told alike", wrong.text.replace(
            self.person["email"], "…").split("<form")[0], stranger.text.split("<form")[0])
        self.checks.that("refused, and no session", wrong.status in (401, 403) and wrong.status == stranger.status
                         and not any(name.endswith("ostiary-idp") for _, name in browser.jar), "401 or 403", wrong)
        # A form that was made for another browser, or by another site.
        other = Browser()
        other.visit(self.address())
        forged = other.submit(page, form, answers)
        self.checks.equal("a form with another browser's token", 403, forged.status)
        self.checks.equal("a form without a cookie", 403, Browser().submit(page, form, answers).status)
        bare = browser.submit(page, type(form)(form.action, "POST", []), answers)
        self.checks.equal("a form without its token", 403, bare.status)
        body = urllib.parse.urlencode([*[pair for pair in form.fields if pair[0] not in answers], *answers.items()])
        cross = browser.send("POST", form.action, body.encode(), None, {
            "Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"}.items())
        self.checks.equal("a form from another site", 403, cross.status)
        for typed in ("<script>alert(1)</script>@x.example", '"><img src=x onerror=alert(1)>', "{{7*7}}"):
            shown = browser.submit(page, form, answers | {"email": typed})
            self.checks.that(f"what was typed is shown as text: {typed[:20]}", "<script>alert" not in shown.text
                             and "<img src=x" not in shown.text and "49" not in shown.text.split("<main")[-1][:2000],
                             "escaped", shown)
        hint = browser.visit(self.address(login_hint='"><script>alert(1)</script>', state='"><script>'))
        self.checks.that("a hint is text", "<script>alert" not in hint.text, "escaped", hint)
        done = browser.submit(page, form, answers)
        self.checks.that("the right form of the right browser still signs in", done.url.startswith(
            CALLBACK + "?code="), "a code", done)

    def signing_out(self):
        browser = Browser(stops_at=[SITE])
        session, token, _ = self.tokens("web", "openid offline_access", browser=browser)
        url = f"{self.base}/end-session?" + urllib.parse.urlencode({
            "id_token_hint": token["id_token"], "post_logout_redirect_uri": GOODBYE, "state": "st"})
        page = browser.visit(url)
        self.checks.that("sign-out asks before it does anything", page.status == 200 and page.forms, "a page", page)
        self.checks.that("and has done nothing", "code" in browser.visit(self.address()).query, "still signed in")
        gone = browser.submit(page, page.forms[0], button=page.forms[0].buttons[0] if page.forms[0].buttons
                              and page.forms[0].buttons[0][0] else None)
        self.checks.equal("then goes where the client asked", f"{GOODBYE}?state=st", gone.url)
        page = browser.visit(self.address())
        self.checks.that("the browser is signed out", page.status == 200 and page.form("password"), "the sign-in page",
                         page)
        for uri in ("https://evil.example/", GOODBYE + "/", "javascript:alert(1)"):
            answer = browser.send("GET", f"{self.base}/end-session?" + urllib.parse.urlencode({
                "id_token_hint": token["id_token"], "post_logout_redirect_uri": uri}))
            self.checks.that(f"end-session to {uri} leads nowhere", not answer.header("location")
                             and b"evil.example" not in answer.body and answer.status == 400, "400", answer)
        answer = browser.send("GET", f"{self.base}/end-session?post_logout_redirect_uri={urllib.parse.quote(GOODBYE)}")
        self.checks.that("without a client a redirect is not gone to", not answer.header("location"), "none", answer)

    def disabled(self):
        """Disabling an account at the provider ends what its clients hold."""
        if not self.world.server:
            return
        session, token, _ = self.tokens("own", "openid email offline_access")
        run = self.world.server.command("users", "disable", "--app", "idp", self.person["email"], "--yes")
        if not self.checks.equal("users disable --app idp", (0, ""), (run.returncode, run.stderr.strip())):
            return
        self.checks.equal("a disabled person's access token is dead", 401, self.wire.get(
            "/userinfo", bearer=token["access_token"]).status)
        self.refused("and the refresh token", self.post("/oauth/token", {
            "grant_type": "refresh_token", "refresh_token": token["refresh_token"]}, "own"), "invalid_grant")
        page = self.sign_in(Browser(stops_at=[SITE]), self.address())
        self.checks.that("and does not sign in", page.status in (401, 403), "401 or 403", page)
        self.world.server.command("users", "enable", "--app", "idp", self.person["email"], "--yes")

