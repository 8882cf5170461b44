"""The keywords of one subschema, translated to dialect 2020-12."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from toolschema._schema.dialect import DRAFT_2020_12, Dialect

Keyword = tuple[str, tuple[str | int, ...], Any]
"""Its name in 2020-12, its location below the subschema, and its value."""

IDENTIFIERS = frozenset(
    {
        "$id", "$schema", "$anchor", "$dynamicAnchor", "$recursiveAnchor", "$vocabulary",
        "$comment", "$defs", "definitions",
    }
)  # fmt: skip
ANNOTATIONS = frozenset(
    {
        "title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly",
        "errorMessage",
    }
)  # fmt: skip
_NOT_IN = {
    "draft-07": {
        "$recursiveRef", "$dynamicRef", "contentSchema", "dependentRequired", "dependentSchemas",
        "maxContains", "minContains", "prefixItems", "unevaluatedItems", "unevaluatedProperties",
    },
    "2019-09": {"$dynamicRef", "prefixItems"},
    "2020-12": {"$recursiveRef", "additionalItems"},
}  # fmt: skip


def modern(schema: dict[str, Any], dialect: Dialect) -> Iterator[Keyword]:
    """The keywords of *schema*, without those that its dialect does not have.

    >>> from toolschema._schema.dialect import DRAFT_07
    >>> list(modern({"items": [{}], "additionalItems": False}, DRAFT_07))
    [('prefixItems', ('items',), [{}]), ('items', ('additionalItems',), False)]
    """
    stands_alone = dialect.voids_siblings(schema)
    for keyword, value in schema.items():
        if keyword in IDENTIFIERS or keyword in _NOT_IN[dialect.name]:
            continue
        if stands_alone and keyword != "$ref" and keyword not in ANNOTATIONS:
            continue
        if keyword == "items" and isinstance(value, list):
            yield "prefixItems", ("items",), value
        elif keyword == "additionalItems":
            if isinstance(schema.get("items"), list):
                yield "items", ("additionalItems",), value
        elif keyword == "dependencies":
            beside = schema.keys() - _NOT_IN[dialect.name]
            yield from _dependencies(beside, value)
        else:
            yield keyword, (keyword,), value


def with_subschemas(keyword: str, value: Any, write: Callable[..., Any]) -> Any:
    """The value of a keyword of 2020-12 with what *write* makes of the subschemas in it.

    *write* gets a subschema and the tokens that lead to it from the value.

    >>> with_subschemas("anyOf", [{}, True], lambda subschema, index: index)
    [0, 1]
    """
    if keyword in DRAFT_2020_12.named:
        return {name: write(subschema, name) for name, subschema in value.items()}
    if keyword in DRAFT_2020_12.many:
        return [write(subschema, index) for index, subschema in enumerate(value)]
    return write(value) if keyword in DRAFT_2020_12.one else value


def _dependencies(beside: set[str], value: dict[str, Any]) -> Iterator[Keyword]:
    names = {name: below for name, below in value.items() if isinstance(below, list)}
    schemas = {name: value[name] for name in value if name not in names}
    for keyword, part in (("dependentRequired", names), ("dependentSchemas", schemas)):
        if part and keyword in beside:
            # The keyword is there already, and both must hold.
            yield "allOf", ("dependencies",), [{keyword: part}]
        elif part:
            yield keyword, ("dependencies",), part
