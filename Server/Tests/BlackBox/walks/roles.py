"""Forward-auth and roles: the answers of `/verify` to a reverse proxy; a changed role is effective immediately."""

from contracts import CONTRACTS
from expectations import refusal


def run(walk):
    for name in CONTRACTS:
        app = walk.apps[name]
        for what, bearer in (("no token", None), ("an unknown token", "x" * 43), ("a malformed token", "a.b.c")):
            refusal(walk.checks, f"{name}: verify with {what}", app.wire.get("/verify", bearer=bearer), app.contract,
                    401)
        if "login" in app.contract.endpoints:
            roles(walk, app)


def roles(walk, app):
    checks, name, person = walk.checks, app.name, app.register()
    other = walk.apps["clarity" if name != "clarity" else "vici"].register()
    refusal(checks, f"{name}: verify with another app's token", app.wire.get("/verify", bearer=other.access),
            app.contract, 401)
    live = app.wire.get("/verify", bearer=person.access)
    checks.equal(f"{name}: verify names the account", (200, str(person.user["id"]), ""), (
        live.status, live.header("x-auth-user"), live.header("x-auth-roles") or ""))
    checks.that(f"{name}: verify names the session", live.header("x-auth-session"), "X-Auth-Session", live.headers)
    again = app.wire.get("/verify", bearer=app.sign_in(person).access)
    checks.that(f"{name}: another sign-in is another session",
                again.header("x-auth-session") not in (None, live.header("x-auth-session")))
    refusal(checks, f"{name}: verify?role=admin without the role",
            app.wire.get("/verify?role=admin", bearer=person.access),
            app.contract, 403)
    refusal(checks, f"{name}: verify?role=admin without a token", app.wire.get("/verify?role=admin"), app.contract, 401)
    for query in ("role", "role=", "roles=", "Role=", "roles=admin", "x=1", "role=admin&role=admin", "role=admin&x=1",
                  "role=%FF"):
        refusal(checks, f"PT-13: {name}: verify?{query} is no question", app.wire.get(
            f"/verify?{query}", bearer=person.access), app.contract, 400)
    if not walk.server:
        walk.skipped(f"{name}: roles, which need --program")
        return
    who = person.credentials[app.contract.identifier]
    for change, role, status in (("--add", "editor", 403), ("--add", "admin", 200), ("--remove", "admin", 403)):
        done = walk.server.command("users", "roles", "--app", name, who, change, role)
        checks.equal(f"{name}: users roles {change} {role}", (0, ""), (done.returncode, done.stderr.strip()))
        answer = app.wire.get("/verify?role=admin", bearer=person.access)
        checks.equal(f"{name}: verify?role=admin after {change} {role}, with the token from before", status,
                     answer.status)
        if status == 200:
            checks.equal(f"{name}: X-Auth-Roles", {"admin", "editor"}, set(
                (answer.header("x-auth-roles") or "").replace(" ", "").split(",")))
            if name == "viewvault":
                checks.equal("viewvault: the role admin is is_admin", True, app.call(
                    "me", bearer=person.access).json.get("is_admin"))
    checks.equal(f"{name}: verify needs the exact role", 403, app.wire.get(
        "/verify?role=edit", bearer=person.access).status)
    disabled = walk.server.command("users", "disable", "--app", name, who, "--yes")
    checks.equal(f"{name}: users disable", 0, disabled.returncode)
    checks.that(f"{name}: a disabled account's token is dead at once", not app.accepts(person.access), "refused",
                "accepted")
    refusal(checks, f"{name}: a disabled account's login", app.call("login", person.credentials), app.contract, 401)
