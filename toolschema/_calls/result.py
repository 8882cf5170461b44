"""Calls as they came from a model, and the results that go back."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import orjson

from toolschema._calls.semantic import Rejected
from toolschema._json.printable import one_line, quoted, undeclared
from toolschema._validation.toolset import ToolSet
from toolschema.errors import Issue, UnknownToolError

_LOG = logging.getLogger("toolschema")
_MOST_LISTED = 10

BROKEN = (
    "The tool failed, and the arguments are not the cause: changing them will not help."
    " Continue without this tool, or tell the user."
)
TIMED_OUT = (
    "The tool took too long and was stopped; part of its work may have been done."
    " Find out what was done, then ask for less or try once more."
)
NOT_WRITTEN = (
    "The tool did its work, but its answer could not be written as text."
    " Do not repeat the call; tell the user."
)


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call as the model sent it; nothing about it has been checked.

    Args:
        id: Identifies the call, so that the result can be matched to it. Never
            inspected.
        name: The name of a tool, or whatever else the model sent.
        arguments: JSON text, or the decoded value.
        raw: The provider's own part of the message, for code that needs it.

    >>> ToolCall("call_1", "read", '{"path": "README.md"}')
    ToolCall(id='call_1', name='read')
    """

    id: Any
    name: Any
    arguments: Any = field(repr=False)
    raw: Any = field(default=None, repr=False)

    def __repr__(self) -> str:
        return f"ToolCall(id={quoted(self.id)}, name={quoted(self.name)})"


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The outcome of a call. Only *content* and *is_error* are for the model.

    >>> ToolResult("call_1", "read", "1 line").is_error
    False
    """

    call_id: Any
    name: Any
    content: str = field(repr=False)
    """The text for the model."""
    is_error: bool = False
    retryable: bool = False
    """Whether another call may succeed after an error. The model is not told."""
    value: Any = field(default=None, repr=False)
    """What the tool returned, before it became text."""
    issues: tuple[Issue, ...] = ()
    """Why the arguments do not satisfy the schema."""
    exception: Exception | None = None
    """A fault on the developer's side: what the tool's own functions raised or did
    wrong; or what the guard's store raised, in which case the call went on without it."""
    rejection: Rejected | None = field(default=None, repr=False)
    """What the semantic check returned, if it rejected the call."""

    def __repr__(self) -> str:
        kind = None if self.exception is None else f"<{type(self.exception).__name__}>"
        return (
            f"ToolResult(call_id={quoted(self.call_id)}, name={quoted(self.name)},"
            f" is_error={self.is_error}, retryable={self.retryable}, issues={self.issues},"
            f" exception={kind})"
        )

    @property
    def rejected(self) -> bool:
        """Whether the call was rejected and no other call can succeed either."""
        return self.rejection is not None and not self.rejection.retryable


def answered(call: ToolCall, value: Any) -> ToolResult:
    """The tool has done its work and returned *value*."""
    try:
        content = str.__str__(value) if isinstance(value, str) else _written(value)
        content.encode()  # fails on a lone surrogate
    except Exception as error:  # noqa: BLE001 - writing runs methods of the value
        log("the answer", call.name, error)
        return failed(call, NOT_WRITTEN, value=value, exception=error)
    return ToolResult(call.id, call.name, content, value=value)


def unknown(call: ToolCall, tools: ToolSet) -> ToolResult:
    """No tool has this name."""
    if type(call.name) is str:
        sentence = f'There is no tool named "{undeclared(call.name)}".'
    else:
        sentence = "The tool name must be a string."
    near = _near(call, tools)
    if near:
        advice = f"Did you mean {_names(near, ' or ')}? Send the call again with that name."
    elif tools:
        more = f" and {len(tools) - _MOST_LISTED} more" if len(tools) > _MOST_LISTED else ""
        advice = f"The tools are {_names(list(tools)[:_MOST_LISTED], ', ')}{more}."
    else:
        advice = "No tools are available."
    return failed(call, f"{sentence} {advice}", retryable=True)


def _near(call: ToolCall, tools: ToolSet) -> tuple[str, ...]:
    try:
        tools[call.name if type(call.name) is str else ""]
    except UnknownToolError as error:
        return error.near
    return ()


def failed(call: ToolCall, text: str, **facts: Any) -> ToolResult:
    """The call has failed, and *text* tells the model what to do."""
    return ToolResult(call.id, call.name, text, is_error=True, **facts)


def log(what: str, name: object, error: Exception, *, is_known: bool = True) -> None:
    """Name the kind of the exception only: its message may hold arguments."""
    shown = ""
    if type(name) is str:
        shown = one_line(name) if is_known else undeclared(name)
    _LOG.error('%s of tool "%s" failed with %s', what, shown, type(error).__name__)


def _written(value: Any) -> str:
    try:
        return orjson.dumps(value, option=orjson.OPT_NON_STR_KEYS).decode()
    except TypeError as error:
        try:
            # Only this one writes integers of more than 64 bits.
            return json.dumps(value, allow_nan=False)
        except (TypeError, ValueError, RecursionError):
            raise error from None


def _names(names: Iterable[str], separator: str) -> str:
    return separator.join(f'"{one_line(name)}"' for name in names)
