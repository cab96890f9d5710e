"""timetracker in front of a provider that is away, slow, or lies: never a session, an answer within 5 s in the contract's
words, and nothing of it felt by anybody else.

Rows OA-21, OA-23, UP-01, UP-02, UP-05 and UP-10.
"""

import hashlib
import hmac
import json
import re
import statistics
import time

from user_agent import Browser
from expectations import refusal
from joserfc import jwk, jwt
from peers import serving
from tokens import encoded, parts
from upstreams.flow import arrive, at_once, login, redeem

SECONDS = 5
DISCOVERY, TOKEN, KEYS = "openid-configuration$", "/token$", "/jwks$"
AWAY = (502, 503)
FAULTS = {
    "500": serving.status(500), "404": serving.status(404), "503 with HTML": serving.status(503, b"<html>"),
    "garbage": serving.garbage, "HTML": serving.html, "10 MB": serving.huge, "a broken connection": serving.broken,
    "an empty body": serving.status(200, b""), "an array": serving.status(200, b"[]"),
    "a list of numbers deep": serving.status(200, b"[" * 50_000),
}
ENDPOINT_LIES = {
    "another issuer": lambda trap: {"issuer": "https://evil.example"},
    "its issuer with a slash more": lambda trap: {"issuer": None},
    "a token endpoint on another host": lambda trap: {"token_endpoint": f"{trap.base}/token"},
    "keys on another host": lambda trap: {"jwks_uri": f"{trap.base}/jwks"},
    "an authorization endpoint over plain http elsewhere": lambda trap: {
        "authorization_endpoint": "http://idp.example/authorize"},
    "a javascript authorization endpoint": lambda trap: {"authorization_endpoint": "javascript:alert(1)"},
    "no token endpoint": lambda trap: {"token_endpoint": 7},
}


def apps_needed():
    """Apps that have never asked the provider anything: what it says is kept."""
    return ([f"disc-{number}" for number in range(len(FAULTS) + len(ENDPOINT_LIES) + 1)]
            + [f"keys-{number}" for number in range(len(FAULTS) + 1)])


def timed(work):
    began = time.monotonic()
    answer = work()
    return answer, time.monotonic() - began


def fails(checks, name, app, work, statuses=AWAY):
    """Checks that `work` is refused in the contract's words, in time, and leads nowhere."""
    answer, seconds = timed(work)
    refusal(checks, name, answer, app.contract, statuses)
    checks.that(f"{name}: within {SECONDS} s", seconds < SECONDS, f"{SECONDS} s", f"{seconds:.1f} s")
    checks.equal(f"{name}: no redirect", None, answer.header("location"))
    return answer


def begin(app):
    return Browser().send("GET", login(app), headers=[("Accept", "application/json")])


def recovers(checks, name, app, within=15):
    """Once the peer is well again, so is sign-in."""
    deadline = time.monotonic() + within
    while True:
        try:
            answer = redeem(app, arrive(app, "ada"))
            if answer.status == 200:
                return checks.that(f"{name}: signs in again", True)
        except RuntimeError as error:
            answer = error
        if time.monotonic() > deadline:
            return checks.that(f"{name}: signs in again", False, f"a sign-in within {within} s", answer)
        time.sleep(0.25)


def run(world, peer, trap, slow, bystander):
    """`slow` are apps, each with a peer of its own; `bystander` is somebody of another app."""
    peer.people["ada"] = {"email": "ada@example.com"}
    checks, fresh = world.checks, iter(apps_needed())
    app = world.apps["misled"]
    recovers(checks, "at first", app)
    discovery(world, checks, peer, trap, fresh)
    token_endpoint(checks, app, peer, trap)
    bad_tokens(checks, app, peer)
    keys(world, checks, peer, trap, fresh)
    key_rollover(checks, *slow[6])
    hanging(world, checks, slow, bystander)
    away(checks, app, peer)


def discovery(world, checks, peer, trap, fresh):
    for name, fault in FAULTS.items():
        app = world.apps[next(fresh)]
        with peer.failing(fault, DISCOVERY):
            fails(checks, f"discovery: {name}", app, lambda: begin(app))
        recovers(checks, f"discovery: after {name}", app)
    app = world.apps[next(fresh)]
    with peer.failing(serving.redirecting(f"{trap.base}/.well-known/openid-configuration"), DISCOVERY):
        fails(checks, "discovery: a redirect", app, lambda: begin(app))
    recovers(checks, "discovery: after a redirect", app)
    for name, lie in ENDPOINT_LIES.items():
        app, changes = world.apps[next(fresh)], lie(trap)
        if name.startswith("its issuer"):
            changes = {"issuer": peer.issuer + "/"}
        peer.rewrite = {"openid-configuration": lambda document: document | changes}
        fails(checks, f"discovery says {name}", app, lambda: begin(app))
        peer.rewrite = {}
    checks.equal("nothing was sent to where the discovery document or a redirect pointed", [], [
        exchange.path for exchange in trap.exchanges])


def token_endpoint(checks, app, peer, trap):
    for name, fault in FAULTS.items():
        arrived = arrive(app, "ada")
        with peer.failing(fault, TOKEN):
            fails(checks, f"token endpoint: {name}", app, lambda: redeem(app, arrived), (*AWAY, 400))
        refusal(checks, f"token endpoint: {name}: burned", redeem(app, arrived), app.contract, 400)
        recovers(checks, f"token endpoint: after {name}", app)
    arrived = arrive(app, "ada")
    with peer.failing(serving.redirecting(f"{trap.base}/token"), TOKEN):
        fails(checks, "token endpoint: a redirect", app, lambda: redeem(app, arrived))
    recovers(checks, "token endpoint: after a redirect", app)
    for name, body in (("200 with an error", b'{"error": "invalid_grant"}'), ("400 invalid_grant", b'{"error": "invalid_grant"}'),
                       ("no ID token", b'{"access_token": "x", "token_type": "Bearer"}'),
                       ("a number as ID token", b'{"access_token": "x", "token_type": "Bearer", "id_token": 7}'),
                       ("two ID tokens", b'{"access_token":"x","token_type":"Bearer","id_token":"a","id_token":"b"}')):
        arrived = arrive(app, "ada")
        with peer.failing(serving.status(400 if name.startswith("400") else 200, body), TOKEN):
            fails(checks, f"token endpoint: {name}", app, lambda: redeem(app, arrived), (*AWAY, 400, 401))
    arrived = arrive(app, "ada")
    with peer.failing(serving.status(401, b'{"error": "invalid_client"}'), TOKEN):
        fails(checks, "token endpoint: our client is refused", app, lambda: redeem(app, arrived))
    recovers(checks, "token endpoint: after all that", app)
    peer.rewrite = {"/token": lambda body: body | {"extra": {"a": [1, None]}, "expires_in": "300"}}
    checks.equal("more fields in the answer harm nothing", 200, redeem(app, arrive(app, "ada")).status)
    peer.rewrite = {}
    checks.equal("nothing was sent to where a redirect pointed", [], [exchange.path for exchange in trap.exchanges])


def signed(peer, claims, header=None, key=None, alg=None):
    header = {"alg": alg or peer.alg, "kid": peer.key.kid} | (header or {})
    return jwt.encode(header, claims, key or peer.key, algorithms=[header["alg"]])


def unsigned(claims, alg="none", signature=""):
    head = encoded(json.dumps({"alg": alg, "typ": "JWT"}).encode())
    return f"{head}.{encoded(json.dumps(claims).encode())}.{signature}"


def with_mac(claims, key, kid):
    head = encoded(json.dumps({"alg": "HS256", "typ": "JWT", "kid": kid}).encode())
    message = f"{head}.{encoded(json.dumps(claims).encode())}"
    return f"{message}.{encoded(hmac.new(key, message.encode(), hashlib.sha256).digest())}"


def lies(peer):
    """What is made of the claims of a good ID token, by name."""
    now = int(time.time())
    without = lambda key: lambda claims: signed(peer, {name: value for name, value in claims.items() if name != key})
    having = lambda **more: lambda claims: signed(peer, claims | more)
    other_key = jwk.RSAKey.generate_key(2048)
    short_key = jwk.ECKey.generate_key("P-256")
    pem = peer.key.as_pem(private=False)
    return {
        "aud of somebody else": having(aud="somebody-else"), "aud a list without us": having(aud=["a", "b"]),
        "aud empty": having(aud=[]), "no aud": without("aud"),
        "two audiences and azp of the other": having(aud=[peer.client.id, "other"], azp="other"),
        "azp of somebody else": having(azp="somebody-else"),
        "exp in the past": having(exp=now - 3600), "no exp": without("exp"), "exp as text": having(exp="never"),
        "iat in the future": having(iat=now + 86_400, exp=now + 90_000),
        "another issuer": having(iss="https://evil.example"), "issuer with a slash more": having(
            iss=peer.issuer + "/"), "no issuer": without("iss"),
        "another nonce": having(nonce="x" * 43), "no nonce": without("nonce"), "an empty nonce": having(nonce=""),
        "no sub": without("sub"), "an empty sub": having(sub=""), "a number as sub": having(sub=7),
        "a sub of 300 bytes": having(sub="s" * 300), "a NUL in sub": having(sub="a\0b"),
        "alg none": lambda claims: unsigned(claims), "alg None": lambda claims: unsigned(claims, "None"),
        "alg none with a signature": lambda claims: unsigned(claims, "none", "AAAA"),
        "HS256 with the client's secret": lambda claims: with_mac(
            claims, peer.client.secret.encode(), peer.key.kid),
        "HS256 with the public key": lambda claims: with_mac(claims, pem, peer.key.kid),
        "an unknown kid": lambda claims: signed(peer, claims, {"kid": "nobody"}, other_key),
        "another key under the right kid": lambda claims: signed(peer, claims, key=other_key),
        "ES256 of a key of its own in the header": lambda claims: signed(
            peer, claims, {"jwk": short_key.as_dict(private=False)}, short_key, "ES256"),
        "crit": lambda claims: signed_with_crit(peer, claims),
        "a broken signature": lambda claims: signed(peer, claims)[:-8] + "AAAAAAAA",
        "no signature": lambda claims: signed(peer, claims).rpartition(".")[0] + ".",
        "two parts": lambda claims: signed(peer, claims).rpartition(".")[0], "no token": lambda claims: "x",
        "an empty text": lambda claims: "", "more after the end": lambda claims: signed(peer, claims) + ".x",
    }


def signed_with_crit(peer, claims):
    from cryptography.hazmat.primitives.asymmetric import padding
    from cryptography.hazmat.primitives.hashes import SHA256
    head = encoded(json.dumps({"alg": "RS256", "kid": peer.key.kid, "crit": ["x"], "x": 1}).encode())
    message = f"{head}.{encoded(json.dumps(claims).encode())}"
    return f"{message}.{encoded(peer.key.private_key.sign(message.encode(), padding.PKCS1v15(), SHA256()))}"


def forging(peer, lie):
    """Makes the peer's token endpoint answer with `lie` of the claims of its ID token."""
    peer.rewrite = {"/token": lambda body: body | {"id_token": lie(parts(body["id_token"])[1])}}


def bad_tokens(checks, app, peer):
    forging(peer, lambda claims: signed(peer, claims))
    checks.equal("an ID token that is only signed again is taken", 200, redeem(app, arrive(app, "ada")).status)
    for name, lie in lies(peer).items():
        forging(peer, lie)
        arrived = arrive(app, "ada")
        fails(checks, f"ID token: {name}", app, lambda: redeem(app, arrived), (400, 401, *AWAY))
        peer.rewrite = {}
        refusal(checks, f"ID token: {name}: burned", redeem(app, arrived), app.contract, 400)
    peer.rewrite = {}
    before = len(peer.requests("/jwks"))
    forging(peer, lies(peer)["an unknown kid"])
    for _ in range(10):
        redeem(app, arrive(app, "ada"))
    peer.rewrite = {}
    asked = len(peer.requests("/jwks")) - before
    checks.that("unknown key ids do not make us ask for the keys each time", asked <= 3, "at most 3", asked)
    recovers(checks, "after bad ID tokens", app)


def keys(world, checks, peer, trap, fresh):
    for name, fault in FAULTS.items():
        app = world.apps[next(fresh)]
        arrived = arrive(app, "ada")
        with peer.failing(fault, KEYS):
            fails(checks, f"keys: {name}", app, lambda: redeem(app, arrived), (*AWAY, 400, 401))
        recovers(checks, f"keys: after {name}", app)
    app = world.apps[next(fresh)]
    arrived = arrive(app, "ada")
    with peer.failing(serving.redirecting(f"{trap.base}/jwks"), KEYS):
        fails(checks, "keys: a redirect", app, lambda: redeem(app, arrived), (*AWAY, 400, 401))
    checks.equal("nothing was sent to where the redirect pointed", [], [exchange.path for exchange in trap.exchanges])


def key_rollover(checks, app, peer):
    peer.people["ada"] = {}
    recovers(checks, "before the provider changes its key", app)
    with peer.failing(serving.status(500), KEYS):
        checks.equal("known keys are used while their address is away", 200, redeem(app, arrive(app, "ada")).status)
    peer.new_key()
    recovers(checks, "after the provider changed its key", app)


def hanging(world, checks, slow, bystander):
    """Three providers that hang, each at another endpoint, with several people waiting at each."""
    person, other = bystander

    def me():
        return timed(lambda: other.call("me", bearer=person.access))

    def p50(count):
        answers = [me() for _ in range(count)]
        checks.that("the other app answers", all(answer.status == 200 for answer, _ in answers), 200)
        return statistics.median(seconds for _, seconds in answers)

    def wait_at(app, peer, endpoint, fault):
        """Hangs at that endpoint; answers what came and after how long."""
        peer.people["ada"] = {}
        arrived = [arrive(app, "ada") for _ in range(7)] if endpoint == TOKEN else [
            arrive(app, "ada")] if endpoint == KEYS else []
        peer.fault, peer.faulty = fault, re.compile(endpoint)
        if endpoint == DISCOVERY:
            return timed(lambda: begin(app))
        if endpoint == KEYS:
            return timed(lambda: redeem(app, arrived[0]))
        answers = at_once(6, lambda number: timed(lambda: redeem(app, arrived[number])))
        # The breaker: after some who waited, nobody waits any more.
        last.append((app, timed(lambda: redeem(app, arrived[6]))))
        return max(answers, key=lambda pair: pair[1])

    quiet = p50(100)
    work = [(*pair, endpoint, fault) for pair, (endpoint, fault) in zip(slow, [
        (endpoint, fault) for endpoint in (DISCOVERY, TOKEN, KEYS) for fault in (serving.silent(), serving.trickling)])]
    last = []

    def one(number):
        if number == len(work):
            time.sleep(1)
            return p50(100)
        return wait_at(*work[number])

    answers = at_once(len(work) + 1, one)
    for (app, _, endpoint, fault), answer in zip(work, answers):
        name = f"hanging at {endpoint}, {'trickling' if fault is serving.trickling else 'silent'}"
        if not checks.that(name, isinstance(answer, tuple), "an answer", answer):
            continue
        refusal(checks, name, answer[0], app.contract, AWAY)
        checks.that(f"{name}: within {SECONDS} s", answer[1] < SECONDS, f"{SECONDS} s", f"{answer[1]:.1f} s")
    busy = answers[-1]
    if checks.that("the other app was measured", isinstance(busy, float), "a number", busy):
        checks.that("another app's /me is as fast as before", busy < max(0.02, 4 * quiet),
                    f"about {quiet * 1000:.1f} ms", f"{busy * 1000:.1f} ms")
    checks.equal("two token endpoints hung", 2, len(last))
    for app, (answer, seconds) in last:
        refusal(checks, "a provider that hangs is soon not asked any more", answer, app.contract, AWAY)
        checks.that("and that is said at once", seconds < 1, "1 s", f"{seconds:.1f} s")
    for _, peer in slow:
        peer.fault = None
    for (app, _), what in zip(slow[::2], ("discovery", "token", "keys")):
        recovers(checks, f"when {what} does not hang any more", app)


def away(checks, app, peer):
    """Nobody listens at all; then somebody does."""
    arrived = arrive(app, "ada")
    with peer.away():
        fails(checks, "token endpoint away", app, lambda: redeem(app, arrived), (503,))
        for attempt in range(7):
            browser = begin(app)
            checks.that(f"login while it is away, {attempt}", browser.status in (302, 503), "302 (what the provider "
                        "said is known) or 503", browser)
    recovers(checks, "when it is back", app)
