#!/usr/bin/env python3
"""`ostiary doctor` at a real server, a stopped one and real peers: what is right is ok, and each thing that is wrong is a finding
with a remedy.

  doctor.py --program PATH
"""

import argparse
import base64
import datetime
import hashlib
import json
import logging
import re
import resource
import secrets
import sqlite3
import sys
import tempfile
import threading
import time
import warnings
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult

from checks import Checks
from drills.needing import missing
from peers import postgres
from peers.name_server import NameServer
from peers.tls_front import Authority, Front
from server import Server, app, free_port

DAY = 86_400_000
# The connections stay on this machine.
warnings.simplefilter("ignore")
logging.getLogger("mail.log").setLevel(logging.CRITICAL)


def key():
    return base64.b64encode(secrets.token_bytes(32)).decode()


def configuration(**settings):
    """Production: vici signs with a secret, clarity with keys."""
    return {
        "mode": "production", "encryption_key": key(), "public_url": "https://localhost:1", "trusted_proxies": ["127.0.0.1/32"],
        "admin": {"listen": f"127.0.0.1:{free_port()}"},
        "email": {"kind": "smtp", "url": "smtp://127.0.0.1:9", "from": "no-reply@example.test"},
        "idp": {"name": "Accounts"},
        "apps": {"vici": app("vici", universal_links={"apple_apps": ["ABCDE12345.com.example.vici"], "paths": ["/vici/auth/*"]}),
                 "clarity": app("clarity")}} | settings


def words(value, name=""):
    """Every secret of a configuration."""
    if isinstance(value, dict):
        return [text for name, each in value.items() for text in words(each, name)]
    if isinstance(value, list):
        return [text for each in value for text in words(each, name)]
    return [value] if "secret" in name or "key" in name else []
# What is said of a database where the tests of this machine may have their files.
ELSEWHERE = {"sqlite_in_container", "sqlite_in_memory"}


class Deployment:
    """A server of its own, and what the doctor says of it."""

    def __init__(self, program, directory, checks, **settings):
        self.checks = checks
        directory.mkdir()
        self.server = Server(program, directory, configuration(**settings))
        self.options = ()
        Path(self.server.options[-1]).chmod(0o600)

    def document(self, *options, status=None):
        """The findings by code; of those that are ok or skipped by the check's name."""
        started = time.monotonic()
        done = self.server.command("doctor", "--json", *self.options, *options)
        self.checks.that("it ends soon", time.monotonic() - started < 12, "12 s", time.monotonic() - started)
        document = json.loads(done.stdout) if done.returncode in (0, 1) else {"findings": [], "status": done.stderr}
        if status is not None:
            self.checks.equal("exit status", status, done.returncode)
        leaked = [text for text in words(self.server.configuration) if text in done.stdout + done.stderr]
        self.checks.equal("no secret is printed", [], leaked)
        return document

    def findings(self, *options, status=None):
        found = {}
        for finding in self.document(*options, status=status)["findings"]:
            name = finding["check"] if finding["code"] in ("ok", "skipped") else finding["code"]
            found.setdefault(name, finding)
        return found

    def expect(self, name, expected, *options):
        """Checks that there are findings with these codes and severities, those that are not ok with a remedy; returns all."""
        found = self.findings(*options, status=1 if "error" in expected.values() else None)
        came = {code: found[code]["severity"] if code in found else None for code in expected}
        self.checks.equal(name, expected, came if came == expected else came | {
            code: each["severity"] for code, each in found.items() if each["severity"] not in ("ok", "skipped")})
        bare = [code for code in expected if code in found and found[code]["severity"] in ("warning", "error")
                and not found[code].get("remedy")]
        self.checks.equal(f"{name}: a remedy is named", [], bare)
        return found


def local(deployment, directory, checks):
    """What the machine shows of itself, while the server runs."""
    server, backups = deployment.server, directory / "backups"
    backups.mkdir()
    server.command("store", "backup", "--to", str(backups))
    deployment.options = ("--backups", str(backups))
    found = deployment.findings("--offline")
    for name in ("configuration", "files", "sqlite", "commits", "signing_keys", "encryption_keys", "backups"):
        # Other programs of the machine may slow the disk down, and a container or the memory may have the directory.
        others = {"commits": {"commits_slow"}, "sqlite": ELSEWHERE}.get(name, set())
        checks.that(f"{name} is ok", found.get(name, {}).get("severity") == "ok" or others & set(found), "ok", sorted(found))
    checks.that("commits of the server are measured", "100 commits" in str(found), "100 commits", found.get("commits"))
    checks.equal("its log is said to be flushed", True, "FULL" in str(found.get("sqlite")) or bool(ELSEWHERE & set(found)))

    newest, pid, yaml = next(backups.iterdir()), server.process.pid, server.directory / "ostiary.yaml"
    old = newest.with_name("ostiary-20200101T000000Z.db")
    newest.rename(old)
    yaml.chmod(0o644)
    server.data.chmod(0o777)
    # Until the server is started again: a process may lower its limit only.
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (700, 700))
    found = deployment.expect("many mistakes of the machine", {
        "backup_old": "warning", "file_exposed": "error", "file_writable": "error", "open_files_low": "warning"}, "--offline")
    checks.that("the limit is that of the server", "700" in found.get("open_files_low", {}).get("message", ""), "700", found)
    yaml.chmod(0o600)
    server.data.chmod(0o700)
    old.chmod(0o644)
    found = deployment.expect("a backup for everybody", {"file_exposed": "error"}, "--offline")
    checks.equal("it is named", str(old), found.get("file_exposed", {}).get("subject"))
    old.unlink()
    text = server.command("doctor", *deployment.options, "--offline").stdout
    checks.that("a person reads a table, remedies and a summary", "backup_missing" in text and "backup_missing (" in text
                and re.match(r"\d+ errors?, \d+ warnings?, ", text.splitlines()[-1]), "table", text)
    backups.rmdir()
    deployment.expect("no such directory", {"backups_unreadable": "error"}, "--offline")
    deployment.options = ()
    document = deployment.document("--offline")
    if document["status"] != "error":
        checks.equal("warnings do not fail it", 0, server.command("doctor", "--offline").returncode)
        checks.equal("unless it is strict", int(document["status"] == "warning"),
                     server.command("doctor", "--offline", "--strict").returncode)


def rotation(deployment, checks):
    """An earlier key in use, seen without the server and through it."""
    server = deployment.server
    server.configuration["encryption_keys"] = [key(), server.configuration.pop("encryption_key")]
    with server.paused():
        deployment.expect("an earlier key, without a server", {"earlier_key_in_use": "warning"}, "--offline")
    deployment.expect("an earlier key, with a server", {"earlier_key_in_use": "warning"}, "--offline")
    server.command("keys", "rotate-encryption")
    deployment.expect("an earlier key that nothing needs", {"earlier_key_unused": "warning"}, "--offline")


def state(directory):
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in directory.iterdir() if path.is_file()}


def stopped(deployment, checks):
    """Without a server the file is read, and nothing is changed."""
    server = deployment.server
    server.stop()
    change(server, f"UPDATE signing_key SET created_at = created_at - {400 * DAY}")
    before = state(server.data)
    found = deployment.expect("an old signing key", {"signing_key_old": "warning"})
    checks.equal("nothing is changed", before, state(server.data))
    checks.equal("it names the app", "clarity", found.get("signing_key_old", {}).get("subject"))
    checks.that("flushes are measured", "flushes" in str(found), "flushes", found.get("commits"))

    change(server, "PRAGMA journal_mode = DELETE")
    deployment.expect("a rollback journal", {"sqlite_journal_mode": "error"})
    path = server.data / "ostiary.db"
    content = path.read_bytes()
    path.write_bytes(b"\0" * 4096)
    deployment.expect("a file of zeros", {"sqlite_damaged": "error"})
    path.write_bytes(content)
    server.start()
    checks.equal("the server starts afterwards", 200, server.wire.get("/readyz").status)
    server.stop()

    kept, server.configuration = server.configuration, server.configuration | {"mode": "nothing"}
    found = deployment.expect("an invalid configuration", {"configuration_invalid": "error"})
    checks.that("the key is named", "mode" in str(found), "mode", found)
    server.configuration = kept
    kept, server.data = server.data, server.directory / "fresh"
    deployment.expect("before the first start", {"sqlite": "skipped", "signing_keys": "skipped"})
    checks.that("nothing is created", not server.data.exists(), "nothing", server.data)
    server.data = kept


def change(server, statement):
    database = sqlite3.connect(server.data / "ostiary.db")
    database.execute(statement)
    database.commit()
    database.close()


def outside(deployment, front, roots, checks):
    """What the public URL shows, and what the server sees of it."""
    found = deployment.findings()
    for name in ("tls", "public_url", "proxy", "issuer", "aasa", "clock"):
        checks.equal(f"{name} is ok", "ok", found.get(name, {}).get("severity", sorted(found)))
    front.forwarded = "append"
    deployment.expect("a proxy that appends", {"proxy": "ok"})
    front.forwarded = "pass"
    deployment.expect("a proxy that passes on", {"forwarded_for_forgeable": "error"})
    front.mend()
    front.forwarded, front.host = "none", "127.0.0.1"
    front.dropped = ["x-content-type-options", "strict-transport-security"]
    front.context = roots.context(10)
    front.clock = datetime.timedelta(minutes=-5)
    path = "/.well-known/apple-app-site-association"
    front.answers = {
        "/idp/.well-known/openid-configuration": (200, [], json.dumps({"issuer": "http://localhost"}).encode()),
        "/metrics": (200, [], b"ostiary_requests_total 1\n"), path: (200, [("Content-Type", "text/plain")], b"{}")}
    deployment.expect("a proxy with many mistakes", {
        "forwarded_for_missing": "error", "host_changed": "error", "header_changed": "warning", "hsts_missing": "error",
        "tls_expires_soon": "warning", "clock_wrong": "error", "issuer_mismatch": "error", "metrics_public": "error",
        "aasa_content_type": "error"})
    front.mend()
    front.added = [("Strict-Transport-Security", "max-age=1")]
    front.answers = {path: (301, [("Location", "https://example.test/")], b"")}
    front.context = roots.context(90, "other.example.test")
    deployment.expect("a certificate of another name", {"tls_untrusted": "error"})
    front.context = roots.context(90)
    deployment.expect("a redirected file", {"aasa_redirect": "error", "hsts_repeated": "warning"})
    front.mend()
    front.answers = {path: (200, [("Content-Type", "application/json")], b'{"applinks": {"details": []}}')}
    front.context = roots.context(-1)
    deployment.expect("an expired certificate", {"tls_expired": "error"})
    front.context = roots.context(90)
    deployment.server.configuration["trusted_proxies"] = ["192.0.2.0/24"]
    with deployment.server.paused():
        deployment.expect("no server", {"public_url_status": "error", "aasa_app_missing": "error"})
    deployment.expect("a proxy that is not trusted", {"proxy_not_trusted": "error"})
    front.mend()
    deployment.server.configuration["trusted_proxies"] = ["127.0.0.1/32"]
    found = deployment.findings("--offline")
    checks.equal("nothing is asked outside on request", ("skipped", []), (
        found.get("outside", {}).get("severity"), [name for name in ("tls", "public_url", "smtp") if name in found]))


class Plain(BaseHTTPRequestHandler):
    """A web server at the port of plain HTTP."""

    location = None

    def do_GET(self):
        self.send_response_only(301 if self.location else 200)
        if self.location:
            self.send_header("Location", self.location)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


def plain(deployment, checks):
    """The port of plain HTTP, which only the administrator of a machine can open."""
    kept = deployment.server.configuration["public_url"]
    deployment.server.configuration["public_url"] = "https://localhost"
    try:
        if "redirect" in deployment.expect("nothing answers plain HTTP", {"redirect": "ok"}):
            server = HTTPServer(("127.0.0.1", 80), Plain)
            threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
            try:
                deployment.expect("plain HTTP is served", {"plain_http_served": "error"})
                for location, expected in (("http://localhost/healthz", {"plain_http_elsewhere": "error"}),
                                           ("https://localhost/healthz", {"redirect": "ok"})):
                    Plain.location = location
                    deployment.expect(f"plain HTTP is redirected to {location}", expected)
            finally:
                server.shutdown()
                server.server_close()
    except OSError as error:
        checks.skip(f"port 80: {error.strerror}")
    finally:
        deployment.server.configuration["public_url"] = kept


def mail(deployment, front, checks):
    """A real mail server, and records of a name server."""
    server = deployment.server

    def authenticate(_, session, __, ___, data):
        return AuthResult(success=data.login == b"ostiary" and data.password == b"pass word", handled=False)

    plain = Controller(object(), hostname="127.0.0.1", port=free_port(), authenticator=authenticate, auth_required=True,
                       auth_require_tls=False)
    records = {"example.test": ["v=spf1 include:_spf.example.net -all"], "_dmarc.example.test": ["v=DMARC1; p=reject"],
               "s1._domainkey.example.test": ["v=DKIM1; k=rsa; p=" + "A" * 400]}

    def configured(url):
        server.configuration["email"] = {"kind": "smtp", "url": url, "from": "Test <no-reply@example.test>"}

    plain.start()
    try:
        with NameServer(records) as names:
            deployment.options += ("--resolver", names.address)
            configured(f"smtp://ostiary:pass%20word@127.0.0.1:{plain.port}")
            deployment.expect("what is right", {"smtp": "ok", "spf": "ok", "dmarc": "ok", "dkim": "ok"}, "--dkim-selector", "s1")
            records |= {"example.test": ["v=spf1 mx", "v=spf1 -all"], "_dmarc.example.test": ["v=DMARC1; p=none"],
                        "s1._domainkey.example.test": ["v=DKIM1; p="]}
            configured(f"smtp://ostiary:wrong@127.0.0.1:{plain.port}")
            done = deployment.expect("a wrong password", {
                "smtp_login_refused": "error", "spf_repeated": "error", "dmarc_none": "warning", "dkim_revoked": "error"},
                "--dkim-selector", "s1")
            checks.that("the password is not printed", "wrong" not in str(done), "nothing", done)
            records["example.test"] = ["v=spf1 +all"]
            del records["_dmarc.example.test"]
            configured(f"smtps://localhost:{front.server_port}")
            deployment.expect("a certificate of an unknown authority", {
                "smtp_untrusted": "error", "spf_allows_all": "error", "dmarc_missing": "warning", "dkim_missing": "error"},
                "--dkim-selector", "s2")
            records["example.test"] = ["v=spf1 mx"]
            configured(f"smtps://127.0.0.1:{plain.port}")
            deployment.expect("a port without TLS", {"smtp_without_tls": "error", "spf_open": "warning", "dkim": "skipped"})
        del records["example.test"]
        configured(f"smtp://127.0.0.1:{free_port()}")
        deployment.expect("nothing answers", {"smtp_unreachable": "error", "spf": "skipped", "dmarc": "skipped"})
    finally:
        plain.stop()


def away(deployment, checks):
    """The proxy is stopped, and a name has no address here."""
    deployment.options = ()
    deployment.expect("no proxy", {"public_url_unreachable": "error", "tls_unreachable": "error", "proxy": "skipped"})
    deployment.server.configuration["public_url"] = "https://auth.example.invalid"
    found = deployment.findings()
    # A machine without a resolver does not know that there is no such name.
    checks.that("a name without an address", "public_url_unreachable" in found or found["public_url"]["severity"] == "skipped",
                "an error, or skipped", found)


def on_postgres(program, directory, checks):
    absent = missing("postgres")
    if absent:
        return checks.skip(absent)
    with postgres.serving() as cluster:
        name = "ostiary"
        url = postgres.url([cluster], name, cluster.database(name))
        deployment = Deployment(program, directory / "postgres", checks, store=url)
        deployment.expect("before the first start", {"clock": "ok", "signing_keys": "skipped"}, "--offline")
        checks.equal("no table is made", [["0"]],
                     cluster.sql("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'", database=name))
        deployment.server.start()
        found = deployment.expect("a database in use", {"clock": "ok", "signing_keys": "ok", "encryption_keys": "ok"}, "--offline")
        checks.that("commits are measured", " commits, half" in str(found), "commits", found.get("commits"))
        deployment.server.stop()
        cluster.sql(f"ALTER ROLE {name} SET synchronous_commit = off")
        deployment.expect("commits that are not flushed", {
            "postgres_synchronous_commit": "error"} | ({} if cluster.sql("SHOW fsync") == [["on"]] else {"postgres_fsync": "error"}),
            "--offline")
        cluster.stop("immediate")
        deployment.expect("an unreachable database", {"postgres_unreachable": "error", "signing_keys": "skipped"}, "--offline")
        cluster.start()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, help="path of the program `ostiary`")
    program = parser.parse_args().program
    checks = Checks()
    with tempfile.TemporaryDirectory(prefix="ostiary-") as directory:
        directory = Path(directory)
        deployment = Deployment(program, directory / "first", checks)
        roots = Authority(directory / "authority")
        with Front(deployment.server.port, roots.context(90)) as front:
            deployment.server.configuration["public_url"] = f"https://localhost:{front.server_port}"
            deployment.server.start()
            try:
                checks.run("the machine", lambda: local(deployment, directory, checks))
                checks.run("a change of the encryption key", lambda: rotation(deployment, checks))
                deployment.options = ("--ca", str(roots.path))
                checks.run("the public URL", lambda: outside(deployment, front, roots, checks))
                checks.run("plain HTTP", lambda: plain(deployment, checks))
                checks.run("mail", lambda: mail(deployment, front, checks))
                deployment.options = ("--offline",)
                checks.run("without a server", lambda: stopped(deployment, checks))
            finally:
                if deployment.server.lives:
                    deployment.server.stop()
        checks.run("nothing answers", lambda: away(deployment, checks))
        checks.run("PostgreSQL", lambda: on_postgres(program, directory, checks))
    sys.exit(checks.close())


if __name__ == "__main__":
    main()
