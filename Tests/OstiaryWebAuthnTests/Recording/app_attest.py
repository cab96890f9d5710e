#!/usr/bin/env python3
"""Records attestations and assertions of App Attest that this project's code did not make.

  app_attest.py > ../AppAttest/RecordedAppAttest.swift

The certificates are made by `cryptography`, the objects are encoded by `fido2`. Each recording is verified by `pyattest` first, an
implementation of Apple's steps that shares no code with this project:

  pip install cryptography fido2 pyattest
"""

import asyncio
import datetime
import hashlib
import struct

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID, ObjectIdentifier
from fido2 import cbor
from pyattest.assertion import Assertion
from pyattest.attestation import Attestation
from pyattest.configs.apple import AppleConfig

NOW = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
DAY = datetime.timedelta(days=1)
APP_ID = "ABCDE12345.com.example.recorded"
CHALLENGE = bytes(range(32))
REQUEST = b"POST\n/vici/auth/login\n" + hashlib.sha256(b"{}").hexdigest().encode()


def name(text):
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text), x509.NameAttribute(NameOID.ORGANIZATION_NAME, "Recorded")])


def usage(**bits):
    names = ["digital_signature", "content_commitment", "key_encipherment", "data_encipherment", "key_agreement", "key_cert_sign",
             "crl_sign", "encipher_only", "decipher_only"]
    return x509.KeyUsage(**{name: bits.get(name, False) for name in names})


def certificate(subject, key, issuer, issuer_key, algorithm, extensions, days):
    builder = (x509.CertificateBuilder().subject_name(subject).issuer_name(issuer).public_key(key)
               .serial_number(x509.random_serial_number()).not_valid_before(NOW - DAY).not_valid_after(NOW + days * DAY))
    for extension, critical in extensions:
        builder = builder.add_extension(extension, critical)
    return builder.sign(issuer_key, algorithm)


def der(certificate):
    return certificate.public_bytes(serialization.Encoding.DER)


def header(counter):
    return hashlib.sha256(APP_ID.encode()).digest() + b"\x40" + struct.pack("!I", counter)


def recording(root, root_key, aaguid, extensions):
    intermediate_key = ec.generate_private_key(ec.SECP384R1())
    intermediate = certificate(
        name("Recorded CA 1"), intermediate_key.public_key(), root.subject, root_key, hashes.SHA384(),
        [(x509.BasicConstraints(True, 0), True), (usage(key_cert_sign=True, crl_sign=True), True),
         (x509.AuthorityKeyIdentifier.from_issuer_public_key(root_key.public_key()), False),
         (x509.SubjectKeyIdentifier.from_public_key(intermediate_key.public_key()), False)], 3650)
    key = ec.generate_private_key(ec.SECP256R1())
    point = key.public_key().public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
    key_id = hashlib.sha256(point).digest()
    cose = cbor.encode({1: 2, 3: -7, -1: 1, -2: point[1:33], -3: point[33:]})
    data = header(0) + aaguid + struct.pack("!H", 32) + key_id + cose + extensions
    nonce = hashlib.sha256(data + hashlib.sha256(CHALLENGE).digest()).digest()
    leaf = certificate(
        name(key_id.hex()), key.public_key(), intermediate.subject, intermediate_key, hashes.SHA256(),
        [(x509.BasicConstraints(False, None), True), (usage(digital_signature=True, key_agreement=True), True),
         (x509.UnrecognizedExtension(ObjectIdentifier("1.2.840.113635.100.8.2"), b"\x30\x24\xa1\x22\x04\x20" + nonce), False)], 3)
    attestation = cbor.encode(
        {"fmt": "apple-appattest", "attStmt": {"x5c": [der(leaf), der(intermediate)], "receipt": b""}, "authData": data})
    request_hash = hashlib.sha256(REQUEST).digest()
    signed = header(1) + extensions
    signature = key.sign(hashlib.sha256(signed + request_hash).digest(), ec.ECDSA(hashes.SHA256()))
    assertion = cbor.encode({"signature": signature, "authenticatorData": signed})

    config = AppleConfig(key_id=key_id, app_id=APP_ID, production=aaguid != b"appattestdevelop",
                         root_ca=root.public_bytes(serialization.Encoding.PEM))
    checked = Attestation(attestation, CHALLENGE, config)
    asyncio.run(checked.verify()) if asyncio.iscoroutinefunction(checked.verify) else checked.verify()
    Assertion(assertion, request_hash, key.public_key(), config).verify()
    return key_id, attestation, assertion


def text(data):
    digits = data.hex()
    lines = [digits[start:start + 112] for start in range(0, len(digits), 112)]
    return '"""\n' + "".join(f"            {line}\n" for line in lines) + '            """'


def main():
    root_key = ec.generate_private_key(ec.SECP384R1())
    root = certificate(
        name("Recorded root"), root_key.public_key(), name("Recorded root"), root_key, hashes.SHA384(),
        [(x509.BasicConstraints(True, None), True), (usage(key_cert_sign=True, crl_sign=True), True),
         (x509.SubjectKeyIdentifier.from_public_key(root_key.public_key()), False)], 9000)
    extensions = cbor.encode({"apple_bundle_version_01": "42", "apple_validation_category_01": b"\x04\0\0\0"})
    print("// Written by Recording/app_attest.py.\n")
    print("/// An attestation and an assertion that `cryptography` and `fido2` made, and `pyattest` verified.")
    print("struct RecordedAppAttest: Sendable {")
    print("    var isProduction: Bool\n    var keyID: [UInt8]\n    var attestation: [UInt8]\n    var assertion: [UInt8]\n")
    print(f'    static let appID = "{APP_ID}"')
    print(f"    static let time: Int64 = {int(NOW.timestamp())}")
    print("    static let challenge: [UInt8] = Array(0..<32)")
    print(f'    static let request = "{REQUEST.decode()}"'.replace("\n", "\\n"))
    print(f"    static let root = hex(\n        {text(der(root))})\n")
    print("    static let all = [")
    for aaguid, added in [(b"appattest" + bytes(7), b""), (b"appattest" + bytes(7), extensions), (b"appattestdevelop", b"")]:
        key_id, attestation, assertion = recording(root, root_key, aaguid, added)
        print("        RecordedAppAttest(")
        print(f"            isProduction: {'false' if aaguid.endswith(b'develop') else 'true'}, keyID: hex(\"{key_id.hex()}\"),")
        print(f"            attestation: hex(\n            {text(attestation)}),")
        print(f"            assertion: hex(\n            {text(assertion)})),")
    print("    ]\n}")


if __name__ == "__main__":
    main()
