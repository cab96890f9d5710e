"""What a person has besides a password: an authenticator app, read from a page's QR code, and a device with passkeys."""

import base64
import io

import zxingcpp
from authenticator import Authenticator
from PIL import Image
from selenium.webdriver.common.virtual_authenticator import VirtualAuthenticatorOptions

from browsing.people import SIGN_OUT, somebody


def scanned(browser):
    """Returns the text of the QR code in a picture of the page, as a camera sees it."""
    picture = browser.devtools("Page.captureScreenshot", format="png", captureBeyondViewport=True)
    found = zxingcpp.read_barcodes(Image.open(io.BytesIO(base64.b64decode(picture["data"]))).convert("L"))
    return [code.text for code in found]


class Device:
    """The authenticator of a browser's device, which verifies its user."""

    def __init__(self, browser):
        self.driver = browser.driver

    def __enter__(self):
        self.driver.add_virtual_authenticator(VirtualAuthenticatorOptions(
            protocol=VirtualAuthenticatorOptions.Protocol.CTAP2, transport=VirtualAuthenticatorOptions.Transport.INTERNAL,
            has_resident_key=True, has_user_verification=True, is_user_consenting=True, is_user_verified=True))
        return self

    def __exit__(self, *_):
        self.driver.remove_virtual_authenticator()

    def refuses(self, refuses=True):
        """Decides whether the user cancels, by failing the verification."""
        self.driver.set_user_verified(not refuses)

    @property
    def credentials(self):
        return self.driver.get_credentials()


def registered(walk, browser, full_name="Ada Example"):
    """Registers an account on the provider's page; ends on the account page, or where a factor is added."""
    person = somebody(full_name)
    browser.open(f"{walk.base}/idp/register")
    browser.submit(**person.registration)
    return person


def sign_in(walk, browser, person, url=None):
    """Fills in the password; ends at the challenge, if there is one."""
    browser.open(url or f"{walk.base}/idp/sign-in")
    browser.submit(email=person.email, password=person.password)


def sign_out(walk, browser):
    browser.open(f"{walk.base}/idp/account")
    browser.press(SIGN_OUT)


def switch(browser, method):
    browser.press(f"button[name=switch][value={method}]")


def add_authenticator(walk, browser, name="Phone", look=False):
    """Adds an authenticator app; returns it and the recovery codes."""
    browser.open(f"{walk.base}/idp/account/authenticator")
    if look:
        walk.look.at(browser, "authenticator-introduction")
    browser.submit()
    if look:
        walk.look.at(browser, "new-authenticator")
    uri = browser.find("[name=uri]").get_attribute("value")
    authenticator = Authenticator(uri)
    browser.submit(code=authenticator.code(), name=name)
    return authenticator, recovery_codes(browser)


def recovery_codes(browser):
    return [line.text for line in browser.all("#codes li")]
