"""Attacks on the console: forms and frames of other sites, copied cookies, links, and administrators who no longer are."""

from browsing.chromium import chromium
from browsing.console import arrive, go, invited
from browsing.foreign import foreign_site
from browsing.people import somebody
from wire import Wire

COOKIE = "ostiary-console"


def run(walk):
    checks = walk.checks
    email, number = walk.create("A Target")
    path = f"/admin/people/vici/{number}"
    with foreign_site() as site, chromium() as browser:
        invited(walk, browser)
        go(walk, browser, f"{path}/delete")
        token = browser.find("section form [name=form_token]").get_attribute("value")
        for told, origin in (("a sibling origin", site.same_site), ("another site", site.cross_site)):
            for form_token in (None, "x" * 43):
                fields = {"form_token": form_token} if form_token else {}
                page = site.form(f"/delete/{len(site.pages)}", f"{walk.admin}{path}/delete", fields)
                browser.open(origin + page)
                checks.that(f"a form of {told} is refused", "A Target" in shown(walk, browser, path), "the person",
                            browser.text)
            framed = site.put(f"/frame/{len(site.pages)}", f'<iframe src="{walk.admin}{path}/delete"></iframe>')
            browser.open(origin + framed)
            browser.driver.switch_to.frame(0)
            checks.that(f"no page is shown in a frame of {told}", not browser.all("form, input, main"), "nothing", "the page")
            browser.driver.switch_to.default_content()
        link = site.put("/link", f'<a id=link href="{walk.admin}{path}">Look</a>')
        browser.open(site.cross_site + link)
        browser.find("#link").click()
        arrive(browser, walk, path)
        checks.equal("a link of another site opens the page", "A Target", browser.heading)

        cookie = browser.driver.get_cookie(COOKIE)
        checks.equal("the cookie is not readable by scripts, and strict", (True, "Strict"),
                     (cookie["httpOnly"], cookie["sameSite"]))
        foreign_token(walk, path, token)
        headers(walk, path, cookie["value"])


def shown(walk, browser, path):
    go(walk, browser, path)
    return browser.heading


def foreign_token(walk, path, token):
    """Another administrator's token, in their own session."""
    checks = walk.checks
    with chromium() as other:
        invited(walk, other)
        go(walk, other, f"{path}/delete")
        other.script("document.querySelector('section form [name=form_token]').value = arguments[0]", token)
        other.press("form button.danger")
        checks.equal("another session's token is refused", 403, other.status)


def headers(walk, path, cookie):
    """What every page says to browsers, and what a request without the cookie gets."""
    checks, wire = walk.checks, Wire(walk.admin)
    page = wire.get(path, headers=[("Cookie", f"{COOKIE}={cookie}")])
    checks.equal("the cookie alone opens the page", 200, page.status)
    policy = page.header("content-security-policy") or ""
    for part in ("default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'"):
        checks.that(f"the policy has {part}", part in policy, part, policy)
    checks.that("the policy allows nothing inline", "unsafe" not in policy, "none", policy)
    for name, value in (("x-frame-options", "DENY"), ("cache-control", "no-store"), ("referrer-policy", "no-referrer"),
                        ("x-content-type-options", "nosniff"), ("cross-origin-opener-policy", "same-origin")):
        checks.equal(f"{name} is set", value, page.header(name))
    for told, sent in (("none", []), ("a changed one", [("Cookie", f"{COOKIE}={cookie[:-2]}AA")]),
                       ("two", [("Cookie", f"{COOKIE}={cookie}; {COOKIE}={cookie}")])):
        checks.equal(f"with {told} the page asks for a sign-in", 302, wire.get(path, headers=sent).status)
    rebound = wire.get(path, headers=[("Cookie", f"{COOKIE}={cookie}"), ("Host", "attacker.example")])
    checks.that("a page of a host that this machine is not called is refused", rebound.status in (400, 421), "400 or 421", rebound.status)


def role_loss(walk):
    """An administrator who loses the role, and one whose sessions are ended, while a page is open."""
    checks = walk.checks
    with chromium() as keeper, chromium() as browser:
        invited(walk, keeper)
        administrator = invited(walk, browser)
        told = walk.server.command("users", "roles", "--app", "idp", administrator.email, "--remove", "admin")
        checks.equal("the role can be taken", 0, told.returncode)
        go(walk, browser, "/admin/people")
        checks.equal("the next page is refused", (403, "Your account is not an administrator"),
                     (browser.status, browser.heading))
        walk.look.at(browser, "console-no-administrator")
        walk.server.command("users", "roles", "--app", "idp", administrator.email, "--add", "admin")
        go(walk, browser, "/admin/people")
        checks.equal("with the role again the session goes on", 200, browser.status)
        walk.server.command("sessions", "revoke", "--app", "idp", "--all", administrator.email)
        go(walk, browser, "/admin/people")
        checks.that("an ended session is over", browser.shows("input[name=password]"), "the sign-in", browser.text)
