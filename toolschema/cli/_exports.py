"""The tools of a folder for one provider, and what is lost of each."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from toolschema import ToolDefinition
from toolschema._json.pointer import split
from toolschema._json.printable import one_line
from toolschema.providers import anthropic, gemini, openai_chat, openai_responses
from toolschema.providers._export.names import distinct
from toolschema.providers._export.profiles import ANTHROPIC, GEMINI, OPENAI, Profile
from toolschema.providers._export.report import Exported, Loss

PROVIDERS: dict[str, tuple[Callable[..., Exported], Profile]] = {
    "openai-chat": (openai_chat.export_tool, OPENAI[False]),
    "openai-responses": (openai_responses.export_tool, OPENAI[False]),
    "anthropic": (anthropic.export_tool, ANTHROPIC[False]),
    "gemini": (gemini.export_tool, GEMINI),
}


@dataclass(frozen=True, slots=True)
class FileLoss:
    """One thing lost, and the file that says it.

    >>> print(FileLoss("now.json", "/minProperties", "minProperties", "dropped", "not supported"))
    now.json#/minProperties: dropped (not supported)
    """

    source: str
    location: str
    keyword: str
    effect: str
    note: str

    @property
    def place(self) -> str:
        """Where it stands, as it is shown."""
        return one_line(f"{self.source}#{self.location}")

    def __str__(self) -> str:
        return one_line(f"{self.place}: {self.effect} ({self.note})")

    def as_dict(self) -> dict[str, Any]:
        """For a script."""
        return {
            "source": self.source,
            "location": self.location,
            "keyword": self.keyword,
            "effect": self.effect,
            "message": self.note,
        }


def _of_file(tool: ToolDefinition[Any], loss: Loss) -> FileLoss:
    origin = tool.source.origin
    location = origin.pointer(*split(loss.location))
    return FileLoss(origin.name, location, loss.keyword, loss.effect, loss.note)


class Export(NamedTuple):
    """What is to be written, and what is to be reported."""

    tools: list[Any]
    """The provider's whole ``tools`` list."""
    losses: list[FileLoss]


def export_all(tools: Iterable[ToolDefinition[Any]], provider: str, *, strict: bool) -> Export:
    """Export *tools*, each under a name of its own.

    >>> tool = ToolDefinition("now", "", {"minProperties": 1})
    >>> print(export_all([tool], "gemini", strict=False).losses[0])
    tool "now"#/minProperties: dropped (not supported)
    """
    export, profile = PROVIDERS[provider]
    definitions = list(tools)
    exports = distinct((export(tool, strict=strict) for tool in definitions), profile)
    losses = [
        _of_file(tool, loss)
        for tool, each in zip(definitions, exports, strict=True)
        for loss in each.report
    ]
    payloads = [each.payload for each in exports]
    return Export(
        [{"functionDeclarations": payloads}] if provider == "gemini" else payloads, losses
    )
