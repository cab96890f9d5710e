"""clarity in front of AWS Cognito, which `moto` simulates: sign-in, refresh, next steps, outages, and leaving Cognito."""

import json
import time

from apps import new_email, new_password
from expectations import refusal, success
from peers import serving
from peers.cognito import error
from upstreams.flow import at_once

SECONDS = 5
PASSWORD = "Quiet-1-Harbour!"


def run(world, app, proxy):
    checks = world.checks
    sign_in(app, checks, proxy)
    refreshing(app, checks, proxy)
    challenge(app, checks, proxy)
    refusals_of_the_pool(app, checks, proxy)
    at_the_same_time(app, checks, proxy)
    checks.equal("every SECRET_HASH is what an independent computation gives", [], proxy.wrong)
    for action, flow in (("InitiateAuth", "USER_PASSWORD_AUTH"), ("InitiateAuth", "REFRESH_TOKEN_AUTH"),
                         ("RespondToAuthChallenge", None)):
        checks.that(f"{action} {flow or ''} was used", proxy.of(action, flow), "calls", len(proxy.calls))
    checks.equal("no other call is made but revocation", set(), {action for action, _ in proxy.calls} - {
        "InitiateAuth", "RespondToAuthChallenge", "RevokeToken"})
    nothing_of_the_pool(world, checks, proxy)


def someone(app, pool, **more):
    email = new_email()
    pool.add(email, PASSWORD, **more)
    return {"email": email, "password": PASSWORD}


def sign_in(app, checks, proxy):
    credentials = someone(app, proxy.pool, name="Ada Lovelace")
    answer = app.call("login", credentials)
    success(checks, "login", answer, app["login"], email=credentials["email"], name="Ada Lovelace")
    body = proxy.of("InitiateAuth", "USER_PASSWORD_AUTH")[-1]
    checks.equal("what Cognito is sent at sign-in", {
        "USERNAME": credentials["email"], "PASSWORD": PASSWORD,
        "SECRET_HASH": proxy.pool.secret_hash(credentials["email"])}, body["AuthParameters"])
    checks.equal("the client's id goes along", proxy.pool.client_id, body["ClientId"])
    checks.that("the client's secret does not", proxy.pool.client_secret not in json.dumps(body))
    again = app.call("login", credentials | {"email": credentials["email"].upper(), "remember_me": True})
    if again.status == 200:
        checks.equal("the same person is the same account", answer.json["user"]["id"], again.json["user"]["id"])
    again = app.call("login", credentials)
    checks.equal("again", answer.json["user"], again.json["user"])
    me = app.call("me", bearer=answer.json["access_token"])
    checks.equal("me", (200, answer.json["user"]), (me.status, me.json))
    pairs = [(app.call("login", credentials | {"password": new_password()}), "a wrong password"),
             (app.call("login", credentials | {"email": new_email()}), "an unknown person")]
    for refused, name in pairs:
        refusal(checks, f"login with {name}", refused, app.contract, 401)
    checks.equal("wrong password and unknown person are told alike", *((
        answer.status, answer.body, sorted(name.lower() for name, _ in answer.headers)) for answer, _ in pairs))
    disabled = someone(app, proxy.pool)
    proxy.pool.disable(disabled["email"])
    answer = app.call("login", disabled)
    checks.equal("a disabled person is told alike", (pairs[0][0].status, pairs[0][0].body),
                 (answer.status, answer.body))
    answer = app.call("register", app.newcomer())
    refusal(checks, "nobody registers past Cognito", answer, app.contract, (400, 403, 404, 405, 503))
    calls = len(proxy.calls)
    refusal(checks, "a password of 300 bytes", app.call("login", credentials | {"password": "x" * 300}), app.contract,
            401)
    refusal(checks, "an email that is none", app.call("login", credentials | {"email": "nobody"}), app.contract,
            (400, 401))
    checks.equal("is not even sent", calls, len(proxy.calls))


def refreshing(app, checks, proxy):
    pool, credentials = proxy.pool, someone(app, proxy.pool)
    signed_in = app.call("login", credentials | {"remember_me": True})
    access, first = app.tokens(signed_in)
    asked = len(proxy.of("InitiateAuth", "REFRESH_TOKEN_AUTH"))
    answer = app.refresh(first)
    success(checks, "refresh", answer, app["refresh"])
    second = app.tokens(answer)[1]
    body = proxy.of("InitiateAuth", "REFRESH_TOKEN_AUTH")[asked:]
    checks.equal("Cognito is asked once", 1, len(body))
    parameters = body[0]["AuthParameters"] if body else {}
    checks.equal("with a SECRET_HASH over the pool's own username", pool.secret_hash(
        pool.username(credentials["email"])), parameters.get("SECRET_HASH"))
    checks.that("which is not the hash over the email", parameters.get("SECRET_HASH") != pool.secret_hash(
        credentials["email"]), "another", parameters.get("SECRET_HASH"))
    checks.equal("the spent token, its successor unused, is answered with the same successor", second,
                 app.refreshed(first)[1])
    checks.equal("and asked about as well", asked + 2, len(proxy.of("InitiateAuth", "REFRESH_TOKEN_AUTH")))
    third = app.refreshed(second)[1]
    pool.disable(credentials["email"])
    refusal(checks, "a person who is disabled in the pool stops refreshing", app.refresh(third), app.contract, 401)
    refusal(checks, "and signing in", app.call("login", credentials), app.contract, 401)
    pool.enable(credentials["email"])
    refusal(checks, "enabled again, that session stays over", app.refresh(third), app.contract, 401)
    checks.equal("but signs in", 200, app.call("login", credentials).status)
    access, token = app.tokens(app.call("login", credentials))
    pool.sign_out(credentials["email"])
    refusal(checks, "signed out everywhere by the pool", app.refresh(token), app.contract, 401)
    refusal(checks, "which ends the access token", app.call("me", bearer=access), app.contract, 401)
    access, token = app.tokens(app.call("login", credentials))
    with proxy.away():
        away = app.refresh(token)
        refusal(checks, "refresh while Cognito is away", away, app.contract, 503)
    pair = until(lambda: app.refresh(token), 200, 15)
    checks.equal("which costs nobody the session", 200, pair.status)
    access, token = app.tokens(pair)
    success(checks, "logout", app.call("logout", {"refresh_token": token}), app["logout"])
    refusal(checks, "refresh after logout", app.refresh(token), app.contract, 401)


def until(work, status, seconds):
    """Returns the answer of `work` with that status, or the last one."""
    deadline = time.monotonic() + seconds
    while True:
        answer = work()
        if answer.status == status or time.monotonic() > deadline:
            return answer
        time.sleep(0.25)


def challenge(app, checks, proxy):
    newcomer = someone(app, proxy.pool, permanent=False, name="New Comer")

    def asked():
        answer = app.call("login", newcomer | {"remember_me": True})
        refusal(checks, "a temporary password asks for another", answer, app.contract, 401)
        body = answer.json
        checks.equal("as the contract says", ("challenge_required", "NEW_PASSWORD_REQUIRED", True), (
            body.get("code"), body.get("challenge"), isinstance(body.get("challenge_token"), str)))
        return body["challenge_token"]

    token = asked()
    checks.that("no token of Cognito is in it", not any(given.encode() in token.encode() for given in proxy.given))
    for name, body, statuses in (
        ("another token", {"challenge_token": "x" * 43, "answers": {"NEW_PASSWORD": PASSWORD}}, 401),
        ("a changed token", {"challenge_token": token[:-4] + "AAAA", "answers": {"NEW_PASSWORD": PASSWORD}}, 401),
        ("no answers", {"challenge_token": token}, 400),
        ("answers that are a list", {"challenge_token": token, "answers": []}, 400),
        ("an answer that is a number", {"challenge_token": token, "answers": {"NEW_PASSWORD": 7}}, 400),
        ("a password that the pool refuses", {"challenge_token": token, "answers": {"NEW_PASSWORD": "short"}},
         (400, 401)),
    ):
        refusal(checks, f"challenge with {name}", app.call("challenge", body), app.contract, statuses)
    token = asked()
    new = "Quiet-2-Harbour!"
    answer = app.call("challenge", {"challenge_token": token, "answers": {"NEW_PASSWORD": new}})
    success(checks, "challenge answers as login", answer, app["challenge"], email=newcomer["email"])
    if answer.status == 200:
        checks.equal("me after it", 200, app.call("me", bearer=answer.json["access_token"]).status)
        checks.equal("refresh after it", 200, app.refresh(answer.json["refresh_token"]).status)
    refusal(checks, "the challenge's token a second time", app.call(
        "challenge", {"challenge_token": token, "answers": {"NEW_PASSWORD": new}}), app.contract, (400, 401))
    refusal(checks, "the temporary password", app.call("login", newcomer), app.contract, 401)
    checks.equal("the new one", 200, app.call("login", newcomer | {"password": new}).status)
    for name in ("SOFTWARE_TOKEN_MFA", "SMS_MFA", "CUSTOM_CHALLENGE"):
        body = json.dumps({"ChallengeName": name, "Session": "AYABe" + "x" * 40, "ChallengeParameters": {
            "USER_ID_FOR_SRP": "someone"}}).encode()
        with proxy.failing(serving.status(200, body)):
            answer = app.call("login", {"email": newcomer["email"], "password": new})
        if name == "CUSTOM_CHALLENGE":
            checks.that("a challenge that nobody knows gives no session", answer.status != 200, "no 200", answer)
            continue
        refusal(checks, f"{name} is a next step", answer, app.contract, 401)
        checks.equal(f"{name} is named", name, answer.json.get("challenge"))


def refusals_of_the_pool(app, checks, proxy):
    """UP-01, UP-06: Cognito's answers other than success and refusal."""
    credentials = someone(app, proxy.pool)
    checks.equal("somebody signs in", 200, app.call("login", credentials).status)

    def tried(name, statuses):
        began = time.monotonic()
        answer = app.call("login", credentials)
        seconds = time.monotonic() - began
        refusal(checks, name, answer, app.contract, statuses)
        checks.that(f"{name}: within {SECONDS} s", seconds < SECONDS, f"{SECONDS} s", f"{seconds:.1f} s")

    for kind in ("TooManyRequestsException", "LimitExceededException"):
        with proxy.failing(error(kind, "Rate exceeded")):
            tried(kind, 429)
    for kind in ("NotAuthorizedException", "UserNotFoundException", "UserNotConfirmedException",
                 "PasswordResetRequiredException"):
        with proxy.failing(error(kind, "private words of the pool")):
            tried(kind, 401)
            answer = app.call("login", credentials)
            checks.that(f"{kind}: the pool's words are not passed on", b"words of the pool" not in answer.body)
    faults = {
        "InternalErrorException": error("InternalErrorException", status=500), "500": serving.status(500),
        "ResourceNotFoundException": error("ResourceNotFoundException"), "garbage": serving.garbage,
        "HTML": serving.html, "10 MB": serving.huge, "a broken connection": serving.broken,
        "an empty object": serving.status(200, b"{}"), "an unknown refusal": error("BrandNewException"),
        "tokens that are none": serving.status(200, b'{"AuthenticationResult": {"AccessToken": "a"}}'),
    }
    for name, fault in faults.items():
        with proxy.failing(fault):
            tried(f"Cognito answers {name}", (502, 503))
        checks.equal(f"after {name}", 200, until(lambda: app.call("login", credentials), 200, 15).status)
    with proxy.failing(serving.redirecting(proxy.pool.moto.base + "/")):
        tried("Cognito redirects", (502, 503))
    with proxy.failing(serving.silent()):
        tried("Cognito is silent", 503)
    until(lambda: app.call("login", credentials), 200, 15)
    with proxy.away():
        tried("Cognito is away", 503)
    checks.equal("when it is back", 200, until(lambda: app.call("login", credentials), 200, 15).status)


def at_the_same_time(app, checks, proxy):
    """RC-01, RC-06: concurrent first sign-ins create one account, concurrent refreshes one branch."""
    credentials = someone(app, proxy.pool)
    answers = at_once(10, lambda _: app.call("login", credentials | {"remember_me": True}))
    checks.equal("10 first sign-ins of one person at once", [200] * 10, [answer.status for answer in answers])
    checks.equal("make one account", 1, len({answer.json["user"]["id"] for answer in answers}))
    first = app.tokens(answers[0])[1]
    before = len(proxy.of("InitiateAuth", "REFRESH_TOKEN_AUTH"))
    answers = at_once(10, lambda _: app.refresh(first))
    checks.equal("10 refreshes with one token at once", [200] * 10, [answer.status for answer in answers])
    checks.equal("give one successor", 1, len({app.tokens(answer)[1] for answer in answers}))
    asked = len(proxy.of("InitiateAuth", "REFRESH_TOKEN_AUTH")) - before
    # A request that arrives after the others were answered is sent upstream again.
    checks.that("and ask Cognito at most once each", 1 <= asked <= 10, "1 to 10", asked)


def nothing_of_the_pool(world, checks, proxy):
    given = [value.encode() for value in proxy.given if len(value) > 20]
    checks.that("there are tokens of Cognito to look for", len(given) > 10, "more than 10", len(given))
    # A JWT is also searched for by its payload: with that, an attacker can restore the token.
    pieces = given + [value.split(b".")[1] for value in given if value.count(b".") == 2]
    for name, where in (("the log", world.server.log.read_bytes()), ("the data directory", world.stored()),
                        ("an answer", world.traffic())):
        checks.that(f"no token of Cognito in {name}", not any(piece in where for piece in pieces), "none")
        checks.that(f"no client secret in {name}", proxy.pool.client_secret.encode() not in where)
        checks.that(f"no password in {name}", PASSWORD.encode() not in where)


