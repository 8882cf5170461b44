"""Check what a language model sends to a tool, against plain JSON Schema files."""

from typing import TYPE_CHECKING, Any

from toolschema._definition import ToolDefinition
from toolschema._folder import load_tool, load_tools
from toolschema._issue import Issue
from toolschema._limits import Limits
from toolschema._toolset import ToolSet
from toolschema._validation import (
    check_tool_arguments,
    parse_tool_arguments,
    validate_tool_arguments,
)
from toolschema.errors import (
    ProviderFormatError,
    StreamSequenceError,
    ToolArgumentsValidationError,
    ToolError,
    ToolSchemaError,
    UnknownToolError,
)

if TYPE_CHECKING:
    from toolschema._call import Toolbox
    from toolschema._defaults import apply_defaults
    from toolschema._feedback import feedback
    from toolschema._result import ToolCall, ToolResult
    from toolschema._retry import RetryGuard
    from toolschema._semantic import Accepted, Rejected, accept, reject
    from toolschema._stream import (
        StreamFinish,
        StreamValidator,
        ToolCallDelta,
        ToolCallEnd,
        ToolCallStart,
    )
    from toolschema._tool import Tool

__all__ = [
    "Accepted",
    "Issue",
    "Limits",
    "ProviderFormatError",
    "Rejected",
    "RetryGuard",
    "StreamFinish",
    "StreamSequenceError",
    "StreamValidator",
    "Tool",
    "ToolArgumentsValidationError",
    "ToolCall",
    "ToolCallDelta",
    "ToolCallEnd",
    "ToolCallStart",
    "ToolDefinition",
    "ToolError",
    "ToolResult",
    "ToolSchemaError",
    "ToolSet",
    "Toolbox",
    "UnknownToolError",
    "accept",
    "apply_defaults",
    "check_tool_arguments",
    "feedback",
    "load_tool",
    "load_tools",
    "parse_tool_arguments",
    "reject",
    "validate_tool_arguments",
]

# What lies behind the boundary is imported when it is first asked for: whoever
# only validates does not wait for it.
_BEHIND = {
    "Accepted": "_semantic",
    "Rejected": "_semantic",
    "RetryGuard": "_retry",
    "StreamFinish": "_stream",
    "StreamValidator": "_stream",
    "Tool": "_tool",
    "ToolCall": "_result",
    "ToolCallDelta": "_stream",
    "ToolCallEnd": "_stream",
    "ToolCallStart": "_stream",
    "ToolResult": "_result",
    "Toolbox": "_call",
    "accept": "_semantic",
    "apply_defaults": "_defaults",
    "feedback": "_feedback",
    "reject": "_semantic",
}


def __getattr__(name: str) -> Any:
    if name not in _BEHIND:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415 - as said above

    value = getattr(import_module(f"{__name__}.{_BEHIND[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
