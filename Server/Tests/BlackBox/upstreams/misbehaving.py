"""timetracker in front of a provider that fails or sends false data: never a session, an answer in the contract's format within 5 s.

Rows OA-21, OA-23, UP-01, UP-02, UP-05 and UP-10.
"""

import time

from expectations import refusal
from peers import serving
from peers.forging import forging, lies, signed
from upstreams.flow import arrive, login, redeem
from user_agent import Browser

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
    """Apps without requests to the provider so far: its documents are cached."""
    return ([f"disc-{number}" for number in range(len(FAULTS) + len(ENDPOINT_LIES) + 1)]
            + [f"keys-{number}" for number in range(len(FAULTS) + 1)])


def timed(work):
    began = time.monotonic()
    answer = work()
    return answer, time.monotonic() - began


def fails(checks, name, app, work, statuses=AWAY):
    """Checks that `work` is refused in the contract's format, in time, and without a redirect."""
    answer, seconds = timed(work)
    refusal(checks, name, answer, app.contract, statuses)
    checks.that(f"{name}: within {SECONDS} s", seconds < SECONDS, f"{SECONDS} s", f"{seconds:.1f} s")
    checks.equal(f"{name}: no redirect", None, answer.header("location"))
    return answer


def begin(app):
    return Browser().send("GET", login(app), headers=[("Accept", "application/json")])


def recovers(checks, name, app, within=15):
    """Checks that sign-in succeeds again once the peer has recovered."""
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


def run(world, peer, trap, fresh_pair):
    peer.people["ada"] = {"email": "ada@example.com"}
    checks, fresh = world.checks, iter(apps_needed())
    app = world.apps["misled"]
    recovers(checks, "at first", app)
    discovery(world, checks, peer, trap, fresh)
    token_endpoint(checks, app, peer, trap)
    bad_tokens(checks, app, peer)
    keys(world, checks, peer, trap, fresh)
    key_rollover(checks, *fresh_pair)
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
            answer = fails(checks, f"token endpoint: {name}", app, lambda: redeem(app, arrived), (*AWAY, 400))
        checks.that(f"PT-36 token endpoint: {name}: promises nothing of a second try, as the state is burned",
                    b"try again" not in answer.body.lower(), "no `try again`", str(answer))
        refusal(checks, f"token endpoint: {name}: burned", redeem(app, arrived), app.contract, 400)
        recovers(checks, f"token endpoint: after {name}", app)
    arrived = arrive(app, "ada")
    with peer.failing(serving.redirecting(f"{trap.base}/token"), TOKEN):
        fails(checks, "token endpoint: a redirect", app, lambda: redeem(app, arrived))
    recovers(checks, "token endpoint: after a redirect", app)
    for name, body in (("200 with an error", b'{"error": "invalid_grant"}'),
                       ("400 invalid_grant", b'{"error": "invalid_grant"}'),
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


def away(checks, app, peer):
    """No peer listens; then one does."""
    arrived = arrive(app, "ada")
    with peer.away():
        fails(checks, "token endpoint away", app, lambda: redeem(app, arrived), (503,))
        for attempt in range(7):
            browser = begin(app)
            checks.that(f"login while it is away, {attempt}", browser.status in (302, 503), "302 (what the provider "
                        "said is known) or 503", browser)
    recovers(checks, "when it is back", app)
