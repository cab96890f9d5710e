"""Simulates responses that no simulator of Cognito gives: answers from lists, on a free port of 127.0.0.1.

Prints one JSON line: its address. Every path is a separate Cognito. POST /control with {"path", "answers": [...]} sets
the answers to the next requests there, in order, and returns the requests so far. Ends when its standard input ends.
"""

import collections
import http.server
import json
import os
import sys
import threading

lock = threading.Lock()
answers = collections.defaultdict(list)
requests = collections.defaultdict(list)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))))
        if self.path == "/control":
            with lock:
                answers[body["path"]].extend(body["answers"])
                self.reply(200, {}, json.dumps(requests[body["path"]]))
            return
        with lock:
            target = self.headers.get("X-Amz-Target", "")
            kind = self.headers.get("Content-Type", "")
            requests[self.path].append({"target": target, "type": kind, "body": body})
            left = answers[self.path]
            answer = left.pop(0) if left else {"status": 500, "body": "nothing left to say"}
        match answer.get("how"):
            case "silent":
                threading.Event().wait()
            case "broken":
                self.close_connection = True
                self.connection.close()
            case "endless":
                self.reply(200, {}, "[" + " " * 10_000_000)
            case _:
                self.reply(answer["status"], answer.get("headers", {}), answer["body"])

    def reply(self, status, headers, text):
        text = text.encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        try:
            self.wfile.write(text)
        except OSError:
            self.close_connection = True

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
threading.Thread(target=server.serve_forever, daemon=True).start()
print(json.dumps({"port": server.server_address[1]}), flush=True)
sys.stdin.read()
os._exit(0)
