"""The keywords of one subschema, translated to dialect 2020-12."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from toolschema._schema.dialect import Dialect

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
        elif keyword == "dependencies" and isinstance(value, dict):
            beside = schema.keys() - _NOT_IN[dialect.name]
            yield from _dependencies(beside, value)
        else:
            yield keyword, (keyword,), value


def _dependencies(beside: set[str], value: dict[str, Any]) -> Iterator[Keyword]:
    names = {name: each for name, each in value.items() if isinstance(each, list)}
    schemas = {name: each for name, each in value.items() if not isinstance(each, list)}
    for keyword, part in (("dependentRequired", names), ("dependentSchemas", schemas)):
        if part and keyword in beside:
            # The keyword is there already, and both must hold.
            yield "allOf", ("dependencies",), [{keyword: part}]
        elif part:
            yield keyword, ("dependencies",), part
