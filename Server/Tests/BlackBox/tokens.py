"""Reading and verifying JWTs, with the standard library for HS256 and `cryptography` for ES256."""

import base64
import hashlib
import hmac
import json

try:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric import ec, utils
    from cryptography.hazmat.primitives.hashes import SHA256
    CAN_VERIFY_ES256 = True
except ImportError:
    CAN_VERIFY_ES256 = False


def decoded(part):
    return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def parts(token):
    """Returns header and claims, unverified."""
    header, claims, _ = token.split(".")
    return json.loads(decoded(header)), json.loads(decoded(claims))


def forged(token, header=None, claims=None, signature=None):
    """Returns the token with parts of it replaced; dicts are merged into the existing ones, the signature is kept."""
    old_header, old_claims = parts(token)
    head, body = encoded(json.dumps(old_header | (header or {})).encode()), token.split(".")[1]
    if claims:
        body = encoded(json.dumps(old_claims | claims).encode())
    return f"{head}.{body}.{token.split('.')[2] if signature is None else signature}"


def verifies_hs256(token, secret):
    message, _, signature = token.rpartition(".")
    expected = hmac.new(secret.encode(), message.encode(), hashlib.sha256).digest()
    return parts(token)[0].get("alg") == "HS256" and hmac.compare_digest(expected, decoded(signature))


def verifies_es256(token, keys):
    """Returns True if one of the JWKs, the one that the token names, signed it."""
    header = parts(token)[0]
    key = next((key for key in keys if key.get("kid") == header.get("kid")), None)
    message, _, signature = token.rpartition(".")
    raw = decoded(signature)
    if key is None or header.get("alg") != "ES256" or len(raw) != 64:
        return False
    x, y = (int.from_bytes(decoded(key[name]), "big") for name in "xy")
    public = ec.EllipticCurvePublicNumbers(x, y, ec.SECP256R1()).public_key()
    der = utils.encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    try:
        public.verify(der, message.encode(), ec.ECDSA(SHA256()))
        return True
    except InvalidSignature:
        return False
