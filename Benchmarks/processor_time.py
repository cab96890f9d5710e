"""The time that processes ran, as the kernel counts it. Other work on the machine changes it much less than the time on a clock."""

import itertools
from pathlib import Path


def nanoseconds(*pids):
    """Returns the time that all threads of the processes ran. Linux only."""
    tasks = itertools.chain.from_iterable(Path(f"/proc/{pid}/task").glob("*/schedstat") for pid in pids)
    return sum(int(task.read_text().split()[0]) for task in tasks)
