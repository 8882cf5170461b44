"""Calls while they come in: events in the order in which a provider gives them."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator
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
from toolschema.providers._wire.finished import is_object
from toolschema.providers._wire.parts import Ids
from toolschema.typing import StreamEvent


class Adapter(Protocol):
    """One streamed answer of one provider: the events that a chunk and the end bring."""

    def push(self, chunk: Any) -> list[StreamEvent]: ...

    def finish(self) -> list[StreamEvent]: ...


def events(adapter: Adapter, chunks: Iterable[Any]) -> Iterator[StreamEvent]:
    """The events of a stream, as soon as each is known."""
    for chunk in chunks:
        yield from adapter.push(chunk)
    yield from adapter.finish()


async def aevents(adapter: Adapter, chunks: AsyncIterable[Any]) -> AsyncIterator[StreamEvent]:
    """The same of a stream that is awaited."""
    async for chunk in chunks:
        for event in adapter.push(chunk):
            yield event
    for event in adapter.finish():
        yield event


def failed(kind: object) -> StreamSequenceError:
    """What to raise where the provider itself says that the answer failed."""
    said = f' ("{undeclared(kind)}")' if isinstance(kind, str) and kind else ""
    return StreamSequenceError(
        "provider_error", None, f"the provider ended the stream with an error{said}"
    )


class Call:
    """One call while it comes in."""

    __slots__ = (
        "final", "given", "has_text", "id", "index", "is_ended", "is_lost", "is_stopped", "name",
        "pieces", "raw",
    )  # fmt: skip

    def __init__(self, given: str, name: str, raw: Any) -> None:
        self.given = given
        """The provider's id; empty where it has none."""
        self.name = name
        self.raw = raw
        self.id = ""
        self.index = -1  # until it has started
        self.final: Any = None
        self.pieces: list[str] = []
        self.has_text = False
        self.is_lost = False
        self.is_stopped = False
        self.is_ended = False


class Calls:
    """The calls of one answer, and the events that have not been taken yet.

    A call starts once its name is known, and its index is its place among those
    that have started. Where the provider says that it has ended although its
    text is no object, its end waits for the reason why the answer finished: it
    alone tells a call that was cut off from one that is wrong.

    Args:
        complete: The provider's reasons after which nothing is missing.
    """

    def __init__(self, complete: frozenset[str]) -> None:
        self._complete = complete
        self._events: list[StreamEvent] = []
        self._unended: list[Call] = []
        self._ids = Ids()
        self._started = 0
        self._room = Limits().max_bytes

    def take(self) -> list[StreamEvent]:
        """The events since the last time."""
        taken = self._events
        self._events = []
        return taken

    def open(self, given: str, name: str, raw: Any) -> Call:
        """A call begins; with a name, it starts."""
        call = Call(given, name, raw)
        self._unended.append(call)
        if name:
            self.start(call)
        return call

    def start(self, call: Call) -> None:
        """All that has to be known of a call is known."""
        call.index = self._started
        call.id = self._ids.of(call.given, call.index)
        self._started += 1
        self._events.append(ToolCallStart(call.index, call.id, call.name))
        for piece in call.pieces:
            self._events.append(ToolCallDelta(call.index, piece))

    def extend(self, call: Call, text: str) -> None:
        """More text of a call has come."""
        if not text:
            return
        if call.is_stopped and not call.is_ended:
            self._end(call)  # or what comes after the end would be part of it
        call.has_text = True
        if call.index >= 0:
            self._events.append(ToolCallDelta(call.index, text))
        self._room -= len(text)
        if self._room >= 0:
            call.pieces.append(text)
        elif not call.is_lost:
            if call.index < 0:
                self.start(call)
                self._events.append(ToolCallDelta(call.index, text))
            call.is_lost = True
            call.pieces.clear()

    def stray(self, text: str) -> None:
        """Text has come of a call that never began."""
        self._events.append(ToolCallDelta(self._started, text))

    def stray_end(self) -> None:
        """A call that never began has ended."""
        self._events.append(ToolCallEnd(self._started, ToolCall("", "", None)))

    def stop(self, call: Call, reason: str | None = None) -> None:
        """The provider says that a call has ended; or that the answer has, and why."""
        if call.index < 0:
            self.start(call)  # without a name, which is refused
        is_complete = reason in self._complete
        if is_complete or call.is_stopped or not call.has_text or self._is_whole(call):
            self._end(call)
        call.is_stopped = True

    def stop_all(self, reason: str) -> None:
        """The answer has ended, and with it every call."""
        for call in list(self._unended):
            if not call.is_stopped:
                self.stop(call, reason)

    def finish(self, reason: str) -> None:
        """Nothing more comes."""
        for call in list(self._unended):
            if call.is_stopped and reason in self._complete:
                self._end(call)
        self._events.append(StreamFinish(reason))

    def _is_whole(self, call: Call) -> bool:
        return not call.is_lost and is_object("".join(call.pieces))

    def _end(self, call: Call) -> None:
        if not call.is_ended:
            self._unended.remove(call)
            call.is_ended = True
            call.pieces.clear()
        final = ToolCall(call.id, call.name, call.final, call.raw)
        self._events.append(ToolCallEnd(call.index, final))


class Reason:
    """Why an answer finished, of a provider that may say so more than once.

    The first reason that is not complete stays, whatever is said after it.
    """

    def __init__(self, complete: frozenset[str]) -> None:
        self._complete = complete
        self.said: str | None = None

    def say(self, reason: str) -> None:
        """Another reason has come."""
        if self.said is None or self.said in self._complete:
            self.said = reason
