"""One tool, written for a provider: its schema in the provider's terms, with a report."""

from __future__ import annotations

import json
from typing import Any

from toolschema import ToolDefinition
from toolschema._json.pointer import Token
from toolschema.providers._export.limits import limit_losses
from toolschema.providers._export.names import provider_name
from toolschema.providers._export.profiles import Profile
from toolschema.providers._export.reading import located_schemas, read
from toolschema.providers._export.report import Exported, ordered
from toolschema.providers._export.subset import SubsetWriter
from toolschema.providers._export.verbatim import VerbatimWriter


def export(tool: ToolDefinition[Any], profile: Profile, schema_key: str) -> Exported:
    """Name, description and schema of *tool*; the payload shares nothing with it.

    The schema is under *schema_key*, which is different in each provider's format.
    """
    reading = read(tool.parameters, tool.compiled.survey, tool.resources)
    absent: list[tuple[Token, ...]] = []
    if not profile.keywords:
        parameters = VerbatimWriter(reading, profile).write()
    else:
        writer = SubsetWriter(reading, profile)
        parameters = writer.write()
        absent = [
            (*tokens, "properties", name)
            for schema, tokens in located_schemas(parameters)
            for name in schema.get("properties", {})
            if (id(schema["properties"]), name) in writer.absent
        ]
    payload: dict[str, Any] = {"name": provider_name(tool.name, profile)}
    if tool.description:
        payload["description"] = tool.description
        if parameters.get("description") == tool.description:
            del parameters["description"]  # the model would read it twice
    losses = [*reading.losses, *limit_losses(reading, parameters, tool.description, profile)]
    payload[schema_key] = json.loads(json.dumps(parameters))
    return Exported(payload, ordered(losses), tuple(absent), tool.name)
