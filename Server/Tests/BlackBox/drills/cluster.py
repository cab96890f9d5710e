"""Equal nodes on one store, and their database."""

import base64
import secrets
from pathlib import Path

from peers.balancer import Balancer
from peers.postgres import UNSAFE, Postgres, url
from server import Server, app, free_port

APPS = {"vici": app("vici"), "barqnet": app("barqnet")}


def production(store, public_url, post, **apps):
    """The configuration of every node."""
    return {"mode": "production", "public_url": public_url, "store": store, "trusted_proxies": ["127.0.0.1/32"],
            "encryption_key": encryption_key(), "apps": apps or APPS,
            **post.configuration}


def encryption_key():
    return base64.b64encode(secrets.token_bytes(32)).decode()


class Node(Server):
    """A server that its guard ends."""

    def __init__(self, program, guard, name, configuration):
        directory = Path(guard.directory) / name
        directory.mkdir()
        super().__init__(program, directory, configuration)
        self.guard, self.name = guard, name

    def start(self, within=30):
        seconds = super().start(within)
        self.guard.watch(self.process.pid)
        return seconds

    def stop(self, within=15):
        status = super().stop(within)
        self.guard.forget(self.process.pid)
        return status

    def kill(self):
        super().kill()
        self.guard.forget(self.process.pid)


    @property
    def complaints(self):
        """The lines of its log that report errors."""
        return [line[:600] for line in self.log.read_text(errors="replace").splitlines() if '"level":"error"' in line]


class Cluster:
    """Nodes with one configuration, and nginx before them if `balanced`."""

    def __init__(self, program, guard, count, configure, balanced=False, names="node"):
        """`configure(public_url)` returns the configuration. The public URL is nginx's, or the first node's."""
        self.nodes = [Node(program, guard, f"{names}-{index}", None) for index in range(count)]
        self.balancer = Balancer(guard, [node.port for node in self.nodes]) if balanced else None
        self.base = (self.balancer or self.nodes[0]).base
        configuration = configure(self.base)
        for node in self.nodes:
            node.configuration = configuration | (
                {"admin": {"listen": f"127.0.0.1:{free_port()}"}} if configuration["mode"] == "production" else {})

    def start(self):
        for node in self.nodes:
            node.start()
        if self.balancer:
            self.balancer.start()
        return self

    def stop(self, checks):
        for node in self.nodes:
            if checks.that(f"{node.name} runs to the end", node.lives, "runs", node.process.poll()):
                checks.equal(f"SIGTERM ends {node.name} with exit status 0", 0, node.stop())
            if checks.failed:
                print(f"{node.name} said:", *node.complaints[-6:], sep="\n  ", flush=True)
        if self.balancer:
            self.balancer.stop()
            if checks.failed:
                lines = self.balancer.log.read_text(errors="replace").splitlines()
                print("nginx said:", *lines[-12:], sep="\n  ", flush=True)


class Database:
    """One PostgreSQL, with a database and an owner of it."""

    def __init__(self, guard, name="postgres", tls=False, **settings):
        self.primary = Postgres(guard, name, settings=UNSAFE | settings).create()
        if tls:
            self.primary.secure()
        self.primary.start()
        self.password = self.primary.database()
        self.servers = [self.primary]

    def url(self, port=None, **parameters):
        """The `store` of a configuration; with `port`, through a proxy in front of the database."""
        if port is not None:
            return f"postgres://ostiary:{self.password}@127.0.0.1:{port}/ostiary" + (
                "?" + "&".join(f"{name}={value}" for name, value in parameters.items()) if parameters else "")
        return url(self.servers, "ostiary", self.password, **parameters)

    def sql(self, text):
        return self.primary.sql(text, "ostiary")


class Pair(Database):
    """A primary and a standby that confirms every commit."""

    def __init__(self, guard, **settings):
        super().__init__(guard, wal_keep_size="64MB", **settings)
        self.standby = Postgres(guard, "second", settings=UNSAFE | settings | {"wal_keep_size": "64MB"})
        self.servers.append(self.standby)
        self.rebuild()

    def promote(self):
        """Promotes the standby to the primary, which waits for no standby until there is one again."""
        self.standby.promote()
        self.primary, self.standby = self.standby, self.primary
        self.primary.set_aside()

    def rebuild(self, within=30):
        """Makes the former primary a standby of the new one, and lets commits wait for it."""
        self.standby.copy_of(self.primary).start()
        self.primary.set_aside(synchronous_standby_names="*")
        self.primary.reload()
        self.primary.await_sql(
            "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync' AND state = 'streaming'", "1", within)
