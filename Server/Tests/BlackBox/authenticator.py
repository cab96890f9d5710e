"""An authenticator app: the codes of `pyotp`, not the program's."""

import time

import pyotp


class Authenticator:
    """An authenticator app with the clock of this machine."""

    # The longest time in seconds until the server judges a code.
    delay = 5

    def __init__(self, uri):
        self.totp = pyotp.parse_uri(uri)
        self.used = 0

    def code(self):
        """Returns a code that was not used yet. The server accepts the steps before and after the current one too."""
        step = max(int(time.time() + self.delay) // 30 - 1, self.used + 1)
        if step > int(time.time()) // 30 + 1:
            time.sleep(step * 30 - 30 - time.time() + 0.1)
        self.used = step
        return self.totp.at(step * 30)
