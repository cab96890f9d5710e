"""Accounts, roles and sessions, with a running server and without."""

from apps import App, new_email, new_number, new_password
from commandlines.store import refused

HASH_MARK = "$2"


def vici(store):
    return App(store.server.wire, store.server.inbox, "vici")


def accounts(store, checks, online):
    email, password = new_email(), new_password()
    made = store.create("--email", email, "--name", "Ann Example", "--role", "admin", "--role", "b", password=password)
    checks.equal("create answers the account", (email, "Ann Example", ["admin", "b"], True),
                 (made["email"], made["full_name"], made["roles"], made["active"]))
    refused(checks, "a taken email", store.run("users", "create", "--app", "vici", "--email", email.upper()))
    refused(checks, "a malformed email", store.run("users", "create", "--app", "vici", "--email", "ann"), "email")
    refused(checks, "a weak password", store.run(
        "users", "create", "--app", "vici", "--email", new_email(), "--password-stdin", input="password1"), "password")
    refused(checks, "a bad role", store.run(
        "users", "create", "--app", "vici", "--email", new_email(), "--role", "a,b"), "role")

    for who in (made["id"], email, email.upper()):
        checks.equal(f"show finds {who}", made["id"], store.listed("users", "show", "--app", "vici", who)["id"])
    number = new_number()
    phone = store.create("--phone", number, app="barqnet")
    checks.equal("show finds a number written otherwise", phone["id"], store.listed(
        "users", "show", "--app", "barqnet", f"{number[:2]} ({number[2:5]}) {number[5:]}")["id"])
    username = store.create("--username", "Zoë", app="viewvault")
    checks.equal("show finds a username", username["id"],
                 store.listed("users", "show", "--app", "viewvault", "zoë")["id"])
    checks.that("an app's ids are its contract's", username["id"].isdigit(), "an integer", username["id"])
    refused(checks, "somebody unknown", store.run("users", "show", "--app", "vici", new_email()))
    refused(checks, "somebody of another app", store.run("users", "show", "--app", "clarity", email), email)

    listed = store.listed("users", "list", "--app", "vici")
    checks.that("list has the account", any(account["id"] == made["id"] for account in listed), made["id"], listed)
    for name, arguments in (("list", ["list"]), ("show", ["show", email])):
        for form in ([], ["--json"]):
            shown = store.run("users", arguments[0], "--app", "vici", *arguments[1:], *form).stdout
            checks.that(f"{name} {form} holds no hash", HASH_MARK not in shown and "password" not in shown, "", shown)
    lines = store.run("users", "list", "--app", "vici").stdout.splitlines()
    checks.that("the table is aligned", len({line.find("active") for line in lines[1:]}) == 1, "one column", lines)

    roles = store.run("users", "roles", "--app", "vici", email, "--add", "c", "--remove", "b", "--remove", "x").stdout
    checks.equal("roles answers what holds", "admin\nc\n", roles)
    checks.equal("roles without a change shows", "admin\nc\n", store.run("users", "roles", "--app", "vici", email).stdout)

    if online:
        sessions(store, checks, email, password)
    for command, active in (("disable", False), ("enable", True)):
        done = store.run("users", command, "--app", "vici", email)
        checks.equal(f"{command}: exit status", 0, done.returncode)
        checks.equal(f"{command}: shown", active, store.listed("users", "show", "--app", "vici", email)["active"])

    changed = new_password()
    done = store.run("users", "set-password", "--app", "vici", email, "--password-stdin", input=changed + "\n")
    checks.equal("set-password: exit status", 0, done.returncode)
    checks.that("set-password does not repeat it", changed not in done.stdout + done.stderr, "", done.stdout)
    if not online:
        store.server.start()
    person = {"email": email, "password": changed}
    checks.equal("the new password signs in", 200, vici(store).call("login", person).status)
    checks.equal("the old one does not", 401, vici(store).call("login", person | {"password": password}).status)
    if not online:
        checks.equal("the server ends", 0, store.server.stop())

    refused(checks, "delete without a terminal", store.run("users", "delete", "--app", "vici", email), "--yes")
    checks.equal("delete --yes", 0, store.run("users", "delete", "--app", "vici", email, "--yes").returncode)
    refused(checks, "a deleted account", store.run("users", "show", "--app", "vici", email))
    audited(store, checks, made["id"])


def sessions(store, checks, email, password):
    signed_in = [vici(store).call("login", {"email": email, "password": password}).json for _ in range(3)]
    listed = store.listed("sessions", "list", "--app", "vici", email)
    checks.equal("sessions list has each sign-in", 3, len(listed))
    checks.that("the table too", store.run("sessions", "list", "--app", "vici", email).stdout.count("\n") == 4, 4, "")
    checks.equal("revoke one", 0, store.run("sessions", "revoke", "--app", "vici", listed[0]["id"]).returncode)
    alive = [vici(store).accepts(answer["accessToken"]) for answer in signed_in]
    checks.equal("its access token stops working at once, the others go on", 2, sum(alive))
    refused(checks, "a session of another app", store.run("sessions", "revoke", "--app", "clarity", listed[1]["id"]))
    refused(checks, "an unknown session", store.run("sessions", "revoke", "--app", "vici", "nobody"))
    done = store.run("sessions", "revoke", "--app", "vici", "--all", email)
    checks.equal("revoke --all ends the rest", "ended 2 sessions\n", done.stdout)
    checks.equal("and lists none", [], store.listed("sessions", "list", "--app", "vici", email))

    access = vici(store).call("login", {"email": email, "password": password}).json["accessToken"]
    store.run("users", "disable", "--app", "vici", email)
    checks.that("disabling ends sessions at once", not vici(store).accepts(access), "401", "200")
    checks.equal("a disabled account does not sign in", 401, vici(store).call(
        "login", {"email": email, "password": password}).status)


def audited(store, checks, account):
    actions = [event["action"] for event in store.events("--app", "vici") if event.get("account") == account]
    for action in ("disable", "enable", "set-password", "roles", "delete"):
        checks.that(f"users {action} is audited", f"cli.users.{action}" in actions, action, actions)
    checks.that("create is audited", any(event["action"] == "cli.users.create" for event in store.events()), "", "")
    checks.equal("--since leaves out what is older", [], store.events("--since", "0s"))
    checks.equal("--since takes a time", [], store.events("--since", "2099-01-01T00:00:00Z"))
    checks.equal("--since takes an age", len(store.events()), len(store.events("--since", "1h")))


def hostile_names(store, checks):
    """AD-09: untrusted names cannot inject control characters into the terminal."""
    esc, override, line = "\x1b[31mred", "\u202etxet", "one\ntwo"
    app = App(store.server.wire, store.server.inbox, "clarity")
    made = app.newcomer()
    app.call("register", made)
    credentials = {"email": made["email"], "password": made["password"]}
    for platform in (esc, override, line, "\x9b31m", "\u2066"):
        device = {"device_id": "d", "platform": platform, "os_version": "1", "app_version": "1"}
        app.call("login", credentials | {"device_info": device})
    app.call("login", credentials, headers=[("User-Agent", "agent \u009b31m \u202e".encode().decode("latin-1"))])
    for form in ([], ["--json"]):
        shown = store.run("sessions", "list", "--app", "clarity", made["email"], *form).stdout
        wild = {character for character in shown if character != "\n" and not character.isprintable()}
        checks.equal(f"sessions list {form} holds only what is printable", set(), wild)
        checks.that(f"sessions list {form} shows the rest escaped", "\\u" in shown.lower(), "an escape", shown)
    for text in (esc, override, line):
        done = store.run("users", "show", "--app", "clarity", text)
        refused(checks, f"an error with {text!r}", done)
        checks.that(f"an error escapes {text!r}", text not in done.stderr, "escaped", done.stderr)
        made = store.run("users", "create", "--app", "clarity", "--email", new_email(), "--name", text)
        refused(checks, f"the name {text!r}", made, "full_name")
