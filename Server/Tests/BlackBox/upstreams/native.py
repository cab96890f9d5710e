"""Sign-in with an ID token that the device obtained from the provider itself."""

import hashlib
import secrets

from expectations import refusal, success
from upstreams import social
from upstreams.flow import at_once


def run(app, checks, google, apple, github):
    path = f"{social.BASE}/social/{{}}/identity-token"

    def send(provider, token, nonce, **more):
        return app.wire.post(path.format(provider), {"identityToken": token, "nonce": nonce} | more)

    nonce = secrets.token_urlsafe(24)
    hashed = hashlib.sha256(nonce.encode()).hexdigest()
    google.people["3001"] = {"email": "native@gmail.com", "email_verified": True, "name": "Native"}
    token = google.id_token("3001", nonce, google.native_client)
    answer = send("google", token, nonce)
    success(checks, "a native Google sign-in", answer, app[social.ANSWER], email="native@gmail.com")
    refusal(checks, "its token a second time", send("google", token, nonce), app.contract, 401)
    if answer.status == 200:
        checks.equal("in the browser it is the same account", answer.json["user"]["id"], social.redeem(
            app, social.arrive(app, "google", "3001")).json["user"]["id"])
    apple.people["3002"] = {"email": "native@privaterelay.appleid.com"}
    answer = send("apple", apple.id_token("3002", hashed, apple.native_client), nonce, name="Told Once")
    success(checks, "a native Apple sign-in, its nonce hashed, its name told by the device", answer, app[social.ANSWER],
            name="Told Once")
    answer = send("apple", apple.id_token("3002", hashed, apple.native_client), nonce, name="Told Again")
    checks.equal("a name told later changes nothing", "Told Once", answer.json.get("user", {}).get("name"))
    refusal(checks, "Apple's token with the nonce itself, which a holder of the token can read", send(
        "apple", apple.id_token("3002", nonce, apple.native_client), nonce), app.contract, 401)
    fresh = lambda **claims: google.id_token("3001", nonce, google.native_client, **claims)
    for name, bad in (
        ("another nonce", google.id_token("3001", "x" * 32, google.native_client)), ("no nonce", google.id_token(
            "3001", None, google.native_client)), ("another audience", google.id_token("3001", nonce, "other.app")),
        ("another issuer", fresh(iss="https://accounts.evil.example")), ("its time over", fresh(exp=1)),
        ("no subject", fresh(sub="")), ("a broken signature", fresh()[:-8] + "AAAAAAAA"), ("nonsense", "a.b.c"),
    ):
        refusal(checks, f"a native token with {name}", send("google", bad, nonce), app.contract, 401)
    refusal(checks, "Apple's token at Google", send("google", apple.id_token(
        "3002", nonce, apple.native_client), nonce), app.contract, 401)
    refusal(checks, "a nonce that can be guessed", send("google", google.id_token(
        "3001", "1", google.native_client), "1"), app.contract, (400, 401))
    refusal(checks, "GitHub has no ID tokens", send("github", fresh(), nonce), app.contract, (400, 404))
    tokens = [fresh() for _ in range(2)]
    statuses = sorted(answer.status for answer in at_once(10, lambda _: send("google", tokens[0], nonce)))
    checks.equal("one token 10 times at once", [200] + [401] * 9, statuses)
