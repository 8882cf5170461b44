"""Tools for OpenAI: Chat Completions and Responses, with and without strict mode."""

from __future__ import annotations

from typing import Any

from toolschema import ToolDefinition
from toolschema.providers._export.build import Built, build, described
from toolschema.providers._export.names import provider_name
from toolschema.providers._export.profile import OPENAI
from toolschema.providers._export.report import Exported

PROFILE = OPENAI[True].dated
"""Year and month of what is known of the provider."""


def export_openai_chat(tool: ToolDefinition[Any], *, strict: bool = False) -> Exported:
    """Write *tool* for the ``tools`` of Chat Completions.

    Without *strict* the schema is a hint, and stays what it is but for what is
    refused even so: a root that is no plain object, patterns with a look-around.

    With *strict* every object is closed and every property required; null is
    sent for an optional one, and `import_arguments` takes it away again. An
    object of any properties (a map) cannot be said there, and neither can a
    place where any value is accepted: they stay as they are, and the report
    calls them impossible.

    Args:
        tool: Is never changed.
        strict: Whether the provider is to hold the model to the schema.

    Returns:
        The entry for ``tools``, with all that was lost.

    >>> schema = {"properties": {"a": {"type": "string", "minLength": 1}}}
    >>> exported = export_openai_chat(ToolDefinition("files.read", "", schema), strict=True)
    >>> exported.payload["function"]["parameters"]["properties"]
    {'a': {'type': ['string', 'null']}}
    >>> print(exported.report[1])
    #/properties/a/minLength: dropped (is not taken)
    """
    built = build(tool, OPENAI[strict])
    function = {**_function(tool, built, strict=strict), "strict": strict}
    payload = {"type": "function", "function": function}
    return Exported(payload, built.report, built.null_means_absent, tool.name)


def export_openai_responses(tool: ToolDefinition[Any], *, strict: bool = False) -> Exported:
    """Write *tool* for the ``tools`` of Responses; as `export_openai_chat`, but flat.

    ``strict`` is always there: where it is not, Responses would try to make the
    schema strict by itself.

    >>> export_openai_responses(ToolDefinition("now", "The time.", {})).payload["strict"]
    False
    """
    built = build(tool, OPENAI[strict])
    payload = {"type": "function", **_function(tool, built, strict=strict), "strict": strict}
    return Exported(payload, built.report, built.null_means_absent, tool.name)


def _function(tool: ToolDefinition[Any], built: Built, *, strict: bool) -> dict[str, Any]:
    name = provider_name(tool.name, OPENAI[strict])
    return {"name": name, **described(tool), "parameters": built.parameters}
