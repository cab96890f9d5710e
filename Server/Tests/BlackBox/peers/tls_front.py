"""A reverse proxy that ends TLS, with a certificate of its own authority, and with mistakes on demand."""

import datetime
import http.client
import ipaddress
import ssl
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

DAY = datetime.timedelta(days=1)


class Authority:
    """Its own root, in `path`, and certificates of it."""

    def __init__(self, directory):
        self.directory = directory
        directory.mkdir()
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Authority of a test")])
        self.certificate = self._signed(self.name, self.key.public_key(), 3650, [
            (x509.BasicConstraints(ca=True, path_length=None), True)])
        self.path = directory / "ca.pem"
        self.path.write_bytes(self.certificate.public_bytes(serialization.Encoding.PEM))

    def context(self, days, name="localhost"):
        """Returns the context of a server whose certificate is valid for so many days from now."""
        key = ec.generate_private_key(ec.SECP256R1())
        names = x509.SubjectAlternativeName([x509.DNSName(name), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
        leaf = self._signed(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)]), key.public_key(), days, [
            (x509.BasicConstraints(ca=False, path_length=None), True), (names, False)])
        path = self.directory / f"{name}-{days}.pem"
        path.write_bytes(leaf.public_bytes(serialization.Encoding.PEM) + key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(path)
        return context

    def _signed(self, subject, key, days, extensions):
        now = datetime.datetime.now(datetime.timezone.utc)
        builder = x509.CertificateBuilder().subject_name(subject).issuer_name(self.name).public_key(key).serial_number(
            x509.random_serial_number()).not_valid_before(now - 30 * DAY).not_valid_after(now + days * DAY)
        for extension, critical in extensions:
            builder = builder.add_extension(extension, critical=critical)
        return builder.sign(self.key, hashes.SHA256())


class Front(ThreadingHTTPServer):
    """Forwards to a port of 127.0.0.1. `context` is that of the next connections."""

    daemon_threads = True

    def __init__(self, port, context):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.target, self.context = port, context
        self.mend()

    def mend(self):
        """Makes no mistake any more."""
        self.forwarded = "set"  # or "append", "pass", "none"
        self.host = None
        self.dropped, self.added = [], []
        self.answers = {}  # path → (status, headers, body)
        self.clock = datetime.timedelta()

    def get_request(self):
        connection, address = super().get_request()
        return self.context.wrap_socket(connection, server_side=True, do_handshake_on_connect=False), address

    def handle_error(self, *_):
        pass

    def __enter__(self):
        threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_):
        self.shutdown()
        self.server_close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        status, headers, body = self.server.answers.get(self.path) or self.forwarded()
        self.send_response_only(status)
        dropped = ["connection", "content-length", "date", "transfer-encoding", *self.server.dropped]
        date = datetime.datetime.now(datetime.timezone.utc) + self.server.clock
        fields = [pair for pair in headers if pair[0].lower() not in dropped] + self.server.added
        for name, value in [*fields, ("Date", date.strftime("%a, %d %b %Y %H:%M:%S GMT")), ("Content-Length", str(len(body)))]:
            self.send_header(name, value)
        self.send_header("Connection", "close")
        self.close_connection = True
        self.end_headers()
        self.wfile.write(body)

    def forwarded(self):
        headers = {name.title(): value for name, value in self.headers.items() if name.lower() not in ("connection", "x-forwarded-for")}
        given, address = self.headers.get("X-Forwarded-For"), self.client_address[0]
        hops = {"set": address, "append": ", ".join(filter(None, [given, address])), "pass": given, "none": None}
        if hops[self.server.forwarded]:
            headers["X-Forwarded-For"] = hops[self.server.forwarded]
        if self.server.host:
            headers["Host"] = self.server.host
        target = http.client.HTTPConnection("127.0.0.1", self.server.target, timeout=5)
        try:
            target.request("GET", self.path, headers=headers)
            answer = target.getresponse()
            return answer.status, answer.getheaders(), answer.read()
        except OSError:
            return 502, [], b"bad gateway"
        finally:
            target.close()

    def log_message(self, *_):
        pass
