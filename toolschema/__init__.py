"""Check what a language model sends to a tool, against plain JSON Schema files."""

from toolschema._call import Toolbox
from toolschema._defaults import apply_defaults
from toolschema._definition import ToolDefinition
from toolschema._feedback import feedback
from toolschema._folder import load_tool, load_tools
from toolschema._issue import Issue
from toolschema._limits import Limits
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
