"""How close the boundary is to its floor: decoding, then one verdict.

    python benchmarks/boundary.py

Prints the median time of one call over interleaved rounds, and the ratio to
`orjson.loads` followed by `is_valid` of jsonschema-rs.
"""

from __future__ import annotations

import argparse
import copy
import json
import sys
from pathlib import Path

import jsonschema_rs
import orjson
from jsonschema import Draft202012Validator
from measure import Case, duration, measure

from toolschema import (
    ToolArgumentsValidationError,
    load_tool,
    parse_tool_arguments,
    validate_tool_arguments,
)

READ = Path(__file__).parent.parent / "schemas" / "read.json"
GOOD = '{"path": "README.md", "limit": 20, "options": {"labels": ["docs"]}}'
BAD = '{"limit": "20", "options": {"labels": ["docs"]}}'
FLOOR = "orjson.loads + is_valid"


def cases() -> dict[str, Case]:
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
        FLOOR: lambda: engine(orjson.loads(GOOD)),
        "parse_tool_arguments": lambda: parse_tool_arguments(tool, GOOD),
        "validate_tool_arguments": lambda: validate_tool_arguments(tool, good),
        "copy.deepcopy": lambda: copy.deepcopy(good),
        "parse_tool_arguments, failing": fail,
        "stock iter_errors, failing": lambda: list(stock.iter_errors(bad)),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--slice", type=float, default=0.005, help="seconds per case and round")
    arguments = parser.parse_args()
    timed = measure(cases(), rounds=arguments.rounds, slice_seconds=arguments.slice)
    print(f"{'median of one call':32}{'':>10}{'ratio':>10}")
    for name, each in timed.items():
        print(f"{name:32}{duration(each.median):>10}{each.ratio(timed[FLOOR]):10.2f}")
    failing = timed["parse_tool_arguments, failing"].ratio(timed["stock iter_errors, failing"])
    print(f"failing, to stock {failing:.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
