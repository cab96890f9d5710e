#!/usr/bin/env python3
"""`ostiary login` through the browser, at a backend that this script simulates.

  browser_login.py --program PATH

Rows SD-01, SD-02 and OA-16 of the client: the redirect from the browser, to a port of this machine or pasted, is parsed
strictly, and a redirect that belongs to no sign-in is ignored.
"""

import argparse
import base64
import contextlib
import hashlib
import os
import re
import socket
import stat
import sys
import tempfile
import time
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from checks import Checks
from peer import Peer
from terminal import Terminal

APP = "timetracker://oauth/callback"
SOCIAL = "viewvault://oauth/callback"
USER = {"id": "6d0f5a55-3f3a-4c53-9b4a-0f7b9d0c1d11", "username": "ann", "fullName": None, "email": "ann@example.com"}
TOKENS = {"access_token": "a.b.c", "token_type": "Bearer", "expires_in": 3600, "user": USER}
VIEWVAULT_USER = {"id": 1, "username": "ann@example.com", "email": "ann@example.com", "full_name": "Ann",
                  "auth_provider": "auth0", "is_admin": False}
REFUSED = {"error": "The redirect URI is not registered.", "code": "redirect_uri_refused"}


class Backend:
    """Simulates timetracker: `allows` decides which redirect URIs are registered."""

    def __init__(self, allows=lambda uri: True, strict=False, token=(200, TOKENS)):
        self.allows, self.strict, self.token = allows, strict, token

    def __call__(self, method, path, query, body):
        if path == "/auth/login":
            if self.strict and set(query) != {"redirect_uri"}:
                return 400, {}, {"error": "unknown parameter"}
            if not self.allows(query.get("redirect_uri", [""])[0]):
                return 400, {}, REFUSED
            return 302, {"Location": "https://idp.example.com/authorize?state=s"}, None
        if path == "/auth/token":
            return self.token[0], {}, self.token[1]
        if path == "/auth/me":
            return 200, {}, USER
        return 404, {}, {"error": "not found"}


def loopback_only(uri):
    return re.fullmatch(r"http://127\.0\.0\.1:\d+/callback", uri) is not None


class Login:
    """One run of the program on a terminal."""

    def __init__(self, program, directory, base, contract, *options, screen=None):
        environment = {"HOME": str(directory), "XDG_DATA_HOME": "", "XDG_STATE_HOME": "", "XDG_CONFIG_HOME": "",
                       "DISPLAY": ":7" if screen else "", "WAYLAND_DISPLAY": "",
                       "PATH": f"{screen}:{os.environ['PATH']}" if screen else os.environ["PATH"]}
        command = ["/usr/bin/env", *(f"{name}={value}" for name, value in environment.items()), str(program), "login",
                   "--server", base, "--contract", contract, *options]
        self.terminal = Terminal(command, directory)

    def address(self):
        """Returns the address that the browser should open."""
        deadline = time.monotonic() + 20
        while (match := re.search(r"sign in:\s+(\S+)\r?\n", self.terminal.read)) is None:
            if time.monotonic() > deadline:
                raise RuntimeError(f"no address: {self.terminal.read!r}")
            self.terminal.expect("\0", within=0.05)
        return match.group(1)

    def end(self):
        status = self.terminal.end()
        self.terminal.close()
        return status, self.terminal.read

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.terminal.process.poll() is None:
            self.terminal.process.kill()
            self.terminal.process.wait()
        with contextlib.suppress(OSError):
            self.terminal.close()


def query_of(address):
    return {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}


def get(uri, path=None, method="GET", headers=None, host=None):
    """Requests the port that `uri` names; returns status, headers and text."""
    parts = urlsplit(uri)
    connection = HTTPConnection("127.0.0.1", parts.port, timeout=10)
    connection.putrequest(method, path or parts.path, skip_host=True)
    connection.putheader("Host", host or parts.netloc)
    for name, value in (headers or {}).items():
        connection.putheader(name, value)
    connection.endheaders()
    answer = connection.getresponse()
    result = answer.status, dict(answer.getheaders()), answer.read().decode()
    connection.close()
    return result


class Suite:
    def __init__(self, program, checks):
        self.program, self.checks = Path(program).resolve(), checks

    @contextlib.contextmanager
    def login(self, backend, *options, contract="timetracker", screen=None):
        with tempfile.TemporaryDirectory(prefix="ostiary-") as directory:
            peer = Peer(backend)
            try:
                with Login(self.program, directory, peer.base, contract, *options, screen=screen) as login:
                    login.directory = directory
                    yield login, peer
            finally:
                peer.close()

    def comes_back(self):
        with self.login(Backend(loopback_only)) as (login, peer):
            address = login.address()
            query = query_of(address)
            uri = query["redirect_uri"]
            self.checks.that("goes to the server's login", address.startswith(f"{peer.base}/auth/login?"), came=address)
            self.checks.that("comes back to this machine", loopback_only(uri), "http://127.0.0.1:PORT/callback", uri)
            status, headers, text = get(uri, "/callback?code=C0dE&state=5tAtE")
            self.checks.equal("the browser is answered", 200, status)
            self.checks.that("the page tells what to do", "close this window" in text, came=text)
            self.checks.that("the page repeats nothing", "C0dE" not in text and "5tAtE" not in text, came=text)
            self.checks.equal("the page is not kept", "no-store", headers.get("Cache-Control"))
            status, shown = login.end()
            self.checks.equal("ends well", 0, status)
            self.checks.that("tells who is signed in", "signed in as ann" in shown, came=shown)
            self.checks.that("shows neither code nor state", "C0dE" not in shown and "5tAtE" not in shown, came=shown)
            body = peer.asked("/auth/token")[0][3]
            verifier = body.pop("app_verifier", "")
            self.checks.equal("exchanges what came back", {"code": "C0dE", "state": "5tAtE", "redirect_uri": uri}, body)
            digest = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
            self.checks.that("binds the sign-in to this device", len(verifier) == 43 and
                             digest == query["app_challenge"], query["app_challenge"], digest)
            self.checks.that("the port is closed", not answers(uri), "refused", "connected")
            kept = [path for path in Path(login.directory).rglob("*") if path.is_file()]
            self.checks.none("keeps no token that can be read", [
                path.name for path in kept if b"a.b.c" in path.read_bytes()])
            names = {path.name for path in kept}
            self.checks.that("keeps the session as for passwords", "sealing-key" in names and any(
                name.startswith("timetracker@") and name.endswith(".json") for name in names), came=sorted(names))
            # The data of the last login is not secret.
            self.checks.none("for its owner alone", [
                path.name for path in kept
                if path.name != "last-login.json" and stat.S_IMODE(path.stat().st_mode) != 0o600])

    def ignores_strangers(self):
        with self.login(Backend(loopback_only)) as (login, peer):
            uri = query_of(login.address())["redirect_uri"]
            answer = "/callback?code=c&state=s"
            for name, expected, arguments in [
                ("another path", 404, {"path": "/?code=c&state=s"}),
                ("another path below", 404, {"path": "/callback/x?code=c&state=s"}),
                ("POST", 405, {"path": answer, "method": "POST"}),
                ("another name for this address", 403, {"path": answer, "host": "evil.example.com"}),
                ("localhost", 403, {"path": answer, "host": f"localhost:{urlsplit(uri).port}"}),
                ("an image of another page", 403, {"path": answer, "headers": {"Sec-Fetch-Mode": "no-cors"}}),
                ("no code", 400, {"path": "/callback?state=s"}),
                ("no state", 400, {"path": "/callback?code=c"}),
                ("nothing", 400, {"path": "/callback"}),
                ("two codes", 400, {"path": "/callback?code=a&code=b&state=s"}),
                ("code and error", 400, {"path": "/callback?code=a&error=x&state=s"}),
                ("a code that is no text", 400, {"path": "/callback?code=%00&state=s"}),
                ("an error that is no text", 400, {"path": "/callback?error=x%1B%5B2J&state=s"}),
                ("20 KB", 400, {"path": f"/callback?code={'c' * 20_000}&state=s"}),
            ]:
                self.checks.equal(f"refuses {name}", expected, get(uri, **arguments)[0])
            with contextlib.suppress(OSError):
                status = get(uri, f"/callback?code={'c' * 100_000}&state=s")[0]
                self.checks.that("refuses 100 KB", status >= 400, "400 or a closed connection", status)
            self.checks.equal("exchanges none of them", [], peer.asked("/auth/token"))
            # A browser opens connections in advance and leaves them idle.
            with contextlib.closing(socket.create_connection(("127.0.0.1", urlsplit(uri).port))):
                status = get(uri, answer, headers={"Sec-Fetch-Mode": "navigate"})[0]
                self.checks.equal("still takes the answer", 200, status)
                self.checks.equal("ends well", 0, login.end()[0])

    def tells_refusals(self):
        for error, words in [("access_denied", "not allowed"), ("server_error", "server_error")]:
            with self.login(Backend(loopback_only)) as (login, peer):
                uri = query_of(login.address())["redirect_uri"]
                get(uri, f"/callback?error={error}&state=s")
                status, shown = login.end()
                self.checks.equal(f"{error}: exit status", 1, status)
                self.checks.that(f"{error}: says why", words in shown, words, shown)
                self.checks.equal(f"{error}: exchanges nothing", [], peer.asked("/auth/token"))
        refused = (400, {"error": "The sign-in is over.", "code": "authorization_refused"})
        with self.login(Backend(loopback_only, token=refused)) as (login, _):
            get(query_of(login.address())["redirect_uri"], "/callback?code=c&state=s")
            self.checks.equal("a refused code: exit status", 1, login.end()[0])

    def pastes(self):
        def only_app(uri):
            return uri == APP

        def answered(line, backend=None, *options):
            with self.login(backend or Backend(only_app), *options) as (login, peer):
                address = login.address()
                login.terminal.expect("Paste")
                login.terminal.type(line + "\n")
                status, shown = login.end()
                return status, shown, address, peer

        status, shown, address, peer = answered(f"{APP}?code=c&state=s")
        self.checks.equal("the app's own redirect URI: exit status", 0, status)
        self.checks.equal("asks for the app's redirect URI", APP, query_of(address)["redirect_uri"])
        body = peer.asked("/auth/token")[0][3]
        self.checks.equal("exchanges with it", ("c", "s", APP), (body["code"], body["state"], body["redirect_uri"]))
        for line in ["", "c", f"{APP}?state=s", f"{APP}?code=c", f"{APP}?code=a&code=b&state=s",
                     "https://evil.example.com/?code=c&state=s", f"{APP}/?code=c&state=s",
                     f"{APP}?error=access_denied&state=s"]:
            status, shown, _, peer = answered(line)
            self.checks.equal(f"{line!r}: exit status", 1, status)
            self.checks.equal(f"{line!r}: exchanges nothing", [], peer.asked("/auth/token"))
        status, shown, address, peer = answered(
            f"{APP}?code=c&state=s", Backend(only_app, strict=True), "--no-device-binding")
        self.checks.equal("a strict backend: exit status", 0, status)
        self.checks.equal("a strict backend is sent nothing else", {"redirect_uri": APP}, query_of(address))
        self.checks.equal("nor at the exchange", {"code", "state", "redirect_uri"},
                          set(peer.asked("/auth/token")[0][3]))
        with self.login(Backend(lambda uri: False)) as (login, _):
            status, shown = login.end()
            self.checks.equal("no redirect URI is known: exit status", 1, status)
            self.checks.that("no redirect URI is known: names the option", "--redirect-uri" in shown, came=shown)

    def socially(self):
        url = f"https://tenant.example.com/authorize?state=mine&redirect_uri={SOCIAL}"

        def backend(method, path, query, body):
            if path == "/api/auth/auth0/oauth/google":
                return 200, {}, {"oauth_url": url}
            if path == "/api/auth/auth0/callback":
                return 200, {}, TOKENS | {"user": VIEWVAULT_USER}
            return 404, {}, {"detail": "Not found"}

        for line, expected, exchanged in [
            (f"{SOCIAL}?code=c&state=mine", 0, [{"code": "c", "state": "mine"}]),
            (f"{SOCIAL}?code=c&state=other", 1, []), (f"{SOCIAL}?code=c", 1, []),
            (f"{SOCIAL}?error=access_denied&state=mine", 1, []), (f"{APP}?code=c&state=mine", 1, []),
        ]:
            with self.login(backend, "--provider", "google", contract="viewvault") as (login, peer):
                self.checks.equal("prints the provider's address", url, login.address())
                login.terminal.expect("Paste")
                login.terminal.type(line + "\n")
                self.checks.equal(f"{line}: exit status", expected, login.end()[0])
                self.checks.equal(f"{line}: exchanges", exchanged, [
                    request[3] for request in peer.asked("/api/auth/auth0/callback")])
        for options, status in [(["--provider", "facebook"], 1), (["--browser"], 64),
                                (["--provider", "google", "--identifier", "x"], 64)]:
            with self.login(backend, *options, contract="viewvault") as (login, _):
                self.checks.equal(f"{options}: exit status", status, login.end()[0])

    def opens(self):
        with tempfile.TemporaryDirectory(prefix="ostiary-") as screen:
            seen = Path(screen, "seen")
            opener = Path(screen, "xdg-open")
            opener.write_text(f"#!/bin/sh\nprintf '%s\\n' \"$@\" > {seen}.part && mv {seen}.part {seen}\n")
            opener.chmod(0o755)
            for options, opened in [([], True), (["--no-open"], False)]:
                with self.login(Backend(loopback_only), *options, screen=screen) as (login, _):
                    address = login.address()
                    get(query_of(address)["redirect_uri"], "/callback?code=c&state=s")
                    self.checks.equal(f"{options}: ends well", 0, login.end()[0])
                    wait_for(seen.exists, 5 if opened else 0)
                    came = seen.read_text() if seen.exists() else None
                    self.checks.equal(f"{options}: opens", f"{address}\n" if opened else None, came)
                    seen.unlink(missing_ok=True)

    def usage(self):
        for options in [["--identifier", "x"], ["--register"], ["--password-stdin"]]:
            with self.login(Backend(loopback_only), *options) as (login, peer):
                self.checks.equal(f"{options}: exit status", 64, login.end()[0])
                self.checks.equal(f"{options}: asks nothing", [], peer.requests)
        with self.login(Backend(loopback_only), "--browser", contract="vici") as (login, peer):
            self.checks.equal("vici without a provider: exit status", 64, login.end()[0])


def wait_for(holds, within):
    deadline = time.monotonic() + within
    while not holds() and time.monotonic() < deadline:
        time.sleep(0.02)


def answers(uri):
    try:
        socket.create_connection(("127.0.0.1", urlsplit(uri).port), timeout=5).close()
        return True
    except OSError:
        return False


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, help="path of the program `ostiary`")
    checks = Checks()
    suite = Suite(parser.parse_args().program, checks)
    checks.run("comes back to a port of this machine", suite.comes_back)
    checks.run("ignores what nobody asked for", suite.ignores_strangers)
    checks.run("tells refusals", suite.tells_refusals)
    checks.run("asks for the address", suite.pastes)
    checks.run("social sign-in", suite.socially)
    checks.run("opens the browser", suite.opens)
    checks.run("usage", suite.usage)
    return checks.close()


if __name__ == "__main__":
    sys.exit(main())
