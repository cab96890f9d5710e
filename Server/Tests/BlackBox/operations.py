#!/usr/bin/env python3
"""Runs `Documentation/postgresql.md`: every block of it unchanged, except for addresses and folders.

  operations.py --program PATH

Two PostgreSQL servers with TLS, two nodes, nginx, HAProxy (where it is installed) and PgBouncer; a backup and a point-in-time
recovery; the loss of a primary; the effect of a newer version's tables on older programs.
"""

import argparse
import contextlib
import socket
import ssl
import sys
import time
from datetime import datetime, timezone
from pathlib import Path

from apps import App, new_password
from checks import Checks
from commandlines.store import eventually
from drills.cluster import Node, encryption_key
from drills.needing import missing, needing
from drills.page import Machine, Page, SecureWire, certificates, running
from peers import unprivileged
from peers.guard import Guard
from server import free_port

MOMENT = "2026-11-21 14:05:00+00"


class ConfiguredNode(Node):
    """A node with a configuration file as the page shows it."""

    def __init__(self, program, guard, name, text):
        super().__init__(program, guard, name, None)
        self.text = text

    @property
    def options(self):
        path = self.directory / "ostiary.yaml"
        path.write_text(self.text)
        return ["--data", str(self.data), "--config", str(path)]


class Operations:
    def __init__(self, program, guard, checks):
        self.program, self.guard, self.checks = program, guard, checks
        unprivileged.make_reachable(guard.directory)
        self.tls = certificates(guard.directory)
        for name in ("backup", "backup/wal"):
            path = Path(guard.directory) / name
            path.mkdir()
            unprivileged.hand_over(path)
        self.page = Page(guard.directory)
        self.primary = Machine(self.page, guard, "db1", "127.0.0.11")
        self.standby = Machine(self.page, guard, "db2", "127.0.0.12")
        self.secrets = {"OSTIARY_ENCRYPTION_KEY": encryption_key(), "JWT_SECRET": encryption_key(),
                        "JWT_REFRESH_SECRET": encryption_key()}
        self.nodes = []

    # Common parts of the sections

    def node(self, name, **replaced):
        replaced |= {f"${{{key}}}": value for key, value in self.secrets.items()}
        # The default limits would count all requests as one client.
        limits = "    rate_limits: {sign_in: 1000/1m, register: 1000/1m}\n"
        text = self.page.box("ostiary.yaml", **replaced | {
            "mail.example.com:465": "127.0.0.1:1", "[127.0.0.31/32]": "[127.0.0.31/32, 127.0.0.1/32]",
            "admin: {listen: 127.0.0.21:3002}": f"admin: {{listen: 127.0.0.1:{free_port()}}}"}) + limits
        return ConfiguredNode(self.program, self.guard, name, text)

    def app(self, wire=None):
        return App(wire or self.nodes[0].wire, None, "vici")

    def answers(self, node, path, status, within=10):
        self.checks.that(f"{node.name}: {path} is {status} within {within} s",
                         eventually(lambda: self.status(node, path) == status, within), status, self.status(node, path))

    @staticmethod
    def status(node, path):
        try:
            return node.wire.get(path).status
        except OSError as error:
            return repr(error)

    # Sections, in the order of the page

    def two_servers(self):
        self.primary.create()
        self.primary.query("roles", "postgres")
        self.standby.remember(replicator="change-me-replicator")
        self.primary.remember(replicator="change-me-replicator")
        self.standby.play("standby")
        self.primary.play("synchronous")
        self.await_standby("db2")

    def await_standby(self, name):
        question = "SELECT application_name, state, sync_state FROM pg_stat_replication"
        self.checks.that(f"commits wait for {name}", eventually(
            lambda: self.primary.sql(question) == [[name, "streaming", "sync"]]), name, self.primary.sql(question))

    def two_nodes(self):
        self.nodes = [self.node("node-1"), self.node("node-2")]
        for node in self.nodes:
            node.start()
        person = self.app().register()
        self.checks.that("who signs up at one is known at the other",
                         self.app(self.nodes[1].wire).accepts(person.access))
        encrypted = "SELECT DISTINCT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE usename = 'ostiary'"
        self.checks.equal("connections are encrypted", [["t"]], self.primary.sql(encrypted))

    def balanced(self, wire, log_of):
        """The expectations behind either balancer."""
        app, checks = self.app(wire), self.checks
        person = app.register()
        for _ in range(20):
            person.access, person.refresh = app.refreshed(person.refresh)
        answer = app.call("login", person.credentials, headers=[("X-Forwarded-For", "203.0.113.9")])
        checks.equal("signing in", 200, answer.status)
        address = "SELECT address FROM session ORDER BY number DESC LIMIT 1"
        checks.equal("nobody says where they come from by themselves", [["127.0.0.1"]], self.primary.sql(address))
        checks.equal("/metrics is not for everybody", 404, wire.get("/metrics").status)
        checks.equal("/readyz", 200, wire.get("/readyz").status)
        for node in self.nodes:
            checks.equal(f"{node.name}: SIGTERM ends it with exit status 0", 0, node.stop())
            failed = [status for status in (app.refresh(person.refresh).status for _ in range(20)) if status != 200]
            checks.equal(f"{log_of}: one node is gone and nobody notices", [], failed)
            node.start()
            self.answers(node, "/readyz", 200)
            time.sleep(4)  # Until the balancer tries it again.

    def secure(self):
        return SecureWire(f"https://127.0.0.31:{self.page.ports['https']}", ssl.create_default_context(
            cafile=str(self.tls.authority)))

    def by_name(self):
        """The page's addresses of nodes."""
        return {f"127.0.0.2{number}:3001": f"127.0.0.1:{node.port}" for number, node in enumerate(self.nodes, 1)}

    def nginx(self):
        directory = Path(self.guard.directory) / "nginx"
        directory.mkdir()
        folders = "".join(f"  {name}_temp_path {directory}/{name};\n" for name in (
            "client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        (directory / "nginx.conf").write_text(
            f"daemon off;\nmaster_process off;\npid {directory}/nginx.pid;\nerror_log {directory}/log warn;\n"
            f"events {{}}\nhttp {{\n  access_log off;\n{folders}{self.page.box('nginx.conf', **self.by_name())}}}\n")
        program = unprivileged.folder_with("nginx") + "/nginx"
        with running(self.guard, self.page.ports["https"], "127.0.0.31", program, "-e", f"{directory}/log", "-p",
                     str(directory), "-c", str(directory / "nginx.conf")):
            self.balanced(self.secure(), "nginx")

    def haproxy(self):
        if what := missing("haproxy"):
            return self.checks.skip(what)
        file = Path(self.guard.directory) / "haproxy.cfg"
        file.write_text(self.page.box("haproxy.cfg", **self.by_name()))
        program = unprivileged.folder_with("haproxy") + "/haproxy"
        with running(self.guard, self.page.ports["https"], "127.0.0.31", program, "-db", "-f", str(file)):
            self.balanced(self.secure(), "HAProxy")

    def pgbouncer(self):
        directory = Path(self.guard.directory)
        (directory / "userlist.txt").write_text('"ostiary" "change-me-ostiary"\n')
        (directory / "pgbouncer.ini").write_text(self.page.box("pgbouncer.ini"))
        for name in ("userlist.txt", "pgbouncer.ini"):
            unprivileged.hand_over(directory / name)
        self.primary.query("role settings")
        program = unprivileged.folder_with("pgbouncer") + "/pgbouncer"
        store = next(line for line in self.page.box("ostiary.yaml").splitlines() if line.startswith("store:"))
        with running(self.guard, self.page.ports["pgbouncer"], "127.0.0.31",
                     *unprivileged.command(program, str(directory / "pgbouncer.ini"))):
            node = self.node("pooled", **{store: self.page.box("pooled").strip()})
            node.start()
            app = self.app(node.wire)
            person = app.register()
            for _ in range(20):
                person.access, person.refresh = app.refreshed(person.refresh)
            self.checks.that("through PgBouncer, known at a node without", self.app().accepts(person.access))
            self.checks.equal("SIGTERM ends it with exit status 0", 0, node.stop())

    def watching(self):
        self.primary.query("watch")
        month = self.primary.sql("SELECT relname FROM pg_class WHERE relname ~ '^audit_event_2' ORDER BY 1 LIMIT 1")[0][0]
        self.primary.play("audit", audit_event_2026_11=month)
        kept = Path(self.guard.directory) / "backup" / f"{month}.sql.gz"
        self.checks.that("a month of audit events is copied", kept.stat().st_size > 100)

    def new_version(self):
        steps = self.primary.query("steps")
        newest = int(steps[-1][0])
        self.checks.that("there are steps", newest >= 1)
        node = self.nodes[1]

        def step(number, oldest):
            self.primary.sql(f"INSERT INTO schema_step VALUES ({number}, 'of a newer version', 0, {oldest})")

        step(newest + 1, newest)
        self.answers(node, "/readyz", 200)
        self.checks.equal("a node is stopped", 0, node.stop())
        node.start()
        self.checks.that("an older program may be started again", self.app(node.wire).register())
        step(newest + 2, newest + 2)
        self.answers(node, "/readyz", 503)
        node.stop()
        try:
            node.start()
            came = "it starts"
        except RuntimeError as error:
            came = str(error)
        self.checks.that("and not where tables are for newer programs alone", "newer version of Ostiary" in came,
                         "newer version of Ostiary", came)
        self.primary.sql(f"DELETE FROM schema_step WHERE number > {newest}")
        node.start()

    def primary_dies(self):
        app = self.app()
        person = app.register()
        refresh = app.refreshed(person.refresh)[1]
        self.primary.kill()
        answer = app.refresh(refresh)
        self.checks.equal("without a primary", 503, answer.status)
        self.answers(self.nodes[0], "/readyz", 503)
        self.answers(self.nodes[0], "/healthz", 200)
        self.primary, self.standby = self.standby, self.primary
        self.primary.play("promote")
        self.answers(self.nodes[0], "/readyz", 200)
        self.checks.equal("nobody is signed out", 200, app.refresh(refresh).status)
        self.two_primaries(refresh)
        self.standby.play("rewind")
        self.primary.play("synchronous")
        self.await_standby("db1")
        self.checks.equal("nor after that", 200, app.refresh(refresh).status)

    def two_primaries(self, refresh):
        """A primary without fencing returns, and a node connects to it first."""
        self.standby.run(f"pg_ctl -D {self.standby.data} -w start")
        self.standby.watch()
        node = self.node("misled")
        node.start()
        app = self.app(node.wire)
        for operation, answer in {"refresh": app.refresh(refresh), "register": app.call("register", app.newcomer())
                                  }.items():
            self.checks.equal(f"{operation}: nothing is acknowledged that the new primary has not", 503, answer.status)
        node.kill()
        self.standby.kill()

    def back_to_a_moment(self):
        app, checks = self.app(), self.checks
        before = [app.register() for _ in range(4)]
        signed_out, refreshed, changed, quiet = before
        self.primary.play("backup")
        time.sleep(1.2)
        moment = datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M:%S.%f+00")
        time.sleep(1.2)
        checks.equal("signing out", 200, app.call("logout", {"refreshToken": signed_out.refresh}).status)
        for _ in range(3):
            refreshed.access, refreshed.refresh = app.refreshed(refreshed.refresh)
        new = new_password()
        done = self.nodes[0].command("users", "set-password", "--app", "vici", changed.credentials["email"],
                                     "--password-stdin", input=new)
        checks.equal("another password", 0, done.returncode)
        newcomer = app.register()
        ended = {each.user["id"] for each in (signed_out, changed)}
        for node in self.nodes:
            node.stop()
        self.standby.run(f"pg_ctl -D {self.standby.data} -m fast stop")
        replaced = {MOMENT: moment}
        found = {row[3] for row in self.primary.query("affected", **replaced)}
        checks.that("the audit tells whom it concerns", ended <= found, ended, found)
        self.primary.play("restore", **replaced)
        checks.that("the server takes writes", eventually(
            lambda: self.primary.sql("SELECT pg_is_in_recovery()") == [["f"]]))
        for node in self.nodes:
            node.start()
        checks.that("who signed out since is signed in", app.accepts(signed_out.access))
        checks.equal("a token of since then is unknown", 401, app.refresh(refreshed.refresh).status)
        checks.equal("an old password works", 200, app.call("login", changed.credentials).status)
        checks.equal("a new one does not", 401, app.call("login", changed.with_password(new)).status)
        checks.equal("who signed up since is not there", 401, app.call("login", newcomer.credentials).status)
        checks.equal("who did nothing notices nothing", 200, app.refresh(quiet.refresh).status)
        self.primary.query("after")
        for person in before:
            checks.that("after the statement no session is left", not app.accepts(person.access)
                        and app.refresh(person.refresh).status == 401, "refused", "accepted")
            checks.equal("and everybody signs in again", 200, app.call("login", person.credentials).status)
        revoked = self.nodes[0].command("sessions", "revoke", "--app", "vici", "--all", quiet.credentials["email"])
        checks.equal("ostiary sessions revoke --all", 0, revoked.returncode)

    def all_of_it(self):
        self.checks.equal("every box was played", set(), set(self.page.boxes) - self.page.played
                          - ({"haproxy.cfg"} if missing("haproxy") else set()))
        for node in self.nodes:
            self.checks.equal(f"SIGTERM ends {node.name} with exit status 0", 0, node.stop())


SECTIONS = ["two_servers", "two_nodes", "nginx", "haproxy", "pgbouncer", "watching", "new_version", "primary_dies",
            "back_to_a_moment", "all_of_it"]


def has_loopback_addresses():
    """Returns True if this machine answers on all of 127.0.0.0/8, as Linux does."""
    with contextlib.suppress(OSError), socket.socket() as one:
        one.bind(("127.0.0.31", 0))
        return True
    return False


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, help="path of the program `ostiary`")
    program = parser.parse_args().program
    if not has_loopback_addresses():
        print("skipped: 127.0.0.31 is none of this machine's addresses\n0 passed, 0 failed, 1 skipped")
        return 0
    checks = Checks()
    with Guard() as guard:
        operations = Operations(program, guard, checks)
        for section in SECTIONS:
            checks.run(section.replace("_", " "), getattr(operations, section))
    return checks.close()


if __name__ == "__main__":
    sys.exit(needing(main, "postgres", "nginx", "pgbouncer"))
