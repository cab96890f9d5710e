"""The SDK's modules as a build has left them, for the checks of the documentation."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MODULES = [
    "OstiaryCore", "OstiaryContracts", "OstiaryClient", "OstiaryUI", "OstiaryNIO", "OstiaryMetrics", "OstiaryTesting",
]


def run(arguments, **options):
    process = subprocess.run([str(a) for a in arguments], capture_output=True, text=True, **options)
    return process.returncode, process.stdout + process.stderr


def c_modules(built):
    """What the compiler must be told of the modules in C on which SwiftNIO's rest."""
    maps = [*built.glob("*.build/module.modulemap")]
    for scratch in built.parents:
        maps += scratch.glob("checkouts/*/Sources/*/include/module.modulemap")
    return [part for path in maps for part in ("-Xcc", f"-fmodule-map-file={path}")]
