"""What a schema asks for in a few words: types, values, names."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from toolschema._calls.feedback.example import FORMATS
from toolschema._validation.messages import with_article

_MOST_NAMES = 20
_LONGEST_VALUE = 60
TYPES = {
    "string": "a string",
    "integer": "an integer",
    "number": "a number",
    "boolean": "true or false",
    "array": "an array",
    "object": "an object",
    "null": "null",
}


def shape(schemas: Sequence[dict[str, Any]]) -> str | None:
    """What a schema asks for in a few words: a type, its values, its names."""
    for schema in schemas:
        if "const" in schema:
            return literal(schema["const"])
        if schema.get("enum"):
            return f"one of {listed(schema['enum'])}"
    merged = {key: value for schema in reversed(schemas) for key, value in schema.items()}
    types = merged.get("type")
    if types is None and isinstance(merged.get("properties"), dict):
        types = "object"
    if types is None:
        return None
    names = [types] if isinstance(types, str) else list(types)
    return either(_of_type(name, merged) for name in names)


def _of_type(name: str, schema: dict[str, Any]) -> str:
    said = TYPES.get(name, name)
    if name == "string" and isinstance(schema.get("format"), str):
        known = FORMATS.get(schema["format"])
        return with_article(schema["format"]) + (f" such as {quoted(known)}" if known else "")
    if name == "object":
        return said + _tag_or_names(schema)
    if name == "array" and isinstance(schema.get("items"), dict):
        item = schema["items"].get("type")
        return f"an array of {item}s" if isinstance(item, str) and item != "null" else said
    return said


def _tag_or_names(schema: dict[str, Any]) -> str:
    properties = schema.get("properties")
    if not isinstance(properties, dict):
        return ""
    for name, below in properties.items():
        if isinstance(below, dict) and isinstance(below.get("const"), str):
            return f" with {quoted(name)}: {literal(below['const'])}"
    required = [each for each in schema.get("required", ()) if is_text(each)]
    return f" with {listed(required)}" if required else ""


def either(names: Iterable[str]) -> str:
    each = list(dict.fromkeys(names))
    if len(each) < 2:
        return "".join(each)
    return f"{', '.join(each[:-1])} or {each[-1]}"


def listed(values: Sequence[Any]) -> str:
    shown = ", ".join(literal(each) for each in values[:_MOST_NAMES])
    more = len(values) - _MOST_NAMES
    return f"{shown} and {more} more" if more > 0 else shown


def literal(value: Any) -> str:
    if isinstance(value, str):
        value = value[: _LONGEST_VALUE + 1]
    try:
        text = json.dumps(value, ensure_ascii=False)
    except ValueError:
        return "a number of very many digits"
    return text if len(text) <= _LONGEST_VALUE else f"{text[: _LONGEST_VALUE - 3]}..."


def quoted(name: object) -> str:
    return literal(str(name))


def is_text(value: object) -> bool:
    return isinstance(value, str)
