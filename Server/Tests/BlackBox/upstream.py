#!/usr/bin/env python3
"""Signs in through external implementations of identity providers, on loopback: in the browser, natively, and with passwords that
Cognito checks; and makes those providers fail and send false data.

  upstream.py --program PATH [--only SECTION …]

Needs the packages of Scripts/requirements.txt: the providers are `oidc-provider-mock`, Authlib's server parts and
`moto`, the clients of the built-in provider are Authlib and idpyoidc.
"""

import argparse
import contextlib
import ipaddress
import os
import sys
import tempfile
import warnings
from pathlib import Path

warnings.filterwarnings("ignore", category=DeprecationWarning)
os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"

from apps import App  # noqa: E402
from user_agent import Browser  # noqa: E402
from checks import Checks  # noqa: E402
from peers.cognito import CognitoProxy, Moto  # noqa: E402
from peers.mock import MockPeer  # noqa: E402
from peers.openid import OpenIDPeer, Paths  # noqa: E402
from peers.social import ApplePeer, GitHubPeer, GooglePeer  # noqa: E402
from server import development, serving  # noqa: E402
from server import app as entry  # noqa: E402
from upstreams import (  # noqa: E402
    auth0, builtin, choosing, cognito, hanging, misbehaving, native, restarts, social, timetracker, tls,
    without_cognito)
from upstreams.builtin.provider import clients  # noqa: E402

SHORT = 2
MOCK_SECRET = "mock-secret-0123456789-abcdefghij"


class RecordedApp(App):
    """An app that records its answers, which are searched for secrets."""

    def __init__(self, server, contract, name):
        super().__init__(server.wire, server.inbox, contract, name)
        self.answers, send = [], self.wire.send

        def recorded(*arguments, **more):
            answer = send(*arguments, **more)
            self.answers.append(answer)
            return answer

        self.wire.send = recorded


class World:
    """One server with an app for each purpose, and the peers that they use."""

    def __init__(self, program, checks, stack):
        self.program, self.checks, self.stack = program, checks, stack
        enter = stack.enter_context
        self.mock = enter(MockPeer())
        self.authlib, self.trap, self.second = (enter(OpenIDPeer()) for _ in range(3))
        self.liar = enter(OpenIDPeer())
        self.slow = [enter(OpenIDPeer()) for _ in range(7)]
        self.auth0 = enter(OpenIDPeer(Paths("/authorize", "/oauth/token", "/.well-known/jwks.json"), slash=True))
        self.google, self.apple, self.github = enter(GooglePeer()), enter(ApplePeer()), enter(GitHubPeer())
        self.moto = enter(Moto(Path(enter(tempfile.TemporaryDirectory(prefix="ostiary-moto-"))) / "log"))
        self.pool = self.moto.pool(by_email=True)
        self.cognito = enter(CognitoProxy(self.pool))
        self.clients = clients()
        entries = self.entries()
        # Each browser has its own client address, so that browsers do not share rate limits.
        Browser.addresses = map(str, ipaddress.ip_network("10.0.0.0/8").hosts())
        configuration = development(**entries) | {
            "trusted_proxies": ["127.0.0.1/32"], "log": {"level": "trace"}, "idp": {"clients": self.clients}}
        self.server = enter(serving(program, configuration, checks))
        self.apps = {name: RecordedApp(self.server, settings["contract"], name) for name, settings in entries.items()}
        for peer, names in self.users.items():
            peer.client.redirect_uris += [f"{self.apps[name].wire.base}/auth/callback" for name in names]
        for name, peer in (("one", self.authlib), ("two", self.second)):
            peer.client.redirect_uris.append(f"{self.apps['choice'].wire.base}/auth/providers/{name}/callback")
        for name, peer in (("google", self.google), ("apple", self.apple)):
            peer.client.redirect_uris.append(social.callback(self.apps["social"], name))
        self.auth0.client.redirect_uris.append(auth0.CALLBACK)

    def entries(self):
        """The configuration's apps by name."""
        def tracker(name, identity, **more):
            return entry("timetracker", name, identity=identity, **more)

        self.users = {self.authlib: ["authlib", "short"], self.liar: ["misled", *misbehaving.apps_needed()]}
        self.users |= {peer: [f"slow-{number}"] for number, peer in enumerate(self.slow)}
        apps = {
            "mock": tracker("mock", self.mock.identity("mock-client", MOCK_SECRET)),
            "authlib": tracker("authlib", self.authlib.identity()),
            "short": tracker("short", self.authlib.identity(), browser={"lifetime": SHORT}),
            "choice": tracker("choice", [self.authlib.identity() | {"name": "one", "title": "First"},
                                         self.second.identity() | {"name": "two", "title": "Second"}]),
            "social": entry("vici", "social", redirect_uris=[social.CALLBACK], identity=[
                {"kind": "local"}, self.google.identity(), self.apple.identity(), self.github.identity()]),
            "viewvault": entry("viewvault", identity={
                "kind": "auth0", "domain": self.auth0.base, "client_id": self.auth0.client.id,
                "client_secret": self.auth0.client.secret, "audience": "https://api.example.com"}),
            "clarity": entry("clarity", identity=self.pool.identity(self.cognito.base)),
        }
        apps |= {name: tracker(name, self.liar.identity()) for name in self.users[self.liar]}
        return apps | {f"slow-{number}": tracker(f"slow-{number}", peer.identity())
                       for number, peer in enumerate(self.slow)}

    def traffic(self):
        """Returns every byte that the server has sent so far: headers and bodies."""
        answers = [answer for app in self.apps.values() for answer in app.answers]
        answers += [answer for url, answer in Browser.everything if url.startswith(self.server.base)]
        return b"\n".join(
            b"\n".join([f"{name}: {value}".encode() for name, value in answer.headers] + [answer.body])
            for answer in answers)

    def stored(self):
        """Returns every byte of the data directory."""
        return b"\n".join(path.read_bytes() for path in self.server.data.rglob("*") if path.is_file())


def people_of(peer):
    """Creates users at an Authlib peer as at the mock."""
    def person(sub, **claims):
        peer.people[sub] = claims
    return person


def slow_apps(world):
    return [(world.apps[f"slow-{number}"], peer) for number, peer in enumerate(world.slow)]


SECTIONS = {
    "oidc-provider-mock": lambda world: timetracker.run(
        world, world.apps["mock"], world.mock, world.mock.person, MOCK_SECRET),
    "authlib": lambda world: timetracker.run(
        world, world.apps["authlib"], world.authlib, people_of(world.authlib), world.authlib.client.secret),
    "expired": lambda world: timetracker.expired(
        world.apps["short"], world.checks, world.authlib, people_of(world.authlib), SHORT),
    "choosing": lambda world: choosing.run(world, world.apps["choice"], {"one": world.authlib, "two": world.second}),
    "auth0": lambda world: auth0.run(world, world.apps["viewvault"], world.auth0),
    "native": lambda world: native.run(world.apps["social"], world.checks, world.google, world.apple, world.github),
    "social": lambda world: social.run(world, world.apps["social"], world.google, world.apple, world.github),
    "cognito": lambda world: cognito.run(world, world.apps["clarity"], world.cognito),
    "built-in": lambda world: builtin.run(world, world.clients),
    "misbehaving": lambda world: misbehaving.run(world, world.liar, world.trap, slow_apps(world)[6]),
    "hanging": lambda world: hanging.run(
        world.checks, slow_apps(world)[:6], (world.apps["social"].register(), world.apps["social"])),
    "restarts": lambda world: restarts.run(world.program, world.checks),
    "tls": lambda world: tls.run(world.program, world.checks),
    "cognito is away": lambda world: without_cognito.unreachable(world.program, world.checks),
    "auth0 is not there": lambda world: auth0.in_production(world.program, world.checks),
    "leaving cognito": lambda world: without_cognito.leaving(world.program, world.checks),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, help="path of the program `ostiary`")
    parser.add_argument("--only", nargs="+", choices=SECTIONS, default=list(SECTIONS), metavar="SECTION",
                        help=f"some of: {', '.join(SECTIONS)}")
    arguments = parser.parse_args()
    checks = Checks()
    with contextlib.ExitStack() as stack:
        world = World(arguments.program, checks, stack)
        for name in arguments.only:
            checks.run(name, lambda: SECTIONS[name](world))
            checks.run(f"health after {name}", lambda: checks.equal(
                "GET /healthz", 200, world.server.wire.get("/healthz").status))
        checks.section = "the end"
        log = world.server.log.read_bytes()
        for what, mark in (("token", b"eyJ"), ("password", b"-harbour"), ("password", b"-Harbour!")):
            checks.that(f"no {what} is in the log", mark not in log, "none", "at least one")
    return checks.close()


if __name__ == "__main__":
    sys.exit(main())
