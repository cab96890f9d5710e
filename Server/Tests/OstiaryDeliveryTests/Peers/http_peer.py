"""An SMS service on a free port of 127.0.0.1, for tests.

Prints one JSON object a line: first its address, then each request that it received. Ends when its standard input ends.
"""

import argparse
import base64
import hashlib
import hmac
import http.server
import json
import sys
import threading
import urllib.parse

parser = argparse.ArgumentParser()
parser.add_argument("--status", type=int, default=201)
parser.add_argument("--answer", default="{}")
parser.add_argument("--location")
parser.add_argument("--secret", default="")
parser.add_argument("--endless", action="store_true", help="answer with a body that does not end")
parser.add_argument("--silent", action="store_true", help="take the request and never answer")
arguments = parser.parse_args()


def tell(**fields):
    print(json.dumps(fields), flush=True)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        scheme, _, credentials = self.headers.get("Authorization", "").partition(" ")
        signature = "sha256=" + hmac.new(arguments.secret.encode(), body, hashlib.sha256).hexdigest()
        tell(
            method=self.command,
            path=self.path,
            type=self.headers["Content-Type"],
            credentials=base64.b64decode(credentials).decode() if scheme == "Basic" else "",
            form=dict(urllib.parse.parse_qsl(body.decode(), strict_parsing=False)),
            body=body.decode(),
            signed=hmac.compare_digest(self.headers.get("X-Signature", ""), signature),
            key=self.headers.get("Idempotency-Key", ""),
        )
        if arguments.silent:
            threading.Event().wait()
        self.send_response(arguments.status)
        if arguments.location:
            self.send_header("Location", arguments.location)
        answer = arguments.answer.encode()
        self.send_header("Content-Length", str(10**12 if arguments.endless else len(answer)))
        self.end_headers()
        self.wfile.write(answer)
        try:
            while arguments.endless:
                self.wfile.write(b" " * 65536)
        except ConnectionError:
            self.close_connection = True

    # A client that follows a redirect may send it as GET.
    do_GET = do_POST

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
threading.Thread(target=server.serve_forever, daemon=True).start()
tell(port=server.server_address[1])
sys.stdin.read()
