"""Streamed calls: checks the order of events, and gives each call once it is complete."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from io import StringIO
from typing import Any, NoReturn

from toolschema._calls.result import ToolCall
from toolschema._json.equality import arguments_key
from toolschema._json.limits import Limits
from toolschema._json.text import decode
from toolschema.errors import StreamSequenceError

COMPLETE = frozenset(
    {
        "complete", "completed", "end_turn", "function_call", "pause_turn", "stop",
        "stop_sequence", "tool_call", "tool_calls", "tool_use",
    }
)  # fmt: skip
"""Finish reasons, in lower case, after which no part of an answer is missing."""
_LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class ToolCallStart:
    """A call begins. *index* is its position among the calls of the stream."""

    index: int
    id: str
    name: str


@dataclass(frozen=True, slots=True)
class ToolCallDelta:
    """More of the JSON text of its arguments."""

    index: int
    arguments_delta: str


@dataclass(frozen=True, slots=True)
class ToolCallEnd:
    """A call ends, with the provider's final version of it."""

    index: int
    call: ToolCall
    """Its arguments are text or an object; None if there are only the deltas."""


@dataclass(frozen=True, slots=True)
class StreamFinish:
    """The answer has ended, for a *reason* in the provider's own words."""

    reason: str


StreamEvent = ToolCallStart | ToolCallDelta | ToolCallEnd | StreamFinish


class StreamValidator:
    """Takes the events of one streamed answer, and returns the calls that are complete.

    A call with text is complete when it ends: the text must be one strict JSON
    object, equal to the final arguments if the provider repeats them. A call
    without text (no arguments, or a decoded object) could have been cut off
    before its first character, so it is complete only when the stream finishes
    for a reason in `COMPLETE`. Nothing is ever repaired.

    Feed each event and run what comes back: ``toolbox.call(call)`` validates it.
    An error ends the stream; calls returned before it are good.

    Args:
        max_bytes: Characters of all arguments together, 16 MiB by default.
        max_calls: Calls in one stream, 128 by default.
        names: The only names that a call may have. Default: any.

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
        self._calls: dict[int, tuple[ToolCallStart, StringIO] | None] = {}  # None once ended
        self._ids: set[str] = set()
        self._held: list[tuple[int, ToolCall]] = []
        self._reason: str | None = None
        self._is_broken = False

    def feed(self, event: StreamEvent) -> list[ToolCall]:
        """Take the next event, and return the calls that it completes.

        Raises:
            StreamSequenceError: The events do not form a complete answer; its
                ``code`` says why.
            TypeError: *event* is not a stream event.
        """
        step = _STEPS.get(type(event))
        if step is None:
            raise TypeError(f"event must be a stream event, not {type(event).__name__}")
        index = getattr(event, "index", None)
        if self._is_broken:
            self._refuse("event_after_error", index, "an event came after an error")
        if self._reason is not None and event != StreamFinish(self._reason):
            self._refuse("event_after_finish", index, "an event came after the finish")
        calls: list[ToolCall] = step(self, event)
        return calls

    def close(self) -> list[ToolCall]:
        """End the stream: no more events will come.

        Raises:
            StreamSequenceError: There was no `StreamFinish`.
        """
        if self._reason is None and not self._is_broken:
            self._refuse("stream_ended_early", None, "the stream ended before it finished")
        return []

    def _start(self, event: ToolCallStart) -> list[ToolCall]:
        index = event.index
        if index in self._calls:
            self._refuse("duplicate_start", index, "the call has already started")
        if not event.name:
            self._refuse("missing_name", index, "the call has no name")
        if not event.id:
            self._refuse("missing_id", index, "the call has no id")
        if event.id in self._ids:
            self._refuse("duplicate_id", index, "an earlier call has the same id")
        if self._names is not None and event.name not in self._names:
            self._refuse("unknown_tool", index, "the call names an unknown tool")
        if len(self._ids) >= self._max_calls:
            self._refuse("too_many_calls", index, f"there are more than {self._max_calls} calls")
        self._ids.add(event.id)
        self._calls[index] = event, StringIO()
        return []

    def _delta(self, event: ToolCallDelta) -> list[ToolCall]:
        _, text = self._opened(event.index, "delta_before_start", "delta_after_end")
        self._size += len(event.arguments_delta)
        if self._size > self._limits.max_bytes:
            problem = f"the arguments have more than {self._limits.max_bytes} characters"
            self._refuse("arguments_too_large", event.index, problem)
        text.write(event.arguments_delta)
        return []

    def _end(self, event: ToolCallEnd) -> list[ToolCall]:
        index, final = event.index, event.call
        start, written = self._opened(index, "end_before_start", "duplicate_end")
        if final.id != start.id:
            self._refuse("id_changed", index, "the call ends with a different id")
        if final.name != start.name:
            self._refuse("name_changed", index, "the call ends with a different name")
        self._calls[index] = None
        text = written.getvalue()
        if not text.strip(" \t\n\r"):
            self._held.append((index, final))
            return []
        value, given = self._object(index, text), final.arguments
        if isinstance(given, str):
            given = None if given in ("", text) else self._object(index, given)
        if given is not None and arguments_key(given) != arguments_key(value):
            problem = "the final arguments differ from those that were streamed"
            self._refuse("arguments_mismatch", index, problem)
        return [replace(final, arguments=text)]

    def _finish(self, event: StreamFinish) -> list[ToolCall]:
        if self._reason is not None:
            return []
        self._reason = event.reason
        is_complete = event.reason.lower() in COMPLETE
        unfinished = [index for index, call in self._calls.items() if call is not None]
        if unfinished and is_complete:
            self._refuse("unfinished_call", min(unfinished), "the call has not ended")
        if unfinished:
            self._refuse("truncated", min(unfinished), "the answer was cut off inside the call")
        if self._held and not is_complete:
            index = self._held[0][0]
            self._refuse("truncated", index, "the answer was cut off before the call was complete")
        return [self._without_text(index, call) for index, call in self._held]

    def _without_text(self, index: int, call: ToolCall) -> ToolCall:
        given = call.arguments
        if given is None or (isinstance(given, (str, bytes)) and not given.strip()):
            return replace(call, arguments={})
        self._object(index, given)
        return call

    def _opened(self, index: int, before: str, after: str) -> tuple[ToolCallStart, StringIO]:
        call = self._calls.get(index)
        if call is None:
            if index in self._calls:
                self._refuse(after, index, "the call has already ended")
            self._refuse(before, index, "the call has not started")
        return call

    def _object(self, index: int, given: Any) -> dict[str, Any]:
        if isinstance(given, (str, bytes)):
            given, finding = decode(given, self._limits)
            if finding is not None:
                problem = finding.about("arguments", hides_undeclared=True)
                self._refuse("invalid_json", index, problem)
        if type(given) is not dict:
            self._refuse("not_an_object", index, "the arguments must be a JSON object")
        return given

    def _refuse(self, code: str, index: int | None, message: str) -> NoReturn:
        self._is_broken = True
        raise StreamSequenceError(code, index, message)


_STEPS: dict[type, Any] = {
    ToolCallStart: StreamValidator._start,
    ToolCallDelta: StreamValidator._delta,
    ToolCallEnd: StreamValidator._end,
    StreamFinish: StreamValidator._finish,
}
