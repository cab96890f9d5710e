"""An OpenID provider made of Authlib's server parts: it checks clients, redirect URIs and PKCE as Authlib does.

Users sign in by entering their `sub` in a form, as at `oidc-provider-mock`.
"""

import html
import os
import secrets
import threading
import time
import urllib.parse
from dataclasses import dataclass

os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"  # Plain HTTP on loopback.

import flask  # noqa: E402
from authlib.integrations.flask_oauth2 import AuthorizationServer  # noqa: E402
from authlib.oauth2 import OAuth2Error  # noqa: E402
from authlib.oauth2.rfc6749 import ClientMixin, grants  # noqa: E402
from authlib.oauth2.rfc7636 import CodeChallenge  # noqa: E402
from authlib.oauth2.rfc9207 import IssuerParameter  # noqa: E402
from authlib.oidc.core import AuthorizationCodeMixin, OpenIDCode, UserInfo  # noqa: E402
from joserfc import jwk, jwt  # noqa: E402

from peers.serving import Peer  # noqa: E402

PAGE = """<!doctype html><title>Sign in</title>
<form method=post><input name=sub required><button>Sign in</button></form>
<form method=post><button name=action value=deny>Deny</button></form>"""


@dataclass
class Client(ClientMixin):
    id: str
    secret: str
    redirect_uris: list
    methods: tuple = ("client_secret_basic", "client_secret_post")
    id_token_signed_response_alg: str = "RS256"

    def get_client_id(self):
        return self.id

    def get_default_redirect_uri(self):
        return None

    def get_allowed_scope(self, scope):
        return scope

    def check_redirect_uri(self, redirect_uri):
        return redirect_uri in self.redirect_uris

    def check_client_secret(self, client_secret):
        return secrets.compare_digest(self.secret, client_secret)

    def check_endpoint_auth_method(self, method, endpoint):
        return method in self.methods

    def check_response_type(self, response_type):
        return response_type == "code"

    def check_grant_type(self, grant_type):
        return grant_type == "authorization_code"


@dataclass
class Code(AuthorizationCodeMixin):
    code: str
    client_id: str
    redirect_uri: str
    scope: str
    nonce: str
    sub: str
    code_challenge: str
    code_challenge_method: str

    def get_redirect_uri(self):
        return self.redirect_uri

    def get_scope(self):
        return self.scope

    def get_nonce(self):
        return self.nonce

    def get_auth_time(self):
        return None

    def get_acr(self):
        return None

    def get_amr(self):
        return None


@dataclass(frozen=True)
class Paths:
    authorize: str = "/authorize"
    token: str = "/token"
    keys: str = "/jwks"


class OpenIDPeer(Peer):
    """`people` are the claims of each sub. `slash` ends the issuer with one, as Auth0's does."""

    def __init__(self, paths=Paths(), slash=False, response_mode="query", host="127.0.0.1"):
        super().__init__(self._application(paths), host)
        self.paths, self.response_mode = paths, response_mode
        self.issuer = self.base + ("/" if slash else "")
        self.client = Client("client-" + secrets.token_hex(4), "s3cret-" + secrets.token_urlsafe(24), [])
        self.people, self.codes = {}, {}
        self.key = jwk.RSAKey.generate_key(2048, {"kid": secrets.token_hex(4), "use": "sig", "alg": "RS256"})
        self.alg = "RS256"
        self.claims = {}  # Merged into the claims of every ID token.
        self.told_issuer = None  # The `iss` of an authorization response, if it differs from the issuer.
        self.names_issuer = True  # Authorization responses have an `iss`.
        self.only_post = False
        self.always_openid = False  # Issues an ID token regardless of the requested scope.
        self.lock = threading.Lock()

    def identity(self, kind="oidc"):
        return {"kind": kind, "issuer": self.issuer, "client_id": self.client.id, "client_secret": self.client.secret}

    def metadata(self):
        return {
            "issuer": self.issuer, "authorization_endpoint": self.base + self.paths.authorize,
            "token_endpoint": self.base + self.paths.token, "jwks_uri": self.base + self.paths.keys,
            "response_types_supported": ["code"], "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": [self.alg], "code_challenge_methods_supported": ["S256"],
            "token_endpoint_auth_methods_supported": ["client_secret_post"] if self.only_post else [
                "client_secret_basic", "client_secret_post"],
            "scopes_supported": ["openid", "profile", "email"],
        }

    def new_key(self):
        """Replaces the signing key."""
        self.key = jwk.RSAKey.generate_key(2048, {"kid": secrets.token_hex(4), "use": "sig", "alg": "RS256"})

    def id_token(self, sub, nonce=None, audience=None, /, **claims):
        """Returns a token as the peer would issue it to a device."""
        now = int(time.time())
        payload = {"iss": self.issuer, "aud": audience or self.client.id, "sub": sub, "iat": now, "exp": now + 300,
                   "jti": secrets.token_hex(8)}
        payload |= self.people.get(sub, {}) | ({"nonce": nonce} if nonce else {}) | claims
        return jwt.encode({"alg": self.alg, "kid": self.key.kid}, payload, self.key)

    def _application(self, paths):
        app = flask.Flask("openid-peer")
        app.config["OAUTH2_TOKEN_EXPIRES_IN"] = {"authorization_code": 300}
        server = AuthorizationServer(app, lambda id: self.client if id == self.client.id else None,
                                     lambda token, request: None)
        server.register_grant(self._grant(), [self._openid(), CodeChallenge(required=True)])
        server.register_extension(self._issuer_parameter())
        app.get("/.well-known/openid-configuration")(self.metadata)
        app.get(paths.keys, endpoint="keys")(lambda: {"keys": [self.key.as_dict(private=False)]})
        app.post(paths.token, endpoint="token")(server.create_token_response)

        @app.route(paths.authorize, methods=["GET", "POST"])
        def authorize():
            try:
                grant = server.get_consent_grant(end_user=None)
            except OAuth2Error as error:
                return server.handle_error_response(None, error)
            if flask.request.method == "GET":
                return PAGE
            denied = flask.request.form.get("action") == "deny"
            response = server.create_authorization_response(
                grant=grant, grant_user=None if denied else {"sub": flask.request.form["sub"]})
            return posted(response.headers["Location"]) if self.response_mode == "form_post" else response

        return app

    def _grant(self):
        peer = self

        class Grant(grants.AuthorizationCodeGrant):
            TOKEN_ENDPOINT_AUTH_METHODS = ["client_secret_basic", "client_secret_post"]

            def save_authorization_code(self, code, request):
                data = request.payload.data
                peer.codes[code] = Code(
                    code, request.client.id, request.payload.redirect_uri,
                    ("openid " if peer.always_openid else "") + request.payload.scope, data.get("nonce"),
                    request.user["sub"], data.get("code_challenge"), data.get("code_challenge_method"))

            def query_authorization_code(self, code, client):
                with peer.lock:
                    return peer.codes.get(code)

            def delete_authorization_code(self, authorization_code):
                peer.codes.pop(authorization_code.code, None)

            def authenticate_user(self, authorization_code):
                return {"sub": authorization_code.sub}

        return Grant

    def _openid(self):
        peer = self

        class OpenID(OpenIDCode):
            def exists_nonce(self, nonce, request):
                return any(code.nonce == nonce for code in peer.codes.values())

            def resolve_client_private_key(self, client):
                return peer.key

            def get_client_algorithm(self, client):
                return peer.alg

            def get_encode_header(self, client):
                return {"alg": peer.alg, "kid": peer.key.kid}

            def get_client_claims(self, client):
                return {"iss": peer.issuer, "aud": client.id}

            def generate_user_info(self, user, scope):
                return UserInfo({"sub": user["sub"]} | peer.people.get(user["sub"], {}) | peer.claims)

        return OpenID(require_nonce=True)

    def _issuer_parameter(self):
        peer = self

        class Issuer(IssuerParameter):
            def get_issuer(self):
                return (peer.told_issuer or peer.issuer) if peer.names_issuer else None

        return Issuer()


def posted(location):
    """Returns an answer as a form instead of a redirect. Source: OAuth 2.0 Form Post Response Mode."""
    url, _, query = location.partition("?")
    fields = "".join(f'<input type=hidden name="{html.escape(name)}" value="{html.escape(value)}">'
                     for name, value in urllib.parse.parse_qsl(query))
    return f'<!doctype html><form method=post action="{html.escape(url)}">{fields}<button>Go on</button></form>'
