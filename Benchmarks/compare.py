"""Compares the release build with another build of the server, in one run on this machine: compare.py PROGRAM.

The two alternate within each round, each with a data directory of its own, and alternate in their order. The result is the median
of the rounds' ratios: more than 100 % is more requests a second, or more milliseconds, than the other build. Takes about six
minutes; with `--only TEXT`, the figures whose name contains the text.
"""

import argparse
import contextlib
import pathlib
import shutil
import tempfile

from bench import APPS, Bench, Figure
from programs import BUILD, OSTIARY, ostiary
from results import show

ROUNDS = 9


def start_up(bench, number):
    """Milliseconds to the first answer, of a server with a new data directory and then with the same one."""
    def milliseconds():
        program = ostiary(bench.directory / f"start-{number}", program=bench.program)
        program.stop()
        return program.seconds_to_first_answer * 1000

    milliseconds()
    return milliseconds()


def compare(ours, other, only):
    measures = [("start to first answer, existing data directory", "ms", start_up)]
    for app in APPS:
        measures.append((f"/me of {app}", "/s", lambda bench, _, app=app: bench.answers_a_second(app)))
        measures.append((f"refresh rotations of {app}, durable", "/s", lambda bench, _, app=app: bench.rotations_a_second(app)))
    measures.append(("password sign-ins, bcrypt cost 10", "/s", lambda bench, _: bench.sign_ins_a_second()))
    for name, unit, measure in measures:
        if only not in name:
            continue
        figure = Figure(name, unit, "", "the other build")
        # The first round of either fills caches and allocates memory.
        for number in range(-1, ROUNDS):
            figure.take_turns(lambda: measure(ours, number), lambda: measure(other, number))
            if number < 0:
                figure.values.clear(), figure.peers.clear()
        yield figure
    memory = Figure("resident memory, highest", "MB", "", "the other build")
    memory.take_turns(*[lambda bench=bench: bench.server.resident_bytes(peak=True) / 1e6 for bench in (ours, other)])
    yield memory


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path, metavar="PROGRAM")
    parser.add_argument("--only", default="", metavar="TEXT")
    options = parser.parse_args()
    program = options.program.resolve(strict=True)
    directory = pathlib.Path(tempfile.mkdtemp(prefix="compare-", dir=BUILD))
    with contextlib.ExitStack() as stack:
        stack.callback(shutil.rmtree, directory)
        benches = []
        for name, build in [("ours", OSTIARY), ("other", program)]:
            (directory / name).mkdir()
            benches.append(Bench(directory / name, build))
            benches[-1].begin()
            stack.callback(benches[-1].server.stop)
        rows = [figure.row()[:6] for figure in compare(*benches, options.only)]
    show([["figure", "this build, median", "range", "other build", "", "ratio"]] + rows)


if __name__ == "__main__":
    main()
