"""Runs the program on a pseudo-terminal, as a user would."""

import os
import pty
import select
import signal
import subprocess
import termios
import time

from server import clean_environment


class Terminal:
    """One command on a separate terminal; `read` is the whole output."""

    def __init__(self, command, directory):
        self.main, side = pty.openpty()
        self.process = subprocess.Popen(
            command, stdin=side, stdout=side, stderr=side, cwd=directory, env=clean_environment(), close_fds=True,
            preexec_fn=self._take_terminal)
        os.close(side)
        self.read = ""

    @staticmethod
    def _take_terminal():
        os.setsid()
        import fcntl
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    def expect(self, text, within=20):
        """Reads until `text` is shown; returns True if it was."""
        deadline = time.monotonic() + within
        while text not in self.read:
            ready, _, _ = select.select([self.main], [], [], max(0, deadline - time.monotonic()))
            if not ready or not self._read_some():
                return text in self.read
        return True

    def _read_some(self):
        try:
            data = os.read(self.main, 65536)
        except OSError:  # Linux reports so when the other side is closed.
            return False
        self.read += data.decode("utf-8", "replace")
        return bool(data)

    def type(self, text):
        os.write(self.main, text.encode())

    @property
    def echoes(self):
        return bool(termios.tcgetattr(self.main)[3] & termios.ECHO)

    def wait_for_silence(self, within=10):
        """Waits until the terminal's echo is off."""
        deadline = time.monotonic() + within
        while self.echoes and time.monotonic() < deadline:
            time.sleep(0.01)
        return not self.echoes

    def interrupt(self):
        self.type("\x03")

    def end(self, within=30):
        """Returns the exit status; reads the remaining output."""
        deadline = time.monotonic() + within
        while self.process.poll() is None and time.monotonic() < deadline:
            if select.select([self.main], [], [], 0.05)[0]:
                self._read_some()
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
        while select.select([self.main], [], [], 0.05)[0] and self._read_some():
            pass
        return self.process.wait()

    def close(self):
        os.close(self.main)
