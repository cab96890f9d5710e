"""A WSGI application on a free loopback port, with a record of its requests, and failures on demand."""

import contextlib
import io
import json
import logging
import re
import socket
import struct
import threading
import time
import urllib.parse
from dataclasses import dataclass

import werkzeug.serving

logging.getLogger("werkzeug").setLevel(logging.CRITICAL)


@dataclass
class Exchange:
    """One request and its answer."""
    method: str
    path: str
    query: dict
    headers: dict
    body: bytes
    status: int = 0
    answer: bytes = b""

    @property
    def form(self):
        return dict(urllib.parse.parse_qsl(self.body.decode("utf-8", "replace"), keep_blank_values=True))

    @property
    def json(self):
        return json.loads(self.answer)


class Peer:
    """Serves `application`, which gets a `base` as soon as there is one. `with` starts and stops it."""

    def __init__(self, application, host="127.0.0.1"):
        self.application, self.host = application, host
        self.exchanges = []
        self.fault = None  # Receives (environ, start_response, the real application) in place of it.
        self.faulty = re.compile("")  # The paths that the fault is for.
        self.rewrite = {}  # path's ending → a function that replaces an answer's JSON
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            self.port = listener.getsockname()[1]
        self.base = f"http://{host}:{self.port}"
        self.server = None
        self.tls = None  # (certificate file, key file)

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop()

    def start(self):
        self.server = werkzeug.serving.make_server(
            "127.0.0.1", self.port, self.answer, threaded=True, request_handler=_Handler,
            ssl_context=self.tls)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    def stop(self):
        """Stops listening: connections are refused."""
        if self.server:
            self.server.shutdown()
            self.server.server_close()
            self.server = None

    @contextlib.contextmanager
    def failing(self, fault, paths=""):
        self.fault, self.faulty = fault, re.compile(paths)
        try:
            yield
        finally:
            self.fault = None

    @contextlib.contextmanager
    def away(self):
        self.stop()
        try:
            yield
        finally:
            self.start()

    def requests(self, ending):
        return [exchange for exchange in self.exchanges if exchange.path.endswith(ending)]

    def answer(self, environ, start_response):
        path = environ["PATH_INFO"]
        if self.fault and self.faulty.search(path):
            return self.fault(environ, start_response, self.application)
        body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
        environ["wsgi.input"] = io.BytesIO(body)
        exchange = Exchange(
            environ["REQUEST_METHOD"], path, dict(urllib.parse.parse_qsl(environ["QUERY_STRING"])),
            {name[5:].replace("_", "-").lower(): value for name, value in environ.items() if name.startswith("HTTP_")},
            body)
        said = []
        exchange.answer = b"".join(self.application(environ, lambda *began: said.append(began)))
        status, headers = said[0][:2]
        exchange.status = int(status.split()[0])
        self.exchanges.append(exchange)
        for ending, change in self.rewrite.items():
            if path.endswith(ending) and exchange.status == 200:
                exchange.answer = json.dumps(change(json.loads(exchange.answer))).encode()
        headers = [pair for pair in headers if pair[0].lower() != "content-length"]
        start_response(status, [*headers, ("Content-Length", str(len(exchange.answer)))])
        return [exchange.answer]


class _Handler(werkzeug.serving.WSGIRequestHandler):
    def log(self, *_):
        pass


# Failures on demand.

def status(code, body=b'{"error": "server_error"}', headers=()):
    def fault(environ, start_response, _):
        start_response(f"{code} Said", [("Content-Type", "application/json"), ("Content-Length", str(len(body))),
                                        *headers])
        return [body]
    return fault


def garbage(environ, start_response, _):
    start_response("200 OK", [("Content-Type", "application/json")])
    return [b"\xff\xfe{not json at all" * 20]


def html(environ, start_response, _):
    start_response("200 OK", [("Content-Type", "text/html")])
    return [b"<!doctype html><title>Maintenance</title><p>Back soon"]


def huge(environ, start_response, _):
    """10 MB of JSON that is a valid object at its end."""
    start_response("200 OK", [("Content-Type", "application/json")])
    return (part for part in [b'{"x": "', *[b"y" * 100_000] * 100, b'"}'])


def silent(seconds=20):
    """Accepts the request and sends nothing."""
    def fault(environ, start_response, _):
        time.sleep(seconds)
        start_response("200 OK", [])
        return [b"{}"]
    return fault


def late(seconds):
    """Sends the right answer, after a delay."""
    def fault(environ, start_response, application):
        time.sleep(seconds)
        return application(environ, start_response)
    return fault


def trickling(environ, start_response, application):
    """Sends the right answer, a byte every fifth of a second."""
    whole = b"".join(application(environ, start_response))

    def parts():
        for byte in whole:
            yield bytes([byte])
            time.sleep(0.2)
    return parts()


def redirecting(to):
    def fault(environ, start_response, _):
        start_response("302 Found", [("Location", to), ("Content-Length", "0")])
        return [b""]
    return fault


def broken(environ, start_response, _):
    """Closes the connection without an answer."""
    connection = environ["werkzeug.socket"]
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.shutdown(socket.SHUT_RDWR)
    raise ConnectionResetError
