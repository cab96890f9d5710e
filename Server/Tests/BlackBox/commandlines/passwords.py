"""Passwords: on a terminal without echo, on standard input, never as an argument (AD-07)."""

from apps import App, new_email, new_password
from commandlines.store import refused


def passwords(store, checks):
    email, password = new_email(), new_password()
    for command in (["create", "--app", "vici", "--email", new_email()], ["set-password", "--app", "vici", email]):
        done = store.run("users", *command, "--password", password)
        checks.equal(f"{command[0]} takes no --password", 64, done.returncode)
        checks.that("and does not repeat it", password not in done.stdout + done.stderr, "", done.stderr)

    def asked(first, second, *command):
        screen = store.terminal("users", *command)
        for question, answer in (("assword", first), ("Once more", second)):
            if answer is None:
                break
            checks.that(f"asks {question}", screen.expect(question), question, screen.read)
            screen.wait_for_silence()
            screen.type(answer + "\n")
        status = screen.end()
        shown = screen.read
        screen.close()
        for answer in (first, second):
            checks.that("the answer is not shown", not answer or answer not in shown, "nothing", shown)
        return status, shown

    status, shown = asked(password, password, "create", "--app", "vici", "--email", email)
    checks.equal("create on a terminal", 0, status)
    app = App(store.server.wire, store.server.inbox, "vici")
    checks.equal("the typed password signs in", 200, app.call("login", {"email": email, "password": password}).status)
    checks.equal("answers that differ are refused", 1, asked(
        password, password + "x", "set-password", "--app", "vici", email)[0])
    changed = new_password()
    checks.equal("set-password on a terminal", 0, asked(
        changed, changed, "set-password", "--app", "vici", email)[0])
    checks.equal("it signs in", 200, app.call("login", {"email": email, "password": changed}).status)
    checks.equal("no answer sets none", 1, asked("", None, "set-password", "--app", "vici", email)[0])
    checks.equal("create without one", 0, asked("", None, "create", "--app", "vici", "--email", new_email())[0])

    screen = store.terminal("users", "set-password", "--app", "vici", email)
    screen.expect("assword")
    checks.that("nothing is shown while asking", screen.wait_for_silence(), "no echo", "echo")
    screen.interrupt()
    checks.equal("Ctrl-C while asking", 130, screen.end())
    checks.that("leaves a terminal that shows what is typed", screen.echoes, "echo", "no echo")
    screen.close()

    refused(checks, "set-password without a terminal", store.run("users", "set-password", "--app", "vici", email),
            "--password-stdin")
    for name, text in (("nothing", ""), ("an empty line", "\n"), ("two lines", "one line\ntwo lines\n"),
                       ("NUL", "quiet\0harbour")):
        refused(checks, f"{name} on standard input", store.run(
            "users", "set-password", "--app", "vici", email, "--password-stdin", input=text))
    checks.equal("the password is as it was", 200, app.call("login", {"email": email, "password": changed}).status)

    for answer, status, there in (("no", 1, True), ("yes", 0, False)):
        screen = store.terminal("users", "delete", "--app", "vici", email)
        checks.that("delete asks", screen.expect("Type yes"), "Type yes", screen.read)
        screen.type(answer + "\n")
        checks.equal(f"delete after {answer}", status, screen.end())
        screen.close()
        done = store.run("users", "show", "--app", "vici", email)
        checks.equal(f"the account after {answer}", there, done.returncode == 0)
