"""Mocks of Google, Apple and GitHub, each with its differences from a plain OpenID provider."""

import secrets
import time

import flask
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from joserfc import jwk, jwt

from peers.openid import OpenIDPeer, Paths
from peers.serving import Peer

PAGE = "<!doctype html><form method=post><input name=sub required><button>Authorize</button></form>"


class GooglePeer(OpenIDPeer):
    native_client = "native.apps.googleusercontent.com"

    def identity(self):
        return {"kind": "google", "client_id": self.client.id, "client_secret": self.client.secret,
                "issuer": self.issuer, "native_client_ids": [self.native_client]}


class ApplePeer(OpenIDPeer):
    """Posts its answer as a form from another site, and expects a JWT of the developer's key as client secret."""

    team, key_id, native_client = "TEAM123456", "KEY1234567", "com.example.app"

    def __init__(self):
        super().__init__(Paths("/auth/authorize", "/auth/token", "/auth/keys"), response_mode="form_post",
                         host="localhost")
        self.private = ec.generate_private_key(ec.SECP256R1())
        self.client.methods = ("client_secret_post",)
        self.client.check_client_secret = self.check
        self.secrets, self.only_post, self.always_openid = [], True, True

    @property
    def pem(self):
        return self.private.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()).decode()

    def check(self, secret):
        """Source: Apple, "Creating a client secret"."""
        self.secrets.append(secret)
        try:
            token = jwt.decode(secret, jwk.ECKey.import_key(self.pem), algorithms=["ES256"])
        except Exception:
            return False
        now, claims = time.time(), token.claims
        return (token.header.get("kid") == self.key_id and claims.get("iss") == self.team
                and claims.get("sub") == self.client.id and claims.get("aud") == self.issuer
                and claims.get("iat", now + 99) <= now + 5 < claims.get("exp", 0) <= now + 15_777_000)

    def identity(self):
        return {"kind": "apple", "client_id": self.client.id, "team_id": self.team, "key_id": self.key_id,
                "private_key": self.pem, "issuer": self.issuer, "native_client_ids": [self.native_client]}


class GitHubPeer(Peer):
    """OAuth without OpenID: a token, and an API that returns its owner. `people` by login: (user, addresses)."""

    def __init__(self):
        super().__init__(self._application())
        self.client_id, self.client_secret = "Iv1." + secrets.token_hex(8), secrets.token_hex(20)
        self.people, self.codes, self.tokens = {}, {}, {}

    def identity(self):
        return {"kind": "github", "client_id": self.client_id, "client_secret": self.client_secret,
                "endpoint": self.base}

    def _application(self):
        app = flask.Flask("github-peer")

        @app.route("/login/oauth/authorize", methods=["GET", "POST"])
        def authorize():
            query = flask.request.args
            if query.get("client_id") != self.client_id:
                return "unknown client", 404
            if flask.request.method == "GET":
                return PAGE
            code = secrets.token_hex(10)
            self.codes[code] = flask.request.form["sub"], query["redirect_uri"], query.get("code_challenge")
            return flask.redirect(f"{query['redirect_uri']}?code={code}&state={query['state']}")

        @app.post("/login/oauth/access_token")
        def token():
            form = flask.request.form
            login, redirect_uri, _ = self.codes.pop(form.get("code"), (None, None, None))
            own = flask.request.authorization
            client = (own.username, own.password) if own else (form.get("client_id"), form.get("client_secret"))
            # GitHub reports errors with status 200.
            if client != (self.client_id, self.client_secret):
                return {"error": "incorrect_client_credentials"}
            if login is None or form.get("redirect_uri", redirect_uri) != redirect_uri:
                return {"error": "bad_verification_code", "error_description": "The code passed is incorrect."}
            value = "gho_" + secrets.token_urlsafe(27)
            self.tokens[value] = login
            return {"access_token": value, "scope": "user:email", "token_type": "bearer"}

        def person():
            scheme, _, value = flask.request.headers.get("Authorization", "").partition(" ")
            return self.people.get(self.tokens.get(value)) if scheme.lower() in ("bearer", "token") else None

        def answer(part):
            def view():
                found = person()
                return flask.jsonify(found[part]) if found else ({"message": "Bad credentials"}, 401)
            return view

        for base in ("", "/api/v3", "/api"):
            app.get(f"{base}/user", endpoint=f"user{base}")(answer(0))
            app.get(f"{base}/user/emails", endpoint=f"emails{base}")(answer(1))
        return app
