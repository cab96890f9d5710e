"""Plays attacks against the engine, prints the figures, and writes them to Documentation/security/attacks.md.

With --check, fails instead of writing if the page differs.
"""

import argparse
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "Documentation/security/attacks.md"


def replaced(page, name, table):
    begin, end = f"<!-- {name} -->\n", "<!-- end -->"
    before, _, rest = page.partition(begin)
    _, _, after = rest.partition(end)
    return f"{before}{begin}{table}\n{end}{after}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", help="the built bench-attacks")
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    output = subprocess.run([arguments.program], check=True, capture_output=True, text=True).stdout
    print(output, end="")
    tables = output.strip().split("\n\n")
    page = before = PAGE.read_text()
    for name, table in zip(["sign-ins", "messages"], tables, strict=True):
        page = replaced(page, name, table)
    if not arguments.check:
        PAGE.write_text(page)
    elif page != before:
        sys.exit(f"{PAGE.relative_to(ROOT)} differs: run `make bench ONLY=attacks`")


if __name__ == "__main__":
    main()
