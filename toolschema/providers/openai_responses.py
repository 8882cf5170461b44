"""OpenAI's Responses: a result answers ``call_id``, which is not the ``id`` of the item."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator
from dataclasses import replace
from typing import Any

from toolschema import StreamSequenceError, ToolCall, ToolDefinition, ToolResult
from toolschema._json.equality import arguments_key
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

_FORMAT = Format("openai_responses")
_COMPLETE = frozenset({"completed"})
"""The status after which nothing of a response is missing."""


def export_tool(tool: ToolDefinition[Any], *, strict: bool = False) -> Exported:
    """Write *tool* for the ``tools`` of Responses.

    The schema is the one that `toolschema.providers.openai_chat.export_tool`
    writes; the entry is flat. ``strict`` is always present: without it, Responses
    would try to make the schema strict by itself.

    Args:
        tool: The definition; it is not changed.
        strict: Whether the provider should enforce the schema.

    Returns:
        The entry for ``tools``, with a report of everything that was lost.

    >>> export_tool(ToolDefinition("now", "The time.", {})).payload["strict"]
    False
    """
    exported = export(tool, OPENAI[strict], "parameters")
    return replace(exported, payload={"type": "function", **exported.payload, "strict": strict})


def tool_calls(response: Any) -> list[ToolCall]:
    """The calls of a finished response.

    Tools that the provider runs itself and custom tool calls are left out. A call
    without an id gets ``call_<n>``, its index among the calls.

    Args:
        response: A response: a dictionary or the SDK's object.

    Returns:
        Calls whose arguments are strings, as the provider sends them; ``{}`` where
        it sends none.

    Raises:
        StreamSequenceError: The response was cut off, and a call with it.
        ProviderFormatError: It is not a response.

    >>> item = {"type": "function_call", "call_id": "call_1", "name": "now", "arguments": "{}"}
    >>> tool_calls({"status": "completed", "output": [item]})
    [ToolCall(id='call_1', name='now')]
    """
    found = [
        _finished_call(item, f"output[{number}]")
        for number, item in enumerate(_FORMAT.parts(response, "output", is_required=True))
        if field(item, "type") == "function_call"
    ]
    status = _FORMAT.constant(response, "status")
    return calls.finished(found, is_complete=status in _COMPLETE)


def stream_events(chunks: Iterable[Any]) -> Iterator[StreamEvent]:
    """The events of a streamed response, for a `StreamValidator`.

    Args:
        chunks: The events of the response: dictionaries or the SDK's objects.
            Types that are not about function calls are ignored, because the
            provider keeps adding new ones.

    Raises:
        StreamSequenceError: The provider reports an error (``provider_error``),
            or what it sends twice differs.
        ProviderFormatError: A chunk is not an event.

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
    return calls.events(_ResponseStream(), chunks)


def astream_events(chunks: AsyncIterable[Any]) -> AsyncIterator[StreamEvent]:
    """`stream_events` for chunks that arrive asynchronously; it raises the same errors.

    >>> import asyncio
    >>> async def chunks():
    ...     yield {"type": "response.completed", "response": {"output": []}}
    >>> async def main():
    ...     return [event async for event in astream_events(chunks())]
    >>> asyncio.run(main())
    [StreamFinish(reason='completed')]
    """
    return calls.aevents(_ResponseStream(), chunks)


def tool_result(result: ToolResult) -> dict[str, Any]:
    """The item that returns a result.

    The format cannot mark errors: the model reads from the text that it is one.

    >>> tool_result(ToolResult("call_1", "read", "1 line"))
    {'type': 'function_call_output', 'call_id': 'call_1', 'output': '1 line'}
    """
    return {
        "type": "function_call_output",
        "call_id": result.call_id,
        "output": result.content,
    }


def _finished_call(item: Any, location: str) -> ToolCall:
    arguments = _FORMAT.string(item, "arguments", location)
    name = _FORMAT.tool_name(item, location)
    return ToolCall(_call_id(item, location), name, arguments, item)


def _call_id(item: Any, location: str) -> str:
    """What a result must name: the ``call_id``, or the item's ``id`` where it is missing."""
    call_id = _FORMAT.string(item, "call_id", location)
    return call_id or _FORMAT.string(item, "id", location)


class _ResponseStream:
    """One streamed response.

    Arguments arrive up to four times: in pieces, at their end, with their item and
    with the response. All must be the same.
    """

    def __init__(self) -> None:
        self.calls = calls.Calls(_COMPLETE)
        self._by_index: dict[int, calls.Call] = {}
        self._by_item_id: dict[str, calls.Call] = {}
        self._by_call_id: dict[str, calls.Call] = {}
        self._last: calls.Call | None = None
        self._final_texts: dict[calls.Call, str] = {}
        self._sequence_number: int | None = None

    def read(self, chunk: Any) -> None:
        handler = _HANDLERS.get(_FORMAT.string(chunk, "type", is_required=True))
        self._check_order(chunk)
        if handler is not None:
            handler(self, chunk)

    def _check_order(self, event: Any) -> None:
        number = field(event, "sequence_number")
        if type(number) is int:
            if self._sequence_number is not None and number < self._sequence_number:
                message = "an event has a lower sequence number than the one before it"
                raise StreamSequenceError("out_of_order", None, message)
            self._sequence_number = number

    def item_added(self, event: Any) -> None:
        item = _FORMAT.part(event, "item")
        if field(item, "type") != "function_call":
            return
        call_id, name = _call_id(item, "item"), _FORMAT.tool_name(item, "item")
        index = _FORMAT.integer(event, "output_index")
        if index in self._by_index:
            started = self._by_index[index].index
            raise StreamSequenceError("duplicate_start", started, "a call was started twice")
        self._open(item, call_id, name, index)

    def _open(self, item: Any, call_id: str, name: str, index: int | None) -> calls.Call:
        call = self.calls.open(call_id, name, item)
        self._last = call
        if call_id:
            self._by_call_id[call_id] = call
        item_id = field(item, "id")
        if isinstance(item_id, str):
            self._by_item_id[item_id] = call
        if index is not None:
            self._by_index[index] = call
        return call

    def arguments_delta(self, event: Any) -> None:
        text = _FORMAT.string(event, "delta", is_required=True)
        self.calls.extend(self._call(event), text)

    def arguments_done(self, event: Any) -> None:
        call = self._call(event)
        if call is None:
            self.calls.stray_end()
        else:
            self._keep_final(call, _FORMAT.string(event, "arguments"))

    def item_done(self, event: Any) -> None:
        item = _FORMAT.part(event, "item")
        if field(item, "type") != "function_call":
            return
        index = _FORMAT.integer(event, "output_index")
        call = None if index is None else self._by_index.get(index)
        call = call or self._by_call_id.get(_call_id(item, "item"))
        if call is None:
            if index is not None or self._last is None or self._last.is_stopped:
                self.calls.stray_end()
                return
            call = self._last
        self._end(call, item, "item")

    def _end(self, call: calls.Call, item: Any, location: str) -> None:
        """End a call with its finished item, whose arguments are all there is without deltas."""
        self._keep_final(call, _FORMAT.string(item, "arguments", location))
        call_id = _call_id(item, location)
        if call_id and call_id != call.provider_id:
            message = "a call ended with a different id"
            raise StreamSequenceError("id_changed", call.index, message)
        call.name = _FORMAT.tool_name(item, location)
        call.raw = item
        if call.has_text:
            call.final = self._final_texts.get(call)
        else:
            self.calls.extend(call, self._final_texts.get(call, ""))
        self.calls.stop(call)

    def _keep_final(self, call: calls.Call, text: str) -> None:
        before = self._final_texts.get(call)
        is_other = text and before not in (None, text)
        if is_other and arguments_key(before) != arguments_key(text):
            message = "the final arguments were sent twice and differ"
            raise StreamSequenceError("arguments_mismatch", call.index, message)
        if text:
            self._final_texts[call] = text

    def response_ended(self, event: Any) -> None:
        """The whole response once more: it must agree with what was streamed."""
        response = _FORMAT.part(event, "response")
        for number, item in enumerate(_FORMAT.parts(response, "output", "response")):
            if field(item, "type") != "function_call":
                continue
            location = f"response.output[{number}]"
            call_id = _call_id(item, location)
            call = self._by_call_id.get(call_id)
            if call is None:
                call = self._open(item, call_id, _FORMAT.tool_name(item, location), None)
            if call.is_stopped:
                self._keep_final(call, _FORMAT.string(item, "arguments", location))
            else:
                self._end(call, item, location)
        is_complete = field(event, "type") == "response.completed"
        self.calls.finish("completed" if is_complete else _incomplete_reason(response))

    def failed(self, event: Any) -> None:
        response = field(event, "response")
        error = field(response, "error") if has_fields(response) else None
        raise calls.failed(field(error if has_fields(error) else event, "code"))

    def _call(self, event: Any) -> calls.Call | None:
        """The call that an event is about; the last one if it does not say."""
        index, item_id = _FORMAT.integer(event, "output_index"), field(event, "item_id")
        named = self._by_item_id.get(item_id) if isinstance(item_id, str) else None
        if index is None:
            return named or self._last
        call = self._by_index.get(index)
        if call is not None and named is not None and named is not call:
            message = "an event has the id of one item and the index of another"
            raise StreamSequenceError("id_changed", named.index, message)
        return call or named


_HANDLERS: dict[str, Any] = {
    "response.output_item.added": _ResponseStream.item_added,
    "response.function_call_arguments.delta": _ResponseStream.arguments_delta,
    "response.function_call_arguments.done": _ResponseStream.arguments_done,
    "response.output_item.done": _ResponseStream.item_done,
    "response.completed": _ResponseStream.response_ended,
    "response.incomplete": _ResponseStream.response_ended,
    "response.failed": _ResponseStream.failed,
    "error": _ResponseStream.failed,
}


def _incomplete_reason(response: Any) -> str:
    details = field(response, "incomplete_details")
    reason = _FORMAT.constant(details, "reason", "response.incomplete_details")
    return reason or "incomplete"
