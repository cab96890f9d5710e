#!/usr/bin/env python3
"""One bad configuration of each kind: exit status 78 within 2 s, one line that names the key, nothing written.

  bad_configurations.py --program PATH

Rows CF-01, CF-03, CF-04, CF-05, CF-07, CF-08, CF-11, CF-14 and OT-12. The production configuration that every case
invalidates in one place is first shown to start.
"""

import argparse
import base64
import contextlib
import copy
import json
import re
import secrets
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from checks import Checks
from server import Server, clean_environment, free_port

STATUS, SECONDS = 78, 2
GONE = object()


def secret():
    return secrets.token_urlsafe(33)


PASSWORD = secret()  # The value in place of another service's password.
GOOD = {
    "mode": "production", "listen": "127.0.0.1:0", "public_url": "https://auth.example.com",
    "trusted_proxies": ["127.0.0.1/32"], "encryption_key": base64.b64encode(secrets.token_bytes(32)).decode(),
    "email": {"kind": "smtp", "url": f"smtps://user:{PASSWORD}@mail.example.com:465", "from": "no-reply@example.com"},
    "sms": {"kind": "webhook", "url": "https://sms.example.com/send", "secret": secret()},
    "apps": {
        "timetracker": {"contract": "timetracker", "base_path": "/timetracker",
                        "redirect_uris": ["timetracker://oauth/callback"], "identity": {
                            "kind": "oidc", "issuer": "https://idp.example.com", "client_id": "c",
                            "client_secret": secret()}},
        "vici": {"contract": "vici", "base_path": "/vici", "identity": {"kind": "local"}, "jwt_secret": secret(),
                 "jwt_refresh_secret": secret()},
        "clarity": {"contract": "clarity", "base_path": "/clarity", "identity": {
            "kind": "cognito", "region": "us-east-1", "user_pool_id": "us-east-1_AbCdEfGhI", "client_id": "c",
            "client_secret": secret(), "endpoint": "http://127.0.0.1:5000"}},
        "barqnet": {"contract": "barqnet", "base_path": "/barqnet", "identity": {"kind": "local"}},
        "viewvault": {"contract": "viewvault", "base_path": "/viewvault",
                      "redirect_uris": ["viewvault://oauth/callback"],
                      "identity": {"kind": "auth0", "domain": "tenant.auth0.com", "client_id": "c",
                                   "client_secret": secret(), "audience": "a"}},
    },
}
SHORT = "Zq7-kv2_Xw9-bt4_Rm6-ys8_Ln3-hd5"  # 31 bytes.
TEST_NUMBER = {"+15555550100": {"code": "123456", "until": "2099-01-01"}}

# The key, its value, and the text that the line must name (the last key of the path by default).
CHANGES = [
    *((f"apps.vici.{key}", value) for key in ("jwt_secret", "jwt_refresh_secret")
      for value in (GONE, "", "secret", "changeme", SHORT, "a" * 32, "ab" * 16, 7, ["x"])),
    ("apps.vici.jwt_refresh_secret", GOOD["apps"]["vici"]["jwt_secret"]),
    *(("encryption_key", value) for value in (
        GONE, "", "changeme", "not base64!", base64.b64encode(b"x" * 32).decode(),
        base64.b64encode(secrets.token_bytes(31)).decode(), base64.b64encode(secrets.token_bytes(33)).decode())),
    *(("mode", value) for value in (GONE, "staging", "Production", "", 1, True, [])),
    *(("listen", value) for value in ("nonsense", "127.0.0.1", "127.0.0.1:99999", "127.0.0.1:http", ":", 3001)),
    *(("public_url", value) for value in (
        GONE, "http://auth.example.com", "ftp://auth.example.com", "auth.example.com", "https://",
        "https://x.example/?a=b")),
    *(("trusted_proxies", value) for value in (["everyone"], ["10.0.0.0/33"], ["0.0.0.0/0"], "10.0.0.0", {"a": 1})),
    *(("tls", value) for value in ({"certificate": "absent.pem", "key": "absent.pem"}, {"certificate": "absent.pem"},
                                   {"key": "absent.pem"}, "cert.pem", [])),
    *(("store", value) for value in (
        "", "mysql://localhost/x", "sqlite:", f"postgres://user:{PASSWORD}@db.example.com/x",
        f"postgres://user:{PASSWORD}@db.example.com:port/x", f"postgres://user:{PASSWORD}@127.0.0.1/x?sslmod=require",
        f"postgres://user:{PASSWORD}@127.0.0.1/x?pool_size=0", f"postgres://user:{PASSWORD}@127.0.0.1/x?pooler=session",
        f"postgres://user:{PASSWORD}@127.0.0.1/x?port=1,2", f"postgres://127.0.0.1/?password={PASSWORD}", 7)),
    *(("email.kind", value) for value in ("inbox", "carrier-pigeon", GONE)),
    *(("email.url", value) for value in (GONE, "mail.example.com", f"https://user:{PASSWORD}@mail.example.com")),
    *(("email.from", value) for value in (GONE, "nobody", "a@example.com\r\nBcc: b@example.com")),
    *(("sms.kind", value) for value in ("inbox", "carrier-pigeon", GONE)),
    *(("sms.url", value) for value in (GONE, "http://sms.example.com/send", "sms.example.com")),
    *(("sms.secret", value) for value in (GONE, "", "secret")),
    ("sms", {"kind": "twilio", "auth_token": PASSWORD, "from": "+15550100000"}, "account_sid"),
    ("sms", {"kind": "twilio", "account_sid": "AC1", "from": "+15550100000"}, "auth_token"),
    ("sms", {"kind": "twilio", "account_sid": "AC1", "auth_token": PASSWORD}, "from"),
    *(("admin.listen", value) for value in ("nonsense", 3002)),
    *((f"limits.{key}", value) for key in ("body", "headers", "connections", "header_timeout", "body_timeout",
                                           "idle_timeout") for value in (0, -1, "much", 1.5)),
    *(("log.level", value) for value in ("loud", 7)), ("log.format", "xml"),
    ("colour", "red"), ("limits.colour", 7), ("apps.vici.colour", "red"), ("apps.vici.tokens.colour", 1),
    ("email.colour", "red"), ("apps.clarity.identity.colour", "red"), ("apps.vici.rate_limits.colour", "1/1m"),
    *(("apps", value) for value in (GONE, {}, [], "vici")),
    *(("apps.vici.contract", value) for value in ("vicious", "./absent.json", "", 7)),
    *(("apps.vici.base_path", value) for value in ("vici", "/vici/", "/../vici", "/vi ci", "", "/healthz", 7)),
    *(("apps.vici.hosts", value) for value in ([], ["*.example.com"], ["https://api.example.com"], "api.example.com")),
    ("apps.viewvault.base_path", "/vici"),
    *(("apps.viewvault.redirect_uris", value) for value in (
        [], ["https://app.example.com/*"], ["http://app.example.com/callback"], ["javascript:alert(1)"], ["callback"],
        [""], ["viewvault://oauth/callback#x"], "viewvault://oauth/callback", [7])),
    *((f"apps.clarity.identity.{key}", GONE) for key in ("region", "user_pool_id", "client_id", "kind")),
    ("apps.clarity.identity.endpoint", "http://cognito.example.com"), ("apps.clarity.identity.client_secret", ""),
    *((f"apps.timetracker.identity.{key}", GONE) for key in ("issuer", "client_id", "client_secret")),
    ("apps.timetracker.identity.issuer", "http://idp.example.com"), ("apps.timetracker.identity.issuer", "idp"),
    ("apps.timetracker.identity", GONE),
    *((f"apps.viewvault.identity.{key}", GONE) for key in ("domain", "client_id", "client_secret", "audience")),
    ("apps.viewvault.identity.domain", "http://127.0.0.1:5000/"), ("apps.vici.identity.kind", "ldap"),
    ("apps.vici.identity.kind", "builtin"), ("apps.vici.identity", []), ("apps.vici.identity", ["local"]),
    *(("apps.vici.identity", [{"kind": "local"}, entry], named) for entry, named in (
        ({"kind": "local"}, "name"), ({"kind": "google", "client_id": "c"}, "google.client_secret"),
        ({"kind": "google", "client_id": "c", "client_secret": PASSWORD, "issuer": "https://evil.example.com"}, "issuer"),
        ({"kind": "github", "client_id": "c", "client_secret": PASSWORD, "endpoint": "http://evil.example.com"},
         "endpoint"),
        ({"kind": "github", "name": "Git Hub", "client_id": "c", "client_secret": PASSWORD}, "name"),
        ({"kind": "apple", "client_id": "c", "team_id": "ABCDE12345", "key_id": "ABCDE12345", "private_key": PASSWORD},
         "private_key"),
        (GOOD["apps"]["clarity"]["identity"], "cognito.kind"))),
    *(("apps.timetracker.identity.scopes", value) for value in ([], ["profile"], "openid")),
    ("apps.timetracker.identity.ca_file", "absent.pem"), ("apps.timetracker.identity.client_authentication", "none"),
    *(("apps.vici.color", value) for value in ("red", "#12", 7)), *(("apps.vici.name", value) for value in ("", "x" * 65)),
    ("apps.idp", {"contract": "vici"}), ("idp", ["x"]), ("idp.registration", "perhaps"), ("idp.colour", "red"),
    ("idp.second_factor", {"policy": "perhaps"}), ("idp.passkeys", {}), ("idp.passkeys", {"rp_id": "127.0.0.1"}),
   
    *(("idp.clients", {"web": {"redirect_uris": ["https://a.example.com/cb"]} | client}, named) for client, named in (
        ({}, "secret"), ({"secret": SHORT}, "secret"), ({"secret": PASSWORD, "public": True}, "secret"),
        ({"public": True, "redirect_uris": []}, "redirect_uris"),
        ({"public": True, "redirect_uris": ["http://a.example.com/cb"]}, "redirect_uris"),
        ({"public": True, "rate_limit": "9/1m"}, "rate_limit"),
        ({"public": True, "leads_to": ["https://a.example.com/x"]}, "leads_to"))),
    *(("apps.vici.passwords.bcrypt_cost", value) for value in (3, 9, 32, 0, -1, "ten", 10.5)),
    *(("apps.vici.passwords.minimum_length", value) for value in (0, 1, -8, 1000, "eight")),
    *((f"apps.clarity.tokens.{key}", value) for key in ("access", "refresh", "refresh_short")
      for value in (0, -1, 315_360_000, "an hour", 1.5, 10**30)),
    *(("apps.clarity.tokens.replay_window", value) for value in (-1, "half a minute")),
    ("apps.clarity.tokens.refresh", 60, "tokens"), ("apps.clarity.tokens.refresh_short", 60, "tokens"),
    ("apps.clarity.tokens.signing", "rs256"), ("apps.clarity.profile", "lax"),
    *(("apps.barqnet.codes.digits", value) for value in (0, 3, 40, "six")),
    *((f"apps.barqnet.codes.{key}", value) for key in ("lifetime", "tries") for value in (0, -1, "few")),
    ("apps.barqnet.codes.resend_after", -1),
    *(("apps.barqnet.codes.test_numbers", value) for value in (
        {"5555550100": TEST_NUMBER["+15555550100"]}, {"+15555550100": {"code": "123456"}},
        {"+15555550100": {"code": "1234", "until": "2099-01-01"}},
        {"+15555550100": {"code": "123456", "until": "some day"}}, ["+15555550100"])),
    *(("apps.vici.rate_limits.sign_in", value) for value in ("10 a minute", "0/1m", "-1/1m", "10/0m", "10", 10, "")),
    *(("apps.vici.registration.safe", value) for value in ("perhaps", 1)),
]

# Texts that are not, or not quite, the YAML of a configuration; each is reported with its line.
GOOD_TEXT = "mode: development\napps:\n  vici:\n    contract: vici\n"
TEXTS = {
    "a tab": (GOOD_TEXT + "\tbase_path: /vici\n", ""),
    "a key twice": (GOOD_TEXT + "    base_path: /one\n    base_path: /two\n", "base_path"),
    "a key twice at the top": (GOOD_TEXT + "mode: development\n", "mode"),
    "an unknown key": (GOOD_TEXT + "    base_pth: /one\n", "base_pth"),
    "an unknown key at the top": (GOOD_TEXT + "mood: good\n", "mood"),
    "yes for true": (GOOD_TEXT + "    registration: {safe: yes}\n", "safe"),
    "no for false": (GOOD_TEXT + "    registration: {safe: no}\n", "safe"),
    "on for true": (GOOD_TEXT + "    registration: {safe: on}\n", "safe"),
    "a list for a mapping": (GOOD_TEXT + "limits: [1, 2]\n", "limits"),
    "a mapping for a number": (GOOD_TEXT + "limits: {body: {bytes: 1}}\n", "body"),
    "an anchor bomb": ("a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
        f"{chr(98 + i)}: &{chr(98 + i)} [{','.join(['*' + chr(97 + i)] * 9)}]\n" for i in range(12)) + GOOD_TEXT, ""),
    "a merge key": (GOOD_TEXT + "base: &base {body: 1024}\nlimits:\n  <<: *base\n", ""),
    "deep nesting": (GOOD_TEXT + "limits: " + "[" * 5000 + "]" * 5000 + "\n", ""),
    "an open quote": (GOOD_TEXT + 'public_url: "https://\n', ""),
    "an open bracket": (GOOD_TEXT + "limits: {body: 1024\n", ""),
    "a tag": (GOOD_TEXT + "limits: !!python/object {}\n", ""),
    "an undefined variable": (GOOD_TEXT + "encryption_key: ${NOBODY_SET_THIS}\n", "NOBODY_SET_THIS"),
}
UNLINED = {  # The problem concerns the whole file.
    "10 MB": (GOOD_TEXT + "# " + "x" * 10_000_000 + "\n", ""), "nothing": ("", "mode"), "a list": ("- mode\n", ""),
    "a text": ("hello\n", ""), "malformed UTF-8": (b"mode: \xff\xfe\n", ""), "NUL": (b"mode: development\0\n", ""),
}
VARIABLES = [
    ({"OSTIARY_APPS_VICI_PASSWORDS_BCRYPT_COST": "ten"}, "bcrypt_cost"), ({"JWT_SECRET": "changeme"}, "jwt_secret"),
    ({"JWT_EXPIRES_IN_SECONDS": "-1"}, "jwt_expires_in_seconds"), ({"OSTIARY_LISTEN": "nonsense"}, "listen"),
    ({"OSTIARY_MODE": "staging"}, "mode"), ({"OSTIARY_APPS_VICI_COLOUR": "red"}, "colour"),
]


def changed(path, value):
    configuration = copy.deepcopy(GOOD)
    *parents, key = path.split(".")
    inner = configuration
    for parent in parents:
        inner = inner.setdefault(parent, {})
    if value is GONE:
        inner.pop(key, None)
    else:
        inner[key] = value
    return configuration


def strings(value):
    """Returns every string of a configuration."""
    if isinstance(value, dict):
        return [text for inner in value.values() for text in strings(inner)]
    if isinstance(value, list):
        return [text for inner in value for text in strings(inner)]
    return [value] if isinstance(value, str) else []


SECRETS = {PASSWORD, SHORT, GOOD["encryption_key"]} | {text for text in strings(GOOD) if len(text) == len(secret())}


class Attempt:
    """Runs `serve` once in directories of its own."""

    def __init__(self, program, checks):
        self.program, self.checks = str(Path(program).resolve()), checks

    def refused(self, name, configuration, named, environment=None, lined=False, arguments=()):
        with tempfile.TemporaryDirectory(prefix="ostiary-") as directory:
            work, data = Path(directory) / "work", Path(directory) / "data"
            work.mkdir()
            data.mkdir()
            file = Path(directory) / "ostiary.yaml"
            if configuration is not None:
                text = json.dumps(configuration, indent=2) if isinstance(configuration, dict) else configuration
                file.write_bytes(text if isinstance(text, bytes) else text.encode())
            command = [self.program, "serve", "--config", str(file), "--data", str(data), *arguments]
            began = time.monotonic()
            process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=work,
                                       stdin=subprocess.DEVNULL, env=clean_environment() | (environment or {}))
            try:
                out, err = process.communicate(timeout=2 * SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                out, err = process.communicate()
            seconds = time.monotonic() - began
            said = err.decode("utf-8", "replace")
            wrong = [] if process.returncode == STATUS else [f"exit status {STATUS}, not {process.returncode}"]
            wrong += [] if seconds <= SECONDS else [f"{SECONDS} s, not {seconds:.1f}"]
            wrong += [] if said.count("\n") == 1 and said.endswith("\n") else ["one line"]
            wrong += [] if named.lower() in said.lower() else [f"the name {named}"]
            wrong += [] if not lined or re.search(r":\d+", said.replace(str(directory), "")) else ["a line number"]
            told = said + out.decode("utf-8", "replace")
            wrong += ["no secret"] if any(one in told for one in SECRETS) else []
            wrong += ["not to listen"] if b"listening" in out else []
            left = [path.name for path in (*work.iterdir(), *data.iterdir())]
            wrong += [f"nothing written, not {left}"] if left else []
            self.checks.none(name, wrong, said)


def callbacks(server, checks, name, *expected):
    """Checks that commands print the redirect URI of each external provider, and no other."""
    shown = server.command("config", "show").stdout.splitlines()
    lines = [f"# redirect URI to register at {provider} of {app}: {url}" for app, provider, url in expected]
    checks.equal(f"config show prints the callbacks of {name}", lines, [line for line in shown if "redirect URI" in line])
    found = json.loads(server.command("doctor", "--json", "--offline").stdout)["findings"]
    checks.equal(f"doctor prints the callbacks of {name}",
                 [(app, f"The redirect URI to register at {provider} is {url}") for app, provider, url in expected],
                 [(each["subject"], each["message"]) for each in found if each["check"] == "callbacks"])


def several_providers(program, checks):
    """Each of several providers has a callback of its own."""
    base = "https://auth.example.com/timetracker/auth/providers"
    providers = [GOOD["apps"]["timetracker"]["identity"],
                 {"kind": "google", "name": "work", "client_id": "c", "client_secret": secret()}]
    with tempfile.TemporaryDirectory(prefix="ostiary-") as directory:
        apps = {"timetracker": GOOD["apps"]["timetracker"] | {"identity": providers}}
        server = Server(program, directory, GOOD | {"apps": apps})
        callbacks(server, checks, "several providers", ("timetracker", "oidc", f"{base}/oidc/callback"),
                  ("timetracker", "work", f"{base}/work/callback"))


def good(program, checks):
    """Checks that the unchanged configuration starts, so that each case is refused because of its change."""
    with tempfile.TemporaryDirectory(prefix="ostiary-") as directory:
        server = Server(program, directory, GOOD | {"admin": {"listen": f"127.0.0.1:{free_port()}"}})
        checked = server.command("config", "check")
        checks.equal("config check of the good configuration", 0, checked.returncode)
        shown = server.command("config", "show")
        checks.that("config show masks every secret", shown.returncode == 0 and not [
            one for one in SECRETS if one in shown.stdout + shown.stderr], "no secret", shown.stdout + shown.stderr)
        callbacks(server, checks, "one provider", ("timetracker", "oidc", "https://auth.example.com/timetracker/auth/callback"),
                  ("viewvault", "auth0", "viewvault://oauth/callback"))
        with contextlib.suppress(RuntimeError):
            server.start()
        checks.that("the good configuration starts", server.lives, "a server", server.log.read_text()[-500:])
        if server.lives:
            checks.equal("no development inbox in production", 404, server.wire.get("/dev/inbox").status)
            checks.equal("SIGTERM ends it with exit status 0", 0, server.stop())


def routes(attempt):
    """Contracts whose paths the server itself or another app answers."""
    provider = {"kind": "oidc", "issuer": "https://idp.example.com", "client_id": "c", "client_secret": secret()}
    cases = [
        ("a contract without a prefix", {"prefix": ""}, {}, "resetPassword, POST /mine/reset-password"),
        ("the provider's paths as a prefix", {"prefix": "/idp"}, {"base_path": "/"}, "collides with /idp,"),
        ("the callback of browsers", {"prefix": "/auth", "endpoints": {"signIn": {"method": "POST", "path": "/callback"}}},
         {"identity": [{"kind": "local"}, provider], "redirect_uris": ["mine://oauth/callback"]},
         "signIn, POST /mine/auth/callback collides with /mine/auth/callback"),
        ("an app inside another one's paths", {"prefix": "/vici"}, {"base_path": "/"}, "collides with the app vici at /vici"),
    ]
    for name, change, app, named in cases:
        with tempfile.TemporaryDirectory(prefix="ostiary-") as directory:
            file = Path(directory) / "mine.json"
            file.write_text(json.dumps({"name": "mine", "rules": {"identifier": "email"}} | change))
            configuration = copy.deepcopy(GOOD)
            configuration["apps"]["mine"] = {"contract": str(file), "identity": {"kind": "local"}} | app
            attempt.refused(f"routes: {name}", configuration, "apps.mine: needs")
            attempt.refused(f"routes: {name}: named", configuration, named)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, help="path of the program `ostiary`")
    arguments = parser.parse_args()
    checks = Checks()
    attempt = Attempt(arguments.program, checks)

    def changes():
        for path, value, *named in CHANGES:
            shown = "gone" if value is GONE else "another service's" if PASSWORD in str(value) else repr(value)[:60]
            attempt.refused(f"{path}: {shown}", changed(path, value), named[0] if named else path.split(".")[-1])

    def texts():
        for name, (text, named) in TEXTS.items():
            attempt.refused(name, text, named, lined=True)
        for name, (text, named) in UNLINED.items():
            attempt.refused(name, text, named)

    def surroundings():
        for environment, named in VARIABLES:
            attempt.refused(f"environment {environment}", GOOD, named, environment)
        attempt.refused("a file that is not there", None, "--config")
        attempt.refused("--listen nonsense", GOOD, "--listen", arguments=("--listen", "nonsense"))
        browser = {"mode": "development", "apps": {"viewvault": {"contract": "viewvault"}}}
        attempt.refused("port 0, to which no browser can return", browser | {"listen": "127.0.0.1:0"}, "listen")
        attempt.refused("--listen with port 0", browser, "listen", arguments=("--listen", "127.0.0.1:0"))
        routes(attempt)
        attempt.refused("admin on the same address", GOOD | {"listen": "127.0.0.1:3999", "admin": {
            "listen": "127.0.0.1:3999"}}, "admin")

    checks.run("the good configuration", lambda: good(arguments.program, checks))
    checks.run("several providers", lambda: several_providers(arguments.program, checks))
    checks.run("spoiled values", changes)
    checks.run("spoiled files", texts)
    checks.run("spoiled surroundings", surroundings)
    return checks.close()


if __name__ == "__main__":
    sys.exit(main())
