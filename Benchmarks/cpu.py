#!/usr/bin/env python3
"""Compares the CPU time of a request with that of another build: cpu.py PROGRAM --against PROGRAM [--rounds N].

Both servers run at once, and requests alternate between them in short rounds on one connection each. The kernel counts the
nanoseconds that a server's threads ran, which other work on the machine changes much less than the time that a request takes. Shown are
the medians of the rounds and of their ratios, and the range of the middle half of the ratios.
"""

import argparse
import contextlib
import http.client
import json
import statistics
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Server/Tests/BlackBox"))
from apps import App  # noqa: E402
from server import Server, app, development  # noqa: E402

WARM_UP = 2


class Side:
    """One build, with a person in each app."""

    def __init__(self, program, directory):
        limits = {kind: {"address": "1000000/1s", "identifier": "1000000/1s"} for kind in ("sign_in", "refresh", "register", "other")}
        apps = {name: app(name, rate_limits=limits) for name in ("clarity", "vici")}
        for entry in apps.values():
            # Builds to compare with may not know these keys, whose limits are not reached here.
            for key in ("registration", "stuffing", "spraying"):
                del entry[key]
        self.server = Server(program, directory, development(**apps))
        self.server.start()
        self.connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=60)
        self.apps = {name: App(self.server.wire, None, name) for name in apps}
        self.people = {name: target.register() for name, target in self.apps.items()}

    def ask(self, name, endpoint, body=None, bearer=None, path=None):
        headers = {"Authorization": f"Bearer {bearer}"} if bearer else {}
        if body is not None:
            headers["Content-Type"] = "application/json"
        method, path = ("GET", path) if path else (endpoint.method, endpoint.path)
        self.connection.request(method, f"/{name}{path}", None if body is None else json.dumps(body), headers)
        answer = self.connection.getresponse()
        content = answer.read()
        if answer.status not in (200, 201):
            raise RuntimeError(f"{method} {path}: {answer.status} {content[:200]}")
        return content

    def current_user(self, name):
        target, person = self.apps[name], self.people[name]
        self.ask(name, target[target.contract.guarded], bearer=person.access)

    def verify(self, name):
        self.ask(name, None, bearer=self.people[name].access, path="/verify")

    def refresh(self, name):
        target, person = self.apps[name], self.people[name]
        endpoint = target["refresh"]
        body = json.loads(self.ask(name, endpoint, {next(iter(endpoint.fields)): person.refresh}))
        data = body["data"] if target.contract.enveloped else body
        person.access, person.refresh = data[target.contract.access], data[target.contract.refresh]

    def sign_in(self, name):
        target, person = self.apps[name], self.people[name]
        self.ask(name, target["login"], person.credentials)

    def nanoseconds(self):
        """Returns the time that the threads of the server ran."""
        tasks = Path(f"/proc/{self.server.process.pid}/task").glob("*/schedstat")
        return sum(int(task.read_text().split()[0]) for task in tasks)

    def cost(self, call, count):
        before = self.nanoseconds()
        for _ in range(count):
            call()
        return (self.nanoseconds() - before) / count / 1000


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path)
    parser.add_argument("--against", type=Path, required=True, metavar="PROGRAM")
    parser.add_argument("--rounds", type=int, default=25)
    options = parser.parse_args()
    with contextlib.ExitStack() as stack:
        sides = []
        for program in (options.program, options.against):
            sides.append(Side(program, stack.enter_context(tempfile.TemporaryDirectory(prefix="ostiary-cpu-"))))
            stack.callback(sides[-1].server.stop)
        print(f"{'operation':28} {'µs':>8} {'other':>8} {'ratio':>8}  middle half")
        for operation, count in (("current_user", 1000), ("verify", 1000), ("refresh", 300), ("sign_in", 10)):
            for name in ("clarity", "vici"):
                rounds = []
                for number in range(-WARM_UP, options.rounds):
                    # In turns, and the first of a round in turns too.
                    order = sides if number % 2 else sides[::-1]
                    costs = {side: side.cost(lambda side=side: getattr(side, operation)(name), count) for side in order}
                    if number >= 0:
                        rounds.append((costs[sides[0]], costs[sides[1]]))
                ratios = sorted(ours / theirs for ours, theirs in rounds)
                ours, theirs = (statistics.median(side) for side in zip(*rounds))
                low, _, high = statistics.quantiles(ratios, n=4)
                print(f"{operation + ' of ' + name:28} {ours:8.1f} {theirs:8.1f} {statistics.median(ratios):8.1%}  "
                      f"{low:.1%} to {high:.1%}", flush=True)


if __name__ == "__main__":
    main()
