"""The calls of an answer, finished or streamed: their ids, and which were cut off."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

from toolschema import (
    Limits,
    StreamFinish,
    StreamSequenceError,
    ToolCall,
    ToolCallDelta,
    ToolCallEnd,
    ToolCallStart,
)
from toolschema._json.printable import undeclared
from toolschema._json.text import decode
from toolschema.typing import StreamEvent

_LIMITS = Limits()


def finished(found: list[ToolCall], *, is_complete: bool) -> list[ToolCall]:
    """The calls of a finished answer, if none of them is cut off.

    Those that have no id get one, and empty arguments become an object.

    A string that is one JSON object is whole, whatever the finish reason. Any
    other, or none, was cut off unless the answer is complete. An object was made
    by a decoder that may have closed what was left open: in an answer that is
    not complete, the last call cannot be trusted.

    Raises:
        StreamSequenceError: A call is, or may be, cut off (``truncated``).
    """
    if not is_complete:
        for index, call in enumerate(found):
            is_decoded = isinstance(call.arguments, dict)
            is_last = index == len(found) - 1
            if is_last if is_decoded else not _is_object(call.arguments):
                message = "the answer was cut off, and this call may be incomplete"
                raise StreamSequenceError("truncated", index, message)
    taken = {call.id for call in found}
    return [
        ToolCall(
            _call_id(call.id, index, taken),
            call.name,
            {} if _is_empty(call.arguments) else call.arguments,
            call.raw,
        )
        for index, call in enumerate(found)
    ]


def _is_object(text: str | None) -> bool:
    """Whether the text is one strict JSON object."""
    if text is None or not text.rstrip(" \t\n\r").endswith("}"):
        return False
    value, finding = decode(text, _LIMITS)
    return finding is None and type(value) is dict


def _is_empty(arguments: Any) -> bool:
    return arguments is None or (isinstance(arguments, str) and not arguments.strip(" \t\n\r"))


def _call_id(provider_id: str, number: int, taken: set[str]) -> str:
    """The provider's id, or ``call_<n>`` with the first free number."""
    if not provider_id:
        while f"call_{number}" in taken:
            number += 1
        provider_id = f"call_{number}"
    taken.add(provider_id)
    return provider_id


class Stream(Protocol):
    """One streamed answer of one provider, which reads chunks into its calls."""

    calls: Calls

    def read(self, chunk: Any) -> None: ...


def events(stream: Stream, chunks: Iterable[Any]) -> Iterator[StreamEvent]:
    """The events of a stream, as soon as each is known."""
    for chunk in chunks:
        stream.read(chunk)
        yield from stream.calls.take()
    stream.calls.end()
    yield from stream.calls.take()


async def aevents(stream: Stream, chunks: AsyncIterable[Any]) -> AsyncIterator[StreamEvent]:
    """The same for chunks that arrive asynchronously."""
    async for chunk in chunks:
        stream.read(chunk)
        for event in stream.calls.take():
            yield event
    for event in events(stream, ()):
        yield event


def failed(kind: object) -> StreamSequenceError:
    """What to raise where the provider itself reports that the answer failed."""
    shown = f' ("{undeclared(kind)}")' if isinstance(kind, str) and kind else ""
    return StreamSequenceError(
        "provider_error", None, f"the provider ended the stream with an error{shown}"
    )


@dataclass(eq=False, slots=True)
class Call:
    """One call while it arrives."""

    provider_id: str
    """Empty where the provider gives none."""
    name: str
    raw: Any
    id: str = ""
    index: int = -1  # until it has started
    final: Any = None
    """The arguments that the provider sends as a whole, if it does."""
    pieces: list[str] = field(default_factory=list)
    has_text: bool = False
    is_too_long: bool = False
    """Its text is passed on, and no longer kept."""
    is_stopped: bool = False
    """The provider says that it has ended."""
    is_ended: bool = False
    """Its end has been announced."""


class Calls:
    """The calls of one streamed answer, and the events that have not been taken yet.

    A call starts once its name is known; calls are numbered as they start. Where
    the provider says that a call has ended although its text is not an object, its
    end waits for the finish reason of the answer, which alone tells a call that was
    cut off from one that is wrong.

    Args:
        complete: The provider's finish reasons after which nothing is missing.
    """

    def __init__(self, complete: frozenset[str]) -> None:
        self.reason: str | None = None
        """The finish reason, as far as it is known."""
        self._complete = complete
        self._is_ended = False
        self._events: list[StreamEvent] = []
        self._unended: list[Call] = []
        self._taken_ids: set[str] = set()
        self._started = 0
        self._budget = _LIMITS.max_bytes

    def take(self) -> list[StreamEvent]:
        """The events since the last time."""
        taken = self._events
        self._events = []
        return taken

    def open(self, provider_id: str, name: str, raw: Any) -> Call:
        """A call begins; if it has a name, it starts."""
        call = Call(provider_id, name, raw)
        self._unended.append(call)
        if name:
            self.start(call)
        return call

    def start(self, call: Call) -> None:
        """Everything that the start of a call tells is known."""
        call.index = self._started
        call.id = _call_id(call.provider_id, call.index, self._taken_ids)
        self._started += 1
        self._events.append(ToolCallStart(call.index, call.id, call.name))
        for piece in call.pieces:
            self._events.append(ToolCallDelta(call.index, piece))

    def extend(self, call: Call | None, text: str) -> None:
        """More text of a call has arrived, or text of one that never began."""
        if call is None:
            self._events.append(ToolCallDelta(self._started, text))
            return
        if not text:
            return
        if call.is_stopped and not call.is_ended:
            self._end(call)  # or text after the end would become part of the call
        call.has_text = True
        if call.index >= 0:
            self._events.append(ToolCallDelta(call.index, text))
        self._budget -= len(text)
        if self._budget >= 0:
            call.pieces.append(text)
        elif not call.is_too_long:
            if call.index < 0:
                self.start(call)
                self._events.append(ToolCallDelta(call.index, text))
            call.is_too_long = True
            call.pieces.clear()

    def stray_end(self) -> None:
        """A call that never began has ended."""
        self._events.append(ToolCallEnd(self._started, ToolCall("", "", None)))

    def stop(self, call: Call, reason: str | None = None) -> None:
        """The provider says that a call has ended; or that the answer has, and why."""
        if call.index < 0:
            self.start(call)  # without a name, which is refused
        if reason in self._complete or call.is_stopped or not call.has_text or _is_whole(call):
            self._end(call)
        call.is_stopped = True

    def stop_all(self, reason: str) -> None:
        """The answer has ended, and every call with it."""
        for call in list(self._unended):
            if not call.is_stopped:
                self.stop(call, reason)

    def keep_reason(self, reason: str) -> None:
        """A finish reason has arrived, perhaps not the last one.

        The first that is not complete stays, whatever follows it.
        """
        if self.reason is None or self.reason in self._complete:
            self.reason = reason

    def end(self) -> None:
        """Nothing more arrives, and the reason that was kept is the answer's."""
        if self.reason is not None and not self._is_ended:
            self._is_ended = True
            self.finish(self.reason)

    def finish(self, reason: str) -> None:
        """Nothing more arrives."""
        for call in list(self._unended):
            if call.is_stopped and reason in self._complete:
                self._end(call)
        self._events.append(StreamFinish(reason))

    def _end(self, call: Call) -> None:
        if not call.is_ended:
            self._unended.remove(call)
            call.is_ended = True
            call.pieces.clear()
        final = ToolCall(call.id, call.name, call.final, call.raw)
        self._events.append(ToolCallEnd(call.index, final))


def _is_whole(call: Call) -> bool:
    return not call.is_too_long and _is_object("".join(call.pieces))
