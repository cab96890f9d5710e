#!/usr/bin/env python3
"""Serves vici without rate limits on a free port, and runs the client's benchmark against it: client.py BENCH_CLIENT [PROGRAM]."""

import subprocess
import sys
import tempfile
from pathlib import Path

from programs import CONFIGURATION, OSTIARY, ostiary


def main():
    bench, program = Path(sys.argv[1]).resolve(), Path(sys.argv[2] if len(sys.argv) > 2 else OSTIARY)
    with tempfile.TemporaryDirectory(prefix="ostiary-client-") as directory:
        server = ostiary(Path(directory) / "data", CONFIGURATION | {"apps": {"vici": CONFIGURATION["apps"]["vici"]}}, program)
        try:
            sessions = Path(directory) / "sessions"
            sessions.mkdir(mode=0o700)
            return subprocess.run([bench, f"http://127.0.0.1:{server.port}/vici", sessions]).returncode
        finally:
            server.stop()


if __name__ == "__main__":
    sys.exit(main())
