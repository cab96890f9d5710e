"""vici: email and password, access and refresh tokens, reset by mail, roles."""

import urllib.parse

from apps import new_email, new_password
from expectations import refusal, success
from tokens import forged, parts, verifies_hs256
from walks import sessions


def run(walk):
    app, checks = walk.apps["vici"], walk.checks
    accounts(app, checks)
    profile(app, checks)
    tokens(walk, app, checks)
    sessions.replay(app, checks)
    sessions.sign_out(walk, app, "logout", lambda person: {"refreshToken": person.refresh},
                      {"message": "Logout successful"})
    other = walk.apps["clarity"].register()
    sessions.unknown_sign_outs(app, checks, [
        ("an unknown token", {"refreshToken": "x" * 43}, None), ("an empty token", {"refreshToken": ""}, None),
        ("another app's token", {"refreshToken": other.refresh}, None),
        ("another app's access token", {"refreshToken": other.access}, None)], {"message": "Logout successful"})
    checks.that("another app's session lives on", walk.apps["clarity"].accepts(other.access), "accepted", "refused")
    reset(walk, app, checks)
    reset_refusals(app, checks)


def accounts(app, checks):
    typed = f" Ada.{new_email().upper()}\t"
    shown = typed.strip()
    body = {"email": typed, "password": new_password(), "name": "Ada Lovelace"}
    registered = app.call("register", body)
    success(checks, "register answers 201 and shows the email as typed, trimmed", registered, app["register"],
            email=shown, name="Ada Lovelace")
    for form in (shown, shown.lower(), f"  {shown.swapcase()} "):
        success(checks, f"login as {form!r}", app.call("login", body | {"email": form}), app["login"], email=shown,
                id=registered.json["user"]["id"])
        refusal(checks, f"register again as {form!r}", app.call("register", body | {"email": form}), app.contract, 409)
    same_refusal(app, checks, {"email": shown, "password": new_password()},
                 {"email": new_email(), "password": new_password()})
    for name, more in (("without a name", {}), ("with a null name", {"name": None})):
        body = {"email": new_email(), "password": new_password()} | more
        success(checks, f"register {name}", app.call("register", body), app["register"])


def same_refusal(app, checks, wrong, unknown):
    """A wrong password and an unknown account must have the same answer."""
    answers = [app.call("login", credentials) for credentials in (wrong, unknown)]
    for name, answer, sent in zip(("wrong password", "unknown account"), answers, (wrong, unknown)):
        refusal(checks, f"login: {name}", answer, app.contract, 401, secret=sent["password"])
    checks.equal("wrong password and unknown account have one body", answers[0].body, answers[1].body)
    names = [sorted(key.lower() for key, _ in answer.headers) for answer in answers]
    checks.equal("wrong password and unknown account have the same headers", names[0], names[1])


def profile(app, checks):
    person = app.register(name="Before")
    me = app.call("me", bearer=person.access)
    success(checks, "me", me, app["me"], **person.user)
    success(checks, "PATCH me", app.call("update", {"name": "After"}, bearer=person.access), app["update"],
            **person.user | {"name": "After"})
    for name, body in (("an empty object", {}), ("null", {"name": None}), ("an unknown field", {"email": "x@y.z"})):
        success(checks, f"PATCH me with {name} changes nothing", app.call("update", body, bearer=person.access),
                app["update"], **person.user | {"name": "After"})
    refusal(checks, "PATCH me without a token", app.call("update", {"name": "X"}), app.contract, 401)


def tokens(walk, app, checks):
    person = app.register()
    header, claims = parts(person.access)
    checks.equal("the access token lives 3600 s", 3600, claims["exp"] - claims["iat"])
    refresh_claims = parts(person.refresh)[1]
    checks.equal("the refresh token lives 604800 s", 604800, refresh_claims["exp"] - refresh_claims["iat"])
    checks.equal("both are HS256", ["HS256", "HS256"], [header["alg"], parts(person.refresh)[0]["alg"]])
    checks.that("a token says the user id", person.user["id"] in claims.values(), person.user["id"], claims)
    for label, said in (("access", claims), ("refresh", refresh_claims)):
        checks.that(f"the {label} token says neither email nor name",
                    not {person.user["email"], person.user["name"]} & {str(value) for value in said.values()},
                    "ids and times", said)
    if walk.server:
        settings = walk.server.configuration["apps"]["vici"]
        checks.that("the access token is signed with jwt_secret", verifies_hs256(person.access, settings["jwt_secret"]))
        checks.that("the refresh token is signed with jwt_refresh_secret",
                    verifies_hs256(person.refresh, settings["jwt_refresh_secret"]))
    for name, token in (
        ("alg none", forged(person.access, {"alg": "none"}, signature="")),
        ("another alg", forged(person.access, {"alg": "HS512"})),
        ("another expiry", forged(person.access, claims={"exp": claims["exp"] + 1})),
        ("another signature", forged(person.access, signature=person.refresh.split(".")[2])),
        ("no signature", person.access.rpartition(".")[0]),
        ("the refresh token", person.refresh),
    ):
        refusal(checks, f"me with {name}", app.call("me", bearer=token), app.contract, 401)
    checks.that("the token itself still works", app.accepts(person.access))


def reset(walk, app, checks):
    person, stranger = app.register(), new_email()
    email = person.credentials["email"]
    other = app.sign_in(person)
    known, unknown = (app.call("forgot", {"email": address}) for address in (email, stranger))
    success(checks, "forgot-password of an account", known, app["forgot"])
    checks.equal("forgot-password of a stranger answers the same", (known.status, known.body),
                 (unknown.status, unknown.body))
    message = walk.inbox.wait("vici", email)
    checks.equal("the message", ("email", email, None), (message["channel"], message["to"], message["code"]))
    token = reset_token(message)
    checks.that("the token stands in the text as well", token in message["text"], token, message["text"])
    if walk.server:
        checks.that("the link is built from public_url", message["link"].startswith(walk.server.base), walk.server.base,
                    message["link"])
    evil = [("X-Forwarded-Host", "evil.example"), ("Forwarded", "host=evil.example")]
    success(checks, "a second forgot-password within a minute answers the same",
            app.call("forgot", {"email": email.upper()}, headers=evil), app["forgot"])
    fence = app.register().credentials["email"]
    app.call("forgot", {"email": fence}, headers=evil)
    fenced = walk.inbox.wait("vici", fence)
    checks.that("no request header gets into a link", "evil" not in fenced["text"] + fenced["link"], "public_url",
                fenced["link"])
    checks.equal("a second forgot-password within a minute sends nothing", 1, len(walk.inbox.messages("vici", email)))
    checks.equal("a stranger is sent nothing", [], walk.inbox.messages("vici", stranger))

    link = urllib.parse.urlsplit(message["link"])
    for _ in range(2):  # The requests of a mail scanner; the rest of this section shows that they redeem nothing.
        checks.equal("the link leads to a page", 200, walk.wire.get(f"{link.path}?{link.query}").status)
    renewed = new_password()
    success(checks, "reset-password", app.call("reset", {"token": token, "password": renewed}), app["reset"])
    for session in (person, other):
        checks.that("a reset ends every session's access token", not app.accepts(session.access), "refused", "accepted")
        refusal(checks, "a reset ends every session's refresh token", app.refresh(session.refresh), app.contract, 401)
    refusal(checks, "the old password after a reset", app.call("login", person.credentials), app.contract, 401)
    success(checks, "the new password after a reset", app.call("login", person.with_password(renewed)), app["login"])
    refusal(checks, "a reset token used twice", app.call("reset", {"token": token, "password": new_password()}),
            app.contract, 400)
    success(checks, "the refused reset changed nothing", app.call("login", person.with_password(renewed)), app["login"])


def reset_token(message):
    return urllib.parse.parse_qs(urllib.parse.urlsplit(message["link"]).query)["token"][0]


def reset_refusals(app, checks):
    person = app.register()
    for name, token in (("an unknown", "x" * 43), ("an empty", ""), ("an access", person.access),
                        ("a refresh", person.refresh)):
        refusal(checks, f"reset-password with {name} token", app.call("reset", {
            "token": token, "password": new_password()}), app.contract, 400)
