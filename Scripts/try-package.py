#!/usr/bin/env python3
"""Installs the Debian package of `release.py` in a fresh Debian root, and follows it from the first start to the purge.

  try-package.py --package FILE --newer FILE [--image FILE] [--root DIR]

In the root: the transcript of QUICKSTART.md from the installation to a signed-in person, upgrade, sign-in with the same account, remove,
purge. The
service runs by the `ExecStart` of its unit, as its user, with what a sandbox can impose of the unit's restrictions. The program of an OCI
image runs alike. Needs root, mmdebstrap, umoci and bubblewrap. Without --root, mmdebstrap makes one.
"""

import argparse
import json
import os
import pwd
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "Server/Tests/BlackBox"))
import transcript  # noqa: E402

SUITE = "bookworm"
ADDRESS = "http://127.0.0.1:3001"
PERSON = {"email": "ann@example.com", "password": "correct horse battery"}


class Failed(Exception):
    pass


def check(what, holds, found=""):
    print(f"{'ok' if holds else 'FAILED'}: {what}" + (f": {found}" if not holds else ""), flush=True)
    if not holds:
        raise Failed(what)


def run(*words, **options):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, **options)
    if done.returncode:
        raise Failed(f"{words}: {done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def read_variables(path):
    return {name: value.strip("'") for name, value in (line.split("=", 1) for line in path.read_text().splitlines())}


class Root:
    """A Debian root."""

    def __init__(self, path):
        self.path = Path(path)

    def make(self):
        run("mmdebstrap", "--quiet", "--variant=minbase", "--include=ca-certificates", SUITE, self.path)

    def command(self, *words):
        # The program reads its arguments from /proc.
        return run("unshare", "--mount", "sh", "-c", 'mount -t proc proc "$0/proc" && exec chroot "$0" "$@"', self.path, *words,
                   env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive", "LANG": "C.UTF-8", "HOME": "/root"})

    def install(self, package):
        shutil.copy(package, self.path / "tmp" / package.name)
        shutil.copy("/etc/resolv.conf", self.path / "etc/resolv.conf")
        self.command("apt-get", "update", "--quiet")
        return self.command("apt-get", "install", "--yes", "--quiet", f"/tmp/{package.name}")

    def unit(self):
        return (self.path / "lib/systemd/system/ostiary.service").read_text()

    def user(self):
        for line in (self.path / "etc/passwd").read_text().splitlines():
            fields = line.split(":")
            if fields[0] == "ostiary":
                return int(fields[2]), int(fields[3])
        raise Failed("no user ostiary")


class Service:
    """A program in a sandbox, as a user without rights. Messages to the service manager arrive at a socket of this process.

    Read-only but for the state directory and a private /tmp; no capabilities; its own processes, IPC and host name.
    """

    def __init__(self, root, words, user, configuration, state, variables):
        self.messages = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.directory = Path(tempfile.mkdtemp(prefix="ostiary-notify-"))
        self.directory.chmod(0o755)
        path = self.directory / "notify"
        self.messages.bind(str(path))
        path.chmod(0o777)
        self.messages.settimeout(60)
        variables = variables | {"NOTIFY_SOCKET": "/mnt/notify", "WATCHDOG_USEC": "2000000"}
        self.process = subprocess.Popen(
            ["bwrap", "--ro-bind", root, "/", "--ro-bind", configuration, "/etc/ostiary", "--bind", state, "/var/lib/ostiary",
             "--tmpfs", "/tmp", "--proc", "/proc", "--dev", "/dev", "--ro-bind", self.directory, "/mnt", "--unshare-pid",
             "--unshare-ipc", "--unshare-uts", "--die-with-parent", "--new-session", "--cap-drop", "ALL",
             "--chdir", "/var/lib/ostiary", "--clearenv",
             *(word for name, value in variables.items() for word in ("--setenv", name, value)), *words],
            user=user[0], group=user[1], extra_groups=[], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    @classmethod
    def of_unit(cls, root):
        """The service that the unit in a root describes."""
        configuration = root.path / "etc/ostiary"
        words = re.search(r"^ExecStart=(.*)$", root.unit(), re.MULTILINE)[1].split()
        return cls(root.path, words, root.user(), configuration, root.path / "var/lib/ostiary",
                   read_variables(configuration / "environment"))

    def message(self):
        try:
            return self.messages.recv(4096).decode()
        except TimeoutError:
            self.process.kill()
            raise Failed(f"no message to the service manager: {self.process.stdout.read()}") from None

    def stop(self):
        # To the process itself: bubblewrap passes no signals on.
        children = run("pgrep", "--parent", self.process.pid).split()
        inner = [run("pgrep", "--parent", child).split() for child in children]
        os.kill(int(inner[0][0] if inner and inner[0] else children[0]), signal.SIGTERM)
        said = [self.message()]
        while said[-1] == "WATCHDOG=1":
            said.append(self.message())
        status = self.process.wait(timeout=60)
        shutil.rmtree(self.directory)
        self.messages.close()
        return said[-1], status


def ask(path, body, status):
    request = urllib.request.Request(f"{ADDRESS}{path}", json.dumps(body).encode(), {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            found, content = answer.status, answer.read()
    except urllib.error.HTTPError as refusal:
        found, content = refusal.code, refusal.read()
    check(f"POST {path} answers {status}", found == status, f"{found} {content}")
    return json.loads(content)


def play(root, package):
    """Types the commands of the transcript in the root; returns the service that one of them starts."""
    steps, service, began = transcript.read(HERE.parent / "QUICKSTART.md", "production"), None, time.monotonic()
    for command, output in steps:
        if command.startswith("apt install"):
            root.install(package)
        elif command == "systemctl start ostiary":
            service = Service.of_unit(root)
            check("the service is ready", (first := service.message()) == "READY=1", first)
        else:
            came = root.command("sh", "-c", command)
            check(f"{command.split(' --')[0]} prints what the page says", transcript.printed(output, came), came)
    seconds = time.monotonic() - began
    check(f"a person is signed in after {len(steps)} commands and {seconds:.0f} s",
          service and len(steps) <= transcript.COMMANDS and seconds < transcript.SECONDS)
    return service


def follow(root, package, newer):
    service = play(root, package)
    version = root.command("ostiary", "--version").strip()
    check("the program prints its version", re.fullmatch(r"\d+\.\d+\.\d+\S*", version), version)
    user, group = root.user()
    state = (root.path / "var/lib/ostiary").stat()
    check("the state directory is the service's alone", (state.st_uid, state.st_mode & 0o777) == (user, 0o700), oct(state.st_mode))
    secrets = root.path / "etc/ostiary/environment"
    check("the secrets are readable by root alone", secrets.stat().st_mode & 0o777 == 0o600, oct(secrets.stat().st_mode))
    configuration = root.path / "etc/ostiary/ostiary.yaml"
    values = read_variables(secrets).values()
    check("no secret is in the configuration", not any(value in configuration.read_text() for value in values))

    check("it gives signs of life", (sign := service.message()) == "WATCHDOG=1", sign)
    ask("/vici/api/auth/login", PERSON, 200)
    said, status = service.stop()
    check("it says that it stops, and ends with status 0", (said, status) == ("STOPPING=1", 0), (said, status))

    root.install(newer)
    service = Service.of_unit(root)
    check("the newer version is ready", service.message() == "READY=1")
    ask("/vici/api/auth/login", PERSON, 200)
    service.stop()

    root.command("apt-get", "remove", "--yes", "--quiet", "ostiary")
    check("the program is removed", not (root.path / "usr/bin/ostiary").exists())
    check("the accounts are kept", (root.path / "var/lib/ostiary/ostiary.db").exists())
    told = root.command("apt-get", "purge", "--yes", "--quiet", "ostiary")
    check("a purge keeps the accounts and says so",
          "/var/lib/ostiary was kept" in told and (root.path / "var/lib/ostiary/ostiary.db").exists(), told)


def start_image(archive, configuration, place):
    """The program of an OCI image, with the configuration of a machine and a state directory of its own."""
    layout, bundle, state = place / "layout", place / "bundle", place / "state"
    shutil.unpack_archive(archive, layout, "tar")
    version = json.loads((layout / "index.json").read_text())["manifests"][0]["annotations"]["org.opencontainers.image.ref.name"]
    run("umoci", "unpack", "--image", f"{layout}:{version}", bundle)
    bundle.chmod(0o755)
    process = json.loads((bundle / "config.json").read_text())["process"]
    user = process["user"]["uid"], process["user"]["gid"]
    check("the image's program has no rights of root", user[0] > 0, user)
    state.mkdir(mode=0o700)
    os.chown(state, *user)
    service = Service(bundle / "rootfs", process["args"], user, configuration, state, read_variables(configuration / "environment"))
    check("the image's program is ready on a read-only root", service.message() == "READY=1")
    ask("/vici/api/auth/register", PERSON, 201)
    ask("/vici/api/auth/login", PERSON, 200)
    check("and ends with status 0", service.stop() == ("STOPPING=1", 0))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--package", required=True, type=Path)
    parser.add_argument("--newer", required=True, type=Path, help="the package of a later version")
    parser.add_argument("--image", type=Path, help="the OCI image, as an archive")
    parser.add_argument("--root", type=Path, help="a Debian root that exists; it is changed")
    options = parser.parse_args()
    if pwd.getpwuid(os.getuid()).pw_name != "root":
        sys.exit("try-package.py needs root: it makes a Debian root and installs in it")
    with tempfile.TemporaryDirectory(prefix="ostiary-package-") as place:
        Path(place).chmod(0o755)
        root = Root(options.root or Path(place) / "root")
        try:
            if not options.root:
                root.make()
            follow(root, options.package, options.newer)
            if options.image:
                start_image(options.image, root.path / "etc/ostiary", Path(place))
        except Failed as failure:
            sys.exit(f"try-package: {failure}")


if __name__ == "__main__":
    main()
