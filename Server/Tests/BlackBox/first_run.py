#!/usr/bin/env python3
"""`ostiary init`, and a server under a service manager: its configuration starts as it is, and systemd's messages arrive.

  first_run.py --program PATH
"""

import argparse
import os
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import transcript
from checks import Checks
from server import clean_environment, free_port
from wire import Wire

QUICKSTART = Path(__file__).resolve().parents[3] / "QUICKSTART.md"

PRESETS = ["barqnet", "clarity", "timetracker", "viewvault", "vici"]
MAIL = "smtps://no-reply:it's%20a%20%22$ecret%22@mail.example.com:465"
PERSON = {"email": "ann@example.com", "password": "correct horse", "name": "Ann"}


class Machine:
    """A directory for the two files, and the program."""

    def __init__(self, program, directory):
        self.program, self.directory = program, Path(directory)

    def init(self, *options, environment=None, cwd=None):
        return subprocess.run(
            [self.program, "init", "--directory", str(self.directory), "--store", f"sqlite:{self.directory}/ostiary.db", *options],
            capture_output=True, text=True, timeout=30, stdin=subprocess.DEVNULL, cwd=cwd,
            env=clean_environment() | (environment or {}))

    @property
    def configuration(self):
        return self.directory / "ostiary.yaml"

    @property
    def secrets(self):
        return self.directory / "environment"

    @property
    def variables(self):
        """As a shell reads them."""
        return dict(word.split("=", 1) for word in shlex.split(self.secrets.read_text()))

    def command(self, *words):
        return subprocess.run(
            [self.program, *words, "--config", str(self.configuration)], capture_output=True, text=True, timeout=30,
            env=clean_environment() | self.variables, cwd=self.directory)


def counted(apps):
    return "1 app" if apps == 1 else f"{apps} apps"


def configurations(machine, checks):
    """Every preset alone, and all together."""
    alone = {each: ["--app", each] for each in PRESETS}
    for name, apps in (alone | {"all": sum(alone.values(), [])}).items():
        options = [*apps, "--sms", "https://sms.example.com/send"] if "barqnet" in apps else apps
        machine = Machine(machine.program, tempfile.mkdtemp(dir=machine.directory))
        done = machine.init("--domain", "auth.example.com", *options, "--mail", MAIL)
        checks.equal(f"{name}: it ends with status 0", (0, ""), (done.returncode, done.stderr))
        checked = machine.command("config", "check")
        checks.equal(f"{name}: a server reads the configuration", (0, f"ok: production, {counted(len(apps) // 2)}\n"),
                     (checked.returncode, checked.stdout))
        text, variables = machine.configuration.read_text(), machine.variables
        checks.that(f"{name}: no secret is in it", not any(value in text for value in variables.values()), "none", text)
        checks.equal(f"{name}: nor in the output", [], [key for key, value in variables.items() if value in done.stdout])
        checks.equal(f"{name}: the secrets differ", len(variables), len(set(variables.values())))
        checks.equal(f"{name}: the modes", (0o644, 0o600),
                     (machine.configuration.stat().st_mode & 0o777, machine.secrets.stat().st_mode & 0o777))
        checks.equal(f"{name}: the mail server's URL", MAIL.replace("'", "%27"), variables["MAIL_URL"])


def relative_contract(machine, checks):
    """A contract that is named by a path in the working directory, and a configuration in another directory."""
    work = machine.directory / "work"
    work.mkdir()
    contract = subprocess.run([machine.program, "contract", "show", "vici"], capture_output=True, timeout=30, check=True).stdout
    (work / "shop.json").write_bytes(contract)
    machine = Machine(machine.program, tempfile.mkdtemp(dir=machine.directory))
    for path in ["shop.json", "./shop.json"]:
        done = machine.init("--domain", "auth.example.com", "--app", f"shop={path}", "--mail", MAIL, cwd=work)
        checks.equal(f"{path}: it ends with status 0", (0, ""), (done.returncode, done.stderr))
        checked = machine.command("config", "check")
        checks.equal(f"{path}: a server reads the configuration", (0, "ok: production, 1 app\n"), (checked.returncode, checked.stdout))
        machine.configuration.unlink()
        machine.secrets.unlink()


def refusals(machine, checks):
    given = ["--domain", "auth.example.com", "--app", "vici", "--mail", MAIL]
    for name, options, word in [
            ("without a domain", ["--app", "vici"], "--domain is needed"),
            ("without an app", ["--domain", "auth.example.com"], "--app is needed"),
            ("an app's name in capitals", ["--domain", "auth.example.com", "--app", "Vici=vici"], "--app needs name=contract"),
            ("no such contract", ["--domain", "auth.example.com", "--app", "vici=nothing"], "vici=nothing"),
            ("no domain", ["--domain", "https://auth.example.com/x y", "--app", "vici"], "--domain needs"),
            ("a domain with a line", ["--domain", "auth.example.com\nmode: development", "--app", "vici"], "--domain needs"),
            ("no mail server", given[:-2], "email"),
            ("no mail URL", [*given, "--mail", "mail.example.com"], "email"),
            ("no sender", [*given, "--from", "nobody\"}"], "email"),
            ("no store", [*given, "--store", "mysql://db"], "store"),
            ("codes without text messages", ["--domain", "auth.example.com", "--app", "barqnet", "--mail", MAIL], "sms"),
            ("the same app twice", [*given, "--app", "vici"], "vici"),
            ("a directory that is not there", [*given, "--directory", str(machine.directory / "none")], "none")]:
        done = machine.init(*options)
        checks.that(f"{name}: is refused in one line", done.returncode != 0 and word in done.stderr and done.stderr.count("\n") == 1,
                    word, f"{done.returncode} {done.stderr}")
        checks.that(f"{name}: no file is named that does not exist", "ostiary.yaml:" not in done.stderr, "none", done.stderr)
        checks.equal(f"{name}: nothing is written", [], os.listdir(machine.directory))
    checks.equal("then it is made", 0, machine.init(*given).returncode)
    before = machine.configuration.read_text(), machine.secrets.read_text()
    again = machine.init(*given)
    checks.that("no file is replaced", again.returncode == 1 and "is there already" in again.stderr, "is there already", again.stderr)
    machine.configuration.unlink()
    again = machine.init(*given)
    checks.that("nor the keys of a database whose configuration is gone", again.returncode == 1, 1, again.returncode)
    checks.equal("and nothing new is left", (before[1], ["environment"]), (machine.secrets.read_text(), os.listdir(machine.directory)))


def service(machine, checks):
    """Readiness, signs of life and the end, as the manager of the service learns of them."""
    port = free_port()
    machine.init("--domain", "auth.example.com", "--app", "vici", "--mail", "smtp://127.0.0.1:9")
    for name, address, listen in [("a path", str(machine.directory / "notify"), str(machine.directory / "notify")),
                                  ("an abstract name", f"@ostiary-{os.getpid()}", f"\0ostiary-{os.getpid()}")]:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as messages:
            messages.bind(listen)
            messages.settimeout(40)
            server = subprocess.Popen(
                [machine.program, "serve", "--config", str(machine.configuration), "--data", str(machine.directory / "data"),
                 "--listen", f"127.0.0.1:{port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                env=clean_environment() | machine.variables | {"NOTIFY_SOCKET": address, "WATCHDOG_USEC": "400000"})
            try:
                checks.equal(f"{name}: ready", b"READY=1", messages.recv(100))
                checks.equal(f"{name}: it listens by then", 200, Wire(f"http://127.0.0.1:{port}").get("/readyz").status)
                checks.equal(f"{name}: signs of life", [b"WATCHDOG=1"] * 3, [messages.recv(100) for _ in range(3)])
                server.send_signal(signal.SIGTERM)
                rest = [messages.recv(100)]
                while rest[-1] == b"WATCHDOG=1":
                    rest.append(messages.recv(100))
                checks.equal(f"{name}: it stops", b"STOPPING=1", rest[-1])
                checks.equal(f"{name}: with status 0", 0, server.wait(30))
            finally:
                server.kill()
                server.wait()


def quickstart(machine, checks):
    """The transcript of a server in production. `make try-release` follows it in a fresh Debian root, the package included."""
    port, directory = free_port(), machine.directory
    steps = transcript.read(QUICKSTART, "production")
    checks.that("it has few commands", 3 <= len(steps) <= transcript.COMMANDS, transcript.COMMANDS, steps)
    (directory / "bin").mkdir()
    (directory / "bin" / "ostiary").symlink_to(machine.program)
    environment = clean_environment() | {"PATH": f"{directory}/bin:{os.environ['PATH']}", "HOME": str(directory)}
    server, played = None, []
    try:
        for command, output in steps:
            if command.startswith("apt install"):
                continue
            if command == "systemctl start ostiary":
                # As the unit of the package starts it.
                server = subprocess.Popen(
                    [machine.program, "serve", "--config", str(machine.configuration), "--data", str(directory / "data"),
                     "--listen", f"127.0.0.1:{port}"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                    env=environment | machine.variables)
                while "listening on" not in server.stdout.readline():
                    if server.poll() is not None:
                        raise RuntimeError(f"the server ended with {server.returncode}")
                continue
            options = f" --directory {directory} --store sqlite:{directory}/ostiary.db"
            words = command.replace("ostiary init", f"ostiary init{options}").replace("127.0.0.1:3001", f"127.0.0.1:{port}")
            done = subprocess.run(words, shell=True, capture_output=True, text=True, timeout=60, cwd=directory, env=environment)
            checks.equal(f"{command}: succeeds", (0, ""), (done.returncode, done.stderr))
            checks.that(f"{command}: prints what the page says", transcript.printed(output.replace("/etc/ostiary", str(directory)), done.stdout),
                        output, done.stdout)
            played.append(command.split()[0])
        checks.equal("the commands that were played", 3, len(played))
        server.terminate()
        checks.equal("SIGTERM ends the server with exit status 0", 0, server.wait(30))
    finally:
        if server:
            server.kill()
            server.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    program = str(Path(parser.parse_args().program).resolve())
    checks = Checks()
    for section, work in {"configurations": configurations, "relative contract": relative_contract, "refusals": refusals, "service": service,
                          "quickstart": quickstart}.items():
        with tempfile.TemporaryDirectory(prefix="ostiary-") as directory:
            checks.run(section, lambda: work(Machine(program, directory), checks))
    sys.exit(checks.close())


if __name__ == "__main__":
    main()
