"""Decodes JSON text (RFC 8259) and says why a text is not valid JSON.

`jiter` decodes, because it keeps integers exact and can refuse duplicate names;
in a long text, counting colons finds these faster. If it refuses a text, the
kind and the position of the fault are found here, and nothing of the text or of
the decoder's message is passed on.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from typing import Any, Literal, NamedTuple, TypeGuard

import jiter
import orjson

from toolschema._json.findings import Finding
from toolschema._json.limits import Limits

JSONText = str | bytes | bytearray | memoryview
DuplicateKeys = Literal["refuse", "last"]

NOT_JSON = "arguments must be valid JSON"
_WHITE = " \t\n\r"
# An unterminated string runs to the end, or the search would restart at each quote.
_STRING = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?\Z)', re.DOTALL)
# Valid escapes (RFC 8259 §7), surrogates only in pairs; or a bad one.
_ESCAPE = re.compile(
    r'\\(?:["\\/bfnrt]|u(?:[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}'
    r"|(?![dD][89a-fA-F])[0-9a-fA-F]{4}))|(?P<bad>\\)"
)
_LITERAL = re.compile(r"NaN|-?Infinity")


class Fault(NamedTuple):
    """Why a text is not a JSON document; line and column are counted from 1."""

    kind: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.kind} at line {self.line} column {self.column}"


DUPLICATES_BY_DECODER = 256
"""Up to this many bytes, jiter's own check for duplicates beats counting colons."""

from_json = jiter.from_json
"""Raises a `ValueError` for a bad text; `decode` tells what is wrong with it."""


def decoded(data: bytes, *, allow_inf_nan: bool = True) -> Any:
    """Decode a text in which no object has a name twice.

    Decoding keeps one of two properties with the same name. So if the value, written
    again, has as many colons as the text, no name was lost. Escapes could hide colons.

    Raises:
        ValueError: It is not JSON, or an object has a name twice.
    """
    if len(data) > DUPLICATES_BY_DECODER and b"\\" not in data:
        value = from_json(data, allow_inf_nan=allow_inf_nan)
        with suppress(TypeError):  # orjson cannot write a large integer
            if orjson.dumps(value).count(b":") == data.count(b":"):
                return value
    return from_json(data, catch_duplicate_keys=True, allow_inf_nan=allow_inf_nan)


def decode(
    text: JSONText, limits: Limits, duplicate_keys: DuplicateKeys = "refuse"
) -> tuple[Any, Finding | None]:
    """Decode one document; answer ``(value, None)`` or ``(None, finding)``.

    The value is plain and unshared. It may be nested up to
    `toolschema._json.limits.DEEPEST` levels, and its numbers may be infinite.
    """
    if size_of(text) > limits.max_bytes:
        return None, _too_long(limits)
    try:
        data = text.encode() if isinstance(text, str) else bytes(text)
    except UnicodeEncodeError as error:
        return None, _syntax(Fault("invalid UTF-8", *_position(str(text), error.start)))
    if len(data) > limits.max_bytes:
        return None, _too_long(limits)
    if len(data) > limits.max_nodes and _nodes(data, limits.max_nodes) > limits.max_nodes:
        return None, limit(f"must not hold more than {limits.max_nodes} values")
    try:
        decoder = decoded if duplicate_keys == "refuse" else from_json
        return decoder(data, allow_inf_nan=False), None
    except ValueError as error:
        refused = str(error)
    return None, _finding_of(data, refused, limits)


def is_json_text(value: object) -> TypeGuard[JSONText]:
    """Whether a value is JSON text to be decoded; a subclass is not."""
    kind = type(value)
    # `in` could call `==` of a metaclass.
    return kind is str or kind is bytes or kind is bytearray or kind is memoryview


def size_of(text: JSONText) -> int:
    """Bytes, or characters of a `str`: at least as many as in any string inside."""
    return text.nbytes if isinstance(text, memoryview) else len(text)


def _too_long(limits: Limits) -> Finding:
    return limit(f"must not be longer than {limits.max_bytes} bytes")


def limit(message: str) -> Finding:
    """The finding for arguments that exceed a limit as a whole."""
    return Finding(f"arguments {message}", "@limit")


def _nodes(data: bytes, most: int) -> int:
    """An upper bound of the values in *data*: each but the first follows a mark.

    Marks inside strings are only excluded if they would exceed *most*.
    """
    bound = _marks(data) + 1
    return bound if bound <= most else _marks(_STRING.sub(b"", data)) + 1


def _marks(data: bytes) -> int:
    return data.count(b",") + data.count(b"[") + data.count(b"{")


def _finding_of(data: bytes, refused: str, limits: Limits) -> Finding:
    if refused.startswith("recursion limit"):
        return limit(f"must not be nested deeper than {limits.max_depth} levels")
    fault = _fault(data)
    if fault is not None:
        return _syntax(fault)
    if _is_too_deep(data):
        return limit(f"must not be nested deeper than {limits.max_depth} levels")
    name = _duplicate(data)
    if name is not None:
        return Finding("arguments must not have duplicate properties", "@duplicate", name=name)
    return Finding(NOT_JSON, "@json")


def _syntax(fault: Fault) -> Finding:
    return Finding(f"{NOT_JSON} ({fault})", "@json")


def _fault(data: bytes) -> Fault | None:
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        before = data[: error.start].decode()
        return Fault("invalid UTF-8", *_position(before, len(before)))
    if not text.strip(_WHITE):
        return Fault("empty", *_position(text, 0))
    offset, message = _first_error(data)
    if offset is None:
        return None
    if "escape" in message or "surrogate" in message:
        # Versions of orjson differ in where they stop: at the backslash or after it.
        bad = (match.start() for match in _ESCAPE.finditer(text) if match["bad"])
        offset = next(bad, offset)
    return Fault(_kind(text, offset, message), *_position(text, offset))


def _first_error(data: bytes) -> tuple[int | None, str]:
    """Where `orjson` stops; its exception holds the whole text and is dropped here."""
    try:
        orjson.loads(data)
    except orjson.JSONDecodeError as error:
        return error.pos, error.msg
    return None, ""


def _kind(text: str, offset: int, message: str) -> str:
    rest = text[offset : offset + 9]
    if text.lstrip(_WHITE).startswith("```"):
        return "code fence"
    if text.startswith("\ufeff"):
        return "byte order mark"
    if not text[offset:].strip(_WHITE):
        return "truncated"
    if _LITERAL.match(rest):
        return "NaN or Infinity"
    if "infinity" in message:
        return "number out of range"
    if rest[0] <= " " and (rest[0] not in _WHITE or "control" in message):
        return "control character"
    if rest[0] == "\\":
        return "bad escape"
    if _is_document(text[:offset]):
        return "trailing data"
    return "not JSON"


def _is_document(text: str) -> bool:
    return bool(text.strip(_WHITE)) and _first_error(text.encode())[0] is None


def _position(text: str, offset: int) -> tuple[int, int]:
    start = text.rfind("\n", 0, offset) + 1
    return text.count("\n", 0, offset) + 1, offset - start + 1


def _is_too_deep(data: bytes) -> bool:
    """Whether a valid document is nested deeper than any that is accepted.

    The decoder may have stopped at a duplicate name before it came so deep.
    """
    try:
        from_json(data)
    except ValueError as error:
        return str(error).startswith("recursion limit")
    return False


class _DuplicateNameError(Exception):
    pass


def _duplicate(data: bytes) -> str | None:
    """The first name that an object of a valid document has twice."""

    def watch(pairs: list[tuple[str, Any]]) -> None:
        seen: set[str] = set()
        for name, _ in pairs:
            if name in seen:
                raise _DuplicateNameError(name)
            seen.add(name)

    try:
        json.loads(data, object_pairs_hook=watch, parse_int=len, parse_float=len)
    except _DuplicateNameError as error:
        return str(error)
    except (ValueError, RecursionError):
        pass
    return None
