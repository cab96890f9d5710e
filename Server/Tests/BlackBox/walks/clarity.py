"""clarity with local accounts: email and password, with "remember me" and without, three ways to sign out."""

import time

from apps import new_email, new_password
from expectations import refusal, success
from tokens import CAN_VERIFY_ES256, parts, verifies_es256
from walks import sessions
from walks.vici import same_refusal

GOODBYE = {"message": "Logged out successfully"}
DEVICE = {"device_id": "D-1", "platform": "iOS", "os_version": "18.0", "app_version": "1.0.0"}


def run(walk):
    app, checks = walk.apps["clarity"], walk.checks
    accounts(app, checks)
    access_tokens(walk, app, checks)
    sessions.replay(app, checks)
    sessions.sign_out(walk, app, "logout with a refresh token", lambda person: {"refresh_token": person.refresh},
                      GOODBYE)
    sessions.sign_out(walk, app, "logout with {} and Bearer", lambda person: {}, GOODBYE, bearer=True)
    empty_sign_out(app, checks)
    other = walk.apps["vici"].register()
    sessions.unknown_sign_outs(app, checks, [
        ("an unknown token", {"refresh_token": "x" * 43}, None), ("an unknown Bearer", {}, "x" * 43),
        ("another app's token", {"refresh_token": other.refresh}, None), ("another app's Bearer", {}, other.access),
    ], GOODBYE)
    checks.that("another app's session lives on", walk.apps["vici"].accepts(other.access), "accepted", "refused")
    for name, body in (("an unknown challenge", {"challenge_token": "x" * 43, "answers": {"NEW_PASSWORD": "y"}}),
                       ("no answers", {"challenge_token": "x" * 43, "answers": {}})):
        refusal(checks, name, app.call("challenge", body), app.contract, (400, 401))


def accounts(app, checks):
    typed = f" Grace.{new_email().upper()} "
    shown = typed.strip()
    body = {"email": typed, "password": new_password(), "name": "Grace Hopper"}
    registered = app.call("register", body)
    success(checks, "register", registered, app["register"], email=shown, name="Grace Hopper")
    refusal(checks, "register again", app.call("register", body | {"email": shown.lower()}), app.contract, 409)
    known = {"email": shown.lower(), "password": body["password"]}
    user = registered.json["user"]
    for name, more in (
        ("alone", {}), ("remember_me false", {"remember_me": False}), ("remember_me true", {"remember_me": True}),
        ("remember_me null", {"remember_me": None}), ("device_info", {"device_info": DEVICE}),
        ("device_info null", {"device_info": None}), ("device_info empty", {"device_info": {}}),
        ("device_info with nulls", {"device_info": dict.fromkeys(DEVICE)}),
        ("device_info with more", {"device_info": DEVICE | {"model": "iPhone"}}),
        ("everything", {"remember_me": True, "device_info": DEVICE}),
    ):
        success(checks, f"login, {name}", app.call("login", known | more), app["login"], **user)
    for key in DEVICE:
        for value in (1, True, [], {}):
            refusal(checks, f"login with {key} {value!r}", app.call("login", known | {
                "device_info": DEVICE | {key: value}}), app.contract, 400)
    for value in ("true", 1, 0, 1.5):
        refusal(checks, f"login with remember_me {value!r}", app.call("login", known | {"remember_me": value}),
                app.contract, 400)
    same_refusal(app, checks, {"email": shown, "password": new_password()},
                 {"email": new_email(), "password": new_password()})
    success(checks, "me", app.call("me", bearer=registered.json["access_token"]), app["me"], **user)


def access_tokens(walk, app, checks):
    person = app.register()
    header, claims = parts(person.access)
    checks.equal("the access token lives as long as expires_in says", 3600, claims["exp"] - claims["iat"])
    checks.equal("it is ES256", "ES256", header["alg"])
    if not CAN_VERIFY_ES256:
        walk.skipped("signatures of ES256: cryptography is not installed")
        return
    keys = app.wire.get("/.well-known/jwks.json").json["keys"]
    checks.that("it verifies with the published keys", verifies_es256(person.access, keys), "a valid signature", header)
    checks.that("another's signature does not verify", not verifies_es256(
        f"{person.access.rpartition('.')[0]}.{app.register().access.rpartition('.')[2]}", keys))


def empty_sign_out(app, checks):
    for name, content_type in (("a body of no bytes", None), ("a body of no bytes, called JSON", "application/json")):
        person = app.register()
        answer = app.call("logout", body=b"", content_type=content_type, bearer=person.access)
        # curl -X POST sends no bytes and no Content-Type.
        success(checks, f"logout with {name} and Bearer", answer, app["logout"])
        checks.that(f"{name} ends the session", not app.accepts(person.access), "refused", "accepted")


def lifetimes(app, checks):
    """`app` gives sessions without "remember me" 2 s."""
    people = {value: app.register() for value in ("absent", False, True)}
    held = {}
    for value, person in people.items():
        more = {} if value == "absent" else {"remember_me": value}
        held[value] = app.tokens(app.call("login", person.credentials | more))[1]
    time.sleep(3)
    for value in ("absent", False):
        refusal(checks, f"remember_me {value}: a short refresh lifetime", app.refresh(held[value]), app.contract, 401)
    checks.equal("remember_me True: a long refresh lifetime", 200, app.refresh(held[True]).status)
