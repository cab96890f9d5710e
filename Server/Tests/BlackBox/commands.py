#!/usr/bin/env python3
"""The administration commands, with a server running on the data directory and without.

  commands.py --program PATH [--rows 20000]

Rows AD-07 (secrets), AD-08 (commands beside a server, kills) and AD-09 (hostile names). Prompts and progress are read
from a pseudo-terminal.
"""

import argparse
import contextlib
import sys
import tempfile
from pathlib import Path

from checks import Checks
from commandlines import accounts, exchange, passwords, running, viewvault
from commandlines.store import Store


@contextlib.contextmanager
def fresh(program, serving=False):
    """A separate store for one section."""
    with tempfile.TemporaryDirectory(prefix="ostiary-") as directory:
        store = Store(program, Path(directory))
        if serving:
            store.server.start()
        try:
            yield store
        finally:
            store.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, help="path of the program `ostiary`")
    parser.add_argument("--rows", type=int, default=20_000, help="how many accounts the large import has")
    arguments = parser.parse_args()
    checks = Checks()

    def section(name, work, serving=False):
        with fresh(arguments.program, serving) as store:
            checks.run(name, lambda: work(store))

    section("usage", lambda store: running.usage(store, checks))
    section("accounts without a server", lambda store: accounts.accounts(store, checks, online=False))
    section("accounts beside a server", lambda store: accounts.accounts(store, checks, online=True), serving=True)
    section("hostile names", lambda store: accounts.hostile_names(store, checks), serving=True)
    section("passwords", lambda store: passwords.passwords(store, checks), serving=True)
    section("keys", lambda store: running.keys(store, checks), serving=True)
    section("output that cannot be written", lambda store: running.full_output(store, checks), serving=True)
    section("following", lambda store: running.following(store, checks), serving=True)
    section("servers and commands", lambda store: running.beside(store, checks), serving=True)
    section("domains of Apple's platforms", lambda store: running.associations(store, checks))
    section("odd directories", lambda store: running.odd_directories(
        arguments.program, checks, store.server.directory))
    section("a large import", lambda store: viewvault.many(store, checks, arguments.rows))

    def sources(store):
        viewvault.odd_rows(store, checks)
        exchange.wrong_sources(store, checks)
        exchange.json_lines(store, checks)

    section("odd sources", sources, serving=True)

    def bars(store):
        store.server.directory.joinpath("out.jsonl").write_text('{"email": "one@example.com"}\n')
        exchange.progress(store, checks, arguments.rows // 2)

    section("progress", bars)
    return checks.close()


if __name__ == "__main__":
    sys.exit(main())
