"""JSON Pointer (RFC 6901): the address of a value inside a JSON document."""

from __future__ import annotations

import re
from collections.abc import Iterable

_LONE_TILDE = re.compile("~(?![01])")

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
    """Write *tokens* as one pointer; the whole document is the empty text.

    >>> join(["stops", 0, "km/h"])
    '/stops/0/km~1h'
    """
    return "".join(
        [f"/{escape(token)}" if isinstance(token, str) else f"/{token}" for token in tokens]
    )


def split(pointer: str) -> tuple[str, ...]:
    """Read the tokens of *pointer*; indexes come back as text.

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
