"""Wire formats: where calls are, what servers get wrong, and what goes back."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from types import MappingProxyType, ModuleType, SimpleNamespace
from typing import Any

import pytest
from conftest import assert_linear
from hypothesis import given
from hypothesis import strategies as st

from toolschema import (
    ProviderFormatError,
    StreamFinish,
    StreamSequenceError,
    StreamValidator,
    ToolCall,
    ToolCallDelta,
    ToolCallEnd,
    ToolCallStart,
    ToolResult,
)
from toolschema.providers import anthropic, gemini, openai_chat, openai_responses

SECRET = "hunter2SECRET"
Calls = list[tuple[Any, Any, Any]]


def run(provider: ModuleType, chunks: list[Any]) -> list[ToolCall]:
    stream = StreamValidator()
    done = [call for event in provider.stream_events(chunks) for call in stream.feed(event)]
    return done + stream.close()


def shown(calls: list[ToolCall]) -> Calls:
    return [(call.id, call.name, call.arguments) for call in calls]


def code(provider: ModuleType, chunks: list[Any]) -> tuple[str, int | None]:
    with pytest.raises(StreamSequenceError) as caught:
        run(provider, chunks)
    assert SECRET not in str(caught.value) + repr(caught.value)
    return caught.value.code, caught.value.index


def objects(value: Any) -> Any:
    """The same as an SDK has it: attributes instead of names."""
    if isinstance(value, dict):
        kept = {
            key: inner if key in {"input", "args"} else objects(inner)
            for key, inner in value.items()
        }
        return SimpleNamespace(**kept)
    return [objects(each) for each in value] if isinstance(value, list) else value


# Chat Completions


def piece(
    arguments: Any = None,
    index: Any = 0,
    id: Any = None,  # noqa: A002
    name: Any = None,
    **more: Any,
) -> dict[str, Any]:
    function = {"arguments": arguments} | ({} if name is None else {"name": name})
    entry: dict[str, Any] = {"function": function, **more}
    entry |= {} if index is None else {"index": index}
    return entry | ({} if id is None else {"id": id})


def chat(*pieces: Any, reason: Any = None, **more: Any) -> dict[str, Any]:
    delta = {"tool_calls": list(pieces)} if pieces else {}
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": reason, **more}]}


STOP = chat(reason="tool_calls")
A, B = '{"a": 1}', '{"b": 2}'
FIRST, SECOND = ("call_a", "read", A), ("call_b", "read", B)

CHAT_STREAMS: list[Any] = [
    pytest.param([chat(piece("", 0, "call_a", "read")), chat(piece('{"a"')), chat(piece(": 1}")), STOP], [FIRST], id="as OpenAI does"),
    pytest.param([chat(piece("", 0, "call_a", "read")), chat(piece("", 1, "call_b", "read")), chat(piece(B, 1)), chat(piece(A)), STOP], [FIRST, SECOND], id="interleaved"),
    pytest.param([chat(piece(A, 0, "call_a", "read")), chat(piece(B, 0, "call_b", "read")), chat(reason="stop")], [FIRST, SECOND], id="Ollama, Dynamo: each call at index 0"),
    pytest.param([chat(piece(A, 0, "call_a", "read"), piece(B, 0, "call_b", "read")), STOP], [FIRST, SECOND], id="the same in one chunk"),
    pytest.param([chat(piece(A, None, "call_a", "read")), chat(piece(B, None, "call_b", "read"), reason="stop")], [FIRST, SECOND], id="Gemini's other door: no index"),
    pytest.param([chat(piece(A, None, "", "read")), chat(piece(B, None, "", "read")), STOP], [("call_0", "read", A), ("call_1", "read", B)], id="no index and no id"),
    pytest.param([chat(piece("", None, "call_a", "read")), chat(piece('{"a"', None)), chat(piece(": 1}", None)), STOP], [FIRST], id="no index, in pieces"),
    pytest.param([chat(piece('{"a"', None, "call_a", "read")), chat(piece(B, None, "call_b", "read")), chat(piece(": 1}", None, "call_a")), STOP], [SECOND, FIRST], id="no index, by id"),
    pytest.param([chat(piece('{"a"', 0, "call_a", "read")), chat(piece(": 1}", 0, "call_a", "read")), STOP], [FIRST], id="id and name repeated"),
    pytest.param([chat(piece(A, 0, "call_a", "read")), chat(piece("", 0, "call_a", "read"), reason="tool_calls")], [FIRST], id="vLLM: repeated beside the finish"),
    pytest.param([chat(piece(A, 0, "call_a", "read"), reason="tool_calls"), STOP], [FIRST], id="OpenRouter: two finishes"),
    pytest.param([chat(piece(A, 0, "call_a", "read")), STOP, chat(reason="stop")], [FIRST], id="two finishes of two kinds"),
    pytest.param([chat(piece(A, 0, "call_a", "read"), piece(B, 1, "call_b", "read"), reason="tool_calls")], [FIRST, SECOND], id="several calls in the finish chunk"),
    pytest.param([chat(piece({"a": 1}, 0, "call_a", "read")), STOP], [("call_a", "read", {"a": 1})], id="litellm: an object"),
    pytest.param([chat(piece({"a": 1}, 0, "call_a", "read")), chat(piece({"a": 1}, 0, "call_a", "read")), STOP], [("call_a", "read", {"a": 1})], id="an object twice"),
    pytest.param([chat(piece(A, 0, "null", "read")), STOP], [("call_0", "read", A)], id='Mistral: "null" for an id'),
    pytest.param([chat(piece(A, 0, "null", "read"), piece(B, 0, "null", "read")), STOP], [("call_0", "read", A), ("call_1", "read", B)], id="Mistral: two of them in one chunk"),
    pytest.param([chat(piece(A, 0, None, "read")), chat(piece(B, 0, None, "write")), STOP], [("call_0", "read", A), ("call_1", "write", B)], id="another name without an id"),
    pytest.param([chat(piece(None, 0, "call_a", "read")), chat(piece(A, 0, None, "")), STOP], [FIRST], id="arguments null, name empty"),
    pytest.param([chat(piece("", 0, "call_a", "read")), chat(reason="tool_calls")], [("call_a", "read", {})], id="no arguments"),
    pytest.param([chat(piece(A, 1, "call_a", "read")), STOP], [FIRST], id="the first index is 1"),
    pytest.param([chat(piece('{"a"', 0, "call_a")), chat(piece(": 1}", 0, None, "read")), STOP], [FIRST], id="the name comes late"),
    pytest.param([chat(piece('{"a"', 0)), chat(piece(": 1}", 0, "call_a", "read")), STOP], [FIRST], id="id and name come late"),
    pytest.param([chat(piece('{"a"', 0, None, "read")), chat(piece(": 1}", 0, "call_a")), STOP], [("call_0", "read", A)], id="the id comes late"),
    pytest.param([chat(piece(A, 0, None, "read")), chat(piece(B, 0, "call_b", "read")), STOP], [("call_0", "read", A), SECOND], id="another with an id and a name"),
    pytest.param([chat(piece(A, 0, "call_0", "read")), chat(piece(B, 1, None, "read")), STOP], [("call_0", "read", A), ("call_1", "read", B)], id="a made up id is free"),
    pytest.param([chat(piece(A, 0, "call_1", "read")), chat(piece(B, 1, None, "read")), STOP], [("call_1", "read", A), ("call_2", "read", B)], id="the next free id"),
    pytest.param([chat(piece(A, 0, "call_a", "read")), chat(reason="length")], [FIRST], id="whole whatever the reason"),
    pytest.param([chat({"index": 0, "id": "c", "type": "custom", "custom": {"name": "x", "input": "y"}}), chat({"index": 0, "custom": {"input": "z"}}), chat(piece(A, 1, "call_a", "read")), STOP], [FIRST], id="custom calls are not ours"),
    pytest.param([chat({"id": "c", "type": "custom", "custom": {"name": "x"}}), chat({"custom": {"input": "z"}}), STOP], [], id="custom calls without an index"),
    pytest.param([chat(piece(A, 0, "call_a", "read"), index=None), {"choices": [{"index": 1, "delta": {"tool_calls": [piece(B, 0, "call_b", "read")]}, "finish_reason": "length"}]}, STOP], [FIRST], id="other choices are other answers"),
    pytest.param([chat(piece(A, 0, "call_a", "read")), chat(reason=""), STOP, {"choices": [], "usage": {}}, {"choices": None, "usage": {}}], [FIRST], id="usage at the end"),
    pytest.param([chat(reason="stop", delta=None)], [], id="no calls"),
]  # fmt: skip


@pytest.mark.parametrize(("chunks", "calls"), CHAT_STREAMS)
def test_chat_streams(chunks: list[Any], calls: Calls) -> None:
    assert sorted(shown(run(openai_chat, chunks)), key=str) == sorted(calls, key=str)


@pytest.mark.parametrize(("chunks", "calls"), CHAT_STREAMS)
def test_chat_streams_of_objects_give_the_same_events(chunks: list[Any], calls: Calls) -> None:
    if any(isinstance(call[2], dict) and call[2] for call in calls):
        return  # no SDK has objects here
    as_objects = list(openai_chat.stream_events([objects(chunk) for chunk in chunks]))
    assert stripped(as_objects) == stripped(list(openai_chat.stream_events(chunks)))


def stripped(events: list[Any]) -> list[Any]:
    """Without the provider's own parts, which differ in class."""
    return [
        (event.index, event.call.id, event.call.name, event.call.arguments)
        if isinstance(event, ToolCallEnd)
        else event
        for event in events
    ]


@pytest.mark.parametrize(
    ("chunks", "expected"),
    [
        pytest.param([chat(piece(A, 0, "call_a", "read")), chat(piece(A)), STOP], ("invalid_json", 0), id="vLLM: doubled by the last flush"),
        pytest.param([chat(piece('{"a": "' + SECRET, 0, "call_a", "read")), chat(reason="length"), chat(reason="length")], ("truncated", 0), id="cut"),
        pytest.param([chat(piece('{"a": "' + SECRET, 0, "call_a", "read")), STOP], ("invalid_json", 0), id="cut, and said to be whole"),
        pytest.param([chat(piece("", 0, "call_a", "read")), chat(reason="length")], ("truncated", 0), id="cut before the first character"),
        pytest.param([chat(piece({"a": 1}, 0, "call_a", "read")), chat(reason="length")], ("truncated", 0), id="an object that may be cut"),
        pytest.param([chat(piece(A, 0, "call_a", "read")), chat(piece("{", 1, "call_b", "read")), chat(reason="content_filter")], ("truncated", 1), id="the second is cut"),
        pytest.param([chat(piece("", 0, "call_a", "read")), STOP, chat(reason="length")], ("truncated", 0), id="cut after all"),
        pytest.param([chat(piece(A, 0, "call_a", "read"))], ("stream_ended_early", None), id="no finish"),
        pytest.param([chat(piece(A, 0, "call_a", "read")), STOP, chat(piece(" "))], ("delta_after_end", 0), id="text after the finish"),
        pytest.param([chat(piece('{"a"', 0, "call_a", "read")), chat(reason="length"), chat(piece(":1}"))], ("invalid_json", 0), id="text after a finish in the middle"),
        pytest.param([chat(piece(A, 0, "call_a", "read")), chat(piece(B, 1, "call_a", "read")), STOP], ("duplicate_id", 1), id="one id at two places"),
        pytest.param([chat(piece(A, 0, "call_a", "read")), chat(piece("", 0, "call_a", "write")), STOP], ("name_changed", 0), id="two names for one id"),
        pytest.param([chat(piece(A, 0, "call_a")), STOP], ("missing_name", 0), id="no name"),
        pytest.param([chat(piece({"a": 1}, 0, "call_a", "read")), chat(piece({"a": 2})), STOP], ("arguments_mismatch", 0), id="two objects"),
        pytest.param([chat(piece({"a": 1}, 0, "call_a")), chat(piece({"a": 2})), STOP], ("arguments_mismatch", None), id="two objects of no name"),
        pytest.param([chat(piece(A, 0, "call_a", "read")), chat(piece({"a": 2})), STOP], ("arguments_mismatch", 0), id="an object unlike the text"),
        pytest.param([chat(piece({"a": 1}, 0, "call_a", "read")), STOP, chat(piece({"a": 1}))], ("duplicate_end", 0), id="an object after the finish"),
        pytest.param([{"error": {"message": SECRET, "type": "overloaded"}}], ("provider_error", None), id="an error"),
        pytest.param([{"error": SECRET, "choices": []}], ("provider_error", None), id="an error in words"),
    ],
)  # fmt: skip
def test_chat_streams_that_are_refused(chunks: list[Any], expected: tuple[str, int]) -> None:
    assert code(openai_chat, chunks) == expected


def answer(*entries: Any, reason: Any = "tool_calls", **message: Any) -> dict[str, Any]:
    return {
        "choices": [{"finish_reason": reason, "message": {"tool_calls": list(entries), **message}}]
    }


def call_of(arguments: Any, id: Any = "call_a", name: Any = "read", **more: Any) -> dict[str, Any]:  # noqa: A002
    return {
        "id": id,
        "type": "function",
        "function": {"name": name, "arguments": arguments},
        **more,
    }


@pytest.mark.parametrize(
    ("response", "calls"),
    [
        (answer(call_of(A)), [FIRST]),
        (answer(call_of(A), reason="length"), [FIRST]),
        (answer(call_of('{"a": 1'), reason="stop"), [("call_a", "read", '{"a": 1')]),
        (answer(call_of("")), [("call_a", "read", {})]),
        (answer(call_of(None)), [("call_a", "read", {})]),
        (answer(call_of({"a": 1})), [("call_a", "read", {"a": 1})]),
        (answer(call_of(A, "null"), call_of(B, None)), [("call_0", "read", A), ("call_1", "read", B)]),
        (answer({"type": "custom", "id": "x", "custom": {}}, call_of(A)), [FIRST]),
        ({"choices": [{"message": {"content": "hello"}, "finish_reason": "stop"}]}, []),
        (answer(reason=None), []),
    ],
)  # fmt: skip
def test_chat_answers(response: Any, calls: Calls) -> None:
    assert shown(openai_chat.tool_calls(response)) == calls
    if not any(isinstance(call[2], dict) and call[2] for call in calls):
        assert shown(openai_chat.tool_calls(objects(response))) == calls


# Responses


def added(index: Any = 0, id: str = "call_a", **more: Any) -> dict[str, Any]:  # noqa: A002
    item = {
        "type": "function_call",
        "id": f"fc_{id}",
        "call_id": id,
        "name": "read",
        "arguments": "",
    }
    return {"type": "response.output_item.added", "output_index": index, "item": item, **more}


def delta(text: str, index: Any = 0, id: str = "call_a", **more: Any) -> dict[str, Any]:  # noqa: A002
    kind = "response.function_call_arguments.delta"
    return {"type": kind, "output_index": index, "item_id": f"fc_{id}", "delta": text, **more}


def arguments_done(text: str, index: Any = 0, id: Any = "call_a") -> dict[str, Any]:  # noqa: A002
    event = {"type": "response.function_call_arguments.done", "arguments": text}
    event |= {} if index is None else {"output_index": index}
    return event if id is None else {**event, "item_id": f"fc_{id}"}


def item_of(text: str, id: Any = "call_a", **more: Any) -> dict[str, Any]:  # noqa: A002
    given = {} if id is None else {"call_id": id, "id": f"fc_{id}"}
    return {"type": "function_call", "name": "read", "arguments": text, **given, **more}


def done(text: str, index: Any = 0, id: Any = "call_a", **more: Any) -> dict[str, Any]:  # noqa: A002
    event = {"type": "response.output_item.done", "item": item_of(text, id, **more)}
    return event if index is None else {**event, "output_index": index}


def completed(*items: Any, **more: Any) -> dict[str, Any]:
    return {"type": "response.completed", "response": {"output": list(items), **more}}


def incomplete(*items: Any, reason: Any = "max_output_tokens") -> dict[str, Any]:
    details = {"reason": reason} if reason else None
    response = {"output": list(items), "incomplete_details": details}
    return {"type": "response.incomplete", "response": response}


OTHERS = [
    {"type": "response.created", "response": {}},
    {"type": "response.output_item.added", "output_index": 9, "item": {"type": "reasoning"}},
    {"type": "response.custom_tool_call_input.delta", "output_index": 9, "delta": "x"},
    {"type": "response.output_item.done", "output_index": 9, "item": {"type": "custom_tool_call"}},
    {"type": "response.of_a_kind_that_will_come"},
]


@pytest.mark.parametrize(
    ("events", "calls"),
    [
        pytest.param([*OTHERS, added(), delta('{"a"'), delta(": 1}"), arguments_done(A), done(A), completed(item_of(A), {"type": "message"})], [FIRST], id="as OpenAI does"),
        pytest.param([added(), added(1, "call_b"), delta(B, 1, "call_b"), delta(A), done(A), done(B, 1, "call_b"), completed()], [FIRST, SECOND], id="interleaved"),
        pytest.param([added(), arguments_done(A), done(A), completed(item_of(A))], [FIRST], id="no pieces"),
        pytest.param([added(), arguments_done(A), done(""), completed()], [FIRST], id="the item without its arguments"),
        pytest.param([added(), delta(A), arguments_done(A, None, None), done(A, None), completed()], [FIRST], id="llama.cpp: no ids at the end"),
        pytest.param([added(), delta(A), done(A, None, None), completed()], [FIRST], id="nor in the item"),
        pytest.param([added(None), delta(A, 3), done(A, 3), completed()], [FIRST], id="a place that never began, by id"),
        pytest.param([added(), delta(A), done('{"a":1}'), completed(item_of('{ "a": 1 }'))], [FIRST], id="other white space"),
        pytest.param([added(), delta(A), completed(item_of(A))], [FIRST], id="its end comes with the response"),
        pytest.param([completed(item_of(A))], [FIRST], id="all of it comes with the response"),
        pytest.param([added(), delta(A), done(A, status="incomplete"), incomplete(item_of(A))], [FIRST], id="whole whatever the reason"),
        pytest.param([added(), arguments_done(A), done(A), incomplete()], [FIRST], id="whole without pieces"),
        pytest.param([added(), done(""), completed(item_of(""))], [("call_a", "read", {})], id="no arguments"),
        pytest.param([added(sequence_number=1), delta(A, sequence_number=2), delta("", sequence_number=5), done(A), completed()], [FIRST], id="numbers may leave some out"),
        pytest.param([{**added(), "item": item_of("", None)}, delta(A), {**done(A), "item": item_of(A, None)}, completed()], [("call_0", "read", A)], id="no ids at all"),
        pytest.param([completed()], [], id="no calls"),
    ],
)  # fmt: skip
def test_responses_streams(events: list[Any], calls: Calls) -> None:
    assert shown(run(openai_responses, events)) == calls
    as_objects = list(openai_responses.stream_events([objects(event) for event in events]))
    assert stripped(as_objects) == stripped(list(openai_responses.stream_events(events)))


CUT = '{"a": "' + SECRET


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        pytest.param([added(), delta(CUT), done(CUT, status="incomplete"), incomplete()], ("truncated", 0), id="cut"),
        pytest.param([added(), delta(CUT), incomplete(reason=None)], ("truncated", 0), id="cut before its end"),
        pytest.param([added(), delta(CUT), done(CUT), completed()], ("invalid_json", 0), id="cut, and said to be whole"),
        pytest.param([added(), done(""), incomplete()], ("truncated", 0), id="cut before the first character"),
        pytest.param([added(), delta(A), completed()], ("unfinished_call", 0), id="no end"),
        pytest.param([added(), delta(A), arguments_done(B), done(B), completed()], ("arguments_mismatch", 0), id="the end is unlike the pieces"),
        pytest.param([added(), delta(A), arguments_done(A), done(B), completed()], ("arguments_mismatch", 0), id="the item is unlike the end"),
        pytest.param([added(), delta(A), done(A), completed(item_of(B))], ("arguments_mismatch", 0), id="the response is unlike the item"),
        pytest.param([added(), delta(A), arguments_done(A), done(CUT)], ("arguments_mismatch", 0), id="the item is cut"),
        pytest.param([added(), done(A, id="call_b")], ("id_changed", 0), id="another id at the end"),
        pytest.param([added(), delta(A), done(A, name="write")], ("name_changed", 0), id="another name at the end"),
        pytest.param([added(), added(1, "call_b"), delta(A, 0, "call_b")], ("id_changed", 1), id="the id of another"),
        pytest.param([delta(A)], ("delta_before_start", 0), id="text of none"),
        pytest.param([arguments_done(A)], ("end_before_start", 0), id="the end of the text of none"),
        pytest.param([done(A)], ("end_before_start", 0), id="the end of none"),
        pytest.param([added(), delta(A), done(A), done(A, None, None)], ("end_before_start", 1), id="the end of none after one"),
        pytest.param([added(), delta(A), done(A), delta("x")], ("delta_after_end", 0), id="text after the end"),
        pytest.param([added(), delta(A), done(A), done(A)], ("duplicate_end", 0), id="two ends"),
        pytest.param([added(), added()], ("duplicate_start", 0), id="two starts"),
        pytest.param([added(), added(1)], ("duplicate_id", 1), id="one id twice"),
        pytest.param([added(sequence_number=4), delta(A, sequence_number=3)], ("out_of_order", None), id="out of order"),
        pytest.param([added(), delta(A), done(A)], ("stream_ended_early", None), id="no finish"),
        pytest.param([completed(), added()], ("event_after_finish", 0), id="a call after the finish"),
        pytest.param([{"type": "error", "code": "server_error", "message": SECRET}], ("provider_error", None), id="an error"),
        pytest.param([{"type": "response.failed", "response": {"error": {"code": "x", "message": SECRET}}}], ("provider_error", None), id="failed"),
    ],
)  # fmt: skip
def test_responses_streams_that_are_refused(events: list[Any], expected: Any) -> None:
    assert code(openai_responses, events) == expected


@pytest.mark.parametrize(
    ("response", "calls"),
    [
        ({"status": "completed", "output": [item_of(A), {"type": "custom_tool_call"}, {"type": "message"}]}, [FIRST]),
        ({"status": "incomplete", "output": [item_of(A)]}, [FIRST]),
        ({"status": "completed", "output": [item_of("")]}, [("call_a", "read", {})]),
        ({"status": "completed", "output": [{**item_of(A, None), "id": "fc_1"}]}, [("fc_1", "read", A)]),
        ({"status": "completed", "output": [item_of(A, None)]}, [("call_0", "read", A)]),
        ({"status": "completed", "output": []}, []),
    ],
)  # fmt: skip
def test_responses(response: Any, calls: Calls) -> None:
    assert shown(openai_responses.tool_calls(response)) == calls
    assert shown(openai_responses.tool_calls(objects(response))) == calls


# Anthropic


def begin(*content: Any, **more: Any) -> dict[str, Any]:
    return {
        "type": "message_start",
        "message": {"content": list(content), "stop_reason": None, **more},
    }


def use(id: str = "call_a", kind: str = "tool_use", **filled: Any) -> dict[str, Any]:  # noqa: A002
    return {"type": kind, "id": id, "name": "read", "input": filled}


def block(index: int = 0, content: Any = None) -> dict[str, Any]:
    content = use() if content is None else content
    return {"type": "content_block_start", "index": index, "content_block": content}


def text_of(text: str, index: int = 0) -> dict[str, Any]:
    part = {"type": "input_json_delta", "partial_json": text}
    return {"type": "content_block_delta", "index": index, "delta": part}


def close(index: int = 0) -> dict[str, Any]:
    return {"type": "content_block_stop", "index": index}


def stop(reason: Any = "tool_use") -> list[dict[str, Any]]:
    return [{"type": "message_delta", "delta": {"stop_reason": reason}}, {"type": "message_stop"}]


WORDS = [
    block(0, {"type": "text", "text": ""}),
    {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "I"}},
    close(),
]


@pytest.mark.parametrize(
    ("events", "calls"),
    [
        pytest.param([begin(), *WORDS, {"type": "ping"}, block(1), text_of("", 1), text_of('{"a"', 1), text_of(": 1}", 1), close(1), *stop()], [FIRST], id="as Anthropic does"),
        pytest.param([begin(), block(), text_of(A), close(), block(1, use("call_b")), text_of(B, 1), close(1), *stop()], [FIRST, SECOND], id="two"),
        pytest.param([begin(), block(), close(), *stop()], [("call_a", "read", {})], id="no arguments"),
        pytest.param([begin(), block(), text_of(""), close(), *stop()], [("call_a", "read", {})], id="an empty piece"),
        pytest.param([begin(), block(content=use(a=1)), close(), *stop()], [("call_a", "read", {"a": 1})], id="the input at the start"),
        pytest.param([begin(), block(content=use(a=1)), text_of(A), close(), *stop()], [FIRST], id="at the start and in pieces"),
        pytest.param([begin(use(a=1), {"type": "text"}, stop_reason="tool_use"), {"type": "message_stop"}], [("call_a", "read", {"a": 1})], id="the call in the first event"),
        pytest.param([begin(), block(0, use(kind="server_tool_use")), text_of("{"), close(), block(1), text_of(A, 1), close(1), *stop()], [FIRST], id="the provider's own tools"),
        pytest.param([begin(), block(3), text_of(A, 3), close(3), *stop()], [FIRST], id="an index left out"),
        pytest.param([begin(), block(), text_of(A), close(), *stop("max_tokens")], [FIRST], id="whole whatever the reason"),
        pytest.param([begin(), block(), text_of(A), close(), stop()[0]], [FIRST], id="no last event"),
        pytest.param([begin(), block(), text_of(A), close(), {"type": "of_a_kind_that_will_come"}, {"type": "input_json", "partial_json": A}, *stop()], [FIRST], id="unknown kinds"),
        pytest.param([begin(), *WORDS, *stop("end_turn")], [], id="no calls"),
    ],
)  # fmt: skip
def test_anthropic_streams(events: list[Any], calls: Calls) -> None:
    assert shown(run(anthropic, events)) == calls
    as_objects = list(anthropic.stream_events([objects(event) for event in events]))
    assert stripped(as_objects) == stripped(list(anthropic.stream_events(events)))


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        pytest.param([block(), text_of(CUT), close(), *stop("max_tokens")], ("truncated", 0), id="cut"),
        pytest.param([block(), text_of('{"a": {"b": 1}'), close(), *stop("max_tokens")], ("truncated", 0), id="cut after a brace"),
        pytest.param([block(), text_of(CUT), *stop("max_tokens")], ("truncated", 0), id="cut without an end"),
        pytest.param([block(), close(), *stop("refusal")], ("truncated", 0), id="cut before the first character"),
        pytest.param([block(content=use(a=1)), close(), *stop("max_tokens")], ("truncated", 0), id="an object that may be cut"),
        pytest.param([block(), text_of('{"a": ' + SECRET), close(), *stop()], ("invalid_json", 0), id="no JSON"),
        pytest.param([block(), text_of(A + " x"), close(), *stop()], ("invalid_json", 0), id="something behind it"),
        pytest.param([block(), text_of('{"a": 1, "a": 2}'), close(), *stop()], ("invalid_json", 0), id="one name twice"),
        pytest.param([block(), text_of('{"a": NaN}'), close(), *stop()], ("invalid_json", 0), id="NaN"),
        pytest.param([block(), text_of("[1]"), close(), *stop()], ("not_an_object", 0), id="an array"),
        pytest.param([block(content=use(a=2)), text_of(A), close(), *stop()], ("arguments_mismatch", 0), id="unlike the start"),
        pytest.param([block(), text_of(A), close(), text_of("x")], ("delta_after_end", 0), id="text after the end"),
        pytest.param([block(), text_of('{"a"'), close(), text_of(": 1}")], ("invalid_json", 0), id="the rest after the end"),
        pytest.param([block(), text_of(A), close(), close()], ("duplicate_end", 0), id="two ends"),
        pytest.param([text_of(A)], ("delta_before_start", 0), id="text of none"),
        pytest.param([close()], ("end_before_start", 0), id="the end of none"),
        pytest.param([block(), block()], ("duplicate_start", 0), id="two starts"),
        pytest.param([*WORDS, block()], ("duplicate_start", None), id="a start in a used place"),
        pytest.param([block(), text_of(A), *stop()], ("unfinished_call", 0), id="no end"),
        pytest.param([block(), text_of(A), close()], ("stream_ended_early", None), id="no finish"),
        pytest.param([begin(), begin()], ("second_message", None), id="a second message"),
        pytest.param([*stop(), block()], ("event_after_finish", 0), id="a call after the finish"),
        pytest.param([{"type": "error", "error": {"type": "overloaded_error", "message": SECRET}}], ("provider_error", None), id="an error"),
    ],
)  # fmt: skip
def test_anthropic_streams_that_are_refused(events: list[Any], expected: Any) -> None:
    assert code(anthropic, events) == expected


@pytest.mark.parametrize(
    ("response", "calls"),
    [
        ({"content": [{"type": "text"}, use(a=1), use("call_b")], "stop_reason": "tool_use"}, [("call_a", "read", {"a": 1}), ("call_b", "read", {})]),
        ({"content": [use("srv", "server_tool_use")], "stop_reason": "max_tokens"}, []),
        ({"content": [use("", a=1)], "stop_reason": "pause_turn"}, [("call_0", "read", {"a": 1})]),
    ],
)  # fmt: skip
def test_anthropic_messages(response: Any, calls: Calls) -> None:
    assert shown(anthropic.tool_calls(response)) == calls
    assert shown(anthropic.tool_calls(objects(response))) == calls


# Gemini


def function(args: Any = None, name: str | None = "read", **more: Any) -> dict[str, Any]:
    call = {} if name is None else {"name": name}
    return {"functionCall": {**call, **({} if args is None else {"args": args}), **more}}


def google(*parts: Any, reason: Any = None) -> dict[str, Any]:
    candidate = {"content": {"parts": list(parts), "role": "model"}}
    return {"candidates": [{**candidate, **({} if reason is None else {"finishReason": reason})}]}


def patch(path: str, **value: Any) -> dict[str, Any]:
    return {"jsonPath": path, **value}


def more(path: str, text: str) -> dict[str, Any]:
    return {"jsonPath": path, "stringValue": text, "willContinue": True}


def patches(*given: Any, last: bool = False, name: str | None = None) -> dict[str, Any]:
    call = {"partialArgs": list(given)} | ({} if last else {"willContinue": True})
    return google({"functionCall": call | ({} if name is None else {"name": name})})


SIGNED = {**function({"a": 1}, id="g_1"), "thoughtSignature": "c2ln"}


@pytest.mark.parametrize(
    ("chunks", "calls"),
    [
        pytest.param([google(SIGNED), google({"text": ""}, reason="STOP")], [("g_1", "read", {"a": 1})], id="as Gemini does"),
        pytest.param([google(function({"a": 1}), function({"b": 2}), reason="STOP")], [("call_0", "read", {"a": 1}), ("call_1", "read", {"b": 2})], id="without ids"),
        pytest.param([google(function()), google(reason="STOP")], [("call_0", "read", {})], id="no arguments"),
        pytest.param([google({"text": "I"}, reason="STOP"), google(function({"a": 1}), reason="STOP")], [("call_0", "read", {"a": 1})], id="a reason in every chunk"),
        pytest.param([{"promptFeedback": {"blockReason": "SAFETY"}}, {"usageMetadata": {}}, google(reason="STOP")], [], id="chunks without candidates"),
        pytest.param([{"candidates": [{"finishReason": "MALFORMED_FUNCTION_CALL"}]}], [], id="no content"),
        pytest.param([patches(name="read"), patches(patch("$.a", numberValue=1)), google({"functionCall": {}}), google(reason="STOP")], [("call_0", "read", {"a": 1})], id="patches"),
        pytest.param([patches(more("$.a", "x"), name="read"), patches(patch("$.a", stringValue="y"), patch("$.l[0]", boolValue=True), patch("$.l[1].b['c d']", nullValue="NULL_VALUE"), patch("$.l[1].e", numberValue=2), last=True), google(reason="STOP")], [("call_0", "read", {"a": "xy", "l": [True, {"b": {"c d": None}, "e": 2}]})], id="patches of all kinds"),
        pytest.param([patches(more("$.a", "x"), name="read"), patches(patch('$["b"]', numberValue=2), more("$.c", "z"), last=True), google(reason="STOP")], [("call_0", "read", {"a": "x", "b": 2, "c": "z"})], id="a text that ends with the next patch"),
        pytest.param([patches(patch("$.a", numberValue=1), name="read"), patches(patch("$.b", nullValue=None), name="read", last=True), google(function({"c": 3}, "write"), reason="STOP")], [("call_0", "read", {"a": 1, "b": None}), ("call_1", "write", {"c": 3})], id="the name repeated"),
    ],
)  # fmt: skip
def test_gemini_streams(chunks: list[Any], calls: Calls) -> None:
    assert shown(run(gemini, chunks)) == calls


def test_any_mapping_is_read() -> None:
    def proxies(value: Any) -> Any:
        if isinstance(value, dict):
            return MappingProxyType({key: proxies(inner) for key, inner in value.items()})
        return [proxies(each) for each in value] if isinstance(value, list) else value

    assert shown(openai_chat.tool_calls(proxies(answer(call_of(A))))) == [FIRST]
    chunks = [chat(piece(A, 0, "call_a", "read")), STOP]
    assert shown(run(openai_chat, proxies(chunks))) == [FIRST]


def test_what_a_copy_adds_to_a_call_is_kept() -> None:
    signed = {"google": {"thought_signature": "c2ln"}}
    [call] = run(openai_chat, [chat(piece(A, None, "call_a", "read", extra_content=signed)), STOP])
    assert call.raw["extra_content"] == signed
    [call] = openai_chat.tool_calls(answer(call_of(A, extra_content=signed)))
    assert call.raw["extra_content"] == signed


def test_gemini_parts_keep_their_signature() -> None:
    [call] = gemini.tool_calls(google(SIGNED, reason="STOP"))
    assert call.raw == SIGNED
    [call] = run(gemini, [google(SIGNED, reason="STOP")])
    assert call.raw == SIGNED
    chunk = patches(patch("$.a", numberValue=1), name="read", last=True)
    chunk["candidates"][0]["content"]["parts"][0]["thoughtSignature"] = "c2ln"
    [call] = run(gemini, [chunk, google(reason="STOP")])
    assert call.raw == {
        "functionCall": {"name": "read", "args": {"a": 1}},
        "thoughtSignature": "c2ln",
    }


@pytest.mark.parametrize(
    ("chunks", "expected"),
    [
        pytest.param([google(function({"a": SECRET}), reason="MAX_TOKENS")], ("truncated", 0), id="cut"),
        pytest.param([google(function({"a": 1})), google(reason="MAX_TOKENS"), google(reason="STOP")], ("truncated", 0), id="the worse reason stays"),
        pytest.param([patches(patch("$.a", numberValue=1), name="read"), google(reason="STOP")], ("unfinished_call", 0), id="patches that do not end"),
        pytest.param([patches(name="read"), google(reason="MAX_TOKENS")], ("truncated", 0), id="patches cut off"),
        pytest.param([patches(name="read"), google(function({"a": 1}, "write"), reason="STOP")], ("unfinished_call", 0), id="another call among patches"),
        pytest.param([google(function({"a": 1}))], ("stream_ended_early", None), id="no finish"),
        pytest.param([google(function(id="x"), function(id="x"))], ("duplicate_id", 1), id="one id twice"),
        pytest.param([{"error": {"status": "UNAVAILABLE", "message": SECRET}}], ("provider_error", None), id="an error"),
    ],
)  # fmt: skip
def test_gemini_streams_that_are_refused(chunks: list[Any], expected: Any) -> None:
    assert code(gemini, chunks) == expected


@pytest.mark.parametrize(
    "given",
    [
        [patch("$", numberValue=1)],
        [patch("a", numberValue=1)],
        [patch("$.a.", numberValue=1)],
        [patch("$[0]", numberValue=1)],
        [patch("$.a[1]", numberValue=1)],
        [patch("$.a[999999999]", numberValue=1)],
        [patch("$.a", numberValue=1), patch("$.a", numberValue=2)],
        [patch("$.a", numberValue=1), patch("$.a.b", numberValue=2)],
        [patch("$.a.b", numberValue=1), patch("$.a[0]", numberValue=2)],
        [patch("$.a[0]", numberValue=1), patch("$.a.b", numberValue=2)],
        [patch("$.a[0]", numberValue=1), patch("$.a[2].b", numberValue=2)],
        [patch("$" + ".a" * 200, numberValue=1)],
        [patch("$['\\x']", numberValue=1)],
        [patch("$.a", numberValue=SECRET)],
        [patch("$.a", stringValue=1)],
        [patch("$.a")],
        [{"stringValue": "x"}],
    ],
)  # fmt: skip
def test_patches_that_do_not_fit(given: list[Any]) -> None:
    with pytest.raises(ProviderFormatError) as caught:
        run(gemini, [patches(*given, name="read")])
    assert "partialArgs" in caught.value.place
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize(
    ("response", "calls"),
    [
        (google(SIGNED, function(), reason="STOP"), [("g_1", "read", {"a": 1}), ("call_1", "read", {})]),
        (google(reason="SAFETY"), []),
        ({"promptFeedback": {}}, []),
        ({"candidates": [{"content": {"parts": [{"function_call": {"name": "read", "args": {}}}]}, "finish_reason": "STOP"}]}, [("call_0", "read", {})]),
    ],
)  # fmt: skip
def test_gemini_responses(response: Any, calls: Calls) -> None:
    assert shown(gemini.tool_calls(response)) == calls


# All


@pytest.mark.parametrize(
    ("provider", "response", "index"),
    [
        (openai_chat, answer(call_of(CUT), reason="length"), 0),
        (openai_chat, answer(call_of(A), call_of(""), reason="length"), 1),
        (openai_chat, answer(call_of(A), call_of(A + A), reason="content_filter"), 1),
        (openai_chat, answer(call_of(None), reason=None), 0),
        (openai_chat, answer(call_of({"a": 1}), reason="length"), 0),
        (openai_chat, answer(call_of("[1]"), reason="length"), 0),
        (openai_responses, {"status": "incomplete", "output": [item_of(A), item_of(CUT)]}, 1),
        (openai_responses, {"status": "incomplete", "output": [item_of("")]}, 0),
        (anthropic, {"content": [use(a=1), use(b=2)], "stop_reason": "max_tokens"}, 1),
        (anthropic, {"content": [use(a=1)], "stop_reason": None}, 0),
        (gemini, google(function({"a": 1}), function({"a": 1}), reason="MAX_TOKENS"), 1),
        (gemini, google(function({"a": 1}), reason="MALFORMED_FUNCTION_CALL"), 0),
    ],
)  # fmt: skip
def test_answers_that_were_cut_off(provider: ModuleType, response: Any, index: int) -> None:
    with pytest.raises(StreamSequenceError) as caught:
        provider.tool_calls(response)
    assert (caught.value.code, caught.value.index) == ("truncated", index)
    assert SECRET not in str(caught.value)


MALFORMED: list[tuple[ModuleType, str, Any, str, str]] = [
    (openai_chat, "answer", [], "choices", "must be a list, but is missing"),
    (openai_chat, "answer", {"choices": {}}, "choices", "must be a list, not dict"),
    (openai_chat, "answer", {"choices": ["x"]}, "choices[0]", "must be an object, not str"),
    (openai_chat, "answer", {"choices": [{}]}, "choices[0].message", "must be an object, but is missing"),
    (openai_chat, "answer", answer(call_of(A), call_of(7)), "choices[0].message.tool_calls[1].function.arguments", "must be a string, not int"),
    (openai_chat, "answer", answer(call_of(A, name=None)), "choices[0].message.tool_calls[0].function.name", "must be a string, but is missing"),
    (openai_chat, "answer", answer(call_of(A, 7)), "choices[0].message.tool_calls[0].id", "must be a string, not int"),
    (openai_chat, "answer", answer({"id": "x"}), "choices[0].message.tool_calls[0].function", "must be an object, but is missing"),
    (openai_chat, "answer", answer(function_call={"name": "x"}), "choices[0].message.function_call", 'is deprecated and not supported; send "tools" instead of "functions"'),
    (openai_chat, "chunk", "data: x", "", "must be an object, not str"),
    (openai_chat, "chunk", {}, "choices", "must be a list, but is missing"),
    (openai_chat, "chunk", {"type": "chunk"}, "type", '"chunk" is not a chat completion chunk'),
    (openai_chat, "chunk", {"choices": [{"delta": "x"}]}, "choices[0].delta", "must be an object, not str"),
    (openai_chat, "chunk", chat(piece(7)), "choices[0].delta.tool_calls[0].function.arguments", "must be a string, not int"),
    (openai_chat, "chunk", chat(piece(A, "0")), "choices[0].delta.tool_calls[0].index", "must be an integer, not str"),
    (openai_chat, "chunk", chat(piece(A), {"function": "x"}), "choices[0].delta.tool_calls[1].function", "must be an object, not str"),
    (openai_chat, "chunk", chat(piece(A, name=7)), "choices[0].delta.tool_calls[0].function.name", "must be a string, not int"),
    (openai_chat, "chunk", chat({"type": "graft", "index": 0}), "choices[0].delta.tool_calls[0].type", '"graft" is not a known type of tool call'),
    (openai_chat, "chunk", chat({"type": 7, "index": 0}), "choices[0].delta.tool_calls[0].type", '"int" is not a known type of tool call'),
    (openai_chat, "chunk", chat(delta={"function_call": {}}), "choices[0].delta.function_call", 'is deprecated and not supported; send "tools" instead of "functions"'),
    (openai_chat, "chunk", chat(reason=7), "choices[0].finish_reason", "must be a string, not int"),
    (openai_responses, "answer", {}, "output", "must be a list, but is missing"),
    (openai_responses, "answer", {"output": [item_of(A), item_of(7)]}, "output[1].arguments", "must be a string, not int"),  # type: ignore[arg-type]
    (openai_responses, "answer", {"output": [item_of(A, name="")]}, "output[0].name", "must be a string, but is missing"),
    (openai_responses, "chunk", {}, "type", "must be a string, but is missing"),
    (openai_responses, "chunk", {"type": "response.output_item.added"}, "item", "must be an object, but is missing"),
    (openai_responses, "chunk", added("0"), "output_index", "must be an integer, not str"),
    (openai_responses, "chunk", delta(7), "delta", "must be a string, not int"),  # type: ignore[arg-type]
    (openai_responses, "chunk", {"type": "response.completed"}, "response", "must be an object, but is missing"),
    (anthropic, "answer", {}, "content", "must be a list, but is missing"),
    (anthropic, "answer", {"content": [{"type": "text"}, {**use(), "input": "{}"}]}, "content[1].input", "must be an object, not str"),
    (anthropic, "answer", {"content": [{**use(), "name": 7}]}, "content[0].name", "must be a string, not int"),
    (anthropic, "chunk", [], "type", "must be a string, but is missing"),
    (anthropic, "chunk", {"type": "message_start"}, "message", "must be an object, but is missing"),
    (anthropic, "chunk", {"type": "message_delta"}, "delta", "must be an object, but is missing"),
    (anthropic, "chunk", {"type": "content_block_start", "index": 0}, "content_block", "must be an object, but is missing"),
    (anthropic, "chunk", {"type": "content_block_delta", "index": 0}, "delta", "must be an object, but is missing"),
    (anthropic, "chunk", {"type": "content_block_stop"}, "index", "must be an integer, but is missing"),
    (anthropic, "chunk", block(0, {**use(), "input": "{}"}), "content_block.input", "must be an object, not str"),
    (anthropic, "chunk", text_of(7), "delta.partial_json", "must be a string, not int"),  # type: ignore[arg-type]
    (gemini, "answer", 7, "", "must be an object, not int"),
    (gemini, "answer", {}, "candidates", "must be a list, but is missing"),
    (gemini, "answer", google(function("{}")), "candidates[0].content.parts[0].functionCall.args", "must be an object, not str"),
    (gemini, "answer", google({"text": "x"}, function(name="")), "candidates[0].content.parts[1].functionCall.name", "must be a string, but is missing"),
    (gemini, "answer", google({"functionCall": "x"}), "candidates[0].content.parts[0].functionCall", "must be an object, not str"),
    (gemini, "chunk", 7, "", "must be an object, not int"),
    (gemini, "chunk", {"candidates": [{"content": "x"}]}, "candidates[0].content", "must be an object, not str"),
    (gemini, "chunk", google(function(name="")), "candidates[0].content.parts[0].functionCall.name", "must be a string, but is missing"),
    (gemini, "chunk", patches(), "candidates[0].content.parts[0].functionCall.name", "must be a string, but is missing"),
]  # fmt: skip


@pytest.mark.parametrize(("provider", "kind", "given_", "place", "message"), MALFORMED)
def test_malformed_parts_are_named_by_their_location(
    provider: ModuleType, kind: str, given_: Any, place: str, message: str
) -> None:
    with pytest.raises(ProviderFormatError) as caught:
        provider.tool_calls(given_) if kind == "answer" else run(provider, [given_])
    assert (caught.value.place, caught.value.message) == (place, message)
    assert caught.value.provider == provider.__name__.rpartition(".")[2]
    assert isinstance(caught.value, ValueError)


def test_an_unknown_delta_of_a_call_is_an_error() -> None:
    unknown = {"type": "content_block_delta", "index": 0, "delta": {"type": "input_cbor_delta"}}
    with pytest.raises(
        ProviderFormatError, match=r'delta\.type: "input_cbor_delta" is not a delta of a tool call'
    ):
        run(anthropic, [block(), unknown])
    unknown["delta"] = {}
    with pytest.raises(ProviderFormatError, match='"NoneType" is not a delta of a tool call'):
        run(anthropic, [block(), unknown])


GOOD, BAD = ToolResult("id_1", "read", "text"), ToolResult("id_1", "read", "no", is_error=True)


@pytest.mark.parametrize(
    ("provider", "good", "bad"),
    [
        (openai_chat, {"role": "tool", "tool_call_id": "id_1", "content": "text"}, {"content": "no"}),
        (openai_responses, {"type": "function_call_output", "call_id": "id_1", "output": "text"}, {"output": "no"}),
        (anthropic, {"type": "tool_result", "tool_use_id": "id_1", "content": "text"}, {"content": "no", "is_error": True}),
        (gemini, {"functionResponse": {"id": "id_1", "name": "read", "response": {"output": "text"}}}, {"functionResponse": {"id": "id_1", "name": "read", "response": {"error": "no"}}}),
    ],
)  # fmt: skip
def test_results(provider: ModuleType, good: dict[str, Any], bad: dict[str, Any]) -> None:
    assert provider.tool_result(GOOD) == good
    assert provider.tool_result(BAD) == {**good, **bad}


def test_a_made_up_id_is_not_sent_to_gemini() -> None:
    for made_up in ("call_0", "call_12", None):
        answer = gemini.tool_result(ToolResult(made_up, "read", "text"))
        assert "id" not in answer["functionResponse"]


def test_awaited_streams_give_the_same_events() -> None:
    async def arriving() -> AsyncIterator[Any]:
        for chunk in (chat(piece(A, 0, "call_a", "read")), STOP):
            yield chunk

    async def events() -> list[Any]:
        return [event async for event in openai_chat.astream_events(arriving())]

    entry = piece(A, 0, "call_a", "read")
    assert asyncio.run(events()) == [
        ToolCallStart(0, "call_a", "read"),
        ToolCallDelta(0, A),
        ToolCallEnd(0, ToolCall("call_a", "read", None, entry)),
        StreamFinish("tool_calls"),
    ]


ARGUMENTS = st.dictionaries(st.text(max_size=3), st.integers() | st.text(max_size=5) | st.none())


@given(st.lists(ARGUMENTS, min_size=1, max_size=3), st.integers(1, 9))
def test_all_formats_give_the_same_calls(calls: list[dict[str, Any]], size: int) -> None:
    texts = [json.dumps(arguments) for arguments in calls]
    ids = [f"id_{number}" for number in range(len(calls))]
    chats, responses, blocks = [], [], []
    for number, (text, own) in enumerate(zip(texts, ids, strict=True)):
        pieces = [text[at : at + size] for at in range(0, len(text), size)]
        chats.append(chat(piece("", number, own, "read")))
        chats += [chat(piece(each, number)) for each in pieces]
        responses.append(added(number, own))
        responses += [delta(each, number, own) for each in pieces]
        responses.append(done(text, number, own))
        blocks.append(block(number, use(own)))
        blocks += [text_of(each, number) for each in pieces]
        blocks.append(close(number))
    parts = [function(arguments, id=own) for arguments, own in zip(calls, ids, strict=True)]
    streams = [
        (openai_chat, [*chats, STOP]),
        (openai_responses, [*responses, completed()]),
        (anthropic, [*blocks, *stop()]),
        (gemini, [google(*parts), google(reason="STOP")]),
    ]
    for provider, chunks in streams:
        found = run(provider, chunks)
        assert [call.id for call in found] == ids
        for call, arguments in zip(found, calls, strict=True):
            given_ = call.arguments
            assert (json.loads(given_) if isinstance(given_, str) else given_) == arguments


@pytest.mark.parametrize("name", ["chat", "responses", "anthropic"])
def test_the_cost_of_many_pieces_is_linear(name: str) -> None:
    def prepare(pieces: int) -> Callable[[], None]:
        text = '{"a": "' + "x" * pieces + '"}'
        middle: list[Any]
        if name == "chat":
            start, middle, end = chat(piece("", 0, "call_a", "read")), [chat(piece("x"))], [STOP]
            middle = [chat(piece('{"a": "')), *middle * pieces, chat(piece('"}'))]
        elif name == "responses":
            start, middle, end = added(), [delta("x")], [done(text), completed(item_of(text))]
            middle = [delta('{"a": "'), *middle * pieces, delta('"}')]
        else:
            start, middle, end = block(), [text_of("x")], [close(), *stop()]
            middle = [text_of('{"a": "'), *middle * pieces, text_of('"}')]
        provider = {"chat": openai_chat, "responses": openai_responses}.get(name, anthropic)

        def work() -> None:
            [call] = run(provider, [start, *middle, *end])
            assert call.arguments == text

        return work

    assert_linear(prepare, 10_000)


def test_the_text_that_is_kept_is_bounded() -> None:
    """The adapter keeps no more than a validator takes by itself."""
    long = '{"a": "' + "x" * (17 * 1024 * 1024) + '"}'
    events = list(anthropic.stream_events([block(), text_of(long), text_of(" "), close(), *stop()]))
    stream = StreamValidator(max_bytes=32 * 1024 * 1024)
    assert [len(call.arguments) for event in events for call in stream.feed(event)] == [
        len(long) + 1
    ]
    chunks = [chat(piece(long, 0, "call_a")), chat(piece(" ")), chat(piece("", name="read")), STOP]
    assert code(openai_chat, chunks) == ("missing_name", 0)
