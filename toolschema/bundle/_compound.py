"""The schemas of tools as one compound document."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from toolschema import ToolDefinition
from toolschema._schema.compound import Compound
from toolschema._schema.resources import BASE
from toolschema._validation.faults import refuse


def compound_of(tools: Iterable[ToolDefinition[Any]]) -> Compound:
    """Collect the schemas of *tools* and everything that these reach.

    Raises:
        ToolSchemaError: Two schemas have one URI, or one cannot have an ``$id``.
    """
    compound = Compound(BASE)
    for tool in tools:
        compound.add(tool.name, tool.source, tool.sources)
    refuse(compound.faults)
    return compound
