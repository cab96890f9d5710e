#!/usr/bin/env python3
"""Changes the configuration of a running server with SIGHUP: no request is lost, and a configuration is taken whole or not at all.

  reload.py --program PATH

Row CF-12.
"""

import argparse
import base64
import copy
import hashlib
import hmac
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from apps import App, new_email, new_password
from checks import Checks
from commandlines.store import eventually
from administration import MailServer
from server import Server, app, clean_environment, development, free_port

TAKEN, REFUSED = "configuration reloaded", "configuration not reloaded"


class Reloaded(Server):
    """A server with a file of secrets, and a service manager that listens."""

    def __init__(self, program, directory, configuration):
        self.secrets = {}
        super().__init__(program, directory, configuration)
        self.manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.manager.bind(f"\0ostiary-{os.getpid()}")
        self.messages = []
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        """Reads what the service manager would: a sender waits for room in a full queue."""
        while True:
            self.messages.append(self.manager.recv(200).decode())

    def messages_of_reload(self, since):
        """The messages from the first reload on that began at or after a time in microseconds of the monotonic clock."""
        messages = list(self.messages)
        for index, message in enumerate(messages):
            lines = dict(line.split("=") for line in message.splitlines())
            if lines.get("RELOADING") == "1" and int(lines.get("MONOTONIC_USEC", 0)) >= since:
                return messages[index:]
        return []

    @property
    def options(self):
        path = self.directory / "environment"
        path.write_text("".join(f"{name}='{value}'\n" for name, value in self.secrets.items()))
        return [*super().options, "--environment", str(path)]

    def start(self, within=30):
        os.environ["NOTIFY_SOCKET"] = f"@ostiary-{os.getpid()}"
        try:
            return super().start(within)
        finally:
            del os.environ["NOTIFY_SOCKET"]

    def records(self, since=0):
        """Returns the records of the log after a position, and the position of its end."""
        data = self.log.read_bytes()[since:]
        end = data.rfind(b"\n") + 1
        return [json.loads(line) for line in data[:end].splitlines() if line.startswith(b"{")], since + end

    def reload(self, write=True, within=10):
        """Writes the configuration and sends SIGHUP; returns the record that says what became of it."""
        if write:
            self.options
        start = self.log.stat().st_size
        self.process.send_signal(signal.SIGHUP)
        deadline = time.monotonic() + within
        while time.monotonic() < deadline:
            for record in self.records(start)[0]:
                if record["message"].startswith((TAKEN, REFUSED)):
                    return record
            time.sleep(0.01)
        raise RuntimeError("no reload was logged")


class Load:
    """Requests on connections that stay open, without a pause. Every answer that is not the expected one is kept."""

    def __init__(self, target, person, count=3):
        self.target, self.person, self.answered, self.wrong = target, person, 0, []
        self.ends = threading.Event()
        self.threads = [threading.Thread(target=self.work, daemon=True) for _ in range(count)]
        for thread in self.threads:
            thread.start()

    def work(self):
        connection = self.target.wire.connect()
        while not self.ends.is_set():
            try:
                answer = self.target.call("me", bearer=self.person.access, connection=connection)
                if answer.status != 200:
                    self.wrong.append(str(answer))
                self.answered += 1
            except Exception as error:  # A lost connection is what is looked for.
                self.wrong.append(repr(error))
                return

    def stop(self):
        self.ends.set()
        for thread in self.threads:
            thread.join()


def signed_by(token, secret):
    """Returns True if a JWT is signed with a secret. Source: RFC 7515 appendix A.1."""
    content, _, signature = token.rpartition(".")
    code = hmac.new(secret.encode(), content.encode(), hashlib.sha256).digest()
    return hmac.compare_digest(base64.urlsafe_b64encode(code).rstrip(b"=").decode(), signature)


def key():
    return base64.b64encode(secrets.token_bytes(32)).decode()


class Reloads:
    def __init__(self, server, mail, checks):
        self.server, self.mail, self.checks = server, mail, checks
        self.vici, self.clarity = (App(server.wire, server.inbox, name) for name in ("vici", "clarity"))
        self.person = self.vici.register()

    @property
    def apps(self):
        return self.server.configuration["apps"]

    def taken(self, name, *expected):
        record = self.server.reload()
        self.checks.equal(f"{name}: taken, and the log names it", (TAKEN, set(expected)),
                          (record["message"], set(record.get("changed", "").split(", "))))

    def refused(self, name, *reasons, write=True):
        record = self.server.reload(write)
        self.checks.that(f"{name}: refused, and the log says why", record["message"].startswith(REFUSED) and all(
            reason in record.get("problem", "") for reason in reasons), reasons, record)
        self.checks.equal(f"{name}: the one before is in use", 200, self.vici.call("me", bearer=self.person.access).status)
        self.checks.that(f"{name}: the metric says so", self.metric("last_reload_successful") == 0)

    def metric(self, name):
        for line in self.server.wire.get("/metrics").body.decode().splitlines():
            if line.startswith(f"ostiary_configuration_{name} "):
                return int(line.split()[-1])
        return None

    def settings(self):
        self.checks.that("nothing changed", self.server.reload()["changed"] == "nothing")
        self.apps["clarity"]["passwords"] = {"minimum_length": 20}
        self.taken("a setting", "apps.clarity.passwords.minimum_length")
        short = self.clarity.newcomer(password="only-17-bytes-ok!")
        self.checks.equal("a setting: it holds", 400, self.clarity.call("register", short).status // 100 * 100)
        del self.apps["clarity"]["passwords"]
        self.taken("the default again", "apps.clarity.passwords.minimum_length")
        self.checks.equal("the default again: it holds", 201, self.clarity.call("register", short).status)

    def new_apps(self):
        demo = App(self.server.wire, self.server.inbox, "clarity", "demo")
        self.checks.equal("an app that is not there", 404, demo.call("login", {"email": "a@example.com", "password": "x"}).status)
        self.apps["demo"] = app("clarity", "demo")
        self.taken("a new app", "apps.demo (added)")
        person = demo.register()
        self.checks.that("a new app: it signs in", demo.accepts(demo.sign_in(person).access))
        removed = self.apps.pop("demo")
        self.taken("without the app", "apps.demo (removed)")
        self.checks.equal("without the app: it is gone", 404, demo.call("login", person.credentials).status)
        self.apps["demo"] = removed
        self.taken("the app again", "apps.demo (added)")
        self.checks.that("the app again: its sessions live", demo.accepts(person.access))

    def contract(self):
        path = self.server.directory / "custom.json"
        shown = subprocess.run([self.server.program, "contract", "show", "clarity"], capture_output=True, text=True, check=True)
        contract = json.loads(shown.stdout) | {"name": "custom"}
        path.write_text(json.dumps(contract))
        self.apps["custom"] = app("clarity", "custom") | {"contract": str(path)}
        self.taken("a contract file", "apps.custom (added)")
        custom = App(self.server.wire, self.server.inbox, "clarity", "custom")
        person = custom.register()
        text = path.read_text()
        path.write_text(text.replace("/logout", "/leave"))
        self.taken("a changed contract file", "apps.custom.contract")
        self.checks.equal("a changed contract file: the old path", 404, custom.call("logout", bearer=person.access).status)
        self.checks.equal("a changed contract file: the new path", 200, custom.wire.post(
            custom["logout"].path.replace("/logout", "/leave"), bearer=person.access).status)
        path.write_text("{}")
        self.refused("a file that is no contract", "custom.json")
        path.write_text(text)
        self.taken("the file of before", "apps.custom.contract")
        self.checks.equal("the metric is well again", 1, self.metric("last_reload_successful"))

    def roles(self):
        self.apps["vici"]["roles"] = {"editor": ["videos:write"]}
        self.taken("roles", "apps.vici.roles.editor")
        done = self.server.command("users", "roles", "--app", "vici", self.person.user["email"], "--add", "editor")
        self.checks.equal("roles: a command assigns them", (0, ""), (done.returncode, done.stderr.strip()))
        self.checks.equal("roles: they hold", 200, self.vici.wire.get(
            "/verify?permission=videos:write", bearer=self.person.access).status)

    def messages(self):
        self.waiting = self.vici.register().user["email"]
        self.checks.equal("mail: accepted while the mail server is gone", 200, self.vici.call(
            "forgot", {"email": self.waiting}).status)
        eventually(lambda: "will be retried" in self.server.log.read_text(), 5)
        self.server.secrets["MAIL"] = f"smtp://127.0.0.1:{self.mail.controller.port}"
        # The file of variables alone has changed.
        self.taken("mail", "email.url")
        self.apps["vici"]["language"] = "de"
        self.taken("a language", "apps.vici.language")
        self.german = self.vici.register().user["email"]
        self.vici.call("forgot", {"email": self.german})

    def limits(self):
        self.apps["limited"] = app("clarity", "limited", rate_limits={"sign_in": {"address": "1000/1m", "identifier": "3/1h"}})
        self.taken("an app with a limit", "apps.limited (added)")
        limited = App(self.server.wire, self.server.inbox, "clarity", "limited")
        someone = {"email": new_email(), "password": new_password()}

        def last_of(count):
            return [limited.call("login", someone).status for _ in range(count)][-1]

        self.checks.equal("a limit is reached", 429, last_of(4))
        self.apps["limited"]["color"] = "#123456"
        self.taken("a colour", "apps.limited.color")
        # The wait of a second may be over, and one attempt be allowed; a new count would allow three.
        self.checks.equal("it counts on after the reload", 429, last_of(2))

    def secrets(self):
        old, new = self.server.secrets["ACCESS"], secrets.token_urlsafe(32)
        self.checks.that("the old secret signs", signed_by(self.person.access, old))
        vici = self.apps["vici"]
        del vici["jwt_secret"]
        vici["jwt_secrets"] = ["${NEW_ACCESS}", "${ACCESS}"]
        self.server.secrets["NEW_ACCESS"] = new
        self.taken("a new secret beside the old one", "apps.vici.jwt_secret", "apps.vici.jwt_secrets")
        self.checks.that("the token of before is accepted", self.vici.accepts(self.person.access))
        self.person = self.vici.sign_in(self.person)
        self.checks.that("the new secret signs", signed_by(self.person.access, new))
        one = self.server.configuration.pop("encryption_key")
        self.server.configuration["encryption_keys"] = [key(), one]
        refresh = self.clarity.register().refresh
        self.taken("a new encryption key", "encryption_key", "encryption_keys")
        access, _ = self.clarity.refreshed(refresh)
        self.checks.that("sessions go on", self.clarity.accepts(access))
        self.server.configuration["encryption_keys"] = [key()]
        self.refused("a key that opens nothing", "encryption_key")
        self.server.configuration["encryption_keys"] = [one]
        self.taken("the key of before alone, which everything needs", "encryption_key", "encryption_keys")
        log = self.server.log.read_text()
        values = [one, old, new, self.apps["vici"]["jwt_refresh_secret"]]
        self.checks.none("no secret is in the log", [value for value in values if value in log])

    def restarts(self):
        kept = copy.deepcopy(self.server.configuration)
        for name, change in [("admin.listen", {"admin": {"listen": f"127.0.0.1:{free_port()}"}}),
                             ("store", {"store": f"sqlite:{self.server.directory}/other.db"})]:
            self.server.configuration |= change | {"log": {"level": "error"}}
            self.refused(name, "needs a restart", name)
            self.server.configuration = copy.deepcopy(kept)
        self.taken("without them nothing has changed", "nothing")

    def invalid(self):
        path = self.server.directory / "ostiary.yaml"
        whole = path.read_text()
        for name, text, reason in [("no YAML", whole[:-5], "ostiary.yaml"), ("an empty file", "", "mode"),
                                   ("an unknown key", whole.replace('"log"', '"lgo"'), "lgo"),
                                   ("an unknown variable", whole.replace("${MAIL}", "${MALI}"), "MALI")]:
            path.write_text(text)
            self.refused(name, reason, write=False)
        pipe = self.server.directory / "pipe"
        os.mkfifo(pipe)
        path.write_text(json.dumps(json.loads(whole) | {"geoip": {"city": str(pipe)}}))
        self.refused("a pipe as a file", "geoip.city", write=False)
        path.unlink()
        self.refused("no file", "ostiary.yaml", write=False)
        os.mkfifo(path)
        self.refused("a pipe as the configuration", "ostiary.yaml", write=False)
        path.unlink()
        path.write_text(whole)
        done = subprocess.run([self.server.program, "config", "check", *self.server.options], capture_output=True, text=True,
                              env=clean_environment())
        self.checks.equal("the file of before is valid", 0, done.returncode)
        self.checks.equal("and taken", TAKEN, self.server.reload()["message"])

    def log_level(self):
        self.server.configuration["log"] = {"level": "warning"}
        self.server.options
        self.server.process.send_signal(signal.SIGHUP)
        self.checks.that("the level: nothing below it is written", eventually(self.is_silent, 5))
        self.server.configuration["log"] = {"level": "info"}
        self.taken("the level", "log.level")
        self.checks.that("the level: requests are logged again", not self.is_silent())

    def is_silent(self):
        size = self.server.log.stat().st_size
        self.vici.call("me", bearer=self.person.access)
        return self.server.log.stat().st_size == size

    def usage(self):
        process = Path(f"/proc/{self.server.process.pid}")
        memory = next(line for line in (process / "status").read_text().splitlines() if line.startswith("VmRSS"))
        return len(os.listdir(process / "task")), len(os.listdir(process / "fd")), int(memory.split()[1])

    def burst(self):
        def burst():
            for number in range(20):
                self.apps["clarity"]["color"] = f"#0000{number:02}"
                self.server.options
                self.server.process.send_signal(signal.SIGHUP)
                time.sleep(0.005)
            self.server.options
            # One that was read while it was written was refused.
            eventually(lambda: self.server.reload(write=False).get("changed") == "nothing", 5)

        # The first burst fills what is filled once: allocators, caches, threads of pools.
        burst()
        threads, files, memory = self.usage()
        for _ in range(3):
            burst()
        # Threads that have nothing to do any more end by themselves.
        eventually(lambda: self.usage()[0] <= threads + 2, 6)
        after = self.usage()
        self.checks.that("no thread is left", after[0] <= threads + 2, threads, after[0])
        self.checks.that("no file is left", after[1] <= files + 2, files, after[1])
        self.checks.that("no memory is left", after[2] <= memory + 12_000, memory, after[2])
        print(f"threads {threads} to {after[0]}, files {files} to {after[1]}, KiB {memory} to {after[2]}", flush=True)

    def pending(self):
        self.checks.that("a message that was pending arrives at the new mail server", eventually(
            lambda: self.waiting in self.mail.accepted, 10), self.waiting, self.mail.accepted)
        self.checks.that("a message has the app's language", eventually(lambda: any(
            self.german.encode() in content and b"content-language: de" in content.lower() for content in self.mail.contents), 10))

    def notifications(self):
        asked = time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 1000
        self.server.reload()
        # A signal of the burst may still be answered first: the service manager tells by the time which reload it asked for.
        eventually(lambda: self.server.messages_of_reload(since=asked)[1:], 5)
        messages = self.server.messages_of_reload(since=asked)
        self.checks.that("the service manager learns when it begins", messages, "RELOADING=1", self.server.messages[-4:])
        self.checks.equal("and when it ends", ["READY=1"], messages[1:2])


def run(program, checks):
    mail = MailServer()
    mail.controller.start()
    apps = {"vici": app("vici"), "clarity": app("clarity")}
    secret = apps["vici"]["jwt_secret"]
    apps["vici"]["jwt_secret"] = "${ACCESS}"
    with tempfile.TemporaryDirectory(prefix="ostiary-") as directory:
        server = Reloaded(program, directory, development(**apps) | {
            "encryption_key": key(), "log": {"format": "json"}, "idp": {},
            "email": {"kind": "smtp", "url": "${MAIL}", "from": "a@example.com"}})
        server.secrets = {"ACCESS": secret, "MAIL": f"smtp://127.0.0.1:{free_port()}"}
        server.start()
        try:
            reloads = Reloads(server, mail, checks)
            load = Load(reloads.vici, reloads.vici.sign_in(reloads.person))
            for section in ("settings", "new_apps", "contract", "roles", "messages", "limits", "secrets", "restarts",
                            "invalid", "log_level", "burst", "notifications", "pending"):
                checks.run(section.replace("_", " "), getattr(reloads, section))
            load.stop()
            checks.section = "load"
            checks.equal("no request was lost or refused", [], load.wrong[:3])
            checks.that("there were requests all the time", load.answered > 300, "> 300", load.answered)
            checks.equal("SIGTERM ends it with exit status 0", 0, server.stop())
        finally:
            if server.lives:
                server.kill()
            mail.controller.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, help="path of the program `ostiary`")
    checks = Checks()
    run(str(Path(parser.parse_args().program).resolve()), checks)
    return checks.close()


if __name__ == "__main__":
    sys.exit(main())
