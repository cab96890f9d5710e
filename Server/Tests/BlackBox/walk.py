#!/usr/bin/env python3
"""Sends every documented request of a server and compares the answers with the contracts, field by field.

  walk.py --program PATH   starts the program itself, with five apps and three short-lived variants; on PostgreSQL with
                           --store postgres, through PgBouncer with --pooled; with --renamed, every preset is a JSON file
                           with another name
  walk.py --base URL       walks a server that already runs in development mode without rate limits that matter;
                           what needs the program or a variant is then named as not checked
"""

import argparse
import contextlib
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from apps import App
from checks import Checks
from contracts import CONTRACTS
from drills.stage import needed, options, standing
from server import Inbox, app, development
from walks import barqnet, clarity, operations, passwords, refusals, roles, sessions, timetracker, vici, viewvault
from wire import Wire

WINDOW = 1
VARIANTS = {
    "vici-short": app("vici", "vici-short", tokens={"replay_window": WINDOW}),
    "barqnet-short": app("barqnet", "barqnet-short", codes={"resend_after": 1, "lifetime": 3}),
    "clarity-short": app("clarity", "clarity-short", tokens={"access": 1, "refresh_short": 2}),
}
SECTIONS = {
    "operations": operations.run, "vici": vici.run, "clarity": clarity.run, "barqnet": barqnet.run,
    "viewvault": viewvault.run, "timetracker": timetracker.run, "passwords": passwords.run, "roles": roles.run,
    "theft": lambda walk: sessions.theft(walk.apps["vici-short"], walk.checks, WINDOW),
    "code lifetimes": lambda walk: barqnet.short_lived(walk.apps["barqnet-short"], walk.checks),
    "session lifetimes": lambda walk: clarity.lifetimes(walk.apps["clarity-short"], walk.checks),
    "refusals": refusals.run,
}
NEED_VARIANTS = {"theft", "code lifetimes", "session lifetimes"}


class Walk:
    """The dependencies of every section: the checks, the apps, the inbox, and the server if this script started it."""

    def __init__(self, base, checks, server=None):
        self.wire, self.checks, self.server = Wire(base), checks, server
        self.inbox = Inbox(self.wire)
        self.apps = {name: App(self.wire, self.inbox, name) for name in CONTRACTS}
        self.apps |= {name: App(self.wire, self.inbox, entry["contract"], name) for name, entry in VARIANTS.items()}

    def skipped(self, what):
        print(f"not checked: {what}")

    def run(self, sections):
        for name in sections:
            if name in NEED_VARIANTS and not self.server:
                self.skipped(f"{name}, which needs --program")
                continue
            self.checks.run(name, lambda: SECTIONS[name](self))
            self.checks.run(f"health after {name}", lambda: self.checks.equal(
                "GET /healthz", 200, self.wire.get("/healthz").status))


def renamed(program, apps, directory):
    """The apps with an exported JSON file of another name in the place of each preset."""
    for preset in CONTRACTS:
        shown = subprocess.run([program, "contract", "show", preset], capture_output=True, check=True, timeout=30)
        (directory / f"{preset}.json").write_text(json.dumps(json.loads(shown.stdout) | {"name": f"renamed-{preset}"}))
    return {name: entry | {"contract": str(directory / f"{entry['contract']}.json")} for name, entry in apps.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--base", help="URL of a running server")
    where.add_argument("--program", help="path of the program `ostiary`")
    parser.add_argument("--only", nargs="+", choices=SECTIONS, default=list(SECTIONS), metavar="SECTION",
                        help=f"some of: {', '.join(SECTIONS)}")
    parser.add_argument("--renamed", action="store_true",
                        help="serve every preset as a JSON file with another name, with --program")
    options(parser, pooled=True)
    arguments = parser.parse_args()
    return needed(arguments, lambda: walk(arguments))


def walk(arguments):
    checks = Checks()
    with contextlib.ExitStack() as stack:
        server = None
        if arguments.program:
            configuration = development(**{name: app(name) for name in CONTRACTS}, **VARIANTS)
            if arguments.renamed:
                directory = stack.enter_context(tempfile.TemporaryDirectory(prefix="ostiary-contracts-"))
                configuration["apps"] = renamed(arguments.program, configuration["apps"], Path(directory))
            configuration["log"] = {"level": "trace"}
            [server] = stack.enter_context(standing(arguments.program, configuration, checks, arguments))
        Walk(server.base if server else arguments.base, checks, server).run(arguments.only)
        checks.section = "the end"
        if server:
            for what, mark in (("token", b"eyJ"), ("password", b"-harbour")):
                checks.that(f"no {what} is in the log", mark not in server.log.read_bytes(), "none", "at least one")
    return checks.close()


if __name__ == "__main__":
    sys.exit(main())
