"""The memory of a process, by what it holds, and its open files. Linux only: from /proc."""

import collections
import re
from pathlib import Path

HEADER = re.compile(r"^[0-9a-f]+-[0-9a-f]+ (\S+) \S+ \S+ \S+\s*(.*)$")
KINDS = ("program's file", "program's data", "libraries' files", "libraries' data", "heap and stacks")


def resident(pid):
    """Returns the resident bytes of a process by kind, and in total.

    Pages of files belong to the page cache, which the kernel maps sixteen at a time around each page that is touched, and takes back
    when memory is short. Data, heap and stacks are the process's own.
    """
    program = str(Path(f"/proc/{pid}/exe").readlink())
    bytes_of, path = collections.Counter(dict.fromkeys(KINDS, 0)), ""
    for line in Path(f"/proc/{pid}/smaps").read_text().splitlines():
        if header := HEADER.match(line):
            path = header[2]
            continue
        name, _, value = line.partition(":")
        if name in ("Rss", "Anonymous"):
            bytes_of[name] += int(value.split()[0]) * 1024
            if name == "Rss":
                mapped = int(value.split()[0]) * 1024
            else:
                own = int(value.split()[0]) * 1024
                if path.startswith("/"):
                    owner = "program's" if path == program else "libraries'"
                    bytes_of[f"{owner} data"] += own
                    bytes_of[f"{owner} file" + ("" if path == program else "s")] += mapped - own
                else:
                    bytes_of["heap and stacks"] += mapped
    return {"all": bytes_of["Rss"]} | {kind: bytes_of[kind] for kind in KINDS}


def descriptors(pid):
    return sum(1 for _ in Path(f"/proc/{pid}/fd").iterdir())
