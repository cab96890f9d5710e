"""PgBouncer in front of a PostgreSQL, in transaction mode: a connection changes its client after every transaction."""

import contextlib
import os
import socket
import subprocess
import time
from pathlib import Path

from peers import unprivileged
from server import free_port

CONFIGURATION = """
[databases]
* = host=127.0.0.1 port={postgres}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = {users}
pool_mode = transaction
max_client_conn = 200
default_pool_size = {pool}
server_reset_query =
logfile =
pidfile =
"""


class PgBouncer:
    def __init__(self, guard, postgres, pool=8, **users):
        """`users` are names and passwords; `pool` is the number of connections that they share."""
        folder = unprivileged.folder_with("pgbouncer")
        if folder is None:
            raise unprivileged.NotInstalled("PgBouncer is not installed")
        self.program, self.guard, self.port = os.path.join(folder, "pgbouncer"), guard, free_port()
        self.log = Path(guard.directory) / "pgbouncer.log"
        names = Path(guard.directory) / "pgbouncer.users"
        names.write_text("".join(f'"{name}" "{password}"\n' for name, password in users.items()))
        self.configuration = Path(guard.directory) / "pgbouncer.ini"
        self.configuration.write_text(CONFIGURATION.format(
            postgres=postgres.port, port=self.port, users=names, pool=pool))
        for path in (names, self.configuration):
            unprivileged.hand_over(path)
        self.process = None

    def start(self, within=5):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                unprivileged.command(self.program, str(self.configuration)), stdout=log, stderr=log,
                stdin=subprocess.DEVNULL, cwd="/", start_new_session=True)
        self.guard.watch(self.process.pid)
        wait_for(self.port, self.process, within)
        return self

    def stop(self):
        self.process.terminate()
        self.process.wait(10)
        self.guard.forget(self.process.pid)


def wait_for(port, process, within, address="127.0.0.1"):
    """Waits until `port` accepts connections."""
    deadline = time.monotonic() + within
    while time.monotonic() < deadline and process.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection((address, port), timeout=1):
            return
        time.sleep(0.02)
    raise RuntimeError(f"{process.args[0]} does not take connections")
