#!/usr/bin/env python3
"""Compares proofs.json with an implementation of RFC 9449 by others: it must accept each proof for its request, and no other.

  check_proofs.py            checks
  check_proofs.py --write    makes the proofs anew, by the few lines here and by joserfc, and not by the program
"""

import base64
import hashlib
import json
import sys
import time
from pathlib import Path

from joserfc import jws
from joserfc.jwk import ECKey
from requests_oauth2client import InvalidDPoPProof, validate_dpop_proof

FILE = Path(__file__).with_name("proofs.json")
REQUESTS = [
    {"jti": "first-0123456789abcdef", "htm": "POST", "htu": "https://auth.example.com/vici/v1/auth/login",
     "iat": 1800000000},
    {"jti": "second-0123456789abcde", "htm": "GET", "htu": "https://auth.example.com/vici/v1/auth/me", "iat": 1800000001,
     "access_token": "an.access.token", "nonce": "a-nonce_of-the-server"},
    {"jti": "third-0123456789abcdef", "htm": "DELETE", "htu": "http://127.0.0.1:3001/projects/a%2Fb", "iat": 1800000002,
     "access_token": "another.access.token"},
]


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def hash_of(token):
    return encoded(hashlib.sha256(token.encode()).digest())


def vector(request, key):
    public = key.as_dict(private=False)
    jwk = {name: public[name] for name in ("kty", "crv", "x", "y")}
    claims = {name: request[name] for name in ("jti", "htm", "htu", "iat")}
    if "access_token" in request:
        claims["ath"] = hash_of(request["access_token"])
    if "nonce" in request:
        claims["nonce"] = request["nonce"]
    header = {"typ": "dpop+jwt", "alg": "ES256", "jwk": jwk}
    registry = jws.JWSRegistry(algorithms=["ES256"], strict_check_header=False)
    proof = jws.serialize_compact(header, json.dumps(claims, separators=(",", ":")), key, registry=registry)
    return request | {"x": jwk["x"], "y": jwk["y"], "thumbprint": key.thumbprint(), "proof": proof}


def accepted(vector, **changes):
    expected = {"htm": vector["htm"], "htu": vector["htu"], "nonce": vector.get("nonce"), "algs": ["ES256"],
                "ath": hash_of(vector["access_token"]) if "access_token" in vector else None} | changes
    try:
        validate_dpop_proof(vector["proof"], leeway=int(abs(time.time() - vector["iat"])) + 60, **expected)
    except InvalidDPoPProof:
        return False
    return True


def main():
    if "--write" in sys.argv:
        vectors = [vector(request, ECKey.generate_key("P-256")) for request in REQUESTS]
        FILE.write_text(json.dumps(vectors, indent=2) + "\n")
    vectors = json.loads(FILE.read_text())
    wrong = [item["jti"] for item in vectors if not accepted(item)]
    wrong += [item["jti"] for item in vectors if accepted(item, htm="PUT") or accepted(item, htu="https://evil.example/")
              or accepted(item, ath=hash_of("evil"))]
    wrong += [item["jti"] for item in vectors
              if ECKey.import_key({"kty": "EC", "crv": "P-256", "x": item["x"], "y": item["y"]}).thumbprint() != item["thumbprint"]]
    print(f"{len(vectors)} proofs" if not wrong else f"differ: {', '.join(wrong)}")
    return 1 if wrong or not vectors else 0


if __name__ == "__main__":
    sys.exit(main())
