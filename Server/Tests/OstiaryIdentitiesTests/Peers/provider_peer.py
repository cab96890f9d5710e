"""An identity provider on a free port of 127.0.0.1 that misbehaves on demand, for tests.

Prints one line of JSON: its address. `POST /control` sets its behaviour for later requests, `GET /control` returns the
requests that it received. Ends when its standard input ends.
"""

import argparse
import base64
import datetime
import hashlib
import hmac
import http.server
import ipaddress
import json
import os
import socket
import ssl
import struct
import sys
import tempfile
import threading
import time
import urllib.parse

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa, utils
from cryptography.x509.oid import NameOID
from joserfc import jwk

parser = argparse.ArgumentParser()
parser.add_argument("--tls", choices=["good", "expired", "wrong-host", "self-signed"])
arguments = parser.parse_args()

HASHES = {"256": hashes.SHA256, "384": hashes.SHA384, "512": hashes.SHA512}
CLIENT_SECRET = "s3cret of the client: ä+/%"


def b64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Keys(dict):
    """Creates a key on first use: RSA keys take long to generate."""

    def __missing__(self, kid):
        curves = {"p256": ec.SECP256R1, "p384": ec.SECP384R1, "p521": ec.SECP521R1}
        self[kid] = (
            ec.generate_private_key(curves[kid]()) if kid in curves
            else rsa.generate_private_key(65537, 1024 if kid == "small" else 2048))
        return self[kid]


KEYS = Keys()


def public(kid):
    """Returns a key as it is published; serialized by joserfc, so that the test does not repeat a mistake of the implementation."""
    pem = KEYS[kid].public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    if kid == "small":
        numbers = KEYS[kid].public_key().public_numbers()
        members = {"kty": "RSA", "n": b64(numbers.n.to_bytes(128, "big")), "e": "AQAB"}
    else:
        members = jwk.import_key(pem, "EC" if kid.startswith("p") else "RSA").as_dict(private=False)
    return {"kty": members["kty"], **members, "kid": kid, "use": "sig"}


def sign(algorithm, kid, message):
    if algorithm == "none":
        return b"x"
    if algorithm.startswith("HS"):
        return hmac.new(CLIENT_SECRET.encode(), message, hashlib.sha256).digest()
    key, function = KEYS[kid], HASHES[algorithm[2:]]()
    if algorithm.startswith("ES"):
        r, s = utils.decode_dss_signature(key.sign(message, ec.ECDSA(function)))
        size = (key.curve.key_size + 7) // 8
        return r.to_bytes(size, "big") + s.to_bytes(size, "big")
    if algorithm.startswith("PS"):
        return key.sign(message, padding.PSS(padding.MGF1(function), function.digest_size), function)
    return key.sign(message, padding.PKCS1v15(), function)


lock = threading.Lock()
requests = []
settings = {}


def now():
    return settings.get("now", int(time.time()))


def id_token():
    wish = settings.get("id_token", {})
    if "verbatim" in wish:
        return wish["verbatim"]
    header = {"alg": "RS256", "kid": wish.get("kid", "rsa"), "typ": "JWT", **wish.get("header", {})}
    header = {name: value for name, value in header.items() if value is not None}
    claims = {
        "iss": settings.get("issuer", base), "sub": "person-1", "aud": "client-1", "exp": now() + 300, "iat": now(),
        "nonce": "nonce-1", "email": "ada@example.com", "email_verified": True, "name": "Ada Lovelace",
        "preferred_username": "ada", **wish.get("claims", {}),
    }
    payload = wish.get("payload") or json.dumps({n: v for n, v in claims.items() if n not in wish.get("drop", [])})
    message = f"{b64(json.dumps(header).encode())}.{b64(payload.encode())}"
    signature = sign(wish.get("sign_as") or header["alg"], wish.get("kid", "rsa"), message.encode())
    if wish.get("break_signature"):
        signature = signature[:-1] + bytes([signature[-1] ^ 1])
    return f"{message}.{'' if wish.get('unsigned') else b64(signature)}"


def discovery():
    issuer = settings.get("issuer", base)
    document = {
        "issuer": issuer, "authorization_endpoint": f"{issuer}/authorize?tenant=a%20b", "token_endpoint": f"{issuer}/token",
        "jwks_uri": f"{issuer}/jwks", "userinfo_endpoint": f"{issuer}/userinfo", "response_types_supported": ["code"],
        **settings.get("discovery", {}),
    }
    return {name: value for name, value in document.items() if value is not None}


def key_set():
    published = [public(kid) for kid in settings.get("published", ["rsa", "small", "p256", "p384", "p521"])]
    strange = [7, {"kty": "OKP", "crv": "Ed25519", "x": "AA"}, {"kty": "oct", "k": "c2VjcmV0"}]
    return {"keys": [{**key, **settings.get("key", {})} for key in published] + strange}


def token():
    return {
        "access_token": "access-token-1", "token_type": "Bearer", "expires_in": 300, "id_token": id_token(),
        "something": {"else": [1]},
    }


PATHS = {
    "/.well-known/openid-configuration": discovery,
    "/jwks": key_set,
    "/.well-known/jwks.json": key_set,
    "/token": token,
    "/oauth/token": token,
    "/userinfo": lambda: {"sub": "person-1"},
    "/login/oauth/access_token": lambda: {"access_token": "gho_1", "token_type": "bearer", "scope": "user:email"},
    "/user": lambda: {"id": 583231, "login": "octocat", "name": "Octo Cat", "email": None},
    "/user/emails": lambda: [
        {"email": "old@example.com", "primary": False, "verified": True},
        {"email": "octo@example.com", "primary": True, "verified": True},
    ],
}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        path = self.path.partition("?")[0]
        if path == "/control":
            return self.control(body)
        with lock:
            requests.append({
                "path": path,
                "headers": {name.lower(): value for name, value in self.headers.items()},
                "form": dict(urllib.parse.parse_qsl(body.decode(), strict_parsing=False)),
            })
            wish = settings.get("answers", {}).get(path, {})
            answer = json.dumps(PATHS[path]()) if path in PATHS else "{}"
        self.misbehave(wish, answer.encode())

    do_GET = do_POST

    def control(self, body):
        global settings
        with lock:
            if body:
                settings = json.loads(body)
            answer = json.dumps({"requests": requests}).encode()
        self.reply(200, {}, answer)

    def misbehave(self, wish, answer):
        how = wish.get("how")
        if how == "silent":
            threading.Event().wait()
        if how == "reset":
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.close_connection = True
            return self.connection.close()
        if "body" in wish:
            answer = wish["body"].encode()
        if how in ("endless", "dripping"):
            self.send_response(200)
            # A length that is too large would be refused at once.
            if how == "dripping":
                self.send_header("Content-Length", str(10**6))
            else:
                self.send_header("Connection", "close")
            self.end_headers()
            try:
                while True:
                    self.wfile.write(b" " * (65536 if how == "endless" else 1))
                    if how == "dripping":
                        time.sleep(0.02)
            except OSError:
                self.close_connection = True
            return
        if "padding" in wish:
            answer = b" " * wish["padding"] + answer
        self.reply(wish.get("status", 200), wish.get("headers", {}), answer)

    def reply(self, status, headers, body):
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def certificate(subject, issuer, key, signer, alternative, expired, authority):
    moment = datetime.datetime.now(datetime.timezone.utc)
    day = datetime.timedelta(days=1)
    builder = (
        x509.CertificateBuilder().subject_name(name(subject)).issuer_name(name(issuer)).public_key(key.public_key())
        .serial_number(x509.random_serial_number()).not_valid_before(moment - 3 * day)
        .not_valid_after(moment - day if expired else moment + day)
        .add_extension(x509.BasicConstraints(ca=authority, path_length=None), critical=True)
    )
    if alternative:
        builder = builder.add_extension(x509.SubjectAlternativeName([alternative]), critical=False)
    return builder.sign(signer, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)


def name(text):
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def context(mode, folder):
    """Returns the server's side of TLS; writes the authority's certificate to a file."""
    authority, key = KEYS["p256"], KEYS["p384"]
    here = x509.IPAddress(ipaddress.ip_address("127.0.0.1"))
    host = x509.DNSName("other.example") if mode == "wrong-host" else here
    trusted = certificate("authority", "authority", authority, authority, None, False, True)
    own = mode == "self-signed"
    leaf = certificate(
        "leaf", "leaf" if own else "authority", key, key if own else authority, host, mode == "expired", False)
    files = {"authority.pem": trusted, "leaf.pem": leaf, "key.pem": key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())}
    for file, content in files.items():
        with open(os.path.join(folder, file), "wb") as output:
            output.write(content)
    side = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    side.load_cert_chain(os.path.join(folder, "leaf.pem"), os.path.join(folder, "key.pem"))
    return side


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, *_):
        pass


server = Server(("127.0.0.1", 0), Handler)
base = f"{'https' if arguments.tls else 'http'}://127.0.0.1:{server.server_address[1]}"
with tempfile.TemporaryDirectory() as folder:
    if arguments.tls:
        # The handshake runs in the thread of its connection: one that fails must not delay the next.
        server.socket = context(arguments.tls, folder).wrap_socket(
            server.socket, server_side=True, do_handshake_on_connect=False)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(json.dumps({"base": base, "authority": os.path.join(folder, "authority.pem")}), flush=True)
    sys.stdin.read()
