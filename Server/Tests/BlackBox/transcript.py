"""Transcripts of pages: the commands that a person types, each with what it prints."""

import re

from readme_examples import fits

# From the package to a signed-in person: at most so many commands, and so many seconds.
COMMANDS, SECONDS = 6, 120


def read(page, name):
    """Returns the (command, output) pairs of the ```console block after `<!-- transcript: NAME -->`."""
    block = re.search(rf"<!-- transcript: {re.escape(name)} -->\n```console\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL)
    steps = re.findall(r"^# ((?:[^\n]*\\\n)*[^\n]*)\n((?:(?!# ).*\n)*)", block[1], re.MULTILINE)
    return [(command.replace("\\\n", ""), output) for command, output in steps]


def printed(expected, came):
    """Returns True if a command printed what the transcript says, where `…` stands for anything; compares words."""
    return fits(" ".join(expected.split()), " ".join(came.split()))
