"""Which kinds of JSON value a schema's own words leave, and of texts which.

Kinds are what Python tells apart: an integer is no kind, because 3.0 is an
integer in JSON Schema (2020-12 core §4.2.3) and comes back as the float it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

Kinds: TypeAlias = "dict[str, tuple[Any, ...] | None]"
"""Each kind that is left, with its only values; None where all are."""

ALL: Kinds = dict.fromkeys(("string", "number", "boolean", "array", "object", "null"))


def kinds_of(schema: dict[str, Any]) -> Kinds:
    """What ``type``, ``const`` and ``enum`` leave; no other keyword refuses a kind."""
    kinds = ALL
    if "type" in schema:
        names = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        kinds = dict.fromkeys("number" if name == "integer" else name for name in names)
    if "const" in schema:
        kinds = meet(kinds, _of_values([schema["const"]]))
    if "enum" in schema:
        kinds = meet(kinds, _of_values(schema["enum"]))
    return kinds


def meet(one: Kinds, other: Kinds) -> Kinds:
    """What both leave.

    >>> meet({"null": None, "string": ("a", "b")}, {"string": ("b", "c"), "array": None})
    {'string': ('b',)}
    """
    both: Kinds = {}
    for kind, values in one.items():
        if kind in other:
            shared = _shared(values, other[kind])
            if shared is None or shared:
                both[kind] = shared
    return both


def _shared(one: tuple[Any, ...] | None, other: tuple[Any, ...] | None) -> tuple[Any, ...] | None:
    if one is None or other is None:
        return other if one is None else one
    allowed = frozenset(other)
    return tuple(value for value in one if value in allowed)


def _of_values(values: Iterable[Any]) -> Kinds:
    kinds: dict[str, dict[Any, None] | None] = {}
    for value in values:
        if isinstance(value, (str, bool)):
            kind = "string" if isinstance(value, str) else "boolean"
            known = kinds.setdefault(kind, {})
            if known is not None:  # pragma: no branch
                known[value] = None
        else:
            kinds[_kind(value)] = None
    return {kind: None if each is None else tuple(each) for kind, each in kinds.items()}


def _kind(value: Any) -> str:
    """Of a value that is neither text nor a boolean.

    A number is only a number: 1.0 is equal to the constant 1 in JSON, and no
    literal type of Python.
    """
    if value is None:
        return "null"
    if isinstance(value, list):
        return "array"
    return "object" if isinstance(value, dict) else "number"
