"""The sentence for every keyword, made from the schema's own value.

The English is TypeBox's, so that a TypeScript service that reads the same file
prints the same line. No sentence is made from the instance.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from toolschema._json.numbers import number

ADDITIONAL_PROPERTY = "must not have additional properties"
UNEVALUATED_PROPERTY = "must not have unevaluated properties"
UNEVALUATED_ITEM = "must not have unevaluated items"
FALSE = "schema is false"
NOT_ALLOWED_VALUE = "must be equal to one of the allowed values"
PROPERTY_NAME = "property name "
UNSATISFIED = "arguments do not satisfy the tool schema"


def sentence(keyword: str, value: Any) -> str:
    """What must hold where *keyword* with this *value* failed.

    >>> sentence("type", ["string", "null"])
    'must be either string or null'
    """
    return _SENTENCES[keyword](value)


def missing_property(name: str) -> str:
    return f"must have required properties {name}"


def missing_dependency(name: str, present: str) -> str:
    return f"must have properties {name} when property {present} is present"


def contains(bound: str, count: Any) -> str:
    """The sentence of minContains or maxContains; *bound* is "least" or "most"."""
    return f"must contain at {bound} {number(count)} valid item{'' if count == 1 else 's'}"


def text_limit(most: int) -> str:
    return f"must not have more than {most} characters for this pattern"


def _type(value: Any) -> str:
    if isinstance(value, list):
        return f"must be either {' or '.join(map(str, value))}"
    return f"must be {value}"


def _counted(bound: str, noun: str) -> Callable[[Any], str]:
    return lambda value: f"must not have {bound} than {number(value)} {noun}"


def _compared(sign: str) -> Callable[[Any], str]:
    return lambda value: f"must be {sign} {number(value)}"


_SENTENCES: dict[str, Callable[[Any], str]] = {
    "type": _type,
    "enum": lambda value: NOT_ALLOWED_VALUE,
    "const": lambda value: "must be equal to constant",
    "minLength": _counted("fewer", "characters"),
    "maxLength": _counted("more", "characters"),
    "minItems": _counted("fewer", "items"),
    "maxItems": _counted("more", "items"),
    "minProperties": _counted("fewer", "properties"),
    "maxProperties": _counted("more", "properties"),
    "minimum": _compared(">="),
    "maximum": _compared("<="),
    "exclusiveMinimum": _compared(">"),
    "exclusiveMaximum": _compared("<"),
    "multipleOf": lambda value: f"must be multiple of {number(value)}",
    "pattern": lambda value: f'must match pattern "{value}"',
    "format": lambda value: f'must match format "{value}"',
    "uniqueItems": lambda value: "must not have duplicate items",
    "not": lambda value: "must not be valid",
    "anyOf": lambda value: "must match a schema in anyOf",
    "oneOf": lambda value: "must match exactly one schema in oneOf",
    "contentEncoding": lambda value: f'must be encoded as "{value}"',
    "contentMediaType": lambda value: f'must hold a document of type "{value}"',
}
