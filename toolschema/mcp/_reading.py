"""The answer to ``tools/list``, as tools."""

from __future__ import annotations

from collections import Counter
from typing import Any

from toolschema import Limits, ToolDefinition, ToolSchemaError, ToolSet
from toolschema.errors import SchemaFault

_OWN = ("name", "title", "description", "inputSchema", "outputSchema", "annotations")


def tools_from_list(
    *answers: Any, limits: Limits | None = None, faults: list[SchemaFault] | None = None
) -> ToolSet:
    """Make tools of the answer to ``tools/list``, or of all its pages.

    A server is a stranger: nothing that its schemas refer to is ever fetched,
    and what cannot be used is said at once. `tool_list` is the way back, and
    nothing is lost on it: what has no place of its own in a definition, such as
    icons and ``_meta``, is in its ``extra``.

    Args:
        answers: Each an answer as it came, or the SDK's object of it; or a list
            of tools.
        limits: Of every call; without them `Limits.untrusted`.
        faults: Where given, tools that cannot be used are left out, and what is
            wrong with them is appended here.

    Returns:
        The tools, in the server's order.

    Raises:
        ToolSchemaError: Some tool cannot be used. It lists the faults of all.

    Source: Model Context Protocol 2026-07-28, server/tools, *Listing Tools*.

    >>> tool = {"name": "now", "title": "Clock", "inputSchema": {"type": "object"}}
    >>> tools_from_list({"tools": [tool]})["now"].title
    'Clock'
    """
    found: list[SchemaFault] = []
    kept = Limits.untrusted() if limits is None else limits
    entries = [each for answer in answers for each in _entries(answer)]
    read = (_read(number, entry, kept, found) for number, entry in enumerate(entries))
    tools = [tool for tool in read if tool is not None]
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


def _read(
    number: int, entry: Any, limits: Limits, found: list[SchemaFault]
) -> ToolDefinition[Any] | None:
    try:
        return _definition(number, entry, limits)
    except ToolSchemaError as error:
        found.extend(error.faults)
        return None


def _entries(answer: Any) -> list[Any]:
    plain = _plain(answer)
    listed = plain.get("tools") if isinstance(plain, dict) else plain
    if not isinstance(listed, list):
        kind = type(listed).__name__
        raise ToolSchemaError([SchemaFault("tools/list", "/tools", f"must be a list, not {kind}")])
    return [_plain(each) for each in listed]


def _plain(part: Any) -> Any:
    """An object of the SDK as it came over the wire."""
    if hasattr(part, "model_dump"):
        return part.model_dump(by_alias=True, mode="json", exclude_unset=True)
    return part


def _definition(number: int, entry: Any, limits: Limits) -> ToolDefinition[Any]:
    def check(place: str, value: Any, kind: type, expected: str) -> Any:
        if type(value) is not kind:
            location = f"/tools/{number}{place}"
            message = f"must be {expected}, not {type(value).__name__}"
            raise ToolSchemaError([SchemaFault("tools/list", location, message)])
        return value

    check("", entry, dict, "an object")
    name = check("/name", entry.get("name"), str, "text")
    parts: dict[str, Any] = {}
    for key, kind, expected in (
        ("title", str, "text"),
        ("description", str, "text"),
        ("outputSchema", dict, "an object"),
        ("annotations", dict, "an object"),
    ):
        if entry.get(key) is not None:
            parts[key] = check(f"/{key}", entry[key], kind, expected)
    if not name:
        message = "must not be empty"
        raise ToolSchemaError([SchemaFault("tools/list", f"/tools/{number}/name", message)])
    extra = {key: value for key, value in entry.items() if key not in _OWN}
    schema = check("/inputSchema", entry.get("inputSchema"), dict, "an object")
    return ToolDefinition(
        name,
        parts.get("description", ""),
        schema,
        title=parts.get("title"),
        output=parts.get("outputSchema"),
        annotations=parts.get("annotations"),
        extra=extra or None,
        limits=limits,
    )
