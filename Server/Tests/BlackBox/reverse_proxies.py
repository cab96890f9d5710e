#!/usr/bin/env python3
"""nginx, Caddy and HAProxy in front of a new server in production, configured by the blocks of
`Documentation/operations/reverse-proxies.md`.

  reverse_proxies.py --program PATH
"""

import argparse
import contextlib
import http.client
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from checks import Checks
from first_run import Machine
from peers import authority
from peers.pgbouncer import wait_for
from server import clean_environment, free_port
from wire import Wire

PAGE = Path(__file__).resolve().parents[3] / "Documentation" / "operations" / "reverse-proxies.md"
BLOCK = re.compile(r"^<!-- play: (\w+) -->\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)
HOST = "auth.example.com"
# The client's address, another one than the proxy's.
CLIENT = "127.0.0.9"
NGINX = """daemon off;
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
{block}}}
"""
CADDY = """{{
    admin off
    auto_https disable_certs
    storage file_system {directory}/caddy
}}
{block}
"""
CREDENTIALS = {"email": "ann@example.com", "password": "correct horse battery"}


class Proxy:
    """A proxy's program with its block of the page, on a port of its own."""

    def __init__(self, name, directory, tls, server_port):
        self.name, self.port, self.plain, self.directory = name, free_port(), free_port(), directory / name
        self.directory.mkdir()
        self.tls = tls
        text = dict(BLOCK.findall(PAGE.read_text()))[name].replace("127.0.0.1:3001", f"127.0.0.1:{server_port}")
        self.file = self.directory / "configuration"
        self.file.write_text(getattr(self, f"{name}_file")(text))

    def nginx_file(self, block):
        for old, new in (("listen 80;", f"listen 127.0.0.1:{self.plain};"),
                         ("listen 443 ssl;\n    http2 on;", f"listen 127.0.0.1:{self.port} ssl http2;"),
                         ("/etc/letsencrypt/live/auth.example.com/fullchain.pem", str(self.tls.certificate)),
                         ("/etc/letsencrypt/live/auth.example.com/privkey.pem", str(self.tls.key))):
            assert old in block, old
            block = block.replace(old, new)
        self.command = [shutil.which("nginx") or "/usr/sbin/nginx", "-e", "stderr", "-p", str(self.directory), "-c", str(self.file)]
        return NGINX.format(directory=self.directory, block=block)

    def caddy_file(self, block):
        # A certificate of the test in the place of one from a public authority.
        block = block.replace(f"{HOST} {{", f"https://{HOST}:{self.port} {{\n    bind 127.0.0.1\n"
                              f"    tls {self.tls.certificate} {self.tls.key}")
        self.command = [shutil.which("caddy") or "caddy", "run", "--adapter", "caddyfile", "--config", str(self.file)]
        return CADDY.format(directory=self.directory, block=block)

    def haproxy_file(self, block):
        both = self.directory / "both.pem"
        both.write_text(self.tls.certificate.read_text() + self.tls.key.read_text())
        self.command = [shutil.which("haproxy") or "/usr/sbin/haproxy", "-db", "-f", str(self.file)]
        return block.replace("/etc/ssl/ostiary/both.pem", str(both)).replace("bind :443", f"bind 127.0.0.1:{self.port}").replace(
            "bind :80", f"bind 127.0.0.1:{self.plain}")

    @contextlib.contextmanager
    def running(self):
        with open(self.directory / "log", "wb") as log:
            process = subprocess.Popen(
                self.command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=os.environ | {"HOME": str(self.directory)})
        try:
            wait_for(self.port, process, 15, "127.0.0.1")
            yield
        except RuntimeError as error:
            raise RuntimeError(f"{error}: {(self.directory / 'log').read_text(errors='replace')[-600:]}") from None
        finally:
            process.terminate()
            process.wait(15)

    def curl(self, path, *options, body=None):
        """Returns status, version of HTTP, headers and body."""
        words = ["curl", "--silent", "--show-error", "--max-time", "20", "--include", "--cacert", str(self.tls.authority),
                 "--resolve", f"{HOST}:{self.port}:127.0.0.1", "--interface", CLIENT, *options]
        if body is not None:
            words += ["--header", "Content-Type: application/json", "--data-binary", "@-"]
        done = subprocess.run([*words, f"https://{HOST}:{self.port}{path}"], input=body, capture_output=True, text=True, timeout=30)
        if done.returncode:
            raise RuntimeError(f"curl {path}: {done.stderr}")
        head, _, content = done.stdout.replace("\r\n", "\n").partition("\n\n")
        version, status = head.split(" ", 2)[:2]
        return int(status), version, head.lower(), content


def walk(checks, machine, proxy):
    def sign_in(*options):
        return proxy.curl("/vici/api/auth/login", *options, body=json.dumps(CREDENTIALS))

    def newest():
        listed = machine.command("sessions", "list", "--app", "vici", CREDENTIALS["email"], "--json", "--data", str(machine.directory / "data"))
        return json.loads(listed.stdout)[0]["address"]

    status, version, _, content = sign_in()
    checks.equal("signing in, by HTTP/2", (200, "HTTP/2"), (status, version))
    checks.equal("the session has the client's address", CLIENT, newest())
    checks.equal("by HTTP/1.1", (200, "HTTP/1.1"), sign_in("--http1.1")[:2])
    for header in ("X-Forwarded-For: 203.0.113.9", "X-Forwarded-For: 203.0.113.9, 127.0.0.1", "Forwarded: for=203.0.113.9",
                   "X-Real-IP: 203.0.113.9"):
        sign_in("--header", header)
        checks.equal(f"nobody chooses an address by {header}", CLIENT, newest())
    access = json.loads(content)["accessToken"]
    bearer = ("--header", f"Authorization: Bearer {access}")
    checks.equal("the token is accepted", 200, proxy.curl("/vici/api/auth/me", *bearer)[0])
    checks.equal("chunked bodies pass", 200, sign_in("--http1.1", "--header", "Transfer-Encoding: chunked")[0])
    large = json.dumps(CREDENTIALS | {"extra": "x" * 66_000})
    checks.equal("a body that is too large is refused", 413, proxy.curl("/vici/api/auth/login", body=large)[0])
    checks.equal("readiness", 200, proxy.curl("/readyz")[0])
    if proxy.name != "caddy":  # It redirects by itself, where its ports are 80 and 443.
        plain = http.client.HTTPConnection("127.0.0.1", proxy.plain, timeout=10)
        plain.request("GET", "/healthz?a=1", headers={"Host": HOST})
        answer = plain.getresponse()
        checks.equal("plain HTTP is redirected", (301, f"https://{HOST}/healthz?a=1"), (answer.status, answer.getheader("Location")))
    for path in ("/metrics", "/admin/v1/accounts", "/dev/inbox"):
        checks.equal(f"{path} is not for everybody", 404, proxy.curl(path)[0])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    program, checks, port = str(Path(parser.parse_args().program).resolve()), Checks(), free_port()
    with tempfile.TemporaryDirectory(prefix="ostiary-proxies-") as folder:
        directory = Path(folder)
        tls = authority.make(directory / "tls", f"DNS:{HOST}")
        machine = Machine(program, directory)
        made = machine.init("--domain", HOST, "--app", "vici", "--mail", "smtp://127.0.0.1:9")
        blocks = dict(BLOCK.findall(PAGE.read_text()))
        checks.section = "init"
        for name in ("nginx", "caddy"):
            checks.that(f"it prints the page's block for {name}", blocks[name].strip() in made.stdout, blocks[name], made.stdout)
        with open(directory / "log", "wb") as log:
            server = subprocess.Popen(
                [program, "serve", "--config", str(machine.configuration), "--data", str(directory / "data"),
                 "--listen", f"127.0.0.1:{port}"], stdout=log, stderr=log, env=clean_environment() | machine.variables)
        try:
            wait_for(port, server, 30, "127.0.0.1")
            registered = Wire(f"http://127.0.0.1:{port}").post("/vici/api/auth/register", CREDENTIALS | {"name": "Ann"})
            checks.equal("an account", 201, registered.status)
            for name in ("nginx", "caddy", "haproxy"):
                if shutil.which(name) or Path(f"/usr/sbin/{name}").exists():
                    proxy = Proxy(name, directory, tls, port)
                    with proxy.running():
                        checks.run(name, lambda: walk(checks, machine, proxy))
                else:
                    checks.skip(f"{name} is not installed")
            server.terminate()
            checks.equal("SIGTERM ends the server with exit status 0", 0, server.wait(30))
        finally:
            server.kill()
            server.wait()
    return checks.close()


if __name__ == "__main__":
    sys.exit(main())
