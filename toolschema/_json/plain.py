"""A Python value to a plain JSON value that is shared with nobody.

Only exact built-in types are JSON values here. Nothing of the value's own is
ever called: no method, no ``==``, no ``repr``; a subclass may lie.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import Any

import orjson

from toolschema._json.findings import Finding, Findings
from toolschema._json.limits import Limits
from toolschema._json.pointer import Token
from toolschema._json.text import limit

# `str` of an integer with more digits is refused by Python itself since 3.11,
# and the verdict engine misjudges them.
DIGITS = 4300
ALWAYS_SAFE_DIGITS = 640
"""Characters that hold no integer with more digits than Python always takes."""
_SMALL = 1 << 64
_INFINITY = float("inf")

NOT_PLAIN = object()
"""What `plain` answers for a value that is not JSON, or not within the limits."""


class _RefusedError(Exception):
    pass


def plain(value: Any, limits: Limits) -> Any:
    """Copy *value* deeply, or answer `NOT_PLAIN`; `value_findings` tells why.

    Another thread that changes the value meanwhile can neither break the copy
    nor reach into it, nor get past a limit.
    """
    if type(value) is not dict and type(value) is not list:
        return NOT_PLAIN if (copy := plain([value], limits)) is NOT_PLAIN else copy[0]
    return measured(value, limits)[0]


def measured(value: Any, limits: Limits) -> tuple[Any, int]:
    """The same for an object or array, and about how long a text it would be."""
    room = [limits.max_nodes - 1, limits.max_bytes]
    try:
        copy: Any
        if type(value) is dict:
            copy = copied(value, limits.max_depth, room)
        else:
            copy = _copied_array(value, limits.max_depth, room)
        try:
            writable(copy)
        except TypeError:
            # A large integer cannot be written so, either.
            if not _has_text_names(copy):
                return NOT_PLAIN, 0
    except RecursionError:
        raise
    except Exception:  # noqa: BLE001 - only what another thread put in can raise
        return NOT_PLAIN, 0
    nodes, text = room
    return copy, limits.max_bytes - text + 2 * (limits.max_nodes - nodes)


def copied(value: dict[Any, Any], depth: int, room: list[int]) -> dict[str, Any]:
    """Copy an object; *room* is for so many values and characters yet.

    Names are not searched for lone surrogates.
    """
    nodes, characters = room
    # Made before they are counted: so more of them cannot come in between.
    pairs = iter(value.items())
    room[0] = left = nodes - len(value)
    if left < 0 or not depth:
        raise _RefusedError
    text = 0
    copy: dict[str, Any] = {}
    try:
        for key, item in pairs:
            if type(key) is not str:
                raise _RefusedError
            kind = type(item)
            if kind is str:
                text += len(key) + len(item)
                if not item.isascii():
                    text = _charged(item, text, room)
            else:
                text += len(key)
                if kind is dict:
                    item = copied(item, depth - 1, room)  # noqa: PLW2901 - it is the copy now
                elif kind is list:
                    item = _copied_array(item, depth - 1, room)  # noqa: PLW2901
                elif kind is int:
                    if not -_SMALL < item < _SMALL:
                        _check_number(item)
                elif kind is not bool and item is not None:
                    _check_number(item)
            copy[key] = item
    except RecursionError:
        raise
    except RuntimeError:
        # Another thread has changed the size of it.
        room[:] = nodes, characters
        return copied(_as_of_now(value), depth, room)
    room[1] = left = room[1] - text
    if left < 0:
        raise _RefusedError
    return copy


def _copied_array(value: list[Any], depth: int, room: list[int]) -> list[Any]:
    value = value.copy()
    room[0] = left = room[0] - len(value)
    if left < 0 or not depth:
        raise _RefusedError
    text = 0
    copy: list[Any] = []
    for item in value:
        kind = type(item)
        if kind is str:
            text += len(item)
            if not item.isascii():
                text = _charged(item, text, room)
        elif kind is dict:
            item = copied(item, depth - 1, room)  # noqa: PLW2901
        elif kind is list:
            item = _copied_array(item, depth - 1, room)  # noqa: PLW2901
        elif kind is int:
            if not -_SMALL < item < _SMALL:
                _check_number(item)
        elif kind is not bool and item is not None:
            _check_number(item)
        copy.append(item)
    room[1] = left = room[1] - text
    if left < 0:
        raise _RefusedError
    return copy


def _charged(item: str, text: int, room: list[int]) -> int:
    """Check what is no ASCII, once there is room for it; answer what is to be charged.

    The text may be shared, and each look at it costs as much as it is long.
    """
    room[1] -= text
    if room[1] < 0 or not _is_text(item):
        raise _RefusedError
    return 0


def _check_number(item: Any) -> None:
    if type(item) is int:
        if _is_too_large(item):
            raise _RefusedError
    elif type(item) is not float or not -_INFINITY < item < _INFINITY:
        raise _RefusedError


writable = orjson.dumps
"""For a copy: that there is no `TypeError` proves that its names are text."""


def _as_of_now(value: dict[Any, Any]) -> dict[str, Any]:
    pairs = list(value.items())
    # Names are put into a dict with their own `==`.
    if any(type(key) is not str for key, _ in pairs):
        raise _RefusedError
    return dict(pairs)


def _has_text_names(value: Any) -> bool:
    """Whether UTF-8 can hold every name of a copy."""
    todo = [value]
    while todo:
        item = todo.pop()
        if type(item) is dict:
            if not all(map(_is_text, item)):
                return False
            item = list(item.values())
        if type(item) is list:
            todo.extend(item)
    return True


def _digits() -> int:
    """Digits that an integer may have: Python may have been told a lower limit."""
    limit = getattr(sys, "get_int_max_str_digits", lambda: 0)()
    return min(limit, DIGITS) if limit else DIGITS


def digits_are_usual() -> bool:
    """Whether Python has not been told to take fewer digits than we do."""
    return _digits() == DIGITS


def _is_too_large(number: int) -> bool:
    return not -(10 ** _digits()) < number < 10 ** _digits()


def _is_text(text: str) -> bool:
    """Whether UTF-8 can hold *text*: no lone surrogates."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def value_findings(value: Any, limits: Limits) -> Findings:
    """Why *value* is not plain; never empty.

    The search ends with ``limits.max_issues``; it goes by the order of names.
    """
    found: list[Finding] = []
    above: list[int] = []
    room = limits.max_nodes - 1
    text = 0
    todo: list[tuple[Any, tuple[Token, ...], int]] = [(value, (), 0)]
    while todo and len(found) < limits.max_issues:
        item, tokens, depth = todo.pop()
        del above[depth:]
        text += len(item) if type(item) is str else 0
        if text > limits.max_bytes:
            return Findings([limit(f"must not hold more than {limits.max_bytes} characters")])
        problem = _scalar_problem(item)
        if problem is None and (type(item) is dict or type(item) is list):
            if id(item) in above:
                problem = "must not contain itself"
            elif depth >= limits.max_depth:
                return Findings(
                    [limit(f"must not be nested deeper than {limits.max_depth} levels")]
                )
            else:
                room -= len(item)
                if room < 0:
                    return Findings([limit(f"must not hold more than {limits.max_nodes} values")])
                above.append(id(item))
                children, problem = _children(item)
                text += sum(len(token) for token, _ in children if isinstance(token, str))
                todo.extend(
                    (child, (*tokens, token), depth + 1) for token, child in reversed(children)
                )
        if problem is not None:
            found.append(Finding(problem, "@value", tokens))
    return Findings(found or [Finding("must be a JSON value", "@value")], is_complete=not todo)


def _pairs(value: dict[Any, Any]) -> list[tuple[Any, Any]]:
    """Names and values, also of a dict that another thread changes meanwhile."""
    while True:
        with suppress(RuntimeError):
            return list(value.items())


def _scalar_problem(item: Any) -> str | None:
    kind = type(item)
    if kind is str:
        return None if item.isascii() or _is_text(item) else "must not contain lone surrogates"
    if kind is int:
        return f"must not have more than {_digits()} digits" if _is_too_large(item) else None
    if kind is float:
        return None if -_INFINITY < item < _INFINITY else "must be a finite number"
    if kind is dict or kind is list or kind is bool or item is None:
        return None
    return "must be a JSON value"


def _children(item: Any) -> tuple[list[tuple[Token, Any]], str | None]:
    if type(item) is list:
        return list(enumerate(item.copy())), None
    pairs = _pairs(item)
    copy = {key: each for key, each in pairs if type(key) is str}
    kept: list[tuple[Token, Any]] = [(key, copy[key]) for key in sorted(filter(_is_text, copy))]
    if len(kept) == len(pairs):
        return kept, None
    return kept, "must have property names that are strings of Unicode characters"
