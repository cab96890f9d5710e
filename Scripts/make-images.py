#!/usr/bin/env python3
"""Makes the pictures of README.md, in Documentation/images.

  make-images.py [--program PATH]

`sign-in-screen.png` is a rendering: Chromium draws the view tree that the tests of `Apple/` recorded, with a style sheet like the
system's. It is not a screenshot of a device, and is labelled accordingly. With --program, `sign-in-page.png` and `home-page.png` are
screenshots of pages that the program serves in development mode.

The text of a control that is only for screen readers is hidden, as on a device. The rendering is closest to the system's with the
font Inter (Debian: fonts-inter).
"""

import argparse
import base64
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "Server/Tests/BlackBox"))

from browsing.chromium import Size, chromium  # noqa: E402
from browsing.people import login_url  # noqa: E402
from server import serving  # noqa: E402

IMAGES = ROOT / "Documentation/images"
SCREEN = ROOT / "Apple/Tests/AppleTests/Snapshots/sign-in-providers-en.html"
PICTURE = Size("picture", 441, 730, 2, False)
DESKTOP = Size("desktop", 1024, 720, 1, False)
# The README is read in a browser, so its pictures are no larger than this.
MAXIMUM_BYTES = 150_000
LABEL = """
const style = document.createElement("style");
style.textContent = `body{background:#fff;flex-direction:column;align-items:center;gap:14px}
main{min-height:0;border:1px solid #c6c6c8;padding-top:40px}
button.borderless>.image+span{position:absolute;clip-path:inset(50%)}
figcaption{font:13px/1.3 Inter,"DejaVu Sans",sans-serif;color:#6c6c70}`;
document.head.append(style);
const caption = document.createElement("figcaption");
caption.textContent = "Rendering of the recorded view tree, not a device screenshot";
document.body.append(caption);
"""


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
        browser.look(PICTURE)
        browser.open(SCREEN.as_uri())
        browser.script(LABEL)
        keep(browser, "sign-in-screen")
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


if __name__ == "__main__":
    main()
