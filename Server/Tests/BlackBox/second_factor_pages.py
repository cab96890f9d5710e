#!/usr/bin/env python3
"""Second factors and the account page of the built-in provider, in a real browser with a virtual authenticator.

  second_factor_pages.py --program PATH [--only SECTION …] [--pictures DIRECTORY]

The authenticator app is `pyotp`, which gets its key from the page's QR code by an independent reader. Whole sign-ins are made
with JavaScript and without. With --pictures, every page is stored, as by browser.py.
"""

import argparse
import sys
import time
from pathlib import Path

from browsing import accounts_page, attacks, passkeys, required, without_script
from browsing.looking import Looking
from checks import Checks
from server import development, serving

CLIENT_NAME = "Notes & Co"
SECTIONS = {
    "without JavaScript": without_script.run, "passkeys": passkeys.run, "account": accounts_page.run, "attacks": attacks.run,
    "German": accounts_page.in_german, "required": required.run,
}
# Sections with separate settings of the provider at /idp.
SETTINGS = {"required": {"second_factor": {"policy": "required", "remember_device_days": 30}}}


def configuration(port, settings):
    base = f"http://localhost:{port}"
    notes = {"name": CLIENT_NAME, "public": True, "redirect_uris": ["notes://oauth/callback"], "first_party": True}
    return development() | {
        # Browsers accept passkeys of `localhost`, and none of an IP address.
        "public_url": base, "trusted_proxies": ["127.0.0.1/32"],
        "idp": {"name": "Nordwind", "clients": {"notes": notes},
                "passkeys": {"rp_id": "localhost", "origins": [base], "apple_apps": ["A1B2C3D4E5.com.example.app"]}} | settings}


class Walk:
    """The dependencies of every section."""

    def __init__(self, server, checks, look):
        self.base, self.wire, self.inbox = f"http://localhost:{server.port}", server.wire, server.inbox
        self.checks, self.look, self.client_name = checks, look, CLIENT_NAME


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, help="path of the program `ostiary`")
    parser.add_argument("--pictures", type=Path, help="examine pages in all four ways, and keep pictures there")
    parser.add_argument("--only", nargs="+", choices=SECTIONS, default=list(SECTIONS), metavar="SECTION",
                        help=f"some of: {', '.join(SECTIONS)}")
    arguments = parser.parse_args()
    checks = Checks()
    look = Looking(checks, arguments.pictures)
    shared = [name for name in arguments.only if name not in SETTINGS]
    for names, settings in [(shared, {})] + [([name], SETTINGS[name]) for name in arguments.only if name in SETTINGS]:
        if names:
            with serving(arguments.program, lambda port: configuration(port, settings), checks) as server:
                sections(names, Walk(server, checks, look), server)
    return checks.close()


def sections(names, walk, server):
    checks = walk.checks
    for name in names:
        began = time.monotonic()
        checks.run(name, lambda: SECTIONS[name](walk))
        print(f"{name}: {time.monotonic() - began:.0f} s", flush=True)
    checks.section = "the log"
    log = server.log.read_bytes()
    for what, mark in (("password", b"-harbour"), ("code", b"code="), ("key", b"secret="), ("token", b"token=")):
        checks.that(f"no {what} is in the log", mark not in log, "none", "at least one")


if __name__ == "__main__":
    sys.exit(main())
