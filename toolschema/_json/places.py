"""What a JSON Pointer leads to inside a plain value."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from toolschema._json.printable import one_line

_INDEX = re.compile(r"0|[1-9][0-9]*")


def at(value: Any, tokens: tuple[str, ...]) -> Any:
    """What is at a place; None where nothing is.

    Raises:
        ValueError: What stands there for an index of a list can be none (RFC 6901
            §4), so the pointer would never lead anywhere.

    >>> at({"stops": [{"km": 3}]}, ("stops", "0", "km"))
    3
    """
    for token in tokens:
        if isinstance(value, dict):
            value = value.get(token)
        elif isinstance(value, list):
            if not _INDEX.fullmatch(token):
                raise ValueError(f'"{one_line(token)}" is no index of an array')
            is_inside = len(token) <= len(str(len(value))) and int(token) < len(value)
            value = value[int(token)] if is_inside else None
        else:
            return None
    return value


def replaced(value: Any, tokens: tuple[str, ...], by: Any) -> Any:
    """A copy of *value* with something else at a place that is there.

    What does not lie on the way to it is shared with *value*.

    >>> replaced({"a": [1, 2], "b": 3}, ("a", "0"), "x")
    {'a': ['x', 2], 'b': 3}
    """
    if not tokens:
        return by
    copy = value.copy()
    token: Any = tokens[0] if isinstance(value, dict) else int(tokens[0])
    copy[token] = replaced(value[token], tokens[1:], by)
    return copy


def texts(value: Any) -> Iterator[str]:
    """Every text that is *value* or lies in it; names are not.

    >>> sorted(texts({"a": ["x", 1], "b": {"c": "y"}}))
    ['x', 'y']
    """
    todo = [value]
    while todo:
        item = todo.pop()
        if isinstance(item, str):
            yield item
        elif isinstance(item, (dict, list)):
            todo.extend(item.values() if isinstance(item, dict) else item)
