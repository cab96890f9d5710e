#!/usr/bin/env python3
"""Compares the table of attack cases with the tests that name them.

Fails if a test names a case that is not in the table, or if the table's last column is not the list of files that name the
case. `--update` writes that column.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TABLE = ROOT / "Documentation/security/cases.md"
CASE = re.compile(r"\b[A-Z]{2}-\d{2}\b")
# A case's own line: one id, or several with commas between.
ROW = re.compile(r"^\| ([A-Z]{2}-\d{2}(?:, [A-Z]{2}-\d{2})*) \|")


def tests():
    """Returns the files that name each case: id → sorted names of files below the folders of tests."""
    listed = subprocess.run(
        ["git", "ls-files", "Tests", "Server/Tests", "Apple/Tests"], cwd=ROOT, check=True, capture_output=True, text=True)
    named = {}
    for name in listed.stdout.split("\n"):
        path = ROOT / name
        if path.suffix not in (".swift", ".py") or path.is_symlink() or not path.is_file():
            continue
        for case in set(CASE.findall(path.read_text())):
            named.setdefault(case, set()).add(path.name)
    return {case: sorted(files) for case, files in named.items()}


def main():
    update = sys.argv[1:] == ["--update"]
    known, named, lines, problems = tests(), set(), [], []
    families = set()
    for line in TABLE.read_text().split("\n"):
        row = ROW.match(line)
        if row:
            cases = row[1].split(", ")
            named.update(cases)
            families.update(case[:2] for case in cases)
            files = sorted({file for case in cases for file in known.get(case, [])})
            cells = line.rstrip(" |").split(" | ")
            right = " | ".join(cells[:3] + [", ".join(f"`{file}`" for file in files) or "–"]) + " |"
            if right != line:
                problems.append(f"{row[1]}: named by {', '.join(files) or 'no test'}; write it with --update")
            lines.append(right)
        else:
            lines.append(line)
    for case in sorted(set(known) - named):
        if case[:2] in families:
            problems.append(f"{case}: named by {', '.join(known[case])}, but not in the table")
    if update:
        TABLE.write_text("\n".join(lines))
        problems = [problem for problem in problems if "not in the table" in problem]
    for problem in problems:
        print(f"Documentation/security/cases.md: {problem}")
    print(f"{len(named)} cases, {len(named & set(known))} of them named by tests")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
