"""A network between a server and its PostgreSQL that is slow, goes silent, or breaks at a chosen moment of a commit."""

import asyncio
import socket
import struct
import threading
import time
from dataclasses import dataclass

from peers.postgres_messages import Backend, Frontend
from server import free_port

# When a unit of messages that commits a write passes by, its connection breaks …
BEFORE = "before"    # … before the database has any of it.
WITHIN = "within"    # … when the database has all of it but the message that commits.
BETWEEN = "between"  # … as soon as it is on its way: the database carries it out, and nobody hears of it.
LATE = "late"        # … and what was on its way arrives some time later, when it may have been repeated already.
LOCKED = "locked"    # … and so does the message that commits; the database has carried out the rest, and keeps its locks.
AFTER = "after"      # … when the database has answered, before who sent it has the answer.
SILENT = "silent"    # … never: the database has answered, and both ends wait for each other.
MOMENTS = (BEFORE, WITHIN, BETWEEN, LATE, LOCKED, AFTER, SILENT)
LATER = 0.3  # Seconds.


@dataclass
class Cut:
    """What is to happen to writes: `skip` of them pass, then `count` are cut."""
    moment: str
    count: int = 1
    skip: int = 0

    def takes(self):
        if self.count <= 0:
            return False
        if self.skip > 0:
            self.skip -= 1
            return False
        self.count -= 1
        return True


class FaultyPostgres:
    """A proxy on a free port in front of `upstream`, a port of this machine. `with` begins and ends it."""

    def __init__(self, upstream):
        self.upstream, self.port = upstream, free_port()
        self.latency = 0  # Seconds, in each direction.
        self.frozen = False  # Connections stay open, and nothing passes.
        self.cut = None
        self.done = []  # The texts of the units that were cut.
        self.seen = set()  # The texts of those that passed.
        self.ignored = set()  # The texts of those that are never cut.
        self.units = 0  # How many have passed.
        self.freezes_after = None  # As soon as so many have, nothing passes any more.
        self.connections = set()
        self.loop = asyncio.new_event_loop()

    def __enter__(self):
        ready = threading.Event()
        self.thread = threading.Thread(target=self._run, args=(ready,), daemon=True)
        self.thread.start()
        ready.wait(5)
        return self

    def __exit__(self, *_):
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(5)

    def _run(self, ready):
        asyncio.set_event_loop(self.loop)
        self.loop.run_until_complete(asyncio.start_server(self._serve, "127.0.0.1", self.port))
        self.loop.call_soon(ready.set)
        self.loop.run_forever()
        left = asyncio.all_tasks(self.loop)
        for task in left:
            task.cancel()
        self.loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
        self.loop.close()

    # What a check does

    def arm(self, moment, **more):
        self.done = []
        self.cut = Cut(moment, **more)

    def disarm(self):
        """Nothing is cut any more; answers how many writes were."""
        self.cut = None
        return len(self.done)

    def learn(self, seconds):
        """What the server writes by itself, while nobody asks it for anything, is not cut from now on."""
        self.seen = set()
        time.sleep(seconds)
        self.ignored |= self.seen

    def forget(self):
        """The connections of now never carry anything again, as when a firewall was restarted. New ones do."""
        for connection in list(self.connections):
            connection.dead = True

    def freeze(self):
        """From now on nothing passes until `thaw`, and on the connections of now nothing ever again."""
        self.frozen = True
        self.forget()

    def thaw(self):
        self.frozen = False

    def reset(self):
        """Breaks every connection."""
        self.loop.call_soon_threadsafe(lambda: [connection.reset() for connection in list(self.connections)])

    async def _serve(self, reader, writer):
        connection = Connection(self, reader, writer)
        self.connections.add(connection)
        try:
            await connection.carry()
        except asyncio.CancelledError:
            pass  # The end of the proxy.
        finally:
            self.connections.discard(connection)
            connection.close()


class Connection:
    def __init__(self, proxy, reader, writer):
        self.proxy, self.reader, self.writer = proxy, reader, writer
        self.up_reader = self.up_writer = None
        self.dead = False
        self.frontend, self.backend = Frontend(), Backend()
        self.waiting = []  # A unit, and what to do when it has been answered, for every Sync that is on its way.

    async def carry(self):
        while self.proxy.frozen:
            await asyncio.sleep(0.01)
        try:
            self.up_reader, self.up_writer = await asyncio.open_connection("127.0.0.1", self.proxy.upstream)
        except OSError:
            return self.reset()
        down, up = asyncio.Queue(), asyncio.Queue()
        tasks = [asyncio.ensure_future(work) for work in (
            self._to_database(up), self._to_server(down), self._read(self.reader, up), self._read(self.up_reader, down))]
        try:
            await asyncio.wait(tasks[:2], return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()

    async def _read(self, reader, queue):
        """Each piece is on its way for as long as the latency says."""
        try:
            while piece := await reader.read(65536):
                queue.put_nowait((time.monotonic() + self.proxy.latency, piece))
        except OSError:
            pass
        queue.put_nowait((time.monotonic() + self.proxy.latency, b""))

    async def _arrived(self, queue):
        at, piece = await queue.get()
        await asyncio.sleep(max(0, at - time.monotonic()))
        while self.dead or self.proxy.frozen:
            await asyncio.sleep(0.02)
        return piece

    async def _to_database(self, queue):
        held = []
        while piece := await self._arrived(queue):
            for message, unit in self.frontend.read(piece):
                held.append(message)
                if unit is None and self.frontend.within_unit(message):
                    continue
                moment = self._moment(unit)
                if moment in (None, AFTER, SILENT):
                    if unit is not None:
                        self.waiting.append(moment)
                    self.up_writer.writelines(held)
                    held = []
                    self._count(unit)
                else:
                    return await self._break(moment, held)

    def _count(self, unit):
        if unit is not None:
            self.proxy.units += 1
            if self.proxy.units == self.proxy.freezes_after:
                self.proxy.freeze()

    async def _break(self, moment, held):
        if moment == BEFORE:
            return self.reset()
        first, last = {WITHIN: (held[:-1], []), BETWEEN: (held, []), LATE: ([], held), LOCKED: (held[:-1], held[-1:])}[moment]
        self.up_writer.writelines(first)
        await self.up_writer.drain()
        _reset(self.writer)
        await asyncio.sleep(LATER if last else 0.02)
        self.up_writer.writelines(last)
        if moment == WITHIN:
            return _reset(self.up_writer)
        # An orderly end: a reset could overtake what the database has not read yet.
        self.up_writer.write_eof()
        await asyncio.sleep(1)

    def _moment(self, unit):
        if unit is None or not unit.commits_a_write:
            return None
        text, cut = " · ".join(unit.texts), self.proxy.cut
        self.proxy.seen.add(text)
        if cut is None or text in self.proxy.ignored or not cut.takes():
            return None
        self.proxy.done.append(text)
        return cut.moment

    async def _to_server(self, queue):
        while piece := await self._arrived(queue):
            for message, ready in self.backend.read(piece):
                if self.waiting and self.waiting[0] == AFTER:
                    if ready:
                        return self.reset()
                    continue
                if self.waiting and self.waiting[0] == SILENT:
                    if ready:
                        self.dead = True
                        while True:
                            await asyncio.sleep(1)
                    continue
                if not self.writer.is_closing():
                    self.writer.write(message)
                if ready and self.waiting:
                    self.waiting.pop(0)

    def reset(self):
        for writer in (self.writer, self.up_writer):
            if writer is not None:
                _reset(writer)

    def close(self):
        for writer in (self.writer, self.up_writer):
            if writer is not None:
                writer.close()


def _reset(writer):
    """RST, whatever is still on its way."""
    own = writer.get_extra_info("socket")
    if own is not None and not writer.is_closing():
        own.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()
