"""What a schema requires, in a few words: types, values, names."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from toolschema._json.kinds import NOUNS, with_article
from toolschema._json.printable import one_line
from toolschema._schema.examples import FORMATS

_MOST_LISTED = 20
_LONGEST_VALUE = 60
_TYPES = NOUNS | {"boolean": "true or false"}


def summary(schemas: Sequence[dict[str, Any]]) -> str | None:
    """What *schemas* together require of a value; None if it cannot be said briefly."""
    for schema in schemas:
        if "const" in schema:
            return _literal(schema["const"])
        if schema.get("enum"):
            return f"one of {listed(schema['enum'])}"
    merged = {key: value for schema in reversed(schemas) for key, value in schema.items()}
    types = merged.get("type", "object" if "properties" in merged else [])
    names = [types] if isinstance(types, str) else types
    return any_of(type_summary(name, merged) for name in names) or None


def type_summary(name: str, schema: Mapping[str, Any]) -> str:
    """Such as ``an array of strings``."""
    if name == "string" and "format" in schema:
        return format_summary(schema["format"])
    if name == "object":
        return f"an object{_with_tag_or_names(schema)}"
    if name == "array" and isinstance(schema.get("items"), dict):
        item = schema["items"].get("type")
        if isinstance(item, str) and item != "null":
            return f"an array of {item}s"
    return _TYPES.get(name, name)


def format_summary(name: str) -> str:
    """Such as ``a date such as "2031-05-02"``."""
    example = f" such as {quoted(FORMATS[name])}" if name in FORMATS else ""
    return with_article(name) + example


def _with_tag_or_names(schema: Mapping[str, Any]) -> str:
    for name, below in schema.get("properties", {}).items():
        if isinstance(below, dict) and isinstance(below.get("const"), str):
            return f" with {quoted(name)}: {_literal(below['const'])}"
    required = schema.get("required")
    return f" with {listed(required)}" if required else ""


def allowed_values(schema: Mapping[str, Any]) -> Sequence[Any]:
    """The values that ``const`` or ``enum`` allows; none if the schema has neither."""
    return [schema["const"]] if "const" in schema else schema.get("enum", ())


def any_of(names: Iterable[str]) -> str:
    *others, last = list(dict.fromkeys(names)) or [""]
    return f"{', '.join(others)} or {last}" if others else last


def listed(values: Sequence[Any]) -> str:
    shown = ", ".join(map(_literal, values[:_MOST_LISTED]))
    more = len(values) - _MOST_LISTED
    return f"{shown} and {more} more" if more > 0 else shown


def quoted(name: object) -> str:
    return _literal(str(name))


def _literal(value: Any) -> str:
    return shortened_json(value, _LONGEST_VALUE) or "a very long number"


def shortened_json(value: Any, most: int) -> str | None:
    """*value* as JSON on one line, cut at *most* characters; None if it cannot be written."""
    text = json_line(value[: most + 1] if isinstance(value, str) else value)
    return text if text is None or len(text) <= most else f"{text[: most - 3]}..."


def json_line(value: Any) -> str | None:
    """*value* as JSON on one line; None if it cannot be written."""
    try:
        return one_line(json.dumps(value, ensure_ascii=False))
    except Exception:  # noqa: BLE001 - objects inside may run methods of their own
        return None
