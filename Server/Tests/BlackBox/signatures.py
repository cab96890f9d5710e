"""Signed requests, created by an external implementation of RFC 9421."""

import base64
import datetime
import secrets
import time

from http_message_signatures import HTTPMessageSigner, HTTPSignatureKeyResolver, algorithms

COVERED = ("@method", "@path", "@query", "content-digest", "authorization")


class Message:
    """A request in the form that the library reads."""

    def __init__(self, method, url, bearer):
        self.method, self.url, self.headers = method, url, {"Authorization": f"Bearer {bearer}"}


class SessionKey(HTTPSignatureKeyResolver):
    """The server's answer to a request for a session's key."""

    def __init__(self, answer, enveloped=False):
        body = answer.json["data"] if enveloped else answer.json
        self.id = body.get("key_id") or body["keyId"]
        self.key = base64.b64decode(body.get("signing_key") or body["signingKey"], validate=True)

    def resolve_private_key(self, key_id):
        return self.key

    resolve_public_key = resolve_private_key


class Signer:
    """Signs the requests of one session."""

    def __init__(self, app, person):
        self.app, self.access = app, person.access
        held = {app.contract.refresh: person.refresh} if person.refresh else None
        self.key = SessionKey(app.call("signing_key", held, bearer=person.access), app.contract.enveloped)

    def headers(self, method, path, body=b"", *, later=0, nonce=None, covered=COVERED, label="ostiary", base=None,
                **more):
        """Returns the three headers, as a dict; `path` is below `base`, the app's or another, with its query."""
        message = Message(method, (base or self.app.wire.base) + path, self.access)
        HTTPMessageSigner(signature_algorithm=algorithms.HMAC_SHA256, key_resolver=self.key).sign(
            message, key_id=self.key.id, created=datetime.datetime.fromtimestamp(int(time.time()) + later),
            nonce=nonce or secrets.token_urlsafe(16), label=label, covered_component_ids=covered, body=body, **more)
        return {name: message.headers[name] for name in ("Content-Digest", "Signature-Input", "Signature")}

    def send(self, method, path, body=None, headers=None, **more):
        """Sends a request as it was signed, or with the given headers."""
        signed = self.headers(method, path, body or b"") if headers is None else headers
        pairs = list(signed.items()) if isinstance(signed, dict) else signed
        return self.app.wire.send(method, path, body=body, headers=pairs, bearer=self.access, **more)
