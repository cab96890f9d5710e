#!/usr/bin/env python3
"""Writes Sources/OstiaryCore/Input/PhoneRegion+Table.swift from libphonenumber's metadata.

  python3 -m pip install phonenumbers && Scripts/make-phone-regions.py

The package `phonenumbers` carries the metadata of google/libphonenumber of the same version. The script uses the calling code, the
trunk (national) prefix and the international prefix of each region; no patterns.
"""

import re
import sys
from pathlib import Path

import phonenumbers
from phonenumbers.data import _COUNTRY_CODE_TO_REGION_CODE as CODES

try:
    from re import _parser as parser
except ImportError:
    import sre_parse as parser

TABLE = Path(__file__).resolve().parent.parent / "Sources/OstiaryCore/Input/PhoneRegion+Table.swift"
DIGITS = set("0123456789")


def first_digits(tokens):
    """Returns the digits that a match can begin with."""
    for operation, argument in tokens:
        name = str(operation)
        if name == "LITERAL":
            return {chr(argument)}
        if name == "IN":
            found = set()
            for kind, value in argument:
                if str(kind) == "LITERAL":
                    found.add(chr(value))
                elif str(kind) == "RANGE":
                    found |= {chr(c) for c in range(value[0], value[1] + 1)}
                elif str(kind) == "CATEGORY":
                    found |= DIGITS
            return found
        if name == "SUBPATTERN":
            return first_digits(argument[3])
        if name == "BRANCH":
            return set().union(*(first_digits(branch) for branch in argument[1]))
        if name == "MAX_REPEAT":
            if argument[0] == 0:
                sys.exit(f"an optional beginning: {tokens}")
            return first_digits(argument[2])
        sys.exit(f"unknown: {name}")
    return set()


def literal(*patterns):
    """Returns the first of some prefixes that consists of digits alone, up to an alternative."""
    for pattern in patterns:
        text = (pattern or "").replace("~", "").split("|")[0]
        if text and set(text) <= DIGITS:
            return text
    return "-"


def row(region):
    data = phonenumbers.PhoneMetadata.metadata_for_region(region)
    trunk = [data.national_prefix] if data.national_prefix else []
    # Belarus and Lithuania had other prefixes, which are still dialled.
    parsing = data.national_prefix_for_parsing or ""
    trunk += {"0|80?": ["80", "0"], "[08]": ["8"]}.get(parsing, [])
    beginnings = first_digits(parser.parse(data.general_desc.national_number_pattern))
    # With "?", a national number may begin with the same digits. With 0, only some freephone numbers do.
    marked = [p + ("?" if p[0] != "0" and p[0] in beginnings else "") for p in sorted(trunk, key=len, reverse=True)]
    lengths = ",".join(map(str, data.mobile.possible_length)) if any("?" in m for m in marked) else ""
    international = literal(data.preferred_international_prefix, data.international_prefix)
    return f"{region} {data.country_code} {'/'.join(marked) or '-'} {international} {lengths}".rstrip()


rows = [row(r) for r in sorted({r for regions in CODES.values() for r in regions if r != "001"})]
TABLE.write_text(f'''// Written by Scripts/make-phone-regions.py.

extension PhoneRegion {{
    /// One region a line: ISO 3166-1 code, calling code, trunk prefixes, international prefix, and the lengths of mobile
    /// numbers where a national number may begin with the digits of a trunk prefix, which is marked by `?` then.
    ///
    /// Source: ITU-T E.164, "List of assigned country codes"; the metadata of google/libphonenumber {phonenumbers.__version__}.
    static let table = """
''' + "".join(f"        {r}\n" for r in rows) + '''        """
}
''')
