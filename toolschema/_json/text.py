"""JSON text (RFC 8259) to a JSON value, and what is wrong with the text.

`jiter` decodes: it alone of the fast decoders keeps integers exact and can
refuse duplicate names, which in a long text is cheaper to tell by counting. It
is asked only for a verdict; where it refuses, the place and the kind of the
fault are looked for here, and no text of the document or of its messages is
passed on.
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

_TEXTS = (str, bytes, bytearray, memoryview)

NOT_JSON = "arguments must be valid JSON"
_WHITE = " \t\n\r"
# An unterminated text runs to the end, or each of its quotes would be tried.
_STRING = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?\Z)', re.DOTALL)
# Whole escapes (RFC 8259 §7), surrogates only in pairs; else one that is none.
_ESCAPE = re.compile(
    r'\\(?:["\\/bfnrt]|u(?:[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}'
    r"|(?![dD][89a-fA-F])[0-9a-fA-F]{4}))|(?P<bad>\\)"
)
_LITERAL = re.compile(r"NaN|-?Infinity")


class Fault(NamedTuple):
    """Why a text is no JSON document, and where, counted from 1."""

    kind: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.kind} at line {self.line} column {self.column}"


DUPLICATES_BY_DECODER = 256
"""Bytes up to which the decoder is best asked for duplicate names, too."""

from_json = jiter.from_json
"""For a text that is short and good: a `ValueError` says no more than that
`decode` has to be asked."""


def decoded(data: bytes, *, allow_inf_nan: bool = True) -> Any:
    """Decode a text in which all names are unique.

    Without a backslash in it, every colon that is not in a text ends a name, and
    the names of a duplicate are lost: with as many colons in what is written
    again, none was. That costs less than to look at each name.

    Raises:
        ValueError: It is no such text.
    """
    if len(data) > DUPLICATES_BY_DECODER and b"\\" not in data:
        value = from_json(data, allow_inf_nan=allow_inf_nan)
        with suppress(TypeError):  # it holds a large integer
            if orjson.dumps(value).count(b":") == data.count(b":"):
                return value
    return from_json(data, catch_duplicate_keys=True, allow_inf_nan=allow_inf_nan)


def decode(
    text: JSONText, limits: Limits, duplicate_keys: DuplicateKeys = "refuse"
) -> tuple[Any, Finding | None]:
    """Decode one document; answer ``(value, None)`` or ``(None, finding)``.

    The value is plain and unshared. Neither its depth up to
    `toolschema._json.limits.DEEPEST` nor whether its numbers are finite has been
    looked at.
    """
    if size_of(text) > limits.max_bytes:
        return None, _too_long(limits)
    try:
        data = text.encode() if isinstance(text, str) else bytes(text)
    except UnicodeEncodeError as error:
        return None, _syntax(Fault("invalid UTF-8", *_place(str(text), error.start)))
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
    """Whether a value is exactly one of the kinds of text, asking nothing of its own."""
    kind = type(value)
    return any(kind is each for each in _TEXTS)  # `in` would ask the kind itself


def size_of(text: JSONText) -> int:
    """Bytes, or characters of a `str`: no fewer than any text inside has."""
    return text.nbytes if isinstance(text, memoryview) else len(text)


def _too_long(limits: Limits) -> Finding:
    return limit(f"must not be longer than {limits.max_bytes} bytes")


def limit(message: str) -> Finding:
    """What to say of arguments that exceed a bound as a whole."""
    return Finding(f"arguments {message}", "@limit")


def _nodes(data: bytes, most: int) -> int:
    """No fewer values than *data* holds: all but the first follow a mark.

    Marks inside texts are left out only where it matters.
    """
    bound = data.count(b",") + data.count(b"[") + data.count(b"{") + 1
    if bound > most:
        bare = _STRING.sub(b"", data)
        bound = bare.count(b",") + bare.count(b"[") + bare.count(b"{") + 1
    return bound


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
        return Fault("invalid UTF-8", *_place(before, len(before)))
    if not text.strip(_WHITE):
        return Fault("empty", *_place(text, 0))
    offset, message = _first_error(data)
    if offset is None:
        return None
    if "escape" in message or "surrogate" in message:
        # Versions differ in where they stop: at the mark, or somewhere in it.
        offset = next((each.start() for each in _ESCAPE.finditer(text) if each["bad"]), offset)
    return Fault(_kind(text, offset, message), *_place(text, offset))


def _first_error(data: bytes) -> tuple[int | None, str]:
    """Where `orjson` stops. Its exception holds the whole text and ends here."""
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
    if rest[0] < " " and rest[0] not in _WHITE:
        return "control character"
    if rest[0] == "\\":
        return "bad escape"
    if rest[0] in _WHITE and "control" in message:
        return "control character"
    if _is_document(text[:offset]):
        return "trailing data"
    return "not JSON"


def _is_document(text: str) -> bool:
    return bool(text.strip(_WHITE)) and _first_error(text.encode())[0] is None


def _place(text: str, offset: int) -> tuple[int, int]:
    start = text.rfind("\n", 0, offset) + 1
    return text.count("\n", 0, offset) + 1, offset - start + 1


def _is_too_deep(data: bytes) -> bool:
    """Whether a document is deeper than any that is accepted.

    A duplicate name may have been seen before the depth; and what looks for it
    by name has no limit of its own.
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
    found: list[str] = []

    def watch(pairs: list[tuple[str, Any]]) -> None:
        if len({name for name, _ in pairs}) == len(pairs):
            return
        seen: set[str] = set()
        for name, _ in pairs:
            if name in seen:
                found.append(name)
                raise _DuplicateNameError
            seen.add(name)

    with suppress(_DuplicateNameError, ValueError, RecursionError):
        json.loads(data, object_pairs_hook=watch, parse_int=len, parse_float=len)
    return found[0] if found else None
