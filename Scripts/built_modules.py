"""The SDK's modules in a build directory, for the checks of the documentation."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MODULES = [
    "OstiaryCore", "OstiaryContracts", "OstiaryEngine", "OstiaryClient", "OstiaryUI", "OstiaryNIO", "OstiaryMetrics",
    "OstiaryMiddleware", "OstiaryAdminAPI", "OstiaryAdmin", "OstiaryTesting",
]
# The Makefile's options of builds. One build directory needs the same in each call, or everything is built anew.
BUILD_OPTIONS = os.environ.get("BUILD_OPTIONS", "").split()
# The build directories of `Apple/`, each with the variables that select the simulated platform.
APPLE_BUILDS = {".build": {}, ".build-macos": {"APPLE_SHIM_OS": "macOS"}}


def run(arguments, **options):
    process = subprocess.run([str(a) for a in arguments], capture_output=True, text=True, **options)
    return process.returncode, process.stdout + process.stderr


def c_modules(built):
    """The compiler options for the C modules that SwiftNIO's modules depend on."""
    maps = [*built.glob("*.build/module.modulemap")]
    for scratch in built.parents:
        maps += scratch.glob("checkouts/*/Sources/*/include/module.modulemap")
    return [part for path in maps for part in ("-Xcc", f"-fmodule-map-file={path}")]


def build_apple(scratch, environment):
    """Builds the package in `Apple/` as one of the platforms."""
    code, output = run(
        ["swift", "build", *BUILD_OPTIONS, "--build-tests", "--package-path", ROOT / "Apple",
         "--scratch-path", ROOT / "Apple" / scratch],
        env=os.environ | environment)
    if code != 0:
        sys.exit(f"{output}\nApple/ does not build ({scratch})")
