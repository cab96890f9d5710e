#!/usr/bin/env python3
"""Runs every black-box check against one program, and adds up the results.

  run.py --program PATH [--drills]

Most checks run three at a time, because they wait for browsers and retries most of the time. Those that fill the machine, or that
compare durations, run one after the other at the end.
"""

import argparse
import concurrent.futures
import os
import queue
import re
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
# The sections of the walk that depend on the store.
STORED = ["operations", "vici", "clarity", "barqnet", "viewvault", "timetracker", "passwords", "roles", "theft",
          "session lifetimes"]
# The longest first, so that none of them is left alone at the end.
TOGETHER = [
    ("browser.py",),
    ("second_factor_pages.py",),
    ("postgres_faults.py", "--rounds", "1"),
    ("console.py",),
    ("walk.py",),
    ("upstream.py",),
    ("commands.py",),
    ("walk.py", "--renamed"),
    ("import_users.py",),
    ("postgres_serving.py",),
    ("admin_api.py",),
    ("operations.py",),
    ("events.py",),
    ("events.py", "--store", "postgres", "--rounds", "2"),
    ("walk.py", "--store", "postgres", "--pooled", "--only", *STORED),
    ("bad_configurations.py",),
    ("first_run.py",),
    ("pins.py",),
    ("browser_login.py",),
    ("client_commands.py",),
    ("signing.py",),
    ("dpop.py",),
    ("second_factors.py",),
    ("factor_policies.py",),
    ("permissions.py",),
    ("attributes.py",),
    ("administration.py",),
    ("remote_administration.py",),
    ("compromised_passwords.py",),
    ("passkeys.py",),
    ("app_attest.py",),
    ("move_factors.py",),
    ("accounts.py",),
    ("readers.py",),
    ("forward_auth.py",),
    ("origins.py",),
    ("reverse_proxies.py",),
    ("dpop.py", "--store", "postgres", "--nodes", "2"),
    ("store_copy.py",),
    ("backup.py",),
    ("reload.py",),
    ("doctor.py",),
    ("incidents.py",),
    ("key_rotation.py",),
    ("key_rotation.py", "--store", "postgres"),
    ("upgrades.py",),
    ("full_disk.py", "--store", "postgres"),
    ("observability.py",),
    ("hooks.py",),
    ("shutdown.py",),
]
ALONE = [
    ("risk.py",),
    ("risk.py", "--store", "postgres"),
    ("passkey_accounts.py",),
    ("races.py", "--rounds", "3"),
    ("limits.py",),
    ("sign_in_statistics.py", "--rounds", "2"),
    ("front.py",),
    ("full_disk.py",),
    ("overload.py",),
    ("durability.py", "--rounds", "15"),
    ("races.py", "--store", "postgres", "--nodes", "2", "--rounds", "1"),
    ("durability.py", "--store", "postgres", "--rounds", "8"),
    ("sign_in_statistics.py", "--store", "postgres", "--rounds", "1"),
    ("nodes.py",),
    ("migrations.py", "--rounds", "3"),
    ("failover.py", "--rounds", "2", "--late", "0"),
    ("postgres_restarts.py", "--rounds", "4", "--outage", "5", "--late", "0"),
]
# The checks that take hours: the same with the full numbers of rounds.
DRILLS = [
    *((script, "--pictures", str(HERE / ".screenshots")) for script in ("browser.py", "second_factor_pages.py", "console.py")),
    ("overload.py", "--seconds", "60", "--sockets", "10000"),
    ("failover.py", "--rounds", "20"),
    ("postgres_restarts.py", "--rounds", "50"),
    ("postgres_faults.py", "--rounds", "3"),
    ("migrations.py", "--rounds", "40"),
    ("durability.py", "--rounds", "200"),
    ("durability.py", "--store", "postgres", "--rounds", "200"),
    ("races.py", "--store", "postgres", "--nodes", "2", "--rounds", "1000"),
]
CLOSING = re.compile(r"^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$", re.MULTILINE)
# The time limit of a script in seconds: several times the duration of the slowest.
LONGEST = 1200
# How many checks run at the same time, each with a range of ports.
LANES = ["20000-23999", "24000-27999", "28000-31999"]


def outcome(command, longest, ports):
    """Returns its exit status and output; for one that does not end within `longest` seconds, the output until then."""
    try:
        run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=longest,
                             env=os.environ | {"CHECK_PORTS": ports})
        return run.returncode, run.stdout
    except subprocess.TimeoutExpired as expiry:
        said = (expiry.stdout or b"").decode(errors="replace")
        return 1, f"{said}\nnot done within {longest} s"


class Results:
    def __init__(self, program, longest):
        self.program, self.longest = program, longest
        self.passed = self.failed = self.skipped = 0
        self.failures = []
        self.lanes = queue.SimpleQueue()
        for ports in LANES:
            self.lanes.put(ports)

    def run(self, checks, at_once):
        """Runs checks and prints the result of each when it ends."""
        with concurrent.futures.ThreadPoolExecutor(at_once) as pool:
            for result in concurrent.futures.as_completed([pool.submit(self.check, *check) for check in checks]):
                self.add(*result.result())

    def check(self, script, *arguments):
        ports = self.lanes.get()
        start = time.monotonic()
        status, output = outcome([sys.executable, HERE / script, "--program", self.program, *arguments],
                                 self.longest, ports)
        self.lanes.put(ports)
        return " ".join([script, *arguments]), status, output, time.monotonic() - start

    def add(self, name, status, output, seconds):
        closing = CLOSING.findall(output)
        # A check that ends without its closing line counts as failed.
        good, bad, left = (int(number or 0) for number in closing[-1]) if closing else (0, 1, 0)
        if status != 0 and bad == 0:
            bad = 1
        self.passed, self.failed, self.skipped = self.passed + good, self.failed + bad, self.skipped + left
        print(f"{name}: {good} passed, {bad} failed, {seconds:.0f} s", flush=True)
        if bad or left:
            print(output, flush=True)
        if bad:
            lines = [line for line in output.splitlines() if line.startswith("FAIL")] or output.splitlines()[-3:]
            self.failures += [f"{name}: {line}" for line in lines]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--drills", action="store_true", help="what takes hours, instead")
    options = parser.parse_args()
    results = Results(options.program, None if options.drills else LONGEST)
    if options.drills:
        results.run(DRILLS, 1)
    else:
        results.run(TOGETHER, len(LANES))
        results.run(ALONE, 1)
    # Once more at the end, where they are found in a long output.
    print(*results.failures, sep="\n", end="\n" if results.failures else "")
    print(f"{results.passed} passed, {results.failed} failed" + (f", {results.skipped} skipped" if results.skipped else ""))
    sys.exit(1 if results.failed else 0)


if __name__ == "__main__":
    main()
