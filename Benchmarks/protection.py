#!/usr/bin/env python3
"""Compares the CPU time of a sign-in with protection on with that of one without: protection.py PROGRAM [--rounds N].

One server has apps of the same contract. `plain` has the defaults without the assessment of risk; `risk` assesses it with all three
GeoIP files, a list of compromised passwords and a recognized device; `app_attest` and `dpop` require the one and the other; `everything`
has them all. Sign-ins alternate between the apps in short rounds. The kernel counts the nanoseconds that the server's threads ran; the
work of the client is not in it. Shown are the medians of the rounds and of their ratios, and the range of the middle half of the ratios.

Other work on the machine changes times. `--instructions` counts those of the program by callgrind, without the hash of the password and
without the kernel's; `--kernel-calls` counts the calls of the kernel by strace. `--profiles FOLDER` keeps the files of callgrind.
"""

import argparse
import hashlib
import importlib.util
import json
import secrets
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1] / "Server/Tests"
sys.path.insert(0, str(TESTS / "BlackBox"))
from apps import App  # noqa: E402
from callgrind import Callgrind  # noqa: E402
from joserfc import jws  # noqa: E402
from joserfc.jwk import ECKey  # noqa: E402
from peers.app_attest import Authority, Key as AppKey  # noqa: E402
from processor_time import nanoseconds  # noqa: E402
from server import Server, app, clean_environment, development  # noqa: E402

WARM_UP = 2
# Sign-ins that are counted. A hash takes seconds under callgrind.
COUNTED = 5
AIM = 1.03
ADDRESS = ("X-Forwarded-For", "203.0.113.7")
APP_ID = "ABCDE12345.com.example.app"


def locations(folder):
    spec = importlib.util.spec_from_file_location("make", TESTS / "OstiaryGeographyTests/Fixtures/make.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.make(folder)
    return {name: str(folder / f"{name}.mmdb") for name in ("city", "asn", "anonymous")}


def compromised(program, folder):
    source, output = folder / "source.txt", folder / "pwned.bin"
    source.write_text("".join(
        f"{digest}:1\n" for digest in sorted(hashlib.sha1(str(number).encode()).hexdigest().upper() for number in range(100_000))))
    subprocess.run([program, "passwords", "prepare-list", "--from", str(source), "--output", str(output)],
                   env=clean_environment(), capture_output=True, check=True)
    return str(output)


class ProofKey:
    """The key of a client that proves it (RFC 9449)."""

    def __init__(self):
        self.key = ECKey.generate_key("P-256")

    def proof(self, method, url, nonce):
        header = {"typ": "dpop+jwt", "alg": "ES256", "jwk": self.key.as_dict(private=False)}
        claims = {"jti": secrets.token_urlsafe(16), "htm": method, "htu": url, "iat": int(time.time())} | (
            {"nonce": nonce} if nonce else {})
        registry = jws.JWSRegistry(algorithms=["ES256"], strict_check_header=False)
        return jws.serialize_compact(header, json.dumps(claims), self.key, registry=registry)


class Side:
    """One app, and a person who signs in to it."""

    def __init__(self, server, name, authority):
        self.server, self.name = server, name
        self.app = App(server.wire, None, "clarity", name)
        self.app_key = AppKey(APP_ID) if name in ("app_attest", "everything") else None
        self.proof_key = ProofKey() if name in ("dpop", "everything") else None
        self.keeps_device = name in ("risk", "everything")
        self.nonce = self.device = None
        if self.app_key:
            prefix = self.app["challenge"].path.removesuffix("/challenge")
            challenge = self.app.wire.post(f"{prefix}/attest/challenge").json["challenge"]
            answer = self.app.wire.post(f"{prefix}/attest", self.app_key.attestation(challenge, authority))
            if answer.status not in (200, 204):
                raise RuntimeError(f"no attestation: {answer}")
        body = self.app.newcomer()
        self.credentials = {key: body[key] for key in (self.app.contract.identifier, "password")}
        self.send("register", body)

    def send(self, operation, body):
        endpoint, data = self.app[operation], json.dumps(body).encode()
        for _ in range(2):
            headers = [ADDRESS]
            if self.app_key:
                headers.append(("X-App-Assertion", self.app_key.assertion(endpoint.method, f"/{self.name}{endpoint.path}", data)))
            if self.proof_key:
                headers.append(("DPoP", self.proof_key.proof(endpoint.method, self.app.wire.base + endpoint.path, self.nonce)))
            if self.keeps_device and self.device:
                headers.append(("X-Device-Token", self.device))
            answer = self.app.wire.send(endpoint.method, endpoint.path, body=data, headers=headers)
            self.nonce = answer.header("dpop-nonce") or self.nonce
            if answer.status in (200, 201):
                self.device = answer.header("x-device-token") or self.device
                return
        raise RuntimeError(f"{operation} of {self.name}: {answer}")

    def sign_in(self):
        self.send("login", self.credentials)

    def cost(self, count):
        before = nanoseconds(self.server.process.pid)
        for _ in range(count):
            self.sign_in()
        return (nanoseconds(self.server.process.pid) - before) / count / 1000


def measured(server, names, authority, rounds, count):
    """Returns the costs of each round by app."""
    sides = [Side(server, name, authority) for name in names]
    results = []
    for number in range(-WARM_UP, rounds):
        # In turns, and the first of a round in turns too.
        costs = {side.name: side.cost(count) for side in (sides if number % 2 else sides[::-1])}
        if number >= 0:
            results.append(costs)
    return results


def counted(server, names, authority, counter, count, folder):
    """Returns the instructions of a sign-in by app."""
    sides = [Side(server, name, authority) for name in names]
    counter.pid = server.process.pid
    counter.control("--instr=on")
    results = {}
    for side in sides:
        for _ in range(WARM_UP):
            side.sign_in()
        counter.await_idle()
        keep = folder / f"callgrind.{side.name}" if folder else None
        results[side.name] = counter.instructions(side.sign_in, count, keep=keep, awaits_idle=True)
    return results


def kernel_calls(server, names, authority, count, folder):
    """Returns the calls of the kernel of a sign-in by app."""
    sides, results = [Side(server, name, authority) for name in names], {}
    output = folder / "calls"
    for side in sides:
        for _ in range(WARM_UP):
            side.sign_in()
        tracer = subprocess.Popen(
            ["strace", "--quiet=all", "-f", "-c", "-S", "calls", "-U", "calls,name", "-o", output, "-p", str(server.process.pid)])
        while not is_traced(server.process.pid):
            time.sleep(0.02)
        for _ in range(count):
            side.sign_in()
        tracer.send_signal(signal.SIGINT)
        tracer.wait(10)
        lines = [line.split() for line in output.read_text().splitlines()]
        results[side.name] = {line[1]: int(line[0]) / count for line in lines if len(line) == 2 and line[0].isdigit()}
    return results


def is_traced(pid):
    status = (task.read_text() for task in Path(f"/proc/{pid}/task").glob("*/status"))
    return all("TracerPid:\t0\n" not in text for text in status)


def show_instructions(results):
    for name, count in results.items():
        print(f"{name:12} {count:14,.0f} {count - results['plain']:+14,.0f}")
    return 0


def show_calls(results):
    names = sorted({name for calls in results.values() for name in calls}, key=lambda name: -results["plain"].get(name, 0))
    print(f"{'call':18}" + "".join(f"{app:>12}" for app in results))
    for name in names:
        print(f"{name:18}" + "".join(f"{calls.get(name, 0):12.1f}" for calls in results.values()))
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--count", type=int, default=20, help="sign-ins of each app in a round")
    parser.add_argument("--only", nargs="+", metavar="APP", help="these apps beside `plain`")
    parser.add_argument("--instructions", action="store_true", help="count by callgrind instead")
    parser.add_argument("--kernel-calls", action="store_true", help="count by strace instead")
    parser.add_argument("--profiles", type=Path, metavar="FOLDER", help="where the files of callgrind are kept")
    options = parser.parse_args()
    program, authority = str(options.program.resolve()), Authority()
    with tempfile.TemporaryDirectory(prefix="ostiary-protection-") as place:
        folder = Path(place)
        root = folder / "root.pem"
        root.write_bytes(authority.pem)
        limits = {kind: {"address": "1000000/1s", "identifier": "1000000/1s"} for kind in ("sign_in", "register", "other")}
        off, risk, dpop = {"risk": {"notify": "never"}}, {
            "risk": {"notify": "medium", "challenge": "high", "refuse": "never"},
            "passwords": {"compromised": {"file": compromised(program, folder)}}}, {"dpop": "required"}
        app_attest = {"app_attest": {
            "mode": "required", "team_id": "ABCDE12345", "bundle_ids": ["com.example.app"], "root_file": str(root)}}
        settings = {"plain": off, "risk": risk, "app_attest": off | app_attest, "dpop": off | dpop,
                    "everything": risk | app_attest | dpop}
        settings = {name: more for name, more in settings.items() if name == "plain" or name in (options.only or settings)}
        configuration = development(**{
            name: app("clarity", name, rate_limits=limits, **more) for name, more in settings.items()}) | {
            "trusted_proxies": ["127.0.0.1/32"], "geoip": locations(folder)}
        (folder / "server").mkdir()
        counter = Callgrind(program, folder) if options.instructions else None
        server = Server(counter.wrapper if counter else program, folder / "server", configuration)
        server.start(120)
        try:
            if counter:
                return show_instructions(counted(server, list(settings), authority, counter, COUNTED, options.profiles))
            if options.kernel_calls:
                return show_calls(kernel_calls(server, list(settings), authority, COUNTED, folder))
            results = measured(server, list(settings), authority, options.rounds, options.count)
        finally:
            server.stop(60)
    print(f"{'app':12} {'µs':>10} {'ratio':>8}  middle half")
    for name in settings:
        ratios = sorted(costs[name] / costs["plain"] for costs in results)
        low, _, high = statistics.quantiles(ratios, n=4)
        ratio = statistics.median(ratios)
        print(f"{name:12} {statistics.median(costs[name] for costs in results):10,.0f} {ratio:8.1%}  {low:.1%} to {high:.1%}")
    print(f"aim of everything: at most {AIM:.0%}")
    return 0 if "everything" not in settings or ratio <= AIM else 1


if __name__ == "__main__":
    sys.exit(main())
