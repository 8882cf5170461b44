"""The example of a streamed turn runs for every provider."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

from conftest import ROOT

REFUSED = (
    'The call to "get_weather" was refused: 1 problem with its arguments.\n'
    "- /days: must be at most 7\n"
    'Call "get_weather" again with complete and corrected arguments.'
)
GOOD, NAME = "Oslo: sunny", "get_weather"


def test_the_example_prints_a_turn_of_every_provider() -> None:
    script = ROOT / "tests" / "examples" / "streamed_turn.py"
    command = [sys.executable, str(script)]
    ended = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    turns: dict[str, list[Any]] = {}
    for line in ended.stdout.splitlines():
        if line.startswith("  "):
            turns[[*turns][-1]].append(json.loads(line))
        else:
            turns[line] = []
    assert turns == {
        "OpenAI, Chat Completions": [
            {"role": "tool", "tool_call_id": "call_1", "content": GOOD},
            {"role": "tool", "tool_call_id": "call_2", "content": REFUSED},
        ],
        "OpenAI, Responses": [
            {"type": "function_call_output", "call_id": "call_1", "output": GOOD},
            {"type": "function_call_output", "call_id": "call_2", "output": REFUSED},
        ],
        "Anthropic, Messages": [
            {"type": "tool_result", "tool_use_id": "toolu_0", "content": GOOD},
            {"type": "tool_result", "tool_use_id": "toolu_1", "content": REFUSED, "is_error": True},
        ],
        "Google, Gemini": [
            {"functionResponse": {"name": NAME, "response": {"output": GOOD}}},
            {"functionResponse": {"name": NAME, "response": {"error": REFUSED}}},
        ],
    }
