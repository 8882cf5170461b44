"""The kinds of JSON value that a schema accepts by its own keywords, and which strings.

Kinds are what Python distinguishes. An integer is not a kind of its own, because
3.0 is an integer in JSON Schema (2020-12 core §4.2.3) and is returned as a float.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

from toolschema._json.kinds import TYPES, primitive, type_of

Kinds: TypeAlias = "dict[str, tuple[Any, ...] | None]"
"""Each accepted kind with its only values; None if all are accepted."""

ALL: Kinds = dict.fromkeys(map(primitive, TYPES))


def kinds_of(schema: dict[str, Any]) -> Kinds:
    """The kinds that ``type``, ``const`` and ``enum`` accept; no other keyword rejects a kind."""
    kinds = ALL
    if "type" in schema:
        names = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        kinds = dict.fromkeys(map(primitive, names))
    if "const" in schema:
        kinds = meet(kinds, _of_values([schema["const"]]))
    if "enum" in schema:
        kinds = meet(kinds, _of_values(schema["enum"]))
    return kinds


def meet(one: Kinds, other: Kinds) -> Kinds:
    """The kinds and values that both accept.

    >>> meet({"null": None, "string": ("a", "b")}, {"string": ("b", "c"), "array": None})
    {'string': ('b',)}
    """
    both = {kind: _shared(values, other[kind]) for kind, values in one.items() if kind in other}
    return {kind: shared for kind, shared in both.items() if shared != ()}


def _shared(one: tuple[Any, ...] | None, other: tuple[Any, ...] | None) -> tuple[Any, ...] | None:
    if one is None or other is None:
        return other if one is None else one
    allowed = frozenset(other)
    return tuple(value for value in one if value in allowed)


def _of_values(values: Iterable[Any]) -> Kinds:
    """Of numbers, lists and objects no more than the kind is kept.

    1.0 equals the constant 1 in JSON, and Python has no literal type for it.
    """
    listed: dict[str, dict[Any, None]] = {}
    for value in values:
        known = listed.setdefault(primitive(type_of(value)), {})
        if isinstance(value, (str, bool)):
            known[value] = None
    return {kind: tuple(known) or None for kind, known in listed.items()}
