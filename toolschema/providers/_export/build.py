"""One tool and a profile to a schema for the provider, and its report."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from toolschema import ToolDefinition
from toolschema._json.pointer import Token
from toolschema.providers._export.hint import Hint
from toolschema.providers._export.limits import limit_losses, placed
from toolschema.providers._export.profile import Profile
from toolschema.providers._export.reading import read
from toolschema.providers._export.report import Loss, ordered
from toolschema.providers._export.rewrite import Rewriter


class Built(NamedTuple):
    """A schema that shares nothing with the tool, and what was lost."""

    parameters: dict[str, Any]
    report: tuple[Loss, ...]
    null_means_absent: tuple[tuple[Token, ...], ...]


def build(tool: ToolDefinition[Any], profile: Profile) -> Built:
    """Write the parameters of *tool* in the words of *profile*."""
    reading = read(tool)
    absent: list[tuple[Token, ...]] = []
    if profile.keywords is None:
        parameters = Hint(reading, profile).run()
    else:
        rewriter = Rewriter(reading, profile)
        parameters = rewriter.run()
        absent = [
            (*tokens, "properties", name)
            for schema, tokens in placed(parameters)
            for name in schema.get("properties", {})
            if (id(schema["properties"]), name) in rewriter.absent
        ]
    if tool.description and parameters.get("description") == tool.description:
        del parameters["description"]  # it is said beside the schema
    losses = [*reading.losses, *limit_losses(reading, parameters, tool.description, profile)]
    return Built(json.loads(json.dumps(parameters)), ordered(losses), tuple(absent))


def described(tool: ToolDefinition[Any]) -> dict[str, str]:
    """The description where there is one."""
    return {"description": tool.description} if tool.description else {}
