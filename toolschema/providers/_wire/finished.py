"""The calls of a finished answer, and which of them were cut off."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from toolschema import Limits, StreamSequenceError, ToolCall
from toolschema._json.text import decode
from toolschema.providers._wire.parts import Ids

_LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Found:
    """A call as the answer has it."""

    id: str
    """Empty where the provider gave none."""
    name: str
    arguments: Any
    """Text, an object, or None where there are none."""
    raw: Any


def whole_calls(found: list[Found], *, is_complete: bool) -> list[ToolCall]:
    """The calls, if none of them is cut off.

    A text that is one JSON object is whole whatever the reason why the answer
    ended. Another text, or none, was cut off unless the answer is complete. An
    object was made by a decoder that may have closed what was open: in an
    answer that is not complete, the last call is not to be trusted.

    Raises:
        StreamSequenceError: A call is, or may be, cut off (``truncated``).
    """
    if not is_complete:
        for index, each in enumerate(found):
            given = each.arguments
            is_last_object = isinstance(given, dict) and index == len(found) - 1
            if is_last_object or not (isinstance(given, dict) or is_object(given)):
                raise StreamSequenceError(
                    "truncated", index, "the answer was cut off, and a call may be cut off with it"
                )
    ids = Ids(each.id for each in found)
    return [
        ToolCall(
            ids.of(each.id, index),
            each.name,
            {} if _is_empty(each.arguments) else each.arguments,
            each.raw,
        )
        for index, each in enumerate(found)
    ]


def is_object(text: str | None) -> bool:
    """Whether a text is one strict JSON object."""
    if text is None or not text.rstrip(" \t\n\r").endswith("}"):
        return False
    value, finding = decode(text, _LIMITS)
    return finding is None and type(value) is dict


def _is_empty(arguments: Any) -> bool:
    return arguments is None or (isinstance(arguments, str) and not arguments.strip(" \t\n\r"))
