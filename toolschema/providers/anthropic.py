"""Anthropic's Messages API: arguments are an object, and a result can be marked as an error."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator
from dataclasses import replace
from typing import Any

from toolschema import StreamSequenceError, ToolCall, ToolDefinition, ToolResult
from toolschema.providers._export.arguments import import_arguments
from toolschema.providers._export.export import export
from toolschema.providers._export.names import original_name
from toolschema.providers._export.profiles import ANTHROPIC
from toolschema.providers._export.report import Exported, Loss
from toolschema.providers._wire import calls
from toolschema.providers._wire.fields import Format, field
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

_FORMAT = Format("anthropic")
_COMPLETE = frozenset({"end_turn", "pause_turn", "stop_sequence", "tool_use"})
"""The reasons after which nothing of a message is missing."""


def export_tool(tool: ToolDefinition[Any], *, strict: bool = False) -> Exported:
    """Write *tool* for the ``tools`` of Messages.

    Without *strict* the schema is a hint to the model, in dialect 2020-12. It is
    left as it is, except that a union or an ``allOf`` at the root, which the
    provider refuses, becomes one object.

    With *strict* every object is closed, and optional properties stay optional.
    Maps, schemas that accept any value, and recursion are impossible. A whole
    request may have 20 strict tools, 24 optional properties and 16 unions; the
    report covers only what this tool exceeds by itself.

    Args:
        tool: The definition; it is not changed.
        strict: Whether the provider should enforce the schema.

    Returns:
        The entry for ``tools``, with a report of everything that was lost.

    >>> tool = ToolDefinition("now", "The time.", {"additionalProperties": False})
    >>> export_tool(tool, strict=True).payload["input_schema"]
    {'type': 'object', 'properties': {}, 'additionalProperties': False}
    """
    exported = export(tool, ANTHROPIC[strict], "input_schema")
    return replace(exported, payload={**exported.payload, "strict": True}) if strict else exported


def tool_calls(response: Any) -> list[ToolCall]:
    """The calls of a finished message.

    Tools that run on the provider's side are left out. A call without an id gets
    ``call_<n>``, its index among the calls.

    Args:
        response: A message: a dictionary or the SDK's object.

    Returns:
        Calls whose arguments are objects, as the provider sends them.

    Raises:
        StreamSequenceError: The message was cut off, and so its last call may be
            too: an SDK or a server may have closed what was left open.
        ProviderFormatError: It is not a message.

    >>> block = {"type": "tool_use", "id": "toolu_1", "name": "read", "input": {"path": "a.txt"}}
    >>> [call] = tool_calls({"content": [block], "stop_reason": "tool_use"})
    >>> call, call.arguments
    (ToolCall(id='toolu_1', name='read'), {'path': 'a.txt'})
    """
    found = [
        _finished_call(block, f"content[{number}]")
        for number, block in enumerate(_FORMAT.parts(response, "content", is_required=True))
        if field(block, "type") == "tool_use"
    ]
    reason = _FORMAT.constant(response, "stop_reason")
    return calls.finished(found, is_complete=reason in _COMPLETE)


def stream_events(chunks: Iterable[Any]) -> Iterator[StreamEvent]:
    """The events of a streamed message, for a `StreamValidator`.

    Args:
        chunks: The events of the message: dictionaries or the SDK's objects,
            including those of its ``messages.stream()``. Unknown types of events
            are ignored, as the provider asks.

    Raises:
        StreamSequenceError: The provider reports an error (``provider_error``),
            or a second message begins.
        ProviderFormatError: A chunk is not an event.

    >>> block = {"type": "tool_use", "id": "toolu_1", "name": "now", "input": {}}
    >>> kinds = [type(event).__name__ for event in stream_events([
    ...     {"type": "content_block_start", "index": 0, "content_block": block},
    ...     {"type": "content_block_stop", "index": 0},
    ...     {"type": "message_delta", "delta": {"stop_reason": "tool_use"}},
    ...     {"type": "message_stop"},
    ... ])]
    >>> kinds
    ['ToolCallStart', 'ToolCallEnd', 'StreamFinish']
    """
    return calls.events(_MessageStream(), chunks)


def astream_events(chunks: AsyncIterable[Any]) -> AsyncIterator[StreamEvent]:
    """`stream_events` for chunks that arrive asynchronously; it raises the same errors.

    >>> import asyncio
    >>> async def chunks():
    ...     yield {"type": "message_delta", "delta": {"stop_reason": "end_turn"}}
    >>> async def main():
    ...     return [event async for event in astream_events(chunks())]
    >>> asyncio.run(main())
    [StreamFinish(reason='end_turn')]
    """
    return calls.aevents(_MessageStream(), chunks)


def tool_result(result: ToolResult) -> dict[str, Any]:
    """The content block that returns a result; one user message holds all those of a turn.

    >>> tool_result(ToolResult("toolu_1", "read", "no such file", is_error=True))["is_error"]
    True
    """
    block = {"type": "tool_result", "tool_use_id": result.call_id, "content": result.content}
    return {**block, "is_error": True} if result.is_error else block


def _finished_call(block: Any, location: str) -> ToolCall:
    arguments = _FORMAT.arguments(block, "input", location)
    if arguments is None:
        raise _FORMAT.mismatch(f"{location}.input", "an object", None)
    name = _FORMAT.tool_name(block, location)
    return ToolCall(_FORMAT.string(block, "id", location), name, arguments, block)


class _MessageStream:
    """One streamed message.

    The input that a block starts with is a placeholder, ``{}``, and not part of
    the text. Where it holds more it is the input, and any text must agree with it.
    """

    def __init__(self) -> None:
        self.calls = calls.Calls(_COMPLETE)
        self._blocks: dict[int, calls.Call | None] = {}  # None: a block that is not a tool call
        self._has_begun = False

    def read(self, chunk: Any) -> None:
        handler = _HANDLERS.get(_FORMAT.string(chunk, "type", is_required=True))
        if handler is not None:
            handler(self, chunk)

    def message_start(self, event: Any) -> None:
        message = _FORMAT.part(event, "message")
        if self._has_begun:
            raise StreamSequenceError("second_message", None, "a second message began")
        self._has_begun = True
        # The provider may hand over at once the calls that its own code has made.
        for number, block in enumerate(_FORMAT.parts(message, "content", "message")):
            if field(block, "type") == "tool_use":
                self.calls.stop(self._open(block, f"message.content[{number}]"))
        self._keep_reason(message, "message")

    def _keep_reason(self, part: Any, location: str) -> None:
        self.calls.reason = _FORMAT.constant(part, "stop_reason", location) or self.calls.reason

    def block_start(self, event: Any) -> None:
        index, block = _index(event), _FORMAT.part(event, "content_block")
        if index in self._blocks:
            number = getattr(self._blocks[index], "index", None)
            message = "a content block was started twice"
            raise StreamSequenceError("duplicate_start", number, message)
        is_call = field(block, "type") == "tool_use"
        self._blocks[index] = self._open(block, "content_block") if is_call else None

    def _open(self, block: Any, location: str) -> calls.Call:
        provider_id = _FORMAT.string(block, "id", location)
        call = self.calls.open(provider_id, _FORMAT.tool_name(block, location), block)
        call.final = _FORMAT.arguments(block, "input", location) or None
        return call

    def block_delta(self, event: Any) -> None:
        delta = _FORMAT.part(event, "delta")
        index, kind = _index(event), field(delta, "type")
        call = self._blocks.get(index)
        if call is None and (kind != "input_json_delta" or index in self._blocks):
            return
        if kind != "input_json_delta":
            raise _FORMAT.unknown("delta.type", kind, "a delta of a tool call")
        text = _FORMAT.string(delta, "partial_json", "delta", is_required=True)
        self.calls.extend(call, text)

    def block_stop(self, event: Any) -> None:
        index = _index(event)
        call = self._blocks.get(index)
        if call is not None:
            self.calls.stop(call)
        elif index not in self._blocks:
            self.calls.stray_end()

    def message_delta(self, event: Any) -> None:
        self._keep_reason(_FORMAT.part(event, "delta"), "delta")

    def message_stop(self, event: Any) -> None:
        self.calls.end()

    def error(self, event: Any) -> None:
        raise calls.failed(field(field(event, "error"), "type"))


_HANDLERS: dict[str, Any] = {
    "message_start": _MessageStream.message_start,
    "content_block_start": _MessageStream.block_start,
    "content_block_delta": _MessageStream.block_delta,
    "content_block_stop": _MessageStream.block_stop,
    "message_delta": _MessageStream.message_delta,
    "message_stop": _MessageStream.message_stop,
    "error": _MessageStream.error,
}


def _index(event: Any) -> int:
    index = _FORMAT.integer(event, "index")
    if index is None:
        raise _FORMAT.mismatch("index", "an integer", None)
    return index
