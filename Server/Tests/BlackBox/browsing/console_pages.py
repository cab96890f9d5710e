"""Every page of the console: its look, its content, its keyboard, and its use without JavaScript."""

from selenium.webdriver.common.keys import Keys

from browsing.chromium import PHONE, chromium
from browsing.console import MENU, SIGN_OUT, arrive, first_sign_in, go, invited, person, sign_in
from browsing.keyboard import PLACE, VISIBLE, reach
from browsing.looking import ON_A_PHONE
from browsing.people import quiet

# Pages without an entry in the menu that need nothing but a person.
OF_A_PERSON = ["", "/edit", "/roles", "/disable", "/delete", "/password", "/password-reset"]


def invitation(walk):
    """The first administrator: from the command to the console."""
    checks = walk.checks
    email, link = walk.invite()
    with chromium() as browser:
        administrator = first_sign_in(walk, browser, email, link)
        checks.equal("the console opens after a sign-in with two factors", "Overview", browser.heading)
        checks.that("and names the administrator", email in browser.find("#navigation").get_property("textContent"),
                    email, browser.text)
        browser.open(link)
        checks.that("the link works once", not browser.shows("input[name=password]"), "no form", browser.text)
        go(walk, browser, "/admin")
        browser.press(SIGN_OUT)
        checks.equal("the button signs out", "You are signed out", browser.heading)
        walk.look.at(browser, "console-signed-out")
        browser.press("a.button")
        checks.that("of the provider too", browser.shows("input[name=password]"), "the sign-in", browser.text)
        sign_in(walk, browser, administrator, "/admin/people?app=vici")
        checks.equal("a sign-in leads to the page that was opened", "People", browser.heading)
        told = walk.server.command("admin", "invite", email)
        checks.that("a second invitation keeps the account", told.returncode == 0 and "administrator:" in told.stdout,
                    "administrator:", told.stdout + told.stderr)
        quiet(checks, browser, walk.base, other_hosts=(walk.admin,), told="invitation")


def run(walk):
    with chromium() as browser:
        invited(walk, browser)
        every_page(walk, browser, walk.look.ways)
        menu_on_a_phone(walk, browser)
        quiet(walk.checks, browser, walk.base, other_hosts=(walk.admin,), told="pages")


def in_german(walk):
    with chromium(language="de") as browser:
        invited(walk, browser)
        every_page(walk, browser, ON_A_PHONE, "de")
        quiet(walk.checks, browser, walk.base, other_hosts=(walk.admin,), told="German")


def every_page(walk, browser, ways, language="en"):
    checks, name = walk.checks, "<script>document.title='owned'</script>"
    email, _ = walk.create(name)
    for title, path in MENU.items():
        go(walk, browser, path)
        if language == "en":
            checks.equal(f"{path} has its heading", title, browser.heading)
        checks.equal(f"{path} is marked in the menu", 1, len(browser.all(f"#navigation a[aria-current][href='{path}']")))
        walk.look.at(browser, f"console{path.removeprefix('/admin').replace('/', '-')}", language, ways)
    go(walk, browser, "/admin/people/new?app=vici")
    walk.look.at(browser, "console-new-person", language, ways)
    person(walk, browser, email)
    page = browser.driver.current_url.split("?")[0]
    for action in OF_A_PERSON:
        browser.open(page + action)
        checks.that(f"the person's name is text on {action or 'their page'}", name in browser.text, name, browser.text)
        walk.look.at(browser, f"console-person{action.replace('/', '-')}", language, ways)
    for path in ("/admin/roles/new?app=vici", "/admin/service-keys/new", "/admin/signing-keys/rotate?app=idp",
                 "/admin/events/new", "/admin/nothing"):
        go(walk, browser, path)
        walk.look.at(browser, "console" + path.removeprefix("/admin").split("?")[0].replace("/", "-"), language, ways)
    checks.that("no name ran as a script", "owned" not in browser.driver.title, "a title", browser.driver.title)


def menu_on_a_phone(walk, browser):
    """The menu opens without a script of the page: by the browser's own popover."""
    checks = walk.checks
    before = browser.size
    browser.look(PHONE)
    go(walk, browser, "/admin")
    checks.that("the menu is closed", not browser.shows("#navigation a"), "closed", "open")
    browser.find("button.menu").click()
    checks.that("its button opens it", browser.shows("#navigation a"), "open", "closed")
    walk.look.at(browser, "console-menu", ways=ON_A_PHONE)
    browser.look(PHONE)
    browser.type(Keys.ESCAPE)
    checks.that("Escape closes it", not browser.shows("#navigation a"), "closed", "open")
    browser.find("button.menu").click()
    browser.press("#navigation a[href='/admin/people']")
    checks.equal("its entries lead to their pages", "/admin/people", browser.path)
    browser.look(before)


def keyboard(walk):
    """A search and a change with the keyboard alone; the focus is visible everywhere."""
    checks = walk.checks
    email, _ = walk.create("Hedy Lamarr")
    with chromium() as browser:
        invited(walk, browser)
        go(walk, browser, "/admin/people?app=vici")
        browser.type(Keys.TAB)
        checks.equal("the first stop skips the menu", "#content", browser.script(PLACE))
        browser.type(Keys.ENTER)
        stops = []
        for _ in range(9):
            browser.type(Keys.TAB)
            stops.append(browser.script(PLACE))
            checks.that(f"the focus is seen at {stops[-1]}", browser.script(VISIBLE), "an outline", "none")
        checks.that("the filters come after it", stops[:3] == ["app", "q", "role"], ["app", "q", "role"], stops)
        go(walk, browser, "/admin/people?app=vici")
        reach(browser, "q")
        browser.type(email)
        browser.leave(lambda: browser.type(Keys.ENTER))
        checks.that("Enter searches", email in browser.text and browser.text.count("@") >= 1, email, browser.text)
        link = browser.find("tbody th a").get_attribute("href").removeprefix(walk.admin)
        reach(browser, link)
        browser.leave(lambda: browser.type(Keys.ENTER))
        reach(browser, f"{link}/edit")
        browser.leave(lambda: browser.type(Keys.ENTER))
        reach(browser, "full_name")
        browser.type(Keys.END, " Kiesler")
        browser.leave(lambda: browser.type(Keys.ENTER))
        checks.equal("Enter saves the form", "Hedy Lamarr Kiesler", browser.heading)
        quiet(checks, browser, walk.base, other_hosts=(walk.admin,), told="keyboard")


def without_script(walk):
    """The console needs no JavaScript for anything."""
    checks = walk.checks
    email, _ = walk.create("Mary Kenneth Keller")
    with chromium(has_scripts=False) as browser:
        invited(walk, browser)
        for path in MENU.values():
            go(walk, browser, path)
            checks.that(f"{path} is there", browser.status == 200 and browser.heading, 200, browser.status)
        person(walk, browser, email)
        browser.press("a[href$='/disable']")
        browser.press("form button.danger")
        checks.that("a confirmed action is done", "The account is disabled." in browser.text, "disabled", browser.text)
        browser.press(SIGN_OUT)
        checks.equal("the button signs out", "You are signed out", browser.heading)
        quiet(checks, browser, walk.base, other_hosts=(walk.admin,), told="without JavaScript")
