#!/usr/bin/env python3
"""Nodes on one PostgreSQL are equal: a change at one node is visible at every other with the next request.

  nodes.py --program PATH [--only SECTION …]

Rows TK-19 (key rotation beside running nodes) and RL-08 (limits hold across nodes).
"""

import argparse
import contextlib
import json
import sys
import threading
import urllib.parse
from collections import Counter
from pathlib import Path

import tokens
from apps import App, new_email, new_number, new_password
from checks import Checks
from commandlines.store import eventually
from drills.cluster import Cluster, Database, Node, encryption_key, production
from drills.needing import needing
from drills.post import Post
from drills.stage import Inboxes
from peers import authority
from peers.guard import Guard
from peers.mock import MockPeer
from server import app, development
from upstreams import flow
from user_agent import Browser
from walks.vici import reset_token

SECRET = "nodes-secret-0123456789-abcdefghij"


class Wandering(Browser):
    """A browser that sends each request to another node, as behind a balancer without session affinity."""

    def __init__(self, nodes):
        super().__init__()
        self.nodes, self.count = [urllib.parse.urlsplit(node.base).netloc for node in nodes], 0

    def send(self, method, url, *more):
        parts = urllib.parse.urlsplit(url)
        if parts.netloc in self.nodes:
            self.count += 1
            url = parts._replace(netloc=self.nodes[self.count % len(self.nodes)]).geturl()
        return super().send(method, url, *more)


class Nodes:
    def __init__(self, program, guard, database, cluster, inbox, provider, checks):
        self.program, self.guard, self.database, self.checks = program, guard, database, checks
        self.cluster, self.nodes, self.inbox, self.provider = cluster, cluster.nodes, inbox, provider

    def app(self, name, node):
        """An app of the configuration, at one node."""
        return App(self.nodes[node].wire, self.inbox, self.nodes[node].configuration["apps"][name]["contract"], name)

    def both(self, name):
        return self.app(name, 0), self.app(name, 1)

    # Sections

    def sessions(self):
        for name in ("vici", "clarity", "barqnet"):
            one, other = self.both(name)
            person = one.register()
            bearer = {"bearer": person.access} if name != "vici" else {}
            self.checks.that(f"{name}: signed up at one, known at the other", other.accepts(person.access))
            access, refresh = other.refreshed(person.refresh)
            self.checks.equal(f"{name}: refreshed at one, replayed at the other", refresh, one.refreshed(person.refresh)[1])
            for turn in range(6):
                refresh = (one, other)[turn % 2].refreshed(refresh)[1]
            field = next(iter(one["logout"].fields))
            signed_out = one.call("logout", {field: refresh if name != "barqnet" else access}, **bearer)
            self.checks.equal(f"{name}: signed out at one", 200, signed_out.status)
            self.checks.that(f"{name}: the next request at the other is refused", not other.accepts(access))
            self.checks.equal(f"{name}: so is the next refresh", 401, other.refresh(refresh).status)

    def passwords(self):
        one, other = self.both("vici")
        person = one.register()
        email = person.credentials["email"]
        again = other.sign_in(person)
        one.call("forgot", {"email": email})
        renewed = new_password()
        answer = other.call("reset", {"token": reset_token(self.inbox.wait("vici", email)), "password": renewed})
        self.checks.equal("a reset asked for at one is done at the other", 200, answer.status)
        for each in (one, other):
            self.checks.that("every session is ended everywhere", not each.accepts(person.access)
                             and not each.accepts(again.access), "refused", "accepted")
            self.checks.equal("the new password", 200, each.call("login", person.with_password(renewed)).status)
            self.checks.equal("the old password", 401, each.call("login", person.credentials).status)

    def codes(self):
        one, other = self.both("barqnet")
        number = new_number()
        session, code = one.code_for(number)
        self.checks.equal("the minute between two codes holds at the other", 429,
                          other.call("send", {"phone_number": number}).status)
        self.checks.equal("a code sent by one is verified at the other", 200, other.call(
            "verify", {"phone_number": number, "otp": code, "session_id": session}).status)
        body = {"phone_number": number, "password": new_password(), "otp": code}
        self.checks.equal("and spent at the first", 201, one.call("register", body).status)
        self.checks.that("and is spent everywhere", other.call("register", body).status in (400, 409))
        number = new_number()
        session, code = one.code_for(number)
        proof = {"phone_number": number, "otp": f"{(int(code) + 1) % 10**6:06}", "session_id": session}
        for turn in range(5):
            (one, other)[turn % 2].call("verify", proof)
        for each in (one, other):
            self.checks.equal("five wrong guesses at both together are all", 400,
                              each.call("verify", proof | {"otp": code}).status)

    def commands(self):
        one, other = self.both("vici")
        person = one.register()
        who = person.credentials["email"]

        def command(node, *words):
            done = self.nodes[node].command(*words)
            self.checks.equal(" ".join(words[:2]), (0, ""), (done.returncode, done.stderr.strip()))
            return done.stdout

        command(1, "users", "roles", "--app", "vici", who, "--add", "admin")
        for each in (one, other):
            answer = each.wire.get("/verify?role=admin", bearer=person.access)
            self.checks.equal("a role holds everywhere at once", 200, answer.status)
        self.checks.that("a command sees what any node has made", who in command(0, "users", "list", "--app", "vici"))
        command(0, "users", "disable", "--app", "vici", who, "--yes")
        self.checks.that("a disabled account is refused everywhere at once", not one.accepts(person.access)
                         and not other.accepts(person.access), "refused", "accepted")

    def browsers(self):
        one, other = self.both("timetracker")
        self.provider.person("ada", email="ada@example.com")
        for begins, ends in ((one, other), (other, one)):
            answer = flow.redeem(ends, flow.arrive(begins, "ada"))
            if self.checks.equal("begun at one node, finished at another", 200, answer.status):
                self.checks.equal("me at the first", 200, begins.call("me", bearer=answer.json["access_token"]).status)
        for _ in range(4):
            browser = Wandering(self.nodes)
            page = flow.name_oneself(browser, browser.visit(flow.login(one)), "ada")
            arrived = flow.back(browser, page)
            self.checks.equal("every step at another node", 200, flow.redeem(other, arrived).status)
            self.checks.equal("code and state are spent at both", 400, flow.redeem(one, arrived).status)

    def built_in(self):
        one, other = self.both("tracker")
        browser = Wandering(self.nodes)
        person = {"email": new_email(), "password": new_password()}
        page = browser.visit(flow.login(one))
        link = next(url for url in page.links.values() if "/idp/register" in url)
        page = browser.visit(link)
        page = browser.submit(page, page.form("email", "password"), person | {"full_name": "Ada Lovelace"})
        answer = flow.redeem(other, flow.back(browser, page))
        self.checks.equal("the built-in provider's pages, each at another node", 200, answer.status)
        answer = flow.redeem(one, flow.back(browser, browser.visit(flow.login(other))))
        self.checks.equal("its session holds at every node", 200, answer.status)

    def keys(self):
        """TK-19"""
        one, other = self.both("clarity")
        person = one.register()
        for turn in range(3):
            held = [person, one.sign_in(person), other.sign_in(person)]
            rotated = self.nodes[turn % 2].command("keys", "rotate", "--app", "clarity", "--json")
            if not self.checks.equal("keys rotate", (0, ""), (rotated.returncode, rotated.stderr)):
                return
            newest = json.loads(rotated.stdout)[0]["kid"]
            # A running node learns of it within a minute, a starting one immediately.
            node = self.nodes[turn % 2]
            node.stop()
            node.start()
            fresh = (one, other)[turn % 2].sign_in(person)
            self.checks.equal("a node that starts signs with the new key", newest, tokens.parts(fresh.access)[0]["kid"])
            for each in (one, other):
                self.checks.that("a token of the new key is accepted everywhere at once", each.accepts(fresh.access))
                for before in held:
                    self.checks.that("tokens from before go on", each.accepts(before.access), "accepted", "refused")
                found = each.wire.get("/.well-known/jwks.json").json["keys"]
                self.checks.that("the new key is published everywhere", newest in {key["kid"] for key in found}, newest,
                                 [key["kid"] for key in found])
                self.checks.that("no private member is", not any({"d", "p", "q", "k"} & set(key) for key in found))
            if tokens.CAN_VERIFY_ES256:
                keys = (other, one)[turn % 2].wire.get("/.well-known/jwks.json").json["keys"]
                self.checks.that("its signature stands by what the other publishes", tokens.verifies_es256(fresh.access, keys))

    def limits(self):
        """RL-08"""
        for name, operation, allowed, body in (
                ("limited", "login", 5, {"email": new_email(), "password": new_password()}),
                ("limited", "forgot", 4, {"email": new_email()})):
            apps, answers = self.both(name), []
            threads = [threading.Thread(target=lambda each=apps[index % 2]: answers.append(each.call(operation, body)))
                       for index in range(40)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            counts = Counter(answer.status for answer in answers)
            self.checks.equal(f"{operation}: so many at both nodes together", allowed, 40 - counts[429])
            node = self.nodes[1]
            node.stop()
            node.start()
            self.checks.equal(f"{operation}: and after a restart", 429, apps[1].call(operation, body).status)

    def newcomers(self):
        """A node that has only the configuration, without local state."""
        one = self.app("clarity", 0)
        person = one.register()
        third = Node(self.program, self.guard, "newcomer", self.nodes[0].configuration)
        third.start()
        there = App(third.wire, self.inbox, "clarity")
        self.checks.that("a new node accepts every token at once", there.accepts(person.access))
        access, refresh = there.refreshed(person.refresh)
        third.kill()
        self.checks.that("what it gave out outlives it", one.accepts(access) and one.refresh(refresh).status == 200)

    def readiness(self):
        wires = [node.wire for node in self.nodes]
        postgres = self.database.primary
        postgres.stop("fast")
        self.checks.that("readyz says that the store is away", eventually(lambda: all(
            wire.get("/readyz").status == 503 for wire in wires), within=5), 503, [w.get("/readyz").status for w in wires])
        self.checks.equal("healthz says that the process lives", [200, 200], [w.get("/healthz").status for w in wires])
        postgres.start()
        self.checks.that("readyz says that it is back", eventually(lambda: all(
            wire.get("/readyz").status == 200 for wire in wires), within=5), 200, [w.get("/readyz").status for w in wires])


def sections(nodes):
    return {"sessions": nodes.sessions, "passwords": nodes.passwords, "codes": nodes.codes, "commands": nodes.commands,
            "browsers": nodes.browsers, "the built-in provider": nodes.built_in, "keys": nodes.keys,
            "limits": nodes.limits, "newcomers": nodes.newcomers, "readiness": nodes.readiness}


def delivery(program, guard, checks):
    """A message is sent once, by one node, regardless of the node at which it was queued."""
    database = Database(guard, name="delivery")
    with Post() as post:
        cluster = Cluster(program, guard, 3, lambda base: production(database.url(), base, post), names="sender").start()
        numbers = [new_number() for _ in range(60)]
        apps = [App(node.wire, post, "barqnet") for node in cluster.nodes]
        threads = [threading.Thread(target=apps[index % 3].call, args=("send", {"phone_number": number}))
                   for index, number in enumerate(numbers)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        eventually(lambda: all(post.messages(None, number) for number in numbers), within=15)
        counts = Counter(len(post.messages(None, number)) for number in numbers)
        checks.equal("60 messages queued at three nodes are sent once each", {1: 60}, dict(counts))
        cluster.stop(checks)


def encrypted(program, guard, checks):
    """TLS to the database, with and without a trusted certificate."""
    database = Database(guard, name="encrypted", tls=True)
    store = {"sslmode": "verify-full", "sslrootcert": database.primary.tls.authority}
    common = development(vici=app("vici")) | {"encryption_key": encryption_key()}
    good = Node(program, guard, "encrypted-node", common | {"store": database.url(**store)})
    good.start()
    used = database.sql("SELECT DISTINCT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE usename = 'ostiary'")
    checks.equal("every connection is encrypted", [["t"]], used)
    checks.equal("SIGTERM ends it with exit status 0", 0, good.stop())
    stranger = authority.make(Path(guard.directory) / "stranger")
    store["sslrootcert"] = stranger.authority
    bad = Node(program, guard, "distrustful", common | {"store": database.url(**store)})
    with contextlib.suppress(RuntimeError):
        bad.start()
    checks.that("a database with a stranger's certificate is not used", bad.process.poll() not in (None, 0), "an end",
                bad.process.poll())
    said = bad.log.read_text(errors="replace")
    checks.that("which is said", "certificate" in said, "certificate", said[-300:])
    checks.that("without the password", database.password not in said, "none", "the password")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, help="path of the program `ostiary`")
    parser.add_argument("--only", nargs="+", metavar="SECTION")
    arguments = parser.parse_args()
    checks = Checks()
    with Guard() as guard, MockPeer() as provider:
        database = Database(guard)
        limited = app("vici", "limited")
        limited["rate_limits"] |= {"sign_in": "10/1m", "reset": "4/1m"}
        apps = {name: app(name) for name in ("vici", "clarity", "barqnet")} | {
            "limited": limited, "timetracker": app("timetracker", identity=provider.identity("nodes", SECRET)),
            "tracker": app("timetracker", "tracker")}
        cluster = Cluster(arguments.program, guard, 2, lambda base: development(**apps) | {
            "public_url": base, "store": database.url(), "encryption_key": encryption_key()}).start()
        nodes = Nodes(arguments.program, guard, database, cluster, Inboxes(cluster.nodes), provider, checks)
        work = sections(nodes) | {
            "delivery": lambda: delivery(arguments.program, guard, checks),
            "encryption": lambda: encrypted(arguments.program, guard, checks)}
        for name, section in work.items():
            if not arguments.only or name in arguments.only:
                checks.run(name, section)
        checks.section = "the end"
        cluster.stop(checks)
    return checks.close()


if __name__ == "__main__":
    sys.exit(needing(main, "postgres"))
