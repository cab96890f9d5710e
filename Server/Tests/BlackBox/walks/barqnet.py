"""barqnet: a phone number, a code sent to it, then a password."""

import time

from apps import new_number, new_password
from expectations import refusal, success
from shapes import differences
from walks import sessions
from walks.vici import same_refusal

SIGNED_OUT = {"success": True}
UNREADABLE_NUMBERS = [
    "15550100001", "0015550100001", "tel:+15550100001", "+1555010001 ext 4", "+", "", "+0555010001", "+1555abc0001",
    "\uff0b15550100001", "+\uff11\uff15\uff15\uff15\uff10\uff11\uff10\uff10\uff10\uff10\uff11", "+1234567890123456",
    "+15550100001,+15550100002", "+1\u00a05550100001", "+1555\n0100001", "%", "*",
]
UNREADABLE_CODES = ["12345", "1234567", "+12345", " 123456", "12 3456", "\uff11\uff12\uff13\uff14\uff15\uff16",
                    "\u0661\u0662\u0663\u0664\u0665\u0666", "%", "*", "", "12345x", "-12345", "1e5000"]


def run(walk):
    app, checks = walk.apps["barqnet"], walk.checks
    registration(walk, app, checks)
    numbers(app, checks)
    codes(app, checks)
    tries(app, checks)
    sessions.replay(app, checks)
    sessions.sign_out(walk, app, "logout", lambda person: {"token": person.access}, SIGNED_OUT, bearer=True)
    naming_another(app, checks)
    other = walk.apps["clarity"].register()
    sessions.unknown_sign_outs(app, checks, [
        ("an unknown token and Bearer", {"token": "x" * 43}, "x" * 43),
        ("another app's token and Bearer", {"token": other.access}, other.access)], SIGNED_OUT)
    checks.that("another app's session lives on", walk.apps["clarity"].accepts(other.access), "accepted", "refused")


def registration(walk, app, checks):
    number, password = new_number(), new_password()
    sent = app.call("send", {"phone_number": number})
    success(checks, "send-otp", sent, app["send"])
    message = walk.inbox.wait("barqnet", number)
    code = message["code"]
    checks.that("the message: to the number, by SMS, 6 digits that stand in its text, no link",
                message["channel"] == "sms" and message["to"] == number and len(code) == 6 and code.isascii()
                and code.isdigit() and code in message["text"] and message["link"] is None, "that", message)
    checks.that("the code is nowhere in the answer", code.encode() not in sent.body, "absent", sent)
    session = sent.json["data"]["session_id"]
    proof = {"phone_number": number, "otp": code, "session_id": session}
    success(checks, "verify-otp", app.call("verify", proof), app["verify"])
    success(checks, "verify-otp again, for the code is not spent", app.call("verify", proof), app["verify"])
    body = {"phone_number": number, "password": password, "otp": code}
    registered = app.call("register", body)
    success(checks, "register with the same code", registered, app["register"], phone_number=number)
    refusal(checks, "register again with the spent code", app.call("register", body), app.contract, (400, 409))
    refusal(checks, "verify-otp with the spent code", app.call("verify", proof), app.contract, 400)
    user = registered.json["data"]["user"]
    for form in (number, f" {number[:2]} ({number[2:5]}) {number[5:8]}-{number[8:]}", f"{number[:5]}.{number[5:]}"):
        success(checks, f"login as {form!r}", app.call("login", {"phone_number": form, "password": password}),
                app["login"], **user)
    same_refusal(app, checks, {"phone_number": number, "password": new_password()},
                 {"phone_number": new_number(), "password": new_password()})
    access = app.tokens(registered)[0]
    verified = app.wire.get("/verify", bearer=access)
    checks.equal("forward-auth names the account", (200, user["id"]), (verified.status, verified.header("x-auth-user")))


def numbers(app, checks):
    for number in UNREADABLE_NUMBERS:
        refusal(checks, f"send-otp to {number!r}", app.call("send", {"phone_number": number}), app.contract, 400)
    number = new_number()
    app.code_for(number)
    spelled = f"{number[:2]} ({number[2:5]}) {number[5:8]}.{number[8:]}"
    for form in (number, spelled):
        answer = app.call("send", {"phone_number": form})
        refusal(checks, f"send-otp again as {form!r} within a minute", answer, app.contract, 429)
        wait = answer.header("retry-after") or "0"
        checks.that("Retry-After is at most the minute", wait.isdigit() and 1 <= int(wait) <= 60, "1 to 60", wait)
    checks.equal("one number, however spelled, was sent one message", 1, len(app.inbox.messages("barqnet", number)))
    registered = app.register().credentials["phone_number"]
    refusal(checks, "the minute holds for a number with an account", app.call("send", {"phone_number": registered}),
            app.contract, 429)


def codes(app, checks):
    number, other = new_number(), new_number()
    (session, code), (other_session, other_code) = app.code_for(number), app.code_for(other)
    body = {"phone_number": number, "otp": code, "session_id": session}
    if code != other_code:
        refusal(checks, "verify-otp with the code of another number", app.call("verify", body | {"otp": other_code}),
                app.contract, 400)
    for name, changed in (("the session of another number", other_session), ("an unknown session", "x" * 22),
                          ("an empty session", "")):
        refusal(checks, f"verify-otp with {name}", app.call("verify", body | {"session_id": changed}), app.contract,
                400)
    fresh = new_number()
    session, code = app.code_for(fresh)
    body = {"phone_number": fresh, "otp": code, "session_id": session}
    for unreadable in UNREADABLE_CODES:
        number = new_number()
        session, _ = app.code_for(number)
        refusal(checks, f"verify-otp with {unreadable!r}", app.call("verify", {
            "phone_number": number, "otp": unreadable, "session_id": session}), app.contract, 400)
    for several in ([code], ["000000", code], {"code": code}, int(code)):
        refusal(checks, f"verify-otp with a {type(several).__name__} around the right code",
                app.call("verify", body | {"otp": several}), app.contract, 400)
    refusal(checks, "verify-otp of a number that asked for none", app.call("verify", {
        "phone_number": new_number(), "otp": "123456", "session_id": session}), app.contract, 400)
    refusal(checks, "register of a number that asked for no code", app.call("register", {
        "phone_number": new_number(), "password": new_password(), "otp": "123456"}), app.contract, 400)


def wrong_codes(code):
    """Returns six-digit codes other than `code`."""
    return (f"{(int(code) + step) % 10**6:06}" for step in range(1, 10**6))


def tries(app, checks):
    """Wrong codes with the code session invalidate the code; those without it only block requests without it (decision 31)."""
    for wrong, outcome in ((4, "still good after 4 wrong tries"), (5, "dead after 5 wrong tries")):
        for guessed_at in ("verify", "register"):
            number = new_number()
            session, code = app.code_for(number)
            bodies = {"verify": {"phone_number": number, "session_id": session},
                      "register": {"phone_number": number, "password": new_password()}}
            for attempt, guess in zip(range(wrong), wrong_codes(code)):
                answer = app.call(guessed_at, bodies[guessed_at] | {"otp": guess})
                refusal(checks, f"wrong try {attempt + 1} at {guessed_at}", answer, app.contract, 400, secret=code)
            right = {name: body | {"otp": code} for name, body in bodies.items()}
            if wrong < 5:
                success(checks, f"a code is {outcome} at {guessed_at}", app.call("verify", right["verify"]), app["verify"])
            else:
                if guessed_at == "verify":
                    refusal(checks, f"a code is {outcome}", app.call("verify", right["verify"]), app.contract, 400)
                refusal(checks, f"a code is {outcome} at {guessed_at}, for register",
                        app.call("register", right["register"]), app.contract, 400)


def naming_another(app, checks):
    person, stranger = app.register(), app.register()
    for name, body_of, ends in (
        ("its own second session's access token", lambda other: other.access, True),
        ("a stranger's access token", lambda other: stranger.access, False),
    ):
        one, other = app.sign_in(person), app.sign_in(person)
        answer = app.call("logout", {"token": body_of(other)}, bearer=one.access)
        success(checks, f"logout naming {name}", answer, app["logout"])
        checks.that(f"logout naming {name} ends the bearer's session", not app.accepts(one.access), "refused",
                    "accepted")
        checks.equal(f"logout naming {name} ends the person's other session", ends, not app.accepts(other.access))
    checks.that("a stranger's session lives on", app.accepts(stranger.access), "accepted", "refused")


def short_lived(app, checks):
    """`app` allows a new code after 1 s, and codes expire after 3 s."""
    number = new_number()
    session, old = app.code_for(number)
    time.sleep(1.2)
    renewed_session, new = app.code_for(number, count=2)
    if old != new:
        refusal(checks, "asking again kills the code before", app.call("verify", {
            "phone_number": number, "otp": old, "session_id": session}), app.contract, 400)
    proof = {"phone_number": number, "otp": new, "session_id": renewed_session}
    success(checks, "the new code is good", app.call("verify", proof), app["verify"])
    time.sleep(3.2)
    refusal(checks, "a code that outlived its lifetime", app.call("verify", proof), app.contract, 400)
    refusal(checks, "a code that outlived its lifetime, at register", app.call("register", {
        "phone_number": number, "password": new_password(), "otp": new}), app.contract, 400)

    person = app.register()
    number = person.credentials["phone_number"]
    time.sleep(1.2)
    answer = app.call("send", {"phone_number": number})
    stranger = app.call("send", {"phone_number": new_number()})
    checks.none("send-otp to a number with an account answers as to one without", differences(
        app["send"].answer, answer.json) + differences({"status": stranger.status}, {"status": answer.status}), answer)
    code = app.inbox.wait(app.name, number, 2)["code"]
    if code:
        refusal(checks, "register of a taken number", app.call("register", {
            "phone_number": number, "password": new_password(), "otp": code}), app.contract, 409)
