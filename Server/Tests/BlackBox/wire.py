"""HTTP without abstraction: one request, one answer, no retries, no redirects, no hidden headers."""

import http.client
import json
import urllib.parse
from dataclasses import dataclass, field

NOT_JSON = object()
JSON_TYPE = "application/json"
FORM = "application/x-www-form-urlencoded"


@dataclass(frozen=True)
class Answer:
    status: int
    headers: list
    body: bytes = field(repr=False)

    def header(self, name):
        """Returns all values of a header in one string, or None."""
        values = [value for key, value in self.headers if key.lower() == name.lower()]
        return ", ".join(values) if values else None

    @property
    def json(self):
        """Returns the parsed body, or `NOT_JSON`; a body with duplicate keys counts as invalid."""
        try:
            return json.loads(self.body.decode("utf-8"), object_pairs_hook=unique_keys)
        except ValueError:
            return NOT_JSON

    def __str__(self):
        return f"{self.status} {self.body[:240].decode('utf-8', 'replace')}"


def unique_keys(pairs):
    if len({key for key, _ in pairs}) != len(pairs):
        raise ValueError("duplicate key")
    return dict(pairs)


class Wire:
    """Sends requests to one base URL; the base and the paths are concatenated."""

    def __init__(self, base, timeout=30):
        self.base = base.rstrip("/")
        parts = urllib.parse.urlsplit(self.base)
        self.host, self.port, self.prefix, self.timeout = parts.hostname, parts.port or 80, parts.path, timeout

    def below(self, prefix):
        return Wire(self.base + prefix, self.timeout)

    def connect(self):
        connection = http.client.HTTPConnection(self.host, self.port, timeout=self.timeout)
        connection.connect()
        return connection

    def send(self, method, path, json_body=None, *, body=None, content_type=JSON_TYPE, bearer=None, headers=(),
             connection=None):
        """Sends `json_body` as JSON, or the bytes `body` unchanged; `content_type` None omits the header.

        `headers` is a list of pairs, so that one can be sent twice.
        """
        if json_body is not None:
            body = json.dumps(json_body).encode()
        own = connection is None
        connection = connection or self.connect()
        try:
            connection.putrequest(method, self.prefix + path, skip_accept_encoding=True)
            if body is not None:
                connection.putheader("Content-Length", str(len(body)))
                if content_type:
                    connection.putheader("Content-Type", content_type)
            elif method in ("POST", "PUT", "PATCH"):
                connection.putheader("Content-Length", "0")
            if bearer is not None:
                connection.putheader("Authorization", f"Bearer {bearer}")
            for name, value in headers:
                connection.putheader(name, value)
            try:
                connection.endheaders()
                if body:
                    connection.send(body)
            except (BrokenPipeError, ConnectionResetError):
                pass  # A server may refuse a large body before it has read all of it; its answer can still be read.
            response = connection.getresponse()
            return Answer(response.status, response.getheaders(), response.read())
        finally:
            if own:
                connection.close()

    def get(self, path, **more):
        return self.send("GET", path, **more)

    def post(self, path, json_body=None, **more):
        return self.send("POST", path, json_body, **more)
