"""OpenAI's Chat Completions, and the many servers that speak it.

Servers that copy the format get ids and indexes wrong: each call at index 0, no
index or id at all, the id and the name repeated in every chunk, ``"null"`` for
an id, objects for arguments, two last chunks. All that is put right. Text of
arguments never is: what was doubled or cut stays so, and is refused.
"""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator
from typing import Any

from toolschema import ToolCall, ToolResult
from toolschema.providers._export.names import original_name
from toolschema.providers._export.openai import export_openai_chat as export_tool
from toolschema.providers._export.report import Exported, Loss
from toolschema.providers._export.undo import import_arguments
from toolschema.providers._wire.calls import aevents, events
from toolschema.providers._wire.chat import COMPLETE, PROVIDER, ChatAdapter, deprecated, own_id
from toolschema.providers._wire.finished import Found, whole_calls
from toolschema.providers._wire.parts import field, is_part, named, parts, word, wrong
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
    """The calls of the first choice of a finished answer.

    Custom tool calls are not ours, and are left out. A call without an id gets
    ``call_<n>``, its place among the calls.

    Args:
        response: A chat completion: a dictionary or the SDK's object.

    Returns:
        Calls whose arguments are text, as the provider sends them; ``{}`` where
        it sends none, and an object where a copy of it sends one.

    Raises:
        StreamSequenceError: The answer was cut off, and a call with it.
        ProviderFormatError: It is no chat completion.

    >>> function = {"name": "read", "arguments": '{"path": "a.txt"}'}
    >>> message = {"tool_calls": [{"id": "call_1", "type": "function", "function": function}]}
    >>> [call] = tool_calls({"choices": [{"message": message, "finish_reason": "tool_calls"}]})
    >>> call, call.arguments
    (ToolCall(id='call_1', name='read'), '{"path": "a.txt"}')
    """
    choices = parts(PROVIDER, "choices", field(response, "choices") if is_part(response) else None)
    if not choices:
        raise wrong(PROVIDER, "choices", "a list with an answer", None)
    message, place = field(choices[0], "message"), "choices[0].message"
    if not is_part(message):
        raise wrong(PROVIDER, place, "an object", message)
    if field(message, "function_call") is not None:
        raise deprecated(f"{place}.function_call")
    found = [
        _found(entry, f"{place}.tool_calls[{number}]")
        for number, entry in enumerate(
            parts(PROVIDER, f"{place}.tool_calls", field(message, "tool_calls"))
        )
        if field(entry, "type") != "custom"
    ]
    reason = word(PROVIDER, "choices[0].finish_reason", field(choices[0], "finish_reason"))
    return whole_calls(found, is_complete=reason in COMPLETE)


def stream_events(chunks: Iterable[Any]) -> Iterator[StreamEvent]:
    """The events of a streamed answer, for a `StreamValidator`.

    Those of the first choice: others are other answers to the same question. A
    call ends with the answer, since nothing else in a chunk tells its end.

    Args:
        chunks: Chat completion chunks: dictionaries or the SDK's objects.

    Raises:
        StreamSequenceError: The provider reports an error (``provider_error``).
        ProviderFormatError: Something is no chunk.

    >>> function = {"name": "read", "arguments": '{"path": "a.txt"}'}
    >>> delta = {"tool_calls": [{"index": 0, "id": "call_1", "function": function}]}
    >>> chunk = {"choices": [{"delta": delta, "finish_reason": "tool_calls"}]}
    >>> [type(event).__name__ for event in stream_events([chunk])]
    ['ToolCallStart', 'ToolCallDelta', 'ToolCallEnd', 'StreamFinish']
    """
    return events(ChatAdapter(), chunks)


def astream_events(chunks: AsyncIterable[Any]) -> AsyncIterator[StreamEvent]:
    """The events of a streamed answer that is awaited; see `stream_events`.

    Args:
        chunks: Chat completion chunks: dictionaries or the SDK's objects.

    Raises:
        StreamSequenceError: The provider reports an error (``provider_error``).
        ProviderFormatError: Something is no chunk.

    >>> import asyncio
    >>> async def chunks():
    ...     yield {"choices": [{"delta": {}, "finish_reason": "stop"}]}
    >>> async def main():
    ...     return [event async for event in astream_events(chunks())]
    >>> asyncio.run(main())
    [StreamFinish(reason='stop')]
    """
    return aevents(ChatAdapter(), chunks)


def tool_result(result: ToolResult) -> dict[str, Any]:
    """The message that brings a result back.

    The format has no flag for errors: the model reads it from the text.

    >>> tool_result(ToolResult("call_1", "read", "1 line"))
    {'role': 'tool', 'tool_call_id': 'call_1', 'content': '1 line'}
    """
    return {"role": "tool", "tool_call_id": result.call_id, "content": result.content}


def _found(entry: Any, place: str) -> Found:
    function = field(entry, "function")
    if not is_part(function):
        raise wrong(PROVIDER, f"{place}.function", "an object", function)
    arguments = field(function, "arguments")
    if not (arguments is None or isinstance(arguments, (str, dict))):
        raise wrong(PROVIDER, f"{place}.function.arguments", "text", arguments)
    name = named(PROVIDER, f"{place}.function.name", field(function, "name"))
    return Found(own_id(field(entry, "id"), f"{place}.id"), name, arguments, entry)
