"""`oidc-provider-mock`, an external OpenID provider for tests."""

import http.client
import json
import logging
import urllib.parse

import oidc_provider_mock

from peers.serving import Peer

logging.getLogger("oidc_provider_mock").setLevel(logging.CRITICAL)


class MockPeer(Peer):
    """Accepts any client id and secret; the record of its requests has to be checked instead."""

    def __init__(self):
        super().__init__(oidc_provider_mock.app(require_nonce=True))
        self.issuer = self.base

    def identity(self, client_id, client_secret):
        return {"kind": "oidc", "issuer": self.issuer, "client_id": client_id, "client_secret": client_secret}

    def person(self, sub, **claims):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        connection.request("PUT", f"/users/{urllib.parse.quote(sub)}", json.dumps(claims), {
            "Content-Type": "application/json"})
        if connection.getresponse().status != 204:
            raise RuntimeError("the mock takes no such person")
        connection.close()
