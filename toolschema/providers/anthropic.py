"""Anthropic's Messages: arguments are an object, and a result can be an error."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator
from typing import Any

from toolschema import ToolCall, ToolResult
from toolschema.providers._export.anthropic import export_anthropic as export_tool
from toolschema.providers._export.names import original_name
from toolschema.providers._export.report import Exported, Loss
from toolschema.providers._export.undo import import_arguments
from toolschema.providers._wire.anthropic import COMPLETE, PROVIDER, AnthropicAdapter
from toolschema.providers._wire.calls import aevents, events
from toolschema.providers._wire.finished import Found, whole_calls
from toolschema.providers._wire.parts import field, is_part, named, parts, text, word, wrong
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


def tool_calls(response: Any) -> list[ToolCall]:
    """The calls of a finished message.

    Tools that run on the provider's side are not ours, and are left out. A call
    without an id gets ``call_<n>``, its place among the calls.

    Args:
        response: A message: a dictionary or the SDK's object.

    Returns:
        Calls whose arguments are objects, as the provider sends them.

    Raises:
        StreamSequenceError: The message was cut off, and its last call may be
            cut off with it: an SDK or a server may have closed what was open.
        ProviderFormatError: It is no message.

    >>> block = {"type": "tool_use", "id": "toolu_1", "name": "read", "input": {"path": "a.txt"}}
    >>> [call] = tool_calls({"content": [block], "stop_reason": "tool_use"})
    >>> call, call.arguments
    (ToolCall(id='toolu_1', name='read'), {'path': 'a.txt'})
    """
    content = field(response, "content") if is_part(response) else None
    if content is None:
        raise wrong(PROVIDER, "content", "a list", None)
    found = [
        _found(block, f"content[{number}]")
        for number, block in enumerate(parts(PROVIDER, "content", content))
        if field(block, "type") == "tool_use"
    ]
    reason = word(PROVIDER, "stop_reason", field(response, "stop_reason"))
    return whole_calls(found, is_complete=reason in COMPLETE)


def stream_events(chunks: Iterable[Any]) -> Iterator[StreamEvent]:
    """The events of a streamed message, for a `StreamValidator`.

    Args:
        chunks: The events of the message: dictionaries or the SDK's objects,
            those of its ``messages.stream()`` included. Unknown kinds are
            ignored, as the provider asks.

    Raises:
        StreamSequenceError: The provider reports an error (``provider_error``),
            or another message begins.
        ProviderFormatError: Something is no event.

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
    return events(AnthropicAdapter(), chunks)


def astream_events(chunks: AsyncIterable[Any]) -> AsyncIterator[StreamEvent]:
    """The events of a streamed message that is awaited; see `stream_events`.

    Args:
        chunks: The events of the message: dictionaries or the SDK's objects.

    Raises:
        StreamSequenceError: The provider reports an error (``provider_error``),
            or another message begins.
        ProviderFormatError: Something is no event.

    >>> import asyncio
    >>> async def chunks():
    ...     yield {"type": "message_delta", "delta": {"stop_reason": "end_turn"}}
    >>> async def main():
    ...     return [event async for event in astream_events(chunks())]
    >>> asyncio.run(main())
    [StreamFinish(reason='end_turn')]
    """
    return aevents(AnthropicAdapter(), chunks)


def tool_result(result: ToolResult) -> dict[str, Any]:
    """The block that brings a result back; one user message takes all of a turn.

    >>> tool_result(ToolResult("toolu_1", "read", "no such file", is_error=True))["is_error"]
    True
    """
    block = {"type": "tool_result", "tool_use_id": result.call_id, "content": result.content}
    return {**block, "is_error": True} if result.is_error else block


def _found(block: Any, place: str) -> Found:
    given = field(block, "input")
    if not isinstance(given, dict):
        raise wrong(PROVIDER, f"{place}.input", "an object", given)
    name = named(PROVIDER, f"{place}.name", field(block, "name"))
    return Found(text(PROVIDER, f"{place}.id", field(block, "id")), name, given, block)
