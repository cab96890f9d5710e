#!/usr/bin/env python3
"""A server on PostgreSQL from its operator's perspective: starting, refusing to start, an outage, its log, its end, commands.

  postgres_serving.py --program PATH
"""

import argparse
import base64
import collections
import json
import secrets
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from apps import App
from checks import Checks
from commandlines.store import eventually
from drills.needing import needing
from peers import postgres
from server import Server, app, clean_environment, development, free_port


def configuration(url, **more):
    return development(vici=app("vici"), clarity=app("clarity")) | {
        "encryption_key": base64.b64encode(secrets.token_bytes(32)).decode(), "store": url} | more


def lines_of(server):
    """Returns the log's JSON lines."""
    lines = []
    for line in server.log.read_text(errors="replace").splitlines():
        if line.startswith("{"):
            lines.append(json.loads(line))
    return lines


def tried(server, *arguments, within=20, **environment):
    """Runs a command that should end by itself; returns it and its duration."""
    began = time.monotonic()
    done = subprocess.run([server.program, *arguments, *server.options], capture_output=True, text=True, timeout=within,
                          cwd=server.directory, env=clean_environment() | environment, stdin=subprocess.DEVNULL)
    return done, time.monotonic() - began


def refusing(program, directory, cluster, checks):
    """Problems that end a server immediately, with one line."""
    name = f"o{secrets.token_hex(4)}"
    password = cluster.database(name)
    url = postgres.url([cluster], name, password)

    def refused(what, url, status, *named, key=None):
        given = configuration(url)
        if key:
            del given[key]
        server = Server(program, directory, given)
        for command in (("serve", "--listen", "127.0.0.1:0"), ("users", "list", "--app", "vici")):
            done, seconds = tried(server, *command)
            checks.equal(f"{what}: exit status of {command[0]}", status, done.returncode)
            lines = done.stderr.splitlines()
            checks.that(f"{what}: one line that says why", all(text in lines[-1] for text in named), named, done.stderr)
            checks.that(f"{what}: besides what stands in the log once", len([
                line for line in lines if not line.startswith("{")]) == 1 and len(lines) <= 2, "1 line", lines)
            checks.that(f"{what}: at once", seconds < 5, "5 s", seconds)
            checks.that(f"{what}: tells no password", password not in done.stderr, "none", done.stderr)

    refused("a wrong password", url.replace(password, "wrong"), 1, "password")
    refused("a database that is not there", url + "x", 1, "no database")
    refused("TLS that the server has not", url + "?sslmode=require", 1, "TLS")
    refused("a parameter that nobody knows", url + "?sslmod=require", 78, "store", "sslmode")
    refused("a remote host without TLS", "postgres://u@db.example.com/o", 78, "store", "TLS")
    refused("no encryption key", url, 78, "encryption_key", key="encryption_key")
    server = Server(program, directory, configuration(url))
    done, _ = tried(server, "users", "list", "--app", "vici")
    checks.equal("a command makes the tables of an empty database", 0, done.returncode)
    cluster.sql("UPDATE schema_step SET oldest_compatible = 99, number = 99 WHERE number = "
                "(SELECT max(number) FROM schema_step)", name)
    refused("a newer schema", url, 1, "newer")
    checks.that("nothing is made in the data directory", not server.data.exists(), "no directory", server.data)
    shown, _ = tried(server, "config", "show")
    checks.that("config show masks the password", password not in shown.stdout and f"{name}:***@127.0.0.1" in shown.stdout,
                "***", shown.stdout)
    checked, _ = tried(server, "config", "check", OSTIARY_STORE="postgres://u:hush@127.0.0.1/o?port=1,2")
    checks.that("config check tells what libpq would refuse", checked.returncode == 78 and "store" in checked.stderr
                and "hush" not in checked.stderr, "78 store", checked.stderr)


def waiting(program, directory, cluster, checks):
    """The server starts before its database."""
    name = f"o{secrets.token_hex(4)}"
    password = cluster.database(name)
    server = Server(program, directory, configuration(postgres.url([cluster], name, password)))
    cluster.stop("fast")
    starter = threading.Timer(4, cluster.start)
    starter.start()
    try:
        seconds = server.start(within=40)
    finally:
        starter.join()
    checks.that("it waits for its database", 3.5 < seconds < 15, "4 s", f"{seconds:.1f} s")
    waits = [line for line in lines_of(server) if line["message"] == "waiting for the database"]
    checks.equal("and says so once", 1, len(waits))
    checks.equal("it can be asked", 200, server.wire.get("/readyz").status)
    unsafe = [line for line in lines_of(server) if "can lose acknowledged writes" in line["message"]]
    checks.that("it warns of settings that forget", any("fsync" in json.dumps(line) for line in unsafe), "fsync", unsafe)
    checks.equal("SIGTERM ends it with exit status 0", 0, server.stop())

    given = postgres.url([cluster], name, password).replace(str(cluster.port), str(free_port()))
    server = Server(program, directory, configuration(given))
    done, seconds = tried(server, "serve", "--listen", "127.0.0.1:0", within=60)
    checks.that("a database that never comes ends it after half a minute", done.returncode == 1 and 28 < seconds < 36
                and "cannot be reached" in done.stderr.splitlines()[-1], "1 after 30 s", f"{seconds:.1f} s {done.stderr}")
    done, seconds = tried(server, "users", "list", "--app", "vici")
    checks.that("a command does not wait so long", done.returncode == 1 and seconds < 5, "1 within 5 s", f"{seconds:.1f} s")


def outage(program, directory, cluster, checks):
    """The database stops and starts again under load."""
    name = f"o{secrets.token_hex(4)}"
    password = cluster.database(name)
    server = Server(program, directory, configuration(postgres.url([cluster], name, password)))
    server.start()
    vici = App(server.wire, server.inbox, "vici")
    person = vici.register()
    done, _ = tried(server, "users", "list", "--app", "vici", "--json")
    checks.that("commands open the database beside the server", person.credentials["email"] in done.stdout,
                "the account", done.stderr)
    mark = len(lines_of(server))
    cluster.stop("immediate")
    answers, end = [], time.monotonic() + 6

    def ask():
        while time.monotonic() < end:
            began = time.monotonic()
            answer = vici.call("me", bearer=person.access)
            answers.append((answer, time.monotonic() - began))

    threads = [threading.Thread(target=ask) for _ in range(16)]
    for thread in threads:
        thread.start()
    while (ready := server.wire.get("/readyz")).status == 200 and time.monotonic() < end:
        time.sleep(0.05)
    alive = server.wire.get("/healthz")
    for thread in threads:
        thread.join()
    away = [answer for answer, _ in answers if answer.status == 503]
    checks.that("requests are answered 503", len(away) == len(answers) and away, "503",
                {answer.status for answer, _ in answers})
    checks.that("with Retry-After", all(answer.header("Retry-After") for answer in away), "Retry-After", "none")
    checks.that("within the deadline", max(seconds for _, seconds in answers) < 4, "4 s",
                max(seconds for _, seconds in answers))
    checks.equal("readyz is 503, healthz 200", (503, 200), (ready.status, alive.status))
    told, deadline = {answer.json["incident"] for answer in away}, time.monotonic() + 5
    while True:
        # Each request has its line in the log in any case.
        said = [line for line in lines_of(server)[mark:] if line["message"] != "request"]
        logged = {line.get("incident") or line.get("metadata", {}).get("incident") for line in said}
        if told <= logged or time.monotonic() > deadline:
            break
        time.sleep(0.05)
    checks.that("every incident that was told stands in the log", told <= logged, told, told - logged)
    kinds = collections.Counter(line["message"] for line in said)
    checks.that("the log is not flooded", len(said) < 100, f"100 lines for {len(away)} answers", kinds.most_common(5))
    print(f"{len(away)} answers of 503, {len(said)} lines in the log, {len(told)} incidents")
    cluster.start()
    deadline = time.monotonic() + 5
    while vici.call("me", bearer=person.access).status != 200 and time.monotonic() < deadline:
        time.sleep(0.05)
    checks.equal("it heals by itself", (200, 200), (vici.call("me", bearer=person.access).status,
                                                    server.wire.get("/readyz").status))
    checks.equal("SIGTERM ends it with exit status 0", 0, server.stop())


def following(program, directory, cluster, checks):
    """`audit --follow` beside a server, without a socket between them."""
    name = f"o{secrets.token_hex(4)}"
    password = cluster.database(name)
    server = Server(program, directory, configuration(postgres.url([cluster], name, password)))
    server.start()
    options = server.options
    watch = subprocess.Popen([server.program, "audit", "--follow", "--json", *options], stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL, text=True, cwd=server.directory, env=clean_environment())
    try:
        App(server.wire, server.inbox, "vici").register()
        lines = []
        reader = threading.Thread(target=lambda: lines.append(watch.stdout.readline()), daemon=True)
        reader.start()
        reader.join(10)
        checks.that("audit --follow shows what happens", bool(lines) and "register" in lines[0], "register", lines)
    finally:
        watch.terminate()
        watch.wait()
    checks.equal("SIGTERM ends the server with exit status 0", 0, server.stop())


def ending(program, directory, cluster, checks):
    """SIGTERM while a request waits for the database."""
    name = f"o{secrets.token_hex(4)}"
    password = cluster.database(name)
    server = Server(program, directory, configuration(postgres.url([cluster], name, password)))
    server.start()
    vici = App(server.wire, server.inbox, "vici")
    person = vici.register()
    statuses = []
    holder = threading.Thread(target=lambda: cluster.sql("SELECT 1 FROM session FOR UPDATE; SELECT pg_sleep(1)", name))
    holder.start()
    checks.that("the session is locked", eventually(lambda: cluster.sql(
        "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'")), "locked", "not")
    asker = threading.Thread(target=lambda: statuses.append(vici.refresh(person.refresh).status))
    asker.start()
    checks.that("the request waits", eventually(lambda: cluster.sql("SELECT 1 FROM pg_locks WHERE NOT granted"), 5),
                "waits", "does not")
    checks.equal("SIGTERM ends it with exit status 0", 0, server.stop())
    asker.join()
    holder.join()
    checks.equal("what was in flight was answered", [200], statuses)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, help="path of the program `ostiary`")
    program = str(Path(parser.parse_args().program).resolve())
    checks = Checks()
    with postgres.serving() as cluster:
        for name, work in [("refusing", refusing), ("waiting", waiting), ("outage", outage), ("following", following),
                           ("ending", ending)]:
            with tempfile.TemporaryDirectory(prefix="ostiary-") as directory:
                checks.run(name, lambda: work(program, directory, cluster, checks))  # noqa: B023
    return checks.close()


if __name__ == "__main__":
    sys.exit(needing(main, "postgres"))
