"""The work of ``toolschema export``: the tools of a folder for one provider."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from toolschema import ToolDefinition
from toolschema._printable import one_line
from toolschema.providers._export import Exported
from toolschema.providers._export_anthropic import export_anthropic
from toolschema.providers._export_gemini import export_gemini
from toolschema.providers._export_names import distinct
from toolschema.providers._export_openai import export_openai_chat, export_openai_responses
from toolschema.providers._profile import ANTHROPIC, GEMINI, OPENAI, Profile

PROVIDERS: dict[str, tuple[Callable[..., Exported], Profile]] = {
    "openai-chat": (export_openai_chat, OPENAI[False]),
    "openai-responses": (export_openai_responses, OPENAI[False]),
    "anthropic": (export_anthropic, ANTHROPIC[False]),
    "gemini": (export_gemini, GEMINI),
}


class Export(NamedTuple):
    """What is to be printed."""

    tools: list[Any]
    """The provider's whole ``tools`` list."""
    lines: list[str]
    """One for each loss."""


def export_all(
    tools: Iterable[ToolDefinition[Any]], provider: str, *, strict: bool, folder: str
) -> Export:
    """Export *tools*, loaded from *folder*, each under a name of its own.

    >>> tool = ToolDefinition("now", "", {"minProperties": 1})
    >>> export_all([tool], "gemini", strict=False, folder="schemas").lines
    ['schemas/now.json#/minProperties: dropped (is not taken)']
    """
    export, profile = PROVIDERS[provider]
    exports = distinct((export(tool, strict=strict) for tool in tools), profile)
    place = folder.rstrip("/") or "/"
    lines = [
        one_line(f"{place}/{each.name}.json{loss}") for each in exports for loss in each.report
    ]
    payloads = [each.payload for each in exports]
    return Export([{"functionDeclarations": payloads}] if provider == "gemini" else payloads, lines)
