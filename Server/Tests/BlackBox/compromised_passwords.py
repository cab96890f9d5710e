#!/usr/bin/env python3
"""Compromised passwords: a list made by the command, a range API of this test's, damage and failure.

  compromised_passwords.py --program PATH
"""

import argparse
import contextlib
import hashlib
import http.server
import json
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from apps import App
from checks import Checks
from server import app, clean_environment, development, serving

KNOWN = [f"Breached horse {number}" for number in range(2000)]
FREE = "an unheard-of passphrase 7319"


def digest(password):
    return hashlib.sha1(password.encode()).hexdigest().upper()


class Range(http.server.BaseHTTPRequestHandler):
    """A server of the form of Have I Been Pwned's range API."""

    asked = []
    padded = []
    trouble = None  # Answers instead.

    def do_GET(self):
        prefix = self.path.rsplit("/", 1)[1]
        Range.asked.append(prefix)
        Range.padded.append(self.headers.get("Add-Padding"))
        if Range.trouble:
            Range.trouble(self)
            return
        self.send(self.lines(prefix))

    def lines(self, prefix):
        lines = [f"{digest(password)[5:]}:{number + 1}" for number, password in enumerate(KNOWN) if digest(password)[:5] == prefix]
        return lines + [f"{digest(FREE)[5:]}:0", "0" * 35 + ":0"]

    def send(self, lines):
        body = "\r\n".join(lines).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        with contextlib.suppress(ConnectionError):
            self.wfile.write(body)

    def log_message(self, *_):
        pass


def failing(request):
    request.send_error(503)


def redirecting(request):
    request.send_response(302)
    request.send_header("Location", f"/elsewhere{request.path}")
    request.end_headers()


def without_end(request):
    request.send(request.lines(request.path.rsplit("/", 1)[1]) + ["0" * 35 + ":0"] * 60_000)


def slow(request):
    time.sleep(2.5)
    request.send(request.lines(request.path.rsplit("/", 1)[1]))


def troubles(server, checks):
    """A server that cannot be asked delays a registration by a second at most, and prevents none."""
    for number, trouble in enumerate([failing, redirecting, without_end, slow], 1):
        Range.trouble, asked, begun = trouble, len(Range.asked), time.monotonic()
        target = App(server.wire, server.inbox, "vici", "ranged")
        answer = target.call("register", target.newcomer(password=KNOWN[0]))
        checks.equal(f"{trouble.__name__}: a known password passes", 201, answer.status)
        checks.equal(f"{trouble.__name__}: one question", 1, len(Range.asked) - asked)
        checks.that(f"{trouble.__name__}: within its second", time.monotonic() - begun < 2.2, "", time.monotonic() - begun)
        metrics = server.wire.get("/metrics").body.decode()
        checks.that(f"{trouble.__name__}: it is counted", f'ostiary_compromised_password_failures_total{{source="url"}} {number}\n' in metrics)


def try_passwords(server, name, checks, wire_name):
    """Registers with known passwords and with others."""
    target = App(server.wire, server.inbox, name, wire_name)
    for password in (KNOWN[0], KNOWN[1999]):
        answer = target.call("register", target.newcomer(password=password))
        checks.equal(f"{wire_name}: a known password", (400, "password_compromised"), (answer.status, answer.json.get("code")))
    person = target.person_from(target.call("register", body := target.newcomer(password=FREE)), body)
    checks.that(f"{wire_name}: another password", target.accepts(person.access))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    arguments = parser.parse_args()
    checks = Checks()
    with tempfile.TemporaryDirectory() as folder:
        source, output = Path(folder) / "source.txt", Path(folder) / "pwned.bin"
        source.write_text("".join(f"{line}:3\n" for line in sorted(digest(password) for password in KNOWN)))

        def prepare():
            return subprocess.run(
                [arguments.program, "passwords", "prepare-list", "--from", str(source), "--output", str(output)],
                env=clean_environment(), capture_output=True, text=True, timeout=60)

        done = prepare()
        checks.equal("prepare-list", (0, f"{output}: 2000 passwords\n"), (done.returncode, done.stderr))
        checks.that("the file has at most 16 bits a password", output.stat().st_size <= 2 * len(KNOWN) + 200)
        checks.equal("an existing file stays", 1, prepare().returncode)
        httpd = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Range)
        threading.Thread(target=httpd.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{httpd.server_port}/range/"
        apps = {name: app(name, passwords={"compromised": {"file": str(output)}}) for name in ("vici", "clarity", "barqnet", "viewvault")}
        ranged = app("vici", "ranged", passwords={"compromised": {"url": url}})
        with serving(arguments.program, development(**apps, ranged=ranged), checks) as server:
            for name in apps:
                checks.run(name, lambda name=name: try_passwords(server, name, checks, name))
            checks.run("ranged", lambda: try_passwords(server, "vici", checks, "ranged"))
            checks.that("only five digits leave the server", all(len(prefix) == 5 for prefix in Range.asked) and len(Range.asked) == 3)
            checks.equal("padding is asked for", {"true"}, set(Range.padded))
            checks.run("troubles", lambda: troubles(server, checks))
        httpd.shutdown()
        damaged = bytearray(output.read_bytes())
        damaged[len(damaged) // 2] ^= 1
        output.write_bytes(damaged)
        with tempfile.TemporaryDirectory() as place:
            configuration = Path(place) / "ostiary.yaml"
            configuration.write_text(json.dumps({
                "mode": "development", "listen": "127.0.0.1:0", "apps": {"vici": {"contract": "vici", "passwords": {"compromised": {"file": str(output)}}}}}))
            begun = time.monotonic()
            done = subprocess.run(
                [arguments.program, "serve", "--config", str(configuration), "--data", place], env=clean_environment(),
                capture_output=True, text=True, timeout=20)
            checks.equal("a damaged file stops the start", 78, done.returncode)
            checked = subprocess.run(
                [arguments.program, "config", "check", "--config", str(configuration)], env=clean_environment(),
                capture_output=True, text=True, timeout=20)
            checks.equal("and config check", (78, done.stderr), (checked.returncode, checked.stderr))
            checks.that("and says so", "apps.vici.passwords.compromised.file: is damaged" in done.stderr and time.monotonic() - begun < 10)
    return checks.close()


if __name__ == "__main__":
    sys.exit(main())
