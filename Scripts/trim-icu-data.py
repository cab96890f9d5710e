#!/usr/bin/env python3
"""Makes a copy of the Swift toolchain's static ICU with the part of its 34 MB of data that the server uses.

  trim-icu-data.py OUTPUT        writes the archive
  trim-icu-data.py --list        prints what is kept, and its bytes
  trim-icu-data.py --self-test

The server formats nothing for a language by ICU: its texts have tables of their own. What is kept is what belongs to no language, English and
the root locale, without converters of character sets, dictionaries of word breaks, breaks of lines and sentences, transliterations and names of
characters. Names of currencies stay: without them ICU formats no date. It falls back to the root locale. Source: Package data in
https://unicode-org.github.io/icu/userguide/icu_data/
"""

import argparse
import re
import shutil
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

ARCHIVE, MEMBER = "lib_FoundationICU.a", "icu_packaged_data.cpp.o"
SYMBOL = re.compile(r"\bicudt\d+_dat$", re.MULTILINE)
# The value of `magic` in the header of a file of data, which follows the header's size.
MAGIC = 0x27da
HEADER, ENTRY, COUNT = struct.Struct("<HH"), struct.Struct("<II"), struct.Struct("<I")
ALIGNMENT = 16

LANGUAGES = {"en", "en_001", "en_US", "en_US_POSIX"}
# What bundles need whatever the language is.
SHARED = {"root", "pool", "res_index"}
LANGUAGE = re.compile(r"[a-z]{2,3}(_\w+)?")
DROPPED_KINDS = {"cfu", "cnv", "dict", "spp"}
DROPPED_BREAKS = ("line", "sent")
DROPPED = {"translit/root.res", "unames.icu", "cnvalias.icu"}


def is_kept(name):
    """Whether an item is kept, by its name without the package's, as in `coll/root.res`."""
    *folder, file = name.split("/")
    stem, kind = file.rsplit(".", 1)
    if kind in DROPPED_KINDS or name in DROPPED:
        return False
    if kind == "brk" and stem.startswith(DROPPED_BREAKS):
        return False
    if kind != "res" or stem in LANGUAGES | SHARED:
        return True
    return not folder and not LANGUAGE.fullmatch(stem)


def read(data):
    """Returns the header of packaged data, and its items by their full names."""
    size, magic = HEADER.unpack_from(data)
    if magic != MAGIC:
        raise ValueError("not ICU's data of a machine with little-endian numbers")
    count, = COUNT.unpack_from(data, size)
    entries = [ENTRY.unpack_from(data, size + COUNT.size + index * ENTRY.size) for index in range(count)]
    ends = [begin for _, begin in entries[1:]] + [len(data) - size]
    items = {}
    for (name, begin), end in zip(entries, ends):
        text = data[size + name:data.index(b"\0", size + name)].decode("ascii")
        items[text] = data[size + begin:size + end]
    return data[:size], items


def write(header, items):
    """Returns packaged data: the header, the table of items, their names, their contents, each at a multiple of sixteen bytes."""
    names = b"".join(name.encode("ascii") + b"\0" for name in items)
    at_name = COUNT.size + len(items) * ENTRY.size
    at_item = padded(at_name + len(names))
    table, contents = COUNT.pack(len(items)), b""
    for name, content in items.items():
        table += ENTRY.pack(at_name, at_item + len(contents))
        at_name += len(name) + 1
        contents += content.ljust(padded(len(content)), b"\0")
    return header + (table + names).ljust(at_item, b"\0") + contents


def padded(count):
    return -(-count // ALIGNMENT) * ALIGNMENT


def trim(data):
    header, items = read(data)
    return write(header, {name: content for name, content in items.items() if is_kept(name.split("/", 1)[1])})


class Archive:
    """The toolchain's static library, whose data is one object file with one symbol."""

    def __init__(self, directory):
        self.directory = Path(directory)
        self.path = Path(shutil.which("swift")).resolve().parent.parent / "lib/swift_static/linux" / ARCHIVE
        self.object = self.directory / MEMBER
        run("ar", "x", self.path, MEMBER, cwd=self.directory)
        found = SYMBOL.search(run("nm", "--defined-only", self.object))
        if not found:
            raise ValueError(f"{MEMBER} of {self.path} defines no symbol of ICU's data")
        self.symbol = found.group()

    @property
    def data(self):
        path = self.directory / "data"
        run("objcopy", "--output-target=binary", "--only-section=.rodata*", self.object, path)
        return path.read_bytes()

    def write(self, data, output):
        """Writes a copy with other data."""
        binary, source = self.directory / "trimmed", self.directory / "data.S"
        binary.write_bytes(data)
        source.write_text(f"""
            .section .rodata, "a"
            .balign {ALIGNMENT}
            .globl {self.symbol}
            .type {self.symbol}, %object
            {self.symbol}: .incbin "{binary}"
            .size {self.symbol}, . - {self.symbol}
            .section .note.GNU-stack, "", %progbits
        """)
        run("clang", "-c", source, "-o", self.object)
        copy = self.directory / ARCHIVE
        shutil.copyfile(self.path, copy)
        run("ar", "r", copy, self.object)
        shutil.move(copy, output)


def run(*words, **options):
    return subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True, **options).stdout


def self_test():
    header = HEADER.pack(32, MAGIC).ljust(32, b"\0")
    items = {f"icudt1l/{name}": name.encode() for name in [
        "brkitr/cjdict.dict", "brkitr/line_cj.brk", "brkitr/word.brk", "coll/root.res", "coll/ucadata.icu", "coll/zh.res", "de.res",
        "en.res", "gb18030.cnv", "lang/de_AT.res", "lang/en.res", "likelySubtags.res", "pool.res", "translit/root.res", "uts46.nrm", "zoneinfo64.res"]}
    assert {name: content.rstrip(b"\0") for name, content in read(write(header, items))[1].items()} == items
    kept = read(trim(write(header, items)))
    assert kept[0] == header
    assert [name.removeprefix("icudt1l/") for name in kept[1]] == [
        "brkitr/word.brk", "coll/root.res", "coll/ucadata.icu", "en.res", "lang/en.res", "likelySubtags.res", "pool.res", "uts46.nrm", "zoneinfo64.res"]
    try:
        read(b"\0" * 64)
        raise AssertionError("data of another kind was read")
    except ValueError:
        pass


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", type=Path, nargs="?")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_args()
    if options.self_test:
        self_test()
        return
    if not options.list and not options.output:
        parser.error("an output, --list or --self-test")
    with tempfile.TemporaryDirectory(prefix="ostiary-icu-") as directory:
        try:
            archive = Archive(directory)
            trimmed = trim(archive.data)
            if options.output:
                archive.write(trimmed, options.output)
        except (OSError, ValueError, struct.error) as problem:
            sys.exit(f"trim-icu-data.py: {problem}")
        except subprocess.CalledProcessError as problem:
            sys.exit(f"trim-icu-data.py: {' '.join(problem.cmd)}: {problem.stderr}")
    if options.list:
        for name, content in read(trimmed)[1].items():
            print(f"{len(content):8} {name}")


if __name__ == "__main__":
    sys.exit(main())
