#!/usr/bin/env python3
"""Packs a folder of inputs into a text file, one input in base64 a line, or unpacks it.

  corpus.py pack FOLDER FILE
  corpus.py unpack FILE FOLDER
"""

import base64
import hashlib
import sys
from pathlib import Path


def pack(folder, file):
    inputs = sorted((path.read_bytes() for path in folder.iterdir()), key=lambda data: (data[:1], len(data), data))
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(base64.b64encode(data).decode() + "\n" for data in inputs))
    print(f"{len(inputs)} inputs, {file.stat().st_size} bytes")


def unpack(file, folder):
    for line in file.read_text().split():
        data = base64.b64decode(line, validate=True)
        (folder / hashlib.sha1(data, usedforsecurity=False).hexdigest()).write_bytes(data)


if __name__ == "__main__":
    {"pack": pack, "unpack": unpack}[sys.argv[1]](Path(sys.argv[2]), Path(sys.argv[3]))
