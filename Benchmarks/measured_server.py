"""A server with a person in an app of each kind of access token, and the requests whose cost is measured."""

import http.client
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Server/Tests/BlackBox"))
from apps import App  # noqa: E402
from server import Server, app, development  # noqa: E402

# One app with access tokens of ES256, one of HS256.
APPS = ("clarity", "vici")


class MeasuredServer:
    """One build that serves, with a connection that is kept and rate limits that are not reached."""

    def __init__(self, program, directory, within=30, limits=None, **settings):
        rates = {kind: {"address": "1000000/1s", "identifier": "1000000/1s"} for kind in ("sign_in", "refresh", "register", "other")}
        entries = {name: app(name, rate_limits=rates, **settings) for name in APPS}
        for entry in entries.values():
            # Builds to compare with may not know these keys, whose limits are not reached here.
            for key in ("registration", "stuffing", "spraying"):
                del entry[key]
        self.server = Server(program, directory, development(**entries) | ({"limits": limits} if limits else {}))
        self.server.start(within)
        self.connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=120)
        self.apps = {name: App(self.server.wire, None, name) for name in entries}
        self.people = {name: target.register() for name, target in self.apps.items()}

    def ask(self, name, endpoint, body=None, bearer=None, path=None):
        headers = {"Authorization": f"Bearer {bearer}"} if bearer else {}
        if body is not None:
            headers["Content-Type"] = "application/json"
        method, path = ("GET", path) if path else (endpoint.method, endpoint.path)
        self.connection.request(method, f"/{name}{path}", None if body is None else json.dumps(body), headers)
        answer = self.connection.getresponse()
        content = answer.read()
        if answer.status not in (200, 201):
            raise RuntimeError(f"{method} {path}: {answer.status} {content[:200]}")
        return content

    def current_user(self, name):
        target, person = self.apps[name], self.people[name]
        self.ask(name, target[target.contract.guarded], bearer=person.access)

    def verify(self, name):
        self.ask(name, None, bearer=self.people[name].access, path="/verify")

    def refresh(self, name):
        target, person = self.apps[name], self.people[name]
        endpoint = target["refresh"]
        body = json.loads(self.ask(name, endpoint, {next(iter(endpoint.fields)): person.refresh}))
        data = body["data"] if target.contract.enveloped else body
        person.access, person.refresh = data[target.contract.access], data[target.contract.refresh]

    def sign_in(self, name):
        target, person = self.apps[name], self.people[name]
        self.ask(name, target["login"], person.credentials)
