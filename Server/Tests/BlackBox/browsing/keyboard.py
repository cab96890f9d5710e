"""A whole sign-in with the keyboard alone, and the visibility of the focus at each step."""

from selenium.webdriver.common.keys import Keys

from browsing.chromium import chromium
from browsing.people import REFUSED, login_url, quiet, redeem, register, sign_out, somebody

# The focus is visible: an outline of some width, in a colour that differs from its surroundings.
VISIBLE = """
const style = getComputedStyle(document.activeElement);
return style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2 || style.boxShadow !== "none";
"""
PLACE = """
const e = document.activeElement;
return e === document.body ? "" : e.name || e.getAttribute("href")?.split("?")[0] || e.type || e.tagName.toLowerCase();
"""
STOPS = 40


def run(walk):
    checks, person = walk.checks, somebody()
    with chromium() as browser:
        register(browser, walk.base, person)
        sign_out(browser, walk.base)
        for is_dark in (False, True):
            browser.look(is_dark=is_dark)
            browser.open(login_url(walk.base))
            stops = round_trip(walk, browser)
            checks.that("Tab reaches the fields, the button and the links", ordered(
                stops, ["email", "password", "submit"]) and any("/register" in stop for stop in stops)
                and any("/forgot-password" in stop for stop in stops), "email, password, submit and links", stops)
        browser.open(login_url(walk.base))
        reach(browser, "email")
        browser.type(person.email)
        reach(browser, "password")
        browser.type(person.password)
        browser.leave(lambda: browser.type(Keys.ENTER))
        _, query = browser.app_url("timetracker")
        checks.equal("Enter in the password's field signs in", 200, redeem(walk.apps["timetracker"], query).status)

        sign_out(browser, walk.base)
        browser.open(login_url(walk.base))
        reach(browser, "email")
        browser.type(person.email)
        reach(browser, "password")
        browser.type("not the password")
        shown_password(checks, browser)
        reach(browser, "submit")
        browser.leave(lambda: browser.type(Keys.ENTER))
        checks.that("Enter on the button sends the form", browser.status in REFUSED, REFUSED, browser.status)
        quiet(checks, browser, walk.base, told="keyboard")


def shown_password(checks, browser):
    """The button that shows the typed password, which the page's script adds beside the field."""
    reach(browser, "button")
    for kind in ("text", "password"):
        browser.type(Keys.ENTER)
        checks.equal("the button shows the password, and hides it again", kind,
                     browser.find("[name=password]").get_attribute("type"))
        name, seen = browser.script(
            "const e = document.activeElement; return [e.getAttribute('aria-label') ?? e.innerText, e.innerText]")
        checks.that("what stands on the button is in its name", seen.lower() in name.lower(), seen, name)


def round_trip(walk, browser):
    """Returns the stops of Tab from the top of the page; at each the focus must be visible."""
    browser.script("document.body.tabIndex = -1; document.body.focus()")
    stops = []
    for _ in range(STOPS):
        browser.type(Keys.TAB)
        place = browser.script(PLACE)
        if not place or place in stops and stops.index(place) == 0:
            break
        stops.append(place)
        walk.checks.that(f"the focus is seen at {place}", browser.script(VISIBLE), "an outline", "none")
    return stops


def ordered(stops, wanted):
    places = [stops.index(stop) if stop in stops else None for stop in wanted]
    return None not in places and places == sorted(places)


def reach(browser, place):
    for _ in range(STOPS):
        if browser.script(PLACE) == place:
            return
        browser.type(Keys.TAB)
    raise RuntimeError(f"Tab does not reach {place}")
