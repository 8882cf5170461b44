"""JSON Pointer (RFC 6901): the address of a value inside a JSON document."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from toolschema._json.printable import one_line

_LONE_TILDE = re.compile("~(?![01])")
_INDEX = re.compile(r"0|[1-9][0-9]*")

Token = str | int
"""One step of a pointer: a property name or the index of an item, from 0."""


def escape(name: str) -> str:
    """Write one property name as a reference token (RFC 6901 §3).

    >>> escape("a/b~c")
    'a~1b~0c'
    """
    if "~" in name or "/" in name:
        return name.replace("~", "~0").replace("/", "~1")
    return name


def join(tokens: Iterable[Token]) -> str:
    """Write *tokens* as one pointer; the whole document is the empty string.

    >>> join(["stops", 0, "km/h"])
    '/stops/0/km~1h'
    """
    return "".join(
        [f"/{escape(token)}" if isinstance(token, str) else f"/{token}" for token in tokens]
    )


def split(pointer: str) -> tuple[str, ...]:
    """Read the tokens of *pointer*; indexes come back as strings.

    Raises:
        ValueError: *pointer* is neither empty nor starts with a slash, or a
            tilde in it is followed by neither 0 nor 1 (RFC 6901 §3).

    >>> split("/stops/0/km~1h")
    ('stops', '0', 'km/h')
    """
    if not pointer:
        return ()
    if not pointer.startswith("/"):
        raise ValueError("a JSON Pointer is empty or starts with '/'")
    if _LONE_TILDE.search(pointer):
        raise ValueError("a tilde in a JSON Pointer is followed by 0 or 1")
    return tuple(token.replace("~1", "/").replace("~0", "~") for token in pointer[1:].split("/"))


def order(tokens: Iterable[Token]) -> list[tuple[int, int, str]]:
    """Sort key of a location: indexes as numbers, names by code point."""
    return [(1, 0, token) if isinstance(token, str) else (0, token, "") for token in tokens]


def key_in(value: Any, token: Token) -> Token | None:
    """The property name or index that *token* stands for in *value*; None without one.

    >>> key_in({"0": "x"}, "0"), key_in(["x"], "0"), key_in(["x"], "00")
    ('0', 0, None)
    """
    if isinstance(value, dict):
        return token if isinstance(token, str) and token in value else None
    if not isinstance(value, list):
        return None
    # No more digits are read than an index of this array can have.
    digits = str(token)
    is_index = _INDEX.fullmatch(digits) and len(digits) <= len(str(len(value)))
    return int(digits) if is_index and int(digits) < len(value) else None


def resolve(
    value: Any, tokens: Iterable[Token], default: Any = None, *, strict: bool = False
) -> Any:
    """The value at a location, or *default* if the location does not exist.

    Raises:
        ValueError: *strict*, and a token for an array cannot be an index (RFC 6901
            §4), so that the pointer could never resolve.

    >>> resolve({"stops": [{"km": 3}]}, ("stops", "0", "km"))
    3
    """
    for token in tokens:
        if strict and isinstance(value, list) and not _INDEX.fullmatch(str(token)):
            raise ValueError(f'"{one_line(str(token))}" is not an array index')
        key: Any = key_in(value, token)
        if key is None:
            return default
        value = value[key]
    return value


def replace(value: Any, tokens: tuple[Token, ...], by: Any) -> Any:
    """A copy of *value* with *by* at a location that exists.

    What is not on the path to the location is shared with *value*.

    >>> replace({"a": [1, 2], "b": 3}, ("a", "0"), "x")
    {'a': ['x', 2], 'b': 3}
    """
    if not tokens:
        return by
    copy = value.copy()
    key: Any = tokens[0] if isinstance(value, dict) else int(tokens[0])
    copy[key] = replace(value[key], tokens[1:], by)
    return copy
