"""Events of a streamed response to events of calls."""

from __future__ import annotations

import json
from typing import Any

from toolschema import Limits, StreamSequenceError
from toolschema._json.text import decode
from toolschema.providers._wire.calls import Call, Calls, failed
from toolschema.providers._wire.parts import field, is_part, named, parts, text, word, wrong
from toolschema.typing import StreamEvent

PROVIDER = "openai_responses"
COMPLETE = frozenset({"completed"})
"""The status after which nothing of a response is missing."""

_LIMITS = Limits()


class ResponsesAdapter:
    """One streamed response.

    Arguments come up to four times: in pieces, at their end, with their item
    and with the response. All must be the same.
    """

    def __init__(self) -> None:
        self._calls = Calls(COMPLETE)
        self._at: dict[int, Call] = {}
        self._of_item: dict[str, Call] = {}
        self._of_id: dict[str, Call] = {}
        self._last: Call | None = None
        self._texts: dict[Call, str] = {}
        self._number: int | None = None

    def push(self, chunk: Any) -> list[StreamEvent]:
        """The events that an event brings; a kind that is about no call brings none."""
        kind = field(chunk, "type") if is_part(chunk) else None
        if not isinstance(kind, str):
            raise wrong(PROVIDER, "type", "text", kind)
        self._in_order(chunk)
        step = _STEPS.get(kind)
        if step is None:
            return []
        step(self, chunk)
        return self._calls.take()

    def finish(self) -> list[StreamEvent]:
        """The events that the end of the stream brings."""
        return self._calls.take()

    def _in_order(self, event: Any) -> None:
        number = field(event, "sequence_number")
        if type(number) is int:
            if self._number is not None and number < self._number:
                raise StreamSequenceError(
                    "out_of_order", None, "an event has a lower number than the one before"
                )
            self._number = number

    def _added(self, event: Any) -> None:
        item = _item(event)
        if field(item, "type") != "function_call":
            return
        given, name = call_id(item, "item"), named(PROVIDER, "item.name", field(item, "name"))
        index = _index(event)
        if index in self._at:
            raise StreamSequenceError(
                "duplicate_start", self._at[index].index, "a call has started twice"
            )
        self._open(item, given, name, index)

    def _open(self, item: Any, given: str, name: str, index: int | None) -> Call:
        call = self._calls.open(given, name, item)
        self._last = call
        if given:
            self._of_id[given] = call
        own = field(item, "id")
        if isinstance(own, str):
            self._of_item[own] = call
        if index is not None:
            self._at[index] = call
        return call

    def _delta(self, event: Any) -> None:
        more = field(event, "delta")
        if not isinstance(more, str):
            raise wrong(PROVIDER, "delta", "text", more)
        call = self._call(event)
        if call is None:
            self._calls.stray(more)
        else:
            self._calls.extend(call, more)

    def _arguments_done(self, event: Any) -> None:
        call = self._call(event)
        if call is None:
            self._calls.stray_end()
        else:
            self._agree(call, text(PROVIDER, "arguments", field(event, "arguments")))

    def _done(self, event: Any) -> None:
        item = _item(event)
        if field(item, "type") != "function_call":
            return
        index = _index(event)
        call = None if index is None else self._at.get(index)
        call = call or self._of_id.get(call_id(item, "item"))
        if call is None:
            if index is not None or self._last is None or self._last.is_stopped:
                self._calls.stray_end()
                return
            call = self._last
        self._ended(call, item, "item")

    def _ended(self, call: Call, item: Any, place: str) -> None:
        """An item with its final arguments, which are all there is where no piece came."""
        final = text(PROVIDER, f"{place}.arguments", field(item, "arguments"))
        self._agree(call, final)
        given = call_id(item, place)
        if given and given != call.given:
            raise StreamSequenceError("id_changed", call.index, "a call ends with another id")
        call.name = named(PROVIDER, f"{place}.name", field(item, "name"))
        call.raw = item
        if call.has_text:
            call.final = self._texts.get(call)
        else:
            self._calls.extend(call, self._texts.get(call, ""))
        self._calls.stop(call)

    def _agree(self, call: Call, final: str) -> None:
        before = self._texts.get(call)
        if before is not None and final and not _is_same(before, final):
            raise StreamSequenceError(
                "arguments_mismatch", call.index, "the final arguments have come twice, and differ"
            )
        if final:
            self._texts[call] = final

    def _response(self, event: Any) -> None:
        """The whole response once more: what it has must be what has come."""
        response = field(event, "response")
        if not is_part(response):
            raise wrong(PROVIDER, "response", "an object", response)
        items = parts(PROVIDER, "response.output", field(response, "output"))
        for number, item in enumerate(items):
            if field(item, "type") != "function_call":
                continue
            place = f"response.output[{number}]"
            given = call_id(item, place)
            call = self._of_id.get(given)
            if call is None:
                name = named(PROVIDER, f"{place}.name", field(item, "name"))
                call = self._open(item, given, name, None)
            if call.is_stopped:
                self._agree(call, text(PROVIDER, f"{place}.arguments", field(item, "arguments")))
            else:
                self._ended(call, item, place)
        kind = field(event, "type")
        reason = "completed" if kind == "response.completed" else _reason(response)
        self._calls.finish(reason)

    def _failed(self, event: Any) -> None:
        response = field(event, "response")
        error = field(response, "error") if is_part(response) else None
        raise failed(field(error, "code") if is_part(error) else field(event, "code"))

    def _call(self, event: Any) -> Call | None:
        """The call that an event is about; the last one where it does not say."""
        index, own = _index(event), field(event, "item_id")
        other = self._of_item.get(own) if isinstance(own, str) else None
        if index is None:
            return other or self._last
        call = self._at.get(index)
        if call is not None and other is not None and other is not call:
            raise StreamSequenceError(
                "id_changed",
                other.index,
                "an event has one item's id and another's place",
            )
        return call or other


_STEPS: dict[str, Any] = {
    "response.output_item.added": ResponsesAdapter._added,
    "response.function_call_arguments.delta": ResponsesAdapter._delta,
    "response.function_call_arguments.done": ResponsesAdapter._arguments_done,
    "response.output_item.done": ResponsesAdapter._done,
    "response.completed": ResponsesAdapter._response,
    "response.incomplete": ResponsesAdapter._response,
    "response.failed": ResponsesAdapter._failed,
    "error": ResponsesAdapter._failed,
}


def call_id(item: Any, place: str) -> str:
    """What a result has to name: the ``call_id``, or the item's ``id`` where it is missing."""
    given = text(PROVIDER, f"{place}.call_id", field(item, "call_id"))
    return given or text(PROVIDER, f"{place}.id", field(item, "id"))


def _item(event: Any) -> Any:
    item = field(event, "item")
    if not is_part(item):
        raise wrong(PROVIDER, "item", "an object", item)
    return item


def _index(event: Any) -> int | None:
    index = field(event, "output_index")
    if not (index is None or type(index) is int):
        raise wrong(PROVIDER, "output_index", "an integer", index)
    return index


def _reason(response: Any) -> str:
    details = field(response, "incomplete_details")
    said = field(details, "reason") if is_part(details) else None
    return word(PROVIDER, "response.incomplete_details.reason", said) or "incomplete"


def _is_same(one: str, other: str) -> bool:
    """Whether two texts are one JSON value; white space and key order do not matter."""
    if one == other:
        return True
    values = []
    for each in (one, other):
        value, finding = decode(each, _LIMITS)
        if finding is not None:
            return False
        values.append(json.dumps(value, sort_keys=True))
    return values[0] == values[1]
