"""Streamed calls: every rule has its code, and chunking does not matter."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import pytest
from conftest import assert_linear
from hypothesis import given
from hypothesis import strategies as st

from toolschema import (
    StreamFinish,
    StreamSequenceError,
    StreamValidator,
    Tool,
    Toolbox,
    ToolCall,
    ToolCallDelta,
    ToolCallEnd,
    ToolCallStart,
    ToolDefinition,
)

SECRET = "hunter2SECRET"


def start(index: int = 0, id: str | None = None, name: str = "read") -> ToolCallStart:  # noqa: A002
    return ToolCallStart(index, f"call_{index}" if id is None else id, name)


def delta(text: str, index: int = 0) -> ToolCallDelta:
    return ToolCallDelta(index, text)


def end(arguments: Any = None, index: int = 0, name: str = "read") -> ToolCallEnd:
    return ToolCallEnd(index, ToolCall(f"call_{index}", name, arguments))


STOP, CUT = StreamFinish("tool_calls"), StreamFinish("length")


def run(*events: Any, **options: Any) -> list[ToolCall]:
    stream = StreamValidator(**options)
    done = [call for event in events for call in stream.feed(event)]
    return done + stream.close()


@pytest.mark.parametrize(
    ("code", "index", "events"),
    [
        ("duplicate_start", 0, [start(), start()]),
        ("duplicate_start", 0, [start(), delta("{}"), end(), start(id="other")]),
        ("missing_name", 0, [start(name="")]),
        ("missing_id", 0, [start(id="")]),
        ("duplicate_id", 1, [start(), start(1, "call_0")]),
        ("delta_before_start", 0, [delta("{}")]),
        ("delta_after_end", 0, [start(), delta("{}"), end(), delta(" ")]),
        ("end_before_start", 0, [end("{}")]),
        ("duplicate_end", 0, [start(), delta("{}"), end(), end()]),
        ("id_changed", 0, [start(id="other"), delta("{}"), end()]),
        ("name_changed", 0, [start(name="write"), delta("{}"), end()]),
        ("invalid_json", 0, [start(), delta('{"a": 1'), end()]),
        ("invalid_json", 0, [start(), delta("{} {}"), end()]),
        ("invalid_json", 0, [start(), delta('{"a": NaN}'), end()]),
        ("invalid_json", 0, [start(), delta(f'{{"{SECRET}": 1, "{SECRET}": 2}}'), end()]),
        ("not_an_object", 0, [start(), delta("[]"), end()]),
        ("arguments_mismatch", 0, [start(), delta('{"a": 1}'), end('{"a": true}')]),
        ("arguments_mismatch", 0, [start(), delta('{"a": [1]}'), end({"a": [1, 1]})]),
        ("invalid_json", 0, [start(), delta('{"a": 1}'), end('{"a": 1')]),
        ("truncated", 0, [start(), delta('{"a": 1'), CUT]),
        ("truncated", 0, [start(), delta('{"a": 1}'), CUT]),
        ("truncated", 0, [start(), end(""), CUT]),
        ("truncated", 0, [start(), end({"a": 1}), CUT]),
        ("truncated", 1, [start(), delta("{}"), end(), start(1), end(None, 1), CUT]),
        ("truncated", 0, [start(), end(), StreamFinish("an unknown reason")]),
        ("unfinished_call", 0, [start(), delta("{}"), STOP]),
        ("event_after_finish", 0, [STOP, start()]),
        ("event_after_finish", None, [STOP, CUT]),
        ("stream_ended_early", None, [start(), delta("{}"), end()]),
        ("stream_ended_early", None, []),
        ("arguments_too_large", 0, [start(), delta("x" * 6), delta("x" * 5)]),
        ("too_many_calls", 2, [start(), start(1), start(2)]),
        ("unknown_tool", 0, [start(name="other")]),
        ("not_an_object", 0, [start(), end([1]), STOP]),
        ("invalid_json", 0, [start(), end('{"a": 1'), STOP]),
    ],
)  # fmt: skip
def test_every_rule_has_its_own_code(code: str, index: int | None, events: list[Any]) -> None:
    options: dict[str, Any] = {"names": {"read", "write"}}
    options |= {"max_bytes": 10} if code == "arguments_too_large" else {}
    options |= {"max_calls": 2} if code == "too_many_calls" else {}
    with pytest.raises(StreamSequenceError) as caught:
        run(*events, **options)
    assert (caught.value.code, caught.value.index) == (code, index)
    assert SECRET not in str(caught.value) + repr(caught.value)
    assert isinstance(caught.value, ValueError)


def test_nothing_is_accepted_after_an_error() -> None:
    stream = StreamValidator()
    with pytest.raises(StreamSequenceError):
        stream.feed(delta("{}"))
    with pytest.raises(StreamSequenceError) as caught:
        stream.feed(start())
    assert caught.value.code == "event_after_error"
    assert stream.close() == []


@pytest.mark.parametrize(
    ("events", "arguments"),
    [
        ([start(), delta('{"a": 1}'), end()], ['{"a": 1}']),
        ([start(), delta('{"a": 1}'), end("")], ['{"a": 1}']),
        ([start(), delta('{"a": 1, "b": 2}'), end('{"b": 2.0, "a": 1}')], ['{"a": 1, "b": 2}']),
        ([start(), delta('{"a": 1}'), end({"a": 1.0})], ['{"a": 1}']),
        ([start(), end()], [{}]),
        ([start(), delta(" \n"), end("")], [{}]),
        ([start(), end('{"a": 1}')], ['{"a": 1}']),
        ([start(), end({"a": 1})], [{"a": 1}]),
        ([start(), start(1), delta("{}", 1), end(None, 1), delta("{}"), end()], ["{}", "{}"]),
    ],
)
def test_complete_calls_come_out(events: list[Any], arguments: list[Any]) -> None:
    assert [call.arguments for call in run(*events, STOP)] == arguments


def test_arguments_that_parse_are_complete_whatever_the_finish_reason() -> None:
    assert [call.arguments for call in run(start(), delta("{}"), end(), CUT)] == ["{}"]


def test_a_repeated_finish_is_harmless() -> None:
    assert run(start(), delta("{}"), end(), STOP, STOP)


def test_a_call_can_be_passed_straight_to_a_toolbox() -> None:
    definition = ToolDefinition("read", "Read.", {"required": ["path"]})
    toolbox = Toolbox([Tool(definition, lambda value, context: value["path"])])
    (call,) = run(start(), delta('{"path": "a.txt"}'), end(), STOP)
    assert toolbox.call(call).content == "a.txt"


def test_feeding_a_non_event_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="must be a stream event, not dict"):
        StreamValidator().feed({})  # type: ignore[arg-type]


CALLS = st.lists(
    st.dictionaries(st.text(max_size=3), st.integers() | st.text(max_size=5) | st.none()),
    max_size=4,
)


@given(CALLS, st.data())
def test_chunking_does_not_matter(calls: list[Any], data: st.DataObject) -> None:
    events: list[Any] = []
    for index, arguments in enumerate(calls):
        text = json.dumps(arguments)
        cuts = data.draw(st.lists(st.integers(0, len(text)), max_size=5).map(sorted))
        events.append(start(index))
        pieces = zip([0, *cuts], [*cuts, len(text)], strict=True)
        events += [delta(text[low:high], index) for low, high in pieces]
        events.append(end(None, index))
    done = run(*events, STOP)
    assert [json.loads(call.arguments) for call in done] == calls


def test_a_million_chunks_take_linear_time() -> None:
    def work(pieces: int) -> None:
        stream = StreamValidator()
        stream.feed(start())
        stream.feed(delta('{"a": "'))
        for _ in range(pieces):
            stream.feed(delta("x"))
        stream.feed(delta('"}'))
        (call,) = stream.feed(end())
        assert len(call.arguments) == pieces + 9

    assert_linear(lambda pieces: partial(work, pieces), 100_000)
