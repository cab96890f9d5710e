"""The package as apps add it: in a git repository, by its URL and a version."""

import os
import shutil
import subprocess

from built_modules import BUILD_OPTIONS, ROOT

PLACE = ROOT / ".build-consumers"
# One folder for all consumers, one after another: a second folder would need a complete build of its own.
FOLDER = PLACE / "consumer"
# Consumers that are built one after another enable the same traits: with others, all modules are compiled again.
TRAITS = ["NIO", "Metrics", "Hummingbird"]
# The settings that Xcode 26 writes into a new project.
TEMPLATE = """.defaultIsolation(MainActor.self), .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InferIsolatedConformances"), .enableUpcomingFeature("NonisolatedNonsendingByDefault")"""


def run(command, **options):
    # The order in which SwiftPM names traits to the compiler, see the Makefile.
    environment = os.environ | {"SWIFT_DETERMINISTIC_HASHING": "1"}
    environment.pop("OSTIARY_TEST_STRICT", None)
    return subprocess.run(
        [str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment, **options)


def dependency(url, version, traits=TRAITS):
    """The line of a manifest that adds the package."""
    listed = ", ".join(f'"{trait}"' for trait in traits)
    return f'.package(url: "{url}", exact: "{version}", traits: [{listed}])'


def publish():
    """Creates a repository from the working tree. Returns its URL and version; the same tree has the same version."""
    repository = PLACE / "ostiary"
    shutil.rmtree(repository, ignore_errors=True)
    repository.mkdir(parents=True)
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, check=True,
                            capture_output=True).stdout.decode().split("\0")
    for name in listed:
        if (ROOT / name).is_file():
            (repository / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, repository / name, follow_symlinks=False)
    os.environ |= {f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER")
                   for what, value in (("NAME", "ostiary"), ("EMAIL", "ostiary@example.com"), ("DATE", "2026-01-01T00:00:00Z"))}

    def git(*arguments):
        return subprocess.run(["git", "-C", repository, *arguments], check=True, capture_output=True, text=True).stdout.strip()

    git("init", "--quiet")
    git("add", "--all")
    git("commit", "--quiet", "--message", "The package")
    # SwiftPM caches the commit of a version.
    version = f"1.0.{int(git('rev-parse', 'HEAD^{tree}')[:6], 16)}"
    git("tag", version)
    return repository.as_uri(), version


def swift(system, command, *arguments):
    """Runs a command of SwiftPM for the consumer."""
    # Versions that other checks cached do not affect this one.
    options = BUILD_OPTIONS if (system, command) == ("native", "build") else []
    return run(["swift", command, *options, "--package-path", FOLDER, "--build-system", system,
                "--scratch-path", PLACE / f"build-{system}", "--security-path", PLACE / "security", *arguments])
