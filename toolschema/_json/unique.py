"""Whether the items of an array differ, in time linear in what they hold.

The verdict engine compares numbers that share a float one by one, which a
hostile array of large integers makes quadratic. This is used instead where an
array is large enough for that to matter.
"""

from __future__ import annotations

import os
from typing import Any

Keys = dict[int, tuple[Any, str]]
"""Containers and their keys by `id`, for one call: arrays inside one another
would otherwise read the innermost once for every level. Each container is held,
so that its `id` stays its own."""

_SECRET = os.urandom(16)


def has_duplicates(items: list[Any], keys: Keys) -> bool:
    """Whether two items are equal as JSON values (2020-12 core §4.2.2).

    >>> has_duplicates([1, True, "1", 2.0, 2], {})
    True
    """
    if len(items) < 2:
        return False
    seen: set[str] = set()
    for item in items:
        key = _key(item, keys)
        if key in seen:
            return True
        seen.add(key)
    return False


def _key(value: Any, keys: Keys) -> str:
    """A text that equal JSON values share, and no others.

    A text, because Python hashes texts with a key that no one outside knows,
    but numbers and tuples in a way that can be made to collide. That of a
    container is a keyed digest of 128 bits (RFC 7693), so that it stays short.
    """
    kind = type(value)
    if kind is str:
        return f"{len(value)}:{value}"
    if kind is float and value.is_integer():
        return hex(int(value))
    if kind is int:
        return hex(value)
    if kind is not list and kind is not dict:
        return repr(value)  # a fraction, true, false or null
    if id(value) not in keys:
        keys[id(value)] = value, _digest(value, keys)
    return keys[id(value)][1]


def _digest(value: Any, keys: Keys) -> str:
    if type(value) is list:
        mark, parts = "[", [_key(item, keys) for item in value]
    else:
        mark, parts = "{", [_key(name, keys) + _key(value[name], keys) for name in sorted(value)]
    import hashlib  # noqa: PLC0415 - it loads OpenSSL, and few values are compared so

    text = ",".join(parts).encode()
    return mark + hashlib.blake2b(text, digest_size=16, key=_SECRET).hexdigest()
