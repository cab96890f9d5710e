#!/usr/bin/env python3
"""Runs Examples/ProtectedService beside a server, with live tokens, roles and a revoked session.

  try-protected-service.py --program OSTIARY

The service is built with the package added by a `file://` URL and a version, instead of the path in its manifest, and with all traits.
"""

import argparse
import contextlib
import hashlib
import hmac
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from built_modules import ROOT
from consumer_package import FOLDER, PLACE, dependency, publish, swift

sys.path.insert(0, str(ROOT / "Server/Tests/BlackBox"))
from apps import App
from checks import Checks
from server import app, clean_environment, development, free_port, serving
from tokens import encoded, forged, parts
from wire import Wire

EXAMPLE = ROOT / "Examples/ProtectedService"
BY_PATH = '.package(name: "ostiary", path: "../..", traits: ["Hummingbird"])'


def build():
    """Builds the example with the package added by its URL. Returns the path of the program."""
    url, version = publish()
    manifest = (EXAMPLE / "Package.swift").read_text()
    if manifest.count(BY_PATH) != 1:
        sys.exit(f"{EXAMPLE}/Package.swift does not say {BY_PATH}")
    shutil.rmtree(FOLDER, ignore_errors=True)
    shutil.copytree(EXAMPLE / "Sources", FOLDER / "Sources")
    (FOLDER / "Package.swift").write_text(manifest.replace(BY_PATH, dependency(url, version)))
    program = PLACE / "build-native/debug/ProtectedService"
    program.unlink(missing_ok=True)
    began = time.monotonic()
    done = swift("native", "build")
    if done.returncode != 0:
        sys.exit(f"{done.stdout}\n{EXAMPLE.name} does not build")
    print(f"built {EXAMPLE.name} with {url} in {time.monotonic() - began:.0f} s", flush=True)
    return program


@contextlib.contextmanager
def running(program, app_url):
    """Runs the service on a free port, for the length of a `with`."""
    port = free_port()
    wire = Wire(f"http://127.0.0.1:{port}")
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(
            [program], stdout=log, stderr=log, env=clean_environment() | {"AUTH_URL": app_url, "PORT": str(port)})
        try:
            deadline = time.monotonic() + 15
            while True:
                with contextlib.suppress(OSError):
                    if wire.get("/health").status == 200:
                        break
                if process.poll() is not None or time.monotonic() > deadline:
                    log.seek(0)
                    raise RuntimeError(f"the service does not answer: {log.read().decode(errors='replace')}")
                time.sleep(0.02)
            yield wire
        finally:
            process.terminate()
            process.wait(10)


def signed(token, secret, **claims):
    """Returns the token with some of its claims replaced, signed with the app's own secret."""
    message = forged(token, claims=claims).rpartition(".")[0] if claims else token.rpartition(".")[0]
    return f"{message}.{encoded(hmac.new(secret.encode(), message.encode(), hashlib.sha256).digest())}"


def walk(checks, server, service, secret):
    vici, clarity = App(server.wire, server.inbox, "vici"), App(server.wire, server.inbox, "clarity")
    person, other = vici.register(), vici.register()

    def refused(name, bearer, path="/account"):
        answer = service.get(path, bearer=bearer)
        checks.equal(name, 401, answer.status)
        checks.that(f"{name}: a challenge", (answer.header("www-authenticate") or "").startswith("Bearer"), "Bearer",
                    answer.header("www-authenticate"))

    checks.equal("an open route", 200, service.get("/health").status)
    for path in ("/account", "/account/reports"):
        refused(f"no token at {path}", None, path)
    answer = service.get("/account", bearer=person.access)
    checks.equal("a valid token", 200, answer.status)
    checks.equal("the account of the token", {"id": str(person.user["id"]), "roles": []}, answer.json)

    # A token that is signed again with the right key is valid: each following token is refused because of its one change alone.
    claims = parts(person.access)[1]
    checks.equal("the same claims, signed again", 200, service.get("/account", bearer=signed(person.access, secret)).status)
    hour = {"iat": claims["iat"] - 7200, "exp": int(time.time()) - 3600}
    refused("expired an hour ago", signed(person.access, secret, **hour))
    refused("signed with another key", signed(person.access, "x" * 43))
    refused("without a signature", forged(person.access, header={"alg": "none"}, signature=""))
    refused("with the claims of another account", forged(person.access, claims={"sub": parts(other.access)[1]["sub"]}))
    refused("the refresh token", person.refresh)
    refused("a token of another app", clarity.register().access)

    reports = "/account/reports"
    checks.equal("without the role", 403, service.get(reports, bearer=person.access).status)
    for change, status in (("--add", 200), ("--remove", 403), ("--add", 200)):
        done = server.command("users", "roles", "--app", "vici", person.credentials["email"], change, "admin")
        checks.equal(f"users roles {change} admin", (0, ""), (done.returncode, done.stderr.strip()))
        checks.equal(f"after {change} admin, with the same token", status, service.get(reports, bearer=person.access).status)
    checks.equal("the roles of the account", ["admin"], service.get("/account", bearer=person.access).json["roles"])
    checks.equal("another account's token", 403, service.get(reports, bearer=other.access).status)

    vici.call("logout", {"refreshToken": person.refresh})
    for path in ("/account", reports):
        refused(f"signed out, at {path}", person.access, path)
    checks.equal("another session", 200, service.get("/account", bearer=other.access).status)

    with server.paused():
        answer = service.get("/account", bearer=other.access)
        checks.equal("a server that is gone", 503, answer.status)
        checks.that("a server that is gone: Retry-After", answer.header("retry-after") is not None)
    checks.equal("the server again", 200, service.get("/account", bearer=other.access).status)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, type=Path, help="path of the program `ostiary`")
    arguments = parser.parse_args()
    program, checks = build(), Checks()
    entry = app("vici")
    with serving(arguments.program, development(vici=entry, clarity=app("clarity")), checks) as server:
        with running(program, f"{server.base}/vici") as service:
            checks.run("a protected service", lambda: walk(checks, server, service, entry["jwt_secret"]))
    return checks.close()


if __name__ == "__main__":
    sys.exit(main())
