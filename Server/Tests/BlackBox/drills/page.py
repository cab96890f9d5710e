"""The blocks of `Documentation/postgresql.md`, and simulated machines to run them on."""

import contextlib
import http.client
import os
import re
import subprocess
import textwrap
import time
from pathlib import Path

from peers import authority, unprivileged
from peers.guard import kill_with_descendants
from peers.pgbouncer import wait_for
from peers.postgres import binaries
from server import free_port
from wire import Wire

PAGE = Path(__file__).resolve().parents[4] / "Documentation" / "postgresql.md"
BOX = re.compile(r"^( *)<!-- play: (.+?) -->\n\1```\w+\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
# The settings of the page for a server of 16 GB.
SIZES = {"4GB": "64MB", "12GB": "256MB", "8GB": "512MB", "2GB": "128MB"}


class Page:
    """Returns its blocks by name, with this test's addresses and folders in place of the page's."""

    def __init__(self, directory):
        self.directory = Path(directory)
        self.boxes = {name: textwrap.dedent(text) for _, name, text in BOX.findall(PAGE.read_text())}
        self.played = set()
        self.ports = {name: free_port() for name in ("postgres", "pgbouncer", "https")}

    def box(self, name, **replaced):
        """`replaced` are further texts and their replacements."""
        self.played.add(name)
        text = self.boxes[name]
        port = self.ports["postgres"]
        for old, new in ({
            "host=db1 port=5432": f"host=127.0.0.11 port={port}", "host=db1": f"host=127.0.0.11 port={port}",
            "host=db2": f"host=127.0.0.12 port={port}", "@db1,db2/": f"@127.0.0.11:{port},127.0.0.12:{port}/",
            "10.0.0.31:6432": f"127.0.0.31:{self.ports['pgbouncer']}", "listen_port = 6432":
            f"listen_port = {self.ports['pgbouncer']}", ":443 ": f":{self.ports['https']} ", "10.0.0.0/24": "127.0.0.0/8",
            "10.0.0.": "127.0.0.", r"10\.0\.0\.": r"127\.0\.0\.", "/etc/ssl/ostiary": f"{self.directory}/tls",
            "/etc/pgbouncer": str(self.directory), "/backup": f"{self.directory}/backup",
        } | replaced).items():
            text = text.replace(old, new)
        return text


class Machine:
    """A database server, with its settings in its folder, as on a real machine."""

    def __init__(self, page, guard, name, address):
        self.page, self.guard, self.name, self.address = page, guard, name, address
        self.folder = Path(guard.directory) / name
        self.data, self.binaries, self.watched, self.runs = self.folder / "main", binaries(), None, 0
        for path in (self.folder, self.folder / "home"):
            path.mkdir()
            unprivileged.hand_over(path)

    def create(self):
        """A new cluster with the page's settings, running."""
        self.run(f"initdb --pgdata {self.data} --username postgres --auth trust --encoding UTF8 --no-sync")
        settings = self.page.box("postgresql.conf")
        for old, new in SIZES.items():
            settings = settings.replace(f"= {old}", f"= {new}")
        with open(self.data / "postgresql.conf", "a") as file:
            file.write(settings + f"port = {self.page.ports['postgres']}\nunix_socket_directories = '..'\n")
        # The current user may have another name than the role.
        (self.data / "pg_hba.conf").write_text(self.page.box("pg_hba.conf", peer="trust"))
        self.run(f"pg_ctl -D {self.data} -w start")
        self.watch()
        return self

    def play(self, name, **replaced):
        """Runs a block of commands as the user that it is for; returns its output."""
        printed = self.run(self.page.box(name, **{"/var/lib/postgresql/15": str(self.folder)} | replaced))
        self.watch()
        return printed

    def query(self, name, database="ostiary", **replaced):
        return self.sql(self.page.box(name, **replaced), database)

    def sql(self, text, database="ostiary"):
        """Rows, each the texts of its columns."""
        file = self.folder / "home" / "statements.sql"
        file.write_text(text)
        unprivileged.hand_over(file)
        printed = self.run(f"psql -XqAt -F '|' -v ON_ERROR_STOP=1 -d {database} -f {file}")
        return [line.split("|") for line in printed.splitlines()]

    def run(self, script):
        # A separate file where a server may be started, which continues to write to it.
        self.runs += "pg_ctl" in script
        log = Path(self.guard.directory) / (f"{self.name}-{self.runs}.log" if "pg_ctl" in script else f"{self.name}.log")
        with open(log, "wb") as output:
            done = subprocess.run(
                unprivileged.command("bash", "-euo", "pipefail", "-c", script), stdin=subprocess.DEVNULL, stdout=output,
                stderr=output, timeout=120, cwd="/", start_new_session=True, env={
                    "PATH": f"{self.binaries}:/usr/local/bin:/usr/bin:/bin", "HOME": str(self.folder / "home"),
                    "PGPASSFILE": str(self.folder / "home" / ".pgpass"), "LC_ALL": "C", "TZ": "UTC",
                    "PGHOST": str(self.folder), "PGPORT": str(self.page.ports["postgres"]), "PGUSER": "postgres"})
        printed = log.read_text(errors="replace")
        if done.returncode:
            raise RuntimeError(f"{self.name}: {script.splitlines()[0]}: {done.returncode}: {printed[-1500:]}")
        return printed

    def remember(self, **passwords):
        """Writes passwords to the file where libpq looks for them."""
        file = self.folder / "home" / ".pgpass"
        file.write_text("".join(f"*:*:*:{name}:{password}\n" for name, password in passwords.items()))
        unprivileged.hand_over(file)

    def watch(self):
        """Makes the guard end the server."""
        with contextlib.suppress(OSError):
            pid = int((self.data / "postmaster.pid").read_text().split("\n")[0])
            if pid != self.watched:
                self.guard.watch(pid)
                self.watched = pid

    def kill(self):
        """Stops it as a power failure does."""
        kill_with_descendants(self.watched)
        deadline = time.monotonic() + 10
        with contextlib.suppress(ProcessLookupError):
            while time.monotonic() < deadline:
                os.kill(self.watched, 0)  # It is another process's child, which has to notice its end.
                time.sleep(0.01)
        self.guard.forget(self.watched)


class SecureWire(Wire):
    """HTTPS with a test certificate."""

    def __init__(self, base, context, timeout=30):
        super().__init__(base, timeout)
        self.context = context

    def below(self, prefix):
        return SecureWire(self.base + prefix, self.context, self.timeout)

    def connect(self):
        connection = http.client.HTTPSConnection(self.host, self.port, timeout=self.timeout, context=self.context)
        connection.connect()
        return connection


def certificates(directory):
    """Serves all of the page's addresses, where the machine has them."""
    made = authority.make(Path(directory) / "tls", "DNS:auth.example.com,DNS:localhost," + ",".join(
        f"IP:127.0.0.{number}" for number in (1, 11, 12, 31)))
    both = made.certificate.with_name("both.pem")
    both.write_text(made.certificate.read_text() + made.key.read_text())
    for path in (made.certificate, made.key, both):
        unprivileged.hand_over(path)
    made.certificate.parent.chmod(0o755)
    return made


@contextlib.contextmanager
def running(guard, port, address, *command):
    """Runs a program in the foreground for the length of a `with`."""
    log = Path(guard.directory) / f"{Path(command[0]).name}.log"
    with open(log, "ab") as output:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True)
    guard.watch(process.pid)
    try:
        wait_for(port, process, 5, address)
        yield process
    except RuntimeError as error:
        raise RuntimeError(f"{error}: {log.read_text(errors='replace')[-1000:]}") from None
    finally:
        process.terminate()
        process.wait(10)
        guard.forget(process.pid)
