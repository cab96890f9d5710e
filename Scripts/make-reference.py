#!/usr/bin/env python3
"""Writes the reference pages that derive from the program and its sources, and compares the page of refusals with the codes.

  make-reference.py --program OSTIARY [--check] [--self-test]

Documentation/reference/commands.md has every command and option, as the program describes them; metrics.md has every metric of the
server and the SDK. With --check nothing is written: a page that differs from what would be written is an error. In both cases
every code of a refusal must be in Documentation/refusals.md, and every code there must exist.
"""

import argparse
import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGES = ROOT / "Documentation/reference"
GENERATED = "<!-- Written by Scripts/make-reference.py. -->\n"


def cell(text):
    """Text for a cell of a table, on one line."""
    return " ".join((text or "").split()).replace("|", "\\|")


def option(argument):
    """How an argument is typed, as Markdown code."""
    value = argument.get("valueName")
    names = ["--" + n["name"] if n["kind"] == "long" else "-" + n["name"] for n in argument.get("names", [])]
    if argument["kind"] == "positional":
        return f"`<{value}>`"
    shown = ", ".join(f"`{name}`" for name in names)
    return shown if argument["kind"] == "flag" else f"{shown} `<{value}>`"


def fenced(match):
    """Indented lines as a block of code."""
    return "\n```sh\n" + re.sub(r"^  ", "", match[1], flags=re.MULTILINE).rstrip("\n") + "\n```\n"


def describe(command, path):
    """The section of a command, and those of its subcommands."""
    name = " ".join([*path, command["commandName"]])
    lines = [f"## {name}", "", cell(command.get("abstract"))]
    if discussion := command.get("discussion"):
        # Indented lines are what a person types.
        lines += ["", re.sub(r"((?:^  .*\n?)+)", fenced, discussion.strip(), flags=re.MULTILINE).strip()]
    shown = [a for a in command.get("arguments", [])
             if a.get("shouldDisplay", True) and not {n["name"] for n in a.get("names", [])} & {"help", "version"}]
    if shown:
        lines += ["", "| argument | presence | meaning |", "| --- | --- | --- |"]
        lines += [f"| {option(a)} | {'optional' if a.get('isOptional') else 'required'} | {cell(a.get('abstract'))} |"
                  for a in shown]
    text = "\n".join(lines) + "\n\n"
    return text + "".join(describe(sub, [*path, command["commandName"]]) for sub in command.get("subcommands", [])
                          if sub["commandName"] != "help")


def commands(program):
    dump = subprocess.run([program, "--experimental-dump-help"], capture_output=True, text=True, check=True).stdout
    command = json.loads(dump)["command"]
    return (f"# Commands\n\n{GENERATED}\nEvery command takes `--help`, and `ostiary --version` prints the version. "
            "[Operation](../operation.md#commands) explains their use.\n\n" + describe(command, []).rstrip() + "\n")


def server_metrics():
    """Name and description of each metric of the server, in the order of the sources."""
    found = {}
    for path in ["Server/Sources/OstiaryHTTP/Site/Metrics.swift", "Server/Sources/ostiary/Wiring/ServerServices.swift"]:
        text = (ROOT / path).read_text()
        found |= dict(re.findall(r'# HELP (ostiary_\w+) (.+?)"', text))
        found |= dict(re.findall(r'\(\s*"(ostiary_\w+)",\s*"(.+?)"', text))
        found |= dict(re.findall(r'name: "(ostiary_\w+)", help: "(.+?)"', text))
        # A metric whose description this script does not find would be missing on the page.
        for name in re.findall(r"\bostiary_[a-z_]+\b", text):
            plain = re.sub(r"_(bucket|sum|count)$", "", name)
            if plain not in found:
                sys.exit(f"{path} has {name} without a description that can be read")
    return found


def client_metrics():
    """The table in the documentation of ClientMetrics, compared with the names in its code."""
    text = (ROOT / "Sources/OstiaryMetrics/ClientMetrics.swift").read_text()
    table = re.findall(r"^/// (\| .+)$", text, re.MULTILINE)
    documented = set(re.findall(r"`ostiary_client_(\w+)`", "\n".join(table)))
    used = set(re.findall(r'(?:count\(|Self\.name\()"(\w+)"', text)) | (
        {"queue_requests_total"} if '"queue_requests_total"' in text else set())
    if documented != used:
        sys.exit(f"ClientMetrics documents and records different metrics: {sorted(documented ^ used)}")
    return "\n".join(table)


def metrics():
    rows = "\n".join(f"| `{name}` | {cell(text)} |" for name, text in server_metrics().items())
    return (f"# Metrics\n\n{GENERATED}\n## Server\n\nThe server answers `/metrics` in the Prometheus text format, version 0.0.4, "
            "on the listener of [`admin`](../operation.md#production). The request metrics have the label `app`; "
            "`ostiary_requests_total` also `operation` and `status`, `ostiary_messages_held_back_total` has `cap`. The metrics of "
            f"database connections exist with PostgreSQL.\n\n| name | description |\n| --- | --- |\n{rows}\n\n"
            "## Client\n\n`ClientMetrics` of the product `OstiaryMetrics` records these with swift-metrics. An `outcome` is "
            f"`success` or the failure's code.\n\n{client_metrics()}\n")


def codes():
    """The codes of refusals in the sources: of the engine, and of requests that cannot be read as an operation."""
    core = (ROOT / "Sources/OstiaryCore/AuthError.swift").read_text()
    section = core[core.index("var code: String"):]
    found = set(re.findall(r'case \.\w+(?:\(.*?\))?: "([a-z_]+)"', section)) - {"rejected"}
    codec = (ROOT / "Sources/OstiaryContracts/Codec/Codec+Refusals.swift").read_text()
    found |= set(re.findall(r'case \w+ = "([a-z_]+)"', codec[codec.index("private enum Refused"):]))
    return found


def check_refusals():
    page = (ROOT / "Documentation/refusals.md").read_text()
    rows = re.findall(r"^\| (`.+?) \| [\d, ]+ \|", page, re.MULTILINE)
    documented = set(re.findall(r"`([a-z_<>]+)`", "\n".join(rows)))
    # Codes of a field: the field's name and the problem's code.
    problems = set(re.findall(r'case \.\w+(?:\(.*?\))?: "([a-z_]+)"',
                              (ROOT / "Sources/OstiaryCore/FieldProblem.swift").read_text()))
    ofFields = {code for code in documented if any(code.endswith("_" + problem) for problem in problems)}
    for problem in sorted(problems):
        if not any(code.endswith("_" + problem) for code in ofFields):
            sys.exit(f"refusals.md has no code that ends in _{problem}")
    if missing := sorted(codes() - documented):
        sys.exit(f"refusals.md lacks {', '.join(missing)}")
    if surplus := sorted(documented - ofFields - codes()):
        sys.exit(f"refusals.md has codes that do not exist: {', '.join(surplus)}")
    return len(documented)


def self_test():
    assert option({"kind": "option", "names": [{"kind": "long", "name": "app"}], "valueName": "name"}) == "`--app` `<name>`"
    assert option({"kind": "flag", "names": [{"kind": "long", "name": "json"}]}) == "`--json`"
    assert option({"kind": "positional", "valueName": "who"}) == "`<who>`"
    assert cell("a\n  b|c") == "a b\\|c"
    assert "wrong_credentials" in codes() and "body_too_large" in codes()
    assert "ostiary_requests_total" in server_metrics()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--self-test", action="store_true")
    arguments = parser.parse_args()
    if arguments.self_test:
        return self_test()
    if not arguments.program:
        parser.error("--program is needed")
    count = check_refusals()
    for name, text in {"commands.md": commands(arguments.program), "metrics.md": metrics()}.items():
        page = PAGES / name
        if not arguments.check:
            PAGES.mkdir(exist_ok=True)
            page.write_text(text)
        elif not page.exists() or page.read_text() != text:
            sys.exit(f"{page.relative_to(ROOT)} is out of date: run Scripts/make-reference.py --program {arguments.program}")
    print(f"{count} codes of refusals, every command, option and metric are documented")
    return None


if __name__ == "__main__":
    main()
