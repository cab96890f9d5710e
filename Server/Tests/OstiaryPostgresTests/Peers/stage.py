"""A PostgreSQL with TLS that is killed and started on demand, and a network in front of it that fails on demand.

Prints one line of JSON, then one for every line that it reads, which is a command: a method below with its arguments. It ends
with its standard input. Exit status 69 where PostgreSQL is not installed.
"""

import json
import logging
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "BlackBox"))

from peers import unprivileged  # noqa: E402
from peers.faulty_postgres import FaultyPostgres  # noqa: E402
from peers.guard import Guard  # noqa: E402
from peers.pgbouncer import PgBouncer  # noqa: E402
from peers.postgres import UNSAFE, Postgres  # noqa: E402


class Stage:
    def __init__(self, guard, postgres, network):
        self.guard, self.postgres, self.network = guard, postgres, network

    def kill(self):
        self.postgres.kill()

    def start(self):
        self.postgres.start()

    def stop(self, mode):
        self.postgres.stop(mode)

    def set(self, *settings):
        """Replaces all settings except those of the start; returns when the server has applied them."""
        pairs = dict(setting.split("=", 1) for setting in settings)
        self.postgres.set_aside(**pairs)
        self.postgres.reload()
        for name, value in pairs.items():
            while self.postgres.sql(f"SELECT current_setting('{name}')") != [[value]]:
                time.sleep(0.02)

    def sql(self, *words):
        return self.postgres.sql(" ".join(words))

    def arm(self, moment):
        self.network.arm(moment)

    def disarm(self):
        return self.network.disarm()

    def freeze(self):
        self.network.freeze()

    def thaw(self):
        self.network.thaw()

    def reset(self):
        self.network.reset()

    def pooler(self, user, password):
        try:
            return PgBouncer(self.guard, self.postgres, **{user: password}).start().port
        except unprivileged.NotInstalled:
            return None


logging.getLogger("asyncio").setLevel(logging.CRITICAL)  # Tasks that end with the network.


def main():
    with Guard("ostiary-stage-") as guard:
        postgres = Postgres(guard, "postgres", settings=UNSAFE).create()
        authority = postgres.secure()
        with FaultyPostgres(postgres.start().port) as network:
            stage = Stage(guard, postgres, network)
            print(json.dumps({"port": postgres.port, "network": network.port, "authority": str(authority)}), flush=True)
            for line in sys.stdin:
                order, *words = line.split()
                try:
                    answer = {"answer": getattr(stage, order)(*words)}
                except Exception as problem:  # Reported to the test that sent the command.
                    answer = {"problem": str(problem)}
                print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    try:
        main()
    except (unprivileged.NotInstalled, PermissionError) as problem:
        print(problem, file=sys.stderr)
        sys.exit(69)
