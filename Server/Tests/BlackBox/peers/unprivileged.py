"""Programs that refuse to run as root, and their locations."""

import glob
import os
import pwd
import re
import shutil

PLACES = [
    "/usr/lib/postgresql/*/bin", "/usr/local/pgsql/bin", "/opt/homebrew/opt/postgresql@*/bin",
    "/usr/local/opt/postgresql@*/bin", "/opt/homebrew/bin", "/usr/local/bin", "/usr/sbin", "/usr/local/sbin",
]


class NotInstalled(Exception):
    """`what` is not installed on this machine."""


def folder_with(*programs, places=PLACES):
    """Returns the folder that has all of them: of the newest version, otherwise the first in PATH; None if there is none."""
    def version(folder):
        found = re.search(r"postgresql[@/](\d+)", folder)
        return int(found[1]) if found else 0

    folders = sorted((folder for place in places for folder in glob.glob(place)), key=version, reverse=True)
    first = shutil.which(programs[0])
    if first:
        folders.append(os.path.dirname(os.path.realpath(first)))
    for folder in folders:
        if all(os.access(os.path.join(folder, program), os.X_OK) for program in programs):
            return folder
    return None


def account():
    """Returns the user that such a program runs as: None for the current user."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise NotInstalled("a user `postgres` or `nobody`")


def command(*words):
    """Returns the command line that runs `words` without root's rights, in the same process."""
    user = account()
    if user is None:
        return list(words)
    return ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups", "--", *words]


def hand_over(path):
    """Gives a file or a folder to that user, readable by that user alone."""
    user = account()
    if user is not None:
        os.chown(path, user.pw_uid, user.pw_gid)
    os.chmod(path, 0o700 if os.path.isdir(path) else 0o600)


def make_reachable(directory):
    """Lets that user traverse `directory`, which belongs to root.

    Raises `PermissionError` where a parent folder does not allow it.
    """
    if account() is None:
        return
    os.chmod(directory, 0o711)
    above = os.path.dirname(directory)
    while above != "/":
        if not os.stat(above).st_mode & 0o001:
            raise PermissionError(f"{above} lets nobody but root pass")
        above = os.path.dirname(above)
