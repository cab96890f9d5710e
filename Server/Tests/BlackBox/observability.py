#!/usr/bin/env python3
"""Traces to every kind of server that Ostiary asks, the three formats of the log by a parser of its own, slow requests, and
`ostiary tail` with filters, a slow reader and the end of the server.

  observability.py --program PATH
"""

import argparse
import base64
import http.server
import json
import re
import secrets
import signal
import socket
import subprocess
import sys
import threading
import time

from apps import App
from checks import Checks
from peers.receiver import QuietServer, Receiver
from server import app, clean_environment, development, serving

HOSTILE = 'a status=200 "b\\\n\x1b[31m\u2028\u202e'
TRACEPARENT = re.compile(r"00-([0-9a-f]{32})-([0-9a-f]{16})-(0[01])")
ZERO = re.compile(r"0+")


def parsed(traceparent):
    """Returns the ids of the trace and of the span; None for a value that is no traceparent."""
    match = TRACEPARENT.fullmatch(traceparent or "")
    return match.groups()[:2] if match and not any(ZERO.fullmatch(part) for part in match.groups()[:2]) else None


def logfmt(line):
    """Returns the pairs of a line, by the grammar that the parsers of Go read: name=value, with quoted values as in JSON."""
    pairs, rest = [], line
    while rest:
        match = re.match(r'([^\s="]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s"=]*))(?: |$)', rest)
        if not match:
            raise ValueError(f"no pair: {rest!r}")
        name, quoted, plain = match.groups()
        pairs.append((name, json.loads(f'"{quoted}"') if quoted is not None else plain))
        rest = rest[match.end():]
    if len(dict(pairs)) != len(pairs):
        raise ValueError(f"a repeated name: {line!r}")
    return dict(pairs)


class Range(http.server.BaseHTTPRequestHandler):
    """A range API that knows no password."""

    protocol_version = "HTTP/1.1"
    seen = []

    def do_GET(self):
        Range.seen.append({name.lower(): value for name, value in self.headers.items()})
        self.send_response(200)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


class Tail:
    """A running `ostiary tail`, and its output until now."""

    def __init__(self, server, options, *arguments):
        self.process = subprocess.Popen(
            [server.program, "tail", *arguments, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True, cwd=server.directory, env=clean_environment())
        self.lines, self.errors = [], []
        self.threads = [threading.Thread(target=self._read, args=pair, daemon=True)
                        for pair in ((self.process.stdout, self.lines), (self.process.stderr, self.errors))]
        for thread in self.threads:
            thread.start()

    def _read(self, stream, lines):
        for line in stream:
            lines.append(line.rstrip("\n"))

    def wait(self, count, seconds=10):
        """Returns the lines, once there are `count`."""
        deadline = time.monotonic() + seconds
        while len(self.lines) < count and time.monotonic() < deadline:
            time.sleep(0.02)
        return list(self.lines)

    def end(self, seconds=10):
        """Waits for the end of the program, and returns its status."""
        status = self.process.wait(seconds)
        for thread in self.threads:
            thread.join(seconds)
        return status


class Observability:
    def __init__(self, checks, program):
        self.checks, self.program = checks, program

    def records(self, server):
        """Returns the JSON records of the log."""
        return [json.loads(line) for line in server.log.read_text().splitlines() if line.startswith("{")]

    def record(self, server, seconds=5, **fields):
        """Returns the first record of the log with these fields."""
        deadline = time.monotonic() + seconds
        while True:
            for record in self.records(server):
                if fields.items() <= record.items():
                    return record
            if time.monotonic() > deadline:
                raise RuntimeError(f"no record with {fields}")
            time.sleep(0.02)

    def traces(self):
        checks, key = self.checks, "whsec_" + base64.b64encode(secrets.token_bytes(32)).decode()
        hook, events, sms, ranges = Receiver(), Receiver(), Receiver(), QuietServer(("127.0.0.1", 0), Range)
        hook.answer = lambda request: (200, {"content-type": "application/json"}, b'{"decision": "allow"}')
        threading.Thread(target=ranges.serve_forever, daemon=True).start()
        passwords = {"compromised": {"url": f"http://127.0.0.1:{ranges.server_port}/range/"}}
        configuration = development(
            vici=app("vici", passwords=passwords, hooks={"before_registration": {"url": hook.url("/hook"), "secret": key}}),
            barqnet=app("barqnet"))
        configuration |= {
            "trusted_proxies": ["127.0.0.1/32"], "log": {"slow_milliseconds": 1},
            "sms": {"kind": "webhook", "url": sms.url("/sms"), "secret": secrets.token_urlsafe(32)}}
        with serving(self.program, configuration, checks) as server:
            vici, trace = App(server.wire, server.inbox, "vici"), secrets.token_hex(16)
            made = server.command("events", "create", "--app", "vici", "--url", events.url(), "--json")
            checks.equal("an endpoint for events", 0, made.returncode)
            headers = [("traceparent", f"00-{trace}-00f067aa0ba902b7-01"), ("tracestate", "vendor=x")]
            answer = vici.call("register", vici.newcomer(), headers=headers)
            checks.equal("a registration", 201, answer.status)
            record = self.record(server, message="request", operation="register")
            checks.equal("its log has the caller's trace", trace, record["trace_id"])
            checks.that("and a span of its own", record["span_id"] != "00f067aa0ba902b7", "another", record["span_id"])
            asked = hook.wait(lambda all: len(all) >= 1)[0].headers
            checks.equal("the hook continues the span", (trace, record["span_id"]), parsed(asked.get("traceparent")))
            checks.equal("and has the state", "vendor=x", asked.get("tracestate"))
            checks.equal("the range API continues the span", (trace, record["span_id"]),
                         parsed(Range.seen[0].get("traceparent")))
            checks.equal("a third party has no state", None, Range.seen[0].get("tracestate"))
            slow = self.record(server, message="slow request", operation="register")
            checks.equal("it is reported as slow", ("warning", trace, record["id"]),
                         (slow["level"], slow["trace_id"], slow["id"]))
            took = {name: float(slow.get(f"{name}_ms", "0")) for name in ("store", "upstream", "hashing")}
            checks.that("with what took its time", all(0 < part <= float(slow["ms"]) for part in took.values()), "parts", slow)
            checks.that("and no personal data", answer.json["user"]["email"] not in json.dumps(slow), "none", slow)
            event = events.wait(lambda all: len(all) >= 1)[0].headers
            checks.that("an event begins a trace", parsed(event.get("traceparent")), "a traceparent", event)
            barqnet = App(server.wire, server.inbox, "barqnet")
            sent = barqnet.call("send", {"phone_number": "+15550100123"}, headers=headers)
            checks.equal("a code", 200, sent.status)
            message = sms.wait(lambda all: len(all) >= 1)[0].headers
            checks.equal("the message continues the trace", trace, (parsed(message.get("traceparent")) or [None])[0])
            self.malformed(server, vici, trace)
        for peer in (hook, events, sms):
            peer.close()
        ranges.shutdown()
        ranges.server_close()

    def malformed(self, server, vici, trace):
        """Whatever the headers are, the answer is the same, and a trace begins."""
        checks, valid = self.checks, f"00-{trace}-00f067aa0ba902b7-01"
        cases = {
            "two": [("traceparent", valid), ("traceparent", valid)], "upper case": [("traceparent", valid.upper())],
            "version 255": [("traceparent", "ff" + valid[2:])], "too long": [("traceparent", valid + "-" + "a" * 4000)],
            "no trace": [("traceparent", f"00-{'0' * 32}-00f067aa0ba902b7-01")], "empty": [("traceparent", "")],
            "the state alone": [("tracestate", "vendor=x")]}
        for name, headers in cases.items():
            identifier = secrets.token_hex(8)
            answer = vici.wire.get("/api/auth/me", headers=[*headers, ("x-request-id", identifier)])
            record = self.record(server, message="request", id=identifier)
            checks.equal(f"{name}: the answer", 401, answer.status)
            checks.that(f"{name}: a new trace", parsed(f"00-{record['trace_id']}-{record['span_id']}-01")
                        and record["trace_id"] != trace, "a trace", record["trace_id"])

    def formats(self):
        checks = self.checks
        names = {}
        for form in ("json", "logfmt", "console"):
            configuration = development(vici=app("vici")) | {
                "log": {"format": form, "level": "debug"}, "trusted_proxies": ["127.0.0.1/32"]}
            with serving(self.program, configuration) as server:
                server.wire.get("/vici/api/auth/me", headers=[("X-Request-Id", HOSTILE.encode().decode("latin-1").replace("\n", "")),
                                                             ("User-Agent", "a status=200"), ("X-Request-Id", "one\x1b[31m")])
                server.wire.get("/vici/api/auth/me", headers=[("X-Request-Id", "request-0001")])
                server.stop()
                log = server.log.read_bytes()
                none = server.command("tail") if form == "json" else None
            lines = [line for line in log.decode().split("\n") if "request-0001" in line]
            checks.equal(f"{form}: a line for a request", 1, len(lines))
            if none:
                checks.equal("tail without a server", (1, True), (none.returncode, "no server runs" in none.stderr))
            bare = [byte for byte in log if byte < 0x20 and byte != 0x0A or byte == 0x7F]
            checks.equal(f"{form}: no control character", [], bare)
            if form == "console":
                checks.that("console: for a person", re.match(
                    r"\d{4}-\d\d-\d\dT[\d:.]+Z info ostiary: request address=127\.0\.0\.1 app=vici ", lines[0]), "a line", lines[0])
                continue
            read = json.loads if form == "json" else logfmt
            written = [line for line in log.decode().splitlines() if '"level"' in line or " level=" in line]
            names[form] = [*map(read, written)] and read(lines[0])
            checks.equal(f"{form}: the fields", ("info", "request", "vici", "401"),
                         tuple(names[form][name] for name in ("level", "message", "app", "status")))
        checks.equal("the fields of both formats", list(names["json"]), list(names["logfmt"]))

    def followed(self):
        checks = self.checks
        configuration = development(vici=app("vici"), other=app("vici", "other")) | {"trusted_proxies": ["127.0.0.1/32"]}
        with serving(self.program, configuration, checks) as server:
            trace = secrets.token_hex(16)
            # The socket opens beside the listener, and maybe after it.
            deadline = time.monotonic() + 10
            while not (server.data / "ostiary.sock").exists() and time.monotonic() < deadline:
                time.sleep(0.02)
            # Written once: a reader that starts must not see half of the file.
            options = server.options
            tails = {
                "all": Tail(server, options, "--format", "json"), "app": Tail(server, options, "--app", "other", "--format", "logfmt"),
                "status": Tail(server, options, "--status", "4xx", "--format", "json"),
                "operation": Tail(server, options, "--operation", "/healthz"), "trace": Tail(server, options, "--trace", trace),
                "network": Tail(server, options, "--network", "203.0.113.0/24", "--format", "console"),
                "slower": Tail(server, options, "--slower-than", "600000")}
            stopped, stuck = Tail(server, options, "--format", "json"), Tail(server, options)
            # Each reader counts as there when it has seen a request that it selects.
            deadline = time.monotonic() + 60
            while not all(tail.lines for name, tail in [*tails.items(), ("", stopped), ("", stuck)] if name != "slower"):
                self.probe(server, trace)
                if time.monotonic() > deadline:
                    raise RuntimeError({name: (len(tail.lines), tail.errors) for name, tail in tails.items()})
                time.sleep(0.05)
            for reader in (stopped, stuck):
                reader.process.send_signal(signal.SIGSTOP)
            time.sleep(0.5)
            for tail in tails.values():
                tail.begin = len(tail.lines)
            self.probe(server, trace)
            seen = {name: tail.wait(tail.begin + count)[tail.begin:] for (name, tail), count in zip(
                tails.items(), (4, 1, 3, 1, 1, 1, 0), strict=True)}
            everything = [json.loads(line) for line in seen["all"]]
            checks.equal("every request", ["/healthz", "unknown_path", "unreadable", "unreadable"], sorted(r["operation"] for r in everything))
            checks.equal("--app", [("other", "401")], [(r["app"], r["status"]) for r in map(logfmt, seen["app"])])
            checks.equal("--status", ["401", "401", "404"], sorted(json.loads(line)["status"] for line in seen["status"]))
            checks.equal("--operation, in the log's format", ["/healthz"], [json.loads(line)["operation"] for line in seen["operation"]])
            checks.equal("--trace", [trace], [json.loads(line)["trace_id"] for line in seen["trace"]])
            checks.that("--network", len(seen["network"]) == 1 and " address=203.0.113.9 " in seen["network"][0], "one", seen["network"])
            checks.equal("--slower-than", [], seen["slower"])
            logged = [record for record in self.records(server) if record["message"] == "request"][-4:]
            without_time = [{name: value for name, value in record.items() if name != "time"} for record in logged]
            checks.equal("the lines are those of the log", sorted(map(str, without_time)), sorted(
                str({name: value for name, value in record.items() if name != "time"}) for record in everything))
            self.slow(server, stopped)
            interrupted = tails.pop("slower")
            interrupted.process.send_signal(signal.SIGINT)
            checks.equal("Ctrl-C ends a reader", 130, interrupted.end())
            for name, hint in (("signin", "did you mean signIn?"), ("nope", "there are: ")):
                unknown = server.command("tail", "--operation", name)
                checks.equal(f"--operation {name}", (64, True), (unknown.returncode, hint in unknown.stderr))
            absent = server.command("tail", "--app", "none")
            checks.equal("--app of none", (1, True), (absent.returncode, "no app none here; there are: " in absent.stderr))
        # The end of `serving` has checked that a reader that is still stopped does not keep the server from ending.
        stuck.process.kill()
        for name, tail in tails.items():
            checks.equal(f"{name}: ends with the server", (0, ["the server has ended"]), (tail.end(), tail.errors))

    def probe(self, server, trace):
        """Four requests: one for each filter, and one of a client behind the proxy."""
        server.wire.get("/healthz")
        server.wire.get("/nowhere")
        server.wire.get("/other/api/auth/me", headers=[("traceparent", f"00-{trace}-00f067aa0ba902b7-01")])
        server.wire.get("/vici/api/auth/me", headers=[("x-forwarded-for", "203.0.113.9")])

    def slow(self, server, stopped):
        """A reader that is stopped misses requests, is told how many, and the server does not wait for it."""
        checks, count, size = self.checks, 5000, 100
        begun = time.monotonic()
        with socket.create_connection(("127.0.0.1", server.port)) as connection:
            request = f"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode()
            answers = connection.makefile("rb")
            for _ in range(count // size):
                connection.sendall(request * size)
                answered = 0
                while answered < size:
                    answered += answers.readline() == b"ok\n"
        took = time.monotonic() - begun
        checks.that("the server answers as fast", took < 30, "30 s", took)
        stopped.process.send_signal(signal.SIGCONT)
        deadline, sent = time.monotonic() + 15, len([r for r in self.records(server) if r["message"] == "request"])
        while not stopped.errors and time.monotonic() < deadline:
            time.sleep(0.05)
        missing = [int(line.split()[0]) for line in stopped.errors if "missing" in line]
        checks.that("a slow reader is told how much it missed", missing, "a count", stopped.errors)
        first = next(json.loads(line)["id"] for line in stopped.lines)
        ids = [r["id"] for r in self.records(server) if r["message"] == "request"]
        expected = sent - ids.index(first)
        settled = stopped.wait(expected - sum(missing))
        checks.equal("what it printed and what it missed is everything", expected, len(settled) + sum(missing))
        stopped.process.send_signal(signal.SIGTERM)
        stopped.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True)
    arguments = parser.parse_args()
    checks = Checks()
    observability = Observability(checks, arguments.program)
    for section in (observability.traces, observability.formats, observability.followed):
        checks.run(section.__name__, section)
    return checks.close()


if __name__ == "__main__":
    sys.exit(main())
