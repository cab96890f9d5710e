#!/usr/bin/env python3
"""`ostiary pin` compared with OpenSSL, at TLS servers of this script.

  pins.py --program PATH

The certificates are created by OpenSSL: RSA and EC keys, each with an intermediate. OpenSSL also serves them (`s_server`), and
computes their pins by `s_client`, `x509`, `pkey` and `dgst`.
"""

import argparse
import base64
import contextlib
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from checks import Checks
from server import free_port

KINDS = {
    "RSA": ("-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"),
    "P-256": ("-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"),
    "P-384": ("-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-384"),
}
HOSTILE = "loc\x1b[31m\u202ealhost"


def openssl(*arguments, data=None):
    return subprocess.run(["openssl", *map(str, arguments)], input=data, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, check=True, timeout=30).stdout


def pin(certificate):
    """Returns OpenSSL's data of one certificate in PEM."""
    public = openssl("x509", "-pubkey", "-noout", data=certificate)
    digest = openssl("dgst", "-sha256", "-binary", data=openssl("pkey", "-pubin", "-outform", "der", data=public))
    return "sha256/" + base64.b64encode(digest).decode()


class Chain:
    """root → intermediate → leaf for localhost, all with keys of one kind."""

    def __init__(self, directory, kind, names="DNS:localhost,IP:127.0.0.1", subject="localhost"):
        self.directory = Path(tempfile.mkdtemp(dir=directory))
        for name in ("root", "intermediate", "leaf"):
            openssl("genpkey", *KINDS[kind], "-out", self.path(name, "key"))
        openssl("req", "-x509", "-new", "-key", self.path("root", "key"), "-subj", f"/O=Black box/CN={kind} root", "-days", 2,
                "-addext", "keyUsage=critical,keyCertSign,cRLSign", "-out", self.path("root"))
        self.issue("intermediate", "root", f"/CN={kind} intermediate",
                   "basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign\n")
        self.issue("leaf", "intermediate", f"/CN={subject}", "basicConstraints=critical,CA:FALSE\n"
                   f"keyUsage=critical,digitalSignature\nextendedKeyUsage=serverAuth\nsubjectAltName={names}\n")
        self.pins = [pin(self.path(name).read_bytes()) for name in ("leaf", "intermediate", "root")]

    def path(self, name, kind="pem"):
        return self.directory / f"{name}.{kind}"

    def issue(self, name, issuer, subject, extensions):
        self.path(name, "ext").write_text(extensions)
        request = openssl("req", "-new", "-utf8", "-key", self.path(name, "key"), "-subj", subject)
        openssl("x509", "-req", "-CA", self.path(issuer), "-CAkey", self.path(issuer, "key"), "-set_serial",
                int.from_bytes(os.urandom(8), "big"), "-days", 2, "-extfile", self.path(name, "ext"), "-out", self.path(name),
                data=request)

    @contextlib.contextmanager
    def served(self):
        """`openssl s_server` with this chain, and its port."""
        port = free_port()
        process = subprocess.Popen(
            ["openssl", "s_server", "-accept", f"127.0.0.1:{port}", "-cert", self.path("leaf"), "-key",
             self.path("leaf", "key"), "-cert_chain", self.path("intermediate"), "-www"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        try:
            # It prints ACCEPT when it listens.
            while b"ACCEPT" not in (line := process.stdout.readline()):
                if not line:
                    raise RuntimeError("openssl s_server did not start")
            threading.Thread(target=process.stdout.read, daemon=True).start()
            yield port
        finally:
            process.terminate()
            process.wait(10)


def presented(port):
    """Returns the pins of the certificates that `openssl s_client` receives."""
    text = openssl("s_client", "-connect", f"127.0.0.1:{port}", "-servername", "localhost", "-showcerts", data=b"")
    found = re.findall(rb"-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----\n", text, re.DOTALL)
    return [pin(certificate) for certificate in found]


def run(program, *arguments):
    return subprocess.run([program, "pin", *map(str, arguments)], capture_output=True, text=True, timeout=60)


def rows(done):
    return json.loads(done.stdout) if done.stdout else []


def failed(checks, name, done, status, *named):
    checks.equal(f"{name}: exit status", status, done.returncode)
    checks.equal(f"{name}: nothing on standard output", "", done.stdout)
    if status == 1:
        checks.equal(f"{name}: one line on standard error", 1, done.stderr.count("\n"))
    for text in named:
        checks.that(f"{name}: names {text}", text in done.stderr, text, done.stderr)


def same_as_openssl(program, checks, kind, directory):
    chain = Chain(directory, kind)
    with chain.served() as port:
        shown = presented(port)
        checks.equal("s_client is shown leaf and intermediate", chain.pins[:2], shown)
        done = run(program, f"localhost:{port}", "--ca", chain.path("root"), "--json")
        checks.equal("a validated chain: exit status", (0, ""), (done.returncode, done.stderr))
        checks.equal("a validated chain goes to its root", chain.pins, [row["pin"] for row in rows(done)])
        checks.equal("subjects", ["CN=localhost", f"CN={kind} intermediate", f"CN={kind} root,O=Black box"],
                     [row["subject"] for row in rows(done)])
        checks.equal("all are validated", [True] * 3, [row["validated"] for row in rows(done)])
        text = run(program, f"127.0.0.1:{port}", "--ca", chain.path("root"))
        checks.equal("as a table", chain.pins, [line.split()[0] for line in text.stdout.splitlines()[1:]])
        checks.that("the table has titles", text.stdout.startswith("PIN"), "PIN", text.stdout)

        done = run(program, f"localhost:{port}", "--json")
        checks.equal("a root that the system does not know: exit status", 1, done.returncode)
        checks.equal("what was presented is listed", shown, [row["pin"] for row in rows(done)])
        checks.equal("and not called validated", [False] * 2, [row["validated"] for row in rows(done)])
        checks.that("which is said", "not validated" in done.stderr, "not validated", done.stderr)


def bad_chains(program, checks, directory):
    chain = Chain(directory, "P-256", names="DNS:example.test")
    with chain.served() as port:
        done = run(program, f"localhost:{port}", "--ca", chain.path("root"), "--json")
        checks.equal("another's name: exit status", 1, done.returncode)
        checks.equal("another's name: what was presented", chain.pins[:2], [row["pin"] for row in rows(done)])
        checks.that("another's name: said", "not validated" in done.stderr, "not validated", done.stderr)
    chain = Chain(directory, "P-256", subject=HOSTILE)
    with chain.served() as port:
        for more in ([], ["--json"], ["--ca", chain.path("root")]):
            done = run(program, f"localhost:{port}", *more)
            both = done.stdout + done.stderr
            checks.that(f"a hostile name is shown harmless {more[:1]}", "\x1b" not in both and "\u202e" not in both, "",
                        both)


def refusals(program, checks, directory):
    for arguments in ([], ["https://localhost"], ["localhost/x"], ["localhost:0"], ["localhost:99999"], ["::1"],
                      ["user@localhost"], ["a b"], [""], ["localhost", "--timeout", "0"], ["localhost", "extra"]):
        failed(checks, f"{arguments}", run(program, *arguments), 64)
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        failed(checks, "a closed port", run(program, f"127.0.0.1:{unused.getsockname()[1]}"), 1, "cannot be reached")
    failed(checks, "no such host", run(program, "nowhere.invalid"), 1, "nowhere.invalid", "cannot be reached")
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        failed(checks, "a silent server", run(program, f"127.0.0.1:{port}", "--timeout", "1"), 1, "in time")
    with socket.create_server(("127.0.0.1", 0)) as plain:
        def greet():
            connection, _ = plain.accept()
            connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            connection.recv(65536)
            connection.close()
        threading.Thread(target=greet, daemon=True).start()
        failed(checks, "a server without TLS", run(program, f"127.0.0.1:{plain.getsockname()[1]}"), 1, "TLS")
    nonsense = Path(directory) / "nonsense.pem"
    nonsense.write_text("nonsense")
    failed(checks, "roots that are none", run(program, "localhost", "--ca", nonsense), 1, "nonsense.pem", "PEM")
    failed(checks, "roots that are not there", run(program, "localhost", "--ca", "/nowhere.pem"), 1, "/nowhere.pem")
    done = run(program, "--help")
    checks.that("--help has an example", done.returncode == 0 and "ostiary pin auth.example.com" in done.stdout, "an example",
                done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, help="path of the program `ostiary`")
    program = parser.parse_args().program
    checks = Checks()
    with tempfile.TemporaryDirectory(prefix="ostiary-pins-") as directory:
        for kind in KINDS:
            checks.run(kind, lambda: same_as_openssl(program, checks, kind, directory))
        checks.run("bad chains", lambda: bad_chains(program, checks, directory))
        checks.run("refusals", lambda: refusals(program, checks, directory))
    return checks.close()


if __name__ == "__main__":
    sys.exit(main())
