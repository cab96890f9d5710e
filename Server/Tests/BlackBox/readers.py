#!/usr/bin/env python3
"""Sends the server text that is expensive to compare, at every entry point without a sign-in, and reads its CPU time.

  readers.py --program PATH

CPU time is user and system time of the process, from /proc: the cost of a request, independent of other load on the machine.
Each entry point also gets plain letters of the same size, for comparison.
"""

import argparse
import base64
import json
import os
import sys
from pathlib import Path

from checks import Checks
from server import UNLIMITED, app, development, serving
from wire import FORM, JSON_TYPE

# Bytes of a body, and of a header: the server accepts 64 KiB and 16 KiB.
BODY, HEADER, TARGET = 60_000, 15_000, 7_500
# Seconds of CPU for one request, generous: quadratic readers took up to 2.8.
ALLOWED = 0.2
ROUNDS = 5
TICKS = os.sysconf("SC_CLK_TCK")


def marks(size):
    """One letter and combining marks, each of which sorts before the one ahead of it."""
    return ("a" + "\u0315\u0300" * (size // 4)).encode()


def letters(size):
    return b"a" * size


def quoted(text):
    return "".join(f"%{byte:02X}" for byte in text)


def segment(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def cpu(process):
    """Returns the CPU seconds that a process has used. The fields follow its name, which may contain spaces."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def escaped(text):
    """Returns a name as JSON escapes."""
    return json.dumps(text.decode()).encode()


def doors():
    """Returns the input of each reader, given a function that creates text of a size."""
    sign_in, idp = "/vici/api/auth/login", "/idp/oauth/token"
    login = "/timetracker/auth/login"

    def post(path, body, content_type):
        return lambda wire: wire.post(path, body=body, content_type=content_type)

    def get(path, *headers):
        return lambda wire: wire.get(path, headers=headers)

    def token(header):
        text = f"{segment(header)}.{segment(b'{}')}.AA"
        return get("/clarity/api/v1/auth/me", ("Authorization", f"Bearer {text}"))

    return {
        "a name in a JSON body": lambda make: post(sign_in, b'{"%b":1}' % make(BODY), JSON_TYPE),
        "an escaped name in a JSON body": lambda make: post(sign_in, b"{%b:1}" % escaped(make(BODY // 3)), JSON_TYPE),
        "an email in a JSON body": lambda make: post(
            sign_in, b'{"email":"%b","password":"x"}' % make(BODY), JSON_TYPE),
        "a password in a JSON body": lambda make: post(
            sign_in, b'{"email":"a@example.com","password":"%b"}' % make(BODY), JSON_TYPE),
        "a name in a form": lambda make: post(idp, b"%b=1" % make(BODY), FORM),
        "an encoded name in a form": lambda make: post(idp, quoted(make(BODY // 3)).encode() + b"=1", FORM),
        "a value in a form": lambda make: post(idp, b"client_id=x&grant_type=%b" % make(BODY), FORM),
        "a name in a form of a page": lambda make: post("/idp/sign-in", b"%b=1" % make(BODY), FORM),
        "a name in a query": lambda make: get(f"{login}?{quoted(make(TARGET // 3))}=1"),
        "a value in a query": lambda make: get(f"{login}?redirect_uri={quoted(make(TARGET // 3))}"),
        "a name in the provider's query": lambda make: get(f"/idp/authorize?{quoted(make(TARGET // 3))}=1"),
        "a role": lambda make: get(f"/clarity/verify?role={quoted(make(TARGET // 3))}"),
        "a segment of a path": lambda make: get(f"/clarity/{quoted(make(TARGET // 3))}"),
        "Content-Type": lambda make: lambda wire: wire.post(
            sign_in, body=b"{}", content_type=None, headers=[("Content-Type", make(HEADER))]),
        "a form's Content-Type": lambda make: lambda wire: wire.post(
            idp, body=b"a=1", content_type=None, headers=[("Content-Type", make(HEADER))]),
        "a name in a token's header": lambda make: token(b'{"%b":1}' % make(5_900)),
        "a value in a token's header": lambda make: token(b'{"alg":"%b"}' % make(5_900)),
        "Authorization": lambda make: get("/clarity/api/v1/auth/me", ("Authorization", make(HEADER))),
        "Cookie": lambda make: get("/idp/sign-in", ("Cookie", make(HEADER))),
        "a cookie's name": lambda make: get("/idp/sign-in", ("Cookie", b"%b=1; ostiary-browser=x" % make(HEADER))),
        "Accept-Language": lambda make: get("/idp/sign-in", ("Accept-Language", make(HEADER))),
        "Accept": lambda make: get(login, ("Accept", make(HEADER))),
        "User-Agent": lambda make: get("/idp/sign-in", ("User-Agent", make(HEADER))),
        "X-Forwarded-For": lambda make: get("/idp/sign-in", ("X-Forwarded-For", make(HEADER))),
        "Signature-Input": lambda make: get(
            "/clarity/verify", ("Authorization", "Bearer x"), ("Signature-Input", make(HEADER)), ("Signature", "x")),
    }


def cost(server, send):
    """Returns the CPU seconds of one request, and its answer."""
    answer, before = None, cpu(server.process)
    for _ in range(ROUNDS):
        answer = send(server.wire)
    return (cpu(server.process) - before) / ROUNDS, answer


def check_costs(checks, server):
    for name, door in doors().items():
        plain, _ = cost(server, door(letters))
        hostile, answer = cost(server, door(marks))
        checks.that(f"PT-01: {name} made of marks costs at most {ALLOWED} s of CPU", hostile <= ALLOWED,
                    f"{ALLOWED} s", f"{hostile:.2f} s ({plain:.2f} s for letters)")
        checks.that(f"PT-01: {name} made of marks is answered without a failure of the server", answer.status < 500,
                    "less than 500", str(answer))
    checks.equal("the server still answers", 200, server.wire.get("/healthz").status)


def check_limit(checks, program):
    """A network's flood of unreadable requests is refused, and another network is served."""
    configuration = development(clarity=app("clarity", rate_limits=UNLIMITED | {"other": "5/1m"}))
    with serving(program, configuration | {"trusted_proxies": ["127.0.0.1/32"]}, checks) as server:
        def send(network):
            return server.wire.post("/clarity/api/v1/auth/login", body=b"{",
                                    headers=[("X-Forwarded-For", network)])

        checks.equal("PT-01: unreadable requests are refused as such", [400] * 5,
                     [send("192.0.2.1").status for _ in range(5)])
        refused = send("192.0.2.1")
        checks.equal("PT-01: the next of the network is 429", 429, refused.status)
        checks.equal("PT-01: in the contract's words", "too_many_attempts", refused.json.get("code"))
        checks.that("PT-01: and says when to come back", refused.header("retry-after") is not None)
        checks.equal("PT-01: another network is served", 400, send("192.0.2.2").status)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    options = parser.parse_args()
    checks = Checks()

    def costs():
        with serving(options.program, None, checks) as server:
            check_costs(checks, server)

    checks.run("costs", costs)
    checks.run("limit", lambda: check_limit(checks, options.program))
    sys.exit(checks.close())


if __name__ == "__main__":
    main()
