"""What administrators do in the console, and that it took effect."""

from apps import new_email, new_password

from browsing.chromium import chromium
from browsing.console import answer, arrive, go, invited, person
from browsing.people import quiet
from wire import Wire


def people(walk):
    checks = walk.checks
    with chromium() as browser:
        invited(walk, browser)
        email = created(walk, browser)
        edited(walk, browser, email)
        disabled_and_enabled(walk, browser)
        deleted(walk, browser)
        quiet(checks, browser, walk.base, other_hosts=(walk.admin,), told="people")


def created(walk, browser):
    checks, email = walk.checks, new_email()
    go(walk, browser, "/admin/people/new?app=vici")
    # Without the browser's own check, as a program sends it.
    browser.script("document.querySelector(\"form[action='/admin/people/new']\").noValidate = true")
    browser.submit("form[action='/admin/people/new'] button", email="no address", full_name="Nobody")
    checks.that("a malformed address is refused at its field", browser.status == 400 and browser.shows("#email-problem")
                and browser.find("[name=full_name]").get_attribute("value") == "Nobody", 400, browser.text)
    browser.submit("form[action='/admin/people/new'] button", email=email, full_name="Annie Easley")
    checks.equal("the person is created", "Annie Easley", browser.heading)
    message = walk.inbox.wait("vici", email)
    checks.that("and invited by mail", message.get("link"), "a link", message)
    return email


def edited(walk, browser, email):
    checks = walk.checks
    person(walk, browser, email)
    page = browser.driver.current_url.split("?")[0]
    browser.open(f"{page}/edit")
    browser.submit("section form button", full_name="Annie J. Easley")
    checks.equal("a new name is shown", "Annie J. Easley", browser.heading)
    browser.open(f"{page}/roles")
    browser.submit("section form button", roles="editor\nreviewer@project:42")
    checks.that("new roles are shown", "reviewer" in browser.text and "project:42" in browser.text, "reviewer",
                browser.text)
    browser.open(f"{page}/roles")
    browser.submit("section form button", roles="no role!")
    checks.equal("a malformed role is refused", 400, browser.status)


def disabled_and_enabled(walk, browser):
    checks = walk.checks
    newcomer = walk.vici.register()
    person(walk, browser, newcomer.credentials["email"])
    page = browser.driver.current_url.split("?")[0]
    checks.that("the person's session is listed", browser.shows("#sessions table"), "a session", browser.text)
    browser.open(f"{page}/disable")
    checks.that("the confirmation names the person", newcomer.credentials["email"] in browser.text, "the address",
                browser.text)
    browser.press("form button.danger")
    checks.that("the person is disabled", "The account is disabled." in browser.text, "disabled", browser.text)
    checks.that("and cannot sign in", walk.vici.call("login", newcomer.credentials).status in (401, 403), 403, "a session")
    browser.open(f"{page}/enable")
    browser.press("section form button")
    checks.equal("an enabled person signs in", 200, walk.vici.call("login", newcomer.credentials).status)
    browser.open(f"{page}/end-sessions")
    browser.press("form button.danger")
    checks.that("all sessions end", "Not signed in anywhere" in browser.text, "none", browser.text)
    checks.that("the timeline has it", "admin.sessions.revoke" in browser.text, "admin.sessions.revoke", browser.text)


def deleted(walk, browser):
    checks = walk.checks
    email, _ = walk.create("Delete Me")
    person(walk, browser, email)
    page = browser.driver.current_url.split("?")[0]
    browser.open(f"{page}/delete")
    browser.press("a.button.quiet")
    checks.equal("Cancel leads back", "Delete Me", browser.heading)
    browser.open(f"{page}/delete")
    browser.press("form button.danger")
    checks.that("the person is deleted", browser.path == "/admin/people" and "deleted" in browser.text, "deleted",
                browser.text)
    browser.open(page)
    checks.equal("and not found", 404, browser.status)


def roles_and_keys(walk):
    checks = walk.checks
    with chromium() as browser:
        invited(walk, browser)
        go(walk, browser, "/admin/roles/new?app=vici")
        browser.submit("section form button", name="librarian", permissions="books:read\nbooks:lend")
        checks.that("the role is listed", "librarian" in browser.text and "books:lend" in browser.text, "librarian",
                    browser.text)
        go(walk, browser, "/admin/roles/edit?app=vici&role=librarian")
        browser.submit("section form button", permissions="books:*")
        checks.that("its permissions change", "books:*" in browser.text, "books:*", browser.text)
        go(walk, browser, "/admin/roles/delete?app=vici&role=librarian")
        browser.press("form button.danger")
        checks.that("it is deleted", "librarian" not in browser.text, "none", browser.text)

        go(walk, browser, "/admin/service-keys/new")
        browser.submit("section form button", name="Billing")
        checks.equal("a key without rights is refused", 400, browser.status)
        browser.find("[name='scope.accounts:read']").click()
        browser.press("section form button")
        secret = browser.find("pre").text
        checks.that("the key is shown once", secret.startswith("ostk_"), "ostk_…", secret)
        walk.look.at(browser, "console-service-key-created")
        answered = Wire(walk.admin).get("/admin/v1/apps/vici/accounts", bearer=secret)
        checks.equal("and works", 200, answered.status)
        go(walk, browser, "/admin/service-keys")
        checks.that("it is not shown again", secret not in browser.text and "Billing" in browser.text, "none", "the key")
        browser.press("a.danger[href*='revoke']")
        browser.press("form button.danger")
        checks.that("it can be revoked", "Revoked" in browser.text, "Revoked", browser.text)
        quiet(checks, browser, walk.base, other_hosts=(walk.admin,), told="roles and keys")


def step_up(walk):
    """A dangerous action after five minutes: the browser's clock is the server's, so the session is made old by a new sign-in
    at the provider with another account."""
    checks = walk.checks
    with chromium() as browser:
        administrator = invited(walk, browser)
        go(walk, browser, "/admin/sign-in?again=1")
        checks.that("another sign-in asks for the password", browser.shows("input[name=password]"), "a password",
                    browser.text)
        # The code of the enrolment is used up; the next one is at most 30 seconds away.
        answer(browser, administrator)
        arrive(browser, walk)
        checks.equal("and leads back", "Overview", browser.heading)


def last_administrator(walk):
    """The accounts of the provider, of which the last administrator stays."""
    checks = walk.checks
    listed = walk.server.command("users", "list", "--app", "idp", "--json").stdout
    checks.that("there are administrators", '"admin"' in listed, "admin", listed)
    with chromium() as browser:
        administrator = invited(walk, browser)
        for other in others(walk, administrator.email):
            walk.server.command("users", "roles", "--app", "idp", other, "--remove", "admin")
        person(walk, browser, administrator.email, "idp")
        page = browser.driver.current_url.split("?")[0]
        for action, fields in (("disable", {}), ("delete", {}), ("roles", {"roles": "editor"})):
            browser.open(f"{page}/{action}")
            browser.submit("section form button", **fields)
            checks.that(f"the last administrator survives {action}", browser.status == 409
                        and "last administrator" in browser.text, 409, browser.text)
        for command in (["disable"], ["delete", "--yes"], ["roles", "--remove", "admin"]):
            told = walk.server.command("users", command[0], "--app", "idp", administrator.email, *command[1:])
            checks.that(f"and the command {command[0]}", told.returncode != 0 and "last administrator" in told.stderr,
                        "a refusal", told.stdout + told.stderr)
        go(walk, browser, "/admin")
        checks.equal("the console is still open", "Overview", browser.heading)


def others(walk, email):
    import json
    listed = json.loads(walk.server.command("users", "list", "--app", "idp", "--json").stdout)
    return [account["email"] for account in listed if account.get("email") != email]
