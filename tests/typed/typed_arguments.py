"""Code as a user writes it; `test_types.py` runs two type checkers on it."""

from __future__ import annotations

from typing import Any, TypedDict

from toolschema import (
    Accepted,
    Issue,
    Rejected,
    Tool,
    ToolDefinition,
    accept,
    check_tool_arguments,
    load_tools,
    parse_tool_arguments,
    validate_tool_arguments,
)


class ReadArguments(TypedDict):
    path: str
    limit: float


READ = ToolDefinition[ReadArguments]("read", "Read a file.", {"type": "object"})
PLAIN = ToolDefinition("plain", "Anything.", {})

parsed: ReadArguments = parse_tool_arguments(READ, "{}")
validated: ReadArguments = validate_tool_arguments(READ, {})
limit: float = parse_tool_arguments(READ, b"{}")["limit"]
plain: dict[str, Any] = parse_tool_arguments(PLAIN, "{}")
loaded: dict[str, Any] = parse_tool_arguments(load_tools("schemas")["read"], "{}")
issues: tuple[Issue, ...] = check_tool_arguments(READ, {})


def check(arguments: ReadArguments, context: str) -> Accepted[float] | Rejected:
    return accept(arguments["limit"])


def run(value: float, context: str) -> str:
    return str(value)


def run_of_text(value: str, context: str) -> str:
    return value


good = Tool(READ, run, check)
bad = Tool(READ, run_of_text, check)  # EXPECT an error

wrong_key = parse_tool_arguments(READ, "{}")["lines"]  # EXPECT an error
wrong_type: str = parse_tool_arguments(READ, "{}")["limit"]  # EXPECT an error
wrong_tool = parse_tool_arguments("read", "{}")  # EXPECT an error
