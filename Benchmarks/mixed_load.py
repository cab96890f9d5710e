"""The load of a soak: threads that ask, refresh, sign in, register and are refused, on connections of their own."""

import collections
import http.client
import json
import random
import secrets
import threading
import time

from apps import App, new_email, new_password

# Of a hundred requests.
MIX = {"current_user": 54, "refresh": 20, "sign_in": 8, "register": 4, "wrong_credentials": 6, "forged_token": 3,
       "unknown_refresh_token": 2, "malformed": 1, "unknown_path": 2}
REQUESTS_OF_A_CONNECTION = 200
PERSONS = 20
# In seconds. A server under callgrind takes some for a hash.
PATIENCE = 120


class Visitor:
    """One thread's persons and its connection. Each kind of request returns its status and those that are expected."""

    def __init__(self, server, name, seed, persons=PERSONS):
        self.app, self.port = App(server.wire, None, name), server.port
        self.random, self.connection, self.sent = random.Random(seed), None, 0
        self.persons = [self.app.register() for _ in range(persons)]

    def send(self, method, path, body=None, bearer=None):
        if self.sent % REQUESTS_OF_A_CONNECTION == 0:
            if self.connection:
                self.connection.close()
            self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        self.sent += 1
        headers = {"Content-Type": "application/json"} if body is not None else {}
        if bearer:
            headers["Authorization"] = f"Bearer {bearer}"
        self.connection.request(method, f"/{self.app.name}{path}", body, headers)
        answer = self.connection.getresponse()
        return answer.status, answer.read()

    def post(self, operation, body):
        endpoint = self.app[operation]
        return self.send(endpoint.method, endpoint.path, json.dumps(body))

    def ask(self, bearer):
        endpoint = self.app[self.app.contract.guarded]
        return self.send(endpoint.method, endpoint.path, bearer=bearer)[0]

    def present(self, refresh_token):
        return self.post("refresh", {next(iter(self.app["refresh"].fields)): refresh_token})

    def take_tokens(self, person, answer):
        status, content = answer
        if status == 200:
            body = json.loads(content)
            data = body["data"] if self.app.contract.enveloped else body
            person.access, person.refresh = data[self.app.contract.access], data[self.app.contract.refresh]
        return status

    def current_user(self, person):
        return self.ask(person.access), (200,)

    def refresh(self, person):
        return self.take_tokens(person, self.present(person.refresh)), (200,)

    def sign_in(self, person):
        # 503: shed, because more passwords wait than the cores can hash.
        return self.take_tokens(person, self.post("login", person.credentials)), (200, 503)

    def register(self, _):
        return self.post("register", self.app.newcomer())[0], (201, 503)

    def wrong_credentials(self, _):
        # Of an account that does not exist: a person's account would be locked for a while.
        return self.post("login", {self.app.contract.identifier: new_email(), "password": new_password()})[0], (401, 503)

    def forged_token(self, person):
        return self.ask(person.access[:-8] + secrets.token_hex(4)), (401,)

    def unknown_refresh_token(self, _):
        return self.present(secrets.token_urlsafe(64))[0], (401,)

    def malformed(self, _):
        endpoint = self.app["login"]
        return self.send(endpoint.method, endpoint.path, '{"email":')[0], (400, 422)

    def unknown_path(self, _):
        return self.send("GET", f"/{secrets.token_hex(4)}")[0], (404,)

    def visit(self):
        """Sends one request of the mix; returns its kind and status."""
        return self.request(self.random.choices(list(MIX), MIX.values())[0])

    def request(self, kind):
        status, expected = getattr(self, kind)(self.random.choice(self.persons))
        if status not in expected:
            raise RuntimeError(f"{kind} of {self.app.name}: {status}")
        return kind, status


class MixedLoad:
    """Visitors of both apps at a given rate, until the end of a `with`."""

    def __init__(self, server, names, threads, rate):
        self.visitors = [Visitor(server, names[number % len(names)], number) for number in range(threads)]
        self.pause, self.counts = threads / rate, collections.Counter()
        self.stopping, self.problem = threading.Event(), None
        self.threads = [threading.Thread(target=self.run, args=(visitor,)) for visitor in self.visitors]

    def run(self, visitor):
        due = time.monotonic()
        try:
            while not self.stopping.wait(max(0, due - time.monotonic())):
                self.counts[visitor.visit()] += 1
                # What the server could not keep up with is not made up for.
                due = max(due + self.pause, time.monotonic() - 1)
        except Exception as problem:
            self.problem = problem

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.stopping.set()
        for thread in self.threads:
            thread.join()
