#!/usr/bin/env python3
"""The operator's console in a real browser: the invitation, every page, actions, the keyboard, and attacks.

  console.py --program PATH [--only SECTION …] [--pictures DIRECTORY]

The console is on the admin listener, at another port than the provider that signs administrators in. With --pictures,
every page is stored as seen on a phone and on a desktop, in light and in dark mode.
"""

import argparse
import re
import sys
import time
from pathlib import Path

from apps import App, new_email, new_password
from browsing import console_actions, console_attacks, console_pages
from browsing.looking import Looking
from checks import Checks
from server import app, development, free_port, serving

# First names of people; with the hostile ones last, so that a search by name finds others first.
NAMES = ["Ada Lovelace", "Grace Hopper", "Katherine Johnson", "Barbara Liskov", "Radia Perlman", "Frances Allen",
         "Margaret Hamilton", "Karen Spärck Jones", "Sophie Wilson", "Shafi Goldwasser"]
HOSTILE = ["<script>document.title='owned'</script>", "\"><img src=x onerror=document.title='owned'>"]
SECTIONS = {
    "invitation": console_pages.invitation, "pages": console_pages.run, "German": console_pages.in_german,
    "keyboard": console_pages.keyboard, "without JavaScript": console_pages.without_script,
    "people": console_actions.people, "roles and keys": console_actions.roles_and_keys,
    "step-up": console_actions.step_up, "last administrator": console_actions.last_administrator,
    "attacks": console_attacks.run, "role loss": console_attacks.role_loss,
}


def configuration(port):
    return development(vici=app("vici"), timetracker=app("timetracker")) | {
        "trusted_proxies": ["127.0.0.1/32"], "admin": {"listen": f"127.0.0.1:{free_port()}"}, "idp": {"name": "Nordwind"}}


class Walk:
    """The dependencies of every section."""

    def __init__(self, server, checks, look):
        self.server, self.base, self.wire, self.inbox = server, server.base, server.wire, server.inbox
        self.checks, self.look = checks, look
        self.admin = f"http://{server.configuration['admin']['listen']}"
        self.vici = App(self.wire, self.inbox, "vici", "vici")

    def invite(self, email=None):
        """Invites an administrator; returns the address and the link that sets a password."""
        email = email or new_email()
        told = self.server.command("admin", "invite", email)
        link = re.search(r"http://\S*/idp/reset-password\?token=\S+", told.stdout)
        if told.returncode or not link:
            raise RuntimeError(f"admin invite ended with {told.returncode}: {told.stdout}{told.stderr}")
        return email, link[0]

    def create(self, name, email=None, *more):
        """Creates an account of vici; returns its address and its id."""
        email = email or new_email()
        told = self.server.command("users", "create", "--app", "vici", "--email", email, "--name", name, "--json", *more)
        if told.returncode:
            raise RuntimeError(f"users create ended with {told.returncode}: {told.stderr}")
        return email, re.search(r'"id" *: *"?([^",]+)', told.stdout)[1]


def fill(walk, names=tuple(NAMES + HOSTILE)):
    """People, sign-ins that succeed and that fail, so that pages have something to show."""
    for name in names:
        walk.create(name)
    for number in range(8):
        person = walk.vici.register()
        for _ in range(number % 3 + 1):
            walk.vici.sign_in(person)
        if number % 2:
            walk.vici.call("login", person.with_password(new_password()))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, help="path of the program `ostiary`")
    parser.add_argument("--pictures", type=Path, help="examine pages in all four ways, and keep pictures there")
    parser.add_argument("--only", nargs="+", choices=SECTIONS, default=list(SECTIONS), metavar="SECTION",
                        help=f"some of: {', '.join(SECTIONS)}")
    arguments = parser.parse_args()
    checks = Checks()
    with serving(arguments.program, configuration, checks) as server:
        walk = Walk(server, checks, Looking(checks, arguments.pictures))
        checks.run("preparation", lambda: fill(walk))
        for name in arguments.only:
            began = time.monotonic()
            checks.run(name, lambda: SECTIONS[name](walk))
            print(f"{name}: {time.monotonic() - began:.0f} s", flush=True)
        checks.section = "the log"
        log = server.log.read_bytes()
        for what, mark in (("password", b"-harbour"), ("code", b"code="), ("token", b"token="), ("search", b"q=")):
            checks.that(f"no {what} is in the log", mark not in log, "none", "at least one")
    return checks.close()


if __name__ == "__main__":
    sys.exit(main())
