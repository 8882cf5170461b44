"""Values that a schema shows, its defaults and examples, and that it refuses itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from toolschema import ToolDefinition
from toolschema._json.pointer import Token
from toolschema.errors import SchemaFault

__all__ = ["unfit_samples"]


def unfit_samples(tools: Iterable[ToolDefinition[Any]]) -> list[SchemaFault]:
    """List each ``default`` and each of the ``examples`` that its own schema refuses.

    JSON Schema recommends that they be valid, and asks for nothing (2020-12
    validation §9); so the tool works. But `apply_defaults` leaves such a
    default out, and a model may well copy it. The location is that of the
    value, or of what is wrong inside it.

    >>> limit = {"type": "integer", "default": "20"}
    >>> tool = ToolDefinition("read", "Read a file.", {"properties": {"limit": limit}})
    >>> print(unfit_samples([tool])[0])
    tool "read"#/properties/limit/default: must be integer, as its own schema says of this default
    """
    found = {fault for tool in tools for fault in _of(tool)}
    return sorted(found, key=lambda fault: (fault.source, fault.location or "", fault.message))


def _of(tool: ToolDefinition[Any]) -> Iterator[SchemaFault]:
    compiled = tool.compiled
    survey = compiled.survey
    if survey.keywords.isdisjoint({"default", "examples"}):
        return
    for node in survey.nodes.values():
        if node.dialect.name == "draft-07" and "$ref" in node.schema:
            continue  # there what is beside a reference says nothing
        for kind, place, value in _samples(node.schema):
            verdict = compiled.subschema(node.schema)
            if verdict is None or verdict(value):
                continue
            for finding in compiled.findings(node.schema, value, tool.limits.max_steps).found:
                message = f"{finding.about('this')}, as its own schema says of this {kind}"
                yield tool.schema_fault(node, message, *place, *finding.tokens)


def _samples(schema: dict[str, Any]) -> Iterator[tuple[str, tuple[Token, ...], Any]]:
    if "default" in schema:
        yield "default", ("default",), schema["default"]
    examples = schema.get("examples")
    if isinstance(examples, list):
        for index, value in enumerate(examples):
            yield "example", ("examples", index), value
