from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, NoReturn

import pytest

from toolschema import ToolDefinition

ROOT = Path(__file__).parent.parent
DATA = Path(__file__).parent / "data"

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


@pytest.fixture
def read() -> ToolDefinition:
    return ToolDefinition("read", "Read a file.", READ)
