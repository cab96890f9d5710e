#!/usr/bin/env python3
"""Backs a store up under load, and restores it: everybody stays signed in, and no half backup is left behind.

  backup.py --program PATH
"""

import argparse
import base64
import json
import os
import resource
import secrets
import stat
import sys
import tempfile
import threading
import time
from pathlib import Path

from apps import App
from checks import Checks
from drills.needing import missing
from full_disk import empty, program_without_signal
from peers import postgres
from server import Server, app, development

CONTRACTS = ("vici", "clarity")


def configuration():
    """The same secrets before and after."""
    return development(**{name: app(name) for name in CONTRACTS}) | {
        "encryption_key": base64.b64encode(secrets.token_bytes(32)).decode()}


def another(server, directory, **settings):
    """The same server with an empty data directory, which takes the place of `server`."""
    directory.mkdir()
    other = Server(server.program, directory, server.configuration | settings)
    other.port, other.base, other.wire = server.port, server.base, server.wire
    return other


class Load(threading.Thread):
    """Signs people in without a pause; knows the sessions of the sign-ins that were answered."""

    def __init__(self, server):
        super().__init__(daemon=True)
        self.apps = {name: App(server.wire, server.inbox, name) for name in CONTRACTS}
        self.people = {name: [app.register() for _ in range(2)] for name, app in self.apps.items()}
        self.answered, self.refused, self.ends = [], [], threading.Event()

    def run(self):
        while not self.ends.is_set():
            for name, app_ in self.apps.items():
                for person in self.people[name]:
                    answer = app_.call("login", person.credentials)
                    if answer.status == 200:
                        self.answered.append((name, *app_.tokens(answer)))
                    else:
                        self.refused.append(answer.status)


def backed_up(server, *options):
    done = server.command("store", "backup", "--json", *options)
    if done.returncode:
        raise RuntimeError(f"backup: {done.returncode} {done.stderr}")
    return json.loads(done.stdout)[0]


def under_load(server, backups, checks):
    """Returns the last backup, and the sessions that were answered before it began."""
    load = Load(server)
    load.start()
    backup = None
    for number in range(3):
        # Names have whole seconds.
        load.ends.wait(1.0 if number else 0)
        known = len(load.answered) + 4
        while len(load.answered) < known and load.is_alive():
            load.ends.wait(0.05)
        before = list(load.answered)
        backup = backed_up(server, "--to", str(backups), "--keep", "2")
    load.ends.set()
    load.join()
    checks.equal("no sign-in is refused meanwhile", [], load.refused)
    checks.that("sign-ins were answered during the backups", len(load.answered) > len(before), "more", len(before))
    files = sorted(path.name for path in backups.iterdir())
    checks.that("the directory keeps two", len(files) == 2 and all(name.endswith("Z.db") for name in files), 2, files)
    checks.equal("only the owner can read it", 0o600, stat.S_IMODE(Path(backup["path"]).stat().st_mode))
    checks.that("it counts what is in it", backup["accounts"] == 4 and backup["sessions"] >= len(before), before, backup)
    people = [(name, person.access, person.refresh) for name in CONTRACTS for person in load.people[name]]
    sessions = people + before[-12:]
    done = server.command("store", "check", "--json")
    checks.equal("the check of the store finds nothing", (0, []), (done.returncode, json.loads(done.stdout or "[]")))
    return load, Path(backup["path"]), sessions


def signed_in(server, load, sessions, checks):
    for name, access, _ in sessions:
        checks.that(f"{name}: an access token is accepted", load.apps[name].accepts(access))
    return [(name, *load.apps[name].refreshed(refresh)) for name, _, refresh in sessions]


def restored(server, backup, checks, name):
    done = server.command("store", "restore", "--from", str(backup))
    checks.equal(f"{name}: the restoration ends well", 0, done.returncode)
    again = server.command("store", "restore", "--from", str(backup))
    checks.that(f"{name}: a store that is not empty is refused", again.returncode == 1 and again.stderr.count("\n") == 1,
                "1", again.stderr)
    server.start()


def refusals(server, backup, checks):
    done = server.command("store", "restore", "--from", str(backup))
    checks.that("no restoration while a server runs", done.returncode == 1 and "in use" in done.stderr, 1, done.stderr)
    folder = server.directory / "damaged"
    fresh = another(server, folder)
    content = bytearray(backup.read_bytes())
    content[4096 * 3:4096 * 3 + 64] = b"\xff" * 64
    for name, written in [("damaged", bytes(content)), ("cut short", backup.read_bytes()[:-8192]), ("text", b"none")]:
        path = folder / "backup.db"
        path.write_bytes(written)
        done = fresh.command("store", "restore", "--from", str(path))
        checks.that(f"a backup that is {name} is refused in one line", done.returncode == 1
                    and "Nothing was restored" in done.stderr and done.stderr.count("\n") == 1, 1, done.stderr)
        left = [file.name for file in fresh.data.iterdir() if not file.name.endswith(".lock")]
        checks.equal(f"{name}: nothing is left of it", [], left)
    done = server.command("store", "backup", "--to", str(backup))
    checks.that("no file is replaced", done.returncode == 1 and "exists" in done.stderr, 1, done.stderr)
    done = server.command("store", "backup", "--to", str(folder / "none" / "backup.db"))
    checks.equal("a directory that is missing is refused", 1, done.returncode)


def owners(server, backup, checks):
    """What root restores belongs to the owner of the data directory, as who the service runs."""
    if os.geteuid() != 0:
        return checks.skip("the owner of a file is root's to change")
    nobody = 65534
    fresh = another(server, server.directory / "owned")
    fresh.data.mkdir(mode=0o700)
    os.chown(fresh.data, nobody, nobody)
    done = fresh.command("store", "restore", "--from", str(backup))
    checks.equal("a restoration by root", (0, {"ostiary.db": nobody, "ostiary.db.lock": nobody}), (
        done.returncode, {file.name: file.stat().st_uid for file in fresh.data.iterdir()}))
    other = another(server, server.directory / "linked")
    other.data.mkdir(mode=0o700)
    os.chown(other.data, nobody, nobody)
    target = server.directory / "of-root"
    target.write_text("")
    (other.data / "ostiary.db.lock").symlink_to(target)
    other.command("store", "restore", "--from", str(backup))
    checks.equal("no link gives a file of root away", 0, target.stat().st_uid)


def await_free_name(backups):
    """Waits until the name of a backup, which has the second, is another one than that of the newest."""
    while any(backups.glob(time.strftime("ostiary-%Y%m%dT%H%M%SZ.db", time.gmtime()))):
        time.sleep(0.02)


def full(server, backups, checks):
    """The kernel's limit of a file's size is the disk: see full_disk.py."""
    before = sorted(backups.iterdir())
    await_free_name(backups)
    _, hard = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (40_000, hard))
    done = server.command("store", "backup", "--to", str(backups), "--keep", "1")
    empty(server)
    checks.that("a full disk is refused in one line", done.returncode == 1 and "cannot be written" in done.stderr
                and done.stderr.count("\n") == 1, 1, done.stderr)
    checks.equal("no half backup is left, and no older one is removed", before, sorted(backups.iterdir()))
    await_free_name(backups)
    checks.equal("the next one ends well", 0, server.command("store", "backup", "--to", str(backups)).returncode)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, help="path of the program `ostiary`")
    program = parser.parse_args().program
    checks = Checks()
    with tempfile.TemporaryDirectory(prefix="ostiary-") as directory:
        directory = Path(directory)
        backups = directory / "backups"
        backups.mkdir()
        server = Server(program_without_signal(program, directory), directory / "first", configuration())
        server.directory.mkdir()
        server.start()
        running = [server]
        found = {}

        def switch(other):
            running[-1].stop()
            running.append(other)

        def section_load():
            found["load"], found["backup"], found["sessions"] = under_load(server, backups, checks)

        def section_sqlite():
            other = another(server, directory / "second")
            switch(other)
            restored(other, found["backup"], checks, "SQLite")
            found["sessions"] = signed_in(other, found["load"], found["sessions"], checks)
            path = directory / "of-sqlite.db"
            backed_up(other, "--to", str(path))
            found["backup"] = path

        def section_postgres():
            absent = missing("postgres")
            if absent:
                return checks.skip(absent)
            with postgres.serving() as cluster:
                name = f"o{secrets.token_hex(4)}"
                url = postgres.url([cluster], name, cluster.database(name))
                other = another(server, directory / "third", store=url)
                switch(other)
                restored(other, found["backup"], checks, "PostgreSQL")
                sessions = signed_in(other, found["load"], found["sessions"], checks)
                path = directory / "of-postgres.db"
                backed_up(other, "--to", str(path))
                checks.equal("the check of the store finds nothing", 0, other.command("store", "check").returncode)
                last = another(server, directory / "fourth")
                switch(last)
                restored(last, path, checks, "SQLite again")
                signed_in(last, found["load"], sessions, checks)

        try:
            checks.run("a backup under load", section_load)
            checks.run("refusals", lambda: refusals(server, found["backup"], checks))
            checks.run("owners of files", lambda: owners(server, found["backup"], checks))
            checks.run("a full disk", lambda: full(server, backups, checks))
            checks.run("a restoration into SQLite", section_sqlite)
            checks.run("a restoration into PostgreSQL and back", section_postgres)
        finally:
            if running[-1].process and running[-1].lives:
                checks.equal("SIGTERM ends the server", 0, running[-1].stop())
    return checks.close()


if __name__ == "__main__":
    sys.exit(main())
