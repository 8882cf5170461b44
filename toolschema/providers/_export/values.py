"""Which values a subschema allows, as far as its own keywords tell."""

from __future__ import annotations

from typing import Any

from toolschema._json.kinds import narrowest_type
from toolschema.providers._export.reading import Reading, Tokens, name_of

MAX_HOPS = 100
"""References that are followed one after the other in a payload."""

HINTS = {
    "object": {
        "properties", "patternProperties", "additionalProperties", "propertyNames", "required",
        "minProperties", "maxProperties", "dependentRequired", "dependentSchemas",
        "unevaluatedProperties",
    },
    "array": {
        "items", "prefixItems", "contains", "unevaluatedItems", "minItems", "maxItems",
        "uniqueItems",
    },
    "string": {"pattern", "format", "minLength", "maxLength"},
    "number": {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"},
}  # fmt: skip
"""Keywords, by the type of the values that they apply to."""


def types_of(schema: dict[str, Any]) -> list[str]:
    """The types that a schema allows; empty if it does not restrict them."""
    types = schema.get("type", [])
    return [types] if isinstance(types, str) else list(types)


def allows_type(schema: dict[str, Any], value: Any) -> bool:
    """Whether the ``type`` of a schema allows a value.

    >>> allows_type({"type": ["number", "null"]}, 1), allows_type({"type": "integer"}, 1.5)
    (True, False)
    """
    types, kind = types_of(schema), narrowest_type(value)
    return not types or kind in types or (kind == "integer" and "number" in types)


def followed(
    root: dict[str, Any], schema: dict[str, Any], tokens: Tokens = ()
) -> tuple[dict[str, Any], Tokens]:
    """Where the reference of a payload's subschema leads, and the tokens that lead there."""
    hops = 0
    while "$ref" in schema and hops < MAX_HOPS:
        hops += 1
        name = name_of(schema["$ref"])
        schema, tokens = (root, ()) if name == "#" else (root["$defs"][name], ("$defs", name))
    return schema, tokens


def takes_null(reading: Reading, schema: Any, above: frozenset[int] = frozenset()) -> bool:
    """Whether null satisfies *schema*."""
    if not isinstance(schema, dict):
        return bool(schema)
    if id(schema) in above:
        return True  # a reference loop does not add a restriction

    def takes(below: Any) -> bool:
        return takes_null(reading, below, above | {id(schema)})

    if (
        not allows_type(schema, None)
        or None not in schema.get("enum", [None])
        or schema.get("const") is not None
    ):
        return False
    if "$ref" in schema and not takes(reading.target(schema["$ref"])):
        return False
    if not all(map(takes, schema.get("allOf", ()))):
        return False
    if "anyOf" in schema and not any(map(takes, schema["anyOf"])):
        return False
    if "oneOf" in schema and sum(map(takes, schema["oneOf"])) != 1:
        return False
    if "not" in schema and takes(schema["not"]):
        return False
    return "if" not in schema or takes(schema.get("then" if takes(schema["if"]) else "else", True))
