#!/usr/bin/env python3
"""Runs every black-box check against one program, one after the other, and adds up.

  run.py --program PATH
"""

import argparse
import re
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
CHECKS = [
    ("bad_configurations.py",),
    ("walk.py",),
    ("upstream.py",),
    ("commands.py",),
    ("pins.py",),
    ("browser_login.py",),
    ("client_commands.py",),
    ("races.py", "--rounds", "3"),
    ("signing.py",),
    ("forward_auth.py",),
    ("browser.py",),
    ("durability.py", "--rounds", "50"),
]
CLOSING = re.compile(r"^(\d+) passed, (\d+) failed$", re.MULTILINE)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    program = parser.parse_args().program
    passed = failed = 0
    for script, *arguments in CHECKS:
        start = time.monotonic()
        run = subprocess.run(
            [sys.executable, HERE / script, "--program", program, *arguments], stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True)
        closing = CLOSING.findall(run.stdout)
        # A check that ends without its closing line has not checked.
        good, bad = map(int, closing[-1]) if closing else (0, 1)
        if run.returncode != 0 and bad == 0:
            bad = 1
        passed, failed = passed + good, failed + bad
        print(f"{script}: {good} passed, {bad} failed, {time.monotonic() - start:.0f} s", flush=True)
        if bad:
            print(run.stdout, flush=True)
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
