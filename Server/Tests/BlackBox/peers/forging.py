"""Invalid ID tokens, which a provider, or an attacker in its place, may answer with."""

import hashlib
import hmac
import json
import time

from cryptography.hazmat.primitives.asymmetric import padding
from cryptography.hazmat.primitives.hashes import SHA256
from joserfc import jwk, jwt

from tokens import encoded, parts


def signed(peer, claims, header=None, key=None, alg=None):
    header = {"alg": alg or peer.alg, "kid": peer.key.kid} | (header or {})
    return jwt.encode(header, claims, key or peer.key, algorithms=[header["alg"]])


def unsigned(claims, alg="none", signature=""):
    head = encoded(json.dumps({"alg": alg, "typ": "JWT"}).encode())
    return f"{head}.{encoded(json.dumps(claims).encode())}.{signature}"


def with_mac(claims, key, kid):
    head = encoded(json.dumps({"alg": "HS256", "typ": "JWT", "kid": kid}).encode())
    message = f"{head}.{encoded(json.dumps(claims).encode())}"
    return f"{message}.{encoded(hmac.new(key, message.encode(), hashlib.sha256).digest())}"


def signed_with_crit(peer, claims):
    head = encoded(json.dumps({"alg": "RS256", "kid": peer.key.kid, "crit": ["x"], "x": 1}).encode())
    message = f"{head}.{encoded(json.dumps(claims).encode())}"
    return f"{message}.{encoded(peer.key.private_key.sign(message.encode(), padding.PKCS1v15(), SHA256()))}"


def lies(peer):
    """Returns the changes to the claims of a valid ID token, by name."""
    now = int(time.time())
    without = lambda key: lambda claims: signed(peer, {name: value for name, value in claims.items() if name != key})
    having = lambda **more: lambda claims: signed(peer, claims | more)
    other_key = jwk.RSAKey.generate_key(2048)
    short_key = jwk.ECKey.generate_key("P-256")
    pem = peer.key.as_pem(private=False)
    return {
        "aud of somebody else": having(aud="somebody-else"), "aud a list without us": having(aud=["a", "b"]),
        "aud empty": having(aud=[]), "no aud": without("aud"),
        "two audiences and azp of the other": having(aud=[peer.client.id, "other"], azp="other"),
        "azp of somebody else": having(azp="somebody-else"),
        "exp in the past": having(exp=now - 3600), "no exp": without("exp"), "exp as text": having(exp="never"),
        "iat in the future": having(iat=now + 86_400, exp=now + 90_000),
        "another issuer": having(iss="https://evil.example"), "issuer with a slash more": having(
            iss=peer.issuer + "/"), "no issuer": without("iss"),
        "another nonce": having(nonce="x" * 43), "no nonce": without("nonce"), "an empty nonce": having(nonce=""),
        "no sub": without("sub"), "an empty sub": having(sub=""), "a number as sub": having(sub=7),
        "a sub of 300 bytes": having(sub="s" * 300), "a NUL in sub": having(sub="a\0b"),
        "alg none": lambda claims: unsigned(claims), "alg None": lambda claims: unsigned(claims, "None"),
        "alg none with a signature": lambda claims: unsigned(claims, "none", "AAAA"),
        "HS256 with the client's secret": lambda claims: with_mac(
            claims, peer.client.secret.encode(), peer.key.kid),
        "HS256 with the public key": lambda claims: with_mac(claims, pem, peer.key.kid),
        "an unknown kid": lambda claims: signed(peer, claims, {"kid": "nobody"}, other_key),
        "another key under the right kid": lambda claims: signed(peer, claims, key=other_key),
        "ES256 of a key of its own in the header": lambda claims: signed(
            peer, claims, {"jwk": short_key.as_dict(private=False)}, short_key, "ES256"),
        "crit": lambda claims: signed_with_crit(peer, claims),
        "a broken signature": lambda claims: signed(peer, claims)[:-8] + "AAAAAAAA",
        "no signature": lambda claims: signed(peer, claims).rpartition(".")[0] + ".",
        "two parts": lambda claims: signed(peer, claims).rpartition(".")[0], "no token": lambda claims: "x",
        "an empty text": lambda claims: "", "more after the end": lambda claims: signed(peer, claims) + ".x",
    }


def forging(peer, lie):
    """Makes the peer's token endpoint answer with `lie` applied to the claims of its ID token."""
    peer.rewrite = {"/token": lambda body: body | {"id_token": lie(parts(body["id_token"])[1])}}
