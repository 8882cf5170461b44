"""One streamed turn of an agent with each provider, from its chunks to the results.

    python tests/examples/streamed_turn.py

The chunks are those that ``for chunk in stream`` of the provider's SDK yields,
here as dictionaries; the SDK's own objects work too. Every turn has two calls: one
is valid, and for the other the model gets feedback.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from toolschema import StreamValidator, Tool, Toolbox, ToolDefinition
from toolschema.providers import anthropic, gemini, openai_chat, openai_responses

WEATHER = ToolDefinition(
    "get_weather",
    "The weather in a city.",
    {
        "type": "object",
        "properties": {"city": {"type": "string"}, "days": {"type": "integer", "maximum": 7}},
        "required": ["city"],
        "additionalProperties": False,
    },
)
TOOLBOX = Toolbox([Tool(WEATHER, lambda value, context: f"{value['city']}: sunny")])


def turn(provider: Any, chunks: Iterable[Any]) -> list[dict[str, Any]]:
    """Run the calls of one response and return what to send back."""
    stream = StreamValidator(names=TOOLBOX.definitions)
    calls = [call for event in provider.stream_events(chunks) for call in stream.feed(event)]
    calls += stream.close()
    return [provider.tool_result(TOOLBOX.call(call)) for call in calls]


def chat(*pieces: Any, reason: str | None = None) -> dict[str, Any]:
    return {
        "choices": [{"index": 0, "delta": {"tool_calls": list(pieces)}, "finish_reason": reason}]
    }


OPENAI_CHAT = [
    chat({"index": 0, "id": "call_1", "function": {"name": "get_weather", "arguments": ""}}),
    chat({"index": 0, "function": {"arguments": '{"city": "Os'}}),
    chat({"index": 0, "function": {"arguments": 'lo"}'}}),
    chat({"index": 1, "id": "call_2", "function": {"name": "get_weather", "arguments": ""}}),
    chat({"index": 1, "function": {"arguments": '{"city": "Rome", "days": 9}'}}),
    chat(reason="tool_calls"),
]


def item(number: int, arguments: str) -> dict[str, Any]:
    return {
        "type": "function_call", "id": f"fc_{number}", "call_id": f"call_{number}",
        "name": "get_weather", "arguments": arguments,
    }  # fmt: skip


def item_events(number: int, arguments: str) -> list[dict[str, Any]]:
    kind = "response.function_call_arguments"
    place = {"output_index": number - 1}
    return [
        {"type": "response.output_item.added", **place, "item": item(number, "")},
        {"type": f"{kind}.delta", **place, "item_id": f"fc_{number}", "delta": arguments[:9]},
        {"type": f"{kind}.delta", **place, "item_id": f"fc_{number}", "delta": arguments[9:]},
        {"type": f"{kind}.done", **place, "item_id": f"fc_{number}", "arguments": arguments},
        {"type": "response.output_item.done", **place, "item": item(number, arguments)},
    ]


OPENAI_RESPONSES = [
    {"type": "response.created", "response": {"status": "in_progress", "output": []}},
    *item_events(1, '{"city": "Oslo"}'),
    *item_events(2, '{"city": "Rome", "days": 9}'),
    {"type": "response.completed", "response": {"status": "completed", "output": []}},
]


def block_events(index: int, arguments: str) -> list[dict[str, Any]]:
    use = {"type": "tool_use", "id": f"toolu_{index}", "name": "get_weather", "input": {}}
    pieces = (arguments[:9], arguments[9:])
    return [
        {"type": "content_block_start", "index": index, "content_block": use},
        *(
            {
                "type": "content_block_delta",
                "index": index,
                "delta": {"type": "input_json_delta", "partial_json": piece},
            }
            for piece in pieces
        ),
        {"type": "content_block_stop", "index": index},
    ]


ANTHROPIC = [
    {"type": "message_start", "message": {"role": "assistant", "content": []}},
    *block_events(0, '{"city": "Oslo"}'),
    {"type": "ping"},
    *block_events(1, '{"city": "Rome", "days": 9}'),
    {"type": "message_delta", "delta": {"stop_reason": "tool_use"}},
    {"type": "message_stop"},
]


def google(args: dict[str, Any], **more: Any) -> dict[str, Any]:
    call = {"functionCall": {"name": "get_weather", "args": args}}
    return {"candidates": [{"content": {"role": "model", "parts": [call]}, **more}]}


GEMINI = [
    google({"city": "Oslo"}),
    google({"city": "Rome", "days": 9}, finishReason="STOP"),
]

TURNS = (
    ("OpenAI, Chat Completions", openai_chat, OPENAI_CHAT),
    ("OpenAI, Responses", openai_responses, OPENAI_RESPONSES),
    ("Anthropic, Messages", anthropic, ANTHROPIC),
    ("Google, Gemini", gemini, GEMINI),
)


def main() -> None:
    for name, provider, chunks in TURNS:
        print(name)
        for message in turn(provider, chunks):
            print(" ", json.dumps(message))


if __name__ == "__main__":
    main()
