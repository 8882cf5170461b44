"""Whether the items of an array differ, in time linear in what they hold.

The verdict engine compares numbers that share a float one by one, which a
hostile array of large integers makes quadratic. This is used instead where an
array is large enough for that to matter.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any


def has_duplicates(items: list[Any]) -> bool:
    """Whether two items are equal as JSON values (2020-12 core §4.2.2).

    >>> has_duplicates([1, True, "1", 2.0, 2])
    True
    """
    seen: set[Hashable] = set()
    for item in items:
        key = _key(item)
        if key in seen:
            return True
        seen.add(key)
    return False


def _key(value: Any) -> Any:
    """Equal for equal JSON values only.

    Large numbers are compared as text: the hash of a number is public, and
    texts alone are hashed with a key that no one outside knows.
    """
    kind = type(value)
    if kind is bool:
        return "bool", value
    if kind is float and value.is_integer():
        value = int(value)
        kind = int
    if kind is int:
        return value if -(2**53) < value < 2**53 else ("int", hex(value))
    if kind is list:
        return "array", tuple(map(_key, value))
    if kind is dict:
        return "object", frozenset((name, _key(item)) for name, item in value.items())
    return value  # a text, a fraction or null
