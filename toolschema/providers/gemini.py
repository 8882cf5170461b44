"""Google's Gemini, on both of its doors: arguments are an object, ids are optional."""

from __future__ import annotations

import re
from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator
from typing import Any

from toolschema import ToolCall, ToolResult
from toolschema.providers._export.gemini import export_gemini as export_tool
from toolschema.providers._export.names import original_name
from toolschema.providers._export.report import Exported, Loss
from toolschema.providers._export.undo import import_arguments
from toolschema.providers._wire.calls import aevents, events
from toolschema.providers._wire.finished import Found, whole_calls
from toolschema.providers._wire.gemini import (
    COMPLETE,
    PROVIDER,
    GeminiAdapter,
    arguments_of,
    calls_of,
    candidate_of,
)
from toolschema.providers._wire.parts import either, field, named, text, word
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

_MADE_UP = re.compile(r"call_[0-9]+")


def tool_calls(response: Any) -> list[ToolCall]:
    """The calls of the first candidate of a finished response.

    ``raw`` of a call is the whole part: Gemini 3 wants its ``thoughtSignature``
    back. A call without an id gets ``call_<n>``, its place among the calls.

    Args:
        response: A response: a dictionary, in either spelling of its names, or
            the SDK's object.

    Returns:
        Calls whose arguments are objects, as the provider sends them; ``{}``
        where it sends none. None where the prompt was blocked.

    Raises:
        StreamSequenceError: The response was cut off, or is malformed by the
            provider's own account, so that its last call is not to be trusted.
        ProviderFormatError: It is no response.

    >>> part = {"functionCall": {"name": "read", "args": {"path": "a.txt"}}}
    >>> candidate = {"content": {"parts": [part]}, "finishReason": "STOP"}
    >>> [call] = tool_calls({"candidates": [candidate]})
    >>> call, call.arguments
    (ToolCall(id='call_0', name='read'), {'path': 'a.txt'})
    """
    candidate = candidate_of(response)
    if candidate is None:
        return []
    found = [_found(part, place) for part, place in calls_of(candidate)]
    reason = either(candidate, "finishReason", "finish_reason")
    said = word(PROVIDER, "candidates[0].finishReason", reason)
    return whole_calls(found, is_complete=said in COMPLETE)


def stream_events(chunks: Iterable[Any]) -> Iterator[StreamEvent]:
    """The events of a streamed response, for a `StreamValidator`.

    A call comes whole, as an object; so a `StreamValidator` gives it once the
    response has finished. Arguments that come as patches
    (``streamFunctionCallArguments``) are put together first.

    Args:
        chunks: Responses: dictionaries or the SDK's objects.

    Raises:
        StreamSequenceError: The provider reports an error (``provider_error``).
        ProviderFormatError: Something is no response, or a patch does not fit.

    >>> part = {"functionCall": {"name": "read", "args": {"path": "a.txt"}}}
    >>> candidate = {"content": {"parts": [part]}, "finishReason": "STOP"}
    >>> [type(event).__name__ for event in stream_events([{"candidates": [candidate]}])]
    ['ToolCallStart', 'ToolCallEnd', 'StreamFinish']
    """
    return events(GeminiAdapter(), chunks)


def astream_events(chunks: AsyncIterable[Any]) -> AsyncIterator[StreamEvent]:
    """The events of a streamed response that is awaited; see `stream_events`.

    Args:
        chunks: Responses: dictionaries or the SDK's objects.

    Raises:
        StreamSequenceError: The provider reports an error (``provider_error``).
        ProviderFormatError: Something is no response, or a patch does not fit.

    >>> import asyncio
    >>> async def chunks():
    ...     yield {"candidates": [{"finishReason": "STOP"}]}
    >>> async def main():
    ...     return [event async for event in astream_events(chunks())]
    >>> asyncio.run(main())
    [StreamFinish(reason='STOP')]
    """
    return aevents(GeminiAdapter(), chunks)


def tool_result(result: ToolResult) -> dict[str, Any]:
    """The part that brings a result back.

    An id that was made up here is left out: the provider does not know it, and
    takes the results of a turn in the order of the calls.

    >>> tool_result(ToolResult("call_0", "read", "no such file", is_error=True))
    {'functionResponse': {'name': 'read', 'response': {'error': 'no such file'}}}
    """
    key = "error" if result.is_error else "output"
    answer = {"name": result.name, "response": {key: result.content}}
    given = result.call_id
    if not (given is None or (isinstance(given, str) and _MADE_UP.fullmatch(given))):
        answer = {"id": given, **answer}
    return {"functionResponse": answer}


def _found(part: Any, place: str) -> Found:
    call = either(part, "functionCall", "function_call")
    name = named(PROVIDER, f"{place}.name", field(call, "name"))
    return Found(
        text(PROVIDER, f"{place}.id", field(call, "id")), name, arguments_of(call, place), part
    )
