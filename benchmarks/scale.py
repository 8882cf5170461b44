"""How cost grows: with properties, items, depth and the number of tools.

    python benchmarks/scale.py

Every row is ten times the size of the one before. The exponent is that of the
growth between the two; 1 is linear. From a millisecond on, exponents above 1.15 are
marked.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

from measure import Case, duration

from toolschema import (
    Limits,
    ToolArgumentsValidationError,
    ToolDefinition,
    ToolSet,
    parse_tool_arguments,
    validate_tool_arguments,
)

WIDE = Limits(max_nodes=4_000_000, max_bytes=64 * 1024 * 1024)
NOT_LINEAR, LONG = 1.15, 0.001

Calls = dict[str, Case]


def calls(schema: dict[str, Any], good: Any, bad: Any) -> Calls:
    tool = ToolDefinition("tool", "", schema, limits=WIDE)
    text, bad_text = json.dumps(good), json.dumps(bad)

    def fail() -> None:
        try:
            parse_tool_arguments(tool, bad_text)
        except ToolArgumentsValidationError:
            return
        raise AssertionError("the call should have failed")

    return {
        "parse": lambda: parse_tool_arguments(tool, text),
        "validate": lambda: validate_tool_arguments(tool, good),
        "parse, one fault": fail,
    }


def properties(size: int) -> Calls:
    declared = {f"p{number}": {"type": "integer"} for number in range(size)}
    good: dict[str, Any] = dict.fromkeys(declared, 1)
    schema = {"type": "object", "properties": declared, "additionalProperties": False}
    made = calls(schema, good, {**good, "p0": "x"})
    serial = iter(range(1_000_000_000))
    made["load"] = lambda: ToolDefinition("tool", "", {**schema, "title": str(next(serial))})
    return made


def items(size: int) -> Calls:
    item = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
    schema = {"properties": {"v": {"type": "array", "items": item}}}
    good: list[Any] = [{"a": 1}] * size
    return calls(schema, {"v": good}, {"v": [*good[:-1], {"a": "x"}]})


def depth(size: int) -> Calls:
    schema = {
        "$ref": "#/$defs/node",
        "$defs": {"node": {"type": "object", "properties": {"v": {"$ref": "#/$defs/node"}}}},
    }
    good: dict[str, Any] = {}
    bad: dict[str, Any] = {"v": 1}
    for _ in range(size - 2):
        good, bad = {"v": good}, {"v": bad}
    return calls(schema, good, bad)


def tools(size: int) -> Calls:
    serial = iter(range(1_000_000_000))

    def define() -> ToolDefinition:
        number = next(serial)
        schema = {"properties": {f"p{number}": {"type": "string"}}, "required": ["a"]}
        return ToolDefinition(f"tool{number}", "", schema)

    chosen = ToolSet([define() for _ in range(size)])
    name = next(iter(chosen))
    return {
        "load all": lambda: ToolSet([define() for _ in range(size)]),
        "find one": lambda: chosen[name],
    }


AXES: dict[str, tuple[Callable[[int], Calls], tuple[int, ...]]] = {
    "properties": (properties, (1, 10, 100, 1_000, 10_000)),
    "items": (items, (1, 10, 100, 1_000, 10_000, 100_000, 1_000_000)),
    "depth": (depth, (2, 10, 99)),
    "tools": (tools, (1, 10, 100, 1_000, 10_000)),
}


def seconds(case: Case, rounds: int) -> float:
    """The median of *rounds* slices of at least a few milliseconds."""
    case()
    taken = []
    for _ in range(rounds):
        count, start = 0, time.perf_counter()
        while time.perf_counter() - start < 0.005:
            case()
            count += 1
        taken.append((time.perf_counter() - start) / count)
    return statistics.median(taken)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--most", type=int, default=1_000_000, help="skip larger sizes")
    arguments = parser.parse_args()
    for axis, (make, sizes) in AXES.items():
        print(axis)
        before: dict[str, tuple[int, float]] = {}
        for size in (each for each in sizes if each <= arguments.most):
            for name, case in make(size).items():
                taken = seconds(case, arguments.rounds)
                growth = _growth(before.get(name), size, taken)
                print(f"  {name:20}{size:10,}{duration(taken):>12}{growth}")
                before[name] = size, taken
    return 0


def _growth(before: tuple[int, float] | None, size: int, taken: float) -> str:
    if before is None:
        return ""
    exponent = math.log(taken / before[1]) / math.log(size / before[0])
    return f"{exponent:8.2f}" + (" *" if exponent > NOT_LINEAR and taken > LONG else "")


if __name__ == "__main__":
    sys.exit(main())
