"""A backend that simulates sign-in through the browser: it records requests, and the check provides the answers."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit


class Peer:
    """Serves on a free port of 127.0.0.1. `answer(method, path, query, body)` returns status, headers and JSON or None."""

    def __init__(self, answer):
        self.requests = []
        peer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                parts = urlsplit(self.path)
                length = int(self.headers.get("Content-Length") or 0)
                body = json.loads(self.rfile.read(length)) if length else None
                query = {name: values for name, values in parse_qs(parts.query, keep_blank_values=True).items()}
                peer.requests.append((self.command, parts.path, query, body))
                status, headers, content = answer(self.command, parts.path, query, body)
                data = b"" if content is None else json.dumps(content).encode()
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            do_POST = do_GET

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.base = f"http://127.0.0.1:{self.server.server_address[1]}"
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()

    def asked(self, path):
        return [request for request in self.requests if request[1] == path]

    def close(self):
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()
