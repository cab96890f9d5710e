"""timetracker's sign-in: the app's login URL, the provider's pages, and back to the app."""

import urllib.parse

from browsing.chromium import chromium
from browsing.people import TIMETRACKER, login_url, quiet, redeem, register, sign_in, sign_out, somebody
from expectations import refusal, success


def run(walk):
    with chromium() as browser:
        first_and_second_time(walk, browser)
        quiet(walk.checks, browser, walk.base, told="timetracker")
    with chromium(has_scripts=False) as browser:
        without_scripts(walk, browser)
        quiet(walk.checks, browser, walk.base, told="timetracker without scripts")
    with chromium() as browser:
        in_another_browser(walk, browser)
        quiet(walk.checks, browser, walk.base, told="another browser")


def first_and_second_time(walk, browser):
    app, checks, person = walk.apps["timetracker"], walk.checks, somebody("Grace Ødegård <b>")
    browser.open(login_url(walk.base))
    checks.that("the browser is at the provider", browser.path.startswith("/idp/"), "/idp/…", browser.path)
    walk.look.at(browser, "sign-in")
    browser.press("a[href*='/register']")
    walk.look.at(browser, "register")
    browser.submit(**person.registration)
    url, query = browser.app_url("timetracker")
    checks.that("registering ends at the app", url.startswith(TIMETRACKER + "?"), TIMETRACKER, url)
    checks.equal("the app gets a code and a state", {"code", "state"}, set(query) - {"iss"})
    answer = redeem(app, query)
    success(checks, "token", answer, app["token"])
    user = answer.json.get("user", {})
    checks.equal("the app learns who it is", (person.email, person.full_name), (
        user.get("email"), user.get("fullName")))
    access = answer.json.get("access_token")
    checks.equal("GET /auth/me", user, app.call("me", bearer=access).json)

    browser.open(login_url(walk.base))
    _, query = browser.app_url("timetracker")
    again = redeem(app, query)
    checks.equal("the second sign-in asks nothing, and is of the same account", user.get("id"),
                 (again.json.get("user") or {}).get("id"))
    refusal(checks, "the same code and state once more", redeem(app, query), app.contract, 400)

    success(checks, "logout", app.call("logout", bearer=access), app["logout"])
    checks.equal("the token is dead", 401, app.call("me", bearer=access).status)

    sign_out(browser, walk.base)
    walk.look.at(browser, "signed-out")
    browser.open(login_url(walk.base))
    checks.that("after sign-out the form is there again", browser.shows("input[name=password]") and not
                browser.has_opened_app(), "a form", browser.heading)
    browser.submit(**person.credentials)
    _, query = browser.app_url("timetracker")
    checks.equal("who signs in by password is who registered", user.get("id"),
                 (redeem(app, query).json.get("user") or {}).get("id"))


def without_scripts(walk, browser):
    app, checks, person = walk.apps["timetracker"], walk.checks, somebody()
    browser.open("data:text/html,<title>off</title><script>document.title='on'</script>")
    checks.equal("scripts are off", "off", browser.driver.title)
    _, query = register(browser, walk.base, person)
    checks.equal("registering without scripts", 200, redeem(app, query).status)
    sign_out(browser, walk.base)
    _, query = sign_in(browser, walk.base, person)
    checks.equal("signing in without scripts", 200, redeem(app, query).status)


def in_another_browser(walk, browser):
    """An attacker begins a sign-in, and makes the victim complete it: login CSRF."""
    app, checks, person = walk.apps["timetracker"], walk.checks, somebody()
    register(browser, walk.base, person)
    query = urllib.parse.urlencode({"redirect_uri": TIMETRACKER})
    begun = app.wire.get(f"/auth/login?{query}").header("location")
    browser.open(urllib.parse.urljoin(walk.base, begun))
    checks.that("a sign-in that was begun elsewhere opens no app", not browser.has_opened_app(), "none",
                browser.opened[-1:])
    checks.equal("a sign-in that was begun elsewhere ends on a page", (400, True), (
        browser.status, bool(browser.heading)))
    walk.look.at(browser, "begun-elsewhere")
    browser.open(login_url(walk.base))
    _, query = browser.app_url("timetracker")
    checks.equal("the person's own sign-in still works", 200, redeem(app, query).status)
