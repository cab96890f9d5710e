"""A folder and processes in it that end with their owner, also when the owner is killed.

A separate process waits at a pipe that closes with its owner, however the owner ends.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time


class Guard:
    """Creates `directory`, a temporary one by default. It is removed at the end of `with`, or of this process."""

    def __init__(self, prefix="ostiary-", directory=None):
        if directory is None:
            directory = tempfile.mkdtemp(prefix=prefix)
        else:
            os.makedirs(directory, exist_ok=True)
        self.directory = os.path.realpath(directory)
        self.process = subprocess.Popen(
            [sys.executable, os.path.abspath(__file__), self.directory], stdin=subprocess.PIPE, text=True,
            start_new_session=True)  # So that Ctrl-C, or the end of a process group, does not end the guard first.

    def watch(self, pid):
        self._say(f"+{pid}")

    def forget(self, pid):
        """`pid` has ended: its number may soon belong to another process."""
        self._say(f"-{pid}")

    def _say(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def close(self):
        self.process.stdin.close()
        self.process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def descendants(pid):
    """Returns the processes below `pid`, the nearest first."""
    listed = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
    children = {}
    for line in listed.splitlines():
        child, parent = map(int, line.split())
        children.setdefault(parent, []).append(child)
    found = [pid]
    for parent in found:
        found += children.get(parent, [])
    return found[1:]


def kill_with_descendants(pid):
    """Kills a process and all below it at once (SIGKILL), as a power failure does."""
    try:
        os.kill(pid, signal.SIGSTOP)  # Otherwise it could create more children meanwhile.
    except ProcessLookupError:
        return
    below = descendants(pid)
    for each in (pid, *below):
        try:
            os.kill(each, signal.SIGKILL)
        except ProcessLookupError:
            pass
    deadline = time.monotonic() + 5
    while any(map(_runs, below)) and time.monotonic() < deadline:
        time.sleep(0.005)


def _runs(pid):
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True).stdout.strip()
    return bool(state) and not state.startswith("Z")


def main(directory):
    watched = []
    for line in sys.stdin:
        pid = int(line[1:])
        if line[0] == "+":
            watched.append(pid)
        elif pid in watched:
            watched.remove(pid)
    for pid in watched:
        kill_with_descendants(pid)
    shutil.rmtree(directory, ignore_errors=True)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    main(sys.argv[1])
