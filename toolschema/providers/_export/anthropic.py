"""Tools for Anthropic: Messages, with and without strict mode."""

from __future__ import annotations

from typing import Any

from toolschema import ToolDefinition
from toolschema.providers._export.build import build, described
from toolschema.providers._export.names import provider_name
from toolschema.providers._export.profile import ANTHROPIC
from toolschema.providers._export.report import Exported

PROFILE = ANTHROPIC[True].dated
"""Year and month of what is known of the provider."""


def export_anthropic(tool: ToolDefinition[Any], *, strict: bool = False) -> Exported:
    """Write *tool* for the ``tools`` of Messages.

    Without *strict* the schema is a hint, in dialect 2020-12, and stays what it
    is but for a root that is a union or an ``allOf``, which is refused.

    With *strict* every object is closed, and optional properties stay optional.
    Maps, places where any value is accepted and recursion are impossible there.
    A whole request may have 20 strict tools, 24 optional properties and 16
    unions; only what one tool alone exceeds is in its report.

    Args:
        tool: Is never changed.
        strict: Whether the provider is to hold the model to the schema.

    Returns:
        The entry for ``tools``, with all that was lost.

    >>> tool = ToolDefinition("now", "The time.", {"additionalProperties": False})
    >>> export_anthropic(tool, strict=True).payload["input_schema"]
    {'type': 'object', 'properties': {}, 'additionalProperties': False}
    """
    profile = ANTHROPIC[strict]
    built = build(tool, profile)
    payload: dict[str, Any] = {"name": provider_name(tool.name, profile), **described(tool)}
    payload["input_schema"] = built.parameters
    if strict:
        payload["strict"] = True
    return Exported(payload, built.report, (), tool.name)
