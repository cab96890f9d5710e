#!/usr/bin/env python3
"""Runs the examples of pages, those of a page in order and in one shell, against a server started as `make run` starts it.

  readme_examples.py PAGE … --program PATH

An example is a ```sh block right after the comment `<!-- example: NAME -->`. If the next block after it is ```json or
```text, the example's output must be that, where `…` stands for anything. `127.0.0.1:3001` and `localhost:3001` are the
server; its port is a free one here. `ostiary` is the program. A command that fails fails its example.
"""

import argparse
import json
import os
import queue
import re
import secrets
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path

from checks import Checks
from server import clean_environment, serving

MARK = re.compile(r"<!--\s*example:\s*(.+?)\s*-->\s*\Z")
FENCE = re.compile(r"^ {0,3}```(\w*)[^\n]*\n(.*?)^ {0,3}```[ \t]*$", re.MULTILINE | re.DOTALL)


@dataclass
class Example:
    name: str
    commands: str
    kind: str | None
    expected: str | None


def examples(text):
    """The examples of a page, in order."""
    fences = list(FENCE.finditer(text))
    found = []
    for index, fence in enumerate(fences):
        before = text[fences[index - 1].end() if index else 0:fence.start()]
        mark = MARK.search(before)
        if mark is None:
            continue
        if fence[1] != "sh":
            raise SystemExit(f"example {mark[1]}: is not followed by a ```sh block")
        following = fences[index + 1] if index + 1 < len(fences) else None
        if following and following[1] in ("json", "text") and not MARK.search(text[fence.end():following.start()]):
            found.append(Example(mark[1], fence[2], following[1], following[2]))
        else:
            found.append(Example(mark[1], fence[2], None, None))
    return found


class Shell:
    """One bash session; variables and the directory last from one example to the next."""

    def __init__(self, directory, environment):
        self.process = subprocess.Popen(
            ["bash", "--noprofile", "--norc"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, cwd=directory, env=environment)
        self.lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        self.run("set -o pipefail; trap 'FAILED=$?' ERR")

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def run(self, commands, within=60):
        """Returns the output and the status of the last command in `commands` that failed, or 0."""
        mark = secrets.token_hex(16)
        self.process.stdin.write(f"FAILED=0\n{commands}\nprintf '\\n%s %s\\n' {mark} \"$FAILED\"\n")
        self.process.stdin.flush()
        output = ""
        while True:
            try:
                line = self.lines.get(timeout=within)
            except queue.Empty:
                return output, f"no end within {within} s"
            if line is None:
                return output, f"the shell ended with {self.process.wait()}"
            if line.startswith(mark):
                return output.removesuffix("\n"), int(line.split()[1])
            output += line

    def close(self):
        self.process.stdin.close()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def matches(kind, expected, came):
    """Returns True if the output is the expected one; compares JSON by its values, text by its words."""
    if kind == "json":
        try:
            return same(json.loads(expected), json.loads(came))
        except ValueError:
            # JSON with a bare `…`, or several values: white space is no part of it.
            return fits(re.sub(r"\s+", "", expected), re.sub(r"\s+", "", came))
    return fits(" ".join(expected.split()), " ".join(came.split()))


def same(expected, came):
    if isinstance(expected, str) and "…" in expected:
        return fits(expected, came if isinstance(came, str) else json.dumps(came))
    if isinstance(expected, dict):
        return isinstance(came, dict) and expected.keys() == came.keys() and all(
            same(value, came[key]) for key, value in expected.items())
    if isinstance(expected, list):
        return isinstance(came, list) and len(expected) == len(came) and all(map(same, expected, came))
    return type(expected) is type(came) and expected == came


def fits(pattern, text):
    return re.fullmatch(".*".join(map(re.escape, pattern.split("…"))), text, re.DOTALL) is not None


def run(page, found, program, checks):
    """Runs the examples of one page on a server and in a home directory of their own."""
    checks.section = page.name
    with serving(program, checks=checks) as server, tempfile.TemporaryDirectory(prefix="ostiary-") as home:
        path = f"{Path(server.program).parent}{os.pathsep}{os.environ['PATH']}"
        shell = Shell(home, clean_environment() | {"PATH": path, "HOME": home, "OSTIARY_DATA": str(server.data)})
        try:
            for example in found:
                at_home = re.sub(r"(127\.0\.0\.1|localhost):3001\b", rf"\g<1>:{server.port}", example.commands)
                output, failed = shell.run(at_home)
                checks.that(f"{example.name}: every command succeeds", failed == 0, "status 0", f"{failed}: {output}")
                if example.expected is not None:
                    expected = re.sub(r"(127\.0\.0\.1|localhost):3001\b", rf"\g<1>:{server.port}", example.expected)
                    checks.that(f"{example.name}: the output", matches(example.kind, expected, output), expected,
                                output)
        finally:
            shell.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="+", type=Path, metavar="PAGE")
    parser.add_argument("--program", required=True, help="path of the program `ostiary`")
    arguments = parser.parse_args()
    checks = Checks()
    for page in arguments.pages:
        checks.section = page.name
        found = examples(page.read_text())
        checks.that("has examples", found, "at least one ```sh block after <!-- example: NAME -->", "none")
        run(page, found, arguments.program, checks)
    return checks.close()


if __name__ == "__main__":
    sys.exit(main())
