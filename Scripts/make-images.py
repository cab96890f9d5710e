#!/usr/bin/env python3
"""Makes the pictures of README.md, in Documentation/images.

  make-images.py [--program PATH]

`sign-in-screen.png` and the pictures of the account's security are renderings: Chromium draws the view tree that the tests of
`Apple/` recorded, with a style sheet like the system's. They are no screenshots of a device, and are labelled accordingly. The
tree has a QR code as its text, which qrencode draws (Debian: qrencode), and zbarimg reads again from the picture (zbar-tools).
With --program, `sign-in-page.png`, `home-page.png` and the pictures of the console are
screenshots of pages that the program serves in development mode.

The text of a control that is only for screen readers is hidden, as on a device. The rendering is closest to the system's with the
font Inter (Debian: fonts-inter).
"""

import argparse
import base64
import dataclasses
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "Server/Tests/BlackBox"))

import console  # noqa: E402
from browsing.chromium import Size, chromium  # noqa: E402
from browsing.console import go, invited, person  # noqa: E402
from browsing.people import login_url  # noqa: E402
from checks import Checks  # noqa: E402
from server import serving  # noqa: E402

IMAGES = ROOT / "Documentation/images"
SCREENS = ROOT / "Apple/Tests/AppleTests/Snapshots"
PICTURE = Size("picture", 441, 730, 2, False)
RENDERINGS = {
    "sign-in-screen": "sign-in-providers-en",
    "security-section": "security",
    "authenticator-screen": "security-authenticator-en",
    "recovery-codes-screen": "security-recovery-codes-en",
}
DESKTOP = Size("desktop", 1024, 720, 1, False)
# The README is read in a browser, so its pictures are no larger than this.
MAXIMUM_BYTES = 150_000
LABEL = """
const style = document.createElement("style");
style.textContent = `body{background:#fff;flex-direction:column;align-items:center;gap:14px}
main{min-height:0;border:1px solid #c6c6c8;padding-top:40px}
button.row>.image{margin-inline-end:8px}.Toolbar,::-webkit-scrollbar{display:none}
button.borderless>.image+span{position:absolute;clip-path:inset(50%)}
figcaption{font:13px/1.3 Inter,"DejaVu Sans",sans-serif;color:#6c6c70}`;
document.head.append(style);
const caption = document.createElement("figcaption");
caption.textContent = "Rendering of the recorded view tree, not a device screenshot";
document.body.append(caption);
const sheet = document.querySelector(".Sheet");
if (sheet) document.querySelector("main").replaceChildren(sheet);
"""


def draw_codes(browser):
    """Replaces the texts of QR codes by the codes, and returns the texts."""
    texts = browser.script("return [...document.querySelectorAll('.qr')].map(code => code.dataset.text)")
    for index, text in enumerate(texts):
        command = ["qrencode", "--type=PNG", "--level=M", "--margin=4", f"--size={PICTURE.scale * 4}", "--output=-", text]
        drawing = subprocess.run(command, check=True, capture_output=True).stdout
        address = f"data:image/png;base64,{base64.b64encode(drawing).decode()}"
        browser.script(
            "const [index, address, scale] = arguments;"
            "const code = document.querySelectorAll('.qr')[index], image = new Image();"
            "image.src = address;"
            "code.style.border = '0';"
            "return image.decode().then(() => {"
            "  image.width = image.naturalWidth / scale; code.replaceChildren(image) });",
            index, address, PICTURE.scale)
    return texts


def check_codes(name, texts):
    if not texts:
        return
    command = ["zbarimg", "--quiet", "--raw", str(IMAGES / f"{name}.png")]
    found = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    if found != texts:
        sys.exit(f"{name}.png has the codes {found}, not {texts}")


def keep(browser, name):
    """Captures the content of the window, without the parts that need scrolling."""
    picture = browser.devtools("Page.captureScreenshot", format="png")
    data = base64.b64decode(picture["data"])
    if len(data) > MAXIMUM_BYTES:
        sys.exit(f"{name}.png has {len(data)} bytes, more than {MAXIMUM_BYTES}")
    IMAGES.mkdir(exist_ok=True)
    (IMAGES / f"{name}.png").write_bytes(data)
    print(f"{name}.png: {len(data)} bytes")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", help="path of the program `ostiary`")
    arguments = parser.parse_args()
    with chromium() as browser:
        for name, screen in RENDERINGS.items():
            browser.look(PICTURE)
            browser.open((SCREENS / f"{screen}.html").as_uri())
            browser.script(LABEL)
            texts = draw_codes(browser)
            height = browser.script("return document.documentElement.scrollHeight")
            browser.look(dataclasses.replace(PICTURE, height=height))
            keep(browser, name)
            check_codes(name, texts)
    if arguments.program:
        # As `make run` starts it, without a configuration.
        with serving(arguments.program) as server, chromium() as browser:
            browser.look(PICTURE)
            browser.open(login_url(server.base))
            keep(browser, "sign-in-page")
            # The home page is only for this machine, not for a request that a proxy forwarded.
            browser.devtools("Network.setExtraHTTPHeaders", headers={})
            browser.look(DESKTOP)
            browser.open(f"{server.base}/")
            keep(browser, "home-page")
        keep_console(arguments.program)


def keep_console(program):
    """Keeps the pictures of the console's guide."""
    with serving(program, console.configuration) as server, chromium() as browser:
        walk = console.Walk(server, Checks(), None)
        console.fill(walk, console.NAMES)
        invited(walk, browser)
        browser.look(DESKTOP)
        go(walk, browser, "/admin")
        keep(browser, "console-overview")
        somebody = walk.vici.register()
        walk.vici.sign_in(somebody)
        person(walk, browser, somebody.credentials["email"])
        keep(browser, "console-person")


if __name__ == "__main__":
    main()
