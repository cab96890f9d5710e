"""Every request of every contract, malformed in every way: each is refused in the contract's own format."""

import json

from apps import new_password
from contracts import CONTRACTS
from expectations import header_differences, refusal, refusal_differences
from shapes import differences
from wire import JSON_TYPE

VALUES = {"a number": 7, "a fraction": 1.5, "an array": ["x"], "an object": {"x": "y"}, "a Boolean": True,
          "a string": "text", "null": None}
MATCHING = {str: {"a string"}, bool: {"a Boolean"}, dict: {"an object"}}

# Bodies that are invalid at every endpoint: name, bytes derived from a valid body's bytes, statuses.
UNREADABLE = [
    ("no JSON", lambda valid: b"{", 400),
    ("text", lambda valid: b"hello", 400),
    ("single quotes", lambda valid: b"{'a': 'b'}", 400),
    ("a trailing comma", lambda valid: valid[:-1] + b",}", 400),
    ("more after the end", lambda valid: valid + b" x", 400),
    ("two objects", lambda valid: valid + valid, 400),
    ("a comment", lambda valid: b"/* */" + valid, 400),
    ("NaN", lambda valid: valid[:-1] + b', "extra": NaN}', 400),
    ("a string", lambda valid: b'"text"', 400),
    ("a number", lambda valid: b"7", 400),
    ("null", lambda valid: b"null", 400),
    ("an array", lambda valid: b"[" + valid + b"]", 400),
    ("white space", lambda valid: b"  \n", 400),
    ("a byte order mark", lambda valid: b"\xef\xbb\xbf" + valid, 400),
    ("UTF-16", lambda valid: valid.decode().encode("utf-16-le"), 400),
    ("a NUL byte", lambda valid: valid[:-1] + b', "extra": "\0"}', 400),
    ("a NUL after the end", lambda valid: valid + b"\0", 400),
    ("a raw line break in a string", lambda valid: valid[:-1] + b', "extra": "\n"}', 400),
    ("malformed UTF-8", lambda valid: valid[:-1] + b', "extra": "\xc3\x28"}', 400),
    ("overlong UTF-8", lambda valid: valid[:-1] + b', "extra": "\xc0\xaf"}', 400),
    ("half a surrogate pair", lambda valid: valid[:-1] + b', "extra": "\\ud800"}', 400),
    ("depth 33", lambda valid: valid[:-1] + b', "extra": ' + b"[" * 32 + b"]" * 32 + b"}", 400),
    ("depth 512", lambda valid: valid[:-1] + b', "extra": ' + b'{"a":' * 511 + b"1" + b"}" * 512, 400),
    ("depth 32 000", lambda valid: b"[" * 32_000 + b"]" * 32_000, 400),
    ("depth 100 000", lambda valid: b"[" * 100_000 + b"]" * 100_000, (400, 413)),
    ("depth 60 000, unclosed", lambda valid: b"[" * 60_000, 400),
    ("a body of 1 MB", lambda valid: valid[:-1] + b', "extra": "' + b"x" * 1_000_000 + b'"}', 413),
    ("a body past 64 KiB", lambda valid: valid[:-1] + b', "extra": "' + b"x" * 65_536 + b'"}', 413),
    ("an extra key twice", lambda valid: valid[:-1] + b', "extra": 1, "extra": 1}', 400),
    ("a nested key twice", lambda valid: valid[:-1] + b', "extra": {"a": 1, "a": 2}}', 400),
]
CONTENT_TYPES = [None, "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x",
                 "application/json; charset=utf-16", "application/json;charset=utf-16", "application/xml",
                 "application/jsonp", "text/json", "json"]
METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "HEAD", "PURGE"]
BAD_AUTHORIZATION = {
    "none": [], "empty": [""], "Bearer alone": ["Bearer"], "Bearer and a space": ["Bearer "], "Basic": ["Basic eDp5"],
    "garbage": ["Bearer x"], "dots": ["Bearer a.b.c"], "100 000 dots": ["Bearer " + "." * 8_000],
    "Bearer twice": ["Bearer Bearer {token}"], "no scheme": ["{token}"], "another scheme": ["Token {token}"],
    "two headers": ["Bearer {token}", "Bearer {token}"], "more after it": ["Bearer {token} x"],
    "one letter more": ["Bearer {token}x"],
}


def run(walk):
    for name in CONTRACTS:
        Refusals(walk, walk.apps[name]).run()


class Refusals:
    def __init__(self, walk, app):
        self.checks, self.app, self.contract = walk.checks, app, app.contract
        self.person = app.register() if "login" in self.contract.endpoints else None

    def run(self):
        for name, endpoint in self.contract.endpoints.items():
            label = f"{self.contract.name} {name}"
            if endpoint.method != "GET" and endpoint.fields:
                self.fields(label, endpoint)
                self.bodies(label, endpoint)
                self.content_types(label, endpoint)
            if endpoint.bearer and name != "logout" and self.person:
                self.authorization(label, endpoint)
        self.methods()
        self.paths()
        if self.person:
            self.harmless()

    def send(self, endpoint, body, content_type=JSON_TYPE, headers=()):
        """Sends with a token of a new session where the endpoint requires one: a success may have ended the last session."""
        bearer = self.app.sign_in(self.person).access if endpoint.bearer else None
        return self.app.wire.send(endpoint.method, endpoint.path, body=body, content_type=content_type, bearer=bearer,
                                  headers=headers)

    def refused(self, name, answer, statuses=400):
        refusal(self.checks, name, answer, self.contract, self.served(answer, statuses))

    @staticmethod
    def served(answer, statuses):
        """An operation without a configured identity provider is refused before its fields are read."""
        statuses = (statuses,) if isinstance(statuses, int) else statuses
        code = answer.json.get("code") if isinstance(answer.json, dict) else None
        return (*statuses, 503) if code == "not_configured" else statuses

    def answered(self, name, answer, endpoint):
        """Checks that the answer is a documented success or a refusal: the page does not specify which."""
        if answer.status == endpoint.status:
            found = header_differences(answer) + (
                differences(endpoint.answer, answer.json) if endpoint.answer is not None else [])
        else:
            found = refusal_differences(
                answer, self.contract, self.served(answer, (400, 401, 403, 404, 409, 429)))
        self.checks.none(name, found, str(answer))

    def fields(self, label, endpoint):
        for name, field in endpoint.fields.items():
            without = {key: value for key, value in endpoint.sample.items() if key != name}
            for what, body in (("without", without), ("with null for", endpoint.sample | {name: None})):
                answer = self.send(endpoint, json.dumps(body).encode())
                if field.required:
                    self.refused(f"{label} {what} {name}", answer)
                else:
                    self.answered(f"{label} {what} {name}", answer, endpoint)
                    if not field.unsaid:
                        self.checks.that(f"{label} {what} {name} is not a bad request", answer.status != 400,
                                         "anything but 400", answer)
            for what, value in VALUES.items():
                if what != "null" and what not in MATCHING[type(field.sample)]:
                    body = endpoint.sample | {name: value}
                    self.refused(f"{label} with {what} for {name}", self.send(endpoint, json.dumps(body).encode()))
            twice = json.dumps(endpoint.sample)[:-1] + f', "{name}": {json.dumps(field.sample)}}}'
            self.refused(f"{label} with {name} twice", self.send(endpoint, twice.encode()))
            again = f'"\\u{ord(name[0]):04x}{name[1:]}": {json.dumps(field.sample)}'
            escaped = f"{json.dumps(endpoint.sample)[:-1]}, {again}}}"
            self.refused(f"{label} with {name} twice, once escaped", self.send(endpoint, escaped.encode()))
            if isinstance(field.sample, str):
                body = endpoint.sample | {name: field.sample + "\0"}
                answer = self.send(endpoint, json.dumps(body).encode())
                if not label.endswith("logout"):
                    self.refused(f"{label} with an escaped NUL in {name}", answer, (400, 401, 404))
        body = {name.swapcase(): value for name, value in endpoint.sample.items()}
        if any(field.required for field in endpoint.fields.values()):
            self.refused(f"{label} with its names in the other case", self.send(endpoint, json.dumps(body).encode()))
            self.refused(f"{label} with an empty object", self.send(endpoint, b"{}"))

    def bodies(self, label, endpoint):
        valid = json.dumps(endpoint.sample).encode()
        for name, make, statuses in UNREADABLE:
            if not endpoint.body_may_be_empty or name != "white space":
                self.refused(f"{label} with {name}", self.send(endpoint, make(valid)), statuses)
        if not endpoint.body_may_be_empty:
            self.refused(f"{label} with an empty body", self.send(endpoint, b""))
        wanted = self.send(endpoint, valid)
        self.answered(f"{label} with its sample", wanted, endpoint)
        if wanted.status == 429:  # A code was requested for the sample's number: every repetition has to wait.
            return
        for name, more in (("an unknown field", b', "extra": {"a": [1, null, true, "x"]}}'),
                           ("an unknown null", b', "extra": null}'), ("white space around", b" }\n")):
            answer = self.send(endpoint, valid[:-1] + more)
            self.checks.that(f"{label} with {name} is answered as without", answer.status in (wanted.status, 409, 429),
                             wanted, answer)

    def content_types(self, label, endpoint):
        valid = json.dumps(endpoint.sample).encode()
        for content_type in CONTENT_TYPES:
            self.refused(f"{label} sent as {content_type!r}", self.send(endpoint, valid, content_type), 415)
        self.refused(f"{label} sent as ''", self.send(endpoint, valid, None, headers=[("Content-Type", "")]), 415)
        for content_type in ("application/json; charset=utf-8", "application/json;charset=UTF-8", "APPLICATION/JSON",
                             'application/json; charset="utf-8"'):
            answer = self.send(endpoint, valid, content_type)
            self.checks.that(f"{label} sent as {content_type!r} is read", answer.status != 415, "anything but 415",
                             answer)
        gzip = self.send(endpoint, valid, headers=[("Content-Encoding", "gzip")])
        self.refused(f"{label} called gzip", gzip, (400, 415))

    def authorization(self, label, endpoint):
        for name, values in BAD_AUTHORIZATION.items():
            headers = [("Authorization", value.replace("{token}", self.person.access)) for value in values]
            body = b"{}" if endpoint.method != "GET" else None
            answer = self.app.wire.send(endpoint.method, endpoint.path, body=body, headers=headers)
            self.refused(f"{label} with Authorization: {name}", answer, (400, 401) if name == "two headers" else 401)
        for name in ("access_token", "token", "accessToken"):
            answer = self.app.wire.send(endpoint.method, f"{endpoint.path}?{name}={self.person.access}", headers=[
                ("Cookie", f"{name}={self.person.access}")], body=b"{}" if endpoint.method != "GET" else None)
            self.refused(f"{label} with the token as {name} in query and cookie", answer, 401)

    def methods(self):
        described = self.app.wire.get("/openapi.json").json["paths"]
        for path in {endpoint.path: None for endpoint in self.contract.endpoints.values()}:
            known = {endpoint.method for endpoint in self.contract.endpoints.values() if endpoint.path == path}
            # A server may support more than the original app did, and then reports so.
            known |= {method.upper() for method in described.get(path, {})}
            for method in METHODS:
                if method in known or method == "HEAD":
                    continue
                answer = self.app.wire.send(method, path, body=b"{}" if method not in ("TRACE", "OPTIONS") else None)
                self.refused(f"{self.contract.name} {method} {path}", answer, 405)
                allowed = {one.strip() for one in (answer.header("allow") or "").split(",")}
                self.checks.that(f"{self.contract.name} {method} {path} names what is allowed", known <= allowed
                                 and method not in allowed, sorted(known), sorted(allowed))
            head = self.app.wire.send("HEAD", path)
            self.checks.that(f"{self.contract.name} HEAD {path}", head.body == b"" and (
                head.status == 405 or "GET" in known and head.status < 500), "405, or as GET", head)
            lower = self.app.wire.send(sorted(known)[0].lower(), path, body=b"{}")
            # An HTTP parser may refuse an unknown method before it has read a path, and so before the contract is known.
            found = refusal_differences(lower, self.contract, 405) if lower.status == 405 else []
            self.checks.that(f"{self.contract.name} {sorted(known)[0].lower()} {path}", lower.status in (400, 405, 501)
                             and not found, found or "400, 405 or 501", lower)

    def paths(self):
        some = next(iter(self.contract.endpoints.values())).path
        for path in ("/", "", "/nothing/here", some + "/", some + "x", some.upper(), "/" + some, some + "/..", "/%ff",
                     "/..%2f..%2fetc/passwd", "/%c0%ae%c0%ae/", "/favicon.ico", "/api/auth/sign-in", some + "%00"):
            for method in ("GET", "POST"):
                answer = self.app.wire.send(method, path, body=b"{}" if method == "POST" else None)
                self.refused(f"{self.contract.name} {method} {path!r}", answer,
                             (400, 404) if "%" in path or ".." in path else 404)

    def harmless(self):
        """Headers that must have no effect."""
        wrong = self.person.with_password(new_password())
        for header in (("X-HTTP-Method-Override", "DELETE"), ("traceparent", "zz"), ("X-Request-Id", "a" * 2000),
                       ("Accept-Language", "\x7f;q=x"), ("Cookie", "=;=;;"), ("If-None-Match", "*"),
                       ("Range", "bytes=5-1"),
                       ("Accept", "text/html"), ("Origin", "https://evil.example"), ("Expect", "nothing")):
            answer = self.app.call("login", wrong, headers=[header])
            statuses = (400, 401, 417) if header[0] in ("Expect", "Accept-Language") else 401
            if answer.body or answer.status == 401:
                self.refused(f"{self.contract.name} login, wrong, with {header[0]}", answer, statuses)
            self.checks.equal(f"{self.contract.name}: no CORS for {header[0]}", None,
                              answer.header("access-control-allow-origin"))
