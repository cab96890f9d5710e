#!/usr/bin/env python3
"""SIGTERM while clients are connected: requests at work are answered, and no client delays the end for long.

  shutdown.py --program PATH
"""

import argparse
import json
import signal
import socket
import sys
import tempfile
import threading
import time

from apps import App
from checks import Checks
from server import Server, app, development

# The time for an unfinished request, the time to read the last answer, and that of a loaded machine.
LONGEST = 8
HEAD = b"POST /vici/api/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n"
PART = {"nothing": b"", "half a header": HEAD[:40], "a header": HEAD, "half a body": HEAD + b'{"email": "a@'}


def connected(port):
    return socket.create_connection(("127.0.0.1", port), timeout=40)


def received(connection):
    """Returns all that the server sends until it closes the connection."""
    came = b""
    try:
        while piece := connection.recv(65_536):
            came += piece
    except ConnectionResetError:
        pass
    return came


def ended(server, checks, name):
    """Sends SIGTERM and checks the exit status, and that it comes in time."""
    began = time.monotonic()
    status = server.stop(within=40)
    seconds = time.monotonic() - began
    checks.equal(f"{name}: exit status", 0, status)
    checks.that(f"{name}: it ends within {LONGEST} s", seconds < LONGEST, LONGEST, f"{seconds:.1f} s")


def at_once(server, checks):
    """Servers that end while the work of their start goes on: that is no failure."""
    for number in range(3):
        server.start()
        ended(server, checks, f"an end at once, {number + 1}")
    errors = [line for line in server.log.read_text().splitlines() if '"level":"error"' in line]
    checks.equal("an end at once: no failure is reported", [], errors)


def unfinished(server, checks):
    """Clients that send nothing more."""
    for name, part in PART.items():
        server.start()
        with connected(server.port) as connection:
            connection.sendall(part)
            # Answered after the server has read the part.
            for _ in range(20):
                server.wire.get("/healthz")
            ended(server, checks, name)
            came = received(connection)
            expected = b"HTTP/1.1 408" if part else b""
            checks.that(f"{name}: the answer", came.startswith(expected) and (part or not came), expected, came[:40])
            if b"\r\n\r\n" in part:
                checks.that(f"{name}: in the contract's words", b'"timed_out"' in came, "timed_out", came[-80:])


def slow_reader(server, checks):
    """A client that requests much and reads nothing."""
    server.start()
    with connected(server.port) as connection:
        connection.setblocking(False)
        requests, sent = b"GET /vici/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n" * 200, 0
        deadline = time.monotonic() + 2
        while sent < len(requests) and time.monotonic() < deadline:
            try:
                sent += connection.send(requests[sent:])
            except BlockingIOError:
                time.sleep(0.02)
        time.sleep(0.5)
        ended(server, checks, "a client that reads nothing")


def at_work(server, checks):
    """Sign-ins whose passwords are being checked are finished."""
    server.start()
    vici = App(server.wire, server.inbox, "vici")
    person = vici.register()
    body = json.dumps(person.credentials).encode()
    request = (b"POST /vici/api/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
               b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
    connections = [connected(server.port) for _ in range(8)]
    answers = [b""] * len(connections)
    for connection in connections:
        connection.sendall(request)
    time.sleep(0.05)
    server.process.send_signal(signal.SIGTERM)

    def read(number):
        answers[number] = received(connections[number])

    threads = [threading.Thread(target=read, args=(number,)) for number in range(len(connections))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    checks.equal("sign-ins at work: exit status", 0, server.process.wait(40))
    # A request that the server had not read yet may find its connection closed.
    done = [answer for answer in answers if answer]
    checks.that("sign-ins at work are answered", done and all(answer.startswith(b"HTTP/1.1 200") for answer in done),
                200, [answer[:12] for answer in answers])
    for connection in connections:
        connection.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, help="path of the program `ostiary`")
    program = parser.parse_args().program
    checks = Checks()
    with tempfile.TemporaryDirectory(prefix="ostiary-") as directory:
        server = Server(program, directory, development(vici=app("vici")))
        try:
            for name, work in [("an end at once", at_once), ("unfinished requests", unfinished), ("a slow reader", slow_reader),
                               ("requests at work", at_work)]:
                checks.run(name, lambda work=work: work(server, checks))
        finally:
            if server.process and server.lives:
                server.kill()
    return checks.close()


if __name__ == "__main__":
    sys.exit(main())
