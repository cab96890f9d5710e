"""A real browser with a separate profile, and a record of its requests, of refusals, and of URLs handed to apps."""

import contextlib
import itertools
import json
import shutil
import tempfile
import urllib.parse
from dataclasses import dataclass

from selenium.common.exceptions import TimeoutException, WebDriverException
from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait

SECONDS = 10
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable",
            "/Applications/Chromium.app/Contents/MacOS/Chromium",
            "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")
# The server's limits on addresses treat each browser as a different client.
ADDRESSES = (f"203.0.113.{number}" for number in itertools.count(1))
SUBMIT = "form button:not([type=button])"


@dataclass(frozen=True)
class Size:
    name: str
    width: int
    height: int
    scale: int
    is_phone: bool


PHONE = Size("phone", 390, 844, 2, True)
DESKTOP = Size("desktop", 1280, 900, 1, False)


class Chromium:
    """One tab. A new tab replaces it after an app was opened, since the browser then shows a prompt over the old one."""

    def __init__(self, driver, address, has_scripts):
        self.driver, self.address, self.has_scripts = driver, address, has_scripts
        self.size, self.is_dark = DESKTOP, False
        # URLs of the web, in order; (url, status, kind); sentences; URLs with which an app would have been opened.
        self.requests, self.responses, self.failures, self.console, self.opened = [], [], [], [], []
        self._urls = {}
        self._opened_before = 0
        self._prepare_tab()

    # Actions of a user

    def open(self, url):
        self.driver.get(url)

    def fill(self, **fields):
        for name, value in fields.items():
            field = self.find(f"[name={name}]")
            field.clear()
            field.send_keys(value)

    def submit(self, button=SUBMIT, **fields):
        """Fills in the form and presses its button; returns when another page, or an app, is open."""
        self.fill(**fields)
        self.press(button)

    def press(self, selector):
        self.leave(self.find(selector).click)

    def type(self, *keys):
        """Presses keys, regardless of their effect on the page."""
        ActionChains(self.driver).send_keys(*keys).perform()

    def leave(self, act):
        """Performs an action that leads to another page, or to an app, and waits until it is open."""
        before = self.find("html")
        act()
        self.until(lambda: self._has_left(before), "the page led nowhere")

    def back(self):
        self.driver.back()

    # What a user sees

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def shows(self, selector):
        return any(element.is_displayed() for element in self.all(selector))

    @property
    def path(self):
        return urllib.parse.urlsplit(self.driver.current_url).path

    @property
    def text(self):
        return self.find("body").text

    @property
    def heading(self):
        found = self.all("h1")
        return found[0].text if found else ""

    @property
    def focused(self):
        """Returns the `name` of the field that has the focus, otherwise its element's name."""
        element = self.driver.switch_to.active_element
        return element.get_attribute("name") or element.tag_name

    @property
    def status(self):
        """Returns the value of the latest answer with a page."""
        self.read_logs()
        return next((status for _, status, kind in reversed(self.responses) if kind == "Document"), None)

    # The browser's record

    def has_opened_app(self):
        self.read_logs()
        return len(self.opened) > self._opened_before

    def app_url(self, scheme):
        """Waits for the URL with which the app of this scheme was opened; returns it and its query."""
        self.until(self.has_opened_app, f"no {scheme}: was opened")
        url = self.opened[-1]
        self._opened_before = len(self.opened)
        self._new_tab()
        parts = urllib.parse.urlsplit(url)
        if parts.scheme != scheme:
            raise RuntimeError(f"{parts.scheme}: was opened, not {scheme}:")
        return url, dict(urllib.parse.parse_qsl(parts.query, strict_parsing=True))

    def read_logs(self):
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            self._note(message["method"], message["params"])
        self.console += [entry["message"] for entry in self.driver.get_log("browser")
                         if entry["level"] in ("SEVERE", "WARNING")]

    def _note(self, method, event):
        if method == "Network.requestWillBeSent":
            url = event["request"]["url"]
            scheme = urllib.parse.urlsplit(url).scheme
            self._urls[event["requestId"]] = url
            if scheme in ("http", "https", "ws", "wss"):
                self.requests.append(url)
            elif scheme not in ("chrome", "chrome-error", "data", "about", "blob"):
                self.opened.append(url)
            if redirect := event.get("redirectResponse"):
                self.responses.append((redirect["url"], redirect["status"], "redirect"))
        elif method == "Network.responseReceived":
            answer = event["response"]
            if answer["url"].startswith("http"):
                self.responses.append((answer["url"], answer["status"], event["type"]))
        elif method == "Network.loadingFailed" and not event.get("canceled"):
            url = self._urls.get(event["requestId"], "")
            if url.startswith("http"):
                self.failures.append(f"{url}: {event['errorText']}")

    @property
    def violations(self):
        """Returns the console's messages about a content security policy."""
        self.read_logs()
        return [line for line in self.console if "Content Security Policy" in line]

    def until(self, condition, complaint, seconds=SECONDS):
        try:
            WebDriverWait(self.driver, seconds, poll_frequency=0.03).until(lambda _: condition())
        except TimeoutException:
            blocked = "; ".join(self.violations[-1:])
            raise RuntimeError(f"{complaint} within {seconds} s, at {self.path} ({self.heading}) {blocked}") from None

    def _has_left(self, before):
        if self.has_opened_app():
            return True
        try:
            before.is_enabled()
            return False
        except WebDriverException:
            return self.driver.execute_script("return document.readyState") == "complete"

    # Appearance

    def look(self, size=None, is_dark=None):
        """Changes the colour scheme or the device, without loading the page again."""
        self.size = size or self.size
        self.is_dark = self.is_dark if is_dark is None else is_dark
        self.devtools("Emulation.setDeviceMetricsOverride", width=self.size.width, height=self.size.height,
                      deviceScaleFactor=self.size.scale, mobile=self.size.is_phone)
        # Without animation, so that no picture shows an intermediate colour.
        self.devtools("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if self.is_dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce"}])

    def devtools(self, command, **parameters):
        return self.driver.execute_cdp_cmd(command, parameters)

    def script(self, text, *arguments):
        """Returns the value of a test script, which the page's own policy does not restrict."""
        return self.driver.execute_script(text, *arguments)

    def _prepare_tab(self):
        if not self.has_scripts:
            self.devtools("Emulation.setScriptExecutionDisabled", value=True)
        self.devtools("Network.setExtraHTTPHeaders", headers={"X-Forwarded-For": self.address})
        self.look()

    def _new_tab(self):
        old = self.driver.current_window_handle
        self.driver.switch_to.new_window("tab")
        new = self.driver.current_window_handle
        self.driver.switch_to.window(old)
        self.driver.close()
        self.driver.switch_to.window(new)
        self._prepare_tab()


@contextlib.contextmanager
def chromium(language="en", has_scripts=True):
    """A browser for the length of a `with`. Only this machine's host names resolve in it."""
    program = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    driver_program = shutil.which("chromedriver")
    if not program or not driver_program:
        raise RuntimeError("needs Chromium and chromedriver: Scripts/install-libraries.sh tests")
    with tempfile.TemporaryDirectory(prefix="ostiary-chromium-", ignore_cleanup_errors=True) as profile:
        options = ChromeOptions()
        options.binary_location = program
        for argument in (
                "--headless=new", f"--user-data-dir={profile}", "--no-sandbox", "--disable-dev-shm-usage",
                "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--no-first-run",
                "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost", "about:blank"):
            options.add_argument(argument)
        options.add_experimental_option("prefs", {
            "intl.accept_languages": language, "credentials_enable_service": False,
            "profile.password_manager_enabled": False, "profile.password_manager_leak_detection": False})
        options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
        driver = Chrome(options=options, service=Service(driver_program))
        try:
            yield Chromium(driver, next(ADDRESSES), has_scripts)
        finally:
            driver.quit()
