"""Shapes of JSON values, and the differences from them.

A shape is a dict (exactly these keys), a predicate from below, or a literal value.
"""

import base64
import re


def text(value):
    return isinstance(value, str) and value != ""


def integer(value):
    return type(value) is int


def token(value):
    """Any token: at least 128 bits in base64url, and safe in a header."""
    return isinstance(value, str) and len(value) >= 22 and re.fullmatch(r"[A-Za-z0-9._~+/=-]+", value) is not None


def jwt(value):
    return isinstance(value, str) and re.fullmatch(r"[\w-]+\.[\w-]+\.[\w-]+", value) is not None


def base64_of(count):
    """So many bytes in base64 with padding."""
    def encoded(value):
        try:
            return isinstance(value, str) and len(base64.b64decode(value, validate=True)) == count
        except ValueError:
            return False

    encoded.__name__ = f"base64 of {count} bytes"
    return encoded


def anything(value):
    return True


def optional(shape):
    def or_null(value):
        return value is None or not differences(shape, value)

    or_null.__name__ = f"null or {name_of(shape)}"
    return or_null


def one_of(*values):
    def listed(value):
        return value in values

    listed.__name__ = f"one of {values}"
    return listed


def name_of(shape):
    return shape.__name__ if callable(shape) else repr(shape)


def differences(shape, value, at="body"):
    """Returns sentences about every place where `value` is not of `shape`."""
    if isinstance(shape, dict):
        if not isinstance(value, dict):
            return [f"{at} to be an object with {sorted(shape)}"]
        found = [f"{at}.{key} to be there" for key in shape if key not in value]
        found += [f"{at}.{key} not to be there" for key in value if key not in shape]
        for key in shape:
            if key in value:
                found += differences(shape[key], value[key], f"{at}.{key}")
        return found
    if callable(shape):
        return [] if shape(value) else [f"{at} to be {name_of(shape)}"]
    return [] if type(shape) is type(value) and shape == value else [f"{at} to be {shape!r}"]


def shape_of(value):
    """Returns a JSON value with the types of its members in the place of their values."""
    if isinstance(value, dict):
        return {name: shape_of(member) for name, member in value.items()}
    return [shape_of(member) for member in value] if isinstance(value, list) else type(value).__name__
