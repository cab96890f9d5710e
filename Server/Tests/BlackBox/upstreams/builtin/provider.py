"""The built-in OpenID provider from the perspective of a browser and a client."""

import base64
import hashlib
import os
import secrets
import urllib.parse

os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"  # Plain HTTP on loopback.

from authlib.integrations.requests_client import OAuth2Session  # noqa: E402

from apps import new_email, new_password  # noqa: E402
from user_agent import Browser, form_actions  # noqa: E402
from wire import FORM, Wire  # noqa: E402

SITE = "http://127.0.0.1:9"  # The client's origin, without a listener.
CALLBACK, GOODBYE = f"{SITE}/callback", f"{SITE}/goodbye"


def clients():
    """Returns the value of the configuration's `idp.clients`."""
    return {
        "web": {"name": "Example Web", "secret": secrets.token_urlsafe(33), "redirect_uris": [CALLBACK],
                "post_logout_redirect_uris": [GOODBYE]},
        "own": {"name": "Own", "secret": secrets.token_urlsafe(33), "redirect_uris": [CALLBACK], "first_party": True},
        "device": {"name": "Device", "public": True, "first_party": True,
                   "redirect_uris": ["http://127.0.0.1/callback", "com.example.device:/callback"]},
    }


class Provider:
    def __init__(self, world, configured):
        self.world, self.checks, self.clients = world, world.checks, configured
        self.base = f"{world.server.base}/idp"
        self.wire = Wire(self.base)
        self.browser = Browser(stops_at=[SITE])  # Signed in after its first sign-in.
        self.person = {"email": new_email(), "password": new_password(), "name": "Ada Lovelace"}
        self.document = self.wire.get("/.well-known/openid-configuration").json

    def form(self, page, *names):
        self.checks.that("a page's form may lead somewhere only by its policy", form_actions(page) is not None,
                         "form-action", page.answer.header("content-security-policy"))
        return page.form(*names)

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

    def session(self, name="web", scope="openid profile email", redirect_uri=CALLBACK, **more):
        return OAuth2Session(name, self.clients[name].get("secret"), redirect_uri=redirect_uri, scope=scope,
                             code_challenge_method="S256", token_endpoint_auth_method=more.pop(
                                 "method", "client_secret_basic" if "secret" in self.clients[name] else "none"), **more)

    def begun(self, name="own", scope="openid profile email", redirect_uri=CALLBACK, **more):
        """A library's session, its address, and the values that it has to store."""
        session = self.session(name, scope, redirect_uri)
        verifier, nonce = secrets.token_urlsafe(40), secrets.token_urlsafe(20)
        url, state = session.create_authorization_url(
            self.document["authorization_endpoint"], code_verifier=verifier, nonce=nonce, **more)
        return session, url, state, verifier, nonce

    def tokens(self, name="own", scope="openid profile email", browser=None, **more):
        """Performs the whole flow: the library's session with tokens, and the answer of the token endpoint."""
        browser = browser or self.browser
        session, url, state, verifier, nonce = self.begun(name, scope, **more)
        page = self.sign_in(browser, url)
        if page.answer is not None:
            page = self.agree(browser, page)
        token = session.fetch_token(self.document["token_endpoint"], authorization_response=page.url,
                                    code_verifier=verifier, state=state)
        return session, token, nonce

    def post(self, path, form, client, headers=()):
        """A client's request; `client` authenticates by its secret."""
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
