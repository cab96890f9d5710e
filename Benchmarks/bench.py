"""Measures the release build and bare peers in one run on this machine, and prints the medians of short rounds.

Server and peer alternate within each round, so that other load on the machine affects both; the result is the median of the
rounds' ratios. Takes about fourteen minutes; with `--only sqlite` four, with `--only postgres` ten.
"""

import argparse
import concurrent.futures
import contextlib
import json
import os
import pathlib
import platform
import shutil
import sqlite3
import statistics
import tempfile

from durable_peer import DurablePeer
from on_postgres import OnPostgres
from population import PASSWORD
from programs import BUILD, OSTIARY, Load, bare_bcrypt, bare_route, ostiary
from results import read, show, write_all

ROUNDS = 5
# One connection each: each refresh needs the token of the previous response.
CHAINS = 64

APPS = {
    "vici": {
        "base": "/vici/api/auth", "refresh": "/refresh-token", "access": "accessToken", "token": "refreshToken",
    },
    "clarity": {
        "base": "/clarity/api/v1/auth", "refresh": "/refresh", "access": "access_token", "token": "refresh_token",
    },
}


class Figure:
    """One line of the table."""

    def __init__(self, name, unit, aim, peer=None, reaches=lambda figure: False):
        self.name, self.unit, self.aim, self.peer_name, self.reaches = name, unit, aim, peer, reaches
        self.values, self.peers = [], []

    @property
    def value(self):
        return statistics.median(self.values)

    @property
    def peer(self):
        return statistics.median(self.peers) if self.peers else None

    @property
    def ratio(self):
        return statistics.median(a / b for a, b in zip(self.values, self.peers)) if self.peers else None

    def take_turns(self, measure, measure_peer):
        """Adds a round; the order of the two alternates."""
        turns = [(self.values, measure), (self.peers, measure_peer)]
        for results, turn in turns if len(self.values) % 2 == 0 else reversed(turns):
            results.append(turn())

    def row(self):
        return [
            self.name, f"{self.value:,.1f} {self.unit}",
            f"{min(self.values):,.1f}–{max(self.values):,.1f}",
            f"{self.peer:,.1f}" if self.peers else "", self.peer_name or "",
            f"{self.ratio:.1%}" if self.peers else "", self.aim,
            {True: "yes", False: "no"}[self.reaches(self)] if self.aim else "",
        ]

    def record(self):
        return {
            "name": self.name, "unit": self.unit, "ostiary": self.value, "peer": self.peer, "peer_name": self.peer_name,
            "ratio": self.ratio, "aim": self.aim, "reached": bool(self.aim and self.reaches(self)),
            "rounds": self.values, "peer_rounds": self.peers,
        }


class Bench:
    def __init__(self, directory, program=OSTIARY):
        self.directory = directory
        self.program = program
        self.figures = []
        self.server = None
        self.on_postgres = None

    def figure(self, *arguments, **named):
        self.figures.append(Figure(*arguments, **named))
        return self.figures[-1]

    def url(self, path):
        return f"http://127.0.0.1:{self.server.port}{path}"

    def file(self, name, lines):
        path = self.directory / name
        path.write_text("".join(line + "\n" for line in lines))
        return path

    def start_up(self):
        fresh = self.figure(
            "start to first answer, new data directory", "ms", "< 50", "bare Hummingbird",
            lambda figure: figure.value < 50)
        existing = self.figure(
            "start to first answer, existing data directory", "ms", "< 50", "bare Hummingbird",
            lambda figure: figure.value < 50)

        def milliseconds(program):
            program.stop()
            return program.seconds_to_first_answer * 1000

        def peer():
            return milliseconds(bare_route("{}", self.directory / "peer.log"))

        for number in range(ROUNDS):
            directory = self.directory / f"start-{number}"
            fresh.take_turns(lambda: milliseconds(ostiary(directory)), peer)
            existing.take_turns(lambda: milliseconds(ostiary(directory)), peer)

    def begin(self):
        """Starts the server that all other figures are measured on, and registers the users that sign in."""
        self.server = ostiary(self.directory / "data", program=self.program)
        idle = self.figure("resident memory, idle", "MB", "< 60", reaches=lambda figure: figure.value < 60)
        idle.values.append(self.server.resident_bytes() / 1e6)
        for app, names in APPS.items():
            with concurrent.futures.ThreadPoolExecutor(4) as pool:
                answers = list(pool.map(lambda number: self.register(names, number), range(CHAINS)))
            self.file(f"{app}.access", (answer[names["access"]] for answer in answers))
            self.file(f"{app}.refresh", (answer[names["token"]] for answer in answers))
        self.file("sign-in", (json.dumps(self.credentials(number)) for number in range(CHAINS)))

    @staticmethod
    def credentials(number):
        return {"email": f"person-{number:03}@example.com", "password": PASSWORD}

    def register(self, names, number):
        status, body = self.server.ask(
            "POST", names["base"] + "/register", self.credentials(number) | {"name": f"Person {number:03}"})
        if status != 201:
            raise SystemExit(f"registration was refused: {status} {body}")
        return json.loads(body)

    def bearer(self):
        """GET /me, 32 connections, compared with a route that checks nothing and sends the same bytes to the same requests."""
        for app, names in APPS.items():
            tokens = self.directory / f"{app}.access"
            status, body = self.server.ask("GET", names["base"] + "/me", token=tokens.read_text().split()[0])
            assert status == 200, body
            figure = self.figure(
                f"/me of {app}", "/s", ">= 60 %", "bare Hummingbird route", lambda figure: figure.ratio >= 0.6)
            peer = bare_route(body.decode(), self.directory / "peer.log")
            try:
                for number in range(ROUNDS + 1):
                    figure.take_turns(
                        lambda: self.answers_a_second(app),
                        lambda: Load(f"http://127.0.0.1:{peer.port}/", 2, 32, "bearer", tokens).result()["rate"])
                    if number == 0:
                        # Warm-up: the first round of either fills caches and allocates memory.
                        figure.values.clear(), figure.peers.clear()
            finally:
                peer.stop()

    def answers_a_second(self, app):
        return Load(
            self.url(APPS[app]["base"] + "/me"), 2, 32, "bearer", self.directory / f"{app}.access").result()["rate"]

    def sign_in(self):
        figure = self.figure(
            "password sign-ins, bcrypt cost 10", "/s", ">= 180 %", "bare libcrypt, all cores",
            lambda figure: figure.ratio >= 1.8)
        for _ in range(ROUNDS):
            figure.take_turns(self.sign_ins_a_second, lambda: bare_bcrypt(5))

    def sign_ins_a_second(self):
        connections = 4 * (os.cpu_count() or 2)
        load = Load(self.url(APPS["vici"]["base"] + "/login"), 5, connections, "sign-in", self.directory / "sign-in")
        rate = load.result()["rate"]
        self.finish_sign_ins()
        return rate

    def finish_sign_ins(self):
        """Waits until the sign-ins that wrk left behind are done: this one is queued after them."""
        self.server.ask("POST", APPS["vici"]["base"] + "/login", self.credentials(0))

    def latency(self):
        """GET /me at a modest rate, while more people sign in than the cores can hash passwords for."""
        calm = self.figure("/me, p99, nothing else to do", "ms", "")
        busy = self.figure(
            "/me, p99, while sign-ins saturate the cores", "ms", "< 100", "without sign-ins",
            lambda figure: figure.value < 100)
        names = APPS["vici"]

        def p99():
            tokens = self.directory / "vici.access"
            return Load(self.url(names["base"] + "/me"), 4, 8, "bearer", tokens, 10).result()["p99"]

        def p99_under_sign_ins():
            load = Load(
                self.url(names["base"] + "/login"), 5, 16 * (os.cpu_count() or 2), "sign-in", self.directory / "sign-in")
            result = p99()
            load.result()
            self.finish_sign_ins()
            return result

        for _ in range(3):
            busy.take_turns(p99_under_sign_ins, p99)
        calm.values = busy.peers

    def refresh(self):
        peer = DurablePeer(str(self.directory / "peer.db"), CHAINS)
        for app, names in APPS.items():
            figure = self.figure(
                f"refresh rotations of {app}, durable", "/s", ">= 5,000", "bare SQLite, a commit each",
                lambda figure: figure.value >= 5000)

            for _ in range(ROUNDS):
                figure.take_turns(lambda: self.rotations_a_second(app), lambda: peer.rotations_a_second(2))
        peer.close()

    def rotations_a_second(self, app):
        names = APPS[app]
        return Load(
            self.url(names["base"] + names["refresh"]), 3, CHAINS, "refresh", self.directory / f"{app}.refresh",
            names["token"], CHAINS, threads=CHAINS).result()["rate"]

    def end(self):
        under_load = self.figure(
            "resident memory, highest under all of this", "MB", "< 120", reaches=lambda figure: figure.value < 120)
        under_load.values.append(self.server.resident_bytes(peak=True) / 1e6)

    def run(self, parts):
        try:
            if "sqlite" in parts:
                self.start_up()
            self.begin()
            if "sqlite" in parts:
                self.bearer()
                self.refresh()
                self.latency()
                self.sign_in()
                self.end()
            if "postgres" in parts:
                self.on_postgres = OnPostgres(self.directory, {
                    "me": lambda: self.answers_a_second("vici"), "refresh": lambda: self.rotations_a_second("vici"),
                    "sign_in": self.sign_ins_a_second}, self.password_hash())
                self.on_postgres.run()
        finally:
            if self.server:
                self.server.stop()

    def password_hash(self):
        """The bcrypt hash of the password that all accounts share."""
        with contextlib.closing(sqlite3.connect(f"file:{self.directory}/data/ostiary.db?mode=ro", uri=True)) as database:
            return database.execute("SELECT password_hash FROM account LIMIT 1").fetchone()[0]

    def report(self, parts):
        header = ["figure", "Ostiary, median", "range", "peer", "which peer", "ratio", "aim", "reached"]
        results = read() | {"system": platform.platform(), "machine": platform.machine(), "cores": os.cpu_count()}
        if "sqlite" in parts:
            show([header] + [figure.row() for figure in self.figures])
            results["figures"] = [figure.record() for figure in self.figures]
        if self.on_postgres:
            print()
            show(self.on_postgres.table())
            results["on_postgres"] = self.on_postgres.record()
        write_all(results)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=["sqlite", "postgres"])
    only = parser.parse_args().only
    parts = [only] if only else ["sqlite", "postgres"]
    # Beside the build and not in /tmp, which may be memory: commits must reach a disk.
    directory = pathlib.Path(tempfile.mkdtemp(prefix="bench-", dir=BUILD))
    directory.chmod(0o711)  # PostgreSQL does not run as root and has to traverse the directory.
    try:
        bench = Bench(directory)
        bench.run(parts)
        bench.report(parts)
    finally:
        shutil.rmtree(directory)


if __name__ == "__main__":
    main()
