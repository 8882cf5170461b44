"""``toolschema export``: the tools of a folder in a provider's format."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable
from typing import Any

from toolschema import ToolDefinition
from toolschema._json.pointer import split
from toolschema._json.printable import one_line
from toolschema.cli._flags import add_format, add_output, add_tools, load
from toolschema.cli._output import write
from toolschema.cli._report import Exit, Report
from toolschema.providers import anthropic, gemini, openai_chat, openai_responses
from toolschema.providers._export.names import distinct
from toolschema.providers._export.profiles import ANTHROPIC, GEMINI, OPENAI, Profile
from toolschema.providers._export.report import Exported, Loss

SUMMARY = "write tools in a provider's format"
TEXT = """\
Write the tools as one JSON array, the value of the provider's "tools"
parameter. What its format cannot express is reported on standard error, one
line per loss."""
EXAMPLE = "toolschema export schemas/ --provider anthropic --strict"

PROVIDERS: dict[str, tuple[Callable[..., Exported], Profile]] = {
    "openai-chat": (openai_chat.export_tool, OPENAI[False]),
    "openai-responses": (openai_responses.export_tool, OPENAI[False]),
    "anthropic": (anthropic.export_tool, ANTHROPIC[False]),
    "gemini": (gemini.export_tool, GEMINI),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add_tools(parser)
    parser.add_argument("--provider", choices=tuple(PROVIDERS), required=True)
    parser.add_argument("--strict", action="store_true", help="use the provider's strict mode")
    parser.add_argument("--fail-on-loss", action="store_true", help="exit with 1 on any loss")
    add_output(parser, "the tools")
    add_format(parser)


def run(arguments: argparse.Namespace) -> Exit:
    """Run the command."""
    tools = load(arguments.tools).values()
    exported, losses = export_all(tools, arguments.provider, strict=arguments.strict)
    code = write(json.dumps(exported, indent=2) + "\n", arguments)
    if code is Exit.UNUSABLE or (arguments.check and not arguments.fail_on_loss):
        return code
    _report(losses, Report.to(sys.stderr, arguments.format))
    return Exit.WRONG if arguments.fail_on_loss and losses else code


def export_all(
    tools: Iterable[ToolDefinition[Any]], provider: str, *, strict: bool
) -> tuple[list[Any], list[dict[str, str]]]:
    """Export *tools* under distinct names: the provider's whole list, and what was lost.

    A loss is located in the schema file that it comes from.

    >>> tool = ToolDefinition("now", "", {"minProperties": 1})
    >>> [loss] = export_all([tool], "gemini", strict=False)[1]
    >>> loss["source"], loss["location"], loss["effect"]
    ('tool "now"', '/minProperties', 'dropped')
    """
    export, profile = PROVIDERS[provider]
    definitions = list(tools)
    exports = distinct((export(tool, strict=strict) for tool in definitions), profile)
    losses = [
        _in_file(tool, loss)
        for tool, exported in zip(definitions, exports, strict=True)
        for loss in exported.report
    ]
    payloads = [exported.payload for exported in exports]
    return [{"functionDeclarations": payloads}] if provider == "gemini" else payloads, losses


def _in_file(tool: ToolDefinition[Any], loss: Loss) -> dict[str, str]:
    origin = tool.source.origin
    return {
        "source": origin.name,
        "location": origin.pointer(*split(loss.location)),
        "keyword": loss.keyword,
        "effect": loss.effect,
        "message": loss.note,
    }


def _report(losses: list[dict[str, str]], report: Report) -> None:
    if report.is_json:
        for loss in losses:
            report.record(loss)
        return
    rows = [
        (
            one_line(f"{loss['source']}#{loss['location']}"),
            loss["effect"],
            one_line(loss["message"]),
        )
        for loss in losses
    ]
    if report.console is not None and rows:
        report.table(("location", "effect", "reason"), rows)
        return
    for location, effect, reason in rows:
        report.line(f"{location}: {effect} ({reason})")
