"""Whether the items of an array differ, in time linear in what they hold.

The verdict engine compares numbers that share a float one by one, which a
hostile array of large integers makes quadratic. This is used instead where an
array is large enough for that to matter.
"""

from __future__ import annotations

from typing import Any


def has_duplicates(items: list[Any]) -> bool:
    """Whether two items are equal as JSON values (2020-12 core §4.2.2).

    >>> has_duplicates([1, True, "1", 2.0, 2])
    True
    """
    if len(items) < 2:
        return False
    seen: set[str] = set()
    for item in items:
        key = _key(item)
        if key in seen:
            return True
        seen.add(key)
    return False


def _key(value: Any) -> str:
    """A text that equal JSON values share, and no others.

    A text, because Python hashes texts with a key that no one outside knows,
    but numbers and tuples in a way that can be made to collide.
    """
    kind = type(value)
    if kind is str:
        return f"{len(value)}:{value}"
    if kind is float and value.is_integer():
        return hex(int(value))
    if kind is int:
        return hex(value)
    if kind is list:
        return f"[{','.join(map(_key, value))}]"
    if kind is dict:
        return f"{{{','.join(_key(name) + _key(value[name]) for name in sorted(value))}}}"
    return repr(value)  # a fraction, true, false or null
