"""Providers over TLS: a certificate that is not trusted, has expired, or is for another host. Row UP-02."""

import datetime
import ipaddress
import tempfile
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from apps import App
from expectations import refusal
from peers.openid import OpenIDPeer
from server import app as entry
from server import development, serving
from upstreams.misbehaving import AWAY, begin

NOW = datetime.datetime.now(datetime.timezone.utc)
CERTIFICATES = {  # Name or address, days of validity, and whether the app is configured to trust it.
    "trusted": ("127.0.0.1", 1, True), "unknown": ("127.0.0.1", 1, False), "over": ("127.0.0.1", -1, True),
    "anothers": ("127.0.0.2", 1, True),
}


def certificate(directory, name, address, days):
    """A self-signed certificate, in one file with its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    names = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address(address))])
    builder = x509.CertificateBuilder(subject, subject, key.public_key(), x509.random_serial_number(),
                                      NOW - datetime.timedelta(days=2), NOW + datetime.timedelta(days=days))
    builder = builder.add_extension(names, False).add_extension(x509.BasicConstraints(True, None), True)
    made = builder.sign(key, hashes.SHA256())
    public, private = directory / f"{name}.pem", directory / f"{name}.key"
    public.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    private.write_bytes(key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
                                          serialization.NoEncryption()))
    return str(public), str(private)


def run(program, checks):
    with tempfile.TemporaryDirectory(prefix="ostiary-tls-") as directory:
        peers, apps = {}, {}
        for name, (address, days, trusted) in CERTIFICATES.items():
            peer = peers[name] = OpenIDPeer()
            peer.tls = certificate(Path(directory), name, address, days)
            peer.base = peer.issuer = peer.base.replace("http:", "https:")
            more = {"ca_file": peer.tls[0]} if trusted else {}
            apps[name] = entry("timetracker", name, identity=peer.identity() | more)
        try:
            for peer in peers.values():
                peer.start()
            with serving(program, development(**apps), checks) as server:
                for name in apps:
                    app = App(server.wire, server.inbox, "timetracker", name)
                    answer = begin(app)
                    if name == "trusted":
                        checks.that("a certificate of the authority that is configured is trusted", answer.status == 302
                                    and answer.header("location").startswith(peers[name].base), "302", answer)
                    else:
                        refusal(checks, f"a certificate that is {name}", answer, app.contract, AWAY)
                        checks.equal(f"a certificate that is {name}: nothing was asked", [], peers[name].exchanges)
        finally:
            for peer in peers.values():
                peer.stop()
