#!/usr/bin/env python3
"""Finds new places where untrusted text may be compared as Swift's String, which takes quadratic time.

  check-text.py [--self-test]

Searches the modules that read untrusted input for two things: collections keyed by String, and calls that work on
Characters (`hasPrefix`, `split(separator: "…")`, `lowercased()` and the like). Each is allowed by an entry in
Scripts/text-allowlist.txt with the reason why its text is bounded; one more in the same file needs another review and a higher
number. Documentation/security/readers.md describes how text is bounded.
"""

import collections
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ALLOWLIST = ROOT / "Scripts/text-allowlist.txt"
READING = [
    "Sources/OstiaryCore", "Sources/OstiaryContracts", "Sources/OstiaryClient/Browser", "Sources/OstiaryClient/Links",
    "Sources/OstiaryClient/Session", "Sources/OstiaryClient/Transport", "Sources/OstiaryEngine",
    "Sources/OstiaryMiddleware", "Sources/OstiaryAdminAPI", "Sources/OstiaryAdmin", "Server/Sources/OstiaryTokens",
    "Server/Sources/OstiaryProvider", "Server/Sources/OstiaryIdentities", "Server/Sources/OstiaryHTTP",
]
KEYED = r"(?:Set<(?:String|Substring)>|\[(?:String|Substring):)"
FOUND = {
    # Where a collection is stored or created, not where it is passed on.
    "keyed": re.compile(rf"\b(?:let|var)\b[^=]*{KEYED}|(?<![:>] ){KEYED}[^)\]]*[>\]]\(|decode\({KEYED}"
                        r"|\bSet\((?!\[)|\bDictionary\("),
    "characters": re.compile(
        r"\bCharacter\(|: Character\b|\bas Character\b|\.split\(separator: \"|\.hasPrefix\(|\.hasSuffix\("
        r"|\.lowercased\(\)|\.uppercased\(\)|\.trimmingCharacters\(|\.trimmingPrefix\(|\.components\(separatedBy"
        r"|\.range\(of: |\.replacing\(|\.replacingOccurrences\(|\.localized[A-Z]|\.firstIndex\(of: \""),
}
COMMENT = re.compile(r"^\s*//.*|\s//\s.*")
PLANTED = """
func read(_ query: String) -> Bool {
    var names: Set<String> = []
    // A comment may say Set<String> and hasPrefix("a").
    for pair in query.split(separator: "&") { names.insert(String(pair)) }
    return names.contains("role")
}
"""


def count(text):
    """Returns how often each kind occurs in a file."""
    counts = collections.Counter()
    for line in text.splitlines():
        code = COMMENT.sub("", line)
        for kind, pattern in FOUND.items():
            counts[kind] += len(pattern.findall(code))
    return +counts


def allowances(text):
    """Returns a map from (path, kind) to the allowed number. A reason is required."""
    allowed = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        parts = [part.strip() for part in line.split("|")]
        if len(parts) != 4 or parts[1] not in FOUND or not parts[2].isdigit() or len(parts[3]) < 10:
            sys.exit(f"{ALLOWLIST.name}:{number}: needs PATH | keyed or characters | NUMBER | REASON")
        allowed[parts[0], parts[1]] = int(parts[2])
    return allowed


def problems(files, allowed):
    """Returns sentences about violations, and about entries without a place. `files` are paths and texts."""
    found = {(path, kind): number for path, text in files for kind, number in count(text).items()}
    for (path, kind), number in sorted(found.items()):
        limit = allowed.get((path, kind), 0)
        if number > limit:
            yield f"{path}: {number} of kind '{kind}', allowed {limit}: compare bytes, or say why the text is bounded"
    for path, kind in sorted(set(allowed) - set(found)):
        yield f"{path}: nothing of kind '{kind}' is left: take the entry out"


def self_test():
    """Checks that planted violations are found, and that none is reported once it is allowed."""
    files = [("Planted.swift", PLANTED)]
    both = {("Planted.swift", "keyed"): 1, ("Planted.swift", "characters"): 1}
    cases = [
        ("finds both kinds", 2, problems(files, {})),
        ("finds one more than is allowed", 1, problems(files, both | {("Planted.swift", "keyed"): 0})),
        ("finds nothing where all is allowed", 0, problems(files, both)),
        ("finds an entry for nothing", 1, problems(files, both | {("Gone.swift", "keyed"): 1})),
    ]
    failed = [name for name, expected, came in cases if len(list(came)) != expected]
    print(f"self-test: {len(cases) - len(failed)} passed, {len(failed)} failed" + "".join(f"\n  {n}" for n in failed))
    return 1 if failed else 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        sys.exit(self_test())
    files = [(str(path.relative_to(ROOT)), path.read_text())
             for folder in READING for path in sorted((ROOT / folder).rglob("*.swift"))]
    found = list(problems(files, allowances(ALLOWLIST.read_text())))
    print("\n".join(found) or f"{len(files)} files compare untrusted text by bytes, but for what the allowlist explains")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
