#!/usr/bin/env python3
"""A real nginx asks the program about every request (`auth_request`) before it lets one through to an app.

  forward_auth.py --program PATH [--nginx /usr/sbin/nginx]
"""

import argparse
import contextlib
import json
import socket
import subprocess
import sys
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from apps import App
from checks import Checks
from server import app, development, free_port, serving
from signatures import Signer
from wire import Wire

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
    location = /-/verify {{
      internal;
      proxy_pass {ostiary}/vici/verify;
      proxy_pass_request_body off;
      proxy_set_header Content-Length "";
      proxy_set_header X-Original-Method $request_method;
      proxy_set_header X-Original-URI $request_uri;
      proxy_set_header X-Forwarded-Method "";
      proxy_set_header X-Forwarded-Uri "";
    }}
    location = /-/verify-admin {{
      internal;
      proxy_pass {ostiary}/vici/verify?role=admin;
      proxy_pass_request_body off;
      proxy_set_header Content-Length "";
    }}
    location / {{
      auth_request /-/verify;
      auth_request_set $auth_user $upstream_http_x_auth_user;
      auth_request_set $auth_session $upstream_http_x_auth_session;
      auth_request_set $auth_roles $upstream_http_x_auth_roles;
      proxy_set_header X-Auth-User $auth_user;
      proxy_set_header X-Auth-Session $auth_session;
      proxy_set_header X-Auth-Roles $auth_roles;
      proxy_set_header Authorization "";
      proxy_pass {upstream};
    }}
    location /admin {{
      auth_request /-/verify-admin;
      auth_request_set $auth_user $upstream_http_x_auth_user;
      auth_request_set $auth_roles $upstream_http_x_auth_roles;
      proxy_set_header X-Auth-User $auth_user;
      proxy_set_header X-Auth-Roles $auth_roles;
      proxy_pass {upstream};
    }}
  }}
}}
"""


class Echo(BaseHTTPRequestHandler):
    """The app behind the proxy: answers the headers that it was handed."""

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
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="ostiary-nginx-") as directory:
        configuration = Path(directory) / "nginx.conf"
        configuration.write_text(NGINX.format(directory=directory, port=port, ostiary=ostiary, upstream=behind))
        process = subprocess.Popen([program, "-e", "stderr", "-p", directory, "-c", str(configuration)])
        try:
            wait_for(port, process)
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
    raise RuntimeError("nginx does not take connections")


def walk(checks, server, proxy):
    vici = App(server.wire, server.inbox, "vici")
    person, other = vici.register(), vici.register()
    who = person.credentials["email"]

    for name, bearer in (("no token", None), ("an unknown token", "x" * 43), ("the refresh token", person.refresh)):
        answer = proxy.get("/", bearer=bearer)
        checks.equal(f"{name}", 401, answer.status)
        checks.that(f"{name}: WWW-Authenticate comes through",
                    (answer.header("www-authenticate") or "").startswith("Bearer"),
                    "Bearer", answer.header("www-authenticate"))

    answer = proxy.get("/", bearer=person.access,
                       headers=[("X-Auth-User", other.user["id"]), ("X-Auth-Roles", "admin")])
    checks.equal("a live token", 200, answer.status)
    handed = answer.json
    checks.equal("the app is handed the account, whatever the request claimed", person.user["id"],
                 handed.get("x-auth-user"))
    checks.equal("an account without roles has none, whatever the request claimed", "", handed.get("x-auth-roles", ""))
    checks.that("the app is handed the session", handed.get("x-auth-session"), "X-Auth-Session", handed)
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
    checks.equal("another's token is not admin", 403, proxy.get("/admin", bearer=other.access).status)

    vici.call("logout", {"refreshToken": person.refresh})
    checks.equal("a revoked token", 401, proxy.get("/", bearer=person.access).status)
    checks.equal("a revoked token of an admin", 401, proxy.get("/admin", bearer=person.access).status)
    checks.equal("another's token still", 200, proxy.get("/", bearer=other.access).status)


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
    arguments = parser.parse_args()
    checks = Checks()
    with serving(arguments.program, development(vici=app("vici")), checks) as server, upstream() as behind, \
            nginx(arguments.nginx, server.base, behind) as proxy:
        checks.run("nginx", lambda: walk(checks, server, proxy))
        checks.run("signed requests", lambda: signed(checks, server, proxy))
    return checks.close()


if __name__ == "__main__":
    sys.exit(main())
