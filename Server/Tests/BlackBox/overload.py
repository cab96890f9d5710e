#!/usr/bin/env python3
"""A server above its capacity, and one whose surroundings fail: what clients see, what is kept, and that it recovers without a restart.

  overload.py --program PATH [--only SECTION …] [--seconds 2.5] [--sockets 4000]

The rows of `Documentation/operations/limits.md`. The load and the sockets come from processes of their own.
"""

import argparse
import asyncio
import contextlib
import json
import multiprocessing
import os
import resource
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from apps import App
from checks import Checks
from front import connected, is_closed, metric
from server import app, development, serving

# The longest wait for a hash, the hash itself, and a loaded machine.
LONGEST_SIGN_IN = 2 + 3
LONGEST_OTHER = 2
SOURCES = 20  # Addresses of loopback: one network may hold a sixteenth of the connections.


# Sign-ins

async def storm(port, path, body, clients, seconds, answers):
    """Signs in from `clients` connections, each again as soon as it is answered or a refusal's fifth of a second is over."""
    request = (f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
               f"Content-Length: {len(body)}\r\n\r\n").encode() + body
    end = time.monotonic() + seconds

    async def client():
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        while time.monotonic() < end:
            began = time.monotonic()
            writer.write(request)
            head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
            length = int(head.split("content-length: ")[1].split("\r\n")[0])
            text = await reader.readexactly(length)
            status = int(head.split(" ")[1])
            answers.append((status, time.monotonic() - began, "\r\nretry-after: 1\r\n" in head,
                            b'"busy"' in text or status != 503))
            if status != 200:
                await asyncio.sleep(0.2)
        writer.close()

    await asyncio.gather(*(client() for _ in range(clients)))


def storming(pipe, *arguments):
    answers = []
    asyncio.run(storm(*arguments, answers))
    pipe.send(answers)


def sign_ins(program, checks, seconds):
    """Many more sign-ins than the cores can hash."""
    settings = {"passwords": {"bcrypt_cost": 12}}
    with serving(program, development(vici=app("vici", **settings)), checks) as server:
        vici = App(server.wire, server.inbox, "vici")
        person = vici.register()
        ours, theirs = multiprocessing.Pipe(False)
        load = multiprocessing.Process(target=storming, args=(
            theirs, server.port, "/vici" + vici["login"].path, json.dumps(person.credentials).encode(), 200, seconds))
        load.start()
        others, end = [], time.monotonic() + seconds
        while time.monotonic() < end:
            for call in (lambda: server.wire.get("/healthz").status == 200, lambda: vici.accepts(person.access),
                         lambda: server.wire.get("/readyz").status == 200):
                began = time.monotonic()
                others.append((call(), time.monotonic() - began))
            time.sleep(0.05)
        answers = ours.recv()
        load.join()
        done = [one for one in answers if one[0] == 200]
        shed = [one for one in answers if one[0] == 503]
        slowest, other = max(one[1] for one in done), max(one[1] for one in others)
        print(f"{len(done)} signed in within {slowest:.2f} s, {len(shed)} shed within {max([one[1] for one in shed] or [0]):.2f} s, "
              f"{len(others)} other requests within {other:.2f} s")
        checks.that("sign-ins go on", len(done) > seconds, "some each second", len(done))
        checks.equal("every answer is a sign-in or a refusal", len(answers), len(done) + len(shed))
        checks.that("what would wait too long is shed", shed, "some", len(shed))
        checks.that("with Retry-After and the code busy", all(one[2] and one[3] for one in shed), "all", shed[:1])
        checks.that("no sign-in waits longer than two seconds for its hash", slowest < LONGEST_SIGN_IN, LONGEST_SIGN_IN, slowest)
        checks.that("health and a session's requests are answered", all(one[0] for one in others), "all", others[:2])
        checks.that("without waiting for the sign-ins", other < LONGEST_OTHER, LONGEST_OTHER, other)
        deadline, last = time.monotonic() + 5, 0
        while last != 200 and time.monotonic() < deadline:
            last = vici.call("login", person.credentials).status
        checks.equal("a sign-in after the load succeeds", 200, last)
        checks.equal("nothing waits any more", 0.0, metric(server.wire, "ostiary_password_hash_queue_depth"))


# Connections

def holding(pipe, port, count):
    """Opens connections that send nothing, and holds them until the pipe says more."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    sockets = []
    with contextlib.suppress(OSError):
        for number in range(count):
            sockets.append(connected(port, f"127.0.0.{2 + number % SOURCES}"))
    pipe.send(len(sockets))
    pipe.recv()


def resident(pid):
    text = Path(f"/proc/{pid}/status").read_text()
    return int(text.split("VmRSS:")[1].split()[0]) / 1024


def sockets(program, checks, count):
    """As many connections as the server accepts, of many networks."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    most = min(count, hard - 300)
    if most < count:
        checks.skip(f"{count} sockets: this process may open {hard} files; {most} are opened")
    with serving(program, development(vici=app("vici")) | {"limits": {"connections": most, "header_timeout": 60}}, checks) as server:
        vici = App(server.wire, server.inbox, "vici")
        person, before = vici.register(), resident(server.process.pid)
        ours, theirs = multiprocessing.Pipe()
        holder = multiprocessing.Process(target=holding, args=(theirs, server.port, most - 20))
        holder.start()
        checks.equal("the sockets are accepted by the kernel", most - 20, ours.recv())
        deadline = time.monotonic() + 5
        while (open_now := metric(server.wire, "ostiary_connections_open")) < most - 20 and time.monotonic() < deadline:
            time.sleep(0.05)
        checks.that(f"{most - 20} connections are open", open_now >= most - 20, most - 20, open_now)
        grown = (resident(server.process.pid) - before) * 1024 / (most - 20)
        print(f"{open_now:.0f} connections, {grown:.1f} KiB each")
        checks.that("a connection takes little memory", grown < 64, "less than 64 KiB", grown)
        began = time.monotonic()
        statuses = [vici.call("login", person.credentials).status, server.wire.get("/healthz").status]
        checks.equal("a sign-in and health meanwhile", [200, 200], statuses)
        checks.that("a session is accepted", vici.accepts(person.access))
        checks.that("in time", time.monotonic() - began < LONGEST_OTHER, LONGEST_OTHER, time.monotonic() - began)
        beyond = [connected(server.port, "127.0.0.100") for _ in range(60)]
        refused = sum(is_closed(one, patience=0.05) for one in beyond)
        checks.that("connections beyond the limit are closed at once", 30 <= refused <= 60, "some forty", refused)
        for one in beyond:
            one.close()
        ours.send("done")
        holder.join()
        deadline = time.monotonic() + 10
        while metric(server.wire, "ostiary_connections_open") > 5 and time.monotonic() < deadline:
            time.sleep(0.1)
        checks.equal("the server is free again", 200, server.wire.get("/healthz").status)


def slow_writers(program, checks):
    """Clients that send a byte now and then: of a head, and of a body."""
    limits = {"limits": {"header_timeout": 1, "body_timeout": 1}}
    with serving(program, development(vici=app("vici")) | limits, checks) as server:
        head = b"POST /vici/api/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        halves = {"head": head, "body": head + b"Content-Length: 500\r\n\r\n{"}
        slow = [(part, connected(server.port)) for part in halves for _ in range(40)]
        for part, one in slow:
            one.sendall(halves[part])
        began, slowest, ended = time.monotonic(), 0, {}
        while len(ended) < len(slow) and time.monotonic() < began + 8:
            for index, (_, one) in enumerate(slow):
                if index in ended:
                    continue
                one.setblocking(False)
                try:
                    # The head goes on with a header's name, the body with a string.
                    one.send(b"x")
                    came = one.recv(4096)
                    ended[index] = b"HTTP/1.1 408" in came
                except BlockingIOError:
                    pass
                except OSError:
                    ended[index] = True
            asked = time.monotonic()
            checks.equal("others are served meanwhile", 200, server.wire.get("/healthz").status)
            slowest = max(slowest, time.monotonic() - asked)
            time.sleep(0.2)
        checks.equal("every slow client is refused", len(slow), sum(ended.values()))
        checks.that("soon after the time limit", time.monotonic() - began < 5, 5, time.monotonic() - began)
        checks.that("and delays nobody", slowest < LONGEST_OTHER, LONGEST_OTHER, slowest)
        counted = [metric(server.wire, f'ostiary_connections_timed_out_total{{deadline="{name}"}}') 
                   for name in ("header", "body")]
        checks.that("and counted", sum(filter(None, counted)) >= len(slow), len(slow), counted)
        for _, one in slow:
            one.close()


# Descriptors

def processor_time(pid):
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def descriptors(program, checks):
    """A process that may open no further file."""
    with serving(program, development(vici=app("vici")), checks) as server:
        vici = App(server.wire, server.inbox, "vici")
        person = vici.register()
        kept = server.wire.connect()
        checks.equal("a connection that is open", 200, server.wire.get("/healthz", connection=kept).status)
        soft, hard = resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE)
        highest = max(int(one.name) for one in Path(f"/proc/{server.process.pid}/fd").iterdir())
        resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE, (highest + 1, hard))
        # Fills the numbers below the highest that are free.
        waiting = [connected(server.port) for _ in range(60)]
        for one in waiting:
            one.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        time.sleep(0.3)
        before = processor_time(server.process.pid)
        time.sleep(1)
        spent = processor_time(server.process.pid) - before
        checks.that("the server does not spin", spent < 0.5, "less than half of a core", f"{spent} s of 1 s")
        checks.equal("the connection that is open is served", 200, server.wire.get("/healthz", connection=kept).status)
        login = vici["login"].path
        checks.equal("so is a sign-in on it", 200, server.wire.post(
            "/vici" + login, person.credentials, connection=kept).status)
        resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE, (soft, hard))
        answered = 0
        for one in waiting:
            one.settimeout(5)
            with contextlib.suppress(OSError):
                answered += b"HTTP/1.1 200" in one.recv(4096)
        checks.equal("every waiting connection is served once there are descriptors", len(waiting), answered)
        for one in waiting:
            one.close()
        checks.equal("and new ones", 200, vici.call("login", person.credentials).status)


# Clocks

def clocks(program, checks):
    """A clock that jumps, and returns."""
    if shutil.which("faketime") is None:
        return checks.skip("faketime is not installed")
    # Its shared memory, which the library would otherwise make itself, with a change of the environment that hides the arguments
    # from a program in Swift. It ends with its standard input.
    holder = subprocess.Popen(["faketime", "-f", "+0", "sh", "-c", "echo $LD_PRELOAD; echo $FAKETIME_SHARED; cat"],
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    library, shared = holder.stdout.readline().strip(), holder.stdout.readline().strip()
    with tempfile.TemporaryDirectory(prefix="ostiary-") as directory:
        offset, wrapped = Path(directory) / "offset", Path(directory) / "ostiary"
        offset.write_text("+0\n")
        wrapped.write_text(
            f"#!/bin/sh\nexec env LD_PRELOAD='{library}' FAKETIME_SHARED='{shared}' FAKETIME_TIMESTAMP_FILE={offset} "
            f"FAKETIME_NO_CACHE=1 FAKETIME_DONT_FAKE_MONOTONIC=1 '{Path(program).resolve()}' \"$@\"\n")
        wrapped.chmod(0o700)
        try:
            with serving(wrapped, development(vici=app("vici"), clarity=app("clarity")), checks) as server:
                for jump in ("+3600", "-3600", "+315360000", "-315360000"):
                    jumped(server, checks, offset, jump)
        finally:
            holder.stdin.close()
            holder.wait()
    return None


def jumped(server, checks, offset, jump):
    apps = {name: App(server.wire, server.inbox, name) for name in ("vici", "clarity")}
    people = {name: each.register() for name, each in apps.items()}
    offset.write_text(f"{jump}\n")
    for name, each in apps.items():
        person = people[name]
        checks.equal(f"{jump} s: healthz", 200, server.wire.get("/healthz").status)
        signed_in = each.call("login", person.credentials)
        if checks.equal(f"{jump} s: {name}: a sign-in", 200, signed_in.status):
            checks.that(f"{jump} s: {name}: its session is accepted", each.accepts(each.tokens(signed_in)[0]))
        old = each.wire.get(each[each.contract.guarded].path if each.contract.guarded else "/verify", bearer=person.access)
        checks.that(f"{jump} s: {name}: an earlier token is accepted or expired", old.status in (200, 401), "200, 401", old)
        # A session that is refreshed years before it began ends when the clock returns, as its new token does.
        if jump != "-315360000":
            refreshed = each.refresh(person.refresh)
            if refreshed.status == 200:
                person.access, person.refresh = each.tokens(refreshed)
            checks.equal(f"{jump} s: {name}: an earlier session is refreshed, or expired",
                         401 if jump == "+315360000" else 200, refreshed.status)
    offset.write_text("+0\n")
    for name, each in apps.items():
        person = people[name]
        checks.equal(f"after {jump} s: {name}: the account is there", 200, each.call("login", person.credentials).status)
        checks.equal(f"after {jump} s: {name}: the session is there", 200, each.refresh(person.refresh).status)


# Surroundings

class HangingMail:
    """Accepts connections and says nothing, until it is told to work."""

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port, self.held, self.works, self.received = self.listener.getsockname()[1], [], False, []
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            one = self.listener.accept()[0]
            if self.works:
                threading.Thread(target=self.talk, args=(one,), daemon=True).start()
            else:
                self.held.append(one)

    def talk(self, one):
        file = one.makefile("rwb")

        def say(line):
            file.write(line + b"\r\n")
            file.flush()

        say(b"220 ready")
        while line := file.readline():
            verb = line[:4].upper()
            if verb == b"DATA":
                say(b"354 go on")
                text = b""
                while not text.endswith(b"\r\n.\r\n"):
                    text += file.readline()
                self.received.append(text)
                say(b"250 taken")
            elif verb == b"QUIT":
                say(b"221 bye")
                break
            else:
                say(b"250 ok")

    def recover(self):
        self.works = True
        for one in self.held:
            one.close()


def mailing(program, url, checks):
    """A server that sends mail by `url`."""
    return serving(program, development(vici=app("vici")) | {
        "email": {"kind": "smtp", "url": url, "from": "Check <no-reply@example.com>"}}, checks)


def unsent(server, name, checks):
    """Requests messages that cannot be sent."""
    vici = App(server.wire, server.inbox, "vici")
    person = vici.register()
    began = time.monotonic()
    statuses = {vici.call("forgot", {"email": person.credentials["email"]}).status for _ in range(5)}
    checks.equal(f"{name}: a reset is acknowledged", {200}, statuses)
    checks.that(f"{name}: without waiting for the mail server", time.monotonic() - began < LONGEST_OTHER,
                LONGEST_OTHER, time.monotonic() - began)
    checks.equal(f"{name}: ready", 200, server.wire.get("/readyz").status)
    checks.equal(f"{name}: sign-ins", 200, vici.call("login", person.credentials).status)
    waiting = server.command("messages", "list", "--json")
    checks.that(f"{name}: the messages are kept", waiting.returncode == 0 and json.loads(waiting.stdout), "some",
                waiting.stdout + waiting.stderr)


def mail(program, checks):
    """A mail server that accepts connections and says nothing, and one whose name does not resolve."""
    hanging = HangingMail()
    with mailing(program, f"smtp://127.0.0.1:{hanging.port}", checks) as server:
        unsent(server, "SMTP hangs", checks)
        hanging.recover()
        with mailing(program, "smtp://mail.invalid:25", checks) as other:
            unsent(other, "DNS fails", checks)
        deadline = time.monotonic() + 10
        while not hanging.received and time.monotonic() < deadline:
            time.sleep(0.05)
        checks.that("they are sent when it works again", hanging.received, "a message", len(hanging.received))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, help="path of the program `ostiary`")
    parser.add_argument("--only", nargs="+", metavar="SECTION")
    parser.add_argument("--seconds", type=float, default=2.5, help="the duration of the sign-ins")
    parser.add_argument("--sockets", type=int, default=4_000)
    arguments = parser.parse_args()
    checks = Checks()
    sections = {
        "sign-ins": lambda: sign_ins(arguments.program, checks, arguments.seconds),
        "sockets": lambda: sockets(arguments.program, checks, arguments.sockets),
        "slow writers": lambda: slow_writers(arguments.program, checks),
        "descriptors": lambda: descriptors(arguments.program, checks),
        "clocks": lambda: clocks(arguments.program, checks),
        "mail": lambda: mail(arguments.program, checks),
    }
    for name, section in sections.items():
        if not arguments.only or name in arguments.only:
            began = time.monotonic()
            checks.run(name, section)
            print(f"{time.monotonic() - began:.1f} s")
    return checks.close()


if __name__ == "__main__":
    sys.exit(main())
