"""What a model sent, inspected only to name the kind of value."""

from __future__ import annotations

from math import isfinite
from typing import Any

from toolschema._json.text import from_json, is_json_text

MISSING = object()
"""There is no such value, or it is not known."""

_LONGEST_NUMBER = 40


def received(arguments: object) -> Any:
    """The value of *arguments*, which may be JSON text; `MISSING` if that is invalid."""
    if is_json_text(arguments):
        try:
            data = arguments.encode() if isinstance(arguments, str) else bytes(arguments)
            return from_json(data)
        except ValueError:
            return MISSING
    return MISSING if arguments is None else arguments


def is_number(text: str, *, is_whole: bool = False) -> bool:
    """Whether a string is one JSON number; with *is_whole*, one without a fraction."""
    try:
        value = from_json(text.encode()) if 0 < len(text) <= _LONGEST_NUMBER else None
    except ValueError:
        return False
    if type(value) is float:
        return isfinite(value) and (value.is_integer() or not is_whole)
    return type(value) is int


def is_json_of(text: str, kind: str) -> bool:
    """Whether a string looks like a JSON object or array."""
    return text.strip()[:: max(len(text.strip()) - 1, 1)] == ("{}" if kind == "object" else "[]")
