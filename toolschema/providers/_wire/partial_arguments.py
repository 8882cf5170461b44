"""Gemini's ``partialArgs``: arguments that arrive as patches, one JSONPath and value each.

Vertex AI sends them with ``streamFunctionCallArguments``; a string may continue in
the next patch.
"""

from __future__ import annotations

import json
import re
from itertools import pairwise
from typing import Any

from toolschema import Limits, ProviderFormatError
from toolschema.providers._wire.fields import Format, either, field

Path = tuple[str | int, ...]

_FORMAT = Format("gemini")
_SEGMENT = re.compile(
    r"""\.(?P<name>[^.\[\]'"]+)|\[(?P<index>[0-9]{1,9})\]"""
    r"""|\[(?P<double>"(?:[^"\\]|\\.)*")\]|\['(?P<single>(?:[^'\\]|\\.)*)'\]""",
    re.DOTALL,
)
_MAX_DEPTH = Limits().max_depth


class PartialArguments:
    """One object, put together from its patches."""

    def __init__(self) -> None:
        self._root: dict[str, Any] = {}
        self._text: list[str] = []
        self._unfinished: Path | None = None  # the path of the string that continues

    def apply(self, patch: Any, location: str) -> None:
        """Set one more value.

        Raises:
            ProviderFormatError: The patch is malformed, or its path is taken.
        """
        path = _path(either(patch, "jsonPath", "json_path"), f"{location}.jsonPath")
        piece = either(patch, "stringValue", "string_value")
        if self._unfinished is not None and path != self._unfinished:
            self._finish_string(location)
        if piece is None:
            self._set(path, _scalar(patch, location), location)
            return
        if not isinstance(piece, str):
            raise _FORMAT.mismatch(f"{location}.stringValue", "a string", piece)
        self._unfinished = path
        self._text.append(piece)
        if either(patch, "willContinue", "will_continue") is not True:
            self._finish_string(location)

    def result(self) -> dict[str, Any]:
        """The whole object."""
        if self._unfinished is not None:
            self._finish_string("partialArgs")
        return self._root

    def _finish_string(self, location: str) -> None:
        path, value = self._unfinished or (), "".join(self._text)
        self._unfinished, self._text = None, []
        self._set(path, value, location)

    def _set(self, path: Path, value: Any, location: str) -> None:
        parent: Any = self._root
        for token, following in pairwise(path):
            empty: Any = {} if isinstance(following, str) else []
            parent = empty if _add(parent, token, empty) else _existing(parent, token)
            if type(parent) is not type(empty):
                raise _taken(location)
        if not _add(parent, path[-1], value):
            raise _taken(location)


def _add(parent: Any, token: str | int, value: Any) -> bool:
    """Add the next item or a new property; whether that was possible."""
    if isinstance(parent, list) and token == len(parent):
        parent.append(value)
        return True
    if isinstance(parent, dict) and isinstance(token, str) and token not in parent:
        parent[token] = value
        return True
    return False


def _existing(parent: Any, token: str | int) -> Any:
    if isinstance(parent, dict):
        return parent.get(token)
    return parent[token] if isinstance(token, int) and token < len(parent) else None


def _taken(location: str) -> ProviderFormatError:
    message = "must lead to a new property or to the end of an array"
    return _FORMAT.error(f"{location}.jsonPath", message)


def _path(text: Any, location: str) -> Path:
    """The names and indexes of a JSONPath (RFC 9535, singular queries)."""
    if not isinstance(text, str):
        raise _FORMAT.mismatch(location, "a string", text)
    path: list[str | int] = []
    end = 1
    while (match := _SEGMENT.match(text, end)) is not None and len(path) <= _MAX_DEPTH:
        end = match.end()
        path.append(_token(match, location))
    if not (text.startswith("$") and end == len(text) and path):
        raise _FORMAT.error(location, "must be a JSONPath of names and indexes")
    return tuple(path)


def _token(match: re.Match[str], location: str) -> str | int:
    if match["index"] is not None:
        return int(match["index"])
    if match["name"] is not None:
        return match["name"]
    quoted = match["double"]
    if quoted is None:
        inner = match["single"].replace("\\'", "'").replace('"', '\\"')
        quoted = f'"{inner}"'
    try:
        name: str = json.loads(quoted, strict=False)
    except ValueError:
        raise _FORMAT.error(location, "has an invalid escape in a name") from None
    return name


def _scalar(patch: Any, location: str) -> Any:
    for name, other in (("numberValue", "number_value"), ("boolValue", "bool_value")):
        value = either(patch, name, other)
        if isinstance(value, (int, float)):
            return value
        if value is not None:
            raise _FORMAT.mismatch(f"{location}.{name}", "a number or a boolean", value)
    if field(patch, "nullValue") is None and field(patch, "null_value") is None:
        # In JSON the value of this field is null itself.
        has_null = isinstance(patch, dict) and bool({"nullValue", "null_value"} & patch.keys())
        if not has_null:
            raise _FORMAT.error(location, "must have a value")
    return None
