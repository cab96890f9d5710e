#!/usr/bin/env python3
"""Checks the parts of the example apps of Examples/Apps other than Swift: the description of their Xcode project, and their
Info.plist files, entitlements and privacy manifests; and the privacy manifest of the SDK itself.

XcodeGen and Xcode need a Mac. This script checks that the files can be parsed, are consistent with each other, name only existing
files, and have only keys that Apple's and XcodeGen's documentation defines.
"""

import json
import plistlib
import re
import sys
from pathlib import Path

import yaml

from built_modules import MODULES, ROOT

APPS = ROOT / "Examples/Apps"
CONTRACTS = {"timetracker", "vici", "clarity", "barqnet", "viewvault"}
# The keys of XcodeGen's ProjectSpec.md, as far as they are used here.
PROJECT_KEYS = {"name", "options", "configs", "settings", "packages", "targetTemplates", "targets"}
TARGET_KEYS = {"type", "platform", "sources", "dependencies", "settings", "templates", "templateAttributes"}
SDK = ("OstiaryCore", "OstiaryContracts", "OstiaryClient", "OstiaryUI")
COLLECTED = {"Name", "EmailAddress", "PhoneNumber", "UserID", "DeviceID"}
# The calls for which Apple requires a reason, as they appear in Swift, and the reason that applies to the SDK's use of them.
REASONS = {
    "FileTimestamp": (r"\b[fl]?stat\(|\bmodificationDate\b|\bcreationDate\b|\battributesOfItem\b|\bgetattrlist", "C617.1"),
    "SystemBootTime": (r"\bsystemUptime\b|\bmach_absolute_time\b", "35F9.1"),
    "DiskSpace": (r"\bvolumeAvailableCapacity|\bsystemFreeSize\b|\bstatv?fs\(", "E174.1"),
    "UserDefaults": (r"\bUserDefaults\b|\bAppStorage\b", "CA92.1"),
}

problems = []


def must(condition, what):
    if not condition:
        problems.append(what)


def plist(path):
    try:
        return plistlib.loads(path.read_bytes())
    except (OSError, plistlib.InvalidFileException, ValueError, SyntaxError) as error:
        sys.exit(f"{path.relative_to(ROOT)}: {error}")


def filled_in(value, names):
    """A template's part with `${name}` replaced, as XcodeGen does."""
    if isinstance(value, dict):
        return {key: filled_in(part, names) for key, part in value.items()}
    if isinstance(value, list):
        return [filled_in(part, names) for part in value]
    return re.sub(r"\$\{(\w+)\}", lambda m: names[m[1]], value) if isinstance(value, str) else value


def folder(name, target):
    """The folder of an app's files, which an app for macOS shares with the one for iOS."""
    return target["templateAttributes"].get("app", name)


def check_project(project):
    """Returns each app's target, put together from its template."""
    must(set(project) <= PROJECT_KEYS, f"project.yml: unknown keys {set(project) - PROJECT_KEYS}")
    must((APPS / project["packages"]["ostiary"]["path"]).resolve() == ROOT, "project.yml: the package is not this one")
    targets = {}
    for name, target in project["targets"].items():
        attributes = target.get("templateAttributes", {}) | {"target_name": name}
        whole = dict(target)
        for template in target["templates"]:
            try:
                whole = filled_in(project["targetTemplates"][template], attributes) | whole
            except KeyError as missing:
                sys.exit(f"project.yml: {name} has no {missing}")
        must(set(whole) <= TARGET_KEYS, f"project.yml: {name}: unknown keys {set(whole) - TARGET_KEYS}")
        for source in whole["sources"]:
            must((APPS / source["path"]).exists(), f"project.yml: {name}: there is no {source['path']}")
        for dependency in whole["dependencies"]:
            must(dependency["package"] in project["packages"], f"project.yml: {name}: no package {dependency['package']}")
            must(dependency["product"] in MODULES, f"project.yml: {name}: no product {dependency['product']}")
        targets[name] = whole
    folders = {path.name for path in APPS.iterdir() if path.is_dir()} - {"Shared"}
    named = {folder(name, target) for name, target in targets.items()}
    must(named == folders, f"project.yml names {sorted(named)}, and there are {sorted(folders)}")
    must({t["platform"] for t in targets.values()} == {"iOS", "macOS"}, "there is no app for one of iOS and macOS")
    must({t["templateAttributes"]["contract"] for t in targets.values()} == CONTRACTS, "there is not one app per contract")
    return targets


def check_information(name, target, swift):
    contract = target["templateAttributes"]["contract"]
    settings = target["settings"]
    files = {configuration: APPS / settings["configs"][configuration]["INFOPLIST_FILE"] for configuration in ("Debug", "Release")}
    debug, release = plist(files["Debug"]), plist(files["Release"])
    must("NSAppTransportSecurity" not in release, f"{name}: the released app has an exception from App Transport Security")
    must(debug == release | {"NSAppTransportSecurity": {"NSAllowsLocalNetworking": True}},
         f"{name}: Info-Debug.plist is not Info.plist and local networking")
    must(release.get("API_BASE_URL") == "$(API_BASE_URL)", f"{name}: API_BASE_URL does not come from the build settings")
    for configuration in ("Debug", "Release"):
        url = settings["configs"][configuration]["API_BASE_URL"]
        must(url.startswith("https://") or (configuration == "Debug" and url == f"http://localhost:3001/{contract}"),
             f"{name}: {configuration} is at {url}")
    schemes = [scheme for kind in release["CFBundleURLTypes"] for scheme in kind["CFBundleURLSchemes"]]
    # The callback of the browser, and the schemes that AppLinks reads by default.
    must(schemes == [contract], f"{name}: its URL schemes are {schemes}")
    must(("NSFaceIDUsageDescription" in release) == bool(re.search(r"LocalAuthenticationPrompt\(|\.locking\(|KeychainBinding", swift)),
         f"{name}: NSFaceIDUsageDescription belongs to apps that lock or bind, and to them alone")
    check_words(name, folder(name, target), release)


def check_words(name, folder, information):
    """The texts of an Info.plist that the system shows, in the app's languages."""
    shown = {key: text for key, text in information.items() if key.endswith("UsageDescription")}
    path = APPS / folder / "Resources/InfoPlist.xcstrings"
    must(path.exists() == bool(shown), f"{name}: InfoPlist.xcstrings belongs to apps of whose Info.plist something is shown")
    if not path.exists():
        return
    strings = json.loads(path.read_text())["strings"]
    must(set(strings) == set(shown), f"{name}: InfoPlist.xcstrings has {sorted(strings)}, the Info.plist {sorted(shown)}")
    for key, entry in strings.items():
        said = {language: one["stringUnit"]["value"] for language, one in entry["localizations"].items()}
        must(sorted(said) == sorted(information["CFBundleLocalizations"]) and len(set(said.values())) == len(said),
             f"{name}: {key} is there in {sorted(said)}")
        must(said.get("en") == shown.get(key), f"{name}: {key} says something else in InfoPlist.xcstrings than in the Info.plist")


def check_rights(name, target):
    rights = plist(APPS / target["settings"]["base"]["CODE_SIGN_ENTITLEMENTS"])
    bundle = target["templateAttributes"]["bundle"]
    must(rights.get("keychain-access-groups") == [f"$(AppIdentifierPrefix){bundle}"], f"{name}: its keychain group is not its own")
    known = {"keychain-access-groups", "com.apple.developer.associated-domains", "com.apple.developer.applesignin"}
    if target["platform"] == "macOS":
        # The App Store requires the first, and without the second a sandboxed app reaches no server.
        sandbox = {"com.apple.security.app-sandbox", "com.apple.security.network.client"}
        must(all(rights.get(right) is True for right in sandbox), f"{name}: lacks {sandbox - set(rights)}")
        known |= sandbox
    must(set(rights) <= known, f"{name}: unknown entitlements {set(rights) - known}")
    for domain in rights.get("com.apple.developer.associated-domains", []):
        service, _, host = domain.partition(":")
        must(service in ("webcredentials", "applinks") and re.fullmatch(r"[a-z0-9.-]+", host), f"{name}: {domain}")


def manifest(name, path, swift):
    """Returns the collected data that a privacy manifest declares. It must declare the calls that the Swift makes, and no others."""
    manifest = plist(path)
    must(set(manifest) == {"NSPrivacyTracking", "NSPrivacyTrackingDomains", "NSPrivacyCollectedDataTypes", "NSPrivacyAccessedAPITypes"},
         f"{name}: the privacy manifest's keys are {sorted(manifest)}")
    must(manifest["NSPrivacyTracking"] is False and manifest["NSPrivacyTrackingDomains"] == [], f"{name}: tracks")
    declared = {entry["NSPrivacyAccessedAPIType"].removeprefix("NSPrivacyAccessedAPICategory"): entry["NSPrivacyAccessedAPITypeReasons"]
                for entry in manifest["NSPrivacyAccessedAPITypes"]}
    used = {category: [reason] for category, (calls, reason) in REASONS.items() if re.search(calls, swift)}
    must(declared == used, f"{name}: declares {declared}, and uses {used}")
    return manifest["NSPrivacyCollectedDataTypes"]


def check_privacy(name, folder, swift):
    kinds = []
    for collected in manifest(name, APPS / folder / "Resources/PrivacyInfo.xcprivacy", swift):
        kind = collected["NSPrivacyCollectedDataType"].removeprefix("NSPrivacyCollectedDataType")
        kinds.append(kind)
        must(kind in COLLECTED, f"{name}: collects {kind}")
        must(collected["NSPrivacyCollectedDataTypeLinked"] is True and collected["NSPrivacyCollectedDataTypeTracking"] is False
             and collected["NSPrivacyCollectedDataTypePurposes"] == ["NSPrivacyCollectedDataTypePurposeAppFunctionality"]
             and len(collected) == 4, f"{name}: how {kind} is used")
    must("UserID" in kinds and len(kinds) == len(set(kinds)), f"{name}: collects {kinds}")


def check_privacy_of_the_sdk():
    """One manifest, in the module that every app links, covers all modules of an app."""
    code = "".join(path.read_text() for module in SDK for path in (ROOT / "Sources" / module).rglob("*.swift"))
    # The app declares which personal data is sent, and why: it chose the contract, and operates the server.
    must(manifest("the SDK", ROOT / "Sources/OstiaryClient/PrivacyInfo.xcprivacy", code) == [], "the SDK: collects something by itself")


def main():
    targets = check_project(yaml.safe_load((APPS / "project.yml").read_text()))
    for name, target in targets.items():
        swift = "".join(path.read_text() for path in sorted((APPS / folder(name, target)).rglob("*.swift")))
        shared = "".join(path.read_text() for path in sorted((APPS / "Shared").rglob("*.swift")))
        check_information(name, target, swift)
        check_rights(name, target)
        check_privacy(name, folder(name, target), swift + shared)
    check_privacy_of_the_sdk()
    if problems:
        sys.exit("\n".join(problems))
    print(f"the project, property lists and privacy manifests of {len(targets)} example apps agree, and the SDK has a manifest of its own")


if __name__ == "__main__":
    main()
