"""The providers' own clients: we read their objects and compare our results with theirs."""

from __future__ import annotations

import asyncio
import importlib
import json
import os
import warnings
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from test_providers import (
    BAD,
    CUT,
    GOOD,
    WORDS,
    A,
    B,
    added,
    answer,
    arguments_done,
    begin,
    block,
    call_of,
    chat,
    close,
    completed,
    delta,
    done,
    function,
    google,
    incomplete,
    item_of,
    more,
    patch,
    patches,
    piece,
    run,
    shown,
    stop,
    text_of,
    use,
)

from toolschema import StreamSequenceError, StreamValidator, ToolCall
from toolschema.providers import anthropic, gemini, openai_chat, openai_responses

pytestmark = [pytest.mark.once, pytest.mark.filterwarnings("default")]

Calls = list[tuple[Any, Any, Any]]
ONE, OTHER = ("call_a", "read", {"a": 1}), ("call_b", "read", {"b": 2})
CHUNK = {"id": "c", "created": 1, "model": "m", "object": "chat.completion.chunk"}
MESSAGE = {"id": "m", "type": "message", "role": "assistant", "model": "m"}
MESSAGE_USAGE = {"input_tokens": 1, "output_tokens": 1}
RESPONSE = {
    "id": "r", "object": "response", "created_at": 1, "model": "m", "metadata": {}, "tools": [],
    "parallel_tool_calls": True, "tool_choice": "auto", "error": None, "instructions": None,
    "temperature": 1, "top_p": 1, "incomplete_details": None,
}  # fmt: skip


def sdk(name: str) -> Any:
    """A module of an SDK, typed as Any so that type checkers do not need it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return importlib.import_module(name)
        except ImportError:
            reason = f'{name} is not installed: pip install -e ".[sdk]"'
            # SDKS=required is set where they must be installed.
            (pytest.fail if os.environ.get("SDKS") == "required" else pytest.skip)(reason)


def values(calls: list[ToolCall]) -> Calls:
    """Arguments as values, so that JSON text and objects can be compared."""
    return [(id_, name, loaded(given)) for id_, name, given in shown(calls)]


def loaded(given: Any) -> Any:
    return json.loads(given) if isinstance(given, str) else given


# Clients without a network


def transport(reply: bytes, kind: str = "application/json") -> Any:
    httpx = sdk("httpx2")

    def handle(request: Any) -> Any:
        return httpx.Response(200, content=reply, headers={"content-type": kind})

    return httpx.MockTransport(handle)


def openai_client(reply: bytes, kind: str = "application/json") -> Any:
    http = sdk("httpx2").Client(transport=transport(reply, kind))
    return sdk("openai").OpenAI(api_key="x", http_client=http)


def anthropic_client(reply: bytes, kind: str = "application/json") -> Any:
    http = sdk("httpx2").Client(transport=transport(reply, kind))
    return sdk("anthropic").Anthropic(api_key="x", http_client=http)


def google_client(reply: bytes, kind: str = "application/json") -> Any:
    genai = sdk("google.genai")
    http = sdk("httpx2").Client(transport=transport(reply, kind))
    options = genai.types.HttpOptions(httpx_client=http)
    return genai.Client(api_key="x", http_options=options)


def served(events: list[Any]) -> bytes:
    lines = []
    for event in events:
        kind = event.get("type")
        lines.append((f"event: {kind}\n" if kind else "") + f"data: {json.dumps(event)}\n\n")
    return "".join(lines).encode()


STREAM = "text/event-stream"
ASK: list[dict[str, Any]] = [{"role": "user", "content": "?"}]


def chat_stream(chunks: list[Any]) -> Any:
    reply = served([{**CHUNK, **chunk} for chunk in chunks]) + b"data: [DONE]\n\n"
    client = openai_client(reply, STREAM)
    return client.chat.completions.create(model="m", messages=ASK, stream=True)


def full_responses(events: list[Any]) -> list[Any]:
    """With the fields that the SDK requires."""
    numbered = [
        {
            "type": "response.created",
            "response": {**RESPONSE, "status": "in_progress", "output": []},
        }
    ]
    for event in events:
        response = event.get("response")
        status = {"status": event["type"].rpartition(".")[2]}
        numbered.append(
            {
                **event,
                **({} if response is None else {"response": {**RESPONSE, **status, **response}}),
            }
        )
    return [{**event, "sequence_number": number} for number, event in enumerate(numbered)]


def responses_stream(events: list[Any]) -> Any:
    client = openai_client(served(full_responses(events)), STREAM)
    return client.responses.create(model="m", input="?", stream=True)


def full_messages(events: list[Any]) -> list[Any]:
    """With the fields that the SDK requires."""
    begun = events if events[0]["type"] == "message_start" else [begin(), *events]
    whole = []
    for event in begun:
        if event["type"] == "message_start":
            message = {"usage": MESSAGE_USAGE, "stop_sequence": None, **MESSAGE, **event["message"]}
            whole.append({**event, "message": message})
        elif event["type"] == "message_delta":
            whole.append({**event, "usage": MESSAGE_USAGE})
        else:
            whole.append(event)
    return whole


def anthropic_stream(events: list[Any]) -> Any:
    client = anthropic_client(served(full_messages(events)), STREAM)
    return client.messages.create(model="m", max_tokens=9, messages=ASK, stream=True)


def google_stream(chunks: list[Any]) -> Any:
    client = google_client(served(chunks), STREAM)
    return client.models.generate_content_stream(model="m", contents="?")


GOOD_STREAMS: dict[str, tuple[ModuleType, Callable[[list[Any]], Any], list[Any], Calls]] = {
    "chat": (openai_chat, chat_stream, [
        chat(piece("", 0, "call_a", "read", type="function")), chat(piece('{"a"')), chat(piece(": 1}")),
        chat(piece(B, 1, "call_b", "read", type="function")), chat(reason="tool_calls"),
    ], [ONE, OTHER]),
    "responses": (openai_responses, responses_stream, [
        added(), delta('{"a"'), delta(": 1}"), arguments_done(A), done(A, status="completed"),
        added(1, "call_b"), delta(B, 1, "call_b"), arguments_done(B, 1, "call_b"),
        done(B, 1, "call_b"), completed(item_of(A), item_of(B, "call_b")),
    ], [ONE, OTHER]),
    "anthropic": (anthropic, anthropic_stream, [
        begin(), *WORDS, block(1), text_of("", 1), text_of('{"a"', 1), text_of(": 1}", 1), close(1),
        block(2, use("call_b")), text_of(B, 2), close(2), *stop(),
    ], [ONE, OTHER]),
    "gemini": (gemini, google_stream, [
        google(function({"a": 1}, id="call_a")), google(function({"b": 2}, id="call_b")),
        google({"text": ""}, reason="STOP"),
    ], [ONE, OTHER]),
    "gemini, patches": (gemini, google_stream, [
        patches(more("$.a", "x"), name="read"), patches(patch("$.a", stringValue="y"), patch("$.b", nullValue="NULL_VALUE")),
        google({"functionCall": {}}), google(reason="STOP"),
    ], [("call_0", "read", {"a": "xy", "b": None})]),
}  # fmt: skip


@pytest.mark.parametrize("name", GOOD_STREAMS)
def test_streams_from_the_clients_are_read(name: str) -> None:
    provider, stream, chunks, calls = GOOD_STREAMS[name]
    assert values(run(provider, stream(chunks))) == calls


def test_async_streams_from_the_clients_are_read() -> None:
    httpx, openai = sdk("httpx2"), sdk("openai")
    _, _, chunks, calls = GOOD_STREAMS["chat"]
    reply = served([{**CHUNK, **chunk} for chunk in chunks]) + b"data: [DONE]\n\n"

    async def main() -> list[ToolCall]:
        http = httpx.AsyncClient(transport=transport(reply, STREAM))
        async with openai.AsyncOpenAI(api_key="x", http_client=http) as client:
            chunks = await client.chat.completions.create(model="m", messages=ASK, stream=True)
            stream = StreamValidator()
            found = []
            async for event in openai_chat.astream_events(chunks):
                found += stream.feed(event)
            return found + stream.close()

    assert values(asyncio.run(main())) == calls


def test_complete_responses_from_the_clients_are_read() -> None:
    completion = {
        "id": "c",
        "created": 1,
        "model": "m",
        "object": "chat.completion",
        **answer(call_of(A), call_of(B, "call_b")),
    }
    client = openai_client(json.dumps(completion).encode())
    made = client.chat.completions.create(model="m", messages=ASK)
    assert values(openai_chat.tool_calls(made)) == [ONE, OTHER]

    response = {**RESPONSE, "status": "completed", "output": [item_of(A), item_of(B, "call_b")]}
    client = openai_client(json.dumps(response).encode())
    made = client.responses.create(model="m", input="?")
    assert values(openai_responses.tool_calls(made)) == [ONE, OTHER]

    content = [{"type": "text", "text": "I"}, use(a=1), use("call_b", b=2)]
    message = {**MESSAGE, "usage": MESSAGE_USAGE, "content": content, "stop_reason": "tool_use"}
    client = anthropic_client(json.dumps(message).encode())
    made = client.messages.create(model="m", max_tokens=9, messages=ASK)
    assert values(anthropic.tool_calls(made)) == [ONE, OTHER]

    signed = {**function({"a": 1}, id="call_a"), "thoughtSignature": "c2ln"}
    candidate = google(signed, function({"b": 2}, id="call_b"), reason="STOP")
    made = google_client(json.dumps(candidate).encode()).models.generate_content(
        model="m", contents="?"
    )
    calls = gemini.tool_calls(made)
    assert values(calls) == [ONE, OTHER]
    assert calls[0].raw.thought_signature == b"sig"


# Compared with the SDKs' own accumulation


def chat_by_sdk(chunks: list[Any]) -> Any:
    types, streaming = sdk("openai.types.chat"), sdk("openai.lib.streaming.chat")
    state = streaming.ChatCompletionStreamState()
    for chunk in chunks:
        state.handle_chunk(types.ChatCompletionChunk.construct(**CHUNK, **chunk))
    calls = state.get_final_completion().choices[0].message.tool_calls or ()
    return [(call.id, call.function.name, call.function.arguments) for call in calls]


def responses_by_sdk(events: list[Any]) -> Any:
    client = openai_client(served(full_responses(events)), STREAM)
    with client.responses.stream(model="m", input="?") as stream:
        kinds = [event.type for event in stream]
        output = [] if kinds[-1] != "response.completed" else stream.get_final_response().output
    return [(item.call_id, item.name, item.arguments) for item in output] or kinds[-1]


def anthropic_by_sdk(events: list[Any]) -> Any:
    client = anthropic_client(served(full_messages(events)), STREAM)
    with client.messages.stream(model="m", max_tokens=9, messages=ASK) as stream:
        content = stream.get_final_message().content
    return [(block.id, block.name, block.input) for block in content if block.type == "tool_use"]


def by_sdk(accumulate: Callable[[list[Any]], Any], chunks: list[Any]) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return accumulate(chunks)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is the SDK's result
            return type(error).__name__


def by_us(provider: ModuleType, chunks: list[Any]) -> Any:
    try:
        return shown(run(provider, chunks))
    except StreamSequenceError as error:
        return error.code


ACCUMULATORS = {
    "chat": chat_by_sdk,
    "responses": responses_by_sdk,
    "anthropic": anthropic_by_sdk,
}


@pytest.mark.parametrize("name", ACCUMULATORS)
def test_the_sdk_agrees_on_well_formed_streams(name: str) -> None:
    _, _, chunks, calls = GOOD_STREAMS[name]
    found = by_sdk(ACCUMULATORS[name], chunks)
    assert [(id_, called, loaded(given)) for id_, called, given in found] == calls


# The SDK's result for each stream, then ours: calls, or the code of the refusal.
QUIRKS: dict[str, tuple[str, ModuleType, list[Any], Any, Any]] = {
    "chat: id and name repeated": ("chat", openai_chat, [chat(piece('{"a"', 0, "call_a", "read")), chat(piece(": 1}", 0, "call_a", "read")), chat(reason="tool_calls")], [("call_acall_a", "readread", A)], [("call_a", "read", A)]),
    "chat: vLLM: repeated beside the finish": ("chat", openai_chat, [chat(piece(A, 0, "call_a", "read")), chat(piece("", 0, "call_a", "read"), reason="tool_calls")], [("call_acall_a", "readread", A)], [("call_a", "read", A)]),
    "chat: vLLM: arguments doubled": ("chat", openai_chat, [chat(piece(A, 0, "call_a", "read")), chat(piece(A)), chat(reason="tool_calls")], [("call_a", "read", '{"a": 1}{"a": 1}')], "invalid_json"),
    "chat: Ollama, Dynamo: each call at index 0": ("chat", openai_chat, [chat(piece(A, 0, "call_a", "read")), chat(piece(B, 0, "call_b", "read")), chat(reason="stop")], [("call_acall_b", "readread", '{"a": 1}{"b": 2}')], [("call_a", "read", A), ("call_b", "read", B)]),
    "chat: Gemini: no index": ("chat", openai_chat, [chat(piece(A, None, "call_a", "read")), chat(reason="stop")], "TypeError", [("call_a", "read", A)]),
    "chat: first index is 1": ("chat", openai_chat, [chat(piece(A, 1, "call_a", "read")), chat(reason="tool_calls")], "IndexError", [("call_a", "read", A)]),
    "chat: cut, said to be whole": ("chat", openai_chat, [chat(piece('{"a": ', 0, "call_a", "read")), chat(reason="tool_calls")], [("call_a", "read", '{"a": ')], "invalid_json"),
    "chat: cut by length": ("chat", openai_chat, [chat(piece('{"a": ', 0, "call_a", "read")), chat(reason="length")], "LengthFinishReasonError", "truncated"),
    "chat: whole, then cut by length": ("chat", openai_chat, [chat(piece(A, 0, "call_a", "read")), chat(reason="length")], "LengthFinishReasonError", [("call_a", "read", A)]),
    "chat: no finish": ("chat", openai_chat, [chat(piece('{"a": ', 0, "call_a", "read"))], [("call_a", "read", '{"a": ')], "stream_ended_early"),
    "chat: text after the finish": ("chat", openai_chat, [chat(piece(A, 0, "call_a", "read")), chat(reason="tool_calls"), chat(piece("x"))], [("call_a", "read", '{"a": 1}x')], "delta_after_end"),
    "chat: OpenRouter: two finishes": ("chat", openai_chat, [chat(piece(A, 0, "call_a", "read")), chat(reason="tool_calls"), chat(reason="tool_calls")], [("call_a", "read", A)], [("call_a", "read", A)]),
    "chat: several calls in the finish chunk": ("chat", openai_chat, [chat(piece(A, 0, "call_a", "read"), piece(B, 1, "call_b", "read"), reason="tool_calls")], [("call_a", "read", A), ("call_b", "read", B)], [("call_a", "read", A), ("call_b", "read", B)]),
    "chat: litellm: an object twice": ("chat", openai_chat, [chat(piece({"a": 1}, 0, "call_a", "read")), chat(piece({"a": 1})), chat(reason="tool_calls")], [("call_a", "read", {"a": 2})], [("call_a", "read", {"a": 1})]),
    'chat: Mistral: "null" ids': ("chat", openai_chat, [chat(piece(A, 0, "null", "read"), piece(B, 0, "null", "read")), chat(reason="tool_calls")], [("nullnull", "readread", '{"a": 1}{"b": 2}')], [("call_0", "read", A), ("call_1", "read", B)]),
    "chat: arguments null": ("chat", openai_chat, [chat(piece(None, 0, "call_a", "read")), chat(piece(A)), chat(reason="tool_calls")], [("call_a", "read", A)], [("call_a", "read", A)]),
    "chat: no arguments": ("chat", openai_chat, [chat(piece("", 0, "call_a", "read")), chat(reason="tool_calls")], [("call_a", "read", "")], [("call_a", "read", {})]),
    "chat: one name twice": ("chat", openai_chat, [chat(piece('{"a": 1, "a": 2}', 0, "call_a", "read")), chat(reason="tool_calls")], [("call_a", "read", '{"a": 1, "a": 2}')], "invalid_json"),
    "responses: the end is unlike the pieces": ("responses", openai_responses, [added(), delta(A), arguments_done(B), done(B), completed(item_of(B))], [("call_a", "read", B)], "arguments_mismatch"),
    "responses: the response is unlike the item": ("responses", openai_responses, [added(), delta(A), arguments_done(A), done(A), completed(item_of(B))], [("call_a", "read", B)], "arguments_mismatch"),
    "responses: cut item, incomplete": ("responses", openai_responses, [added(), delta(CUT), done(CUT, status="incomplete"), incomplete(item_of(CUT))], "response.incomplete", "truncated"),
    "responses: cut, said to be whole": ("responses", openai_responses, [added(), delta(CUT), arguments_done(CUT), done(CUT), completed(item_of(CUT))], [("call_a", "read", CUT)], "invalid_json"),
    "responses: no pieces": ("responses", openai_responses, [added(), arguments_done(A), done(A), completed(item_of(A))], [("call_a", "read", A)], [("call_a", "read", A)]),
    "responses: text before its item": ("responses", openai_responses, [delta(A), completed()], "RuntimeError", "delta_before_start"),
    "responses: two starts": ("responses", openai_responses, [added(), added(), completed()], "RuntimeError", "duplicate_start"),
    "responses: no finish": ("responses", openai_responses, [added(), delta(A), done(A)], "response.output_item.done", "stream_ended_early"),
    "anthropic: max_tokens, a key kept": ("anthropic", anthropic, [block(), text_of('{"a": 1, "b": "x'), close(), *stop("max_tokens")], [("call_a", "read", {"a": 1})], "truncated"),
    "anthropic: max_tokens, nothing kept": ("anthropic", anthropic, [block(), text_of('{"a'), close(), *stop("max_tokens")], [("call_a", "read", {})], "truncated"),
    "anthropic: max_tokens before the first character": ("anthropic", anthropic, [block(), close(), *stop("max_tokens")], [("call_a", "read", {})], "truncated"),
    "anthropic: something behind it": ("anthropic", anthropic, [block(), text_of(A), text_of("}} x"), close(), *stop()], [("call_a", "read", {"a": 1})], "invalid_json"),
    "anthropic: text after the end": ("anthropic", anthropic, [block(), text_of(A), close(), text_of(", 2"), *stop()], [("call_a", "read", {"a": 1})], "delta_after_end"),
    "anthropic: text before the start": ("anthropic", anthropic, [text_of(A), block(), close(), *stop()], "IndexError", "delta_before_start"),
    "anthropic: an index left out": ("anthropic", anthropic, [block(3), text_of(A, 3), close(3), *stop()], "IndexError", [("call_a", "read", A)]),
    "anthropic: one name twice": ("anthropic", anthropic, [block(), text_of('{"a": 1, "a": 2}'), close(), *stop()], [("call_a", "read", {"a": 2})], "invalid_json"),
    "anthropic: no JSON": ("anthropic", anthropic, [block(), text_of('{"a": READ}'), close(), *stop()], "ValueError", "invalid_json"),
    "anthropic: no arguments, an empty piece": ("anthropic", anthropic, [block(), text_of(""), close(), *stop()], [("call_a", "read", {})], [("call_a", "read", {})]),
    "anthropic: no block end": ("anthropic", anthropic, [block(), text_of('{"a": 1, "b": '), *stop()], [("call_a", "read", {"a": 1})], "unfinished_call"),
    "anthropic: no finish": ("anthropic", anthropic, [block(), text_of('{"a": 1, "b": ')], [("call_a", "read", {"a": 1})], "stream_ended_early"),
    "anthropic: a second message": ("anthropic", anthropic, [begin(), block(), text_of('{"a": 1, "b": '), begin(), *stop()], [("call_a", "read", {"a": 1})], "second_message"),
    "anthropic: the cut number": ("anthropic", anthropic, [block(), text_of('{"a": 12'), close(), *stop("max_tokens")], [("call_a", "read", {"a": 12})], "truncated"),
    "anthropic: large integer": ("anthropic", anthropic, [block(), text_of('{"a": 123456789012345678901234567890}'), close(), *stop()], [("call_a", "read", {"a": 123456789012345678901234567890})], [("call_a", "read", '{"a": 123456789012345678901234567890}')]),
}  # fmt: skip


@pytest.mark.parametrize("quirk", QUIRKS)
def test_malformed_streams_compared_with_the_sdk(quirk: str) -> None:
    name, provider, chunks, theirs, ours = QUIRKS[quirk]
    assert by_sdk(ACCUMULATORS[name], chunks) == theirs
    assert by_us(provider, chunks) == ours


# Types and samples


def test_results_conform_to_the_types_of_the_sdks() -> None:
    adapter = sdk("pydantic").TypeAdapter
    chats, items = sdk("openai.types.chat"), sdk("openai.types.responses.response_input_item_param")
    blocks, genai = sdk("anthropic.types"), sdk("google.genai.types")
    for result in (GOOD, BAD):
        for provider, kind in (
            (openai_chat, chats.ChatCompletionToolMessageParam),
            (openai_responses, items.FunctionCallOutput),
            (anthropic, blocks.ToolResultBlockParam),
        ):
            made = provider.tool_result(result)
            assert adapter(kind).validate_python(made) == made
        part = genai.Part.model_validate(gemini.tool_result(result))
        assert part.function_response.id == "id_1"


def sample(name: str) -> Any:
    folder = os.environ.get("TOOLSCHEMA_VECTORS")
    if not folder:
        pytest.skip("TOOLSCHEMA_VECTORS names no folder with third-party vectors")
    return json.loads((Path(folder) / "provider_samples" / name).read_bytes())


@pytest.mark.parametrize(
    ("provider", "module", "kind", "name", "arguments"),
    [
        (openai_chat, "openai.types.chat", "ChatCompletion", "openai_chat_final.json", [{"path": "README.md"}, {"path": "b", "limit": "20"}]),
        (anthropic, "anthropic.types", "Message", "anthropic_message.json", [{"path": "README.md"}, {"path": "b", "limit": "20"}, {}]),
        (gemini, "google.genai.types", "GenerateContentResponse", "google_response.json", [{"path": "README.md", "limit": 20}, {}]),
    ],
)  # fmt: skip
def test_our_sample_responses_conform_to_the_sdk(
    provider: ModuleType, module: str, kind: str, name: str, arguments: Any
) -> None:
    raw = sample(name)
    made = getattr(sdk(module), kind).model_validate(raw)
    for response in (raw, made):
        assert [loaded(call.arguments) for call in provider.tool_calls(response)] == arguments


@pytest.mark.parametrize(
    ("provider", "module", "kind", "name", "arguments"),
    [
        (openai_chat, "openai.types.chat", "ChatCompletionChunk", "openai_chat_stream_chunks.json", [{"path": "README.md"}, {"path": "b", "limit": "20"}]),
        (openai_responses, "openai.types.responses", "ResponseStreamEvent", "openai_responses_stream_events.json", [{"path": "README.md"}]),
        (anthropic, "anthropic.types", "RawMessageStreamEvent", "anthropic_stream_events.json", [{"path": "README.md"}, {"path": "b", "limit": "20"}, {}]),
        (gemini, "google.genai.types", "GenerateContentResponse", "google_stream_chunks.json", [{"path": "README.md"}, {"path": "b"}]),
    ],
)  # fmt: skip
def test_our_sample_streams_conform_to_the_sdk(
    provider: ModuleType, module: str, kind: str, name: str, arguments: Any
) -> None:
    raw = sample(name)
    adapter = sdk("pydantic").TypeAdapter(getattr(sdk(module), kind))
    for chunks in (raw, [adapter.validate_python(chunk) for chunk in raw]):
        assert [loaded(call.arguments) for call in run(provider, chunks)] == arguments
