#!/usr/bin/env python3
"""Signed requests: rows SG-02, SG-04, SG-05, SG-06 and RC-09, and the vectors that Swift and Python share.

  signing.py --program PATH

The signatures are made by `http-message-signatures`, not by the program.
"""

import argparse
import base64
import email.utils
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path

from apps import App
from checks import Checks
from server import app, development, serving
from signatures import COVERED, Signer

VECTORS = Path(__file__).parents[3] / "Tests" / "Signing" / "check_vectors.py"
APPS = {"vici": app("vici"), "barqnet": app("barqnet"), "clarity": app("clarity", request_signing="required"),
        "viewvault": app("viewvault", request_signing="off")}


class Signing:
    def __init__(self, server, checks):
        self.server, self.checks = server, checks
        self.apps = {name: App(server.wire, server.inbox, entry["contract"], name) for name, entry in APPS.items()}
        self.vici = self.apps["vici"]
        self.me = self.vici["me"].path
        self.person = self.vici.register()
        self.signer = Signer(self.vici, self.person)

    def refused(self, name, answer):
        code = answer.json.get("code") if isinstance(answer.json, dict) else None
        self.checks.equal(name, (401, "signature_refused", 'Bearer error="signature_refused"'),
                          (answer.status, code, answer.header("www-authenticate")))
        self.checks.that(f"{name}: the answer has a Date", email.utils.parsedate(answer.header("date") or ""), "a date",
                         answer.header("date"))

    def taken(self, name, answer, status=200):
        self.checks.equal(name, status, answer.status)

    def vectors(self):
        run = subprocess.run([sys.executable, VECTORS], capture_output=True, text=True)
        self.checks.equal("the vectors agree with an implementation by others", 0, run.returncode)
        if run.returncode:
            print(run.stdout + run.stderr)

    def required(self):
        """SG-06"""
        clarity = self.apps["clarity"]
        person = clarity.register()
        me = clarity["me"].path
        for path in (me, me.replace("/me", "/sessions"), "/verify"):
            self.refused(f"SG-06: GET {path} without a signature", clarity.wire.get(path, bearer=person.access))
        signer = Signer(clarity, person)
        for path in (me, me.replace("/me", "/sessions"), "/verify"):
            self.taken(f"SG-06: GET {path} with one", signer.send("GET", path))
        answer = clarity.wire.get(me, headers=list(signer.headers("GET", me).items()))
        self.checks.equal("SG-06: a signature without a token", (401, "invalid_access_token"),
                          (answer.status, answer.json.get("code")))
        again = clarity.sign_in(person)
        refreshed, _ = clarity.refreshed(again.refresh)
        self.checks.that("SG-06: sign-in and refresh need none", refreshed)
        self.taken("SG-06: sign-out needs none", clarity.call("logout", bearer=refreshed))
        self.refused("SG-06: another's token", clarity.wire.get(
            me, headers=list(signer.headers("GET", me).items()), bearer=clarity.sign_in(person).access))

    def without(self):
        viewvault = self.apps["viewvault"]
        person = viewvault.register()
        me = viewvault["me"].path
        self.taken("off: a bad signature is not looked at",
                   viewvault.wire.get(me, bearer=person.access, headers=[("Signature", "x")]))
        self.taken("off: there is no key", viewvault.call("signing_key", bearer=person.access), 404)
        barqnet = self.apps["barqnet"]
        person = barqnet.register()
        signer = Signer(barqnet, person)
        self.taken("in an envelope: signed", signer.send("GET", "/v1/auth/sessions"))
        self.taken("accepted: unsigned", barqnet.wire.get("/v1/auth/sessions", bearer=person.access))

    def key(self):
        again = Signer(self.vici, self.person)
        self.checks.equal("asking again with the refresh token gives the same key", (self.signer.key.id, self.signer.key.key),
                          (again.key.id, again.key.key))
        other = Signer(self.vici, self.vici.sign_in(self.person))
        self.checks.that("another session has another key", other.key.key != self.signer.key.key)
        self.person.access, self.person.refresh = self.vici.refreshed(self.person.refresh)
        self.signer = Signer(self.vici, self.person)
        self.checks.equal("a refresh leaves the key", again.key.key, self.signer.key.key)
        with self.server.paused():
            pass
        self.taken("the key outlives the server", self.signer.send("GET", self.me))
        self.checks.equal("no token, no key", 401, self.vici.call("signing_key").status)

    def window(self):
        """SG-02"""
        for later in (-301, -3600, 302, 3600):
            headers = self.signer.headers("GET", self.me, later=later)
            self.refused(f"SG-02: {later} s", self.signer.send("GET", self.me, headers=headers))
        for later in (-297, 0, 297):
            headers = self.signer.headers("GET", self.me, later=later)
            self.taken(f"SG-02: {later} s", self.signer.send("GET", self.me, headers=headers))
        created = f"created={int(time.time())}"
        for name, other in (("a string", f'created="{created[8:]}"'), ("milliseconds", f"{created}000"), ("none", None),
                            ("a fraction", f"{created}.0"), ("a sign", f"created=-{created[8:]}")):
            headers = self.signer.headers("GET", self.me)
            before = headers["Signature-Input"]
            start = before.index(";created=")
            end = before.index(";", start + 1)
            headers["Signature-Input"] = before[:start] + (f";{other}" if other else "") + before[end:]
            self.refused(f"SG-02: {name} for a time", self.signer.send("GET", self.me, headers=headers))

    def forms(self):
        """SG-04"""
        def spoilt(name, header, change):
            headers = self.signer.headers("GET", self.me)
            value = change(headers[header])
            if value is None:
                del headers[header]
            else:
                headers[header] = value
            self.refused(f"SG-04: {name}", self.signer.send("GET", self.me, headers=headers))

        def coded(change):
            return lambda value: f"ostiary=:{change(base64.b64decode(value[9:-1]))}:"

        spoilt("half of the signature", "Signature", coded(lambda mac: base64.b64encode(mac[:16]).decode()))
        spoilt("all but its last byte", "Signature", coded(lambda mac: base64.b64encode(mac[:31]).decode()))
        spoilt("one byte more", "Signature", coded(lambda mac: base64.b64encode(mac + b"x").decode()))
        spoilt("its last bit", "Signature", coded(lambda mac: base64.b64encode(mac[:31] + bytes([mac[31] ^ 1])).decode()))
        spoilt("upper-case hex", "Signature", coded(lambda mac: mac.hex().upper()))
        spoilt("without padding", "Signature", coded(lambda mac: base64.b64encode(mac).decode().rstrip("=")))
        spoilt("empty", "Signature", lambda value: "")
        spoilt("an empty byte sequence", "Signature", lambda value: "ostiary=::")
        spoilt("no Signature", "Signature", lambda value: None)
        spoilt("no Signature-Input", "Signature-Input", lambda value: None)
        spoilt("no Content-Digest", "Content-Digest", lambda value: None)
        spoilt("two signatures in one header", "Signature", lambda value: f"{value}, {value}")
        spoilt("another label", "Signature", lambda value: value.replace("ostiary", "sig1"))
        spoilt("another key id", "Signature-Input", lambda value: value.replace(self.signer.key.id, "A" * 16))
        spoilt("the session's id for a key id", "Signature-Input", lambda value: value.replace(
            self.signer.key.id, self.vici.wire.get("/verify", bearer=self.person.access).header("x-auth-session")))
        for name in ("Signature", "Signature-Input", "Content-Digest"):
            headers = self.signer.headers("GET", self.me)
            self.refused(f"SG-04: two {name} headers", self.signer.send(
                "GET", self.me, headers=[*headers.items(), (name, headers[name])]))
        for name, more in (("a component less", {"covered": COVERED[:-1]}), ("another order", {"covered": COVERED[::-1]}),
                           ("another label, signed", {"label": "sig1"}), ("no alg", {"include_alg": False}),
                           ("a tag", {"tag": "x"}), ("a short nonce", {"nonce": "short"})):
            headers = self.signer.headers("GET", self.me, **more)
            self.refused(f"SG-04: {name}", self.signer.send("GET", self.me, headers=headers))
        other = Signer(self.vici, self.vici.sign_in(self.person))
        self.refused("SG-04: another session's key", self.signer.send(
            "GET", self.me, headers=other.headers("GET", self.me)))
        dead = self.vici.sign_in(self.person)
        signer = Signer(self.vici, dead)
        self.vici.call("logout", {"refreshToken": dead.refresh})
        answer = signer.send("GET", self.me)
        self.checks.equal("SG-04: a revoked key", (401, "session_revoked"), (answer.status, answer.json.get("code")))
        self.checks.equal("SE-05: a dead session gets no key", 401, self.vici.call("signing_key", bearer=dead.access).status)

    def canonical(self):
        """SG-05"""
        body = b'{"name":"Zo\xc3\xab"}'
        self.taken("SG-05: a body", self.signer.send("PATCH", self.me, body))
        for name, method, path, sent in (
                ("another body", "PATCH", self.me, b'{"name":"Eve"}'), ("no body", "PATCH", self.me, None),
                ("a query", "PATCH", f"{self.me}?a=1", body), ("another method", "GET", self.me, None)):
            headers = self.signer.headers("PATCH", self.me, body)
            self.refused(f"SG-05: {name} than was signed", self.signer.send(method, path, sent, headers=headers))
        self.taken("SG-05: an empty query is none",
                   self.signer.send("GET", f"{self.me}?", headers=self.signer.headers("GET", self.me)))
        self.taken("SG-05: an empty body is none", self.signer.send(
            "GET", self.me, b"", headers=self.signer.headers("GET", self.me)))
        self.taken("SG-05: chunks", self.chunked(body))
        pairs = [("/files/a/b", "/files/a%2Fb"), ("/files/a%2fb", "/files/a%2Fb"), ("/q?a=b+c", "/q?a=b%20c"),
                 ("/q?a=1&a=2", "/q?a=2&a=1"), ("/q?a=1&a=2", "/q?a=2"), ("/q?a", "/q?a="), ("/a//b", "/a/b"),
                 ("/%61", "/a"), ("/a/", "/a")]
        for one, other in pairs:
            # The path that a proxy asks about is not one of the app's own.
            for signed, asked in ((one, other), (other, one)):
                self.refused(f"SG-05: {signed} for {asked}", self.forwarded(signed, asked))
                self.taken(f"SG-05: {signed}", self.forwarded(signed, signed))
        self.taken("SG-05: no query and an empty one", self.forwarded("/q", "/q?"))

    def chunked(self, body):
        connection = self.vici.wire.connect()
        headers = self.signer.headers("PATCH", self.me, body) | {
            "Authorization": f"Bearer {self.person.access}", "Content-Type": "application/json",
            "Transfer-Encoding": "chunked"}
        connection.request("PATCH", self.vici.wire.prefix + self.me, iter([body[:3], body[3:]]), headers,
                           encode_chunked=True)
        response = connection.getresponse()
        response.read()
        connection.close()
        return response

    def forwarded(self, signed, asked):
        # The path of another service is not below the app's base.
        headers = self.signer.headers("GET", signed, base=self.server.base)
        headers |= {"X-Original-Method": "GET", "X-Original-URI": asked}
        return self.vici.wire.get("/verify", headers=list(headers.items()), bearer=self.person.access)

    def once(self):
        """RC-09"""
        for name, path in (("GET me", self.me), ("verify", "/verify")):
            headers = self.signer.headers("GET", path)
            barrier, statuses, width = threading.Barrier(50), [], 50

            def one():
                connection = self.vici.wire.connect()
                barrier.wait()
                statuses.append(self.signer.send("GET", path, headers=headers, connection=connection).status)
                connection.close()

            threads = [threading.Thread(target=one) for _ in range(width)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.checks.equal(f"RC-09 {name}: {width} uses of one nonce", {200: 1, 401: width - 1}, dict(Counter(statuses)))
            with self.server.paused():
                pass
            self.refused(f"RC-09 {name}: after a restart", self.signer.send("GET", path, headers=headers))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, help="path of the program `ostiary`")
    arguments = parser.parse_args()
    checks = Checks()
    configuration = development(**APPS)
    configuration["log"] = {"level": "trace"}
    with serving(arguments.program, configuration, checks) as server:
        signing = Signing(server, checks)
        for section in ("vectors", "key", "required", "without", "window", "forms", "canonical", "once"):
            checks.run(section, getattr(signing, section))
        log = server.log.read_text(errors="replace")
        checks.that("no key and no signature is in the log", "ostiary=" not in log
                    and signing.signer.key.id not in log, "none", "at least one")
    return checks.close()


if __name__ == "__main__":
    sys.exit(main())
