"""The cost of loading: distinct tools, equal tools, real sizes, and memory.

    python benchmarks/compile.py

Every tool has a distinct schema of about twelve subschemas, made from one of eight
shapes. Memory per tool, in Python and both engines, is the growth of a separate
process.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import resource
import statistics
import sys
import time
from pathlib import Path
from typing import Any

from measure import duration

from toolschema import ToolDefinition, check_tool_arguments

TEXT = {"type": "string", "minLength": 1, "maxLength": 200}
SHAPES: list[dict[str, Any]] = [
    {"id": {"type": "string", "pattern": "^[a-z]{2}_[0-9a-f]{12}$"}, "limit": {"type": "integer"}},
    {"date": {"type": "string", "format": "date"}, "note": {"type": ["string", "null"]}},
    {"tags": {"type": "array", "items": TEXT, "maxItems": 20}, "kind": {"enum": ["a", "b", "c"]}},
    {"to": {"type": "object", "properties": {"name": TEXT, "mail": TEXT}, "required": ["name"]}},
    {"filter": {"anyOf": [{"type": "null"}, {"type": "object", "properties": {"q": TEXT}}]}},
    {"amount": {"type": "number", "minimum": 0, "multipleOf": 0.01}, "currency": TEXT},
    {"rows": {"type": "array", "items": {"type": "object", "properties": {"a": TEXT, "b": TEXT}}}},
    {
        "part": {"$ref": "#/$defs/part"},
        "rest": {"type": "array", "items": {"$ref": "#/$defs/part"}},
    },
]
PART = {"part": {"type": "object", "properties": {"name": TEXT, "size": {"type": "integer"}}}}


def schema(number: int) -> dict[str, Any]:
    shape = SHAPES[number % len(SHAPES)]
    properties = {"path": TEXT, **shape, f"option{number}": {"type": "boolean"}}
    made: dict[str, Any] = {"type": "object", "properties": properties, "required": ["path"]}
    return {**made, "$defs": PART} if "part" in shape else made


def define(number: int) -> ToolDefinition:
    return ToolDefinition(f"tool{number}", "One of many.", schema(number))


def seconds_for(start: int, count: int) -> float:
    began = time.perf_counter()
    for number in range(start, start + count):
        define(number)
    return time.perf_counter() - began


def resident() -> int:
    """Resident memory of this process in bytes; available on Linux only."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize()


def memory(count: int, *, fails: bool) -> float:
    """Bytes per tool; with *fails*, after explaining one call of every tool."""
    for number in range(50):
        _use(define(-number - 1), fails=fails)
    before = resident()
    kept = [define(number) for number in range(count)]
    for tool in kept:
        _use(tool, fails=fails)
    return (resident() - before) / len(kept)


def _use(tool: ToolDefinition, *, fails: bool) -> None:
    check_tool_arguments(tool, {"path": "x"})
    if fails:
        check_tool_arguments(tool, {})


def in_a_process(count: int, *, fails: bool) -> float:
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(memory, (count,), {"fails": fails})


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--tools", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    count = arguments.tools
    define(-1)
    distinct = [seconds_for(round_ * count, count) for round_ in range(arguments.rounds)]
    equal = [seconds_for((arguments.rounds - 1) * count, count) for _ in range(arguments.rounds)]
    read = statistics.median(_reading(count) for _ in range(arguments.rounds))
    print(f"{count} tools, median of {arguments.rounds}")
    print(f"{'distinct schemas':32}{duration(statistics.median(distinct)):>10}")
    print(f"{'the same again':32}{duration(statistics.median(equal)):>10}")
    print(f"{'json.loads of their text alone':32}{duration(read):>10}")
    for name, fails in (("used", False), ("used, and failed once", True)):
        kilobytes = in_a_process(count, fails=fails) / 1024
        print(f"{'memory per tool, ' + name:40}{kilobytes:8.1f} KiB")
    return 0


def _reading(count: int) -> float:
    texts = [json.dumps(schema(number)) for number in range(count)]
    began = time.perf_counter()
    for text in texts:
        json.loads(text)
    return time.perf_counter() - began


if __name__ == "__main__":
    sys.exit(main())
