"""The cost of a call through a toolbox, compared with validation, and how its guard grows.

    python benchmarks/line.py

First a valid call through the toolbox, with a check and a handler that do next to
nothing, as a ratio to `parse_tool_arguments` alone; and the feedback for a model, as
a ratio to finding the issues that it describes. Then a guard that has seen more and
more distinct failing calls: how many it keeps, how much memory that took, and the
cost of one answer.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
from pathlib import Path
from typing import Any

from measure import Case, duration, measure

from toolschema import (
    Accepted,
    RetryGuard,
    Tool,
    Toolbox,
    ToolCall,
    accept,
    check_tool_arguments,
    feedback,
    load_tool,
    parse_tool_arguments,
)

READ = Path(__file__).parent.parent / "schemas" / "read.json"
GOOD = '{"path": "README.md", "limit": 20, "options": {"labels": ["docs"]}}'
BAD = '{"limit": "20", "options": {"labels": ["docs"]}}'
SHAPE = "parse_tool_arguments"
SIZES = (10, 10_000, 1_000_000)
MOST_RATIO, MOST_GROWTH = 3.0, 1.5


def check(arguments: Any, context: Any) -> Accepted[Any]:
    return accept(arguments)


def run(arguments: Any, context: Any) -> str:
    return "done"


def line_cases() -> dict[str, Case]:
    definition = load_tool(READ)
    toolbox = Toolbox([Tool(definition, run, check)])
    guarded = Toolbox(toolbox, guard=RetryGuard())
    busy = Toolbox(toolbox, guard=_filled(100))
    call = ToolCall("call_1", "read", GOOD)

    def awaited() -> None:
        # Without an event loop, so that only the toolbox is measured.
        try:
            toolbox.acall(call).send(None)
        except StopIteration:
            return

    assert toolbox.call(call).content == guarded.call(call).content == "done"
    return {
        SHAPE: lambda: parse_tool_arguments(definition, GOOD),
        "call": lambda: toolbox.call(call),
        "call, guarded": lambda: guarded.call(call),
        "call, guard with 100 failures": lambda: busy.call(call),
        "acall": awaited,
    }


def text_cases() -> dict[str, Case]:
    definition = load_tool(READ)
    issues = check_tool_arguments(definition, BAD)
    return {
        "check_tool_arguments, failing": lambda: check_tool_arguments(definition, BAD),
        "feedback": lambda: feedback(definition, issues, BAD),
    }


def _arguments(number: int) -> str:
    return f'{{"bookingId": "bk_{number:012x}", "date": "2031-05-02"}}'


def _filled(size: int) -> RetryGuard:
    guard = RetryGuard()
    for number in range(size):
        guard.failed("reschedule_booking", _arguments(number))
    return guard


def _resident() -> int:
    """Resident memory of this process in bytes; 0 where the system does not report it."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--slice", type=float, default=0.005, help="seconds per case and round")
    parser.add_argument("--most", type=int, default=SIZES[-1], help="skip larger sizes")
    arguments = parser.parse_args()
    options: dict[str, Any] = {"rounds": arguments.rounds, "slice_seconds": arguments.slice}

    timed = measure(line_cases(), **options)
    print(f"{'median of one call':32}{'':>10}{'ratio':>10}")
    for name, each in timed.items():
        print(f"{name:32}{duration(each.median):>10}{each.ratio(timed[SHAPE]):10.2f}")
    print(f"bar for call: {MOST_RATIO}")
    told = measure(text_cases(), **options)
    issues = next(iter(told.values()))
    for name, each in told.items():
        print(f"{name:32}{duration(each.median):>10}{each.ratio(issues):10.2f}")
    print(f"bar for feedback: {MOST_RATIO}")

    print(f"\n{'distinct failing calls':>24}{'kept':>10}{'resident':>12}")
    cases: dict[str, Case] = {}
    for size in (each for each in SIZES if each <= arguments.most):
        gc.collect()
        before = _resident()
        guard = _filled(size)
        gc.collect()
        kept = sum(len(tool["calls"]) for tool in guard.state().values())
        print(f"{size:24,}{kept:10,}{(_resident() - before) / 1e6:+9.1f} MB")
        cases[f"{size:,}"] = _lookup(guard, size)
    looked_up = measure(cases, **options)
    first = next(iter(looked_up.values()))
    print(f"\n{'answer after so many calls':32}{'':>10}{'ratio':>10}")
    for name, each in looked_up.items():
        print(f"{name:32}{duration(each.median):>10}{each.ratio(first):10.2f}")
    print(f"bar: {MOST_GROWTH}")
    return 0


def _lookup(guard: RetryGuard, size: int) -> Case:
    known = _arguments(size - 1)
    return lambda: guard.answer("reschedule_booking", known)


if __name__ == "__main__":
    sys.exit(main())
