"""A call as it came from a model, and what goes back."""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass, field
from typing import Any

import orjson

from toolschema._calls.feedback.feedback import feedback
from toolschema._calls.semantic import Rejected
from toolschema._calls.tool import Tool
from toolschema._json.printable import one_line, quoted, undeclared
from toolschema._validation.toolset import ToolSet
from toolschema.errors import Issue, ToolArgumentsValidationError

_LOG = logging.getLogger("toolschema")
_LISTED = 10

BROKEN = (
    "The tool has failed, and not because of the arguments: sending others will not help."
    " Go on without it, or tell the user."
)
TIMED_OUT = (
    "The tool took too long and was stopped; it may have done a part of its work."
    " Find out what was done, then ask for less or try once more."
)
NOT_WRITTEN = (
    "The tool has done its work, but its answer could not be shown."
    " Do not call it again for the same; tell the user."
)


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call as the model sent it, so nothing about it is certain.

    Args:
        id: Of the call, to send the result back to. Never looked at.
        name: Of the tool. A model may send anything.
        arguments: JSON text, or what a decoder made of it.
        raw: The provider's own part of the message, for whoever needs it.

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
    """What became of a call. Only *content* and *is_error* are for the model.

    >>> ToolResult("call_1", "read", "1 line").is_error
    False
    """

    call_id: Any
    name: Any
    content: str = field(repr=False)
    """The text for the model."""
    is_error: bool = False
    retryable: bool = False
    """Whether another call may make an error right. The model is not told."""
    value: Any = field(default=None, repr=False)
    """What the tool answered, before it became text."""
    issues: tuple[Issue, ...] = ()
    """What was wrong with the shape of the arguments."""
    exception: Exception | None = None
    """What went wrong on the developer's side: what the tool's own functions
    raised or did wrong; or the guard's store, where the rest is as without a guard."""
    rejection: Rejected | None = field(default=None, repr=False)
    """What the semantic check answered, if it rejected the call."""

    def __repr__(self) -> str:
        kind = None if self.exception is None else f"<{type(self.exception).__name__}>"
        return (
            f"ToolResult(call_id={quoted(self.call_id)}, name={quoted(self.name)},"
            f" is_error={self.is_error}, retryable={self.retryable}, issues={self.issues},"
            f" exception={kind})"
        )

    @property
    def rejected(self) -> bool:
        """Whether a rejection that no other call can make right closed the matter."""
        return self.rejection is not None and not self.rejection.retryable


def answered(call: ToolCall, value: Any) -> ToolResult:
    """The tool has done its work."""
    try:
        content = value if type(value) is str else _written(value)
        if not content.isascii():
            content.encode()  # which a lone surrogate cannot be
    except Exception as error:  # noqa: BLE001 - writing calls what is the answer's own
        fault = error
    else:
        return _quickly(call.id, call.name, content, value)
    log("the answer", call.name, fault)
    return ToolResult(call.id, call.name, NOT_WRITTEN, is_error=True, value=value, exception=fault)


# A frozen class sets its fields by a way that takes as long as half of the line.
_NEW = object.__new__
_set_call_id, _set_name, _set_content, _set_is_error, _set_retryable = (
    getattr(ToolResult, name).__set__
    for name in ("call_id", "name", "content", "is_error", "retryable")
)
_set_value, _set_issues, _set_exception, _set_rejection = (
    getattr(ToolResult, name).__set__ for name in ("value", "issues", "exception", "rejection")
)


def _quickly(call_id: Any, name: Any, content: str, value: Any) -> ToolResult:
    result = _NEW(ToolResult)
    _set_call_id(result, call_id)
    _set_name(result, name)
    _set_content(result, content)
    _set_is_error(result, False)  # noqa: FBT003
    _set_retryable(result, False)  # noqa: FBT003
    _set_value(result, value)
    _set_issues(result, ())
    _set_exception(result, None)
    _set_rejection(result, None)
    return result


def unknown(call: ToolCall, tools: ToolSet) -> ToolResult:
    """There is no such tool."""
    if type(call.name) is str:
        sentence = f'There is no tool named "{undeclared(call.name)}".'
    else:
        sentence = "A tool is called by its name, which is a text."
    near = tools._near(call.name if type(call.name) is str else None)
    if near:
        sentence += f" Did you mean {_names(near, ' or ')}? Send the call again with its name."
    elif tools:
        listed = _names(list(tools)[:_LISTED], ", ")
        more = f" and {len(tools) - _LISTED} more" if len(tools) > _LISTED else ""
        sentence += f" The tools are {listed}{more}."
    else:
        sentence += " There are no tools to call."
    return ToolResult(call.id, call.name, sentence, is_error=True, retryable=True)


def malformed(
    tool: Tool[Any, Any], call: ToolCall, error: ToolArgumentsValidationError
) -> ToolResult:
    """The arguments do not have the shape that the tool takes."""
    content = feedback(tool.definition, error, call.arguments)
    return ToolResult(
        call.id, call.name, content, is_error=True, retryable=True, issues=error.issues
    )


def refused(call: ToolCall, rejection: Rejected) -> ToolResult:
    """The arguments make no sense."""
    return ToolResult(
        call.id,
        call.name,
        rejection.text,
        is_error=True,
        retryable=rejection.retryable,
        rejection=rejection,
    )


def stopped(call: ToolCall, text: str) -> ToolResult:
    """The guard has answered; other arguments may still be right."""
    return ToolResult(call.id, call.name, text, is_error=True, retryable=True)


def broken(call: ToolCall, step: str, error: Exception) -> ToolResult:
    """A function of the tool's has raised, or answered what it must not."""
    log(step, call.name, error)
    return ToolResult(call.id, call.name, BROKEN, is_error=True, exception=error)


def timed_out(call: ToolCall, seconds: float) -> ToolResult:
    """The tool took longer than it may."""
    error = TimeoutError(f'tool "{one_line(call.name)}" took longer than {seconds} seconds')
    return ToolResult(call.id, call.name, TIMED_OUT, is_error=True, retryable=True, exception=error)


def log(what: str, name: object, error: Exception, *, is_known: bool = True) -> None:
    """Say where to look; the exception's own words may hold what nobody may log."""
    shown = ""
    if type(name) is str:
        shown = one_line(name) if is_known else undeclared(name)
    _LOG.error('%s of tool "%s" failed with %s', what, shown, type(error).__name__)


def _written(value: Any) -> str:
    if isinstance(value, str):
        return str.__str__(value)
    try:
        return orjson.dumps(value, option=orjson.OPT_NON_STR_KEYS).decode()
    except TypeError as error:
        try:
            # It alone writes integers of more than 64 bits.
            return json.dumps(value, allow_nan=False)
        except (TypeError, ValueError, RecursionError):
            raise error from None


def _names(names: list[str], between: str) -> str:
    return between.join(f'"{one_line(name)}"' for name in names)
