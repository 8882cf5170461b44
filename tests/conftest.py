from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import pytest
from hypothesis import settings

from toolschema import ToolDefinition

ROOT = Path(__file__).parent.parent
DATA = Path(__file__).parent / "data"

# A deadline of Hypothesis is wall-clock time, which a busy machine has less of. What
# hangs is ended by pytest-timeout.
settings.register_profile("toolschema", settings(), deadline=None)
settings.load_profile("toolschema")

READ: dict[str, Any] = {
    "type": "object",
    "required": ["path", "limit", "options"],
    "properties": {
        "path": {"type": "string", "minLength": 1},
        "limit": {"type": "number", "minimum": 1},
        "options": {
            "type": "object",
            "required": ["labels"],
            "properties": {"labels": {"type": "array", "items": {"type": "string"}}},
        },
    },
}


def define(schema: Any, **options: Any) -> ToolDefinition:
    return ToolDefinition("tool", "A tool.", schema, **options)


def property_tool(schema: Any, **options: Any) -> ToolDefinition:
    """A tool whose only property, ``v``, has this schema."""
    return define({"type": "object", "properties": {"v": schema}}, **options)


def rows(name: str) -> list[dict[str, Any]]:
    """Our own vectors: they lie with the tests."""
    lines = (DATA / "vectors" / name).read_bytes().split(b"\n")
    return [json.loads(line) for line in lines if line]


def foreign_rows(name: str) -> list[dict[str, Any]]:
    """Others' data: never committed, so it may not be there."""
    folder = os.environ.get("TOOLSCHEMA_VECTORS")
    if not folder:
        pytest.skip("TOOLSCHEMA_VECTORS names no folder with third-party vectors")
    lines = (Path(folder) / name).read_bytes().split(b"\n")
    return [json.loads(line) for line in lines if line]


def cannot(reason: str) -> NoReturn:
    """Without another program there is nothing to compare with; CI must have it."""
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


def seconds(work: Callable[..., object], *arguments: Any, runs: int = 1) -> float:
    """Processor time of this process, the least of *runs*: other processes do not count."""
    times = []
    for _ in range(runs):
        start = time.process_time()
        work(*arguments)
        times.append(time.process_time() - start)
    return min(times)


def assert_linear(prepare: Callable[[int], Callable[[], object]], size: int) -> None:
    """What *prepare* returns takes time in proportion to the size that it was made for.

    Four times the size may take eight times as long; in quadratic time it takes
    sixteen times as long.
    """
    small, large = (seconds(prepare(each), runs=3) for each in (size, 4 * size))
    assert large < 8 * small


@pytest.fixture
def read() -> ToolDefinition:
    return ToolDefinition("read", "Read a file.", READ)
