"""The servers that other checks run on: one on SQLite, or nodes on PostgreSQL, optionally through PgBouncer."""

import contextlib

from drills.cluster import Cluster, Database, encryption_key
from drills.needing import needing
from peers.guard import Guard
from peers.pgbouncer import PgBouncer
from server import Inbox, serving


class Inboxes(Inbox):
    """The development inboxes of nodes: a message is in that of the node which delivered it."""

    def __init__(self, nodes):
        super().__init__(nodes[0].wire)
        self.each = [Inbox(node.wire) for node in nodes]

    def messages(self, app, to):
        found = [message for inbox in self.each for message in inbox.messages(app, to)]
        return sorted(found, key=lambda message: message["sent_at"], reverse=True)


def options(parser, nodes=False, pooled=False):
    """Adds the arguments that select the servers of a check."""
    parser.add_argument("--store", choices=["sqlite", "postgres"], default="sqlite")
    if nodes:
        parser.add_argument("--nodes", type=int, default=1, help="how many, on one PostgreSQL")
    if pooled:
        parser.add_argument("--pooled", action="store_true", help="through PgBouncer, in transaction mode")


def needed(arguments, main):
    """Runs `main`, or reports which programs are missing for it."""
    programs = ["postgres"] if arguments.store == "postgres" else []
    return needing(main, *programs, *(["pgbouncer"] if getattr(arguments, "pooled", False) else []))


@contextlib.contextmanager
def standing(program, configuration, checks, arguments):
    """The servers, one or more; their shutdown is a check."""
    if arguments.store == "sqlite":
        with serving(program, configuration, checks) as server:
            yield [server]
        return
    with Guard() as guard:
        database = Database(guard)
        store = database.url()
        if getattr(arguments, "pooled", False):
            bouncer = PgBouncer(guard, database.primary, ostiary=database.password).start()
            store = database.url(port=bouncer.port, pooler="transaction")
        cluster = Cluster(program, guard, getattr(arguments, "nodes", 1), lambda base: {"public_url": base} | configuration | {
            "store": store, "encryption_key": encryption_key()})
        yield cluster.start().nodes
        cluster.stop(checks)
