#!/usr/bin/env python3
"""Runs every black-box check against one program, one after the other, and adds up the results.

  run.py --program PATH [--drills]
"""

import argparse
import re
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
# The sections of the walk that depend on the store.
STORED = ["operations", "vici", "clarity", "barqnet", "viewvault", "timetracker", "passwords", "roles", "theft",
          "session lifetimes"]
CHECKS = [
    ("bad_configurations.py",),
    ("first_run.py",),
    ("walk.py",),
    ("walk.py", "--renamed"),
    ("upstream.py",),
    ("commands.py",),
    ("import_users.py",),
    ("pins.py",),
    ("browser_login.py",),
    ("client_commands.py",),
    ("races.py", "--rounds", "3"),
    ("signing.py",),
    ("dpop.py",),
    ("second_factors.py",),
    ("factor_policies.py",),
    ("permissions.py",),
    ("attributes.py",),
    ("administration.py",),
    ("admin_api.py",),
    ("events.py",),
    ("hooks.py",),
    ("remote_administration.py",),
    ("compromised_passwords.py",),
    ("risk.py",),
    ("passkeys.py",),
    ("app_attest.py",),
    ("move_factors.py",),
    ("passkey_accounts.py",),
    ("accounts.py",),
    ("readers.py",),
    ("limits.py",),
    ("sign_in_statistics.py", "--rounds", "2"),
    ("forward_auth.py",),
    ("front.py",),
    ("shutdown.py",),
    ("full_disk.py",),
    ("browser.py",),
    ("second_factor_pages.py",),
    ("console.py",),
    ("durability.py", "--rounds", "15"),
    ("walk.py", "--store", "postgres", "--pooled", "--only", *STORED),
    ("races.py", "--store", "postgres", "--nodes", "2", "--rounds", "1"),
    ("dpop.py", "--store", "postgres", "--nodes", "2"),
    ("durability.py", "--store", "postgres", "--rounds", "8"),
    ("sign_in_statistics.py", "--store", "postgres", "--rounds", "1"),
    ("postgres_serving.py",),
    ("events.py", "--store", "postgres", "--rounds", "2"),
    ("risk.py", "--store", "postgres"),
    ("store_copy.py",),
    ("backup.py",),
    ("key_rotation.py",),
    ("key_rotation.py", "--store", "postgres"),
    ("nodes.py",),
    ("operations.py",),
    ("migrations.py", "--rounds", "3"),
    ("failover.py", "--rounds", "2", "--late", "0"),
    ("postgres_restarts.py", "--rounds", "4", "--outage", "5", "--late", "0"),
    ("postgres_faults.py", "--rounds", "1"),
]
# The checks that take hours: the same with the full numbers of rounds.
DRILLS = [
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


def outcome(command, longest):
    """Returns its exit status and output; for one that does not end within `longest` seconds, the output until then."""
    try:
        run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=longest)
        return run.returncode, run.stdout
    except subprocess.TimeoutExpired as expiry:
        said = (expiry.stdout or b"").decode(errors="replace")
        return 1, f"{said}\nnot done within {longest} s"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--drills", action="store_true", help="what takes hours, instead")
    options = parser.parse_args()
    program = options.program
    passed = failed = skipped = 0
    for script, *arguments in DRILLS if options.drills else CHECKS:
        start = time.monotonic()
        status, output = outcome([sys.executable, HERE / script, "--program", program, *arguments],
                                 None if options.drills else LONGEST)
        closing = CLOSING.findall(output)
        # A check that ends without its closing line counts as failed.
        good, bad, left = (int(number or 0) for number in closing[-1]) if closing else (0, 1, 0)
        if status != 0 and bad == 0:
            bad = 1
        passed, failed, skipped = passed + good, failed + bad, skipped + left
        name = " ".join([script, *arguments])
        print(f"{name}: {good} passed, {bad} failed, {time.monotonic() - start:.0f} s", flush=True)
        if bad or left:
            print(output, flush=True)
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
