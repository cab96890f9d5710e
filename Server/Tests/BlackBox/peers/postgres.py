#!/usr/bin/env python3
"""A PostgreSQL for one test, on a free port of 127.0.0.1, in a temporary folder.

  postgres.py serve [--directory D] [--unsafe] [--tls] [--owner NAME] [--set name=value …]

prints one line of JSON when it accepts connections (host, port, user, password, database, log, with --tls also ca) and runs
until its standard input closes or it is ended. Exit status 69 where PostgreSQL is not installed.
"""

import argparse
import contextlib
import json
import os
import re
import secrets
import signal
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from peers import authority, unprivileged  # noqa: E402
from peers.guard import Guard, kill_with_descendants  # noqa: E402
from server import free_port  # noqa: E402

OLDEST = 15
PROGRAMS = ["postgres", "initdb", "pg_ctl", "pg_basebackup", "psql"]
SETTINGS = {
    "listen_addresses": "127.0.0.1", "unix_socket_directories": "", "shared_buffers": "64MB", "max_connections": 100,
    "wal_level": "replica", "max_wal_size": "256MB", "log_line_prefix": "%m [%p] ", "logging_collector": "off",
    "restart_after_crash": "on", "wal_receiver_timeout": "5s", "wal_retrieve_retry_interval": "200ms",
}
# The data that a killed process has written is in the kernel, so that only a failure of the machine would lose it.
UNSAFE = {"fsync": "off", "full_page_writes": "off"}
STOPS = {"smart": signal.SIGTERM, "fast": signal.SIGINT, "immediate": signal.SIGQUIT}


def binaries():
    """Returns the folder of PostgreSQL's programs. Raises `NotInstalled`."""
    folder = unprivileged.folder_with(*PROGRAMS)
    if folder is None:
        raise unprivileged.NotInstalled("PostgreSQL is not installed")
    version = subprocess.run([f"{folder}/postgres", "--version"], capture_output=True, text=True).stdout
    if int(re.search(r"\d+", version)[0]) < OLDEST:
        raise unprivileged.NotInstalled(f"PostgreSQL {OLDEST} or later is not installed")
    return folder


class Postgres:
    """One server. It is created by `create` or by `copy_of`, then started."""

    def __init__(self, guard, name, password=None, settings=()):
        self.guard, self.name, self.binaries = guard, name, binaries()
        unprivileged.make_reachable(guard.directory)
        self.data = Path(guard.directory) / name
        self.log = Path(guard.directory) / f"{name}.log"
        self.port, self.user = free_port(), "postgres"
        self.password = password or secrets.token_urlsafe(18)
        self.settings = SETTINGS | dict(settings)
        self.process, self.tls = None, None

    def create(self, *options):
        """Creates a new and empty cluster, with further options of initdb."""
        self._make_folder()
        words = Path(self.guard.directory) / f"{self.name}.password"
        words.write_text(self.password)
        unprivileged.hand_over(words)
        self._run("initdb", "--pgdata", str(self.data), "--username", self.user, "--pwfile", str(words),
                  "--auth", "scram-sha-256", "--encoding", "UTF8", "--locale", "C", "--no-sync", "--no-instructions", *options)
        words.unlink()
        return self

    def copy_of(self, primary):
        """Copies the data of `primary`, as a standby of it with its own name."""
        self._make_folder()
        self.password = primary.password
        self._run("pg_basebackup", "--pgdata", str(self.data), "--dbname", primary.conninfo, "--checkpoint", "fast",
                  "--wal-method", "stream", "--no-sync")
        (self.data / "standby.signal").touch()
        unprivileged.hand_over(self.data / "standby.signal")
        self.set_aside(primary_conninfo=f"{primary.conninfo} application_name={self.name}")
        return self

    def _make_folder(self):
        if self.data.exists():
            subprocess.run(["rm", "-rf", str(self.data)], check=True)
        self.data.mkdir()
        unprivileged.hand_over(self.data)

    def set_aside(self, **settings):
        """Changes settings of the running server; they replace the previous ones."""
        path = self.data / "postgresql.auto.conf"
        path.write_text("".join(f"{name} = '{value}'\n" for name, value in settings.items()))
        unprivileged.hand_over(path)

    def secure(self):
        """Enables TLS with a certificate for localhost and 127.0.0.1; returns the file of its authority."""
        self.tls = authority.make(Path(self.guard.directory) / f"{self.name}-tls")
        for path in (self.tls.certificate, self.tls.key):
            unprivileged.hand_over(path)
        os.chmod(self.tls.certificate.parent, 0o755)
        self.settings |= {"ssl": "on", "ssl_cert_file": self.tls.certificate, "ssl_key_file": self.tls.key}
        return self.tls.authority

    # Lifecycle

    def start(self, within=30):
        """Starts, and waits until it accepts connections."""
        options = [word for name, value in (self.settings | {"port": self.port}).items()
                   for word in ("-c", f"{name}={value}")]
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                unprivileged.command(f"{self.binaries}/postgres", "-D", str(self.data), *options), stdout=log,
                stderr=log, stdin=subprocess.DEVNULL, cwd="/", start_new_session=True)
        self.guard.watch(self.process.pid)
        deadline = time.monotonic() + within
        while not self.answers:
            if self.process.poll() is not None or time.monotonic() > deadline:
                tail = self.log.read_text(errors="replace")[-600:]
                raise RuntimeError(f"{self.name} does not take connections: {tail}")
            time.sleep(0.03)
        return self

    @property
    def answers(self):
        """Returns True if it accepts connections, from the source that pg_ctl reads: `ready` or `standby` in its pid file."""
        try:
            lines = (self.data / "postmaster.pid").read_text().split("\n")
        except OSError:
            return False
        return len(lines) > 7 and lines[0] == str(self.process.pid) and lines[7].strip() == "ready"

    @property
    def lives(self):
        return self.process is not None and self.process.poll() is None

    def stop(self, mode="fast", within=30):
        """Ends it: `smart` waits for clients, `fast` ends them, `immediate` leaves recovery to the next start."""
        self.process.send_signal(STOPS[mode])
        try:
            self.process.wait(within)
        except subprocess.TimeoutExpired:
            self.kill()
            raise RuntimeError(f"{self.name} did not stop ({mode}) within {within} s") from None
        self.guard.forget(self.process.pid)

    def kill(self):
        """Kills it and all of its processes at one moment (SIGKILL)."""
        kill_with_descendants(self.process.pid)
        self.process.wait()
        self.guard.forget(self.process.pid)

    def restart(self, how):
        """Ends it by `how` (a mode of `stop`, or `kill`) and starts it again."""
        self.kill() if how == "kill" else self.stop(how)
        self.start()

    def reload(self):
        self.process.send_signal(signal.SIGHUP)

    def promote(self, within=30):
        """Promotes a standby to the primary; returns when that is done."""
        self._run("pg_ctl", "promote", "--pgdata", str(self.data), "--wait", "--timeout", str(within))

    # Queries

    @property
    def conninfo(self):
        return f"host=127.0.0.1 port={self.port} user={self.user} password={self.password} dbname=postgres"

    def sql(self, text, database="postgres"):
        """Returns rows, each the texts of its columns."""
        done = subprocess.run(
            [f"{self.binaries}/psql", "--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--field-separator", "\x1f",
             "--set", "ON_ERROR_STOP=1", "--dbname", self.conninfo.replace("dbname=postgres", f"dbname={database}"),
             "--command", text], capture_output=True, text=True, timeout=60)
        if done.returncode:
            raise RuntimeError(f"{self.name}: {done.stderr.strip()}")
        return [line.split("\x1f") for line in done.stdout.splitlines()]

    def await_sql(self, text, value, within=30):
        """Waits until the one value that `text` selects is `value`."""
        deadline = time.monotonic() + within
        while (came := self.sql(text)) != [[value]]:
            if time.monotonic() > deadline:
                raise RuntimeError(f"{self.name}: {text}: {came} after {within} s, not {value}")
            time.sleep(0.05)

    def database(self, name="ostiary", password=None):
        """Creates a database with an owner of the same name, without further rights; returns the owner's password."""
        password = password or secrets.token_urlsafe(18)
        self.sql(f"CREATE ROLE {name} LOGIN PASSWORD '{password}'")
        self.sql(f"CREATE DATABASE {name} OWNER {name}")
        return password

    def _run(self, program, *words):
        done = subprocess.run(unprivileged.command(f"{self.binaries}/{program}", *words), capture_output=True, text=True,
                              timeout=120, cwd="/")
        if done.returncode:
            raise RuntimeError(f"{program}: {(done.stderr or done.stdout).strip()[-600:]}")


@contextlib.contextmanager
def serving(settings=(), unsafe=True):
    """A new cluster, running, for the length of a `with`."""
    with Guard("ostiary-postgres-") as guard:
        yield Postgres(guard, "postgres", settings=(UNSAFE if unsafe else {}) | dict(settings)).create().start()


def url(servers, database, password, **parameters):
    """Returns the configuration's `store` for one or more servers."""
    hosts = ",".join(f"127.0.0.1:{server.port}" for server in servers)
    query = "&".join(f"{name}={value}" for name, value in parameters.items())
    return f"postgres://{database}:{password}@{hosts}/{database}" + (f"?{query}" if query else "")


def serve(arguments):
    settings = dict(each.split("=", 1) for each in arguments.set)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    with Guard("ostiary-postgres-", arguments.directory) as guard:
        postgres = Postgres(guard, "postgres", settings=(UNSAFE if arguments.unsafe else {}) | settings).create()
        ca = postgres.secure() if arguments.tls else None
        postgres.start()
        if arguments.owner:
            postgres.sql(f"CREATE ROLE {arguments.owner} LOGIN PASSWORD '{postgres.password}'")
        line = {"host": "127.0.0.1", "port": postgres.port, "user": postgres.user, "password": postgres.password,
                "database": "postgres", "log": str(postgres.log)}
        print(json.dumps(line | ({"ca": str(ca)} if ca else {})), flush=True)
        with contextlib.suppress(KeyboardInterrupt):
            sys.stdin.buffer.read()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("serve")
    command.add_argument("--directory", help="is made, and removed at the end; a temporary one by default")
    command.add_argument("--unsafe", action="store_true", help="nothing waits for the disk")
    command.add_argument("--tls", action="store_true", help="TLS, with a certificate for localhost and 127.0.0.1")
    command.add_argument("--owner", metavar="NAME", help="another user, nobody special, with the same password")
    command.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a setting of the server")
    try:
        serve(parser.parse_args())
    except (unprivileged.NotInstalled, PermissionError) as problem:
        print(problem, file=sys.stderr)
        sys.exit(69)


if __name__ == "__main__":
    main()
