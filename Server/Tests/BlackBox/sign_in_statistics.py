#!/usr/bin/env python3
"""Statistics of sign-ins with known outcomes, exact after SIGKILL; `ostiary stats`; the metrics by the rules of Prometheus.

  sign_in_statistics.py --program PATH [--store postgres] [--rounds 3]

With `--store postgres` two nodes count, and one of them is killed. The module is not called `statistics`, which is a module of
Python.
"""

import argparse
import collections
import http.client
import json
import re
import subprocess
import sys
import threading
import time
from pathlib import Path

from apps import App
from authenticator import Authenticator
from checks import Checks
from drills.cluster import Cluster, Database, Node, encryption_key
from drills.stage import needed, options
from peers.guard import Guard
from server import app, development
from wire import JSON_TYPE

NAMES = ["ostiary_sign_ins_total", "ostiary_registrations_total", "ostiary_refreshes_total", "ostiary_second_factors_total",
         "ostiary_messages_total", "ostiary_message_queue_depth", "ostiary_password_hash_queue_depth",
         "ostiary_password_hash_duration_seconds", "ostiary_store_commit_duration_seconds", "ostiary_store_pool_in_use",
         "ostiary_sessions_active", "ostiary_connections_open", "ostiary_connections_accepted_total",
         "ostiary_connections_refused_total", "ostiary_connections_timed_out_total", "ostiary_build_info"]
PROMTOOL = Path(__file__).resolve().parents[3] / "Scripts/promtool.sh"
KILLED = (OSError, http.client.HTTPException)


class Statistics:
    def __init__(self, nodes, checks):
        self.nodes, self.checks = nodes, checks
        self.apps = [App(node.wire, node.inbox, "vici") for node in nodes]
        self.expected = collections.Counter()

    @property
    def app(self):
        return self.apps[0]

    def stats(self, *arguments):
        done = self.nodes[0].command("stats", "--app", "vici", *arguments)
        if done.returncode != 0:
            raise RuntimeError(f"stats: {done.stderr}")
        return done.stdout

    def totals(self):
        return json.loads(self.stats("--json"))["totals"]

    def compare(self, name):
        totals = self.totals()
        self.checks.equal(f"{name}: attempts by outcome", dict(+self.expected), totals["outcomes"])
        ok, pending = self.expected["ok"], self.expected["challenge_required"]
        self.checks.equal(f"{name}: succeeded, failed and pending", (ok, self.expected.total() - ok - pending, pending),
                          (totals["succeeded"], totals["failed"], totals["pending"]))
        return totals

    def sign_in(self, person, node=0):
        answer = self.apps[node].call("login", person.credentials)
        self.expected[answer.json.get("code") or "ok"] += 1
        return answer

    def known_outcomes(self):
        app, checks = self.app, self.checks
        checks.equal("nothing is counted at first", 0, self.totals()["attempts"])
        people = [app.register() for _ in range(3)]
        for number in range(12):
            checks.equal("a sign-in", 200, self.sign_in(people[number % 3], number % len(self.nodes)).status)
        for _ in range(5):
            answer = app.call("login", people[0].with_password("not-the-password-1"))
            checks.equal("a wrong password", 401, answer.status)
            self.expected["wrong_credentials"] += 1
        for body in ({}, {"email": 7, "password": "x"}, {"email": people[0].credentials["email"]}):
            checks.equal("a malformed request", 400, app.call("login", body).status)
        checks.equal("a request that is no JSON", 400, app.call("login", body=b"{", content_type=JSON_TYPE).status)
        for person in people:
            person.access, person.refresh = app.refreshed(person.refresh)
        totals = self.compare("known outcomes")
        checks.equal("registrations are counted apart", 3, totals["registrations"])
        checks.equal("successful sign-ins by method", {"password": 12}, totals["methods"])
        checks.equal("active accounts", {"day": 3, "week": 3, "month": 3}, totals["active_accounts"])
        checks.equal("the rates", (round(12 / 17, 6), round(5 / 17, 6), 0),
                     (round(totals["success_rate"], 6), round(totals["failure_rate"], 6), totals["second_factor_share"]))

    def second_factor(self):
        app, checks = self.app, self.checks
        person = app.register()
        pending = app.wire.post("/api/auth/factors/totp", bearer=person.access).json
        authenticator = Authenticator(pending["otpauthUri"])
        confirmed = app.wire.post("/api/auth/factors/totp/confirm", {
            "factorId": pending["factorId"], "code": authenticator.code(), "name": "Phone"}, bearer=person.access)
        checks.equal("a factor is confirmed", 200, confirmed.status)
        challenge = self.sign_in(person).json["challenge_token"]
        wrong = app.wire.post("/api/auth/challenge", {"challengeToken": challenge, "answers": {"totp": "000000"}})
        checks.equal("a wrong code", 400, wrong.status)
        self.expected[wrong.json["code"]] += 1
        recovery = confirmed.json["recoveryCodes"][0]
        right = app.wire.post("/api/auth/challenge", {"challengeToken": challenge, "answers": {"recovery_code": recovery}})
        checks.equal("a recovery code", 200, right.status)
        self.expected["ok"] += 1
        totals = self.compare("a second factor")
        checks.equal("a sign-in with a second factor counts under its first method", {"password": self.expected["ok"]},
                     totals["methods"])
        checks.equal("the share of second factors", round(1 / self.expected["ok"], 6), round(totals["second_factor_share"], 6))

    def messages(self):
        app, checks = self.app, self.checks
        person = app.register()
        checks.equal("a reset is requested", 200, app.call("forgot", {"email": person.credentials["email"]}).status)
        app.inbox.wait("vici", person.credentials["email"])
        deadline = time.monotonic() + 10
        while not (found := {(m["channel"], m["outcome"]): m["count"] for m in self.totals()["messages"]}):
            if time.monotonic() > deadline:
                break
            time.sleep(0.05)
        checks.that("the message is counted", found.get(("email", "sent"), 0) >= 1, "at least 1", found)
        checks.that("none failed", ("email", "failed") not in found, "none", found)

    def deletion(self):
        person = self.app.register()
        before = self.totals()
        identity = person.user["id"]
        done = self.nodes[0].command("users", "delete", "--app", "vici", f"id:{identity}", "--yes")
        self.checks.equal("an account is deleted", 0, done.returncode)
        self.checks.equal("the statistics stay", before, self.totals())

    def printed(self):
        text = self.stats()
        for words in ("success rate", "failure rate", "ERROR CODE", "wrong_credentials", "METHOD", "password", "active accounts"):
            self.checks.that(f"the table shows {words}", words in text, words, text)
        self.checks.that("the table has sparklines", "█" in text, "█", text)
        hours = json.loads(self.stats("--since", "3h", "--json"))
        self.checks.equal("three hours are shown by hour", ("hour", 4), (hours["interval"], len(hours["items"])))
        for arguments in (["--since", "500d"], ["--since", "soon"], ["--app", "nowhere"]):
            done = self.nodes[0].command("stats", *(["--app", "vici"] if "--app" not in arguments else []), *arguments)
            self.checks.that(f"{arguments} is refused in a few words", done.returncode != 0 and done.stderr
                             and "rror: unexpected" not in done.stderr, "a refusal", done.stderr)

    def audited(self):
        """Returns the attempts in the audit log."""
        lines = self.nodes[0].command("audit", "--app", "vici", "--json").stdout.splitlines()
        return collections.Counter(event["outcome"] for event in map(json.loads, lines) if event.get("method"))

    def killed(self, round_number):
        """Signs in from several threads while a node is killed: each acknowledged attempt is counted once."""
        checks, people = self.checks, [self.app.register() for _ in range(4)]
        victim = len(self.nodes) - 1
        acknowledged, unanswered = [collections.Counter() for _ in people], [0 for _ in people]

        def work(index):
            mine = App(self.nodes[victim].wire, None, "vici")
            credentials = [people[index].credentials, people[index].with_password("not-the-password-2")]
            number = 0
            while True:
                number += 1
                unanswered[index] += 1
                try:
                    answer = mine.call("login", credentials[number % 2])
                except KILLED:
                    return
                unanswered[index] -= 1
                acknowledged[index][answer.json.get("code") or "ok"] += 1

        threads = [threading.Thread(target=work, args=(index,)) for index in range(len(people))]
        for thread in threads:
            thread.start()
        # From before the first run of the job that counts to after it: a start, and then every ten seconds.
        time.sleep([1, 10.5, 4][round_number % 3])
        self.nodes[victim].kill()
        for thread in threads:
            thread.join()
        self.nodes[victim].start()
        audited, totals = self.audited(), self.totals()
        checks.equal("the statistics are the audit log's attempts", dict(audited), totals["outcomes"])
        new = audited - self.expected
        told = sum(acknowledged, collections.Counter())
        checks.that("each acknowledged attempt is counted", all(new[code] >= told[code] for code in told), told, new)
        checks.that("no attempt is counted twice", new.total() - told.total() <= sum(unanswered),
                    f"at most {sum(unanswered)} more", new - told)
        print(f"killed after {told.total()} acknowledged attempts; {new.total()} counted", flush=True)
        self.expected = audited

    def metrics(self):
        checks, wire = self.checks, self.nodes[0].wire
        self.sign_in(self.app.register())
        deadline = time.monotonic() + 30
        while True:
            text = wire.get("/metrics").body.decode()
            typed = dict(re.findall(r"^# TYPE (\S+) (\S+)$", text, re.MULTILINE))
            # Second factors and messages have no series before the first; the kill restarted one node's counts.
            absent = [name for name in NAMES if name not in typed and name not in (
                "ostiary_second_factors_total", "ostiary_messages_total", "ostiary_refreshes_total")]
            if not absent or time.monotonic() > deadline:
                break
            time.sleep(0.2)
        checks.equal("every metric is there", [], absent)
        checks.that("sign-ins have their labels",
                    'ostiary_sign_ins_total{app="vici",method="password",outcome="ok"}' in text, "the series", text[:300])
        tool = subprocess.run([PROMTOOL, "check", "metrics"], input=text, capture_output=True, text=True, timeout=120)
        if tool.returncode == 69:
            checks.skip("promtool is not available")
        else:
            checks.equal("promtool finds nothing", (0, ""), (tool.returncode, tool.stdout + tool.stderr))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, help="path of the program `ostiary`")
    parser.add_argument("--rounds", type=int, default=2, help="how often a node is killed")
    options(parser)
    arguments = parser.parse_args()
    return needed(arguments, lambda: run(arguments))


def run(arguments):
    checks = Checks()
    configuration = development(vici=app("vici", second_factor={"policy": "optional"}))
    with Guard() as guard:
        if arguments.store == "postgres":
            store = {"store": Database(guard).url(), "encryption_key": encryption_key()}
            cluster = Cluster(arguments.program, guard, 2, lambda base: {"public_url": base} | configuration | store)
            nodes = cluster.start().nodes
        else:
            nodes = [Node(arguments.program, guard, "node", configuration)]
            nodes[0].start()
        statistics = Statistics(nodes, checks)
        checks.run("known outcomes", statistics.known_outcomes)
        checks.run("second factors", statistics.second_factor)
        checks.run("messages", statistics.messages)
        checks.run("the command", statistics.printed)
        checks.run("deletion", statistics.deletion)
        for number in range(arguments.rounds):
            checks.run(f"SIGKILL {number + 1}", lambda number=number: statistics.killed(number))
        checks.run("metrics", statistics.metrics)
        for node in nodes:
            checks.equal("SIGTERM ends it with exit status 0", 0, node.stop())
    return checks.close()


if __name__ == "__main__":
    sys.exit(main())
