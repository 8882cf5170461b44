"""A schema that brings along what it refers to."""

from __future__ import annotations

import re
from typing import Any

from toolschema import ToolDefinition
from toolschema.providers._export.build import build
from toolschema.providers._export.profile import Profile

_EVERYTHING = Profile(dated="2026-07", name=re.compile("."), longest_name=128, is_root_plain=False)
"""The protocol takes every keyword."""
_PLACE = "output.json"


def standalone_input(tool: ToolDefinition[Any]) -> dict[str, Any]:
    """The schema of the arguments."""
    schema = tool.parameters
    if len(tool.compiled.survey.documents) > 1:
        # Clients hand it on to providers, and these follow nothing but "#/$defs/…".
        built = build(tool, _EVERYTHING)
        schema = _compound(schema, tool, 0) if built.report else built.parameters
    if schema.get("type") != "object":
        # Arguments are an object in any case.
        schema = {"type": "object", **{key: schema[key] for key in schema if key != "type"}}
    return schema


def standalone_output(tool: ToolDefinition[Any]) -> dict[str, Any]:
    """The schema of the structured output."""
    schema = tool.output or {}
    resources = {**tool.resources, _PLACE: schema}
    twin = ToolDefinition(tool.name, "", {"$ref": _PLACE}, resources=resources)
    refers = len(twin.compiled.survey.documents) > 2  # itself, and the schema
    return _compound(schema, twin, 1) if refers else schema


def _compound(schema: dict[str, Any], tool: ToolDefinition[Any], own: int) -> dict[str, Any]:
    """A compound document (2020-12 core §9.3).

    It is *schema*, which is document number *own* of *tool*, with all that come
    after it.
    """
    survey, resources = tool.compiled.survey, tool.resources
    _, *others = documents = [*survey.documents.values()][own:]
    brought = {
        each.uri: {**resources[each.place], "$id": each.uri}
        for each in others
        if each.place in resources  # every validator has the metaschemas
    }
    uri = documents[0].uri
    dialect = next(each.dialect for each in survey.nodes.values() if each.base == uri)
    key = "definitions" if dialect.name == "draft-07" else "$defs"
    return {**schema, "$id": uri, key: {**schema.get(key, {}), **brought}}
