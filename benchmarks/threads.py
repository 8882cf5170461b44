"""Calls per second from several threads that share one tool.

    python benchmarks/threads.py

Decoding, the verdict and the explanation all hold Python's global interpreter
lock, so more threads do not mean more calls per second; they should not mean fewer, either.
A server that needs more should use processes.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import sysconfig
import threading
import time
from collections.abc import Callable
from pathlib import Path

from toolschema import ToolArgumentsValidationError, load_tool, parse_tool_arguments

READ = load_tool(Path(__file__).parent.parent / "schemas" / "read.json")
GOOD = '{"path": "README.md", "limit": 20, "options": {"labels": ["docs"]}}'
BAD = '{"limit": "20", "options": {"labels": ["docs"]}}'
COUNTS = (1, 2, 4, 8)


def pass_() -> None:
    parse_tool_arguments(READ, GOOD)


def fail() -> None:
    try:
        parse_tool_arguments(READ, BAD)
    except ToolArgumentsValidationError:
        return


def throughput(case: Callable[[], None], threads: int, calls: int) -> float:
    """Calls per second of *threads* threads that start together and share *calls* calls."""
    barrier = threading.Barrier(threads + 1)

    def work() -> None:
        barrier.wait()
        for _ in range(calls // threads):
            case()

    running = [threading.Thread(target=work) for _ in range(threads)]
    for thread in running:
        thread.start()
    barrier.wait()
    start = time.perf_counter()
    for thread in running:
        thread.join()
    return calls / (time.perf_counter() - start)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--calls", type=int, default=80_000)
    arguments = parser.parse_args()
    lock = "off" if sysconfig.get_config_var("Py_GIL_DISABLED") else "on"
    print(f"Python {sys.version.split()[0]}, interpreter lock {lock}, calls per second")
    print(f"{'threads':>8}{'valid':>12}{'to one':>8}{'failing':>12}{'to one':>8}")
    taken: dict[tuple[str, int], list[float]] = {}
    for _ in range(arguments.rounds):
        for threads in COUNTS:
            for name, case, share in (("valid", pass_, 1), ("failing", fail, 20)):
                calls = max(arguments.calls // share, threads)
                taken.setdefault((name, threads), []).append(throughput(case, threads, calls))
    for threads in COUNTS:
        row = f"{threads:8}"
        for name in ("valid", "failing"):
            each, one = taken[name, threads], taken[name, 1]
            ratio = statistics.median(a / b for a, b in zip(each, one, strict=True))
            row += f"{statistics.median(each):12,.0f}{ratio:8.2f}"
        print(row)
    return 0


if __name__ == "__main__":
    sys.exit(main())
