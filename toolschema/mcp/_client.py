"""A call that is checked before it is sent to a server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolschema import (
    ToolArgumentsValidationError,
    ToolDefinition,
    ToolSet,
    validate_tool_arguments,
)


async def checked_call(
    session: Any,
    tools: Mapping[str, ToolDefinition[Any]],
    name: str,
    arguments: dict[str, Any] | None = None,
    **options: Any,
) -> Any:
    """Send ``tools/call`` if the arguments are valid.

    A call that the server would refuse costs no round trip, and nothing is sent that
    the server's list does not declare. The SDK's own clients check that the answer
    fits the output schema.

    Args:
        session: The SDK's ``ClientSession``, or its ``Client`` with 2.x.
        tools: The tools of that server; see `tools_from_list`.
        name: The name of the tool.
        arguments: Its arguments; None stands for an empty object.
        options: Passed on to the session's ``call_tool``.

    Returns:
        What ``call_tool`` returns.

    Raises:
        UnknownToolError: No tool has this name.
        ToolArgumentsValidationError: The arguments are invalid.

    >>> import asyncio
    >>> class Session:
    ...     async def call_tool(self, name, arguments):
    ...         return f"{name} was called"
    >>> from toolschema.mcp import tools_from_list
    >>> tools = tools_from_list({"tools": [{"name": "now", "inputSchema": {"type": "object"}}]})
    >>> asyncio.run(checked_call(Session(), tools, "now"))
    'now was called'
    """
    kept = tools if isinstance(tools, ToolSet) else ToolSet(tools.values())
    try:
        checked = validate_tool_arguments(kept[name], {} if arguments is None else arguments)
    except ToolArgumentsValidationError:
        del arguments  # the traceback of the error would keep them alive
        raise
    return await session.call_tool(name, checked, **options)
