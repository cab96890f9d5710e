"""A passkey in software: a client and an authenticator that verifies its user. Source: WebAuthn Level 3 §5 and §6.

The private key is that of `cryptography`; nothing here is the program's.
"""

import base64
import hashlib
import json
import secrets

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

USER_PRESENT, USER_VERIFIED, ATTESTED = 0x01, 0x04, 0x40


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decoded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def head(kind, argument):
    """The head of a CBOR item. Source: RFC 8949 §3."""
    if argument < 24:
        return bytes([kind << 5 | argument])
    width = 1 if argument < 0x100 else 2
    return bytes([kind << 5 | 23 + width]) + argument.to_bytes(width, "big")


def byte_string(data):
    return head(2, len(data)) + data


def text_string(text):
    return head(3, len(text)) + text.encode()


class Passkey:
    """One credential, with a signature counter."""

    def __init__(self):
        self.key, self.id, self.user, self.counter = ec.generate_private_key(ec.SECP256R1()), secrets.token_bytes(32), b"", 0

    def create(self, public_key, origin):
        """Returns the RegistrationResponseJSON for creation options."""
        self.user = decoded(public_key["user"]["id"])
        point = self.key.public_key().public_numbers()
        # A map of kty EC2, alg ES256, crv P-256, x and y. Source: RFC 9053 §7.1.1.
        cose = (b"\xa5\x01\x02\x03\x26\x20\x01\x21" + byte_string(point.x.to_bytes(32, "big"))
                + b"\x22" + byte_string(point.y.to_bytes(32, "big")))
        data = self.data(public_key["rp"]["id"], ATTESTED) + bytes(16) + len(self.id).to_bytes(2, "big") + self.id + cose
        attestation = (head(5, 3) + text_string("fmt") + text_string("none") + text_string("attStmt") + head(5, 0)
                       + text_string("authData") + byte_string(data))
        return self.credential({
            "clientDataJSON": base64url(self.client_data("webauthn.create", public_key, origin)),
            "attestationObject": base64url(attestation), "transports": ["internal"]})

    def get(self, public_key, origin):
        """Returns the AuthenticationResponseJSON for request options."""
        client, data = self.client_data("webauthn.get", public_key, origin), self.data(public_key["rpId"], 0)
        signature = self.key.sign(data + hashlib.sha256(client).digest(), ec.ECDSA(hashes.SHA256()))
        return self.credential({
            "clientDataJSON": base64url(client), "authenticatorData": base64url(data), "signature": base64url(signature),
            "userHandle": base64url(self.user)})

    def data(self, relying_party, flags):
        self.counter += 1
        return (hashlib.sha256(relying_party.encode()).digest() + bytes([USER_PRESENT | USER_VERIFIED | flags])
                + self.counter.to_bytes(4, "big"))

    @staticmethod
    def client_data(kind, public_key, origin):
        return json.dumps({"type": kind, "challenge": public_key["challenge"], "origin": origin, "crossOrigin": False}).encode()

    def credential(self, response):
        return {"id": base64url(self.id), "rawId": base64url(self.id), "type": "public-key", "response": response,
                "clientExtensionResults": {}}
