"""What ``toolschema check`` warns about: schemas that work, but not as their author expects."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from toolschema import ToolDefinition
from toolschema._json.pointer import Token
from toolschema._schema.patterns.writer import portability
from toolschema.errors import SchemaFault, in_order


def non_portable_patterns(tools: Iterable[ToolDefinition[Any]]) -> list[SchemaFault]:
    r"""List the patterns that are not ECMA-262 with the ``u`` flag.

    That is what JSON Schema asks for (2020-12 core §6.4) and what Ajv, TypeBox
    and others compile. Such a pattern is still applied here, but other
    implementations reject the schema.

    >>> tool = ToolDefinition("t", "", {"properties": {"a": {"pattern": r"(?i)x"}}})
    >>> print(non_portable_patterns([tool])[0])
    tool "t"#/properties/a/pattern: rejected by other languages (unknown kind of group at column 1)
    """
    return list(in_order(fault for tool in tools for fault in _patterns(tool)))


def _patterns(tool: ToolDefinition[Any]) -> Iterator[SchemaFault]:
    for node in tool.compiled.survey.nodes.values():
        patterns: dict[tuple[str, ...], str] = {
            ("patternProperties", key): key for key in node.schema.get("patternProperties", ())
        }
        if "pattern" in node.schema:
            patterns["pattern",] = node.schema["pattern"]
        for location, pattern in patterns.items():
            reason = portability(pattern)
            if reason is not None:
                yield tool.schema_fault(node, f"rejected by other languages ({reason})", *location)


def invalid_samples(tools: Iterable[ToolDefinition[Any]]) -> list[SchemaFault]:
    """List each ``default`` and each of the ``examples`` that its own schema rejects.

    JSON Schema recommends that they be valid but does not require it (2020-12
    validation §9), so the tool works. But `apply_defaults` leaves such a
    default out, and a model may copy it. The location is that of the value, or
    of what is wrong inside it.

    >>> limit = {"type": "integer", "default": "20"}
    >>> tool = ToolDefinition("read", "Read a file.", {"properties": {"limit": limit}})
    >>> print(invalid_samples([tool])[0])
    tool "read"#/properties/limit/default: must be integer, according to the schema of this default
    """
    return list(in_order(fault for tool in tools for fault in _samples(tool)))


def _samples(tool: ToolDefinition[Any]) -> Iterator[SchemaFault]:
    compiled = tool.compiled
    for node in compiled.survey.nodes.values():
        if node.dialect.voids_siblings(node.schema):
            continue  # in draft-07 the siblings of a reference are ignored
        samples: list[tuple[str, tuple[Token, ...], Any]] = [
            ("example", ("examples", index), value)
            for index, value in enumerate(node.schema.get("examples", ()))
        ]
        if "default" in node.schema:
            samples.append(("default", ("default",), node.schema["default"]))
        for kind, location, value in samples:
            is_valid = compiled.subschema(node.schema)
            if is_valid is None or is_valid(value):
                continue
            for finding in compiled.findings(node.schema, value, tool.limits.max_steps).found:
                message = f"{finding.about('this')}, according to the schema of this {kind}"
                yield tool.schema_fault(node, message, *location, *finding.tokens)
