"""One streamed call: an adapter and the validator, compared with the SDK's own accumulation.

    python benchmarks/streams.py

Both get the same chunks and must produce the same arguments: first as the SDK's
own objects, made beforehand; then as dictionaries from the wire, from which the SDK
has to make its objects. After that the cost per byte of a call, from 1 KB to 10 MB
of arguments in pieces of 16 characters. Google's SDK has no accumulation to compare
with: it passes chunks on, and Gemini sends calls whole.
"""

from __future__ import annotations

import argparse
import gc
import json
import statistics
import sys
import time
import warnings
from collections.abc import Callable
from functools import partial
from types import ModuleType
from typing import Any

from measure import Case, duration, measure

from toolschema import StreamValidator
from toolschema.providers import anthropic, openai_chat, openai_responses

try:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from anthropic._models import construct_type as construct_anthropic
        from anthropic.lib.streaming._messages import accumulate_event
        from anthropic.types import RawMessageStreamEvent
        from openai import omit
        from openai._models import construct_type as construct_openai
        from openai.lib.streaming.chat import ChatCompletionStreamState
        from openai.lib.streaming.responses._responses import ResponseStreamState
        from openai.types.chat import ChatCompletionChunk
        from openai.types.responses import ResponseStreamEvent
except ImportError as error:
    sys.exit(f'{error.name} is missing: pip install -e ".[sdk]"')

LEAST_FASTER, MOST_GROWTH = 5, 1.5
SIZES = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)
PIECE = 16

Chunks = list[dict[str, Any]]


def arguments(size: int) -> str:
    """An object of strings and numbers with about that many characters."""
    lines = [{"sku": f"sku-{number:06}", "quantity": number} for number in range(size // 42)]
    return json.dumps({"lines": lines, "note": "x" * (size % 42)})


def pieces(text: str, size: int) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), size)]


def chat_chunks(text: str, size: int) -> Chunks:
    head = {"id": "c", "created": 1, "model": "m", "object": "chat.completion.chunk"}

    def chunk(reason: str | None, *entries: Any) -> dict[str, Any]:
        delta = {"tool_calls": list(entries)} if entries else {}
        return {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": reason}]}

    function = {"name": "order", "arguments": ""}
    start = {"index": 0, "id": "call_1", "type": "function", "function": function}
    middle = (
        chunk(None, {"index": 0, "function": {"arguments": each}}) for each in pieces(text, size)
    )
    return [chunk(None, start), *middle, chunk("tool_calls")]


def responses_chunks(text: str, size: int) -> Chunks:
    response: dict[str, Any] = {
        "id": "r", "object": "response", "created_at": 1, "model": "m", "tools": [], "output": [],
        "parallel_tool_calls": True, "tool_choice": "auto", "status": "in_progress",
    }  # fmt: skip
    item: dict[str, Any] = {
        "type": "function_call",
        "id": "fc_1",
        "call_id": "call_1",
        "name": "order",
    }
    whole = {**item, "arguments": text, "status": "completed"}
    place: dict[str, Any] = {"output_index": 0, "item_id": "fc_1"}
    kind = "response.function_call_arguments"
    ended = {**response, "status": "completed", "output": [whole]}
    events = [
        {"type": "response.created", "response": response},
        {"type": "response.output_item.added", **place, "item": {**item, "arguments": ""}},
        *({"type": f"{kind}.delta", **place, "delta": each} for each in pieces(text, size)),
        {"type": f"{kind}.done", **place, "arguments": text},
        {"type": "response.output_item.done", **place, "item": whole},
        {"type": "response.completed", "response": ended},
    ]
    return [{**event, "sequence_number": number} for number, event in enumerate(events)]


def anthropic_chunks(text: str, size: int) -> Chunks:
    usage = {"input_tokens": 1, "output_tokens": 1}
    message: dict[str, Any] = {
        "id": "m", "type": "message", "role": "assistant", "model": "m", "content": [],
        "stop_reason": None, "stop_sequence": None, "usage": usage,
    }  # fmt: skip
    use = {"type": "tool_use", "id": "call_1", "name": "order", "input": {}}
    deltas = ({"type": "input_json_delta", "partial_json": each} for each in pieces(text, size))
    return [
        {"type": "message_start", "message": message},
        {"type": "content_block_start", "index": 0, "content_block": use},
        *({"type": "content_block_delta", "index": 0, "delta": delta} for delta in deltas),
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": usage},
        {"type": "message_stop"},
    ]


def by_us(provider: ModuleType, chunks: list[Any]) -> Any:
    stream = StreamValidator()
    calls = [call for event in provider.stream_events(chunks) for call in stream.feed(event)]
    stream.close()
    return calls[0].arguments


def chat_by_sdk(chunks: list[Any]) -> Any:
    state = ChatCompletionStreamState()
    for chunk in chunks:
        state.handle_chunk(chunk)
    calls: Any = state.get_final_completion().choices[0].message.tool_calls
    return calls[0].function.arguments


def responses_by_sdk(chunks: list[Any]) -> Any:
    state: Any = ResponseStreamState(input_tools=omit, text_format=omit)
    for chunk in chunks:
        events = state.handle_event(chunk)
    return events[-1].response.output[0].arguments


def anthropic_by_sdk(chunks: list[Any]) -> Any:
    snapshot: Any = None
    buffers: dict[int, bytes] = {}
    for chunk in chunks:
        snapshot = accumulate_event(event=chunk, current_snapshot=snapshot, json_bufs=buffers)
    return json.dumps(snapshot.content[0].input)


def construct_chat(chunk: Any) -> Any:
    return construct_openai(type_=ChatCompletionChunk, value=chunk)


def construct_responses(chunk: Any) -> Any:
    return construct_openai(type_=ResponseStreamEvent, value=chunk)


def construct_messages(chunk: Any) -> Any:
    return construct_anthropic(type_=RawMessageStreamEvent, value=chunk)


FORMATS: dict[str, tuple[ModuleType, Callable[[str, int], Chunks], Any, Any]] = {
    "openai_chat": (openai_chat, chat_chunks, construct_chat, chat_by_sdk),
    "openai_responses": (
        openai_responses,
        responses_chunks,
        construct_responses,
        responses_by_sdk,
    ),
    "anthropic": (anthropic, anthropic_chunks, construct_messages, anthropic_by_sdk),
}


def beside_the_sdks(size: int, options: dict[str, Any]) -> None:
    for name, (provider, make, construct, by_sdk) in FORMATS.items():
        text = arguments(size)
        chunks = make(text, PIECE)
        made = [construct(chunk) for chunk in chunks]
        assert json.loads(by_sdk(made)) == json.loads(by_us(provider, made)) == json.loads(text)

        def from_the_wire(chunks: Chunks = chunks, build: Any = construct, to: Any = by_sdk) -> Any:
            return to([build(chunk) for chunk in chunks])

        cases: dict[str, Case] = {
            "sdk": partial(by_sdk, made),
            "ours": partial(by_us, provider, made),
            "sdk, wire": from_the_wire,
            "ours, wire": partial(by_us, provider, chunks),
        }
        sdk, ours, sdk_wire, ours_wire = measure(cases, **options).values()
        row = f"{name:18}{size:8,}"
        for theirs, own in ((sdk, ours), (sdk_wire, ours_wire)):
            row += (
                f"{duration(theirs.median):>10}{duration(own.median):>10}{theirs.ratio(own):8.1f}"
            )
        print(row)


def long_stream(name: str, size: int) -> tuple[str, list[Any]]:
    """A call of any size from a few chunks, repeated.

    A chunk from a server is new and in the CPU cache when it is read; a list of a million
    distinct ones is not, and reading it would dominate the measurement.
    """
    _, make, _, _ = FORMATS[name]
    head, tail = '{"lines":'.ljust(PIECE - 1) + "[", "{}]}"
    unit = '{"sku": "sku-123456", "quantity": 100}'.ljust(3 * PIECE - 1) + ","
    times = max(1, (size - len(head) - len(tail)) // len(unit))
    text = head + unit * times + tail
    short, whole = (
        [{key: each[key] for key in each if key != "sequence_number"} for each in chunks]
        for chunks in (make(head + unit + tail, PIECE), make(text, len(text)))
    )
    first = {"openai_chat": 1}.get(name, 2)  # chunks come before the text
    start, middle, last = short[: first + 1], short[first + 1 : first + 4], short[first + 4]
    return text, [*start, *middle * times, last, *whole[first + 1 :]]


def per_byte(name: str, size: int, rounds: int) -> float:
    """Nanoseconds per byte; making the dictionaries is not included."""
    provider = FORMATS[name][0]
    text, chunks = long_stream(name, size)
    assert by_us(provider, chunks) == text
    taken = []
    for _ in range(rounds):
        gc.collect()
        count, start = 0, time.process_time()
        while time.process_time() - start < 0.02:
            by_us(provider, chunks)
            count += 1
        taken.append((time.process_time() - start) / count / len(text) * 1e9)
    return statistics.median(taken)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--slice", type=float, default=0.01, help="seconds per case and round")
    parser.add_argument("--most", type=int, default=SIZES[-1], help="skip larger sizes")
    given = parser.parse_args()
    options: dict[str, Any] = {"rounds": given.rounds, "slice_seconds": given.slice}
    columns = f"{'SDK':>10}{'ours':>10}{'faster':>8}"
    print(f"{'':26}{'from its objects':>28}{'from the wire':>28}")
    print(f"{'format':18}{'bytes':>8}{columns}{columns}")
    for size in SIZES[:2]:
        beside_the_sdks(size, options)
    print(f"bar: {LEAST_FASTER}\n")
    print(f"{'ns per byte':18}" + "".join(f"{size:>12,}" for size in SIZES if size <= given.most))
    for name in FORMATS:
        costs = [per_byte(name, size, 5) for size in SIZES if size <= given.most]
        row = "".join(f"{cost:12.1f}" for cost in costs)
        print(f"{name:18}{row}{max(costs) / costs[0]:9.2f} x at most")
    print(f"bar: {MOST_GROWTH} x")
    return 0


if __name__ == "__main__":
    sys.exit(main())
