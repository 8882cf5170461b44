"""The tools of a folder for one provider, and what is lost of each."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from toolschema import ToolDefinition
from toolschema._printable import one_line
from toolschema.providers._export import Exported, Loss
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


@dataclass(frozen=True, slots=True)
class FileLoss:
    """One thing lost, and the file that says it.

    >>> loss = Loss("/minProperties", "minProperties", "dropped", "is not taken")
    >>> print(FileLoss("schemas/now.json", loss))
    schemas/now.json#/minProperties: dropped (is not taken)
    """

    source: str
    loss: Loss

    @property
    def place(self) -> str:
        """Where it stands."""
        return one_line(f"{self.source}#{self.loss.location}")

    @property
    def effect(self) -> str:
        """What came of it, in a word."""
        return self.loss.effect

    @property
    def note(self) -> str:
        """Why."""
        return one_line(self.loss.note)

    def __str__(self) -> str:
        return one_line(f"{self.source}{self.loss}")

    def as_dict(self) -> dict[str, Any]:
        """For a script."""
        loss = self.loss
        return {
            "source": self.source,
            "location": loss.location,
            "keyword": loss.keyword,
            "effect": loss.effect,
            "message": loss.note,
        }


class Export(NamedTuple):
    """What is to be written, and what is to be reported."""

    tools: list[Any]
    """The provider's whole ``tools`` list."""
    losses: list[FileLoss]


def export_all(tools: Iterable[ToolDefinition[Any]], provider: str, *, strict: bool) -> Export:
    """Export *tools*, each under a name of its own.

    >>> tool = ToolDefinition("now", "", {"minProperties": 1})
    >>> print(export_all([tool], "gemini", strict=False).losses[0])
    tool "now"#/minProperties: dropped (is not taken)
    """
    export, profile = PROVIDERS[provider]
    definitions = list(tools)
    exports = distinct((export(tool, strict=strict) for tool in definitions), profile)
    losses = [
        FileLoss(tool._source.label, loss)
        for tool, each in zip(definitions, exports, strict=True)
        for loss in each.report
    ]
    payloads = [each.payload for each in exports]
    return Export(
        [{"functionDeclarations": payloads}] if provider == "gemini" else payloads, losses
    )
