"""Tools for Gemini."""

from __future__ import annotations

from typing import Any

from toolschema import ToolDefinition
from toolschema.providers._export.build import build, described
from toolschema.providers._export.names import provider_name
from toolschema.providers._export.profile import GEMINI
from toolschema.providers._export.report import Exported, Loss, ordered

PROFILE = GEMINI.dated
"""Year and month of what is known of the provider."""


def export_gemini(tool: ToolDefinition[Any], *, strict: bool = False) -> Exported:
    """Write *tool* as one of Gemini's function declarations.

    All declarations of a request belong into one entry of its ``tools``:
    ``tools=[{"functionDeclarations": [each.payload for each in exports]}]``.

    The schema goes into ``parametersJsonSchema``, with the keywords that are
    documented for JSON Schema there; all others are left out.

    Args:
        tool: Is never changed.
        strict: There is no such mode; the report says so where it is asked for.

    Returns:
        The declaration, with all that was lost.

    >>> tool = ToolDefinition("now", "The time.", {"additionalProperties": False})
    >>> export_gemini(tool).payload["parametersJsonSchema"]
    {'type': 'object', 'additionalProperties': False}
    """
    built = build(tool, GEMINI)
    payload: dict[str, Any] = {"name": provider_name(tool.name, GEMINI), **described(tool)}
    payload["parametersJsonSchema"] = built.parameters
    report = built.report
    if strict:
        note = "there is no such mode; functionCallingConfig.mode VALIDATED comes near"
        report = ordered([*report, Loss("", "strict", "dropped", note)])
    return Exported(payload, report, (), tool.name)
