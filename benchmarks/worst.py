"""The cost per byte of the worst accepted calls.

    python benchmarks/worst.py

Every row is a call within the default limits that was made to be slow: some only
need hostile text, others a schema that helps it. If the cost is linear, doubling the
text takes about twice as long.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from toolschema import ToolArgumentsValidationError, ToolDefinition, parse_tool_arguments

Case = tuple[dict[str, Any], Callable[[int], str]]


def v(schema: dict[str, Any]) -> dict[str, Any]:
    return {"properties": {"v": schema}}


def text(value: Any) -> str:
    return json.dumps({"v": value}, separators=(",", ":"))


CASES: dict[str, Case] = {
    "escapes without an end": ({}, lambda n: '{"v":"' + '\\"' * (n // 2)),
    "marks, then quotes": ({}, lambda n: "," * (n // 2) + '\\"' * (n // 4)),
    "many values": ({}, lambda n: text([0] * (n // 2))),
    "many wrong items": (v({"items": {"type": "string"}}), lambda n: text([0] * (n // 2))),
    "many names, closed": (
        {"additionalProperties": False},
        lambda n: json.dumps({f"k{i}": 0 for i in range(n // 12)}),
    ),
    "large integers, unique": (
        v({"uniqueItems": True}),
        lambda n: text([2**70 + i for i in range(n // 23)]),
    ),
    "objects, unique": (
        v({"uniqueItems": True}),
        lambda n: text([{"a": i} for i in range(n // 14)]),
    ),
    "10,000-way enum": (
        v({"items": {"enum": [f"e{i}" for i in range(10_000)]}}),
        lambda n: text(["e"] * (n // 4)),
    ),
    "counted repetition": (
        v({"pattern": "^(?:[ab]*a[ab]{800}[cd])+$"}),
        lambda n: text("ab" * (n // 2)),
    ),
    "look-around, one text": (
        v({"pattern": r"(?=.*\d)(?=.*[a-z]).{8,}"}),
        lambda n: text("a" * min(n, 8100)),
    ),
    "recursive union, failing": (
        {
            "properties": {"v": {"$ref": "#/$defs/n"}},
            "$defs": {
                "n": {
                    "anyOf": [
                        {"items": {"$ref": "#/$defs/n"}, "type": "array", "minItems": 1},
                        {"items": {"$ref": "#/$defs/n"}, "type": "array", "maxItems": 0},
                    ]
                }
            },
        },
        lambda n: text([[[[0]]]] * (n // 10)),
    ),
}


def seconds(tool: ToolDefinition, arguments: str) -> float:
    start = time.perf_counter()
    with suppress(ToolArgumentsValidationError):
        parse_tool_arguments(tool, arguments)
    return time.perf_counter() - start


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--bytes", type=int, default=200_000)
    arguments = parser.parse_args()
    print(f"{'call':28}{'bytes':>10}{'ms':>10}{'ns/byte':>10}{'x at 2x':>10}")
    for name, (schema, make) in CASES.items():
        tool = ToolDefinition("tool", "", schema)
        small, large = make(arguments.bytes // 2), make(arguments.bytes)
        seconds(tool, small[:100])
        first, second = seconds(tool, small), seconds(tool, large)
        print(
            f"{name:28}{len(large):10}{second * 1e3:10.1f}"
            f"{second / len(large) * 1e9:10.0f}{second / first:10.1f}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
