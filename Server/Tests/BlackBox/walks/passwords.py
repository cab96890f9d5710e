"""Password rules, the same in every contract that takes passwords."""

from apps import new_email, new_password
from expectations import refusal, success

ACCEPTED = {
    "8 code points": "Zq7!kv2#", "64 bytes": "Zq7!kv2#" * 8, "72 bytes": "Zq7!kv2#" * 9,
    "72 bytes of euro signs": "€" * 24,
    "every printable ASCII": "".join(map(chr, range(32, 95))), "the rest of ASCII": "".join(map(chr, range(95, 127))),
    "emoji": "🦊🌲🎻🪁🥝🧭🛶🪵", "right to left": "סיסמה ארוכה למדי", "spaces around": "  spaces around it  ",
    "decomposed": "cafe\u0301 cre\u0301me bru\u0302le\u0301e",
}
REFUSED = {
    "7 code points": "Zq7!kv2", "73 bytes": "Zq7!kv2#" * 9 + "x", "73 bytes of euro signs": "€" * 24 + "x", "empty": "",
    "4 emoji, though 16 bytes": "🦊🌲🎻🪁", "NUL": "Zq7!kv2#\0abc", "a common one": "password",
    "another common one": "12345678", "a third": "qwertyuiop", "60 000 bytes": "Zq7!kv2#" * 7500,
}
LOOKALIKES = {
    "swapped case": str.swapcase, "a trailing space": lambda text: text + " ",
    "a leading space": lambda text: " " + text,
    "a tab": lambda text: text + "\t", "a zero-width space": lambda text: text + "\u200b",
    "one less": lambda text: text[:-1],
    "one more": lambda text: text + "x",
}


def run(walk):
    for name in ("vici", "clarity", "viewvault"):
        contract(walk.apps[name], walk.checks)
    composed(walk.apps["vici"], walk.checks)


def contract(app, checks):
    name = app.contract.name
    for what, password in ACCEPTED.items():
        body = app.newcomer(password=password)
        success(checks, f"{name}: register with {what}", app.call("register", body), app["register"])
        credentials = {key: body[key] for key in (app.contract.identifier, "password")}
        success(checks, f"{name}: login with {what}", app.call("login", credentials), app["login"])
    for what, password in REFUSED.items():
        body = app.newcomer() | {"password": password}
        refusal(checks, f"{name}: register with {what}", app.call("register", body), app.contract, 400,
                secret=password if password.startswith("Zq7") else None)
    own = new_email()
    body = app.newcomer() | {"email": own, "password": own}
    refusal(checks, f"{name}: register with the email as password", app.call("register", body), app.contract, 400)
    person = app.register()
    for what, change in LOOKALIKES.items():
        refusal(checks, f"{name}: login with {what}", app.call("login", person.with_password(change(person.password))),
                app.contract, 401)
    long = app.register(password="Zq7!kv2#" * 9)
    for what, password in (("a byte past the 72 that count", long.password + "X"), ("no byte", ""),
                           ("60 000 bytes", "x" * 60_000)):
        statuses = (400, 401) if password == "" else 401
        for who, credentials in (("an account", long.credentials),
                                 ("a stranger", long.credentials | {app.contract.identifier: new_email()})):
            refusal(checks, f"{name}: login of {who} with {what}", app.call(
                "login", credentials | {"password": password}), app.contract, statuses)


def composed(app, checks):
    """No normalisation: the same word in another form is another password."""
    person = app.register(password="café crème brûlée")
    refusal(checks, "vici: login with the decomposed form", app.call("login", person.with_password(
        "cafe\u0301 cre\u0300me bru\u0302le\u0301e")), app.contract, 401)
    person = app.register()
    answer = app.call("forgot", {"email": person.credentials["email"]})
    message = app.inbox.wait(app.name, person.credentials["email"])
    token = message["link"].partition("token=")[2].partition("&")[0]
    checks.equal("vici: a reset was asked for", 200, answer.status)
    for what in ("7 code points", "73 bytes", "a common one", "NUL"):
        refusal(checks, f"vici: reset with {what}", app.call("reset", {"token": token, "password": REFUSED[what]}),
                app.contract, 400)
    success(checks, "vici: a refused new password does not spend the reset token", app.call(
        "reset", {"token": token, "password": new_password()}), app["reset"])
