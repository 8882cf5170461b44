"""How close the boundary is to its floor: decode, then one verdict.

    python benchmarks/boundary.py

Prints the median time of one call over interleaved rounds, and the ratio to
`orjson.loads` followed by `is_valid` of jsonschema-rs.
"""

from __future__ import annotations

import argparse
import copy
import json
import statistics
import sys
import timeit
from collections.abc import Callable
from pathlib import Path

import jsonschema_rs
import orjson
from jsonschema import Draft202012Validator

from toolschema import (
    ToolArgumentsValidationError,
    load_tool,
    parse_tool_arguments,
    validate_tool_arguments,
)

READ = Path(__file__).parent.parent / "schemas" / "read.json"
GOOD = '{"path": "README.md", "limit": 20, "options": {"labels": ["docs"]}}'
BAD = '{"limit": "20", "options": {"labels": ["docs"]}}'


def cases() -> dict[str, Callable[[], object]]:
    tool = load_tool(READ)
    engine = jsonschema_rs.Draft202012Validator(tool.parameters, offline=True).is_valid
    stock = Draft202012Validator(tool.parameters)
    good, bad = json.loads(GOOD), json.loads(BAD)

    def fail() -> None:
        try:
            parse_tool_arguments(tool, BAD)
        except ToolArgumentsValidationError:
            return

    return {
        "orjson.loads + is_valid": lambda: engine(orjson.loads(GOOD)),
        "parse_tool_arguments": lambda: parse_tool_arguments(tool, GOOD),
        "validate_tool_arguments": lambda: validate_tool_arguments(tool, good),
        "copy.deepcopy": lambda: copy.deepcopy(good),
        "parse_tool_arguments, failing": fail,
        "stock iter_errors, failing": lambda: list(stock.iter_errors(bad)),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--calls", type=int, default=20_000)
    arguments = parser.parse_args()
    timed: dict[str, list[float]] = {}
    for _ in range(arguments.rounds):
        for name, case in cases().items():
            calls = arguments.calls if "failing" not in name else max(arguments.calls // 20, 1)
            timed.setdefault(name, []).append(timeit.timeit(case, number=calls) / calls)
    floor = timed["orjson.loads + is_valid"]
    print(f"{'median of one call':32}{'µs':>10}{'ratio':>10}")
    for name, times in timed.items():
        ratio = statistics.median(a / b for a, b in zip(times, floor, strict=True))
        print(f"{name:32}{statistics.median(times) * 1e6:10.2f}{ratio:10.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
