"""clarity while Cognito is unavailable, and after it was removed."""

import tempfile
import time
from pathlib import Path

from apps import App, new_email, new_password
from expectations import refusal, success
from peers.cognito import Moto
from server import app as entry
from server import development, free_port, serving
from upstreams.cognito import PASSWORD, SECONDS


def leaving(program, checks):
    """`migrate: true`: users who signed in meanwhile can, without Cognito, with the same password."""
    with tempfile.TemporaryDirectory(prefix="ostiary-moto-") as directory, Moto(Path(directory) / "log") as moto:
        left(program, checks, moto)


def left(program, checks, moto):
    pool = moto.pool(by_email=False)  # Directly at moto, whose users' usernames are their emails.
    names = ["seen", "changed", "unseen"]
    people = {name: {"email": new_email(), "password": PASSWORD} for name in names}
    for name in names:
        pool.add(people[name]["email"], PASSWORD, name=name, permanent=name != "changed")
    cognito = entry("clarity", identity=pool.identity(migrate=True))
    with serving(program, development(clarity=cognito), checks) as server:
        app = App(server.wire, server.inbox, "clarity")
        before = app.call("login", people["seen"])
        checks.equal("signs in at Cognito", 200, before.status)
        session = app.tokens(app.call("login", people["seen"] | {"remember_me": True}))[1]
        checks.equal("refreshes at Cognito", 200, app.refresh(session).status)
        token = app.call("login", people["changed"]).json.get("challenge_token", "")
        people["changed"]["password"] = "Quiet-3-Harbour!"
        answer = app.call("challenge", {"challenge_token": token, "answers": {
            "NEW_PASSWORD": people["changed"]["password"]}})
        checks.equal("takes a new password", 200, answer.status)
        with server.paused():
            server.configuration = development(clarity=entry("clarity"))
        moto.stop()
        began = time.monotonic()
        after = app.call("login", people["seen"])
        success(checks, "without Cognito, the same password signs in", after, app["login"])
        checks.that("and asks nobody", time.monotonic() - began < 3, "3 s", time.monotonic() - began)
        checks.equal("as the same account", before.json["user"], after.json.get("user"))
        checks.equal("the new password too", 200, app.call("login", people["changed"]).status)
        refusal(checks, "but not the temporary one", app.call("login", people["changed"] | {"password": PASSWORD}),
                app.contract, 401)
        refusal(checks, "nor another", app.call("login", people["seen"] | {"password": new_password()}), app.contract,
                401)
        refusal(checks, "who did not sign in meanwhile has no password here", app.call("login", people["unseen"]),
                app.contract, 401)
        checks.equal("new people register here", 201, app.call("register", app.newcomer()).status)


def unreachable(program, checks):
    """UP-09: while Cognito is unavailable, local passwords are not accepted."""
    person = {"email": new_email(), "password": new_password()}
    with serving(program, development(clarity=entry("clarity")), checks) as server:
        app = App(server.wire, server.inbox, "clarity")
        checks.equal("a local account", 201, app.call("register", person | {"name": "Local"}).status)
        with server.paused():
            server.configuration = development(clarity=entry("clarity", identity={
                "kind": "cognito", "region": "us-east-1", "user_pool_id": "us-east-1_Nobody", "client_id": "c",
                "client_secret": "s" * 32, "endpoint": f"http://127.0.0.1:{free_port()}"}))
        began = time.monotonic()
        answer = app.call("login", person)
        refusal(checks, "Cognito away: 503, whatever is known here", answer, app.contract, 503)
        checks.that(f"within {SECONDS} s", time.monotonic() - began < SECONDS, SECONDS, time.monotonic() - began)
