"""A moto server that simulates Cognito on a free port of 127.0.0.1, for tests.

Prints one JSON line: its address. POST /control performs operations of the pool's administrator. Ends when its standard
input ends. The behaviour of Cognito that moto lacks is added here, in front of it: every secret hash is verified,
with the username that Cognito uses.
"""

import base64
import functools
import hashlib
import hmac
import io
import json
import os
import sys
import threading
import time

REGION = "us-east-1"
os.environ["MOTO_COGNITO_IDP_USER_POOL_ENABLE_TOTP"] = "true"

from moto.cognitoidp import models
from moto.cognitoidp.utils import cognito_totp
from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import WSGIRequestHandler, make_server

# A code must not expire between its request and its use.
models.verify_totp = functools.partial(models.verify_totp, valid_window=1)
moto = DomainDispatcherApplication(create_backend_app)
backend = models.cognitoidp_backends["123456789012"][REGION]


def secret_hash(username, client):
    code = hmac.new(client.secret.encode(), (username + client.id).encode(), hashlib.sha256)
    return base64.b64encode(code.digest()).decode()


def find_client(client_id):
    for pool in backend.user_pools.values():
        if client_id in pool.clients:
            return pool, pool.clients[client_id]
    return None, None


def prove(body):
    """Returns True if the request has the right secret hash. Replaces it by the one that moto expects."""
    pool, client = find_client(body.get("ClientId"))
    if client is None or not client.generate_secret:
        return True
    parameters = body.get("AuthParameters") or body.get("ChallengeResponses") or {}
    username = typed = parameters.get("USERNAME", "")
    if token := parameters.get("REFRESH_TOKEN"):
        _, typed, _ = pool.refresh_tokens.get(token) or (None, "", None)
        user = pool._get_user(typed)
        username = user.username if user else ""
    given = parameters.get("SECRET_HASH", "")
    # An unknown token has no owner: moto's response is returned.
    if username and not hmac.compare_digest(given, secret_hash(username, client)):
        return False
    parameters["SECRET_HASH"] = secret_hash(typed, client)
    return True


def make_pool(email, secret=True):
    configuration = {"UsernameAttributes": ["email"]} if email else {}
    pool = backend.create_user_pool("pool", configuration)
    client = backend.create_user_pool_client(
        pool.id, secret, {"ReadAttributes": ["email", "email_verified", "name"]}
    )
    return {"pool": pool.id, "client": client.id, "secret": client.secret if secret else None}


def make_user(pool, name, password, temporary=False):
    attributes = [{"Name": "email", "Value": "ada@example.org"}, {"Name": "name", "Value": "Ada Lovelace"}]
    user = backend.admin_create_user(pool, name, "", password, attributes)
    if not temporary:
        backend.admin_set_user_password(pool, name, password, True)
    return {"username": user.username, "subject": user.id}


def disable(pool, name):
    user = backend.admin_get_user(pool, name)
    backend.admin_disable_user(pool, name)
    tokens = backend.user_pools[pool].refresh_tokens
    for token, owner in list(tokens.items()):
        # Cognito revokes the tokens of a disabled user.
        if owner and backend.admin_get_user(pool, owner[1]) is user:
            tokens[token] = None
    return {}


def unconfirm(pool, name):
    backend.admin_get_user(pool, name).status = models.UserStatus.UNCONFIRMED
    return {}


def require_code(pool, name):
    user = backend.admin_get_user(pool, name)
    user.token_verified = user.software_token_mfa_enabled = True
    user.preferred_mfa_setting = "SOFTWARE_TOKEN_MFA"
    return {}


def code():
    return {"code": cognito_totp(models.COGNITO_TOTP_MFA_SECRET).generate(int(time.time())).decode()}


CONTROLS = {control.__name__: control for control in (make_pool, make_user, disable, unconfirm, require_code, code)}


def application(environ, start_response):
    body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
    if environ["PATH_INFO"] == "/control":
        request = json.loads(body)
        answer = json.dumps(CONTROLS[request.pop("do")](**request)).encode()
        start_response("200 OK", [("Content-Type", "application/json"), ("Content-Length", str(len(answer)))])
        return [answer]
    request = json.loads(body)
    if not prove(request):
        message = f"Unable to verify secret hash for client {request['ClientId']}"
        answer = json.dumps({"__type": "NotAuthorizedException", "message": message}).encode()
        start_response("400 Bad Request", [("Content-Length", str(len(answer)))])
        return [answer]
    body = json.dumps(request).encode()
    environ["wsgi.input"] = io.BytesIO(body)
    environ["CONTENT_LENGTH"] = str(len(body))
    return moto(environ, start_response)


class Quiet(WSGIRequestHandler):
    def log(self, *_):
        pass


server = make_server("127.0.0.1", 0, application, threaded=True, request_handler=Quiet)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(json.dumps({"port": server.server_address[1]}), flush=True)
sys.stdin.read()
os._exit(0)
