"""The destinations of messages: an external mail server and an SMS webhook, shared by all nodes, so that none is lost with a node."""

import email
import email.policy
import hashlib
import hmac
import http.server
import json
import re
import secrets
import threading
import time

from aiosmtpd.controller import Controller

from server import free_port


class Post:
    """A replacement for an `Inbox`: `messages` and `wait` behave the same. `with` starts and stops it."""

    def __init__(self):
        self.kept, self.lock, self.secret = [], threading.Lock(), secrets.token_urlsafe(32)
        self.mail = Controller(_Mail(self), hostname="127.0.0.1", port=free_port())
        self.texts = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self._handler())

    def __enter__(self):
        self.mail.start()
        threading.Thread(target=self.texts.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.mail.stop()
        self.texts.shutdown()
        self.texts.server_close()

    @property
    def configuration(self):
        return {
            "email": {"kind": "smtp", "url": f"smtp://127.0.0.1:{self.mail.port}", "from": "Drill <no-reply@example.com>"},
            "sms": {"kind": "webhook", "url": f"http://127.0.0.1:{self.texts.server_port}/", "secret": self.secret},
        }

    def keep(self, channel, to, text):
        link, code = re.search(r"https?://\S+", text), re.search(r"(?<![\w-])\d{6}(?![\w-])", text)
        with self.lock:
            self.kept.append({"channel": channel, "to": to, "text": text, "link": link and link[0],
                              "code": code and code[0]})

    def messages(self, _, to):
        """Returns the messages, the newest first."""
        with self.lock:
            return [message for message in reversed(self.kept) if message["to"].lower() == to.lower()]

    def wait(self, app, to, count=1, seconds=10, holds="text", lacks=None):
        """Returns the newest message that contains a value, such as a `link` or a `code`, and does not contain another."""
        deadline = time.monotonic() + seconds
        while True:
            found = [message for message in self.messages(app, to) if message[holds] and not (lacks and message[lacks])]
            if len(found) >= count:
                return found[0]
            if time.monotonic() > deadline:
                raise RuntimeError(f"{len(found)} messages to {to} within {seconds} s, not {count}")
            time.sleep(0.02)

    def _handler(post):
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                signature = hmac.new(post.secret.encode(), body, hashlib.sha256).hexdigest()
                good = hmac.compare_digest(self.headers.get("X-Signature", ""), f"sha256={signature}")
                if good:
                    message = json.loads(body)
                    post.keep("sms", message["to"], message["text"])
                self.send_response(200 if good else 403)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        return Handler


class _Mail:
    def __init__(self, post):
        self.post = post

    async def handle_DATA(self, server, session, envelope):
        message = email.message_from_bytes(envelope.content, policy=email.policy.default)
        text = message.get_body(("plain",)).get_content()
        for recipient in envelope.rcpt_tos:
            self.post.keep("email", recipient, text)
        return "250 taken"
