"""Tools, as a server lists them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from toolschema import ToolDefinition
from toolschema.mcp._standalone import standalone_input, standalone_output


def tool_list(
    tools: Mapping[str, ToolDefinition[Any]] | Iterable[ToolDefinition[Any]],
) -> dict[str, Any]:
    """Write *tools* as the answer to ``tools/list``.

    Every schema stands for itself, as a client may refuse one that refers to
    others: what a schema of a folder refers to is brought along in ``$defs``.
    One that refers to nothing else is listed as it was written, save that its
    root says ``"type": "object"``, which the protocol asks for.

    Args:
        tools: A `ToolSet`, or definitions.

    Returns:
        Plain JSON. In a server it is
        ``ListToolsResult.model_validate(tool_list(tools))``, with 1.x and 2.x.

    Source: Model Context Protocol 2026-07-28, server/tools, *Listing Tools*.

    >>> tool = ToolDefinition("now", "The time.", {}, title="Clock")
    >>> [listed] = tool_list([tool])["tools"]
    >>> listed["title"], listed["inputSchema"]
    ('Clock', {'type': 'object'})
    """
    definitions = tools.values() if isinstance(tools, Mapping) else tools
    return {"tools": [_entry(tool) for tool in definitions]}


def _entry(tool: ToolDefinition[Any]) -> dict[str, Any]:
    entry: dict[str, Any] = {"name": tool.name}
    if tool.title is not None:
        entry["title"] = tool.title
    if tool.description:
        entry["description"] = tool.description
    entry["inputSchema"] = standalone_input(tool)
    if tool.output is not None:
        entry["outputSchema"] = standalone_output(tool)
    if tool.annotations is not None:
        entry["annotations"] = tool.annotations
    more = tool.extra or {}
    return {**entry, **{key: more[key] for key in more if key not in entry}}
