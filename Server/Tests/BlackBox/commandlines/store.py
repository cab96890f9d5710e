"""The program's commands on one store, with or without a running server."""

import json
import subprocess
import time

from server import Server, app, clean_environment, development
from terminal import Terminal

APPS = {name: app(name) for name in ("vici", "clarity", "barqnet", "viewvault")}


class Store:
    """One data directory."""

    def __init__(self, program, directory):
        self.server = Server(program, directory, development(**APPS))
        # Once: generating it writes the configuration, which another command may be reading.
        self.options = self.server.options

    def line(self, *arguments):
        return [self.server.program, *arguments, *self.options]

    def run(self, *arguments, input=None, within=180, **more):
        given = {"input": input} if input is not None else {"stdin": subprocess.DEVNULL}
        return subprocess.run(
            self.line(*arguments), capture_output=True, text=True, timeout=within, cwd=self.server.directory,
            env=clean_environment(), **given, **more)

    def begin(self, *arguments, **more):
        """Starts a command without waiting for its end."""
        given = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | more
        return subprocess.Popen(
            self.line(*arguments), text=True, cwd=self.server.directory, env=clean_environment(), **given)

    def terminal(self, *arguments):
        return Terminal(self.line(*arguments), self.server.directory)

    def listed(self, *arguments):
        """Returns a command's output with `--json`."""
        done = self.run(*arguments, "--json")
        if done.returncode:
            raise RuntimeError(f"{arguments}: {done.returncode} {done.stderr}")
        return json.loads(done.stdout)

    def create(self, *arguments, app="vici", password=None):
        """Creates an account and returns it."""
        secret = ["--password-stdin"] if password else []
        done = self.run("users", "create", "--app", app, *arguments, *secret, "--json", input=password)
        if done.returncode:
            raise RuntimeError(f"create: {done.returncode} {done.stderr}")
        return json.loads(done.stdout)

    def events(self, *arguments):
        """Audit events: one JSON object a line."""
        done = self.run("audit", "--json", *arguments)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def close(self):
        if self.server.process and self.server.lives:
            self.server.kill()


def one_line(text):
    return text.endswith("\n") and text.count("\n") == 1 and bool(text.strip())


def refused(checks, name, done, *named, status=1):
    """Checks a refusal: the status, nothing on standard output, one line on standard error that names the reason."""
    checks.equal(f"{name}: exit status", status, done.returncode)
    checks.that(f"{name}: one line on standard error", one_line(done.stderr), "one line", done.stderr)
    checks.equal(f"{name}: nothing on standard output", "", done.stdout)
    for text in named:
        checks.that(f"{name}: names {text}", text in done.stderr, text, done.stderr)


def eventually(holds, within=20):
    """Returns True if `holds()` becomes true in time."""
    deadline = time.monotonic() + within
    while not holds():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True
