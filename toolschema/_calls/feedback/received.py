"""What a model sent, looked at only to say what kind of value it is."""

from __future__ import annotations

import json
from math import isfinite
from typing import Any

from toolschema._json.pointer import Token
from toolschema._json.printable import one_line
from toolschema._json.text import from_json, is_text

MISSING = object()
"""There is no such value, or nothing is known of it."""

_NOUNS = (
    (dict, "an object"),
    (list, "an array"),
    (str, "a string"),
    (bool, "a boolean"),
    (int, "an integer"),
    (float, "a number"),
    (type(None), "null"),
)
_LONGEST_ECHO = 80
_LONGEST_NUMBER = 40


def received(arguments: object) -> Any:
    """The value of *arguments*, which may be text; `MISSING` where it is none."""
    if is_text(arguments):
        try:
            data = arguments.encode() if isinstance(arguments, str) else bytes(arguments)
            return from_json(data)
        except ValueError:
            return MISSING
    return MISSING if arguments is None else arguments


def value_at(value: Any, tokens: tuple[Token, ...]) -> Any:
    """What is at a location; `MISSING` where nothing is."""
    for token in tokens:
        if type(value) is dict and type(token) is str:
            value = value.get(token, MISSING)
        elif type(value) is list and type(token) is int and token < len(value):
            value = value[token]
        else:
            return MISSING
    return value


def noun(value: Any) -> str | None:
    """Such as ``a string``: never more of a value than its type."""
    return next((each for kind, each in _NOUNS if type(value) is kind), None)


def echoed(value: Any) -> str | None:
    """A value as short JSON on one line, for those who ask for it."""
    if noun(value) is None:
        return None
    try:
        text = json.dumps(value, ensure_ascii=False)
    except Exception:  # noqa: BLE001 - what is inside may have methods of its own
        return None
    shown = one_line(text[: _LONGEST_ECHO + 1])
    return shown if len(shown) <= _LONGEST_ECHO else f"{shown[: _LONGEST_ECHO - 3]}..."


def is_number(text: str, *, is_whole: bool = False) -> bool:
    """Whether a text is a JSON number and nothing else; one without a fraction, if asked."""
    try:
        value = from_json(text.encode()) if 0 < len(text) <= _LONGEST_NUMBER else None
    except ValueError:
        return False
    if type(value) is float:
        return isfinite(value) and (value.is_integer() or not is_whole)
    return type(value) is int


def is_json_of(text: str, kind: type) -> bool:
    """Whether a text is an object or array, or was meant to be."""
    return text.strip()[:: max(len(text.strip()) - 1, 1)] == ("{}" if kind is dict else "[]")
