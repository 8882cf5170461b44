"""Streams recorded by others: their calls are found however the bytes are chunked."""

from __future__ import annotations

import asyncio
import importlib
import json
import os
from collections.abc import AsyncIterator, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import foreign_rows

from toolschema import StreamSequenceError, StreamValidator, ToolCall

Calls = list[tuple[str, Any]]

# The calls in recordings for which the index, made mechanically, is wrong: the block
# of a call carries its input at its start, and each of the following responses in
# the file adds one more call in its first event.
PROGRAMMATIC = "vercel_ai__anthropic__anthropic-programmatic-tool-calling.1.chunks.jsonl"
CORRECTED: dict[str, Calls] = {
    PROGRAMMATIC: [("rollDie", {"player": f"player{number}"}) for number in (1, *[2, 1] * 6, 2)],
}
# Complete calls in an incomplete stream: refused, as the index expects.
REFUSED = {
    # The recording has no finish reason.
    "llm__test_tools_streaming_variant_a_0.sse": "stream_ended_early",
    # A second message begins within a call of the first.
    "vercel_ai__anthropic__spliced-message-start.chunks.jsonl": "second_message",
}


class Decoder:
    """Decode server-sent events, or one JSON document per line, from chunks of bytes."""

    def __init__(self, *, is_sse: bool) -> None:
        self._is_sse = is_sse
        self._rest = b""
        self._data: list[bytes] = []

    def feed(self, data: bytes) -> Iterator[Any]:
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            yield from self._line(line.rstrip(b"\r"))

    def close(self) -> Iterator[Any]:
        for line in (self._rest, b""):
            yield from self._line(line)

    def _line(self, line: bytes) -> Iterator[Any]:
        if not self._is_sse:
            yield from self._chunk(line)
        elif line.startswith(b"data:"):
            self._data.append(line.removeprefix(b"data:"))
        elif not line:
            data, self._data = b"\n".join(self._data), []
            yield from self._chunk(data)

    def _chunk(self, data: bytes) -> Iterator[Any]:
        if data.strip() not in {b"", b"[DONE]"}:
            yield json.loads(data)


def decoded(pieces: Iterable[bytes], *, is_sse: bool) -> list[Any]:
    decoder = Decoder(is_sse=is_sse)
    chunks = [chunk for piece in pieces for chunk in decoder.feed(piece)]
    return chunks + list(decoder.close())


def responses(chunks: list[Any]) -> list[list[Any]]:
    """A file can hold several responses, one after the other."""
    found: list[list[Any]] = [[]]
    for chunk in chunks:
        if chunk.get("type") == "message_start" and found[-1]:
            before = found[-1][-1]["type"]
            if before == "message_stop":
                found.append([])
        found[-1].append(chunk)
    return found


def calls_in(api: str, chunks: list[Any]) -> list[ToolCall]:
    provider = importlib.import_module(f"toolschema.providers.{api}")
    calls = []
    for response in responses(chunks):
        stream = StreamValidator()
        for event in provider.stream_events(response):
            calls += stream.feed(event)
        calls += stream.close()
    return calls


def plain(calls: list[ToolCall]) -> Calls:
    return [(call.name, loaded(call.arguments)) for call in calls]


def loaded(arguments: Any) -> Any:
    return json.loads(arguments or "{}") if isinstance(arguments, str) else arguments


def recordings() -> list[dict[str, Any]]:
    folder = os.environ.get("TOOLSCHEMA_VECTORS")
    if not folder:
        return []
    found: list[dict[str, Any]] = json.loads((Path(folder) / "streams/index.json").read_bytes())
    return found


def name_of(recording: dict[str, Any]) -> str:
    return str(recording["path"]).rpartition("/")[2]


def bytes_of(recording: dict[str, Any]) -> bytes:
    return (Path(os.environ["TOOLSCHEMA_VECTORS"]) / str(recording["path"])).read_bytes()


def expected(recording: dict[str, Any]) -> Calls:
    listed = [(call["name"], loaded(call["args"])) for call in recording["calls"]]
    return CORRECTED.get(name_of(recording), listed)


def test_all_recordings_are_present() -> None:
    if not recordings():
        foreign_rows("streams/index.json")  # skips with the reason
    assert len(recordings()) == 36
    assert {*CORRECTED, *REFUSED} <= {name_of(recording) for recording in recordings()}


@pytest.mark.parametrize("recording", recordings(), ids=name_of)
def test_every_call_of_a_recording_is_found(recording: dict[str, Any]) -> None:
    name = name_of(recording)
    chunks = decoded([bytes_of(recording)], is_sse=name.endswith(".sse"))
    if name in REFUSED:
        with pytest.raises(StreamSequenceError) as caught:
            calls_in(recording["api"], chunks)
        assert caught.value.code == REFUSED[name]
        return
    calls = calls_in(recording["api"], chunks)
    assert plain(calls) == expected(recording)
    assert all(call.id and call.raw is not None for call in calls)


@pytest.mark.parametrize("recording", recordings(), ids=name_of)
def test_the_calls_do_not_depend_on_how_the_bytes_are_chunked(recording: dict[str, Any]) -> None:
    data, name = bytes_of(recording), name_of(recording)
    chunks = decoded((data[at : at + 1] for at in range(len(data))), is_sse=name.endswith(".sse"))
    assert chunks == decoded([data], is_sse=name.endswith(".sse"))
    if name not in REFUSED:
        assert plain(calls_in(recording["api"], chunks)) == expected(recording)


@pytest.mark.parametrize("recording", recordings(), ids=name_of)
def test_the_calls_do_not_depend_on_how_the_arguments_are_chunked(
    recording: dict[str, Any],
) -> None:
    name = name_of(recording)
    chunks = decoded([bytes_of(recording)], is_sse=name.endswith(".sse"))
    cut = [piece for chunk in chunks for piece in split(chunk)]
    if name not in REFUSED:
        assert plain(calls_in(recording["api"], cut)) == expected(recording)


def split(chunk: Any) -> list[Any]:
    """Split a chunk into several with one character of the arguments each."""
    pieces: list[Any] = []
    if chunk.get("type") == "response.function_call_arguments.delta":
        pieces = [{**chunk, "delta": delta} for delta in chunk["delta"]]
    elif chunk.get("type") == "content_block_delta" and "partial_json" in chunk["delta"]:
        text = chunk["delta"]["partial_json"]
        pieces = [
            {**chunk, "delta": {**chunk["delta"], "partial_json": character}} for character in text
        ]
    elif isinstance(chunk.get("choices"), list):
        for choice in chunk["choices"]:
            for entry in choice["delta"].get("tool_calls") or ():
                text = entry["function"].get("arguments") or ""
                for character in text[:-1]:
                    function = {**entry["function"], "arguments": character}
                    alone = {**choice, "finish_reason": None}
                    alone["delta"] = {"tool_calls": [{**entry, "function": function}]}
                    pieces.append({**chunk, "choices": [alone]})
                entry["function"]["arguments"] = text[-1:]
        pieces.append(chunk)
    return pieces or [chunk]


@pytest.mark.parametrize("recording", recordings(), ids=name_of)
def test_an_awaited_recording_gives_the_same_events(recording: dict[str, Any]) -> None:
    provider = importlib.import_module(f"toolschema.providers.{recording['api']}")
    chunks = decoded([bytes_of(recording)], is_sse=name_of(recording).endswith(".sse"))

    async def arriving(response: list[Any]) -> AsyncIterator[Any]:
        for chunk in response:
            await asyncio.sleep(0)
            yield chunk

    async def events(response: list[Any]) -> list[Any]:
        return [event async for event in provider.astream_events(arriving(response))]

    if name_of(recording) in REFUSED:
        return
    for response in responses(chunks):
        assert asyncio.run(events(response)) == list(provider.stream_events(response))
