#!/usr/bin/env python3
"""The layers between the network and the apps: the connections and the pipelined requests of one address (PT-04), development
mode and its pages (PT-07), and successful and failing starts of the program.

  front.py --program PATH
"""

import argparse
import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from unittest import mock

from checks import Checks
from server import app, clean_environment, development, free_port, serving
from terminal import Terminal
from wire import Wire

JSON = ("Accept", "application/json")
PROXY_HEADERS = [("Forwarded", "for=127.0.0.1"), ("Via", "1.1 proxy"), ("X-Forwarded-For", "127.0.0.1"),
                 ("X-Forwarded-Host", "localhost"), ("X-Forwarded-Proto", "https"), ("X-Forwarded-Port", "443"),
                 ("x-forwarded-anything", ""), ("X-Real-IP", "127.0.0.1")]


def connected(port, source="127.0.0.1"):
    connection = socket.socket()
    connection.bind((source, 0))
    connection.connect(("127.0.0.1", port))
    return connection


def is_closed(connection, patience=0.0):
    """Returns True if the server has closed the connection, after at most `patience` seconds; an open one receives nothing."""
    connection.settimeout(patience or 0.001)
    try:
        return connection.recv(1) == b""
    except (BlockingIOError, TimeoutError):
        return False
    except ConnectionResetError:
        return True


def metric(wire, name):
    found = re.search(rf"^{re.escape(name)} (\S+)$", wire.get("/metrics").body.decode(), re.MULTILINE)
    return float(found[1]) if found else None


def shares(checks, program, trusted=False):
    """PT-04: 320 connections, of which one network may have a sixteenth, except for a trusted proxy's."""
    configuration = development(vici=app("vici")) | {"limits": {"connections": 320}}
    if trusted:
        configuration["trusted_proxies"] = ["127.0.0.2/32"]
    with serving(program, configuration, checks) as server:
        sockets = [connected(server.port, "127.0.0.2") for _ in range(60)]
        expected, deadline = (60 if trusted else 20), time.monotonic() + 10
        while (held := [one for one in sockets if not is_closed(one)]) and len(held) > expected:
            if time.monotonic() > deadline:
                break
        if trusted:
            checks.equal("PT-04 a trusted proxy may hold more than one network's share", 60, len(held))
        else:
            checks.equal("PT-04 one address holds a sixteenth of the connections", 20, len(held))
            checks.equal("PT-04 what was refused is counted", 40.0,
                         metric(server.wire, 'ostiary_connections_refused_total{reason="network_share"}'))
            checks.equal("PT-04 it was not the server's capacity", 0.0,
                         metric(server.wire, 'ostiary_connections_refused_total{reason="capacity"}'))
        checks.equal("PT-04 another address is served meanwhile", 200, server.wire.get("/healthz").status)
        for one in sockets:
            one.close()
        deadline = time.monotonic() + 10
        again = []
        while time.monotonic() < deadline and not again:
            one = connected(server.port, "127.0.0.2")
            one.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            one.settimeout(5)
            with contextlib.suppress(OSError):
                again = re.findall(rb"HTTP/1.1 200", one.recv(4096))
            one.close()
        checks.equal("PT-04 whoever closes connections may open others", 1, len(again))


def resident(pid):
    return int(re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())[1]) / 1024


def pipelines(checks, program):
    """PT-04: clients that send far more than they read, and a client that sends requests meanwhile."""
    with serving(program, development(vici=app("vici")), checks) as server:
        body = json.dumps({"email": "nobody@example.com", "password": "not the password"}).encode()
        request = (b"POST /vici/api/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                   b"Content-Length: %d\r\n\r\n" % len(body)) + body
        me = b"GET /vici/api/auth/me HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer x\r\n\r\n"
        server.wire.get("/healthz")
        before, sent, flooding = resident(server.process.pid), [], []
        for number in range(24):
            one = connected(server.port)
            one.setblocking(False)
            flooding.append(one)
            data, done = (request if number % 2 else me) * 20_000, 0
            # As much as the server and the kernel accept without an answer being read.
            deadline = time.monotonic() + 0.2
            while done < len(data) and time.monotonic() < deadline:
                try:
                    done += one.send(data[done:done + 65_536])
                except BlockingIOError:
                    time.sleep(0.005)
            sent.append(done)
        # Counted in requests and not in seconds, since a busy machine answers fewer of them a second: the number of answers to
        # other clients between two answers to this client. A round of the event loops answers 650, some rounds pass while this client
        # reads its answer, and more of them the faster the server is.
        totals = []
        for _ in range(20):
            answer = server.wire.get("/metrics")
            checks.equal("PT-04 another client is answered meanwhile", 200, answer.status)
            totals.append(sum(map(int, re.findall(r"^ostiary_requests_total\{.*\} (\d+)", answer.body.decode(), re.MULTILINE))))
        most = max(later - earlier for earlier, later in zip(totals, totals[1:]))
        checks.that("PT-04 without waiting for the others' requests", most < 5_000, "fewer than 5,000 of 480,000",
                    f"{most}")
        grown = resident(server.process.pid) - before
        checks.that("PT-04 what is sent ahead is not read into memory", grown < 60, "less than 60 MB",
                    f"{grown:.0f} MB after {sum(sent) >> 20} MB")
        for one in flooding:
            one.close()
        with contextlib.closing(connected(server.port)) as one:
            one.settimeout(30)
            last = me.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
            one.sendall(me * 199 + last)
            one.shutdown(socket.SHUT_WR)
            came = b""
            while piece := one.recv(65_536):
                came += piece
            checks.equal("PT-04 every one of 200 requests sent at once is answered, also after the client's end", 200,
                         came.count(b"HTTP/1.1 401"))


def run(program, directory, *arguments, seconds=20, environment=None):
    return subprocess.run([program, *arguments], capture_output=True, text=True, timeout=seconds, cwd=directory,
                          stdin=subprocess.DEVNULL, env=clean_environment() | (environment or {}))


@contextlib.contextmanager
def started(program, directory, *arguments):
    """The program serving; its output until it listens."""
    process = subprocess.Popen([program, "serve", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               cwd=directory, env=clean_environment(), stdin=subprocess.DEVNULL)
    try:
        lines = []
        for line in process.stdout:
            lines.append(line.rstrip("\n"))
            if line.startswith("listening on"):
                break
        yield process, lines
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=15)


def production(port, **more):
    return {
        "mode": "production", "listen": f"127.0.0.1:{port}", "public_url": "https://auth.example.com",
        "admin": {"listen": f"127.0.0.1:{free_port()}"}, "encryption_key": "MDEyMzQ1Njc4OWFiY2RlZmdoaWprbG1ub3BxcnN0dXY=",
        "email": {"kind": "smtp", "url": "smtp://127.0.0.1:1", "from": "a@example.com"}, "apps": {"vici": app("vici")},
    } | more


def modes(checks, program):
    """PT-07: the mode, and the machines that can reach it."""
    with tempfile.TemporaryDirectory(prefix="ostiary-front-") as directory:
        port = free_port()
        with started(program, directory, "--listen", f"127.0.0.1:{port}") as (_, lines):
            checks.that("PT-07 development mode says so at start", "mode: development" in lines, "mode: development", lines)
        for address in (f"0.0.0.0:{port}", f"[::]:{port}", f"192.0.2.1:{port}", f"example.com:{port}"):
            refused = run(program, directory, "serve", "--listen", address)
            checks.equal(f"PT-07 development mode on {address}: exit status", 78, refused.returncode)
            checks.equal(f"PT-07 development mode on {address}: one line", 1, len(refused.stderr.splitlines()))
            checks.that(f"PT-07 development mode on {address}: names the way out", "--development" in refused.stderr,
                        "--development", refused.stderr)
        file = Path(directory) / "dev.yaml"
        file.write_text(json.dumps(development(vici=app("vici")) | {
            "listen": f"127.0.0.1:{port}", "admin": {"listen": f"0.0.0.0:{free_port()}"}}))
        refused = run(program, directory, "serve", "--config", str(file))
        checks.equal("PT-07 the metrics of development mode for all: exit status", 78, refused.returncode)
        with started(program, directory, "--development", "--listen", f"0.0.0.0:{port}") as (_, lines):
            checks.that("PT-07 with --development it starts", "mode: development" in lines, "mode: development", lines)
        file.write_text(json.dumps(production(port)))
        with started(program, directory, "--config", str(file), "--data", directory) as (process, lines):
            checks.that("PT-07 production says so at start", "mode: production" in lines, "mode: production", lines)
            limits = Path(f"/proc/{process.pid}/limits").read_text()
            checks.equal("PT-40 production writes no core dump", ("0", "0"),
                         re.search(r"Max core file size\s+(\S+)\s+(\S+)", limits).groups())
        refused = run(program, directory, "serve", "--config", str(file), "--development")
        checks.equal("PT-07 --development in production: exit status", 78, refused.returncode)


def local_pages(checks, program):
    """PT-07: pages for this machine alone."""
    with serving(program, development(vici=app("vici")), checks) as server:
        for path in ("/", "/dev/inbox", "/metrics"):
            checks.equal(f"PT-07 {path} for this machine", 200, server.wire.get(path, headers=[JSON]).status)
            for name, value in PROXY_HEADERS:
                checks.equal(f"PT-07 {path} with {name}", 404,
                             server.wire.get(path, headers=[JSON, (name, value)]).status)
        checks.equal("PT-07 nor is the inbox emptied through a proxy", 404,
                     server.wire.send("DELETE", "/dev/inbox", headers=[("Via", "1.1 proxy")]).status)
        twice = server.wire.get("/dev/inbox?app=vici&app=clarity", headers=[JSON])
        checks.equal("PT-38 the inbox with a doubled parameter", 400, twice.status)


def starts(checks, program):
    """PT-28, PT-29, PT-32: a start that fails prints the reason in one line."""
    with tempfile.TemporaryDirectory(prefix="ostiary-front-") as directory, socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        data = str(Path(directory) / "data")

        def refused(name, words, *arguments, status=1):
            done = run(program, directory, *arguments)
            checks.equal(f"{name}: exit status", status, done.returncode)
            checks.equal(f"{name}: one line, and nothing of a server that never was", (1, ""), (
                len(done.stderr.splitlines()), done.stdout))
            for word in words:
                checks.that(f"{name}: the line names it", word in done.stderr, word, done.stderr)

        address = f"127.0.0.1:{port}"
        refused("PT-28 a taken port", [address, "in use"], "serve", "--listen", address, "--data", data)
        checks.that("PT-28 and nothing was written", not os.path.exists(data), "no data directory", data)
        file = Path(directory) / "production.yaml"
        file.write_text(json.dumps(production(free_port(), admin={"listen": address})))
        refused("PT-28 a taken port of the metrics", [address, "in use"], "serve", "--config", str(file), "--data", data)
        file.write_text(json.dumps(production(free_port(), listen="nosuch.invalid:3001")))
        refused("PT-29 a name that does not resolve", ["nosuch.invalid:3001", "resolve"], "serve", "--config", str(file),
                "--data", data)
        missing = str(Path(directory) / "missing.yaml")
        refused("PT-32 a file that is missing", ["--config", missing, "no such file"], "config", "check", "--config",
                missing, status=78)
        refused("PT-32 a directory", ["--config", directory, "directory"], "config", "check", "--config", directory,
                status=78)
        bad = Path(directory) / "bad.yaml"
        bad.write_bytes(b"mode: \xff\xfe\n")
        refused("PT-32 not UTF-8", [str(bad), "UTF-8"], "config", "check", "--config", str(bad), status=78)
        if os.geteuid():
            bad.chmod(0)
            refused("PT-32 not readable", ["--config", str(bad), "may not open"], "config", "check", "--config",
                    str(bad), status=78)


def logs(checks, program):
    """PT-24, PT-41: the contents of the log at start, and what it cannot contain."""
    with tempfile.TemporaryDirectory(prefix="ostiary-front-") as directory:
        key, certificate = Path(directory) / "key.pem", Path(directory) / "cert.pem"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                        "-keyout", key, "-out", certificate, "-subj", "/CN=localhost", "-days", "2"], check=True,
                       capture_output=True)
        file, port = Path(directory) / "o.yaml", free_port()
        for mode, warns in ((0o644, True), (0o600, False)):
            key.chmod(mode)
            file.write_text(json.dumps(production(
                port, tls={"certificate": str(certificate), "key": str(key)}, log={"format": "console", "level": "info"})))
            process = subprocess.Popen(
                [program, "serve", "--config", str(file), "--data", str(Path(directory) / "data")],
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=directory, env=clean_environment())
            for line in process.stdout:
                if line.startswith(b"listening on"):
                    break
            process.send_signal(signal.SIGTERM)
            log = process.communicate(timeout=15)[1].decode()
            checks.equal(f"PT-24 a key of mode {mode:o}: a warning that names the file", warns,
                         "private TLS key" in log and str(key) in log)
        configuration = development(vici=app("vici")) | {"log": {"format": "console", "level": "debug"}}
        with serving(program, configuration, checks) as server:
            server.wire.get("/vici/api/auth/me")
            server.wire.get("/vici/api/auth/me", headers=[("X-Request-Id", "12345678\x1b[31m"), ("User-Agent", "\x9b31m")])
            log = server.log.read_bytes()
            bare = [byte for byte in log if byte < 0x20 and byte != 0x0A or byte == 0x7F]
            checks.equal("PT-41 no control character stands bare in the log", [], bare)
            checks.that("PT-41 the log has the request", b"request address=127.0.0.1" in log, "a request's line", log[-300:])


ARENA = 64 << 20
ARENA_VARIABLES = {"MALLOC_ARENA_MAX", "GLIBC_TUNABLES"}


def arenas(pid):
    """Returns the number of glibc's arenas besides the first: each reserves 64 MiB, of which it uses the beginning."""
    found, before = 0, None
    for line in Path(f"/proc/{pid}/maps").read_text().splitlines():
        place, permissions = line.split()[:2]
        start, end = (int(address, 16) for address in place.split("-"))
        if permissions == "---p" and before and before[1] == start and before[0] + ARENA == end and end % ARENA == 0:
            found += 1
        before = (start, end) if permissions == "rw-p" else None
    return found


def allocator(checks, program):
    """The server's limit, one arena for each of two processors, and the number that the operator sets instead, by either variable."""
    processors = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(processors)[:2])
    try:
        for variables, least, most in [({}, 1, 1), ({"GLIBC_TUNABLES": "glibc.malloc.tcache_count=3"}, 1, 1),
                                       ({"MALLOC_ARENA_MAX": "1"}, 0, 0), ({"MALLOC_ARENA_MAX": "8"}, 2, 7),
                                       ({"GLIBC_TUNABLES": "glibc.malloc.tcache_count=3:glibc.malloc.arena_max=1"}, 0, 0),
                                       ({"GLIBC_TUNABLES": "glibc.malloc.arena_max=8"}, 2, 7)]:
            with mock.patch.dict(os.environ, variables):
                for name in ARENA_VARIABLES - variables.keys():
                    os.environ.pop(name, None)
                with serving(program, development(vici=app("vici")), checks) as server:
                    server.wire.post("/vici/api/auth/login", {"email": "jo@example.com", "password": "not the password"})
                    found = arenas(server.process.pid)
                    checks.that(f"arenas besides the first with {variables}", least <= found <= most, f"{least} to {most}", found)
    finally:
        os.sched_setaffinity(0, processors)


def first_run(checks, program):
    """A developer sees three lines, and a readable log; for programs the log is JSON."""
    with tempfile.TemporaryDirectory(prefix="ostiary-front-") as directory:
        address = f"127.0.0.1:{free_port()}"
        home = f"http://{address}/"
        terminal = Terminal([program, "serve", "--listen", address], directory)
        try:
            checks.that("a first run says that it listens", terminal.expect(f"listening on http://{address}"), address,
                        terminal.read)
            checks.equal("it prints the mode, the home page and the address, and nothing else",
                         ["mode: development", f"home page: {home}", f"listening on http://{address}"],
                         terminal.read.splitlines()[:3])
            checks.equal("the home page is there", 200, Wire(home.rstrip("/")).get("/").status)
            checks.that("on a terminal the log is text, in colours", terminal.expect("\x1b[32minfo\x1b[0m ostiary: request "),
                        "a line of text", terminal.read)
        finally:
            terminal.process.send_signal(signal.SIGTERM)
            terminal.process.wait(15)
    with serving(program, checks=checks) as server:
        server.wire.get("/healthz")
        lines = [line for line in server.log.read_text().splitlines() if "healthz" in line]
        checks.that("elsewhere the log is JSON", lines and all(json.loads(line) for line in lines), "JSON", lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, help="path of the program `ostiary`")
    program = str(Path(parser.parse_args().program).resolve())
    checks = Checks()
    checks.run("connections of one network", lambda: shares(checks, program))
    checks.run("connections of a trusted proxy", lambda: shares(checks, program, trusted=True))
    checks.run("pipelined requests", lambda: pipelines(checks, program))
    checks.run("modes", lambda: modes(checks, program))
    checks.run("pages for this machine", lambda: local_pages(checks, program))
    checks.run("starts", lambda: starts(checks, program))
    checks.run("the log", lambda: logs(checks, program))
    checks.run("the allocator", lambda: allocator(checks, program))
    checks.run("a first run", lambda: first_run(checks, program))
    return checks.close()


if __name__ == "__main__":
    sys.exit(main())
