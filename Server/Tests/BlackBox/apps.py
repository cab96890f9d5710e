"""One app of a running server: its requests by name, and users with accounts in it."""

import secrets
from dataclasses import dataclass

from contracts import CONTRACTS


@dataclass
class Person:
    credentials: dict
    answer: object
    access: str
    refresh: str
    user: dict

    @property
    def password(self):
        return self.credentials["password"]

    def with_password(self, password):
        return self.credentials | {"password": password}


class App:
    def __init__(self, server_wire, inbox, contract, name=None):
        self.contract = CONTRACTS[contract]
        self.name = name or contract
        self.wire = server_wire.below(f"/{self.name}")
        self.inbox = inbox

    def __getitem__(self, operation):
        return self.contract.endpoints[operation]

    def call(self, operation, json_body=None, **more):
        endpoint = self[operation]
        return self.wire.send(endpoint.method, endpoint.path, json_body, **more)

    def tokens(self, answer):
        """Returns the access and the refresh token (None where there is none) of an answer."""
        body = answer.json
        data = body["data"] if self.contract.enveloped else body
        return data[self.contract.access], data.get(self.contract.refresh)

    def refresh(self, token, **more):
        return self.call("refresh", {next(iter(self["refresh"].fields)): token}, **more)

    def refreshed(self, token):
        """Returns the pair of tokens that `token` is exchanged for."""
        answer = self.refresh(token)
        if answer.status != 200:
            raise RuntimeError(f"refresh refused: {answer}")
        return self.tokens(answer)

    def accepts(self, access):
        """Returns True if an access token is accepted."""
        path = self[self.contract.guarded].path if self.contract.guarded else "/verify"
        return self.wire.get(path, bearer=access).status == 200

    def person_from(self, answer, credentials):
        if answer.status not in (200, 201):
            raise RuntimeError(f"no account: {answer}")
        body = answer.json
        access, refresh = self.tokens(answer)
        return Person(credentials, answer, access, refresh, (body["data"] if self.contract.enveloped else body)["user"])

    def sign_in(self, person):
        """The same person, with another session."""
        return self.person_from(self.call("login", person.credentials), person.credentials)

    def code_for(self, number, count=1):
        """Requests a code; returns the session's id and the code that was sent."""
        answer = self.call("send", {"phone_number": number})
        if answer.status != 200:
            raise RuntimeError(f"no code: {answer}")
        return answer.json["data"]["session_id"], self.inbox.wait(self.name, number, count)["code"]

    def newcomer(self, **fields):
        """Returns a body that registers a new person."""
        password = fields.pop("password", None) or new_password()
        if self.contract.name == "barqnet":
            number = new_number()
            return {"phone_number": number, "password": password, "otp": self.code_for(number)[1]}
        if self.contract.name == "viewvault":
            name = f"user-{secrets.token_hex(6)}"
            return {"username": name, "email": f"{name}@example.com", "password": password} | fields
        return {"email": new_email(), "password": password, "name": "Some One"} | fields

    def register(self, **fields):
        """A new person with an account and a session."""
        body = self.newcomer(**fields)
        credentials = {key: body[key] for key in (self.contract.identifier, "password")}
        return self.person_from(self.call("register", body), credentials)


def new_email():
    return f"p{secrets.token_hex(8)}@example.com"


def new_number():
    return f"+1555{secrets.randbelow(10**7):07}"


def new_password():
    return f"Quiet-{secrets.token_urlsafe(12)}-harbour"
