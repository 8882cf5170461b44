"""Google's Gemini, on both of its APIs: arguments are an object, and ids are optional."""

from __future__ import annotations

import re
from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator
from dataclasses import replace
from typing import Any

from toolschema import ToolCall, ToolDefinition, ToolResult
from toolschema.providers._export.arguments import import_arguments
from toolschema.providers._export.export import export
from toolschema.providers._export.names import original_name
from toolschema.providers._export.profiles import GEMINI
from toolschema.providers._export.report import Exported, Loss, ordered
from toolschema.providers._wire import calls
from toolschema.providers._wire.fields import Format, either, field, has_fields
from toolschema.providers._wire.partial_arguments import PartialArguments
from toolschema.typing import StreamEvent

__all__ = [
    "Exported",
    "Loss",
    "astream_events",
    "export_tool",
    "import_arguments",
    "original_name",
    "stream_events",
    "tool_calls",
    "tool_result",
]

_FORMAT = Format("gemini")
_COMPLETE = frozenset({"STOP"})
"""The reasons after which nothing of a response is missing."""
_MADE_UP_ID = re.compile(r"call_[0-9]+")
_OTHER_FIELDS = (
    ("usageMetadata", "usage_metadata"), ("promptFeedback", "prompt_feedback"),
    ("modelVersion", "model_version"), ("responseId", "response_id"),
)  # fmt: skip
"""What a response without candidates may have."""


def export_tool(tool: ToolDefinition[Any], *, strict: bool = False) -> Exported:
    """Write *tool* as one of Gemini's function declarations.

    All declarations of a request belong in one entry of its ``tools``:
    ``tools=[{"functionDeclarations": [exported.payload for exported in exports]}]``.

    The schema goes into ``parametersJsonSchema``, with the keywords that are
    documented for JSON Schema there; all others are left out.

    Args:
        tool: The definition; it is not changed.
        strict: Gemini has no such mode; the report says so if it is asked for.

    Returns:
        The declaration, with a report of everything that was lost.

    >>> tool = ToolDefinition("now", "The time.", {"additionalProperties": False})
    >>> export_tool(tool).payload["parametersJsonSchema"]
    {'type': 'object', 'additionalProperties': False}
    """
    exported = export(tool, GEMINI, "parametersJsonSchema")
    if not strict:
        return exported
    note = "Gemini has no strict mode; functionCallingConfig.mode VALIDATED is the closest"
    loss = Loss("", "strict", "dropped", note)
    return replace(exported, report=ordered([*exported.report, loss]))


def tool_calls(response: Any) -> list[ToolCall]:
    """The calls of the first candidate of a finished response.

    ``raw`` of a call is the whole part, because Gemini 3 wants its
    ``thoughtSignature`` back. A call without an id gets ``call_<n>``, its index
    among the calls.

    Args:
        response: A response: a dictionary, in camelCase or snake_case, or the
            SDK's object.

    Returns:
        Calls whose arguments are objects, as the provider sends them; ``{}``
        where it sends none. The list is empty where the prompt was blocked.

    Raises:
        StreamSequenceError: The response was cut off, or the provider itself
            calls it malformed, so that its last call cannot be trusted.
        ProviderFormatError: It is not a response.

    >>> part = {"functionCall": {"name": "read", "args": {"path": "a.txt"}}}
    >>> candidate = {"content": {"parts": [part]}, "finishReason": "STOP"}
    >>> [call] = tool_calls({"candidates": [candidate]})
    >>> call, call.arguments
    (ToolCall(id='call_0', name='read'), {'path': 'a.txt'})
    """
    candidate = _candidate(response)
    if candidate is None:
        return []
    found = [
        ToolCall(*_identity(call, location), _arguments(call, location), part)
        for part, call, location in _call_parts(candidate)
    ]
    return calls.finished(found, is_complete=_finish_reason(candidate) in _COMPLETE)


def stream_events(chunks: Iterable[Any]) -> Iterator[StreamEvent]:
    """The events of a streamed response, for a `StreamValidator`.

    A call arrives as a whole, as an object, so a `StreamValidator` returns it once
    the response has finished. Arguments that arrive as patches
    (``streamFunctionCallArguments``) are put together first.

    Args:
        chunks: Responses: dictionaries or the SDK's objects.

    Raises:
        StreamSequenceError: The provider reports an error (``provider_error``).
        ProviderFormatError: A chunk is not a response, or a patch does not fit.

    >>> part = {"functionCall": {"name": "read", "args": {"path": "a.txt"}}}
    >>> candidate = {"content": {"parts": [part]}, "finishReason": "STOP"}
    >>> [type(event).__name__ for event in stream_events([{"candidates": [candidate]}])]
    ['ToolCallStart', 'ToolCallEnd', 'StreamFinish']
    """
    return calls.events(_ResponseStream(), chunks)


def astream_events(chunks: AsyncIterable[Any]) -> AsyncIterator[StreamEvent]:
    """`stream_events` for chunks that arrive asynchronously; it raises the same errors.

    >>> import asyncio
    >>> async def chunks():
    ...     yield {"candidates": [{"finishReason": "STOP"}]}
    >>> async def main():
    ...     return [event async for event in astream_events(chunks())]
    >>> asyncio.run(main())
    [StreamFinish(reason='STOP')]
    """
    return calls.aevents(_ResponseStream(), chunks)


def tool_result(result: ToolResult) -> dict[str, Any]:
    """The part that returns a result.

    An id that was made up here is left out: the provider does not know it, and
    takes the results of a turn in the order of the calls.

    >>> tool_result(ToolResult("call_0", "read", "no such file", is_error=True))
    {'functionResponse': {'name': 'read', 'response': {'error': 'no such file'}}}
    """
    key = "error" if result.is_error else "output"
    answer = {"name": result.name, "response": {key: result.content}}
    call_id = result.call_id
    if not (call_id is None or (isinstance(call_id, str) and _MADE_UP_ID.fullmatch(call_id))):
        answer = {"id": call_id, **answer}
    return {"functionResponse": answer}


class _ResponseStream:
    """One streamed response.

    The finish reason is passed on at the end of the stream, because some models
    send one in every chunk.
    """

    def __init__(self) -> None:
        self.calls = calls.Calls(_COMPLETE)
        self._open: calls.Call | None = None
        self._arguments = PartialArguments()
        self._signature: Any = None

    def read(self, chunk: Any) -> None:
        error = field(chunk, "error")
        if error is not None:
            raise calls.failed(field(error, "status"))
        candidate = _candidate(chunk)
        if candidate is not None:
            for part, call, location in _call_parts(candidate):
                self._part(part, call, location)
            reason = _finish_reason(candidate)
            if reason is not None:
                self.calls.keep_reason(reason)

    def _part(self, part: Any, sent: Any, location: str) -> None:
        patches = either(sent, "partialArgs", "partial_args")
        continues = either(sent, "willContinue", "will_continue") is True
        name = _FORMAT.string(sent, "name", location)
        call = self._open if self._open is not None and name in ("", self._open.name) else None
        if call is None:
            call = self.calls.open(*_identity(sent, location), part)
            if not (continues or patches):
                call.final = _arguments(sent, location)
                self.calls.stop(call)
                return
            self._open = call
            self._arguments, self._signature = PartialArguments(), None
        self._signature = either(part, "thoughtSignature", "thought_signature") or self._signature
        listed = _FORMAT.parts({"partialArgs": patches}, "partialArgs", location)
        for number, patch in enumerate(listed):
            self._arguments.apply(patch, f"{location}.partialArgs[{number}]")
        if not continues:
            self._close(call)

    def _close(self, call: calls.Call) -> None:
        """All patches are there; *raw* becomes the part as it would have arrived whole."""
        call.final = self._arguments.result()
        whole = {"name": call.name, "args": call.final}
        call.raw = {
            "functionCall": {"id": call.provider_id, **whole} if call.provider_id else whole
        }
        if self._signature is not None:
            call.raw["thoughtSignature"] = self._signature
        self._open = None
        self.calls.stop(call)


def _candidate(response: Any) -> Any:
    """The first candidate; None where a response may have none."""
    if not has_fields(response):
        raise _FORMAT.mismatch("", "an object", response)
    may_be_missing = any(either(response, *names) is not None for names in _OTHER_FIELDS)
    candidates = _FORMAT.parts(response, "candidates", is_required=not may_be_missing)
    return next(iter(candidates), None)


def _finish_reason(candidate: Any) -> str | None:
    reason = either(candidate, "finishReason", "finish_reason")
    if reason is None:
        return None
    return _FORMAT.constant({"finishReason": reason}, "finishReason", "candidates[0]")


def _call_parts(candidate: Any) -> Iterator[tuple[Any, Any, str]]:
    """The parts with calls, the call in each, and its location."""
    if field(candidate, "content") is None:
        return
    content = _FORMAT.part(candidate, "content", "candidates[0]")
    parts = _FORMAT.parts(content, "parts", "candidates[0].content")
    for number, part in enumerate(parts):
        call = either(part, "functionCall", "function_call")
        if call is not None:
            location = f"candidates[0].content.parts[{number}].functionCall"
            if not has_fields(call):
                raise _FORMAT.mismatch(location, "an object", call)
            yield part, call, location


def _identity(call: Any, location: str) -> tuple[str, str]:
    """The id and the name of a call."""
    name = _FORMAT.tool_name(call, location)
    return _FORMAT.string(call, "id", location), name


def _arguments(call: Any, location: str) -> dict[str, Any]:
    """The arguments, which a call may leave out if it has none."""
    arguments = _FORMAT.arguments(call, "args", location)
    return {} if arguments is None else arguments
