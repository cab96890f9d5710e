"""A receiver of events, which verifies every request with the reference library of Standard Webhooks."""

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from standardwebhooks import Webhook, WebhookVerificationError


class Request:
    """One request, with the secrets whose signature it has."""

    def __init__(self, path, headers, body, secrets):
        self.path, self.headers, self.body, self.at = path, headers, body, time.monotonic()
        self.verified = [secret for secret in secrets if verifies(secret, body, headers)]
        self.event = json.loads(body)

    @property
    def id(self):
        return self.headers.get("webhook-id")

    @property
    def type(self):
        return self.event["type"]

    @property
    def data(self):
        return self.event["data"]


def verifies(secret, body, headers):
    try:
        Webhook(secret).verify(body, headers)
        return True
    except WebhookVerificationError:
        return False


class QuietServer(ThreadingHTTPServer):
    """A server that prints nothing about connections of a program that was killed."""

    daemon_threads = True

    def handle_error(self, request, client_address):
        pass


class Receiver:
    """An HTTP server that keeps requests and answers as `answer(request)` says: a status, a triple of status, headers and body,
    or a function that writes to the handler."""

    def __init__(self):
        self.secrets, self.requests, self.answer = [], [], lambda request: 204
        self.changed = threading.Condition()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                headers = {name.lower(): value for name, value in self.headers.items()}
                request = Request(self.path, headers, body, receiver.secrets)
                with receiver.changed:
                    receiver.requests.append(request)
                    receiver.changed.notify_all()
                answer = receiver.answer(request)
                if callable(answer):
                    return answer(self)
                status, more, text = answer if isinstance(answer, tuple) else (answer, {}, b"")
                self.send_response(status)
                for name, value in more.items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(text)))
                self.end_headers()
                try:
                    self.wfile.write(text)
                except OSError:
                    self.close_connection = True

            def do_GET(self):
                with receiver.changed:
                    receiver.requests.append(None)
                self.send_error(404)

            def log_message(self, *_):
                pass

        self.server = QuietServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()

    def url(self, path="/events"):
        return f"http://127.0.0.1:{self.port}{path}"

    def wait(self, condition, seconds=15):
        """Returns the requests for which `condition` is true of their list, at the latest after `seconds`."""
        deadline = time.monotonic() + seconds
        with self.changed:
            while not condition(self.requests):
                left = deadline - time.monotonic()
                if left <= 0:
                    raise RuntimeError(f"not received in {seconds} s; there are {[r and r.type for r in self.requests]}")
                self.changed.wait(left)
            return list(self.requests)

    def types(self, count, seconds=15):
        """Returns the types of the first `count` requests."""
        return [request.type for request in self.wait(lambda all: len(all) >= count, seconds)]

    def clear(self):
        with self.changed:
            self.requests.clear()

    def close(self):
        self.server.shutdown()
        self.server.server_close()
