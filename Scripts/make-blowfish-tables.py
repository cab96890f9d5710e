#!/usr/bin/env python3
"""Makes Server/Sources/CBcrypt/BlowfishTables.h, Blowfish's initial state: the first 33,344 bits of the fraction of pi.

    Scripts/make-blowfish-tables.py [--check]

The digits are computed here, by Machin's formula, and not copied from an implementation.
"""
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FILE = ROOT / "Server/Sources/CBcrypt/BlowfishTables.h"
# The subkeys, then four substitution boxes.
WORDS = 18 + 4 * 256
GUARD_BITS = 64


def arctangent_of_inverse(number, one):
    """Returns arctan(1 / number) as a multiple of 1 / one: 1/n - 1/3n^3 + 1/5n^5 - …"""
    power = one // number
    total, divisor, sign = power, 1, 1
    while power:
        power //= number * number
        divisor, sign = divisor + 2, -sign
        total += sign * (power // divisor)
    return total


def fraction_of_pi(bits):
    one = 1 << (bits + GUARD_BITS)
    pi = 16 * arctangent_of_inverse(5, one) - 4 * arctangent_of_inverse(239, one)
    return (pi - 3 * one) >> GUARD_BITS


def table():
    fraction = fraction_of_pi(32 * WORDS)
    words = [fraction >> 32 * (WORDS - 1 - index) & 0xFFFFFFFF for index in range(WORDS)]
    # The beginning of Blowfish's description; the words that follow come from the same number.
    assert words[:2] == [0x243F6A88, 0x85A308D3]
    lines = [
        "// The first 33,344 bits of the fraction of pi: Blowfish's 18 subkeys and its four substitution boxes before a key.",
        "// Made by Scripts/make-blowfish-tables.py.",
        "",
        f"static const uint32_t fraction_of_pi[{WORDS}] = {{",
    ]
    for start in range(0, WORDS, 8):
        lines.append("    " + " ".join(f"0x{word:08x}," for word in words[start:start + 8]))
    return "\n".join(lines + ["};", ""])


def main():
    text = table()
    if sys.argv[1:] == ["--check"]:
        if FILE.read_text() != text:
            sys.exit(f"{FILE.relative_to(ROOT)} is not what Scripts/make-blowfish-tables.py makes")
    else:
        FILE.write_text(text)


if __name__ == "__main__":
    main()
