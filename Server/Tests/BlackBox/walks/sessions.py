"""Refresh and sign-out, which vici, clarity and barqnet share under different field names."""

import time

from expectations import refusal, success
from shapes import differences
from tokens import parts


def replay(app, checks):
    """A refresh token is answered until 30 s after the first use of its successor."""
    person = app.register()
    first = person.refresh
    answer = app.refresh(first)
    success(checks, "refresh", answer, app["refresh"])
    access, second = app.tokens(answer)
    checks.that("refresh makes a new refresh token", second != first)
    for attempt in ("again", "a third time"):
        answer = app.refresh(first)
        success(checks, f"the spent token {attempt}, its successor unused", answer, app["refresh"])
        checks.equal(f"the spent token {attempt} is answered with its successor byte for byte", second,
                     app.tokens(answer)[1])
    claims = parts(app.tokens(answer)[0])[1]
    checks.that("the access token that came with it is fresh",
                claims["exp"] - claims["iat"] == 3600 and abs(claims["iat"] - time.time()) < 10, "3600 s from now",
                claims)
    checks.that("both access tokens are accepted", app.accepts(access) and app.accepts(app.tokens(answer)[0]))
    third = app.refreshed(second)[1]
    checks.that("each refresh token is new", len({first, second, third}) == 3)
    for name, token in (("the first", first), ("the second", second)):
        checks.equal(f"{name} token, within 30 s of the use of its successor, is answered with the current one", third,
                     app.refreshed(token)[1])
    refusal(checks, "refresh with an access token", app.refresh(access), app.contract, 401)
    refusal(checks, "refresh with a token of nobody", app.refresh("x" * 43), app.contract, 401)
    refusal(checks, "a refresh token as Bearer", app.wire.get("/verify", bearer=third), app.contract, 401)
    checks.that("none of that ended the session", app.refresh(third).status == 200)


def theft(app, checks, window):
    """After the grace period, a superseded token is treated as theft: 401, and the session ends. `app` has a short grace period."""
    person = app.register()
    first = person.refresh
    access, second = app.refreshed(first)
    time.sleep(window + 0.7)
    checks.equal("the window does not begin before the successor is used", second, app.refreshed(first)[1])
    uses = {"presented": lambda: app.refresh(second), "its access token accepted": lambda: app.accepts(access)}
    for name, use in uses.items():
        person = app.register()
        first = person.refresh
        access, second = app.refreshed(first)
        used = use()
        checks.that(f"successor {name}: the first use succeeds", used, "success", used)
        current = app.refreshed(first)
        time.sleep(window + 0.7)
        refusal(checks, f"successor {name}: the spent token after the window is theft", app.refresh(first),
                app.contract, 401)
        refusal(checks, f"successor {name}: theft ends the session", app.refresh(current[1]), app.contract, 401)
        checks.that(f"successor {name}: theft ends the access tokens", not app.accepts(current[0]), "refused",
                    "accepted")
    other = app.sign_in(person)
    checks.that("theft ends that session alone", app.accepts(other.access))


def sign_out(walk, app, form, body_of, message, **request):
    """Signs out with `body_of(person)`; checks that exactly that session has ended, immediately, and that a repetition succeeds."""
    checks = walk.checks
    person = app.register()
    other = app.sign_in(person)
    bearer = person.access if request.get("bearer") else None
    answer = app.call("logout", body_of(person), bearer=bearer)
    checks.none(f"{form} answers {message}", differences(message, answer.json) + (
        [] if answer.status == 200 else ["status 200"]), str(answer))
    checks.that(f"{form}: the access token is dead at once", not app.accepts(person.access), "refused", "accepted")
    refusal(checks, f"{form}: forward-auth refuses it", app.wire.get("/verify", bearer=person.access), app.contract,
            401)
    refusal(checks, f"{form}: the refresh token is dead", app.refresh(person.refresh), app.contract, 401)
    checks.that(f"{form}: another session lives on", app.accepts(other.access), "accepted", "refused")
    again = app.call("logout", body_of(person), bearer=bearer)
    checks.equal(f"{form}: again is answered the same", (answer.status, answer.body), (again.status, again.body))
    checks.that(f"{form}: the other session still lives", app.refresh(other.refresh).status == 200)


def unknown_sign_outs(app, checks, requests, message):
    """Sign-out with an unknown or malformed token succeeds without an effect."""
    for name, body, bearer in requests:
        answer = app.call("logout", body, bearer=bearer)
        checks.none(f"sign-out with {name}", differences(message, answer.json) + (
            [] if answer.status == 200 else ["status 200"]), str(answer))
