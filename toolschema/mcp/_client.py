"""A call that is checked before a server sees it."""

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
    """Send ``tools/call`` once the arguments are known to be good.

    What a server would refuse costs no round trip, and nothing is sent that its
    list does not declare. That the server's answer fits the output schema is
    looked at by the SDK's own clients.

    Args:
        session: Of the SDK: a ``ClientSession``, or with 2.x a ``Client``.
        tools: Of that server; see `tools_from_list`.
        name: Of the tool.
        arguments: None is an empty object.
        options: For the session's ``call_tool``.

    Returns:
        What ``call_tool`` answers.

    Raises:
        UnknownToolError: No tool has this name.
        ToolArgumentsValidationError: The arguments are at fault.

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
        del arguments  # or this frame, which the error leads to, would keep them
        raise
    return await session.call_tool(name, checked, **options)
