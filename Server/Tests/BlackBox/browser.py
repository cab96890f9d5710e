#!/usr/bin/env python3
"""Signs in with a real browser: every hosted page, the redirects between them, and attacks by other sites.

  browser.py --program PATH [--only SECTION …] [--pictures DIRECTORY]

Controls headless Chromium by its own driver against the program in development mode, without other servers. With
--pictures, every page is stored as seen on a phone and on a desktop, in light and in dark mode.
"""

import argparse
import sys
import time
from pathlib import Path

from apps import App
from browsing import accounts, computation, factor_undo, forgery, keyboard, pages, social, timetracker
from browsing.looking import Looking
from checks import Checks
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from server import app, development, free_port, serving

CLIENT_NAME = "Notes & Co"
SECTIONS = {
    "timetracker": timetracker.run, "viewvault": social.run, "accounts": accounts.run, "pages": pages.run,
    "forgery": forgery.run, "framing": forgery.framing, "going back": forgery.going_back, "keyboard": keyboard.run,
    "computation": computation.run, "second factors": factor_undo.run, "confirmed registration": accounts.confirmed,
}
# Sections with separate settings of the provider at /idp. This colour is not legible on white, nor white on it.
PROVIDER_SETTINGS = {"confirmed registration": {"registration": "confirmed", "color": "#ffd400"}}


def choices():
    """Several providers of one app. All but the built-in one are at an address without a listener."""
    nowhere = f"http://127.0.0.1:{free_port()}"
    key = ec.generate_private_key(ec.SECP256R1()).private_bytes(
        Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
    return [
        {"kind": "builtin"},
        {"kind": "google", "client_id": "google-client", "client_secret": "g" * 32, "issuer": nowhere},
        {"kind": "apple", "client_id": "com.example.web", "team_id": "TEAM123456", "key_id": "KEY1234567",
         "private_key": key, "issuer": nowhere},
        {"kind": "github", "client_id": "github-client", "client_secret": "h" * 32, "endpoint": nowhere},
    ]


def configuration(**provider):
    several = app("timetracker", "choice", redirect_uris=["timetracker://oauth/callback"], identity=choices())
    notes = {
        "name": CLIENT_NAME, "public": True, "redirect_uris": ["notes://oauth/callback"],
        "post_logout_redirect_uris": ["notes://signed-out"]}
    apps = development(timetracker=app("timetracker"), viewvault=app("viewvault"), vici=app("vici"), choice=several)
    # Each browser states a different client address, so that browsers do not share rate limits.
    return apps | {"trusted_proxies": ["127.0.0.1/32"], "idp": {"clients": {"notes": notes}} | provider}


class Walk:
    """The dependencies of every section."""

    def __init__(self, server, checks, look):
        self.base, self.wire, self.inbox, self.checks, self.look = server.base, server.wire, server.inbox, checks, look
        self.choices, self.client_name = server.configuration["apps"]["choice"]["identity"], CLIENT_NAME
        self.apps = {name: App(self.wire, self.inbox, entry["contract"], name)
                     for name, entry in server.configuration["apps"].items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, help="path of the program `ostiary`")
    parser.add_argument("--pictures", type=Path, help="examine pages in all four ways, and keep pictures there")
    parser.add_argument("--only", nargs="+", choices=SECTIONS, default=list(SECTIONS), metavar="SECTION",
                        help=f"some of: {', '.join(SECTIONS)}")
    arguments = parser.parse_args()
    checks = Checks()
    look = Looking(checks, arguments.pictures)
    shared = [name for name in arguments.only if name not in PROVIDER_SETTINGS]
    for names, settings in [(shared, {})] + [([name], PROVIDER_SETTINGS[name]) for name in arguments.only
                                             if name in PROVIDER_SETTINGS]:
        if names:
            with serving(arguments.program, configuration(**settings), checks) as server:
                walk = Walk(server, checks, look)
                for name in names:
                    began = time.monotonic()
                    checks.run(name, lambda: SECTIONS[name](walk))
                    print(f"{name}: {time.monotonic() - began:.0f} s", flush=True)
                checks.section = "the log"
                for what, mark in (("password", b"-harbour"), ("code", b"code=")):
                    checks.that(f"no {what} is in the log", mark not in server.log.read_bytes(), "none", "at least one")
    return checks.close()


if __name__ == "__main__":
    sys.exit(main())
