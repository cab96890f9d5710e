#!/usr/bin/env python3
"""Runs Examples/CustomerBackend beside a server: invitations by the admin API, events by signed deliveries.

  try-customer-backend.py --program OSTIARY

The service is built with the package added by a `file://` URL and a version, instead of the path in its manifest, and with all traits.
"""

import argparse
import base64
import contextlib
import datetime
import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from standardwebhooks import Webhook

from built_modules import ROOT
from consumer_package import FOLDER, PLACE, dependency, publish, swift

sys.path.insert(0, str(ROOT / "Server/Tests/BlackBox"))
from checks import Checks
from server import app, clean_environment, development, free_port, serving
from wire import Wire

EXAMPLE = ROOT / "Examples/CustomerBackend"
BY_PATH = '.package(name: "ostiary", path: "../..")'
SECRET = "whsec_" + base64.b64encode(bytes(range(32))).decode()


def build():
    """Builds the example with the package added by its URL. Returns the path of the program."""
    url, version = publish()
    manifest = (EXAMPLE / "Package.swift").read_text()
    if manifest.count(BY_PATH) != 1:
        sys.exit(f"{EXAMPLE}/Package.swift does not say {BY_PATH}")
    shutil.rmtree(FOLDER, ignore_errors=True)
    shutil.copytree(EXAMPLE / "Sources", FOLDER / "Sources")
    (FOLDER / "Package.swift").write_text(manifest.replace(BY_PATH, dependency(url, version)))
    program = PLACE / "build-native/debug/CustomerBackend"
    program.unlink(missing_ok=True)
    done = swift("native", "build")
    if done.returncode != 0:
        sys.exit(f"{done.stdout}\n{EXAMPLE.name} does not build")
    return program


@contextlib.contextmanager
def running(program, **environment):
    """Runs the service on a free port, for the length of a `with`."""
    port = free_port()
    wire = Wire(f"http://127.0.0.1:{port}")
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(
            [program], stdout=log, stderr=log, env=clean_environment() | environment | {"PORT": str(port)})
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


def delivery(event, account, at=None, secret=SECRET):
    """Returns the headers and the body of a delivery, signed by the reference library of Standard Webhooks."""
    at = datetime.datetime.fromtimestamp(int(at or time.time()), datetime.timezone.utc)
    body = json.dumps({"type": "account.created", "timestamp": "2026-01-31T12:00:00.000Z",
                       "data": {"app": "clarity", "account": account, "actor": None}})
    signature = Webhook(secret).sign(event, at, body)
    return [("Webhook-Id", event), ("Webhook-Timestamp", str(int(at.timestamp()))), ("Webhook-Signature", signature)], body


def invitations(checks, server, backend):
    def invite(order, email):
        return backend.send("POST", "/customers", {"order": order, "email": email})

    first = invite(1, "jo@example.com")
    checks.equal("an invitation", 201, first.status)
    checks.that("its message arrives", server.inbox.wait("clarity", "jo@example.com", 1))
    again = invite(1, "jo@example.com")
    checks.equal("the same order again", (201, first.json), (again.status, again.json))
    checks.equal("another order for the same address", 409, invite(2, "jo@example.com").status)
    checks.equal("no address", 400, invite(3, "jo@").status)
    shown = server.command("users", "list", "--app", "clarity", "--json")
    checks.equal("one account", ["jo@example.com"], [account["email"] for account in json.loads(shown.stdout)])
    checks.equal("its id", json.loads(shown.stdout)[0]["id"], first.json["account"])


def events(checks, backend):
    def deliver(event, account, **more):
        headers, body = delivery(event, account, **more)
        return backend.send("POST", "/events", body=body.encode(), headers=headers).status

    checks.equal("a signed event", 204, deliver("ev_1", "7"))
    checks.equal("the same event again", 204, deliver("ev_1", "7"))
    checks.equal("another event", 204, deliver("ev_2", "8"))
    checks.equal("customers", ["7", "8"], backend.get("/customers").json)
    other = "whsec_" + base64.b64encode(bytes(32)).decode()
    checks.equal("another secret", 401, deliver("ev_3", "9", secret=other))
    checks.equal("signed ten minutes ago", 401, deliver("ev_3", "9", at=time.time() - 600))
    checks.equal("customers, unchanged", ["7", "8"], backend.get("/customers").json)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, type=Path, help="path of the program `ostiary`")
    arguments = parser.parse_args()
    program, checks, port = build(), Checks(), free_port()
    configuration = development(clarity=app("clarity")) | {"admin": {"listen": f"127.0.0.1:{port}"}}
    with serving(arguments.program, configuration, checks) as server:
        created = server.command(
            "admin", "keys", "create", "--name", "Customers", "--scope", "accounts:read", "accounts:write", "--app", "clarity",
            "--json")
        variables = {"ADMIN_URL": f"http://127.0.0.1:{port}", "OSTIARY_ADMIN_KEY": json.loads(created.stdout)["key"],
                     "WEBHOOK_SECRET": SECRET, "APP": "clarity"}
        with running(program, **variables) as backend:
            checks.run("invitations", lambda: invitations(checks, server, backend))
            checks.run("events", lambda: events(checks, backend))
    return checks.close()


if __name__ == "__main__":
    sys.exit(main())
