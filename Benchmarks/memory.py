#!/usr/bin/env python3
"""Measures the resident memory of a server: memory.py PROGRAM [--connections N]

Idle after its start; with 1,000 connections that each sent a request with an access token of its own; with 10,000 that each sent
a request and wait. They come from 64 addresses of loopback, because one network may hold a sixteenth of the connections. Each
figure is of a server of its own. Needs as many open files as connections, here and in the server.
"""

import argparse
import asyncio
import contextlib
import multiprocessing
import resource
import sys
import tempfile
import time
from pathlib import Path

from measured_server import MeasuredServer
from resident import KINDS, descriptors, resident
from results import show, write

SOURCES = 64
PERSONS = 50
MB = 1e6
# The name, the connections, whether they present a token, and the aim in megabytes.
FIGURES = [("idle", 0, False, 45), ("1,000 signed-in connections", 1000, True, 80), ("10,000 idle connections", 10_000, False, 250)]


async def opened(port, requests):
    """Opens a connection for each request, sends it and reads the answer; fifty at a time."""
    limit = asyncio.Semaphore(50)

    async def one(number, request):
        async with limit:
            source = f"127.0.1.{1 + number % SOURCES}"
            reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(source, 0))
            writer.write(request)
            head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
            length = int(head.partition("content-length: ")[2].partition("\r\n")[0] or 0)
            await reader.readexactly(length)
            if " 200 " not in head.partition("\r\n")[0]:
                raise RuntimeError(head.partition("\r\n")[0])
            return writer

    return await asyncio.gather(*(one(number, request) for number, request in enumerate(requests)))


def hold(pipe, port, requests):
    """Holds the connections until the pipe says more, in a process of its own."""
    async def holding():
        try:
            connections = await opened(port, requests)
        except (OSError, EOFError, RuntimeError) as problem:
            pipe.send(f"{type(problem).__name__}: {problem}")
            return
        pipe.send(len(connections))
        await asyncio.to_thread(pipe.recv)

    asyncio.run(holding())


def request(path, token=None):
    authorization = f"Authorization: Bearer {token}\r\n" if token else ""
    return f"GET {path} HTTP/1.1\r\nHost: localhost\r\n{authorization}\r\n".encode()


def measured(program, count, signed_in):
    with tempfile.TemporaryDirectory(prefix="ostiary-memory-") as directory, contextlib.ExitStack() as stack:
        server = MeasuredServer(program, directory, limits={"idle_timeout": 3600})
        stack.callback(server.server.stop)
        pid = server.server.process.pid
        if signed_in:
            vici = server.apps["vici"]
            persons = [vici.register() for _ in range(PERSONS)]
            requests = [request("/vici" + vici["me"].path, persons[number % PERSONS].access) for number in range(count)]
        else:
            requests = [request("/healthz")] * count
        before, files_before = resident(pid), descriptors(pid)
        if count:
            ours, theirs = multiprocessing.Pipe()
            holder = multiprocessing.Process(target=hold, args=(theirs, server.server.port, requests))
            holder.start()
            stack.callback(holder.join)
            if (answer := ours.recv()) != count:
                sys.exit(f"{count} connections: {answer}")
            stack.callback(ours.send, None)
        time.sleep(2)
        return {"bytes": resident(pid), "before": before["all"], "descriptors": descriptors(pid), "descriptors_before": files_before}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path)
    parser.add_argument("--connections", type=int, help="at most so many, where fewer files may be opened")
    options = parser.parse_args()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    rows = [["resident memory", "MB", "aim", "reached", *KINDS, "KiB each", "open files"]]
    records = {}
    for name, count, signed_in, aim in FIGURES:
        count = min(count, options.connections or count)
        if count + 300 > hard:
            sys.exit(f"{name}: {count + 300} open files are needed, {hard} are allowed")
        result = measured(options.program, count, signed_in)
        records[name] = result | {"aim": aim}
        megabytes = result["bytes"]["all"] / MB
        each = (result["bytes"]["all"] - result["before"]) / count / 1024 if count else 0
        rows.append([name, f"{megabytes:.1f}", f"< {aim}", "yes" if megabytes < aim else "no",
                     *(f"{result['bytes'][kind] / MB:.1f}" for kind in KINDS),
                     f"{each:.1f}" if count else "", f"{result['descriptors']:,}"])
    show(rows)
    write("memory", records)


if __name__ == "__main__":
    main()
