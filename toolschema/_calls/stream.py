"""Streamed calls: events in the order that they must have, and calls only when whole."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from io import StringIO
from typing import Any, NoReturn

from toolschema._calls.result import ToolCall
from toolschema._json.equality import canonical
from toolschema._json.limits import Limits
from toolschema._json.text import decode
from toolschema.errors import StreamSequenceError

COMPLETE = frozenset(
    {
        "complete", "completed", "end_turn", "function_call", "pause_turn", "stop",
        "stop_sequence", "tool_call", "tool_calls", "tool_use",
    }
)  # fmt: skip
"""Reasons, in small letters, after which nothing of an answer is missing."""
_LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class ToolCallStart:
    """A call begins. *index* is its place among the calls of the stream."""

    index: int
    id: str
    name: str


@dataclass(frozen=True, slots=True)
class ToolCallDelta:
    """More text of its arguments."""

    index: int
    arguments_delta: str


@dataclass(frozen=True, slots=True)
class ToolCallEnd:
    """The call as the provider has it in the end."""

    index: int
    call: ToolCall
    """Its arguments are text or an object; None where the deltas are all there is."""


@dataclass(frozen=True, slots=True)
class StreamFinish:
    """The answer has ended. *reason* is the provider's own word for why."""

    reason: str


StreamEvent = ToolCallStart | ToolCallDelta | ToolCallEnd | StreamFinish


@dataclass(slots=True)
class _Open:
    """One call while it comes in."""

    id: str
    name: str
    text: StringIO = field(default_factory=StringIO)
    size: int = 0


class StreamValidator:
    """Takes the events of one streamed answer, and gives the calls that are whole.

    A call with text is whole at its end: the text must be one strict JSON
    object, and equal to the final arguments where the provider repeats them. A
    call without text (no arguments, or an object handed over as it is) could as
    well have been cut off before its first character; so it is whole when the
    stream finishes for a reason in `COMPLETE`. Nothing is ever repaired.

    Feed an event and run what comes back: ``toolbox.call(call)`` holds it to its
    schema. After an error the stream is over; what was given before is good.

    Args:
        max_bytes: Characters of all arguments together.
        max_calls: Calls in one stream.
        names: Where given, the only names that a call may have.

    >>> stream = StreamValidator()
    >>> stream.feed(ToolCallStart(0, "call_1", "read"))
    []
    >>> stream.feed(ToolCallDelta(0, '{"path": "a.txt"}'))
    []
    >>> [done] = stream.feed(ToolCallEnd(0, ToolCall("call_1", "read", None)))
    >>> done.arguments
    '{"path": "a.txt"}'
    >>> stream.feed(StreamFinish("tool_calls")), stream.close()
    ([], [])
    """

    def __init__(
        self,
        *,
        max_bytes: int = _LIMITS.max_bytes,
        max_calls: int = 128,
        names: Collection[str] | None = None,
    ) -> None:
        self._limits = Limits(max_bytes=max_bytes)
        self._max_calls = max_calls
        self._names = names
        self._size = 0
        self._open: dict[int, _Open] = {}
        self._ended: set[int] = set()
        self._ids: set[str] = set()
        self._held: list[tuple[int, ToolCall]] = []
        self._reason: str | None = None
        self._is_broken = False

    def feed(self, event: StreamEvent) -> list[ToolCall]:
        """Take the next event; answer the calls that are whole with it.

        Raises:
            StreamSequenceError: The stream is not what a whole answer looks
                like; its ``code`` says why.
            TypeError: *event* is none.
        """
        step = _STEPS.get(type(event))
        if step is None:
            raise TypeError(f"event must be an event of a stream, not {type(event).__name__}")
        index = getattr(event, "index", None)
        if self._is_broken:
            self._refuse("event_after_error", index, "an event came after an error")
        if self._reason is not None and event != StreamFinish(self._reason):
            self._refuse("event_after_finish", index, "an event came after the finish")
        calls: list[ToolCall] = step(self, event)
        return calls

    def close(self) -> list[ToolCall]:
        """The stream is over: nothing more comes.

        Raises:
            StreamSequenceError: It never finished.
        """
        if self._reason is None and not self._is_broken:
            self._refuse("stream_ended_early", None, "the stream ended without a finish")
        return []

    def _start(self, event: ToolCallStart) -> list[ToolCall]:
        index = event.index
        if index in self._open or index in self._ended:
            self._refuse("duplicate_start", index, "a call has started twice")
        if not event.name:
            self._refuse("missing_name", index, "a call has no name")
        if not event.id:
            self._refuse("missing_id", index, "a call has no id")
        if event.id in self._ids:
            self._refuse("duplicate_id", index, "two calls have the same id")
        if self._names is not None and event.name not in self._names:
            self._refuse("unknown_tool", index, "a call names a tool that there is not")
        if len(self._ids) >= self._max_calls:
            self._refuse("too_many_calls", index, f"there are more than {self._max_calls} calls")
        self._ids.add(event.id)
        self._open[index] = _Open(event.id, event.name)
        return []

    def _delta(self, event: ToolCallDelta) -> list[ToolCall]:
        call = self._opened(event.index, "delta_before_start", "delta_after_end")
        self._size += len(event.arguments_delta)
        if self._size > self._limits.max_bytes:
            most = self._limits.max_bytes
            self._refuse(
                "arguments_too_large", event.index, f"arguments have more than {most} characters"
            )
        call.text.write(event.arguments_delta)
        call.size += len(event.arguments_delta)
        return []

    def _end(self, event: ToolCallEnd) -> list[ToolCall]:
        index, final = event.index, event.call
        call = self._opened(index, "end_before_start", "duplicate_end")
        if final.id != call.id:
            self._refuse("id_changed", index, "a call ends with another id")
        if final.name != call.name:
            self._refuse("name_changed", index, "a call ends with another name")
        del self._open[index]
        self._ended.add(index)
        text = call.text.getvalue()
        if not text.strip(" \t\n\r"):
            self._held.append((index, final))
            return []
        value = self._decoded(index, text)
        if not self._agree(index, text, value, final.arguments):
            self._refuse(
                "arguments_mismatch", index, "the final arguments are not those that were streamed"
            )
        return [ToolCall(final.id, final.name, text, final.raw)]

    def _finish(self, event: StreamFinish) -> list[ToolCall]:
        if self._reason is not None:
            return []
        self._reason = event.reason
        is_complete = event.reason.lower() in COMPLETE
        if self._open:
            index = min(self._open)
            if is_complete:
                self._refuse("unfinished_call", index, "a call has not ended")
            self._refuse("truncated", index, "the answer was cut off inside a call")
        if self._held and not is_complete:
            index = self._held[0][0]
            self._refuse("truncated", index, "the answer was cut off before a call was whole")
        return [self._without_text(index, call) for index, call in self._held]

    def _without_text(self, index: int, call: ToolCall) -> ToolCall:
        given = call.arguments
        if given is None or (isinstance(given, (str, bytes)) and not given.strip()):
            return ToolCall(call.id, call.name, {}, call.raw)
        if isinstance(given, (str, bytes)):
            self._decoded(index, given)
        elif type(given) is not dict:
            self._refuse("not_an_object", index, "arguments are no JSON object")
        return call

    def _opened(self, index: int, before: str, after: str) -> _Open:
        call = self._open.get(index)
        if call is None:
            if index in self._ended:
                self._refuse(after, index, "an event came for a call that has ended")
            self._refuse(before, index, "an event came for a call that has not started")
        return call

    def _decoded(self, index: int, text: str | bytes) -> dict[str, Any]:
        value, finding = decode(text, self._limits)
        if finding is not None:
            self._refuse("invalid_json", index, finding.about("arguments", hides_undeclared=True))
        if type(value) is not dict:
            self._refuse("not_an_object", index, "arguments are no JSON object")
        return value

    def _agree(self, index: int, text: str, value: dict[str, Any], final: Any) -> bool:
        if final is None or (isinstance(final, str) and (final == text or not final)):
            return True
        final = self._decoded(index, final) if isinstance(final, str) else final
        return canonical(value) == canonical(final)

    def _refuse(self, code: str, index: int | None, message: str) -> NoReturn:
        self._is_broken = True
        raise StreamSequenceError(code, index, message)


_STEPS: dict[type, Any] = {
    ToolCallStart: StreamValidator._start,
    ToolCallDelta: StreamValidator._delta,
    ToolCallEnd: StreamValidator._end,
    StreamFinish: StreamValidator._finish,
}
