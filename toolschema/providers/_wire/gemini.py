"""Streamed responses of Gemini to events of calls."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from toolschema.providers._wire.calls import Call, Calls, Reason, failed
from toolschema.providers._wire.parts import either, field, is_part, named, parts, text, word, wrong
from toolschema.providers._wire.patches import Patches
from toolschema.typing import StreamEvent

PROVIDER = "gemini"
COMPLETE = frozenset({"STOP"})
"""The reasons after which nothing of a response is missing."""

_PARTS = "candidates[0].content.parts"
_OTHERS = (
    ("usageMetadata", "usage_metadata"), ("promptFeedback", "prompt_feedback"),
    ("modelVersion", "model_version"), ("responseId", "response_id"),
)  # fmt: skip


class GeminiAdapter:
    """One streamed response.

    The reason is told at the end of the stream: some models say it in every
    chunk.
    """

    def __init__(self) -> None:
        self._calls = Calls(COMPLETE)
        self._reason = Reason(COMPLETE)
        self._open: Call | None = None
        self._patches = Patches()
        self._signature: Any = None

    def push(self, chunk: Any) -> list[StreamEvent]:
        """The events that a chunk brings."""
        if is_part(chunk):
            error = field(chunk, "error")
            if error is not None:
                raise failed(field(error, "status") if is_part(error) else None)
        candidate = candidate_of(chunk)
        if candidate is not None:
            for part, place in calls_of(candidate):
                self._part(part, place)
            reason = either(candidate, "finishReason", "finish_reason")
            if reason is not None:
                self._reason.say(word(PROVIDER, "candidates[0].finishReason", reason))
        return self._calls.take()

    def finish(self) -> list[StreamEvent]:
        """The events that the end of the stream brings."""
        if self._reason.said is not None:
            self._calls.finish(self._reason.said)
        return self._calls.take()

    def _part(self, part: Any, place: str) -> None:
        given = either(part, "functionCall", "function_call")
        patches = either(given, "partialArgs", "partial_args")
        continues = either(given, "willContinue", "will_continue") is True
        name = text(PROVIDER, f"{place}.name", field(given, "name"))
        call = self._open if self._open is not None and name in ("", self._open.name) else None
        if call is None and not (continues or patches):
            named(PROVIDER, f"{place}.name", name)
            call = self._calls.open(text(PROVIDER, f"{place}.id", field(given, "id")), name, part)
            call.final = arguments_of(given, place)
            self._calls.stop(call)
            return
        if call is None:
            named(PROVIDER, f"{place}.name", name)
            own = text(PROVIDER, f"{place}.id", field(given, "id"))
            call = self._open = self._calls.open(own, name, part)
            self._patches, self._signature = Patches(), None
        self._signature = either(part, "thoughtSignature", "thought_signature") or self._signature
        place = f"{place}.partialArgs"
        for number, patch in enumerate(parts(PROVIDER, place, patches)):
            self._patches.apply(patch, f"{place}[{number}]")
        if not continues:
            self._close(call)

    def _close(self, call: Call) -> None:
        """The patches are all there; *raw* is the part as it would have come whole."""
        call.final = self._patches.folded()
        whole = {"name": call.name, "args": call.final}
        call.raw = {"functionCall": {"id": call.given, **whole} if call.given else whole}
        if self._signature is not None:
            call.raw["thoughtSignature"] = self._signature
        self._open = None
        self._calls.stop(call)


def candidate_of(response: Any) -> Any:
    """The first candidate; None where a response may well have none."""
    if not is_part(response):
        raise wrong(PROVIDER, "", "an object", response)
    candidates = field(response, "candidates")
    if candidates is None and all(either(response, *names) is None for names in _OTHERS):
        raise wrong(PROVIDER, "candidates", "a list", None)
    return next(iter(parts(PROVIDER, "candidates", candidates)), None)


def calls_of(candidate: Any) -> Iterator[tuple[Any, str]]:
    """The parts that are calls, and the place of the call in each."""
    content = field(candidate, "content")
    if content is None:
        return
    if not is_part(content):
        raise wrong(PROVIDER, "candidates[0].content", "an object", content)
    for number, part in enumerate(parts(PROVIDER, _PARTS, field(content, "parts"))):
        call = either(part, "functionCall", "function_call")
        if call is not None:
            place = f"{_PARTS}[{number}].functionCall"
            if not is_part(call):
                raise wrong(PROVIDER, place, "an object", call)
            yield part, place


def arguments_of(call: Any, place: str) -> dict[str, Any]:
    """The arguments, which a call without any may leave out."""
    given = field(call, "args")
    if given is None:
        return {}
    if not isinstance(given, dict):
        raise wrong(PROVIDER, f"{place}.args", "an object", given)
    return given
