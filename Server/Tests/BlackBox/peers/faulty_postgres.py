"""A network between a server and its PostgreSQL that is slow, silent, or breaks at a chosen moment of a commit."""

import asyncio
import socket
import struct
import threading
import time
from dataclasses import dataclass

from peers.postgres_messages import Backend, Frontend
from server import free_port

# When a unit of messages that commits a write passes, its connection breaks …
BEFORE = "before"    # … before the database has received any of it.
WITHIN = "within"    # … when the database has all of it except the message that commits.
BETWEEN = "between"  # … when it is on its way: the database executes it, and its answer is lost.
LATE = "late"        # … and the unit arrives some time later, when the client may have repeated it already.
LOCKED = "locked"    # … and the message that commits arrives later; the database has executed the rest, and holds its locks.
AFTER = "after"      # … when the database has answered, before the client receives the answer.
SILENT = "silent"    # … never: the database has answered, and both ends wait for each other.
MOMENTS = (BEFORE, WITHIN, BETWEEN, LATE, LOCKED, AFTER, SILENT)
LATER = 0.3  # Seconds.


@dataclass
class Cut:
    """The faults of writes: `skip` of them pass, then `count` are cut."""
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
    """A proxy on a free port in front of `upstream`, a port of this machine. `with` starts and stops it."""

    def __init__(self, upstream):
        self.upstream, self.port = upstream, free_port()
        self.latency = 0  # Seconds, in each direction.
        self.frozen = False  # Connections stay open, and no data passes.
        self.cut = None
        self.done = []  # The texts of the units that were cut.
        self.seen = set()  # The texts of those that passed.
        self.ignored = set()  # The texts of units that are never cut.
        self.units = 0  # The number of units that have passed.
        self.freezes_after = None  # After that number of units, no data passes any more.
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

    # Operations of a check

    def arm(self, moment, **more):
        self.done = []
        self.cut = Cut(moment, **more)

    def disarm(self):
        """Stops cutting; returns the number of writes that were cut."""
        self.cut = None
        return len(self.done)

    def learn(self, seconds):
        """Excludes the server's periodic writes, which no request causes, from cutting."""
        self.seen = set()
        time.sleep(seconds)
        self.ignored |= self.seen

    def forget(self):
        """Makes the current connections silent for ever, as a restarted firewall does. New ones work."""
        for connection in list(self.connections):
            connection.dead = True

    def freeze(self):
        """Stops all data until `thaw`, and that of the current connections for ever."""
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
            pass  # The proxy was stopped.
        finally:
            self.connections.discard(connection)
            connection.close()


class Connection:
    def __init__(self, proxy, reader, writer):
        self.proxy, self.reader, self.writer = proxy, reader, writer
        self.up_reader = self.up_writer = None
        self.dead = False
        self.frontend, self.backend = Frontend(), Backend()
        self.waiting = []  # A unit, and the action after its answer, for every Sync that is on its way.

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
        """Delays each piece by the latency."""
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
        # An orderly end: a reset could overtake data that the database has not read yet.
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
    """Sends RST, and drops the data that is still on its way."""
    own = writer.get_extra_info("socket")
    if own is not None and not writer.is_closing():
        own.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()
