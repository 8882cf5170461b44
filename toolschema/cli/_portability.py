"""Patterns that work here and are refused by other readers of the same file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from toolschema import ToolDefinition
from toolschema._schema.patterns.writer import portability
from toolschema.errors import SchemaFault

__all__ = ["non_portable_patterns"]


def non_portable_patterns(tools: Iterable[ToolDefinition[Any]]) -> list[SchemaFault]:
    r"""List the patterns that are not ECMA-262 with the ``u`` flag.

    That is what JSON Schema asks for (2020-12 core §6.4) and what Ajv, TypeBox
    and others compile. Such a pattern still holds here; the schema cannot be
    shared as it is.

    >>> tool = ToolDefinition("t", "", {"properties": {"a": {"pattern": r"(?i)x"}}})
    >>> print(non_portable_patterns([tool])[0])
    tool "t"#/properties/a/pattern: other languages refuse it (unknown kind of group at column 1)
    """
    found = {fault for tool in tools for fault in _of(tool)}
    return sorted(found, key=lambda fault: (fault.source, fault.location or ""))


def _of(tool: ToolDefinition[Any]) -> Iterator[SchemaFault]:
    for node in tool.compiled.survey.nodes.values():
        places = [("pattern",)] if isinstance(node.schema.get("pattern"), str) else []
        keyed = node.schema.get("patternProperties", {})
        for place, pattern in [
            *((each, node.schema["pattern"]) for each in places),
            *((("patternProperties", each), each) for each in keyed),
        ]:
            reason = portability(pattern)
            if reason is not None:
                yield tool.schema_fault(node, f"other languages refuse it ({reason})", *place)
