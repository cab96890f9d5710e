"""A test certificate authority, and a certificate of it for this machine, created by openssl."""

import subprocess
from dataclasses import dataclass
from pathlib import Path


@dataclass
class Identity:
    authority: Path
    certificate: Path
    key: Path


def make(directory, names="DNS:localhost,IP:127.0.0.1"):
    """Creates both in `directory`, valid for a day."""
    directory.mkdir()
    made = Identity(directory / "ca.pem", directory / "server.pem", directory / "server.key")
    authority_key, request = directory / "ca.key", directory / "server.csr"
    curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    _openssl("req", "-x509", *curve, "-keyout", authority_key, "-out", made.authority, "-days", "1", "-subj",
             "/CN=Authority of a test", "-addext", "basicConstraints=critical,CA:TRUE")
    _openssl("req", *curve, "-keyout", made.key, "-out", request, "-subj", "/CN=localhost")
    extensions = directory / "extensions"
    extensions.write_text(f"subjectAltName={names}\n")
    _openssl("x509", "-req", "-in", request, "-CA", made.authority, "-CAkey", authority_key, "-CAcreateserial", "-out",
             made.certificate, "-days", "1", "-extfile", extensions)
    return made


def _openssl(*words):
    done = subprocess.run(["openssl", *map(str, words)], capture_output=True, text=True, timeout=30)
    if done.returncode:
        raise RuntimeError(f"openssl {words[0]}: {done.stderr.strip()[-300:]}")
