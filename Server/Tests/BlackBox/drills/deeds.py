"""Single operations of a user, at a node whose network to the database fails, and the expected state at another node afterwards.

Each operation is a generator: it prepares its data before the first `yield`, which returns the account and the function to
disturb; it is sent the answer and whether the function had to be repeated, and checks the result.
"""

from dataclasses import dataclass

from apps import new_number, new_password
from walks.vici import reset_token


@dataclass
class Place:
    """The apps of a node that is disturbed, and of one that is not."""
    disturbed: dict
    plain: dict
    post: object
    checks: object
    asker: object

    def ask(self, name, operation, body=None, **more):
        return self.asker.ask(self.disturbed[name], operation, body, **more)

    def check_status(self, what, expected, answer):
        statuses = expected if isinstance(expected, tuple) else (expected,)
        return self.checks.that(what, answer.status in statuses, statuses, str(answer))


def sign_up(place):
    body = place.plain["vici"].newcomer()
    answer, unknown = yield body["email"], lambda: place.ask("vici", "register", body)
    place.check_status("registering", (201, 409) if unknown else 201, answer)
    credentials = {key: body[key] for key in ("email", "password")}
    place.check_status("the account signs in", 200, place.plain["vici"].call("login", credentials))


def sign_up_by_code(place):
    app, number = place.plain["barqnet"], new_number()
    body = {"phone_number": number, "password": new_password(), "otp": app.code_for(number)[1]}
    answer, unknown = yield number, lambda: place.ask("barqnet", "register", body)
    place.check_status("registering with a code", (201, 400, 409) if unknown else 201, answer)
    credentials = {key: body[key] for key in ("phone_number", "password")}
    place.check_status("the code was not spent without its account", 200, app.call("login", credentials))
    place.check_status("the code is spent", (400, 409), app.call("register", body))


def ask_for_code(place):
    number = new_number()
    answer, unknown = yield None, lambda: place.ask("barqnet", "send", {"phone_number": number})
    place.check_status("asking for a code", (200, 429) if unknown else 200, answer)
    code = place.post.wait(None, number, holds="code")["code"]
    body = {"phone_number": number, "password": new_password(), "otp": code}
    place.check_status("the code that was sent is good", 201, place.plain["barqnet"].call("register", body))
    sent = {message["code"] for message in place.post.messages(None, number)}
    place.checks.equal("one code was sent", 1, len(sent))


def guess(place):
    """Each wrong guess is counted, regardless of its answer: at most five."""
    app, number = place.plain["barqnet"], new_number()
    session, code = app.code_for(number)
    wrong = f"{(int(code) + 1) % 1_000_000:06}"
    proof = {"phone_number": number, "otp": wrong, "session_id": session}
    answer, unknown = yield None, lambda: place.ask("barqnet", "verify", proof)
    place.check_status("a wrong guess", 400, answer)
    for _ in range(3):
        app.call("verify", proof)
    if not unknown:
        place.check_status("four wrong guesses leave one", 200, app.call("verify", proof | {"otp": code}))
    app.call("verify", proof)
    place.check_status("five wrong guesses are the last", 400, app.call("verify", proof | {"otp": code}))


def sign_in(place):
    person = place.plain["vici"].register()
    answer, _ = yield person.credentials["email"], lambda: place.ask("vici", "login", person.credentials)
    if place.check_status("signing in", 200, answer):
        access, refresh = place.plain["vici"].tokens(answer)
        place.checks.that("the session is there", place.plain["vici"].accepts(access), "accepted", "refused")
        place.check_status("and is refreshed", 200, place.plain["vici"].refresh(refresh))


def _refresh(name):
    def refresh(place):
        app = place.plain[name]
        person = app.register()
        body = {next(iter(app["refresh"].fields)): person.refresh}
        answer, _ = yield person.credentials[app.contract.identifier], lambda: place.ask(name, "refresh", body)
        if not place.check_status("a refresh", 200, answer):
            return
        access, successor = app.tokens(answer)
        place.checks.that("its access token is accepted", app.accepts(access), "accepted", "refused")
        place.checks.equal("the token before is answered with the same successor", successor,
                           app.refreshed(person.refresh)[1])
        third = app.refreshed(successor)[1]
        place.check_status("the session goes on", 200, app.refresh(third))
    return refresh


def sign_out(place):
    app = place.plain["vici"]
    person = app.register()
    other = app.sign_in(person)
    answer, _ = yield person.credentials["email"], lambda: place.ask("vici", "logout", {"refreshToken": person.refresh})
    place.check_status("signing out", 200, answer)
    place.checks.that("the session is ended", not app.accepts(person.access), "refused", "accepted")
    place.check_status("its refresh token is dead", 401, app.refresh(person.refresh))
    place.checks.that("the other session lives", app.accepts(other.access), "accepted", "refused")


def ask_for_reset(place):
    app = place.plain["vici"]
    person = app.register()
    email = person.credentials["email"]
    answer, _ = yield email, lambda: place.ask("vici", "forgot", {"email": email})
    place.check_status("asking for a reset", 200, answer)
    body = {"token": reset_token(place.post.wait(None, email, holds="link")), "password": new_password()}
    place.check_status("the token that was sent is good", 200, app.call("reset", body))
    links = {message["link"] for message in place.post.messages(None, email) if message["link"]}
    place.checks.equal("one link was sent", 1, len(links))


def reset(place):
    app = place.plain["vici"]
    person = app.register()
    email = person.credentials["email"]
    app.call("forgot", {"email": email})
    body = {"token": reset_token(place.post.wait(None, email, holds="link")), "password": new_password()}
    answer, unknown = yield email, lambda: place.ask("vici", "reset", body)
    place.check_status("resetting the password", (200, 400) if unknown else 200, answer)
    place.check_status("the token was not spent without the new password", 200,
                       app.call("login", person.with_password(body["password"])))
    place.check_status("the old password", 401, app.call("login", person.credentials))
    place.checks.that("the sessions are ended", not app.accepts(person.access), "refused", "accepted")
    place.check_status("the token is spent", 400, app.call("reset", body))
    # A sign-in from another network is told of too, by a message with a link.
    notice = place.post.wait(None, email, lacks="link")
    place.checks.equal("the owner is told", None, notice["link"])


def rename(place):
    app = place.plain["vici"]
    person = app.register()
    answer, _ = yield person.credentials["email"], lambda: place.ask(
        "vici", "update", {"name": "Renamed"}, bearer=person.access)
    place.check_status("changing the name", 200, answer)
    place.checks.equal("the name is changed", "Renamed", app.call("me", bearer=person.access).json.get("name"))


DEEDS = {
    "sign-up": sign_up, "sign-up by code": sign_up_by_code, "asking for a code": ask_for_code, "guess": guess,
    "sign-in": sign_in, "refresh": _refresh("vici"), "opaque refresh": _refresh("barqnet"), "sign-out": sign_out,
    "asking for a reset": ask_for_reset, "reset": reset, "change of name": rename,
}
# The operations with exactly one effect, and exactly one audit event, however often they are requested.
ONCE = {"sign-up", "sign-up by code", "reset"}
