"""Starts and stops the real program, writes its configuration, and reads its development inbox."""

import contextlib
import json
import os
import queue
import random
import secrets
import signal
import socket
import subprocess
import tempfile
import threading
import time
from pathlib import Path

from wire import NOT_JSON, Wire

RATE_LIMIT_BUCKETS = ["sign_in", "code_request", "code_check", "reset", "register", "refresh", "browser", "other"]
UNLIMITED = {bucket: "1000000/1m" for bucket in RATE_LIMIT_BUCKETS}
MANY_REGISTRATIONS = {"per_network_day": 1000000, "per_server_hour": 1000000}
MANY_FAILURES = {"stuffing": {"identifiers": 1000000}, "spraying": {"accounts": 1000000}}
MANY_MESSAGES = {cap: 1000000 for cap in ["per_recipient_day", "per_prefix_hour", "per_network_hour", "per_server_hour"]}
MANY_SIGN_INS = {"unfinished_per_network": 1000000, "unfinished_per_server": 1000000}
REDIRECTS = {"timetracker": ["timetracker://oauth/callback"], "viewvault": ["viewvault://oauth/callback"]}


def app(contract, name=None, **settings):
    """One entry of the configuration's `apps`, with rate limits that no check reaches."""
    entry = {"contract": contract, "base_path": f"/{name or contract}", "rate_limits": dict(UNLIMITED),
             "messages": dict(MANY_MESSAGES), "registration": dict(MANY_REGISTRATIONS), "browser": dict(MANY_SIGN_INS),
             **MANY_FAILURES}
    if contract in REDIRECTS:
        entry["redirect_uris"] = REDIRECTS[contract]
    else:
        entry["identity"] = {"kind": "local"}
    if contract == "vici":
        entry |= {"jwt_secret": secrets.token_urlsafe(32), "jwt_refresh_secret": secrets.token_urlsafe(32)}
    return entry | settings


def development(**apps):
    return {"mode": "development", "apps": apps}


def free_port():
    """Returns a port that nothing listens on, below those that the kernel gives to connections.

    Checks that run at the same time get ranges of their own, because a port is free until the program listens.
    """
    first, last = (int(port) for port in os.environ.get("CHECK_PORTS", "20000-29999").split("-"))
    while True:
        port = random.randint(first, last)
        with socket.socket() as listener:
            # As servers do, so that a port that was in use a moment ago is free too.
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            with contextlib.suppress(OSError):
                listener.bind(("127.0.0.1", port))
                return port


def clean_environment():
    """Returns this environment without the variables that the program reads its configuration from."""
    return {key: value for key, value in os.environ.items() if not key.startswith(("OSTIARY_", "JWT_"))}


class Server:
    """The program serving on a free port, with a data directory and a configuration of its own."""

    def __init__(self, program, directory, configuration=None):
        self.program = str(Path(program).resolve())
        self.directory = Path(directory)
        self.data = self.directory / "data"
        self.log = self.directory / "log"
        self.port = free_port()
        # A function receives the port.
        self.configuration = configuration(self.port) if callable(configuration) else configuration
        self.base = f"http://127.0.0.1:{self.port}"
        self.wire = Wire(self.base)
        self.process = None

    @property
    def options(self):
        """Returns the arguments by which every command finds this server's store."""
        options = ["--data", str(self.data)]
        if self.configuration is not None:
            # JSON is YAML, so that no YAML library is needed.
            path = self.directory / "ostiary.yaml"
            text = json.dumps({"public_url": self.base} | self.configuration, indent=2)
            # Replaced as a whole, and only by another text: programs that run may be reading it.
            if not path.exists() or path.read_text() != text:
                draft = path.with_suffix(".new")
                draft.write_text(text)
                if path.exists():
                    draft.chmod(path.stat().st_mode & 0o777)
                draft.replace(path)
            options += ["--config", str(path)]
        return options

    def start(self, within=30):
        """Starts and waits until requests are accepted; returns the seconds that this took."""
        began = time.monotonic()
        command = [self.program, "serve", "--listen", f"127.0.0.1:{self.port}", *self.options]
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=log, stdin=subprocess.DEVNULL, cwd=self.directory,
                env=clean_environment())
        lines = queue.Queue()
        threading.Thread(target=self._copy, args=(self.process.stdout, lines), daemon=True).start()
        while True:
            remaining = began + within - time.monotonic()
            try:
                line = lines.get(timeout=max(0, remaining))
            except queue.Empty:
                self.kill()
                raise RuntimeError(f"did not say `listening on` within {within} s") from None
            if line is None:
                raise RuntimeError(f"ended with {self.process.wait()}: {self.log.read_text(errors='replace')[-600:]}")
            if f"listening on {self.base}" in line:
                return time.monotonic() - began

    def _copy(self, stream, lines):
        with open(self.log, "ab") as log:
            for line in stream:
                log.write(line)
                log.flush()
                lines.put(line.decode("utf-8", "replace"))
        lines.put(None)

    def stop(self, within=15):
        """Ends the program (SIGTERM) and returns its exit status; None if it had to be killed."""
        if self.process is None:
            return None
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(within)
        except subprocess.TimeoutExpired:
            self.kill()
            return None

    @contextlib.contextmanager
    def paused(self):
        """Stops the server for the length of a `with`, then starts it with its current configuration."""
        self.stop()
        yield
        self.start()

    def kill(self):
        self.process.kill()
        self.process.wait()

    @property
    def lives(self):
        return self.process.poll() is None

    def command(self, *arguments, input=None):
        """Runs another command of the program on this server's store."""
        return subprocess.run(
            [self.program, *arguments, *self.options], input=input, capture_output=True, text=True, timeout=30,
            cwd=self.directory, env=clean_environment())

    @property
    def inbox(self):
        return Inbox(self.wire)


@contextlib.contextmanager
def serving(program, configuration=None, checks=None):
    """A server for the length of a `with`; its end is a check: SIGTERM, exit status 0."""
    with tempfile.TemporaryDirectory(prefix="ostiary-") as directory:
        server = Server(program, directory, configuration)
        server.start()
        try:
            yield server
        finally:
            pid, alive = server.process.pid, server.lives
            status = server.stop()
            if checks:
                checks.that("the process is the one that was started", alive, f"{pid} alive", "gone")
                checks.equal("SIGTERM ends it with exit status 0", 0, status)


class Inbox:
    """The messages that a development server would have sent."""

    def __init__(self, wire):
        self.wire = wire

    def messages(self, app, to):
        """Messages to one recipient, newest first."""
        body = self.wire.get("/dev/inbox", headers=[("Accept", "application/json")]).json
        if body is NOT_JSON:
            raise RuntimeError("the development inbox does not answer JSON")
        return [message for message in body["messages"]
                if message["app"] == app and message["to"].lower() == to.lower()]

    def wait(self, app, to, count=1, seconds=5, containing=""):
        """The newest message to `to`, once there are at least `count`.

        Messages are not delivered in the order of their causes: where several are on their way, `containing` tells which of
        them is meant. Line breaks do not count.
        """
        deadline = time.monotonic() + seconds
        while True:
            messages = [message for message in self.messages(app, to) if containing in " ".join(message["text"].split())]
            if len(messages) >= count:
                return messages[0]
            if time.monotonic() > deadline:
                raise RuntimeError(f"{len(messages)} messages {containing!r} to {to} within {seconds} s, not {count}")
            time.sleep(0.02)
