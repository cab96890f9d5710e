"""Seals saved-sessions-2.json by another implementation than the SDK's, under a fixed key and nonce:

    .build-python/bin/python Tests/OstiaryClientTests/Golden/seal.py > Tests/OstiaryClientTests/Golden/sealed-sessions-2.json
"""

import base64
import hashlib
import json
import pathlib

from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

KEY = bytes(range(32))
NONCE = bytes(range(0xA0, 0xAC))


def derived(purpose, length):
    return HKDF(SHA256(), length, None, purpose).derive(KEY)


def compact(value):
    return json.dumps(value, separators=(",", ":")).encode()


document = pathlib.Path(__file__).with_name("saved-sessions-2.json").read_bytes()
source = "key-file"
key_id = base64.b64encode(derived(b"ostiary/sessions/key-id", 9)).decode()
context = compact([2, "clarity", "https://auth.example.com/clarity", source, key_id])
sealed = NONCE + AESGCM(derived(b"ostiary/sessions/seal", 32)).encrypt(NONCE, document, context)
parts = [source, key_id, base64.b64encode(sealed).decode()]
check = base64.b64encode(hashlib.sha256(compact(parts)).digest()[:8]).decode()
print(json.dumps(dict(zip(["version", "key", "key_id", "sealed", "check"], [2, *parts, check])), indent=2))
