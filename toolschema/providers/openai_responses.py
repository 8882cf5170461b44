"""OpenAI's Responses: a result answers ``call_id``, which is not the ``id`` of the item."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator
from typing import Any

from toolschema import ToolCall, ToolResult
from toolschema.providers._export.names import original_name
from toolschema.providers._export.openai import export_openai_responses as export_tool
from toolschema.providers._export.report import Exported, Loss
from toolschema.providers._export.undo import import_arguments
from toolschema.providers._wire.calls import aevents, events
from toolschema.providers._wire.finished import Found, whole_calls
from toolschema.providers._wire.parts import field, is_part, named, parts, text, word, wrong
from toolschema.providers._wire.responses import (
    COMPLETE,
    PROVIDER,
    ResponsesAdapter,
    call_id,
)
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
    """The calls of a finished response.

    What the provider runs itself and custom tool calls are not ours, and are
    left out. A call without an id gets ``call_<n>``, its place among the calls.

    Args:
        response: A response: a dictionary or the SDK's object.

    Returns:
        Calls whose arguments are text, as the provider sends them; ``{}`` where
        it sends none.

    Raises:
        StreamSequenceError: The response was cut off, and a call with it.
        ProviderFormatError: It is no response.

    >>> item = {"type": "function_call", "call_id": "call_1", "name": "now", "arguments": "{}"}
    >>> tool_calls({"status": "completed", "output": [item]})
    [ToolCall(id='call_1', name='now')]
    """
    output = field(response, "output") if is_part(response) else None
    if output is None:
        raise wrong(PROVIDER, "output", "a list", None)
    found = [
        _found(item, f"output[{number}]")
        for number, item in enumerate(parts(PROVIDER, "output", output))
        if field(item, "type") == "function_call"
    ]
    status = word(PROVIDER, "status", field(response, "status"))
    return whole_calls(found, is_complete=status in COMPLETE)


def stream_events(chunks: Iterable[Any]) -> Iterator[StreamEvent]:
    """The events of a streamed response, for a `StreamValidator`.

    Args:
        chunks: The events of the response: dictionaries or the SDK's objects.
            Kinds that are about no call of ours are ignored, as the provider
            adds to them.

    Raises:
        StreamSequenceError: The provider reports an error (``provider_error``),
            or what it sends twice differs.
        ProviderFormatError: Something is no event.

    >>> item = {"type": "function_call", "call_id": "call_1", "name": "now", "arguments": ""}
    >>> done = {**item, "arguments": "{}"}
    >>> kinds = [type(event).__name__ for event in stream_events([
    ...     {"type": "response.output_item.added", "output_index": 0, "item": item},
    ...     {"type": "response.output_item.done", "output_index": 0, "item": done},
    ...     {"type": "response.completed", "response": {"output": [done]}},
    ... ])]
    >>> kinds
    ['ToolCallStart', 'ToolCallDelta', 'ToolCallEnd', 'StreamFinish']
    """
    return events(ResponsesAdapter(), chunks)


def astream_events(chunks: AsyncIterable[Any]) -> AsyncIterator[StreamEvent]:
    """The events of a streamed response that is awaited; see `stream_events`.

    Args:
        chunks: The events of the response: dictionaries or the SDK's objects.

    Raises:
        StreamSequenceError: The provider reports an error (``provider_error``),
            or what it sends twice differs.
        ProviderFormatError: Something is no event.

    >>> import asyncio
    >>> async def chunks():
    ...     yield {"type": "response.completed", "response": {"output": []}}
    >>> async def main():
    ...     return [event async for event in astream_events(chunks())]
    >>> asyncio.run(main())
    [StreamFinish(reason='completed')]
    """
    return aevents(ResponsesAdapter(), chunks)


def tool_result(result: ToolResult) -> dict[str, Any]:
    """The item that brings a result back.

    The format has no flag for errors: the model reads it from the text.

    >>> tool_result(ToolResult("call_1", "read", "1 line"))
    {'type': 'function_call_output', 'call_id': 'call_1', 'output': '1 line'}
    """
    return {
        "type": "function_call_output",
        "call_id": result.call_id,
        "output": result.content,
    }


def _found(item: Any, place: str) -> Found:
    arguments = text(PROVIDER, f"{place}.arguments", field(item, "arguments"))
    name = named(PROVIDER, f"{place}.name", field(item, "name"))
    return Found(call_id(item, place), name, arguments, item)
