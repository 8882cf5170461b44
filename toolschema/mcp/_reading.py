"""Tools from the answer to ``tools/list``."""

from __future__ import annotations

from collections import Counter
from typing import Any

from toolschema import Limits, ToolDefinition, ToolSchemaError, ToolSet
from toolschema.errors import SchemaFault

_TYPES = {
    "name": str,
    "title": str,
    "description": str,
    "inputSchema": dict,
    "outputSchema": dict,
    "annotations": dict,
}


def tools_from_list(
    *answers: Any, limits: Limits | None = None, faults: list[SchemaFault] | None = None
) -> ToolSet:
    """Make tools from the answer to ``tools/list``, or from all its pages.

    The server is not trusted: nothing that its schemas refer to is ever fetched, and
    every tool that cannot be used is reported at once. `tool_list` writes the tools
    back without loss: what a definition has no field for, such as icons and
    ``_meta``, is in its ``extra``.

    Args:
        answers: Answers as they arrived, or the SDK's objects; or lists of tools.
        limits: Bounds of every call; `Limits.untrusted` by default.
        faults: If given, tools that cannot be used are left out, and what is wrong
            with them is appended here.

    Returns:
        The tools, in the server's order.

    Raises:
        ToolSchemaError: Some tools cannot be used; it lists the faults of all.

    Source: Model Context Protocol 2026-07-28, server/tools, *Listing Tools*.

    >>> tool = {"name": "now", "title": "Clock", "inputSchema": {"type": "object"}}
    >>> tools_from_list({"tools": [tool]})["now"].title
    'Clock'
    """
    found: list[SchemaFault] = []
    tools: list[ToolDefinition[Any]] = []
    limits = Limits.untrusted() if limits is None else limits
    entries = [entry for answer in answers for entry in _entries(answer)]
    for number, entry in enumerate(entries):
        try:
            tools.append(_definition(f"/tools/{number}", entry, limits))
        except ToolSchemaError as error:  # noqa: PERF203 - every tool is tried
            found.extend(error.faults)
    counts = Counter(tool.name for tool in tools)
    found.extend(
        SchemaFault(f'tool "{name}"', None, f"{count} tools have this name")
        for name, count in counts.items()
        if count > 1
    )
    if found and faults is None:
        raise ToolSchemaError(found)
    if faults is not None:
        faults.extend(found)
    return ToolSet(tool for tool in tools if counts[tool.name] == 1)


def _entries(answer: Any) -> list[Any]:
    plain = _plain(answer)
    listed = plain.get("tools") if isinstance(plain, dict) else plain
    if not isinstance(listed, list):
        raise _refusal("/tools", f"must be a list, not {type(listed).__name__}")
    return [_plain(entry) for entry in listed]


def _plain(part: Any) -> Any:
    """An object of the SDK as it was sent."""
    if hasattr(part, "model_dump"):
        return part.model_dump(by_alias=True, mode="json", exclude_unset=True)
    return part


def _definition(location: str, entry: Any, limits: Limits) -> ToolDefinition[Any]:
    _check(location, entry, dict)
    fields = {key: entry[key] for key in _TYPES if entry.get(key) is not None}
    for key in dict.fromkeys(["name", "inputSchema", *fields]):
        _check(f"{location}/{key}", fields.get(key), _TYPES[key])
    if not fields["name"]:
        raise _refusal(f"{location}/name", "must not be empty")
    extra = {key: value for key, value in entry.items() if key not in _TYPES}
    return ToolDefinition(
        fields["name"],
        fields.get("description", ""),
        fields["inputSchema"],
        title=fields.get("title"),
        output=fields.get("outputSchema"),
        annotations=fields.get("annotations"),
        extra=extra or None,
        limits=limits,
    )


def _check(location: str, value: Any, kind: type) -> None:
    if type(value) is not kind:
        expected = "a string" if kind is str else "an object"
        raise _refusal(location, f"must be {expected}, not {type(value).__name__}")


def _refusal(location: str, message: str) -> ToolSchemaError:
    return ToolSchemaError([SchemaFault("tools/list", location, message)])
