"""When two values are one JSON value (2020-12 core §4.2.2), and keys to tell.

Numbers are compared by their mathematical value, however they are written: 1 is
1.0, and -0.0 is 0. True is not 1. The order of property names does not matter.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from toolschema._json.limits import DEEPEST, Limits
from toolschema._json.plain import NOT_PLAIN, plain
from toolschema._json.stack import with_a_deep_stack
from toolschema._json.text import decoded, is_json_text

Keys = dict[int, tuple[Any, str]]
"""Containers and their keys by `id`, so that arrays inside one another are not read
again at every level. Each container is kept alive, or its `id` could be reused."""

_LIMITS = Limits(max_depth=DEEPEST)


def is_same(one: Any, other: Any) -> bool:
    """Whether two values are equal; what is not JSON is compared by its own ``==``.

    >>> is_same({"a": [1, True]}, {"a": [1.0, True]}), is_same([1], [True])
    (True, False)
    """
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(is_same, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(is_same(one[name], other[name]) for name in one)
    return isinstance(one, bool) is isinstance(other, bool) and bool(one == other)


def has_duplicates(items: list[Any], keys: Keys) -> bool:
    """Whether two items are equal, in time linear in what they hold.

    The verdict engine compares numbers that share a float one by one, which a
    hostile array of large integers makes quadratic.

    >>> has_duplicates([1, True, "1", 2.0, 2], {})
    True
    """
    if len(items) < 2:
        return False
    seen: set[str] = set()
    for item in items:
        key = key_of(item, keys)
        if key in seen:
            return True
        seen.add(key)
    return False


def key_of(value: Any, keys: Keys | None = None) -> str:
    """A string that equal plain values share, and no others; the same in every process.

    A string, because Python's hash of strings is secret, but that of numbers and
    tuples can be made to collide. For a container it is a digest (RFC 7693), so
    that it stays short.

    >>> key_of({"b": 1.0, "a": True}) == key_of({"a": True, "b": 1})
    True
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
    keys = {} if keys is None else keys
    if id(value) not in keys:
        keys[id(value)] = value, _digest(value, keys)
    return keys[id(value)][1]


def _digest(value: Any, keys: Keys) -> str:
    if type(value) is list:
        mark, parts = "[", [key_of(item, keys) for item in value]
    else:
        mark = "{"
        parts = [key_of(name) + key_of(value[name], keys) for name in sorted(value)]
    import hashlib  # noqa: PLC0415 - it loads OpenSSL, and few values are compared so

    content = ",".join(parts).encode(errors="surrogatepass")
    return mark + hashlib.blake2b(content, digest_size=24).hexdigest()


def arguments_key(arguments: object) -> bytes:
    """Bytes that arguments share, decoded or not, if they are one JSON value.

    Text that is not JSON has its own bytes, and everything else that is not JSON
    has the same.

    >>> arguments_key('{"b": 1.0, "a": [true]}') == arguments_key({"a": [True], "b": 1})
    True
    """
    try:
        return _arguments_key(arguments)
    except RecursionError:
        return with_a_deep_stack(lambda: _arguments_key(arguments))


def _arguments_key(arguments: object) -> bytes:
    value, fallback = arguments, b"no JSON value"
    if is_json_text(arguments):
        if isinstance(arguments, str):
            data = arguments.encode(errors="surrogatepass")
        else:
            data = bytes(arguments)
        value, fallback = NOT_PLAIN, b"text " + data
        if len(data) <= _LIMITS.max_bytes:
            with suppress(ValueError):
                value = decoded(data, allow_inf_nan=False)
    value = plain(value, _LIMITS)
    return fallback if value is NOT_PLAIN else b"JSON " + key_of(value).encode()
