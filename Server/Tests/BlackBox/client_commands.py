#!/usr/bin/env python3
"""`ostiary login`, `whoami`, `request` and `logout`, at a backend that this script simulates.

  client_commands.py --program PATH

Covers the data stored between two commands, also if the server refuses a request, is unavailable, or the disk is full.
"""

import argparse
import contextlib
import json
import resource
import signal
import stat
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from checks import Checks
from peer import Peer
from server import clean_environment

USER = {"id": "0b0c6a5e-7d0e-4a62-9a0e-1f6f4e0c8a11", "email": "jo@example.com", "name": "Jo"}


class Backend:
    """Simulates clarity. `answers` are statuses and bodies of single paths, one for each request, for the first requests."""

    def __init__(self):
        self.answers = {}
        self.issued = 0

    def tokens(self):
        self.issued += 1
        return {"access_token": f"access-{self.issued}", "refresh_token": f"refresh-{self.issued}", "expires_in": 3600}

    def __call__(self, method, path, query, body):
        name = path.removeprefix("/api/v1/auth/")
        if self.answers.get(name):
            status, content = self.answers[name].pop(0)
            return status, {}, content
        match name:
            case "login":
                return 200, {}, self.tokens() | {"user": USER}
            case "refresh":
                return 200, {}, self.tokens()
            case "me":
                return 200, {}, USER
            case "logout":
                return 200, {}, {"message": "Logged out successfully"}
        return 404, {}, {"detail": "nothing here"}


class Home:
    """A home directory, and commands of its user."""

    def __init__(self, program, directory, peer, backend):
        self.program, self.directory, self.peer, self.backend = program, Path(directory), peer, backend
        self.state = self.directory / ".local/state/ostiary"

    def run(self, *arguments, text=None, output=subprocess.PIPE, largest_file=None):
        environment = clean_environment() | {
            "HOME": str(self.directory), "XDG_DATA_HOME": "", "XDG_STATE_HOME": "", "XDG_CONFIG_HOME": "",
            "DBUS_SESSION_BUS_ADDRESS": ""}

        def limit():
            # A write beyond the limit fails, as on a full disk.
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (largest_file, largest_file))

        run = subprocess.run([self.program, *arguments], input=text, stdout=output, stderr=subprocess.PIPE, text=True,
                             env=environment, cwd=self.directory, timeout=60,
                             preexec_fn=None if largest_file is None else limit)
        return run.returncode, run.stdout, run.stderr

    def login(self, **options):
        return self.run("login", "--server", self.peer.base, "--contract", "clarity", "--identifier", "jo@example.com",
                        "--password-stdin", text="correct horse", **options)

    def file(self):
        return next(iter(self.state.glob("clarity@*.json")), None)

    def put_first_version(self, lasting):
        """The file of a version that did not encrypt it."""
        name = f"clarity@{self.peer.base}".replace(":", "_3a").replace("/", "_2f") + ".json"
        self.state.mkdir(parents=True, exist_ok=True)
        self.state.chmod(0o700)
        now = int(time.time())
        path = self.state / name
        path.write_text(json.dumps({
            "version": 1, "contract": "clarity", "base_url": self.peer.base, "account_id": USER["id"],
            "account": "jo@example.com", "access_token": "access-0", "refresh_token": "refresh-0",
            "expires_at": now + lasting, "saved_at": now - 3600 + lasting}))
        path.chmod(0o600)
        (self.state / "last-login.json").write_text(json.dumps({"server": self.peer.base, "contract": "clarity"}))

    def asked(self, name):
        return [request[3] for request in self.peer.asked(f"/api/v1/auth/{name}")]


class Suite:
    def __init__(self, program, checks):
        self.program, self.checks = str(Path(program).resolve()), checks

    @contextlib.contextmanager
    def home(self):
        with tempfile.TemporaryDirectory(prefix="ostiary-") as directory:
            backend = Backend()
            peer = Peer(backend)
            home = Home(self.program, directory, peer, backend)
            try:
                yield home
            finally:
                if home.state.exists():
                    home.state.chmod(0o700)
                peer.close()

    def one_session(self):
        equal = self.checks.equal
        with self.home() as home:
            equal("signs in", (0, "signed in as jo@example.com\n", ""), home.login())
            sent = home.asked("login")[0]
            equal("stays signed in", True, sent.get("remember_me"))
            self.checks.none("keeps nothing that can be read", [
                path.name for path in home.state.iterdir() if b"access-" in path.read_bytes()])
            equal("keeps it for its owner alone", 0o600, stat.S_IMODE(home.file().stat().st_mode))
            equal("and its key", 0o600, stat.S_IMODE((home.state / "sealing-key").stat().st_mode))
            status, shown, problem = home.run("whoami", "--json")
            equal("knows who is signed in", (0, USER["email"]), (status, json.loads(shown or "{}").get("email")))
            equal("prints an answer's body", (0, json.dumps(USER) + "\n", ""), home.run("request", "GET", "/api/v1/auth/me"))
            equal("and a refusal's, with its status", (1, '{"detail": "nothing here"}\n', "status 404\n"),
                  home.run("request", "POST", "/elsewhere?a=b%20c", "--data", '{"x": 1}'))
            equal("sends the query and the body as typed", ({"a": ["b c"]}, {"x": 1}), home.peer.asked("/elsewhere")[0][2:])
            home.backend.answers["things"] = [(503, {"detail": "down"})] * 3
            equal("asks once, whatever the answer", (1, 1), (
                home.run("request", "GET", "/api/v1/auth/things")[0], len(home.asked("things"))))
            for path in ["/../x", "/a b", "/a#b"]:
                status, _, problem = home.run("request", "GET", path)
                equal(f"does not send {path!r}", (1, 1), (status, len(problem.splitlines())))
            equal("signs out", (0, "signed out\n", ""), home.run("logout"))
            equal("with the refresh token", "refresh-1", home.asked("logout")[0].get("refresh_token"))
            equal("nobody is signed in", (1, "", "not signed in: ostiary login\n"), home.run("whoami"))
            equal("signs out once", (0, "no session was stored\n", ""), home.run("logout"))

    def refusals(self):
        equal = self.checks.equal
        with self.home() as home:
            home.backend.answers["login"] = [(401, {"detail": "Wrong, says the backend", "code": "wrong_credentials"})]
            status, shown, problem = home.login()
            equal("a wrong password: one line", (1, "", 1), (status, shown, len(problem.splitlines())))
            equal("and nothing is remembered of it", 64, home.run("whoami")[0])
            home.login()
            home.backend.answers["things"] = [(401, {"detail": "first"}), (401, {"detail": "second"})]
            equal("a 401 that a fresh token does not help is printed", (1, '{"detail": "second"}\n', "status 401\n"),
                  home.run("request", "GET", "/api/v1/auth/things"))
            equal("after one refresh", 1, len(home.asked("refresh")))
            equal("and the session goes on", 0, home.run("whoami")[0])
            home.backend.answers["me"] = [(401, {"detail": "over"})]
            home.backend.answers["refresh"] = [(401, {"detail": "over", "code": "session_revoked"})]
            status, _, problem = home.run("whoami")
            self.checks.that("a session that is over is said to be", status == 1 and problem.startswith(
                "the session has ended: ") and problem.endswith("Sign in again: ostiary login\n"), came=problem)
            equal("and forgotten", "not signed in: ostiary login\n", home.run("whoami")[2])
            second = home.login(), home.login()
            equal("signs in again, and again", [0, 0], [answer[0] for answer in second])
            equal("which ends the session before", 1, len(home.asked("logout")))

    def first_version(self):
        equal = self.checks.equal
        with self.home() as home:
            home.put_first_version(lasting=1800)
            equal("who was signed in with an older version is signed in", 0, home.run("whoami")[0])
            equal("without a refresh", [], home.asked("refresh"))
            self.checks.that("and sealed then", b"access-0" not in home.file().read_bytes())
        with self.home() as home:
            home.put_first_version(lasting=-10)
            equal("an older version's refresh token is used", 0, home.run("whoami")[0])
            equal("once", [{"refresh_token": "refresh-0"}], home.asked("refresh"))
            equal("and the next command needs none", (0, 1), (home.run("whoami")[0], len(home.asked("refresh"))))

    def away(self):
        equal = self.checks.equal
        with self.home() as home:
            home.login()
            home.backend.answers["logout"] = [(503, {"detail": "down"})] * 20
            status, shown, _ = home.run("logout")
            self.checks.that("signs out here", status == 0 and shown.startswith("signed out here"), came=shown)
            equal("nobody is signed in", 1, home.run("whoami")[0])
            before = len(home.asked("logout"))
            home.backend.answers["logout"] = []
            equal("signs in", 0, home.login()[0])
            self.checks.that("the next command tells the server", len(home.asked("logout")) > before)
        with self.home() as home:
            home.put_first_version(lasting=1800)
            home.peer.close()
            try:
                status, _, problem = home.run("whoami")
                equal("no server: one line", (1, 1), (status, len(problem.splitlines())))
                self.checks.that("and the session is kept", home.file() is not None)
            finally:
                home.peer = Peer(home.backend)

    def stores(self):
        equal = self.checks.equal
        with self.home() as home:
            home.login()
            home.state.chmod(0o755)
            status, _, problem = home.run("whoami")
            self.checks.that("a directory that others can read is named", status == 1 and str(home.state) in problem,
                             came=problem)
            before = len(home.asked("login"))
            equal("and nobody signs in over it", (1, before), (home.login()[0], len(home.asked("login"))))
            home.state.chmod(0o700)
            equal("nothing is lost by it", 0, home.run("whoami")[0])
            key = home.state / "sealing-key"
            key.rename(home.state / "other")
            status, _, problem = home.run("whoami")
            self.checks.that("a key that is gone: the file is named", status == 1 and str(home.file()) in problem,
                             came=problem)
            (home.state / "other").rename(key)
            home.file().write_bytes(b"{")
            status, _, problem = home.run("whoami")
            self.checks.that("a damaged file is moved aside", status == 1 and "was moved to" in problem, came=problem)
            equal("and somebody can sign in", 0, home.login()[0])
            home.file().write_bytes(b"{")
            status, _, problem = home.run("logout")
            self.checks.that("nor is it taken for no session", status == 1 and "was moved to" in problem, came=problem)
            home.login()
            home.file().write_bytes(b"{")
            equal("at once as well", 0, home.login()[0])
            equal("and stays so", 0, home.run("whoami")[0])

    def unwritable(self):
        equal = self.checks.equal
        with self.home() as home:
            home.put_first_version(lasting=-10)
            # A directory in the draft's place cannot be replaced by a file.
            draft = Path(f"{home.file()}.new")
            draft.mkdir()
            status, _, problem = home.run("whoami")
            self.checks.that("a refresh that cannot be stored is said", status == 1 and str(home.state) in problem,
                             came=problem)
            equal("and its token is not used", [], home.asked("me"))
            self.checks.that("what is stored is as it was", b"refresh-0" in home.file().read_bytes())
            before = len(home.asked("logout"))
            equal("a sign-in that cannot be stored fails", 1, home.login()[0])
            self.checks.that("and is ended", len(home.asked("logout")) == before + 1)
            draft.rmdir()
            equal("once there is room, all is well", 0, home.run("whoami")[0])

    def full_device(self):
        equal, that = self.checks.equal, self.checks.that
        with self.home() as home:
            home.login()
            kept = home.file().read_bytes()
            before = len(home.asked("logout"))
            status, shown, problem = home.login(largest_file=16)
            that("a sign-in on a full device names the file and the reason", status == 1 and shown == "" and (
                f"{home.file()}.new: File too large" in problem and len(problem.splitlines()) == 1), came=problem)
            equal("its session is revoked", before + 1, len(home.asked("logout")))
            equal("the stored session stays", kept, home.file().read_bytes())
            equal("and no part of a file", [], list(home.state.glob("*.new")))
            equal("it is used on", 0, home.run("whoami")[0])
            with open("/dev/full", "w") as full:
                status, _, problem = home.login(output=full)
                that("a message that cannot be written is reported", status == 1 and problem.startswith(
                    "standard output cannot be written: No space left on device"), came=problem)
                equal("and the session is stored", 0, home.run("whoami")[0])
                status, _, problem = home.run("logout", output=full)
                that("at the sign-out too", status == 1 and problem.startswith("standard output cannot be written"),
                     came=problem)
            that("and the session has ended", home.run("whoami")[2].startswith("not signed in"))
            last = home.state / "last-login.json"
            last.unlink()
            last.mkdir()
            status, _, problem = home.login()
            that("a server that cannot be stored for later commands is reported", status == 1 and (
                f"{last} cannot be written" in problem), came=problem)
            equal("and the session is stored", 0, home.run(
                "whoami", "--server", home.peer.base, "--contract", "clarity")[0])

    def usage(self):
        equal = self.checks.equal
        with self.home() as home:
            equal("no server: exit status", 64, home.run("whoami")[0])
            equal("plain HTTP to elsewhere", (1, "plain http is for 127.0.0.1, ::1 and localhost; use https\n"), home.run(
                "whoami", "--server", "http://example.com", "--contract", "vici")[::2])
            equal("one pin is too few", 64, home.run(
                "whoami", "--server", "https://127.0.0.1:1", "--contract", "vici", "--pin", "sha256/" + "A" * 43 + "=")[0])
            pins = ["--pin", "sha256/" + "A" * 43 + "=", "--pin", "sha256/" + "B" * 42 + "A="]
            home.put_first_version(lasting=1800)
            status, _, problem = home.run("whoami", *pins)
            equal("a server that can show no key is not asked", (1, 1, []), (
                status, len(problem.splitlines()), home.peer.requests))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, help="path of the program `ostiary`")
    checks = Checks()
    suite = Suite(parser.parse_args().program, checks)
    checks.run("one session", suite.one_session)
    checks.run("refusals", suite.refusals)
    checks.run("a file of the first version", suite.first_version)
    checks.run("a server that is away", suite.away)
    checks.run("stores that fail", suite.stores)
    checks.run("a store that cannot be written", suite.unwritable)
    checks.run("a device that is full", suite.full_device)
    checks.run("usage", suite.usage)
    return checks.close()


if __name__ == "__main__":
    sys.exit(main())
