"""Authenticators in software, on the encoders of `python-fido2` and the keys of `cryptography`, not the program's."""

import hashlib
import json
import secrets
import struct
from base64 import urlsafe_b64decode, urlsafe_b64encode

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
from fido2 import cbor, cose

ES256, EDDSA, RS256 = -7, -8, -257
# The flags of authenticator data: user present, user verified, backup eligible, backed up, attested credential data.
UP, UV, BE, BS, AT = 0x01, 0x04, 0x08, 0x10, 0x40


def encoded(data):
    return urlsafe_b64encode(data).decode().rstrip("=")


def decoded(text):
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


class SoftwarePasskey:
    """One passkey. The options of both ceremonies are read as a browser reads them; a caller can change what it writes."""

    def __init__(self, origin, algorithm=ES256, flags=UP | UV):
        self.origin, self.algorithm, self.flags, self.counter = origin, algorithm, flags, 0
        self.id = secrets.token_bytes(32)
        self.handle = None
        self.key = (ed25519.Ed25519PrivateKey.generate() if algorithm == EDDSA
                    else rsa.generate_private_key(65537, 2048) if algorithm == RS256
                    else ec.generate_private_key(ec.SECP256R1()))

    @property
    def public_key(self):
        kind = {ES256: cose.ES256, EDDSA: cose.EdDSA, RS256: cose.RS256}[self.algorithm]
        return kind.from_cryptography_key(self.key.public_key())

    def client_data(self, kind, public_key, **changes):
        return json.dumps({"type": f"webauthn.{kind}", "challenge": public_key["challenge"], "origin": self.origin,
                           "crossOrigin": False} | changes).encode()

    def authenticator_data(self, rp_id, flags, credential=b""):
        self.counter += 1
        return hashlib.sha256(rp_id.encode()).digest() + struct.pack(">BI", flags, self.counter) + credential

    def create(self, public_key, client=None, rp_id=None, flags=None, key=None, attested=None, change=None):
        """Returns a `RegistrationResponseJSON`.

        `client` are changed members of the client data, `key` is another COSE key, `attested` another credential id in the
        authenticator data, and `change` a function from the attestation object to other bytes.
        """
        self.handle = decoded(public_key["user"]["id"])
        identifier = attested or self.id
        credential = bytes(16) + struct.pack(">H", len(identifier)) + identifier + cbor.encode(key or self.public_key)
        data = self.authenticator_data(
            rp_id or public_key["rp"]["id"], AT | (self.flags if flags is None else flags), credential)
        attestation = cbor.encode({"fmt": "none", "attStmt": {}, "authData": data})
        return self.response({
            "clientDataJSON": encoded(self.client_data("create", public_key, **client or {})),
            "attestationObject": encoded(change(attestation) if change else attestation), "transports": ["internal"]})

    def get(self, public_key, **client):
        """Returns an `AuthenticationResponseJSON`."""
        client_data = self.client_data("get", public_key, **client)
        data = self.authenticator_data(public_key["rpId"], self.flags)
        return self.response({
            "clientDataJSON": encoded(client_data), "authenticatorData": encoded(data),
            "signature": encoded(self.sign(data + hashlib.sha256(client_data).digest())),
            "userHandle": encoded(self.handle)})

    def sign(self, message):
        if self.algorithm == EDDSA:
            return self.key.sign(message)
        if self.algorithm == RS256:
            return self.key.sign(message, padding.PKCS1v15(), hashes.SHA256())
        return self.key.sign(message, ec.ECDSA(hashes.SHA256()))

    def response(self, response):
        return {"id": encoded(self.id), "rawId": encoded(self.id), "type": "public-key", "response": response,
                "authenticatorAttachment": "platform", "clientExtensionResults": {}}


def hostile_registrations(origin):
    """Returns registrations that no server may accept, by name: each a function from the options to the response."""
    def with_changes(**changes):
        return lambda options: SoftwarePasskey(origin).create(options, **changes)

    def key_with(**members):
        """A COSE key with other members, by label: `alg` 3, `crv` -1, `x` -2, `y` -3; for RSA `n` -1 and `e` -2."""
        names = {"kty": 1, "alg": 3, "crv": -1, "x": -2, "y": -3}
        key = dict(SoftwarePasskey(origin).public_key)
        for name, value in members.items():
            if value is None:
                del key[names[name]]
            else:
                key[names[name]] = value
        return key

    def rsa_key(bits, exponent=65537):
        numbers = rsa.generate_private_key(exponent, bits).public_key().public_numbers()
        return {1: 3, 3: RS256, -1: numbers.n.to_bytes(bits // 8, "big"),
                -2: exponent.to_bytes(3 if exponent > 255 else 1, "big")}

    changes = {
        "the client data of a sign-in": {"client": {"type": "webauthn.get"}},
        "a challenge of its own": {"client": {"challenge": encoded(secrets.token_bytes(32))}},
        "a short challenge": {"client": {"challenge": "AAAA"}},
        "another origin": {"client": {"origin": "https://evil.example"}},
        "the origin with another scheme": {"client": {"origin": origin.replace("http://", "https://")}},
        "the origin with a path": {"client": {"origin": f"{origin}/"}},
        "a frame of another origin": {"client": {"crossOrigin": True}},
        "another RP ID": {"rp_id": "example.com"},
        "an RP ID below it": {"rp_id": "a.localhost"},
        "no user present": {"flags": UV},
        "no user verified": {"flags": UP},
        "no flags": {"flags": 0},
        "a backup that is not eligible": {"flags": UP | UV | BS},
        "extensions that are not there": {"flags": UP | UV | 0x80},
        "an id that is not the key's": {"attested": secrets.token_bytes(32)},
        "an id of 1,024 bytes": {"attested": secrets.token_bytes(1024)},
        "the algorithm ES384": {"key": key_with(alg=-35)},
        "an unknown algorithm": {"key": key_with(alg=-9999)},
        "no algorithm": {"key": key_with(alg=None)},
        "a point off its curve": {"key": key_with(y=secrets.token_bytes(32))},
        "a coordinate that is too short": {"key": key_with(x=secrets.token_bytes(31))},
        "no coordinate": {"key": key_with(y=None)},
        "the curve of another algorithm": {"key": key_with(crv=6)},
        "an RSA key of 1,024 bits": {"key": rsa_key(1024)},
        "an RSA key with the exponent 3": {"key": rsa_key(2048, 3)},
        "bytes after the attestation": {"change": lambda data: data + b"\x00"},
        "an attestation that is cut off": {"change": lambda data: data[:-1]},
        "an empty attestation": {"change": lambda data: b""},
        "an attestation that is no map": {"change": lambda data: b"\x80"},
        "an attestation of indefinite length": {"change": lambda data: b"\xbf" + data[1:] + b"\xff"},
        "a member twice": {"change": lambda data: b"\xa4" + data[1:] + b"\x63fmt\x64none"},
        "nesting": {"change": lambda data: b"\x81" * 10_000},
        "a length beyond its end": {"change": lambda data: b"\x5b" + b"\xff" * 8},
    }
    return {name: with_changes(**change) for name, change in changes.items()}
