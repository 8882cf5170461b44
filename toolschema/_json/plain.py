"""Copies Python values to plain JSON values, and says why a value is not JSON.

Only exact built-in types are JSON values. No code of the value's own ever runs,
such as a method, ``==`` or ``repr`` of a subclass.
"""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from typing import Any

import orjson

from toolschema._json.findings import Finding, Findings
from toolschema._json.limits import Limits
from toolschema._json.pointer import Token
from toolschema._json.text import limit

# Python itself refuses to write an integer with more digits since 3.11, and the
# verdict engine misjudges it.
_MOST_DIGITS = 4300
ALWAYS_SAFE_DIGITS = 640
"""`sys.set_int_max_str_digits` cannot go below this."""
_SMALL = 1 << 64
_INFINITY = float("inf")

NOT_PLAIN = object()
"""The answer of `plain` for a value that is not JSON or exceeds a limit."""


class _RefusedError(Exception):
    pass


def plain(value: Any, limits: Limits) -> Any:
    """Copy *value* deeply, or answer `NOT_PLAIN`; `value_findings` tells why.

    If another thread changes the value meanwhile, the copy still is plain JSON, is
    not shared and stays within the limits.
    """
    if type(value) is not dict and type(value) is not list:
        return NOT_PLAIN if (copy := plain([value], limits)) is NOT_PLAIN else copy[0]
    return measured(value, limits)[0]


def measured(value: Any, limits: Limits) -> tuple[Any, int]:
    """The same for an object or array, with about the length of its JSON text."""
    budget = [limits.max_nodes - 1, limits.max_bytes]
    try:
        copy: Any
        if type(value) is dict:
            copy = copied(value, limits.max_depth, budget)
        else:
            copy = _copied_array(value, limits.max_depth, budget)
        try:
            writable(copy)
        except TypeError:
            # orjson cannot write a large integer, either; this fails only for the names.
            json.dumps(copy, ensure_ascii=False).encode()
    except RecursionError:
        raise
    except Exception:  # noqa: BLE001 - whatever it is, the value is not plain
        return NOT_PLAIN, 0
    nodes, text = budget
    return copy, limits.max_bytes - text + 2 * (limits.max_nodes - nodes)


def copied(value: dict[Any, Any], depth: int, budget: list[int]) -> dict[str, Any]:
    """Copy an object; *budget* is the values and characters that may still come.

    Names are not searched for lone surrogates.
    """
    nodes, characters = budget
    # Made before the count, or another thread could add some in between.
    pairs = iter(value.items())
    budget[0] = left = nodes - len(value)
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
                    text = _charged(item, text, budget)
            else:
                text += len(key)
                if kind is dict:
                    item = copied(item, depth - 1, budget)  # noqa: PLW2901 - it is the copy now
                elif kind is list:
                    item = _copied_array(item, depth - 1, budget)  # noqa: PLW2901
                elif kind is int:
                    if not -_SMALL < item < _SMALL:
                        _check_number(item)
                elif kind is not bool and item is not None:
                    _check_number(item)
            copy[key] = item
    except RecursionError:
        raise
    except RuntimeError:
        # Another thread has added or removed properties.
        budget[:] = nodes, characters
        return copied(_snapshot(value), depth, budget)
    budget[1] = left = budget[1] - text
    if left < 0:
        raise _RefusedError
    return copy


def _copied_array(value: list[Any], depth: int, budget: list[int]) -> list[Any]:
    value = value.copy()
    budget[0] = left = budget[0] - len(value)
    if left < 0 or not depth:
        raise _RefusedError
    text = 0
    copy: list[Any] = []
    for item in value:
        kind = type(item)
        if kind is str:
            text += len(item)
            if not item.isascii():
                text = _charged(item, text, budget)
        elif kind is dict:
            item = copied(item, depth - 1, budget)  # noqa: PLW2901
        elif kind is list:
            item = _copied_array(item, depth - 1, budget)  # noqa: PLW2901
        elif kind is int:
            if not -_SMALL < item < _SMALL:
                _check_number(item)
        elif kind is not bool and item is not None:
            _check_number(item)
        copy.append(item)
    budget[1] = left = budget[1] - text
    if left < 0:
        raise _RefusedError
    return copy


def _charged(item: str, text: int, budget: list[int]) -> int:
    """Charge *text* characters and check a string that is not ASCII; answer 0.

    The check takes as long as the string, which may occur many times in the value.
    So it waits until the budget is known to suffice.
    """
    budget[1] -= text
    if budget[1] < 0 or not _is_encodable(item):
        raise _RefusedError
    return 0


def _check_number(item: Any) -> None:
    if type(item) is int:
        if _is_too_large(item):
            raise _RefusedError
    elif type(item) is not float or not -_INFINITY < item < _INFINITY:
        raise _RefusedError


writable = orjson.dumps
"""Raises no `TypeError` for a copy only if UTF-8 can hold each of its names."""


def _snapshot(value: dict[Any, Any]) -> dict[str, Any]:
    pairs = list(value.items())
    # A dict compares its keys by their own `==`.
    if any(type(key) is not str for key, _ in pairs):
        raise _RefusedError
    return dict(pairs)


def _digits() -> int:
    """Digits that an integer may have: the user may have set a lower limit in Python."""
    limit = getattr(sys, "get_int_max_str_digits", lambda: 0)()
    return min(limit, _MOST_DIGITS) if limit else _MOST_DIGITS


def digits_are_usual() -> bool:
    """Whether Python takes as many digits as we do."""
    return _digits() == _MOST_DIGITS


def _is_too_large(number: int) -> bool:
    return not -(10 ** _digits()) < number < 10 ** _digits()


def _is_encodable(text: str) -> bool:
    """Whether UTF-8 can hold *text*, which then has no lone surrogates."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def value_findings(value: Any, limits: Limits) -> Findings:
    """Why *value* is not plain; never empty.

    Properties are searched in the order of their names, until there are
    ``limits.max_issues`` findings.
    """
    found: list[Finding] = []
    above: list[int] = []
    budget = limits.max_nodes - 1
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
                budget -= len(item)
                if budget < 0:
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
    """The properties, even while another thread changes the dict."""
    while True:
        with suppress(RuntimeError):
            return list(value.items())


def _scalar_problem(item: Any) -> str | None:
    kind = type(item)
    if kind is str:
        return None if item.isascii() or _is_encodable(item) else "must not contain lone surrogates"
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
    copy = {key: child for key, child in pairs if type(key) is str}
    kept: list[tuple[Token, Any]] = [
        (key, copy[key]) for key in sorted(filter(_is_encodable, copy))
    ]
    if len(kept) == len(pairs):
        return kept, None
    return kept, "must have property names that are strings of Unicode characters"
