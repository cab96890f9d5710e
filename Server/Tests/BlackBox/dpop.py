#!/usr/bin/env python3
"""Sessions that are bound to a key (DPoP, RFC 9449), from outside.

  dpop.py --program PATH [--store postgres --nodes 2]

Proofs are made by `joserfc`, and the client of the built-in provider is `requests-oauth2client`, not by the program.
"""

import argparse
import base64
import hashlib
import json
import secrets
import subprocess
import sys
import threading
import time
from pathlib import Path

import requests
from apps import App, new_email, new_password
from checks import Checks
from drills.stage import Inboxes, needed, options, standing
from joserfc import jws
from joserfc.jwk import ECKey
from requests_oauth2client import BearerToken, DPoPToken, OAuth2Client
from server import app, development
from user_agent import Browser

VECTORS = Path(__file__).parents[3] / "Tests" / "Signing" / "check_proofs.py"
CHALLENGE = 'DPoP error="{}", algs="ES256"'
API = "https://api.example.com"
SITE = "http://127.0.0.1:9"  # The client's origin, without a listener.
SECRET = secrets.token_urlsafe(33)
IDP = {"dpop": "accepted", "clients": {
    "own": {"name": "Own", "secret": SECRET, "redirect_uris": [f"{SITE}/callback"], "first_party": True}}}
APPS = {"vici": app("vici", dpop="accepted", dpop_origins=[API]), "clarity": app("clarity", dpop="required"),
        "barqnet": app("barqnet", dpop="accepted"), "viewvault": app("viewvault")}


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Key:
    """A client's key, and what it proves."""

    def __init__(self):
        self.key = ECKey.generate_key("P-256")

    @property
    def thumbprint(self):
        return self.key.thumbprint()

    def proof(self, method, url, access=None, nonce=None, header=None, **claims):
        head = {"typ": "dpop+jwt", "alg": "ES256", "jwk": self.key.as_dict(private=False)} | (header or {})
        body = {"jti": secrets.token_urlsafe(16), "htm": method, "htu": url, "iat": int(time.time())}
        if access:
            body["ath"] = encoded(hashlib.sha256(access.encode()).digest())
        if nonce:
            body["nonce"] = nonce
        body |= claims
        registry = jws.JWSRegistry(algorithms=["ES256"], strict_check_header=False)
        return jws.serialize_compact(head, json.dumps(body), self.key, registry=registry)


class Client:
    """The requests of one app with proofs; repeats a request once with the nonce that the server asks for."""

    def __init__(self, app, key=None):
        self.app, self.key, self.nonce = app, key or Key(), None

    def send(self, method, path, body=None, access=None, scheme="DPoP", url=None, repeats=True, headers=(), proof=None,
             **claims):
        url = url or self.app.wire.base + path.split("?")[0]
        for _ in range(2):
            made = proof or self.key.proof(method, url, access, **({"nonce": self.nonce} | claims))
            sent = [("DPoP", made), *headers]
            if access:
                sent.append(("Authorization", f"{scheme} {access}"))
            answer = self.app.wire.send(method, path, body, headers=sent)
            self.nonce = answer.header("dpop-nonce") or self.nonce
            if answer.header("www-authenticate") != CHALLENGE.format("use_dpop_nonce") or not repeats:
                break
        return answer

    def call(self, operation, body=None, **more):
        endpoint = self.app[operation]
        return self.send(endpoint.method, endpoint.path, body, **more)


class Walk:
    def __init__(self, servers, checks):
        self.servers, self.server, self.checks = servers, servers[0], checks
        inbox = Inboxes(servers)
        self.apps = {name: App(self.server.wire, inbox, entry["contract"], name) for name, entry in APPS.items()}
        self.vici = Client(self.apps["vici"])
        self.me = self.apps["vici"]["me"].path

    def refused(self, name, answer, error="invalid_dpop_proof"):
        self.checks.equal(name, (401, CHALLENGE.format(error)), (answer.status, answer.header("www-authenticate")))

    def registered(self, client):
        credentials = client.app.newcomer()
        answer = client.call("register", credentials)
        return client.app.person_from(answer, {key: credentials[key] for key in credentials if key != "name"})

    def vectors(self):
        run = subprocess.run([sys.executable, VECTORS], capture_output=True, text=True)
        self.checks.equal("the vectors agree with an implementation by others", 0, run.returncode)
        if run.returncode:
            print(run.stdout + run.stderr)

    def binding(self):
        person = self.registered(self.vici)
        self.checks.equal("the session is bound to the key", 200,
                          self.vici.send("GET", self.me, access=person.access).status)
        self.refused("as a bearer token", self.apps["vici"].wire.get(self.me, bearer=person.access))
        self.refused("with the scheme Bearer and a proof", self.vici.send("GET", self.me, access=person.access, scheme="Bearer"))
        thief = Client(self.apps["vici"])
        thief.nonce = self.vici.nonce
        self.refused("with another key", thief.send("GET", self.me, access=person.access))
        body = {self.apps["vici"].contract.refresh: person.refresh}
        self.refused("a refresh token without a proof", self.apps["vici"].refresh(person.refresh))
        self.refused("a refresh token with another key", thief.call("refresh", body))
        answer = self.vici.call("refresh", body)
        self.checks.equal("a refresh token with the key", 200, answer.status)
        access, refresh = self.apps["vici"].tokens(answer)
        self.checks.equal("the next access token", 200, self.vici.send("GET", self.me, access=access).status)
        self.refused("sign-out by a thief", thief.call("logout", {self.apps["vici"].contract.refresh: refresh}, access=access))
        self.checks.equal("sign-out by the owner", 200, self.vici.call(
            "logout", {self.apps["vici"].contract.refresh: refresh}, access=access).status)

    def replay(self):
        person = self.registered(self.vici)
        url = self.apps["vici"].wire.base + self.me
        proof = self.vici.key.proof("GET", url, person.access, self.vici.nonce)
        self.checks.equal("a proof is accepted", 200,
                          self.vici.send("GET", self.me, access=person.access, proof=proof).status)
        self.refused("and accepted once", self.vici.send("GET", self.me, access=person.access, proof=proof))
        endpoint = self.apps["vici"]["refresh"]
        body = {self.apps["vici"].contract.refresh: person.refresh}
        proof = self.vici.key.proof("POST", self.apps["vici"].wire.base + endpoint.path, nonce=self.vici.nonce)
        self.checks.equal("a proof refreshes", 200, self.vici.send("POST", endpoint.path, body, proof=proof).status)
        self.refused("and refreshes once", self.vici.send("POST", endpoint.path, body, proof=proof))

    def forged(self):
        person = self.registered(self.vici)
        url = self.apps["vici"].wire.base + self.me

        def ask(name, error="invalid_dpop_proof", key=None, **more):
            proof = (key or self.vici.key).proof("GET", url, person.access, **({"nonce": self.vici.nonce} | more))
            self.refused(name, self.vici.send("GET", self.me, access=person.access, proof=proof, repeats=False), error)

        now = int(time.time())
        ask("another method", htm="POST")
        ask("another path", htu=self.apps["vici"].wire.base + "/other")
        ask("another host", htu="https://evil.example.com" + self.me)
        ask("too old", iat=now - 400)
        ask("too new", iat=now + 400)
        ask("another token", ath=encoded(hashlib.sha256(b"another").digest()))
        ask("no token", ath=None)
        ask("another type", header={"typ": "JWT"})
        ask("another key in the header", header={"jwk": Key().key.as_dict(private=False)})
        ask("a private key in the header", header={"jwk": self.vici.key.key.as_dict(private=True)})
        ask("an extension", header={"crit": ["b64"], "b64": True})
        ask("no nonce", "use_dpop_nonce", nonce=None)
        ask("an old nonce", "use_dpop_nonce", nonce="AAAAAAAAAAAAAAAAAAAAAA")
        for text in ("", "x", "a.b.c", "x" * 9000):
            self.refused(f"a header of {len(text)} bytes",
                         self.apps["vici"].wire.send("GET", self.me, headers=[
                             ("Authorization", f"DPoP {person.access}"), ("DPoP", text)]))
        proofs = [("DPoP", self.vici.key.proof("GET", url, person.access, self.vici.nonce)) for _ in range(2)]
        self.refused("two headers", self.apps["vici"].wire.send(
            "GET", self.me, headers=[("Authorization", f"DPoP {person.access}"), *proofs]))

    def required(self):
        clarity = self.apps["clarity"]
        answer = clarity.call("register", clarity.newcomer())
        self.checks.equal("required: no session without a proof", (401, "dpop_required", 'DPoP algs="ES256"'),
                          (answer.status, answer.json.get("code"), answer.header("www-authenticate")))
        client = Client(clarity)
        person = self.registered(client)
        self.checks.equal("required: a session with a proof", 200,
                          client.send("GET", clarity["me"].path, access=person.access).status)
        barqnet = Client(self.apps["barqnet"])
        person = self.registered(barqnet)
        self.checks.equal("in an envelope", 200, barqnet.send("GET", "/v1/auth/sessions", access=person.access).status)

    def off(self):
        client = Client(self.apps["viewvault"])
        person = self.registered(client)
        self.checks.equal("off: bearer tokens", 200,
                          client.app.wire.get(client.app["me"].path, bearer=person.access).status)
        self.checks.equal("off: no nonce", None, client.nonce)

    def verify(self):
        person = self.registered(self.vici)

        def ask(url, method="PUT", kind="Original"):
            proof = self.vici.key.proof(method, url, person.access, self.vici.nonce)
            return self.apps["vici"].wire.send("GET", "/verify", headers=[
                ("Authorization", f"DPoP {person.access}"), ("DPoP", proof), (f"X-{kind}-Method", "PUT"),
                (f"X-{kind}-Uri", "/videos/7?x=1"), ("X-Forwarded-Host", "evil.example.com")])

        for kind in ("Original", "Forwarded"):
            answer = ask(f"{API}/videos/7", kind=kind)
            self.checks.that(f"/verify: {kind}", answer.status == 200 and answer.header("x-auth-user"), 200, answer.status)
            self.refused("/verify: another path", ask(f"{API}/videos/8", kind=kind))
            self.refused("/verify: another method", ask(f"{API}/videos/7", "GET", kind=kind))
            self.refused("/verify: another host", ask("https://evil.example.com/videos/7", kind=kind))
        self.refused("/verify: a bearer token", self.apps["vici"].wire.get("/verify", bearer=person.access))

    def provider(self):
        base = f"{self.server.base}/idp"
        document = self.server.wire.get("/idp/.well-known/openid-configuration").json
        self.checks.equal("discovery", ["ES256"], document.get("dpop_signing_alg_values_supported"))
        browser, person = Browser(stops_at=[SITE]), {"email": new_email(), "password": new_password()}
        page = browser.visit(f"{base}/register")
        browser.submit(page, page.form("email", "password"), person | {"full_name": "Ada Lovelace"})

        def client(**more):
            return OAuth2Client(document["token_endpoint"], client_id="own", client_secret=SECRET, issuer=base,
                                authorization_endpoint=document["authorization_endpoint"],
                                userinfo_endpoint=document["userinfo_endpoint"], redirect_uri=f"{SITE}/callback",
                                testing=True, **more)

        def code(asking, **more):
            request = asking.authorization_request(scope="openid offline_access email", **more)
            return request, request.validate_callback(browser.visit(str(request)).url)

        bound = client(dpop_bound_access_tokens=True)
        request, response = code(bound)
        self.checks.that("the client sends dpop_jkt", "dpop_jkt=" in str(request), "dpop_jkt", str(request))
        token = bound.authorization_code(response, validate=False)
        self.checks.equal("bound tokens, after the demand for a nonce", (DPoPToken, "DPoP"), (type(token), token.token_type))
        info = requests.get(document["userinfo_endpoint"], auth=token, timeout=30)
        self.checks.equal("userinfo", (200, person["email"]), (info.status_code, info.json().get("email")))
        stolen = requests.get(document["userinfo_endpoint"], auth=BearerToken(token.access_token), timeout=30)
        self.checks.equal("a stolen token", (401, CHALLENGE.format("invalid_dpop_proof")),
                          (stolen.status_code, stolen.headers.get("www-authenticate")))
        fresh = bound.refresh_token(token)
        self.checks.equal("refresh", "DPoP", fresh.token_type)
        form = {"grant_type": "refresh_token", "refresh_token": fresh.refresh_token}
        refused = requests.post(document["token_endpoint"], data=form, auth=("own", SECRET), timeout=30)
        self.checks.equal("a stolen refresh token", (400, "invalid_dpop_proof"),
                          (refused.status_code, refused.json().get("error")))
        plain = client()
        _, response = code(plain)
        self.checks.equal("a client without a key", "Bearer", plain.authorization_code(response, validate=False).token_type)

    def nodes(self):
        """One proof at several nodes at once. All have the URL of the first."""
        if len(self.servers) == 1:
            return
        vici, contract = self.apps["vici"], self.apps["vici"].contract
        wires = [server.wire.below("/vici") for server in self.servers]
        person = self.registered(self.vici)

        def once(what, path, body):
            proof = self.vici.key.proof("POST", vici.wire.base + path, nonce=self.vici.nonce)
            answers = [None] * 20

            def ask(number):
                answers[number] = wires[number % len(wires)].send("POST", path, body, headers=[("DPoP", proof)])

            threads = [threading.Thread(target=ask, args=(number,)) for number in range(len(answers))]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            accepted = [answer for answer in answers if answer.status == 200]
            refused = [answer for answer in answers if answer.header("www-authenticate") == CHALLENGE.format("invalid_dpop_proof")]
            self.checks.equal(f"{what}: accepted once by all nodes", (1, 19), (len(accepted), len(refused)))
            return accepted[0]

        once("a sign-in", vici["login"].path, person.credentials)
        answer = once("a refresh", vici["refresh"].path, {contract.refresh: person.refresh})
        access, _ = vici.tokens(answer)
        for number, wire in enumerate(wires):
            proof = self.vici.key.proof("GET", vici.wire.base + self.me, access, self.vici.nonce)
            sent = [("Authorization", f"DPoP {access}"), ("DPoP", proof)]
            self.checks.equal(f"node {number} accepts the nonce of the first", 200, wire.send("GET", self.me, headers=sent).status)
            self.refused(f"node {number} accepts a proof once", wire.send("GET", self.me, headers=sent))


SECTIONS = ["vectors", "binding", "replay", "forged", "required", "off", "verify", "provider", "nodes"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, help="path of the program `ostiary`")
    options(parser, nodes=True)
    arguments = parser.parse_args()
    return needed(arguments, lambda: run(arguments))


def run(arguments):
    checks = Checks()
    with standing(arguments.program, development(**APPS) | {"idp": IDP}, checks, arguments) as servers:
        walk = Walk(servers, checks)
        for section in SECTIONS:
            checks.run(section, getattr(walk, section))
    return checks.close()


if __name__ == "__main__":
    sys.exit(main())
