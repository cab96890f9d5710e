"""The table that a benchmark prints, and the file that keeps the last figures of each."""

import json
from pathlib import Path

FILE = Path(__file__).resolve().parent / "results.json"


def show(rows):
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for index, row in enumerate(rows):
        print("  ".join(text.ljust(width) for text, width in zip(row, widths)).rstrip())
        if index == 0:
            print("  ".join("-" * width for width in widths))


def read():
    return json.loads(FILE.read_text()) if FILE.exists() else {}


def write(name, figures):
    """Replaces the figures of one benchmark."""
    write_all(read() | {name: figures})


def write_all(results):
    FILE.write_text(json.dumps(results, indent=2) + "\n")
