"""OpenAI's Chat Completions, and the many servers that copy the format.

Copies get ids and indexes wrong: every call at index 0, no index or id at all, the
id and the name repeated in every chunk, ``"null"`` for an id, objects for arguments,
two last chunks. All of this is put right. The text of arguments never is: what was
doubled or cut off stays so, and is refused.
"""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator
from dataclasses import replace
from typing import Any

from toolschema import StreamSequenceError, ToolCall, ToolDefinition, ToolResult
from toolschema.providers._export.arguments import import_arguments
from toolschema.providers._export.export import export
from toolschema.providers._export.names import original_name
from toolschema.providers._export.profiles import OPENAI
from toolschema.providers._export.report import Exported, Loss
from toolschema.providers._wire import calls
from toolschema.providers._wire.fields import Format, field, has_fields
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

_FORMAT = Format("openai_chat")
_COMPLETE = frozenset({"function_call", "stop", "tool_calls"})
"""The reasons after which nothing of an answer is missing."""
_NO_ID = frozenset({"", "null", "None"})


def export_tool(tool: ToolDefinition[Any], *, strict: bool = False) -> Exported:
    """Write *tool* for the ``tools`` of Chat Completions.

    Without *strict* the schema is a hint to the model. It is left as it is, except
    for what is refused even so: a root that is not a plain object, and patterns
    with a lookaround.

    With *strict* every object is closed and every property required; the model
    sends null for an optional one, and `import_arguments` removes it again. An
    object of arbitrary properties (a map) cannot be expressed, nor can a schema
    that accepts any value: they stay as they are, and the report calls them
    impossible.

    Args:
        tool: The definition; it is not changed.
        strict: Whether the provider should enforce the schema.

    Returns:
        The entry for ``tools``, with a report of everything that was lost.

    >>> schema = {"properties": {"a": {"type": "string", "minLength": 1}}}
    >>> exported = export_tool(ToolDefinition("files.read", "", schema), strict=True)
    >>> exported.payload["function"]["parameters"]["properties"]
    {'a': {'type': ['string', 'null']}}
    >>> print(exported.report[1])
    #/properties/a/minLength: dropped (not supported)
    """
    exported = export(tool, OPENAI[strict], "parameters")
    function = {**exported.payload, "strict": strict}
    return replace(exported, payload={"type": "function", "function": function})


def tool_calls(response: Any) -> list[ToolCall]:
    """The calls of the first choice of a finished answer.

    Custom tool calls are left out. A call without an id gets ``call_<n>``, its
    index among the calls.

    Args:
        response: A chat completion: a dictionary or the SDK's object.

    Returns:
        Calls whose arguments are strings, as the provider sends them; ``{}`` where
        it sends none, and an object where a copy of it sends one.

    Raises:
        StreamSequenceError: The answer was cut off, and a call with it.
        ProviderFormatError: It is not a chat completion.

    >>> function = {"name": "read", "arguments": '{"path": "a.txt"}'}
    >>> message = {"tool_calls": [{"id": "call_1", "type": "function", "function": function}]}
    >>> [call] = tool_calls({"choices": [{"message": message, "finish_reason": "tool_calls"}]})
    >>> call, call.arguments
    (ToolCall(id='call_1', name='read'), '{"path": "a.txt"}')
    """
    choices = _FORMAT.parts(response, "choices", is_required=True)
    if not choices:
        raise _FORMAT.error("choices", "must not be empty")
    message = _FORMAT.part(choices[0], "message", "choices[0]")
    location = "choices[0].message"
    _refuse_function_call(message, location)
    entries = _FORMAT.parts(message, "tool_calls", location)
    found = [
        _finished_call(entry, f"{location}.tool_calls[{number}]")
        for number, entry in enumerate(entries)
        if field(entry, "type") != "custom"
    ]
    reason = _FORMAT.constant(choices[0], "finish_reason", "choices[0]")
    return calls.finished(found, is_complete=reason in _COMPLETE)


def stream_events(chunks: Iterable[Any]) -> Iterator[StreamEvent]:
    """The events of a streamed answer, for a `StreamValidator`.

    Only the first choice is read, because others are other answers to the same
    question. A call ends with the answer: nothing else in a chunk marks its end.

    Args:
        chunks: Chat completion chunks: dictionaries or the SDK's objects.

    Raises:
        StreamSequenceError: The provider reports an error (``provider_error``).
        ProviderFormatError: A chunk is not a chat completion chunk.

    >>> function = {"name": "read", "arguments": '{"path": "a.txt"}'}
    >>> delta = {"tool_calls": [{"index": 0, "id": "call_1", "function": function}]}
    >>> chunk = {"choices": [{"delta": delta, "finish_reason": "tool_calls"}]}
    >>> [type(event).__name__ for event in stream_events([chunk])]
    ['ToolCallStart', 'ToolCallDelta', 'ToolCallEnd', 'StreamFinish']
    """
    return calls.events(_ChatStream(), chunks)


def astream_events(chunks: AsyncIterable[Any]) -> AsyncIterator[StreamEvent]:
    """`stream_events` for chunks that arrive asynchronously; it raises the same errors.

    >>> import asyncio
    >>> async def chunks():
    ...     yield {"choices": [{"delta": {}, "finish_reason": "stop"}]}
    >>> async def main():
    ...     return [event async for event in astream_events(chunks())]
    >>> asyncio.run(main())
    [StreamFinish(reason='stop')]
    """
    return calls.aevents(_ChatStream(), chunks)


def tool_result(result: ToolResult) -> dict[str, Any]:
    """The message that returns a result.

    The format cannot mark errors: the model reads from the text that it is one.

    >>> tool_result(ToolResult("call_1", "read", "1 line"))
    {'role': 'tool', 'tool_call_id': 'call_1', 'content': '1 line'}
    """
    return {"role": "tool", "tool_call_id": result.call_id, "content": result.content}


def _finished_call(entry: Any, location: str) -> ToolCall:
    function = _FORMAT.part(entry, "function", location)
    arguments = field(function, "arguments")
    if not (arguments is None or isinstance(arguments, (str, dict))):
        raise _FORMAT.mismatch(f"{location}.function.arguments", "a string", arguments)
    name = _FORMAT.tool_name(function, f"{location}.function")
    return ToolCall(_call_id(entry, location), name, arguments, entry)


def _call_id(entry: Any, location: str) -> str:
    """The id of a call; empty where there is none, in whichever way a server says so."""
    call_id = _FORMAT.string(entry, "id", location)
    return "" if call_id in _NO_ID else call_id


def _refuse_function_call(message: Any, location: str) -> None:
    """Refuse the form that calls had before there were tools."""
    if field(message, "function_call") is not None:
        text = 'is deprecated and not supported; send "tools" instead of "functions"'
        raise _FORMAT.error(f"{location}.function_call", text)


class _ChatStream:
    """One streamed answer.

    The finish reason is passed on at the end of the stream: some servers send it
    twice, or send a call in the chunk that has it.
    """

    def __init__(self) -> None:
        self.calls = calls.Calls(_COMPLETE)
        # None stands for a call of another kind than function calls.
        self._by_index: dict[int, calls.Call | None] = {}
        self._by_id: dict[tuple[int | None, str], calls.Call] = {}
        self._last: calls.Call | None = None
        self._is_last_ours = True

    def read(self, chunk: Any) -> None:
        if not has_fields(chunk):
            raise _FORMAT.mismatch("", "an object", chunk)
        choices = field(chunk, "choices")
        may_be_missing = bool(choices)
        if not choices:
            _expect_no_error(chunk)
            kind = field(chunk, "type")
            may_be_missing = field(chunk, "usage") is not None
            if choices is None and not may_be_missing and isinstance(kind, str):
                raise _FORMAT.unknown("type", kind, "a chat completion chunk")
        for choice in _FORMAT.parts(chunk, "choices", is_required=not may_be_missing):
            if not field(choice, "index"):
                self._choice(choice, chunk)

    def _choice(self, choice: Any, chunk: Any) -> None:
        if field(choice, "delta") is not None:
            delta, location = _FORMAT.part(choice, "delta", "choices[0]"), "choices[0].delta"
            _refuse_function_call(delta, location)
            seen: set[calls.Call] = set()
            if field(delta, "tool_calls"):
                entries = _FORMAT.parts(delta, "tool_calls", location)
                for number, entry in enumerate(entries):
                    self._entry(entry, f"{location}.tool_calls[{number}]", seen)
        if field(choice, "finish_reason"):
            _expect_no_error(chunk)
            reason = _FORMAT.constant(choice, "finish_reason", "choices[0]")
            self.calls.keep_reason(reason)
            self.calls.stop_all(reason)

    def _entry(self, entry: Any, location: str, seen: set[calls.Call]) -> None:
        """One piece of one call; *seen* holds the calls of earlier pieces in its chunk."""
        name, arguments = "", None
        if field(entry, "function") is not None:
            function = _FORMAT.part(entry, "function", location)
            name = _FORMAT.string(function, "name", f"{location}.function")
            arguments = field(function, "arguments")
        call = self._call(entry, location, name, seen)
        if call is None:
            return
        seen.add(call)
        if name:
            if call.index < 0:
                call.name = name
                self.calls.start(call)
            call.name = name  # a different one is refused at the end
        if isinstance(arguments, str):
            self.calls.extend(call, arguments)
        elif isinstance(arguments, dict):
            self._object(call, arguments)
        elif arguments is not None:
            raise _FORMAT.mismatch(f"{location}.function.arguments", "a string", arguments)

    def _object(self, call: calls.Call, arguments: dict[str, Any]) -> None:
        if call.final is not None and call.final != arguments:
            index = None if call.index < 0 else call.index
            message = "a call was sent twice with different arguments"
            raise StreamSequenceError("arguments_mismatch", index, message)
        if call.is_ended:
            self.calls.stop(call)
        call.final = arguments

    def _call(
        self, entry: Any, location: str, name: str, seen: set[calls.Call]
    ) -> calls.Call | None:
        """The call that a piece belongs to; None if it is of another kind."""
        index = _FORMAT.integer(entry, "index", location)
        call_id = _call_id(entry, location) if field(entry, "id") else ""
        kind = field(entry, "type")
        if kind == "custom":
            self._remember(None, index)
            return None
        if kind not in (None, "", "function") and field(entry, "function") is None:
            raise _FORMAT.unknown(f"{location}.type", kind, "a known type of tool call")
        call = self._by_id.get((index, call_id)) if call_id else None
        if call is None:
            if index is not None:
                call = self._by_index.get(index)
                is_ours = call is not None or index not in self._by_index
            else:
                call = None if call_id or name else self._last
                is_ours = self._is_last_ours
            if not (is_ours or call_id or name):
                return None
            if call is None or _is_another(call, call_id, name, is_repeated=call in seen):
                call = self.calls.open(call_id, name, entry)
            elif call_id and not call.provider_id and call.index < 0:
                call.provider_id = call_id
            if call_id:
                self._by_id[index, call_id] = call
        self._remember(call, index)
        return call

    def _remember(self, call: calls.Call | None, index: int | None) -> None:
        self._last, self._is_last_ours = call, call is not None
        if index is not None:
            self._by_index[index] = call


def _expect_no_error(chunk: Any) -> None:
    error = field(chunk, "error")
    if error is not None:
        raise calls.failed(field(error, "type") or field(error, "code"))


def _is_another(call: calls.Call, call_id: str, name: str, *, is_repeated: bool) -> bool:
    """Whether a piece at the index of a call begins another one.

    Only a piece with an id or a name can. If both have an id, it decides: the same
    id is the same call, and another id another call. Without one, another name is
    another call; and so is any name where one chunk has two pieces for one index.
    """
    if call_id and call.provider_id:
        return call_id != call.provider_id
    if not (name and call.name):
        return False
    return name != call.name or is_repeated or bool(call_id and call.index >= 0)
