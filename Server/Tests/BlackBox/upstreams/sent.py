"""The requests to the provider, and their secrets, which must not occur elsewhere. Rows OA-09 and OA-34."""

import base64
import hashlib
import re


def said(app, checks, peer):
    """Checks the requests to the provider."""
    begun = [exchange for exchange in peer.exchanges if exchange.method == "GET" and "client_id" in exchange.query]
    queries = [exchange.query for exchange in begun]
    callback = f"{app.wire.base}/auth/callback"
    wanted = {"response_type": "code", "code_challenge_method": "S256", "redirect_uri": callback}
    checks.that("every request is a code request with S256 and our exact callback", queries and all(
        {key: query.get(key) for key in wanted} == wanted for query in queries), wanted, queries[:1])
    checks.equal("no more is asked for than needed", {"openid", "profile", "email"}, {
        scope for query in queries for scope in query["scope"].split()})
    for key in ("state", "nonce", "code_challenge"):
        values = [query.get(key, "") for query in queries]
        checks.that(f"every {key} is 128 bits or more, and fresh", all(
            re.fullmatch(r"[A-Za-z0-9_-]{22,128}", value) for value in values) and len(set(values)) == len(values),
            f"{len(values)} different values", values[:2])
    checks.that("state, nonce and challenge differ", all(
        len({query["state"], query["nonce"], query["code_challenge"]}) == 3 for query in queries))
    challenges = {query["code_challenge"] for query in queries}
    redeemed = [exchange for exchange in peer.requests("/token") if exchange.method == "POST"]
    checks.that("codes were redeemed", len(redeemed) > 10, "more than 10", len(redeemed))
    for exchange in redeemed:
        form = exchange.form
        proof = base64.urlsafe_b64encode(hashlib.sha256(form.get("code_verifier", "").encode()).digest())
        own = exchange.headers.get("authorization") or form.get("client_secret")
        found = [] if form.get("grant_type") == "authorization_code" else ["the grant"]
        found += [] if form.get("redirect_uri") == callback else ["our callback"]
        found += [] if re.fullmatch(r"[A-Za-z0-9._~-]{43,128}", form.get("code_verifier", "")) else ["a verifier"]
        found += [] if proof.rstrip(b"=").decode() in challenges else ["the verifier of a challenge"]
        found += [] if own else ["the client's own proof"]
        found += ["no secret in the query"] if exchange.query else []
        found += ["one way of proof"] if exchange.headers.get("authorization") and "client_secret" in form else []
        if found:
            checks.none("a code is redeemed with what it needs", found, exchange.form)
            break
    else:
        checks.that("a code is redeemed with what it needs", True)
    codes = [exchange.form["code"] for exchange in redeemed]
    checks.that("no code is redeemed twice", len(codes) == len(set(codes)), len(codes), len(set(codes)))
    states = {query["state"] for query in queries}
    checks.that("the state is not sent to the token endpoint", not any(
        state.encode() in exchange.body for exchange in redeemed for state in states))


def kept(world, checks, peer, secret):
    """OA-34: the client's secret, the verifiers and the provider's tokens stay on the server."""
    hidden = {"client_secret": {secret}}
    redeemed = [exchange for exchange in peer.requests("/token") if exchange.method == "POST"]
    hidden["code_verifier"] = {
        exchange.form["code_verifier"] for exchange in redeemed if "code_verifier" in exchange.form}
    answers = [exchange.json for exchange in redeemed if exchange.status == 200]
    for key in ("access_token", "id_token", "refresh_token"):
        hidden[f"the provider's {key}"] = {answer[key] for answer in answers if key in answer}
    seen = b"\n".join([world.traffic(), world.server.log.read_bytes()])
    # The code is part of addresses by design, but of no log.
    logged = world.server.log.read_bytes()
    for what, values in hidden.items():
        if what != "the provider's refresh_token":
            checks.that(f"there is a {what} to look for", values)
        checks.that(f"no {what} in an answer or the log", not any(value.encode() in seen for value in values), "none")
    for what, values in (("code", {exchange.form["code"] for exchange in redeemed}), ("state", {
            exchange.query["state"] for exchange in peer.exchanges if "state" in exchange.query})):
        checks.that(f"no {what} in the log", not any(value.encode() in logged for value in values), "none")
    store = world.stored()
    for what, values in hidden.items():
        checks.that(f"no {what} in the data directory in the clear", not any(
            value.encode() in store for value in values), "none")
    checks.that("no state in the data directory in the clear", not any(
        exchange.query["state"].encode() in store for exchange in peer.exchanges if "state" in exchange.query), "none")
