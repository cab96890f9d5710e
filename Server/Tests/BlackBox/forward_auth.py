#!/usr/bin/env python3
"""A real nginx and a real Caddy have the program authorize every request before they forward it to an app. They are configured
by the blocks of `Documentation/protecting-routes.md`, unchanged.

  forward_auth.py --program PATH [--nginx /usr/sbin/nginx] [--caddy /usr/bin/caddy]
"""

import argparse
import contextlib
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pyotp
from apps import App
from checks import Checks
from server import app, development, free_port, serving
from signatures import Signer
from wire import Wire

PAGE = Path(__file__).resolve().parents[3] / "Documentation" / "protecting-routes.md"
BOX = re.compile(r"^<!-- play: (\w+) -->\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# The configuration around the page's blocks for nginx.
NGINX = """
daemon off;
master_process off;
pid {directory}/nginx.pid;
error_log stderr warn;
events {{ worker_connections 64; }}
http {{
  access_log off;
  client_body_temp_path {directory}/body;
  proxy_temp_path {directory}/proxy;
  fastcgi_temp_path {directory}/fastcgi;
  uwsgi_temp_path {directory}/uwsgi;
  scgi_temp_path {directory}/scgi;
  server {{
    listen 127.0.0.1:{port};
    {block}
  }}
}}
"""
CADDY = """
{{
  admin off
  auto_https off
  storage file_system {directory}/caddy
  log {{
    output stderr
    level ERROR
  }}
}}
{block}
"""
CLAIMS = [("X-Auth-User", "someone-else"), ("X-Auth-Session", "a-session"), ("X-Auth-Roles", "admin,owner"),
          ("X-Auth-Email", "ada@example.com"), ("x-auth-roles", "root"), ("X_Auth_Roles", "admin"),
          ("X_Auth_User", "someone-else"), ("X-Auth-Acr", "aal2"), ("X-Auth-Amr", "mfa,otp,pwd"),
          ("X-Auth-Time", "9999999999"), ("X_Auth_Acr", "aal2"), ("X-Auth-Permissions", "*"),
          ("X_Auth_Permissions", "*"), ("X-Auth-Actor", "key:k1"), ("X_Auth_Actor", "key:k1")]


def box(name, ostiary, behind, port):
    """Returns a block of the page, with this test's addresses in place of the page's."""
    boxes = dict(BOX.findall(PAGE.read_text()))
    text = boxes[name]
    for old, new in (("http://127.0.0.1:3001", ostiary), ("127.0.0.1:3001", ostiary.removeprefix("http://")),
                     ("http://127.0.0.1:8000", behind), ("127.0.0.1:8000", behind.removeprefix("http://")),
                     (":8080 {", f"http://127.0.0.1:{port} {{")):
        text = text.replace(old, new)
    return text


class Echo(BaseHTTPRequestHandler):
    """The app behind the proxy: answers with the headers that it received."""

    def do_GET(self):
        body = json.dumps({key.lower(): value for key, value in self.headers.items()}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.do_GET()

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def upstream():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Echo)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


@contextlib.contextmanager
def nginx(program, ostiary, behind):
    with running("nginx.conf", NGINX, "nginx", ostiary, behind, lambda directory, file: [
            program, "-e", "stderr", "-p", directory, "-c", file]) as proxy:
        yield proxy


@contextlib.contextmanager
def caddy(program, ostiary, behind):
    with running("Caddyfile", CADDY, "caddy", ostiary, behind, lambda directory, file: [
            program, "run", "--adapter", "caddyfile", "--config", file]) as proxy:
        yield proxy


@contextlib.contextmanager
def running(name, frame, block, ostiary, behind, command):
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="ostiary-proxy-") as directory:
        file = Path(directory) / name
        file.write_text(frame.format(directory=directory, port=port, block=box(block, ostiary, behind, port)))
        process = subprocess.Popen(command(directory, str(file)), env=os.environ | {"HOME": directory})
        try:
            wait_for(port, process, 15)
            yield Wire(f"http://127.0.0.1:{port}")
        finally:
            process.terminate()
            process.wait(10)


def wait_for(port, process, seconds=5):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and process.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.02)
    raise RuntimeError("the proxy does not take connections")


def walk(checks, server, proxy, others=()):
    """`others` are headers that the proxy can delete only by name."""
    vici = App(server.wire, server.inbox, "vici")
    person, other = vici.register(), vici.register()
    who = person.credentials["email"]

    for name, bearer in (("no token", None), ("an unknown token", "x" * 43), ("the refresh token", person.refresh)):
        answer = proxy.get("/", bearer=bearer)
        checks.equal(f"{name}", 401, answer.status)
        checks.that(f"{name}: WWW-Authenticate comes through",
                    (answer.header("www-authenticate") or "").startswith("Bearer"),
                    "Bearer", answer.header("www-authenticate"))

    direct = server.wire.get("/vici/verify", bearer=person.access)
    checks.equal("PT-05 /verify has no empty header for an account without roles", [], [
        name for name, value in direct.headers if not value.strip()])
    checks.equal("PT-05 /verify leaves X-Auth-Roles out where there are none", None, direct.header("x-auth-roles"))

    authentication = [("x-auth-acr", "aal1"), ("x-auth-amr", "pwd"), ("x-auth-time", direct.header("x-auth-time"))]
    answer = proxy.get("/", bearer=person.access, headers=CLAIMS)
    checks.equal("a live token", 200, answer.status)
    handed = answer.json
    checks.equal("PT-05 the app is handed the account, whatever the request claimed", person.user["id"],
                 handed.get("x-auth-user"))
    checks.equal("PT-05 and the session", direct.header("x-auth-session"), handed.get("x-auth-session"))
    checks.equal("PT-05 an account without roles has none, whatever the request claimed", "",
                 handed.get("x-auth-roles", ""))
    checks.equal("IM-05 nor an administrator who acts", "", handed.get("x-auth-actor", ""))
    checks.equal("PT-05 nor a permission", "", handed.get("x-auth-permissions", ""))
    checks.equal("PT-05 no spelling of a claim reaches the app", [], [
        name for name, value in handed.items()
        if name.replace("_", "-").startswith("x-auth-") and value not in ("", person.user["id"])
        and name not in ("x-auth-session", *others) and (name, value) not in authentication])
    checks.equal("PT-05 the app is handed how and when the person authenticated", [], [
        pair for pair in authentication if pair not in handed.items()])
    checks.equal("a query of the client's does not reach /verify", 200,
                 proxy.get("/?role=admin", bearer=person.access).status)
    checks.equal("a POST with a body", 200, proxy.post("/", {"any": "thing"}, bearer=person.access).status)

    checks.equal("role=admin without the role", 403, proxy.get("/admin", bearer=person.access).status)
    checks.equal("role=admin without a token", 401, proxy.get("/admin").status)
    for change, status in (("--add", 200), ("--remove", 403), ("--add", 200)):
        done = server.command("users", "roles", "--app", "vici", who, change, "admin")
        checks.equal(f"users roles {change} admin", (0, ""), (done.returncode, done.stderr.strip()))
        answer = proxy.get("/admin", bearer=person.access)
        checks.equal(f"role=admin after {change} admin, with the token from before", status, answer.status)
        if status == 200:
            checks.equal("the app is handed the role", "admin", answer.json.get("x-auth-roles"))
            checks.equal("and its permissions", "*", answer.json.get("x-auth-permissions"))
            claimed = proxy.get("/", bearer=person.access, headers=CLAIMS).json
            checks.equal("PT-05 and no other than its own", "admin", claimed.get("x-auth-roles"))
    checks.equal("another's token is not admin", 403, proxy.get("/admin", bearer=other.access).status)

    vici.call("logout", {"refreshToken": person.refresh})
    checks.equal("a revoked token", 401, proxy.get("/", bearer=person.access).status)
    checks.equal("a revoked token of an admin", 401, proxy.get("/admin", bearer=person.access).status)
    checks.equal("another's token still", 200, proxy.get("/", bearer=other.access).status)


def step_up(checks, server, proxy):
    """A path whose visitors must have authenticated with two factors a short time ago."""
    vici = App(server.wire, server.inbox, "vici")
    person = vici.register()
    refused = proxy.get("/payments", bearer=person.access)
    checks.equal("one factor where two are required", 403, refused.status)
    checks.equal("the requirement comes through",
                 ['Bearer error="insufficient_user_authentication", acr_values="aal2", max_age="300"'],
                 [value for name, value in refused.headers if name.lower() == "www-authenticate"])
    missing = proxy.get("/payments")
    checks.equal("no token where two factors are required", 401, missing.status)
    checks.equal("one WWW-Authenticate, for the token", ["Bearer"], [
        value.split()[0] for name, value in missing.headers if name.lower() == "www-authenticate"])

    factors = vici["challenge"].path.removesuffix("/challenge") + "/factors/totp"
    pending = vici.wire.post(factors, {}, bearer=person.access).json
    code = pyotp.parse_uri(pending["otpauthUri"]).now()
    confirmed = vici.wire.post(
        f"{factors}/confirm", {"factorId": pending["factorId"], "code": code}, bearer=person.access)
    checks.equal("a second factor is added", 200, confirmed.status)
    passed = proxy.get("/payments", bearer=person.access, headers=CLAIMS)
    checks.equal("two factors", 200, passed.status)
    checks.equal("the app is handed the level", "aal2", passed.json.get("x-auth-acr"))
    checks.equal("and the methods", "mfa,otp,pwd", passed.json.get("x-auth-amr"))
    checks.equal("a query of the client's relaxes nothing", 403,
                 proxy.get("/payments?acr=aal1", bearer=vici.register().access).status)


def signed(checks, server, proxy):
    """Signed requests to the app behind the proxy."""
    vici = App(server.wire, server.inbox, "vici")
    person = vici.register()
    signer, path = Signer(vici, person), "/files/a%2Fb?q=a+b&q=c"

    def headers(method="GET", body=b""):
        return list(signer.headers(method, path, body, base=proxy.base).items())

    def ask(name, status, given, method="GET", at=path, body=None):
        answer = proxy.send(method, at, body=body, headers=given, bearer=person.access)
        checks.equal(name, status, answer.status)
        if status == 401:
            checks.equal(f"{name}: what is refused comes through", 'Bearer error="signature_refused"',
                         answer.header("www-authenticate"))

    once = headers()
    ask("signed", 200, once)
    ask("signed, again", 401, once)
    ask("signed, with a body", 200, headers("POST", b"{}"), "POST", body=b"{}")
    ask("signed, for another path", 401, headers(), at="/files/a/b?q=a+b&q=c")
    ask("signed, for another query", 401, headers(), at="/files/a%2Fb?q=a%20b&q=c")
    ask("signed, for another method", 401, headers(), "POST")
    for kind in ("Original", "Forwarded"):
        named = [(f"X-{kind}-Method", "GET"), (f"X-{kind}-URI", path)]
        ask(f"signed, with X-{kind} of a client for another request", 401, headers() + named, at="/other")
        ask(f"signed, with X-{kind} of a client for this one", 200, headers() + named)
    ask("unsigned", 200, [])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, help="path of the program `ostiary`")
    parser.add_argument("--nginx", default="/usr/sbin/nginx")
    parser.add_argument("--caddy", default=shutil.which("caddy") or "/usr/bin/caddy")
    arguments = parser.parse_args()
    checks = Checks()
    with serving(arguments.program, development(vici=app("vici")), checks) as server, upstream() as behind:
        with nginx(arguments.nginx, server.base, behind) as proxy:
            # nginx deletes headers only by name.
            checks.run("nginx", lambda: walk(checks, server, proxy, others=["x-auth-email"]))
            checks.run("nginx, step-up", lambda: step_up(checks, server, proxy))
            checks.run("nginx, signed requests", lambda: signed(checks, server, proxy))
        if Path(arguments.caddy).exists():
            with caddy(arguments.caddy, server.base, behind) as proxy:
                checks.run("Caddy", lambda: walk(checks, server, proxy))
                checks.run("Caddy, step-up", lambda: step_up(checks, server, proxy))
                checks.run("Caddy, signed requests", lambda: signed(checks, server, proxy))
        else:
            checks.section = "Caddy"
            checks.skip("Caddy is not installed: its block was not run")
    print("not run: the block for Traefik, which Debian does not package; it is written from its documentation")
    return checks.close()


if __name__ == "__main__":
    sys.exit(main())
