"""Arguments in one form, whatever way a model has written them.

It is not the one of RFC 8785, which has no room for integers beyond 53 bits.
"""

from __future__ import annotations

import math
from contextlib import suppress
from typing import Any

import orjson

from toolschema._json.limits import DEEPEST, Limits
from toolschema._json.plain import NOT_PLAIN, plain
from toolschema._json.stack import with_a_deep_stack
from toolschema._json.text import decoded, is_text

_LIMITS = Limits(max_depth=DEEPEST)
_LARGE = 1 << 63


def canonical(arguments: object) -> bytes:
    """One text for all that are the same JSON value, and for no other value.

    >>> canonical('{"b": 1.0, "a": [true]}') == canonical({"a": [True], "b": 1})
    True
    """
    try:
        return _canonical(arguments)
    except RecursionError:
        return with_a_deep_stack(lambda: _canonical(arguments))


def _canonical(arguments: Any) -> bytes:
    if is_text(arguments):
        if isinstance(arguments, str):
            data = arguments.encode(errors="surrogatepass")
        else:
            data = bytes(arguments)
        value = NOT_PLAIN
        if len(data) <= _LIMITS.max_bytes:
            with suppress(ValueError):
                value = _marked(decoded(data, allow_inf_nan=False))
        if value is NOT_PLAIN:
            return b"text " + data
    else:
        value = plain(arguments, _LIMITS)
        if value is NOT_PLAIN:
            return b"no JSON value"
        value = _marked(value)
    return b"JSON " + orjson.dumps(value, option=orjson.OPT_SORT_KEYS)


def _marked(value: Any) -> Any:
    """The same with one form for each number, and all of them within 64 bits.

    A number without a fraction is an integer (2020-12 core §6.3). A large one
    becomes a text, so texts get a mark that tells them from it.

    Raises:
        ValueError: A number is too large for any, such as 1e400.
    """
    kind = type(value)
    if kind is str:
        return "s" + value
    if kind is dict:
        return {name: _marked(each) for name, each in value.items()}
    if kind is list:
        return [_marked(each) for each in value]
    if kind is float:
        if not math.isfinite(value):
            raise ValueError("not finite")
        if value.is_integer():
            value, kind = int(value), int
    return hex(value) if kind is int and not -_LARGE < value < _LARGE else value
