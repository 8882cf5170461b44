"""Validate the arguments a language model sends to a tool, against plain JSON Schema files.

>>> schema = {"properties": {"limit": {"type": "integer"}}, "required": ["limit"]}
>>> tool = ToolDefinition("read", "Read a file.", schema)
>>> parse_tool_arguments(tool, '{"limit": 5}')
{'limit': 5}
>>> check_tool_arguments(tool, '{"limit": "5"}')
('/limit: must be integer',)
"""

from typing import TYPE_CHECKING, Any

from toolschema._json.limits import Limits
from toolschema._validation.boundary import (
    check_tool_arguments,
    parse_tool_arguments,
    validate_tool_arguments,
)
from toolschema._validation.definition import ToolDefinition
from toolschema._validation.loading import load_tool, load_tools
from toolschema._validation.toolset import ToolSet
from toolschema.errors import (
    Issue,
    ProviderFormatError,
    StreamSequenceError,
    ToolArgumentsValidationError,
    ToolError,
    ToolSchemaError,
    UnknownToolError,
)

if TYPE_CHECKING:
    from toolschema._calls.feedback.feedback import feedback
    from toolschema._calls.result import ToolCall, ToolResult
    from toolschema._calls.retry import RetryGuard
    from toolschema._calls.semantic import Accepted, Rejected, accept, reject
    from toolschema._calls.stream import (
        StreamFinish,
        StreamValidator,
        ToolCallDelta,
        ToolCallEnd,
        ToolCallStart,
    )
    from toolschema._calls.tool import Tool
    from toolschema._calls.toolbox import Toolbox
    from toolschema._validation.defaults import apply_defaults

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

# Names beyond validation are imported when first used, to keep `import toolschema` fast.
_BEHIND = {
    "Accepted": "_calls.semantic",
    "Rejected": "_calls.semantic",
    "RetryGuard": "_calls.retry",
    "StreamFinish": "_calls.stream",
    "StreamValidator": "_calls.stream",
    "Tool": "_calls.tool",
    "ToolCall": "_calls.result",
    "ToolCallDelta": "_calls.stream",
    "ToolCallEnd": "_calls.stream",
    "ToolCallStart": "_calls.stream",
    "ToolResult": "_calls.result",
    "Toolbox": "_calls.toolbox",
    "accept": "_calls.semantic",
    "apply_defaults": "_validation.defaults",
    "feedback": "_calls.feedback.feedback",
    "reject": "_calls.semantic",
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
