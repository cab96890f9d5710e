#!/usr/bin/env python3
"""Compares the CPU time of a request with that of another build: cpu.py PROGRAM --against PROGRAM [--rounds N].

Both servers run at once, and requests alternate between them in short rounds on one connection each. The kernel counts the
nanoseconds that a server's threads ran, which other work on the machine changes much less than the time that a request takes. Shown are
the medians of the rounds and of their ratios, and the range of the middle half of the ratios.
"""

import argparse
import contextlib
import statistics
import tempfile
from pathlib import Path

from measured_server import MeasuredServer
from processor_time import nanoseconds

WARM_UP = 2


class Side(MeasuredServer):
    def cost(self, call, count):
        before = nanoseconds(self.server.process.pid)
        for _ in range(count):
            call()
        return (nanoseconds(self.server.process.pid) - before) / count / 1000


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path)
    parser.add_argument("--against", type=Path, required=True, metavar="PROGRAM")
    parser.add_argument("--rounds", type=int, default=25)
    options = parser.parse_args()
    with contextlib.ExitStack() as stack:
        sides = []
        for program in (options.program, options.against):
            sides.append(Side(program, stack.enter_context(tempfile.TemporaryDirectory(prefix="ostiary-cpu-"))))
            stack.callback(sides[-1].server.stop)
        print(f"{'operation':28} {'µs':>8} {'other':>8} {'ratio':>8}  middle half")
        for operation, count in (("current_user", 1000), ("verify", 1000), ("refresh", 300), ("sign_in", 10)):
            for name in ("clarity", "vici"):
                rounds = []
                for number in range(-WARM_UP, options.rounds):
                    # In turns, and the first of a round in turns too.
                    order = sides if number % 2 else sides[::-1]
                    costs = {side: side.cost(lambda side=side: getattr(side, operation)(name), count) for side in order}
                    if number >= 0:
                        rounds.append((costs[sides[0]], costs[sides[1]]))
                ratios = sorted(ours / theirs for ours, theirs in rounds)
                ours, theirs = (statistics.median(side) for side in zip(*rounds))
                low, _, high = statistics.quantiles(ratios, n=4)
                print(f"{operation + ' of ' + name:28} {ours:8.1f} {theirs:8.1f} {statistics.median(ratios):8.1%}  "
                      f"{low:.1%} to {high:.1%}", flush=True)


if __name__ == "__main__":
    main()
