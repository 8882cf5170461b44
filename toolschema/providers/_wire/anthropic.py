"""Events of a streamed message to events of calls."""

from __future__ import annotations

from typing import Any

from toolschema import StreamSequenceError
from toolschema._json.printable import undeclared
from toolschema.errors import ProviderFormatError
from toolschema.providers._wire.calls import Call, Calls, failed
from toolschema.providers._wire.parts import field, is_part, named, parts, text, word, wrong
from toolschema.typing import StreamEvent

PROVIDER = "anthropic"
COMPLETE = frozenset({"end_turn", "pause_turn", "stop_sequence", "tool_use"})
"""The reasons after which nothing of a message is missing."""


class AnthropicAdapter:
    """One streamed message.

    The input that a block starts with is a placeholder, ``{}``, and never a part
    of the text; where it holds more, it is the input, and any text must agree.
    """

    def __init__(self) -> None:
        self._calls = Calls(COMPLETE)
        self._blocks: dict[int, Call | None] = {}  # None: a block that is no call of ours
        self._reason = ""
        self._is_begun = False
        self._is_finished = False

    def push(self, chunk: Any) -> list[StreamEvent]:
        """The events that an event brings; unknown kinds are to be ignored."""
        kind = field(chunk, "type") if is_part(chunk) else None
        if not isinstance(kind, str):
            raise wrong(PROVIDER, "type", "text", kind)
        step = _STEPS.get(kind)
        if step is None:
            return []
        step(self, chunk)
        return self._calls.take()

    def finish(self) -> list[StreamEvent]:
        """The events that the end of the stream brings."""
        self._message_stop(None)
        return self._calls.take()

    def _message_start(self, event: Any) -> None:
        message = field(event, "message")
        if not is_part(message):
            raise wrong(PROVIDER, "message", "an object", message)
        if self._is_begun:
            raise StreamSequenceError("second_message", None, "a second message has begun")
        self._is_begun = True
        # The provider may hand over calls that its own code has made at once.
        content = parts(PROVIDER, "message.content", field(message, "content"))
        for number, block in enumerate(content):
            if field(block, "type") == "tool_use":
                self._calls.stop(self._open(block, f"message.content[{number}]"))
        self._say(field(message, "stop_reason"), "message.stop_reason")

    def _block_start(self, event: Any) -> None:
        index, block = _index(event), field(event, "content_block")
        if not is_part(block):
            raise wrong(PROVIDER, "content_block", "an object", block)
        if index in self._blocks:
            call = self._blocks[index]
            number = None if call is None else call.index
            raise StreamSequenceError("duplicate_start", number, "a block has started twice")
        is_call = field(block, "type") == "tool_use"
        self._blocks[index] = self._open(block, "content_block") if is_call else None

    def _open(self, block: Any, place: str) -> Call:
        given = text(PROVIDER, f"{place}.id", field(block, "id"))
        call = self._calls.open(
            given, named(PROVIDER, f"{place}.name", field(block, "name")), block
        )
        filled = field(block, "input")
        if not (filled is None or isinstance(filled, dict)):
            raise wrong(PROVIDER, f"{place}.input", "an object", filled)
        call.final = filled or None
        return call

    def _block_delta(self, event: Any) -> None:
        delta = field(event, "delta")
        if not is_part(delta):
            raise wrong(PROVIDER, "delta", "an object", delta)
        index, kind = _index(event), field(delta, "type")
        call = self._blocks.get(index)
        if call is None and (kind != "input_json_delta" or index in self._blocks):
            return
        if kind != "input_json_delta":
            shown = undeclared(kind) if isinstance(kind, str) else type(kind).__name__
            raise ProviderFormatError(PROVIDER, "delta.type", f'"{shown}" is of no tool call')
        more = field(delta, "partial_json")
        if not isinstance(more, str):
            raise wrong(PROVIDER, "delta.partial_json", "text", more)
        if call is None:
            self._calls.stray(more)
        else:
            self._calls.extend(call, more)

    def _block_stop(self, event: Any) -> None:
        index = _index(event)
        if index not in self._blocks:
            self._calls.stray_end()
            return
        call = self._blocks[index]
        if call is not None:
            self._calls.stop(call)

    def _message_delta(self, event: Any) -> None:
        delta = field(event, "delta")
        if not is_part(delta):
            raise wrong(PROVIDER, "delta", "an object", delta)
        self._say(field(delta, "stop_reason"), "delta.stop_reason")

    def _say(self, reason: Any, place: str) -> None:
        self._reason = word(PROVIDER, place, reason) or self._reason

    def _message_stop(self, event: Any) -> None:
        if self._reason and not self._is_finished:
            self._is_finished = True
            self._calls.finish(self._reason)

    def _error(self, event: Any) -> None:
        error = field(event, "error")
        raise failed(field(error, "type") if is_part(error) else None)


_STEPS: dict[str, Any] = {
    "message_start": AnthropicAdapter._message_start,
    "content_block_start": AnthropicAdapter._block_start,
    "content_block_delta": AnthropicAdapter._block_delta,
    "content_block_stop": AnthropicAdapter._block_stop,
    "message_delta": AnthropicAdapter._message_delta,
    "message_stop": AnthropicAdapter._message_stop,
    "error": AnthropicAdapter._error,
}


def _index(event: Any) -> int:
    index = field(event, "index")
    if type(index) is not int:
        raise wrong(PROVIDER, "index", "an integer", index)
    return index
