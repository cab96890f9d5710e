"""App Attest in software, by other code than the server's: certificates of `cryptography`, CBOR of `fido2`."""

import base64
import datetime
import hashlib
import struct

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID, ObjectIdentifier
from fido2 import cbor

NONCE = ObjectIdentifier("1.2.840.113635.100.8.2")
DAY = datetime.timedelta(days=1)


def sha256(data):
    return hashlib.sha256(data).digest()


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decoded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def certificate(subject, key, issuer, issuer_key, algorithm, is_authority, extensions=(), days=3):
    def name(text):
        return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])
    now = datetime.datetime.now(datetime.timezone.utc)
    usage = {name: False for name in [
        "digital_signature", "content_commitment", "key_encipherment", "data_encipherment", "key_agreement", "key_cert_sign",
        "crl_sign", "encipher_only", "decipher_only"]} | {"key_cert_sign" if is_authority else "digital_signature": True}
    builder = (x509.CertificateBuilder().subject_name(name(subject)).issuer_name(name(issuer)).public_key(key)
               .serial_number(x509.random_serial_number()).not_valid_before(now - DAY).not_valid_after(now + days * DAY)
               .add_extension(x509.BasicConstraints(is_authority, None), True).add_extension(x509.KeyUsage(**usage), True))
    for extension in extensions:
        builder = builder.add_extension(extension, False)
    return builder.sign(issuer_key, algorithm)


class Authority:
    """The root and the intermediate authority."""

    def __init__(self):
        root_key, self.key = ec.generate_private_key(ec.SECP384R1()), ec.generate_private_key(ec.SECP384R1())
        root = certificate("Root", root_key.public_key(), "Root", root_key, hashes.SHA384(), True, days=9000)
        intermediate = certificate("CA 1", self.key.public_key(), "Root", root_key, hashes.SHA384(), True, days=3650)
        self.pem = root.public_bytes(serialization.Encoding.PEM)
        self.intermediate = intermediate.public_bytes(serialization.Encoding.DER)


class Key:
    """A key of the app on a device."""

    def __init__(self, app_id, aaguid=b"appattest" + bytes(7)):
        self.app_id, self.aaguid, self.counter = app_id, aaguid, 0
        self.key = ec.generate_private_key(ec.SECP256R1())
        point = self.key.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
        self.id = sha256(point)
        self.cose = cbor.encode({1: 2, 3: -7, -1: 1, -2: point[1:33], -3: point[33:]})

    def header(self, counter):
        return sha256(self.app_id.encode()) + b"\x40" + struct.pack("!I", counter)

    def attestation(self, challenge, authority):
        """The body that registers the key for a challenge of the server."""
        data = self.header(0) + self.aaguid + struct.pack("!H", 32) + self.id + self.cose
        nonce = sha256(data + sha256(decoded(challenge)))
        leaf = certificate(
            self.id.hex(), self.key.public_key(), "CA 1", authority.key, hashes.SHA256(), False,
            [x509.UnrecognizedExtension(NONCE, b"\x30\x24\xa1\x22\x04\x20" + nonce)])
        chain = [leaf.public_bytes(serialization.Encoding.DER), authority.intermediate]
        attestation = cbor.encode({"fmt": "apple-appattest", "attStmt": {"x5c": chain, "receipt": b""}, "authData": data})
        return {"key_id": base64url(self.id), "attestation": base64url(attestation), "challenge": challenge}

    def assertion(self, method, path, body, counter=None):
        """The value of the header for a request; the next counter unless one is given."""
        self.counter += counter is None
        signed = self.header(self.counter if counter is None else counter)
        client_data = f"{method}\n{path}\n{hashlib.sha256(body).hexdigest()}".encode()
        signature = self.key.sign(sha256(signed + sha256(client_data)), ec.ECDSA(hashes.SHA256()))
        return f"{base64url(self.id)}.{base64url(cbor.encode({'signature': signature, 'authenticatorData': signed}))}"
