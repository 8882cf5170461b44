"""The types of JSON values and of schemas."""

from __future__ import annotations

from typing import Any

from toolschema.providers._export.reading import Reading

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


def takes_null(reading: Reading, schema: Any, above: frozenset[int] = frozenset()) -> bool:
    """Whether null satisfies *schema*."""
    if not isinstance(schema, dict):
        return bool(schema)
    if id(schema) in above:
        return True  # a reference loop does not add a restriction

    def takes(below: Any) -> bool:
        return takes_null(reading, below, above | {id(schema)})

    if ("type" in schema and "null" not in types_of(schema)) or (
        ("enum" in schema and None not in schema["enum"])
        or ("const" in schema and schema["const"] is not None)
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
