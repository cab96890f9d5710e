#!/usr/bin/env python3
"""Makes deliberate mistakes in the engine and in the code for Apple's platforms, one by one, and prints what detects each.

  check-mistakes.py [--only LIST[/NUMBER] …] [--list]

A list is a file of mistakes, separated by blank lines. Those of Apple/Mistakes are tried in the package Apple/, those of
Tests/OstiaryEngineTests/Mistakes in the package at the top, with the tests of the engine alone:

  # a description of the mistake
  file: Sources/OstiaryClient/…          from the top of the repository
  replace: text                          found exactly once there; \\n is a line's end, \\t a tab, \\\\ a backslash
  with: text                             may be empty
  configuration: macos                   the Apple platform that it is tried on; ios by default
  survives: reason                       for one that no check here can detect; that it is not detected is asserted

A text may also span several lines, each of them after the first indented by four spaces more than in the file. The files that a
package needs are copied to .build-mistakes, or for the engine to .build-mistakes-engine, and only the copy is changed. Before
the first mistake and after the last the copy passes, so that a test which always fails detects nothing. Each mistake costs an
incremental build and the tests; for Apple's platforms first those of the folder with the same name as the source's, and the others
only if those pass. A mistake in the engine must be detected by a test: a compile error proves nothing. The very
first run builds everything once.
"""

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from built_modules import APPLE_BUILDS, ROOT

KEYS = ["file", "replace", "with", "configuration", "survives"]
# Longer than any run on a loaded machine: a mistake can make a test wait indefinitely.
DEADLINE_SECONDS = 180
FAILED = re.compile(r"^✘ Test (?!run with)(.*?)(?: with \d+ test cases?)? (?:recorded an issue|failed after)", re.MULTILINE)


class Package:
    """A package whose copy the mistakes are made in."""

    # The folder of the mistakes, the copy, and the package in it.
    lists, copy, folder = "", ROOT, "."
    # The scratch path of each configuration; the first is the default.
    builds = {}
    bundle = ""
    # The outcomes that count as detected.
    notices = {"compile", "test", "trap"}

    def names(self):
        """The files and folders to copy."""
        raise NotImplementedError

    def prepare(self):
        """Completes the copy after its files have been brought up to date."""

    def environment(self, configuration):
        return {}

    def suites_beside(self, file):
        """Returns the suites to run first for a mistake in a file."""
        return []

    @property
    def directory(self):
        return self.copy / self.folder


class ApplePackage(Package):
    lists, copy, folder = "Apple/Mistakes", ROOT / ".build-mistakes", "Apple"
    builds = {"ios": ".build", "macos": ".build-macos"}
    bundle = "ostiary-applePackageTests.xctest"

    def names(self):
        return [
            "Sources", "Examples", "Apple/Sources", "Apple/Shims", "Apple/Tests", "Apple/RealFrameworks",
            "Apple/Package.swift",
            # The files that Apple's tests share with the others.
            "Tests/ClientSupport",
        ]

    def environment(self, configuration):
        return APPLE_BUILDS[self.builds[configuration]]

    def suites_beside(self, file):
        """Returns the suites in the folder of tests named like one of the file's folders, and for an app those of the apps."""
        folders = set(Path(file).parts[:-1])
        for target in sorted((self.directory / "Tests").iterdir()):
            for path in sorted(target.rglob("*.swift")):
                if folders & set(path.relative_to(target).parts[:-1]) or (target.name == "AppTests" and "Apps" in folders):
                    for name in re.findall(r"(?:struct|class|actor) (\w+Tests)\b", path.read_text()):
                        yield f"{target.name}.{name}/"


class EnginePackage(Package):
    lists, copy = "Tests/OstiaryEngineTests/Mistakes", ROOT / ".build-mistakes-engine"
    builds = {"engine": ".build"}
    bundle = "ostiaryPackageTests.xctest"
    notices = {"test", "trap"}
    tests = "OstiaryEngineTests"

    def targets(self):
        """The folders of the package's targets: those that the tests need, and the others."""
        described = subprocess.run(["swift", "package", "dump-package"], cwd=ROOT, check=True, capture_output=True, text=True)
        targets = {target["name"]: target for target in json.loads(described.stdout)["targets"]}
        needed, waiting = set(), [self.tests]
        while waiting:
            name = waiting.pop()
            if name in targets and name not in needed:
                needed.add(name)
                for dependency in targets[name]["dependencies"]:
                    waiting += [value[0] for key, value in dependency.items() if key in ("byName", "target")]
        folders = {}
        for name, target in targets.items():
            folder = target.get("path") or f"{'Tests' if target['type'] == 'test' else 'Sources'}/{name}"
            folders.setdefault(name in needed, []).append(folder)
        return folders[True], folders.get(False, [])

    def names(self):
        return ["Package.swift", *self.targets()[0]]

    def prepare(self):
        # The other targets are empty: an edit builds the engine, its dependents and its tests, and links nothing else.
        for folder in self.targets()[1]:
            stub = self.copy / folder / "Empty.swift"
            if not stub.exists():
                stub.parent.mkdir(parents=True, exist_ok=True)
                stub.touch()

    def environment(self, configuration):
        # A mistake may leave a variable unused.
        return {"OSTIARY_TEST_STRICT": "0"}


@dataclass
class Mistake:
    package: Package
    source: str
    number: int
    what: str
    file: str = ""
    replace: str = ""
    instead: str = ""
    configuration: str = ""
    survives: str = ""

    @property
    def name(self):
        return f"{self.source}/{self.number}"


def unescaped(text):
    return re.sub(r"\\(.)", lambda m: {"n": "\n", "t": "\t", "\\": "\\"}.get(m[1], m[0]), text)


def read(package, path):
    """The mistakes of one file."""
    mistakes = []
    for number, entry in enumerate((e for e in re.split(r"\n[ \t]*\n", path.read_text()) if e.strip()), 1):
        what, values, key = [], {}, None
        for line in entry.strip("\n").splitlines():
            if line.startswith("#"):
                what.append(line[1:].strip())
            elif (match := re.match(rf"({'|'.join(KEYS)}):(?: (.*))?$", line)) and match[1] not in values:
                key = match[1]
                values[key] = unescaped(match[2] or "")
            elif key and line.startswith("    "):
                values[key] += "\n" + unescaped(line[4:])
            else:
                sys.exit(f"{path.name}: entry {number}: this line says nothing: {line}")
        if not what and not values:
            continue
        missing = [key for key in ("file", "replace", "with") if key not in values]
        if missing or not what:
            sys.exit(f"{path.name}: entry {number} has no {', '.join(missing) or 'sentence'}")
        mistake = Mistake(package, path.stem, number, " ".join(what))
        mistake.file, mistake.replace, mistake.instead = values["file"].strip(), values["replace"], values["with"]
        mistake.configuration = values.get("configuration", next(iter(package.builds))).strip().lower()
        mistake.survives = values.get("survives", "").strip()
        if mistake.configuration not in package.builds:
            sys.exit(f"{mistake.name}: there is no configuration {mistake.configuration}")
        if "survives" in values and not mistake.survives:
            sys.exit(f"{mistake.name}: survives needs a reason")
        mistakes.append(mistake)
    return mistakes


def check(mistakes):
    """Checks that every text is found exactly once, and differs from its replacement."""
    problems = []
    for mistake in mistakes:
        path = ROOT / mistake.file
        if not path.resolve().is_file() or ROOT not in path.resolve().parents:
            problems.append(f"{mistake.name}: there is no file {mistake.file}")
            continue
        count = path.read_text().count(mistake.replace)
        if count != 1 or not mistake.replace:
            problems.append(f"{mistake.name}: {mistake.file} has {count} times: {mistake.replace!r}")
        if mistake.replace == mistake.instead:
            problems.append(f"{mistake.name}: changes nothing")
    if problems:
        sys.exit("\n".join(problems))


def copy_tree(package):
    """Updates the copy. Unchanged files keep their modification time, and are not built again."""
    wanted, is_other_list, names = set(), False, package.names()
    for name in names:
        found = [ROOT / name, *(ROOT / name).rglob("*")] if not (ROOT / name).is_symlink() else [ROOT / name]
        for source in found:
            target = package.copy / source.relative_to(ROOT)
            if ".build" in str(source.relative_to(ROOT)) or (source.is_dir() and not source.is_symlink()):
                continue
            wanted.add(target)
            is_other_list |= not (target.exists() or target.is_symlink())
            target.parent.mkdir(parents=True, exist_ok=True)
            if source.is_symlink():
                if not target.is_symlink():
                    target.symlink_to(os.readlink(source))
            elif not target.exists() or target.read_bytes() != source.read_bytes():
                shutil.copy2(source, target)
    for name in names:
        for target in (package.copy / name).rglob("*"):
            if target not in wanted and (target.is_file() or target.is_symlink()):
                target.unlink()
                is_other_list = True
    package.prepare()
    if is_other_list:
        # Otherwise SwiftPM does not look for files behind the links.
        (package.directory / "Package.swift").touch()
    # The versions that the working tree itself is tested with.
    resolved = ROOT / package.folder / "Package.resolved"
    if resolved.exists():
        shutil.copy2(resolved, package.directory / "Package.resolved")


def run(arguments, package, configuration, deadline=None, enough=None):
    """Runs a command; ends it and its descendants after a time limit (the code is None) or on a certain output."""
    process = subprocess.Popen(
        [str(a) for a in arguments], cwd=package.directory, env=os.environ | package.environment(configuration), text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
    is_late = threading.Event()

    def end():
        is_late.set()
        os.killpg(process.pid, signal.SIGKILL)

    timer = threading.Timer(deadline, end) if deadline else None
    if timer:
        timer.start()
    lines = []
    for line in process.stdout:
        lines.append(re.sub(r"\x1b\[[0-9;]*m", "", line))
        if enough and enough.search(lines[-1]):
            os.killpg(process.pid, signal.SIGKILL)
            break
    process.wait()
    if timer:
        timer.cancel()
    return None if is_late.is_set() else process.returncode, "".join(lines)


def built(package, configuration):
    """Returns the problems of the copy before any test runs."""
    code, output = run(
        ["swift", "build", "--build-tests", "--scratch-path", package.builds[configuration]], package, configuration)
    if code == 0:
        return None
    errors = re.findall(r"^\S*?([^/\s]+\.swift:\d+):\d+: error: (.*)$", output, re.MULTILINE)
    if not errors:
        # A compiler crash or a full disk does not count as a detection.
        sys.exit(f"{output[-3000:]}\nthe copy cannot be built, and not for an error in it")
    return "compile", f"{errors[0][0]}: {errors[0][1]}"


def tested(package, configuration, suites=()):
    """Returns the failures of the tests of some suites, or of all, in the copy."""
    tests = package.directory / package.builds[configuration] / "debug" / package.bundle
    filters = [part for suite in suites for part in ("--filter", f"^{re.escape(suite)}")]
    code, output = run(
        [tests, "--testing-library", "swift-testing", *filters], package, configuration, DEADLINE_SECONDS, FAILED)
    if code == 0:
        if not re.search(r"Test run with [1-9]\d* test", output):
            sys.exit(f"{output[-3000:]}\nno test has run")
        return None
    if failed := FAILED.search(output):
        return "test", failed[1].strip('"')
    if code is None:
        return "test", f"a test that has not ended after {DEADLINE_SECONDS} s"
    trap = re.search(r"Fatal error: .*|Crash: .*", output)
    return "trap", trap[0][:160] if trap else f"ended with {code}"


def verdict(package, configuration, file=None):
    """Returns which check detects the copy's mistake, and how; or None. Runs the expected suites first, if the file is known."""
    found = built(package, configuration)
    suites = list(package.suites_beside(file)) if file else []
    if not found and suites:
        found = tested(package, configuration, suites)
    return found or tested(package, configuration)


def try_out(mistake):
    path = mistake.package.copy / mistake.file
    right = path.read_text()
    path.write_text(right.replace(mistake.replace, mistake.instead))
    try:
        return verdict(mistake.package, mistake.configuration, mistake.file)
    finally:
        path.write_text(right)


def try_all(package, mistakes):
    """Tries mistakes of one package; returns the number of each outcome, and the mistakes with an unexpected outcome."""
    # Together, so that a configuration is built once before and once after.
    mistakes.sort(key=lambda m: m.configuration)
    copy_tree(package)
    configurations = sorted({m.configuration for m in mistakes})

    def passes(when):
        for configuration in configurations:
            if found := verdict(package, configuration):
                how, what = found
                sys.exit(f"{when}, the copy does not pass as {configuration}: {how}: {what}")

    passes("before any mistake")
    counts, wrong = {}, []
    for mistake in mistakes:
        how, what = try_out(mistake) or (None, "")
        told = how or "survived"
        counts[told] = counts.get(told, 0) + 1
        line = f"{mistake.name:16} {told:9} {mistake.what}"
        print(line + (f"\n{'':27}{what}" if what else ""), flush=True)
        if how is None and not mistake.survives:
            wrong.append(f"nothing notices {mistake.name}: {mistake.what}")
        elif how is None:
            print(f"{'':27}as expected: {mistake.survives}")
        elif mistake.survives:
            wrong.append(f"{mistake.name} is noticed now: take its `survives` away")
        elif how not in package.notices:
            wrong.append(f"{mistake.name} does not compile, so that no test has to notice it")
    passes("after the last mistake")
    return counts, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append", default=[], metavar="LIST[/NUMBER]", help="for example keychain/3")
    parser.add_argument("--list", action="store_true", help="name them, and check that each can be made")
    arguments = parser.parse_args()
    packages = [EnginePackage(), ApplePackage()]
    mistakes = []
    for package in packages:
        found = [m for path in sorted((ROOT / package.lists).glob("*.txt")) for m in read(package, path)]
        if not found:
            sys.exit(f"{package.lists} names none")
        mistakes += found
    if repeated := {m.name for m in mistakes if sum(m.name == other.name for other in mistakes) > 1}:
        sys.exit(f"two lists have the same name: {sorted(repeated)[0]}")
    if arguments.only:
        wanted = [only.removesuffix(".txt").replace(".txt/", "/") for only in arguments.only]
        mistakes = [m for m in mistakes if m.name in wanted or m.source in wanted]
        if not mistakes:
            sys.exit("there is none of that name")
    check(mistakes)
    if arguments.list:
        for mistake in mistakes:
            print(f"{mistake.name:16} {mistake.configuration:6} {mistake.what}")
        print(f"{len(mistakes)} mistakes")
        return
    wrong = []
    for package in packages:
        if not (own := [m for m in mistakes if m.package is package]):
            continue
        begin = time.monotonic()
        counts, found = try_all(package, own)
        wrong += found
        told = ", ".join(f"{count} {how}" for how, count in sorted(counts.items()))
        print(f"{len(own)} mistakes of {package.lists}: {told}; {time.monotonic() - begin:.0f} s", flush=True)
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
