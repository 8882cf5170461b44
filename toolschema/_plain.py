"""A Python value to a plain JSON value that is shared with nobody.

Only exact built-in types are JSON values here. Nothing of the value's own is
ever called: no method, no ``==``, no ``repr``; a subclass may lie.
"""

from __future__ import annotations

from typing import Any

from toolschema._finding import Finding, Findings
from toolschema._json import limit
from toolschema._limits import Limits
from toolschema._pointer import Token

# `str` of an integer with more digits is refused by Python itself since 3.11,
# and the verdict engine misjudges them.
DIGITS = 4300
_LARGE = 10**DIGITS
_INFINITY = float("inf")

NOT_PLAIN = object()
"""What `plain` answers for a value that is not JSON, or not within the limits."""


class _RefusedError(Exception):
    pass


def plain(value: Any, limits: Limits) -> Any:
    """Copy *value* deeply, or answer `NOT_PLAIN`; `value_findings` tells why.

    The containers are copied before they are looked at, so another thread that
    changes them meanwhile can neither break the copy nor reach into it.
    """
    if type(value) is not dict and type(value) is not list:
        value = [value]
        return NOT_PLAIN if (copy := plain(value, limits)) is NOT_PLAIN else copy[0]
    try:
        return _copy(value, limits.max_depth, [limits.max_nodes - 1])
    except (_RefusedError, RecursionError):
        return NOT_PLAIN


def _copy(value: Any, depth: int, room: list[int]) -> Any:
    if not depth:
        raise _RefusedError
    copy = value.copy()
    room[0] -= len(copy)
    if room[0] < 0:
        raise _RefusedError
    if type(copy) is dict:
        for key in copy:
            if type(key) is not str or not (key.isascii() or _is_text(key)):
                raise _RefusedError
        items: Any = copy.items()
    else:
        items = enumerate(copy)
    for place, item in items:
        kind = type(item)
        if kind is str:
            if not (item.isascii() or _is_text(item)):
                raise _RefusedError
        elif kind is int:
            if not -_LARGE < item < _LARGE:
                raise _RefusedError
        elif kind is dict or kind is list:
            copy[place] = _copy(item, depth - 1, room)
        elif kind is float:
            if not -_INFINITY < item < _INFINITY:
                raise _RefusedError
        elif kind is not bool and item is not None:
            raise _RefusedError
    return copy


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
    todo: list[tuple[Any, tuple[Token, ...], int]] = [(value, (), 0)]
    while todo and len(found) < limits.max_issues:
        item, tokens, depth = todo.pop()
        del above[depth:]
        problem = _scalar_problem(item)
        if problem is None and type(item) in (dict, list):
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
                todo.extend(
                    (child, (*tokens, token), depth + 1) for token, child in reversed(children)
                )
        if problem is not None:
            found.append(Finding(problem, "@value", tokens))
    return Findings(found or [Finding("must be a JSON value", "@value")], is_complete=not todo)


def _scalar_problem(item: Any) -> str | None:
    kind = type(item)
    if kind is str:
        return None if item.isascii() or _is_text(item) else "must not contain lone surrogates"
    if kind is int:
        return None if -_LARGE < item < _LARGE else f"must not have more than {DIGITS} digits"
    if kind is float:
        return None if -_INFINITY < item < _INFINITY else "must be a finite number"
    if kind in (dict, list, bool) or item is None:
        return None
    return "must be a JSON value"


def _children(item: Any) -> tuple[list[tuple[Token, Any]], str | None]:
    if type(item) is list:
        return list(enumerate(item.copy())), None
    copy = item.copy()
    kept: list[tuple[Token, Any]] = [
        (key, copy[key])
        for key in sorted(key for key in copy if type(key) is str and _is_text(key))
    ]
    if len(kept) == len(copy):
        return kept, None
    return kept, "must have property names that are strings of Unicode characters"
