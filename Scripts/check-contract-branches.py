#!/usr/bin/env python3
"""Finds product code that depends on one specific contract instead of on a contract's rules.

  check-contract-branches.py [--self-test]

Contracts are data (Documentation/decisions/042-contracts-are-data.md). Outside Sources/OstiaryContracts/Presets no code names
a preset: not as a string literal, not as a member (`.vici`, `case vici`), not in an identifier (`isVici`); none compares a
contract's name with a literal or switches over it; and presets are looked up only where a person names one.
Comments and texts of several words, such as the examples of a command's help, may name them.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PRODUCTS = ["Sources", "Server/Sources"]
PRESETS = "Sources/OstiaryContracts/Presets"
PRESET = re.compile(r"static let (\w+) = Contract\(")

# (path, kind) to the reason for the exception: each entry allows one place.
ALLOWED = {
    ("Server/Sources/ostiary/Import/AccountSource.swift", "literal"): "the database of another program, by its name",
    ("Server/Sources/OstiaryConfiguration/Apps/ContractReference.swift", "look-up"): "`contract: NAME` of an app",
    ("Server/Sources/OstiaryConfiguration/Apps/AppList.swift", "look-up"): "development mode without a file serves all",
    ("Server/Sources/ostiary/Commands/ContractCommand.swift", "look-up"): "`ostiary contract … NAME`, and their list",
    ("Server/Sources/ostiary/Commands/ClientOptions.swift", "look-up"): "`--contract NAME`",
    ("Server/Sources/ostiary/Commands/Init.swift", "look-up"): "the presets that `ostiary init` offers",
    ("Server/Sources/ostiary/FirstConfiguration/FirstConfiguration.swift", "look-up"): "`ostiary init --app NAME=CONTRACT`",
}

STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
LOOK_UP = re.compile(r"\bContract\s*\.\s*presets?\b")
NAME = r"(?:\bcontract\??\.name|\bcontractName)\b"
COMPARED = re.compile(rf'{NAME}\s*[!=]=\s*"|"\s*[!=]=\s*(?:\w+\??\.)*{NAME}|\bswitch\s+[\w.?]*{NAME}|'
                      rf'{NAME}\.(?:has(?:Prefix|Suffix)|contains|starts)\b')


def kinds(presets):
    """The patterns that are searched in code without comments, besides string literals."""
    names = "|".join(presets)
    return {
        "member": re.compile(rf"\b(?:{names})\b|\.preset\(\s*[.\"]"),
        "identifier": re.compile(rf"\b\w*(?<![a-zA-Z])(?:is|has|for|needs|uses)(?:{names})\w*", re.IGNORECASE),
        "name": COMPARED,
        "look-up": LOOK_UP,
    }


def code(text):
    """The lines with their numbers, without comments; texts over several lines are blank."""
    inside = False
    for number, line in enumerate(text.splitlines(), start=1):
        quotes = line.count('"""')
        if quotes % 2:
            inside = not inside
            continue
        if inside:
            continue
        # A // within a string literal begins no comment.
        bare = STRING.sub(lambda match: match[0].replace("/", "\0"), line)
        yield number, bare.split("//", 1)[0].replace("\0", "/")


def found(text, presets):
    """Returns kind and line number of everything in a file that depends on a specific contract."""
    literal = re.compile(rf"[\W_]*(?:{'|'.join(presets)})[\W_]*", re.IGNORECASE)
    patterns = kinds(presets)
    for number, line in code(text):
        if any(literal.fullmatch(string[1:-1]) for string in STRING.findall(line)):
            yield "literal", number
        # A comparison is found by its literal; the other patterns are searched outside of literals.
        bare = STRING.sub('""', line)
        for kind, pattern in patterns.items():
            if pattern.search(bare):
                yield kind, number


def problems(files, presets, allowed):
    """Returns sentences about violations, and about exceptions that no longer exist. `files` are paths and texts."""
    met = set()
    for path, text in files:
        for kind, number in found(text, presets):
            met.add((path, kind))
            if (path, kind) not in allowed:
                yield f"{path}:{number}: depends on a certain contract ({kind}): make it a rule of AppRules or Contract"
    for path, kind in sorted(set(allowed) - met):
        yield f"{path}: nothing of kind '{kind}' is left: take its reason out"


PLANTED = {
    "literal": ['if app.name == "vici" {', 'case "barqnet":', 'let mine = ["/vici/", "x"]', 'text.hasPrefix("viewvault:")'],
    "member": ["if contract == .vici {", "let isOurs = contract == .preset(.clarity)", "case .preset(.other): 1",
               "enum Known: String { case vici, other }",
               "= Contract.timetracker.rules"],
    "identifier": ["init(isVici: Bool)", "let needsClarityLead = true", "var hasBarqnetKeys: Bool"],
    "name": ['guard contract.name == "mine" else {', 'if "mine" != app.contract.name {', "switch codec.contract.name {",
             'contract.name.hasPrefix("vi")'],
    "look-up": ['Contract.preset(app.name) != nil', "Contract.presets.contains(contract)"],
}
INNOCENT = """
/// For vici, `AuthClient(contract: .vici)`.
let help = "Example: ostiary users list --app vici" // isVici, "vici"
let text = \"""
    ostiary contract show "vici"
    \"""
guard session.contract == auth.contract.name else { return }
let url = "https://example.com/" + contract.name
case .preset(let name): name
let clarityOfText = 1, service = 2, viciously = "vicious"
"""


def self_test():
    """Checks that planted violations are found, and that correct code yields none."""
    presets = ["timetracker", "vici", "clarity", "barqnet", "viewvault"]
    cases = [(f"finds {line}", True, kind in dict(found(line, presets)))
             for kind, lines in PLANTED.items() for line in lines]
    files = [("Planted.swift", 'if name == "vici" {')]
    cases += [
        ("finds nothing in comments and texts", [], list(found(INNOCENT, presets))),
        ("names the place", ["Planted.swift:1"], [problem[:15] for problem in problems(files, presets, {})]),
        ("takes what is allowed", [], list(problems(files, presets, {("Planted.swift", "literal"): "why"}))),
        ("finds a reason for nothing", 1, len(list(problems([], presets, {("Gone.swift", "literal"): "why"})))),
        ("knows the presets", sorted(presets), sorted(preset_names())),
    ]
    failed = [f"{name}: {came}" for name, expected, came in cases if expected != came]
    print(f"self-test: {len(cases) - len(failed)} passed, {len(failed)} failed" + "".join(f"\n  {n}" for n in failed))
    return 1 if failed else 0


def preset_names():
    return [name for path in sorted((ROOT / PRESETS).glob("*.swift")) for name in PRESET.findall(path.read_text())]


def main():
    if sys.argv[1:] == ["--self-test"]:
        sys.exit(self_test())
    files = [(str(path.relative_to(ROOT)), path.read_text())
             for folder in PRODUCTS for path in sorted((ROOT / folder).rglob("*.swift"))]
    files = [(path, text) for path, text in files if not path.startswith(f"{PRESETS}/")]
    wrong = list(problems(files, preset_names(), ALLOWED))
    print("\n".join(wrong) or f"{len(files)} files depend on no certain contract")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
