"""Tools, as a server lists them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from toolschema import ToolDefinition
from toolschema._schema.compound import self_contained
from toolschema.providers._export.export import export
from toolschema.providers._export.profiles import EVERY_KEYWORD


def tool_list(
    tools: Mapping[str, ToolDefinition[Any]] | Iterable[ToolDefinition[Any]],
) -> dict[str, Any]:
    """Write *tools* as the answer to ``tools/list``.

    Every schema is self-contained, because a client may refuse one that refers to
    others: what a schema of a folder refers to is included in its ``$defs``. A
    schema that refers to nothing else is listed as it was written, except that its
    root gets ``"type": "object"``, which the protocol requires.

    Args:
        tools: A `ToolSet`, or definitions.

    Returns:
        Plain JSON. In a server it becomes
        ``ListToolsResult.model_validate(tool_list(tools))``, with 1.x and 2.x.

    Raises:
        ToolSchemaError: Resources of a tool cannot be included, because two have
            one ``$id`` or one is ``true`` or ``false``.

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
    entry["inputSchema"] = _input_schema(tool)
    if tool.output is not None:
        label = f'output of tool "{tool.name}"'
        entry["outputSchema"] = self_contained(label, tool.output, tool.resources)
    if tool.annotations is not None:
        entry["annotations"] = tool.annotations
    extra = tool.extra or {}
    return {**entry, **{key: extra[key] for key in extra if key not in entry}}


def _input_schema(tool: ToolDefinition[Any]) -> dict[str, Any]:
    schema = tool.parameters
    if len(tool.compiled.survey.documents) > 1:
        # Clients pass it on to providers, which follow only "#/$defs/…".
        exported = export(tool, EVERY_KEYWORD, "inputSchema")
        schema = (
            self_contained(f'tool "{tool.name}"', schema, tool.resources)
            if exported.report
            else exported.payload["inputSchema"]
        )
    if schema.get("type") != "object":
        # Arguments are an object in any case.
        schema = {"type": "object", **{key: schema[key] for key in schema if key != "type"}}
    return schema
