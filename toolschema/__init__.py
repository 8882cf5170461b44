"""Check what a language model sends to a tool, against plain JSON Schema files."""

from toolschema._defaults import apply_defaults
from toolschema._definition import ToolDefinition
from toolschema._folder import load_tool, load_tools
from toolschema._issue import Issue
from toolschema._limits import Limits
from toolschema._semantic import accept, reject
from toolschema._toolset import ToolSet
from toolschema._validation import (
    check_tool_arguments,
    parse_tool_arguments,
    validate_tool_arguments,
)
from toolschema.errors import (
    ToolArgumentsValidationError,
    ToolError,
    ToolSchemaError,
    UnknownToolError,
)

__all__ = [
    "Issue",
    "Limits",
    "ToolArgumentsValidationError",
    "ToolDefinition",
    "ToolError",
    "ToolSchemaError",
    "ToolSet",
    "UnknownToolError",
    "accept",
    "apply_defaults",
    "check_tool_arguments",
    "load_tool",
    "load_tools",
    "parse_tool_arguments",
    "reject",
    "validate_tool_arguments",
]
