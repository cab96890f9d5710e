#!/usr/bin/env python3
"""Writes the reference pages that derive from the program and its sources, and compares the pages of refusals and of the
configuration with the sources.

  make-reference.py --program OSTIARY [--check] [--self-test]

Documentation/reference/commands.md has every command and option, as the program describes them; metrics.md has every metric of the
server and the SDK. With --check nothing is written: a page that differs from the generated text is an error. In both cases
every code of a refusal must be in Documentation/refusals.md, and every code there must exist; likewise every key of the
configuration and every environment variable in Documentation/reference/configuration.md, and every code of the admin API in
Documentation/admin-api.md.
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

CONFIGURATION = "Server/Sources/OstiaryConfiguration"
# A call that reads a key: a method of Section, or a function that passes its first argument on to one.
READS = re.compile(r"""\b(?:\w+\.)?(?:section|sections|setting|list|texts|string|secret|seconds|integer|boolean|choice|required|path
                       |readableFile)\(\s*"([^"]*)" | \b\w+\(\s*"([^"]*)",\s*in:\s*\w*[sS]ection\b""", re.VERBOSE)
DYNAMIC = re.compile(r"\.(?:section|sections|setting|list|texts|required|path|readableFile)\(\s*([a-z][\w.]*)\s*[,)]")
# Keys that are not literals: names that the file chooses, arguments of the functions above, and the raw values of an enumeration.
DYNAMIC_KEYS = {"name": None, "id": None, "kind.rawValue": "Sources/OstiaryCore/Descriptions/AttemptKind.swift"}
# The sections of the keys that each source reads, in the form of the page.
SECTIONS = {
    "Configuration+Reading": ["", "sms", "admin"], "AppList": [""], "EmailSettings": ["email"], "SMSSettings": ["sms"],
    "TLSFiles": ["tls"], "LogSettings": ["log"], "TracingSettings": ["tracing"], "ServerLimits": ["limits"], "EventSettings": ["events"],
    "HookConfiguration": ["apps.NAME.hooks", "apps.NAME.hooks.HOOK"],
    "ProviderConfiguration": ["", "idp", "idp.clients.ID"],
    "AppConfiguration": ["apps.NAME"] + [f"apps.NAME.{name}" for name in ["tokens", "passwords", "registration", "browser"]],
    "PasskeyConfiguration": ["apps.NAME", "apps.NAME.passkeys", "idp"],
    "UniversalLinks": ["apps.NAME", "apps.NAME.universal_links"], "SecondFactorPolicy+Reading": ["apps.NAME.second_factor"],
    "CompromisedPasswordSource": ["apps.NAME.passwords", "apps.NAME.passwords.compromised"],
    "ContractReference": ["apps.NAME"], "SigningSettings": ["apps.NAME", "apps.NAME.tokens"],
    "TokenSettings": ["apps.NAME.tokens"], "CodePolicy+Reading": ["apps.NAME.codes", "apps.NAME.codes.test_numbers.NUMBER"],
    "RateLimits+Reading": ["apps.NAME.rate_limits", "apps.NAME.rate_limits.KIND"],
    "MessageCaps+Reading": ["apps.NAME.messages"], "CredentialStuffingPolicy+Reading": ["apps.NAME.stuffing"],
    "PasswordSprayingPolicy+Reading": ["apps.NAME.spraying"], "RegistrationCaps+Reading": ["apps.NAME.registration"],
    "AttributeDefinitions+Reading": ["apps.NAME.attributes.ATTRIBUTE"], "GeographySettings": ["geoip"],
    "AppAttestConfiguration": ["apps.NAME", "apps.NAME.app_attest"], "DPoPSettings+Reading": ["apps.NAME"],
    "RiskPolicy+Reading": ["apps.NAME.risk"], "SessionPolicy+Reading": ["apps.NAME.sessions"],
    "IdentityConfiguration+Reading": ["apps.NAME", "identity"], "IdentityConfiguration+OpenID": ["identity"],
    "IdentityConfiguration+Social": ["identity"], "IdentityConfiguration+Cognito": ["identity"],
}
VARIABLE = re.compile(r'"([A-Z][A-Z0-9_]{3,}|[a-z]+_proxy)"')
# Literals in files that read the environment, but that are not variables.
NOT_VARIABLES = {
    "OSTIARY_": "the prefix of the variables of keys",
    "OSTIARY_TEST_": "the prefix of variables that a server ignores",
    "ENCRYPTION_KEY": "a variable of the configuration that `ostiary init` writes, as are the next two",
    "SMS_SECRET": "see above", "STORE_URL": "see above",
}


def cell(text):
    """Returns text for a cell of a table, on one line."""
    return " ".join((text or "").split()).replace("|", "\\|")


def option(argument):
    """Returns an argument as it is typed, as Markdown code."""
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
        # Indented lines are commands to type.
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
    """Kind, labels and description of each metric of the server by name, in the order of the source."""
    text = (ROOT / "Server/Sources/OstiaryHTTP/Application/MetricDescription.swift").read_text()
    found = {}
    for kind, name, labels, description in re.findall(
            r'Self\(\s*\.(\w+),\s*"(ostiary_\w+)",\s*(?:labels: \[([^\]]*)\],\s*)?help:\s*"(.+?)"\s*\)', text):
        found[name] = {"kind": kind, "labels": re.findall(r'"(\w+)"', labels), "help": description}
    # A metric whose description this script does not find would be missing on the page.
    missing = set(re.findall(r'"(ostiary_\w+)"', text)) - set(found)
    if missing:
        sys.exit(f"metrics without a description that can be read: {sorted(missing)}")
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
    rows = "\n".join(
        f"| `{name}` | {metric['kind']} | {', '.join(f'`{label}`' for label in metric['labels'])} | {cell(metric['help'])} |"
        for name, metric in server_metrics().items())
    return (f"# Metrics\n\n{GENERATED}\n## Server\n\nThe server answers `/metrics` in the Prometheus text format, version 0.0.4, "
            "on the listener of [`admin`](../operation.md#production). Counters and histograms begin at the start of a node. A series "
            "without an event yet is absent. The metrics of database connections exist with PostgreSQL. [Statistics and "
            "metrics](../statistics.md) explains methods and outcomes, and lists the alerts.\n\n"
            f"| name | kind | labels | description |\n| --- | --- | --- | --- |\n{rows}\n\n"
            "## Client\n\n`ClientMetrics` of the product `OstiaryMetrics` records these with swift-metrics. An `outcome` is "
            f"`success` or the failure's code.\n\n{client_metrics()}\n")


def codes():
    """Returns the codes of refusals in the sources: of the engine, and of requests that cannot be read as an operation."""
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


# Refusals of commands and of the console, which the admin API does not give.
NOT_OF_ADMIN_API = {"several_accounts", "edit_conflict", "email_unverified"}


def admin_codes():
    """Returns the codes of the admin API's refusals in the sources, without those of fields."""
    found = set()
    for folder in ("Sources/OstiaryEngine/Administration", "Sources/OstiaryEngine/Events", "Server/Sources/OstiaryHTTP/Admin"):
        for path in (ROOT / folder).rglob("*.swift"):
            text = path.read_text()
            found |= set(re.findall(r'\bconflict\(\s*"(\w+)"|\.\w+,\s*code: "(\w+)"|(?:AdminRefusal|self\.init)\(\s*\d+, "(\w+)"', text))
    keys = (ROOT / "Sources/OstiaryEngine/Administration/Server/ServiceKeyRefusal.swift").read_text()
    found |= {(code,) for code in re.findall(r'case \.\w+: "(\w+)"', keys)}
    return {code for codes in found for code in codes if code} - NOT_OF_ADMIN_API


def check_admin_api():
    page = (ROOT / "Documentation/admin-api.md").read_text()
    rows = re.findall(r"^\| [\d, ]+ \| (`.+?`) \|", page, re.MULTILINE)
    if missing := sorted(admin_codes() - set(re.findall(r"`(\w+)`", "\n".join(rows)))):
        sys.exit(f"admin-api.md lacks {', '.join(missing)}")


def without_comments(text):
    return re.sub(r"^\s*//.*$|\s//\s.*$", "", text, flags=re.MULTILINE)


def raw_values(text):
    """The raw values of the cases of an enumeration of texts."""
    return {value or name for name, value in re.findall(r'^\s*case (\w+)(?: = "(\w+)")?$', text, re.MULTILINE)}


def keys_read(text, place):
    """The keys that a Swift source reads from a configuration."""
    text = without_comments(text)
    keys = {one or other for one, other in READS.findall(text)}
    # Lists of known keys, and the keys whose values label a list's entries.
    for listed in re.findall(r'(?:static let keys = |label: )\[([^\]]*)\]', text):
        keys |= set(re.findall(r'"(\w+)"', listed))
    for dynamic in DYNAMIC.findall(text):
        if dynamic not in DYNAMIC_KEYS:
            sys.exit(f"{place} reads the key {dynamic}, whose value this script does not know")
        if path := DYNAMIC_KEYS[dynamic]:
            keys |= raw_values(without_comments((ROOT / path).read_text()))
    return keys


def configuration_keys():
    """The keys that each source of the configuration reads, by the source's name."""
    found = {}
    for path in sorted((ROOT / CONFIGURATION).rglob("*.swift")):
        if path.parent.name != "Reading" and (keys := keys_read(path.read_text(), path.relative_to(ROOT))):
            found[path.stem] = keys
    if found.keys() != SECTIONS.keys():
        sys.exit(f"SECTIONS lacks, or has beyond what reads keys: {', '.join(sorted(found.keys() ^ SECTIONS.keys()))}")
    return found


def compare_keys(rows, read, sections):
    """Returns the keys that no row has, and the rows that no source reads.

    A row's key is compared with the sources of its section, and a source's key with the rows of all its sections.
    """
    split = [row.rpartition(".")[::2] for row in rows]
    missing = {f"{key} of {source}" for source, keys in read.items() for key in keys
               if not any(section in sections[source] and key == name for section, name in split)}
    surplus = {".".join(filter(None, [section, name])) for section, name in split
               if not any(section in sections[source] and name in keys for source, keys in read.items())}
    return missing, surplus


def environment_variables():
    """Returns the names of environment variables in the files whose code refers to an environment."""
    found = set()
    for top in ["Sources", "Server/Sources"]:
        for path in (ROOT / top).rglob("*.swift"):
            code = without_comments(path.read_text())
            if re.search(r"\benvironment\b|\bgetenv\(", code):
                found |= set(VARIABLE.findall(code))
    if stale := NOT_VARIABLES.keys() - found:
        sys.exit(f"NOT_VARIABLES names what is not in the sources: {', '.join(sorted(stale))}")
    return found - NOT_VARIABLES.keys()


def documented(page):
    """The keys and variables in the first column of the page's tables."""
    keys, variables = page.split("\n## Environment variables\n")
    cells = re.findall(r"^\| `([a-zA-Z_.]+)` \|", keys, re.MULTILINE)
    return set(cells), set(re.findall(r"^\| `(\w+)` \|", variables, re.MULTILINE))


def check_configuration():
    path = PAGES / "configuration.md"
    keys, variables = documented(path.read_text())
    used = environment_variables()
    for what, (missing, surplus) in {"key": compare_keys(keys, configuration_keys(), SECTIONS),
                                     "variable": (used - variables, variables - used)}.items():
        if missing:
            sys.exit(f"{path.relative_to(ROOT)} lacks the {what} {', '.join(sorted(missing))}")
        if surplus:
            sys.exit(f"{path.relative_to(ROOT)} has the {what} {', '.join(sorted(surplus))}, which nothing reads")
    return len(keys), len(variables)


def self_test():
    assert option({"kind": "option", "names": [{"kind": "long", "name": "app"}], "valueName": "name"}) == "`--app` `<name>`"
    assert option({"kind": "flag", "names": [{"kind": "long", "name": "json"}]}) == "`--json`"
    assert option({"kind": "positional", "valueName": "who"}) == "`<who>`"
    assert cell("a\n  b|c") == "a b\\|c"
    assert "wrong_credentials" in codes() and "body_too_large" in codes()
    assert {"identifier_taken", "missing", "not_found", "idempotency_key_reused", "service_key_expired"} <= admin_codes()
    assert "ostiary_requests_total" in server_metrics()
    assert keys_read('try section.integer("body", in: 1...2)\n// section.setting("not")\nid("team_id", in: section)', "") == {
        "body", "team_id"}
    assert keys_read('try section.setting(\n    "a") ?? numbers.section(name)\nthrow section.problem("b", "c")', "") == {"a"}
    assert keys_read("let pair = try section.section(kind.rawValue)", "") >= {"sign_in", "reset", "other"}
    assert keys_read('static let keys = ["a", "b"]', "") == {"a", "b"}
    try:
        keys_read("section.setting(another)", "")
    except SystemExit:
        pass
    else:
        raise AssertionError("a key that is not a literal was accepted")
    assert {"mode", "jwt_secret", "code_check", "per_prefix_hour", "team_id", "ca_file"} <= set().union(
        *configuration_keys().values())
    assert compare_keys({"mode", "tls.key", "log.key"}, {"R": {"mode", "tls"}, "T": {"key"}}, {"R": [""], "T": ["tls"]}) == (
        {"tls of R"}, {"log.key"})
    assert {"OSTIARY_DATA", "JWT_SECRET", "no_proxy"} <= environment_variables()
    assert documented("| `tls.key` | a |\n| key | b |\n\n## Environment variables\n| `A_B` | c |\n") == (
        {"tls.key"}, {"A_B"})


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
    check_admin_api()
    keys, variables = check_configuration()
    for name, text in {"commands.md": commands(arguments.program), "metrics.md": metrics()}.items():
        page = PAGES / name
        if not arguments.check:
            PAGES.mkdir(exist_ok=True)
            page.write_text(text)
        elif not page.exists() or page.read_text() != text:
            sys.exit(f"{page.relative_to(ROOT)} is out of date: run Scripts/make-reference.py --program {arguments.program}")
    print(f"{count} codes of refusals, {keys} keys of the configuration, {variables} environment variables, every command, option "
          "and metric are documented")
    return None


if __name__ == "__main__":
    main()
