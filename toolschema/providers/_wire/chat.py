"""Chunks of Chat Completions, the copies' own kinds included, to events."""

from __future__ import annotations

from typing import Any

from toolschema import StreamSequenceError
from toolschema._json.printable import undeclared
from toolschema.errors import ProviderFormatError
from toolschema.providers._wire.calls import Call, Calls, Reason, failed
from toolschema.providers._wire.parts import field, is_part, parts, text, word, wrong
from toolschema.typing import StreamEvent

PROVIDER = "openai_chat"
COMPLETE = frozenset({"function_call", "stop", "tool_calls"})
"""The reasons after which nothing of an answer is missing."""

_NO_ID = frozenset({"", "null", "None"})
_DELTA = "choices[0].delta"


def own_id(value: Any, place: str) -> str:
    """The id of a call; empty where there is none, however a server says so."""
    given = text(PROVIDER, place, value)
    return "" if given in _NO_ID else given


def deprecated(place: str) -> ProviderFormatError:
    """What to raise for the form that calls had before there were tools."""
    return ProviderFormatError(PROVIDER, place, 'is not read; send "tools", not "functions"')


class ChatAdapter:
    """One streamed answer.

    The reason is told at the end of the stream: some servers say it twice, or
    send a call in the chunk that says it.
    """

    def __init__(self) -> None:
        self._calls = Calls(COMPLETE)
        self._reason = Reason(COMPLETE)
        # None stands for a call that is not ours.
        self._at: dict[int, Call | None] = {}
        self._of_id: dict[tuple[int | None, str], Call] = {}
        self._last: Call | None = None
        self._is_last_ours = True

    def push(self, chunk: Any) -> list[StreamEvent]:
        """The events that a chunk brings."""
        if not is_part(chunk):
            raise wrong(PROVIDER, "", "an object", chunk)
        choices = field(chunk, "choices")
        if not choices:
            self._without_choices(chunk, choices)
            return []
        for choice in parts(PROVIDER, "choices", choices):
            if not field(choice, "index"):
                self._choice(choice, chunk)
        return self._calls.take()

    def finish(self) -> list[StreamEvent]:
        """The events that the end of the stream brings."""
        if self._reason.said is not None:
            self._calls.finish(self._reason.said)
        return self._calls.take()

    def _without_choices(self, chunk: Any, choices: Any) -> None:
        _expect_no_error(chunk)
        parts(PROVIDER, "choices", choices)
        if choices is None and field(chunk, "usage") is None:
            kind = field(chunk, "type")
            if isinstance(kind, str):
                raise ProviderFormatError(PROVIDER, "type", f'"{undeclared(kind)}" is of no chunk')
            raise wrong(PROVIDER, "choices", "a list", None)

    def _choice(self, choice: Any, chunk: Any) -> None:
        delta = field(choice, "delta")
        if delta is not None:
            if not is_part(delta):
                raise wrong(PROVIDER, _DELTA, "an object", delta)
            if field(delta, "function_call") is not None:
                raise deprecated(f"{_DELTA}.function_call")
            entries = field(delta, "tool_calls")
            if entries:
                seen: set[Call] = set()
                for number, entry in enumerate(parts(PROVIDER, f"{_DELTA}.tool_calls", entries)):
                    self._entry(entry, number, seen)
        reason = field(choice, "finish_reason")
        if reason:
            _expect_no_error(chunk)
            said = word(PROVIDER, "choices[0].finish_reason", reason)
            self._reason.say(said)
            self._calls.stop_all(said)

    def _entry(self, entry: Any, number: int, seen: set[Call]) -> None:
        """One piece of one call; *seen* are the calls of which its chunk had others."""
        function = field(entry, "function")
        name, arguments = "", None
        if function is not None:
            if not is_part(function):
                raise wrong(PROVIDER, _place(number, "function"), "an object", function)
            name, arguments = field(function, "name"), field(function, "arguments")
            if name is None:
                name = ""
            elif not isinstance(name, str):
                raise wrong(PROVIDER, _place(number, "function.name"), "text", name)
        call = self._call(entry, number, name, seen)
        if call is None:
            return
        seen.add(call)
        if name:
            if call.index < 0:
                call.name = name
                self._calls.start(call)
            call.name = name  # another one is refused at the end
        if arguments is None or arguments == "":
            return
        if isinstance(arguments, str):
            self._calls.extend(call, arguments)
        elif isinstance(arguments, dict):
            self._object(call, arguments)
        else:
            raise wrong(PROVIDER, _place(number, "function.arguments"), "text", arguments)

    def _object(self, call: Call, arguments: dict[str, Any]) -> None:
        if call.final is not None and call.final != arguments:
            index = None if call.index < 0 else call.index
            raise StreamSequenceError(
                "arguments_mismatch", index, "a call has come twice, with other arguments"
            )
        if call.is_ended:
            self._calls.stop(call)
        call.final = arguments

    def _call(self, entry: Any, number: int, name: str, seen: set[Call]) -> Call | None:
        """The call that a piece belongs to; None if it is not ours."""
        index = field(entry, "index")
        if not (index is None or type(index) is int):
            raise wrong(PROVIDER, _place(number, "index"), "an integer", index)
        given = field(entry, "id")
        given = own_id(given, _place(number, "id")) if given else ""
        kind = field(entry, "type")
        if kind == "custom":
            self._keep(None, index)
            return None
        if kind not in (None, "", "function") and field(entry, "function") is None:
            shown = undeclared(kind) if isinstance(kind, str) else type(kind).__name__
            raise ProviderFormatError(
                PROVIDER, _place(number, "type"), f'"{shown}" is of no call that is known'
            )
        call = self._of_id.get((index, given)) if given else None
        if call is None:
            if index is not None:
                call = self._at.get(index)
                is_ours = call is not None or index not in self._at
            else:
                call = None if given or name else self._last
                is_ours = self._is_last_ours
            if not (is_ours or given or name):
                return None
            if call is None or _is_another(call, given, name, is_repeated=call in seen):
                call = self._calls.open(given, name, entry)
            elif given and not call.given and call.index < 0:
                call.given = given
            if given:
                self._of_id[index, given] = call
        self._keep(call, index)
        return call

    def _keep(self, call: Call | None, index: int | None) -> None:
        self._last, self._is_last_ours = call, call is not None
        if index is not None:
            self._at[index] = call


def _expect_no_error(chunk: Any) -> None:
    error = field(chunk, "error")
    if error is not None:
        raise failed((field(error, "type") or field(error, "code")) if is_part(error) else None)


def _is_another(call: Call, given: str, name: str, *, is_repeated: bool) -> bool:
    """Whether a piece at the place of a call begins another one.

    Only a piece with an id or a name can. An id decides: the same is the same
    call, another is another. Without one, another name is another call; and so
    is any name where one chunk has two pieces for one place.
    """
    if given and call.given:
        return given != call.given
    if not (name and call.name):
        return False
    return name != call.name or is_repeated or bool(given and call.index >= 0)


def _place(number: int, name: str) -> str:
    return f"{_DELTA}.tool_calls[{number}].{name}"
