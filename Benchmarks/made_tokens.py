"""Creates tokens of vici as the server does, for the sessions of `population.sql`: obtaining them by sign-ins would take hours."""

import base64
import hashlib
import hmac
import json
import time
import uuid

ISSUER, AUDIENCE = "urn:ostiary:vici", "vici"


def account_id(number):
    return _id(f"account-{number}")


def session_id(number):
    return _id(f"session-{number}-1")


def access_token(number, secret):
    return _signed("at+jwt", secret, {
        "token_use": "access", "jti": f"{number:022}", "email": f"person-{number}@example.com"}, number)


def refresh_token(number, secret):
    return _signed("refresh+jwt", secret, {"token_use": "refresh"}, number)


def _id(text):
    return str(uuid.UUID(hashlib.md5(text.encode()).hexdigest()))


def _signed(kind, secret, claims, number):
    now = int(time.time())
    claims = claims | {"iss": ISSUER, "aud": AUDIENCE, "sub": account_id(number), "sid": session_id(number), "gen": 0,
                       "iat": now, "exp": now + 86400}
    content = f"{_encoded({'alg': 'HS256', 'typ': kind})}.{_encoded(claims)}"
    signature = hmac.new(secret.encode(), content.encode(), hashlib.sha256).digest()
    return f"{content}.{_base64(signature)}"


def _encoded(members):
    return _base64(json.dumps(members, sort_keys=True, separators=(",", ":")).encode())


def _base64(content):
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()
