"""The annotations shown to a model as sentences: errorMessage and description.

``errorMessage`` follows ajv-errors, so that one file serves both: a string
replaces every issue of the value; an object has messages for keywords, for
missing names (``required``), for what is below ``properties`` and ``items``, and
``_`` for the rest. The message nearest to the fault wins.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from toolschema._calls.feedback.path import EvaluationPath
from toolschema.errors import Issue

_SENTENCE_END = re.compile(r"(?<!\be\.g)(?<!\bi\.e)[.!?](?=\s|$)")
_TEMPLATE = re.compile(r"\$\{([^${}]{0,100})\}")
_LONGEST = 1000
"""Characters of an author's text that are read."""
_SHORTEST = 12
"""Characters of a sentence: a shorter one is more likely an abbreviation."""


def error_message(path: EvaluationPath, issue: Issue) -> str | None:
    """The author's sentence for *issue*, or None if there is none."""
    if issue.keyword.startswith("@"):
        return None  # found before the schema applied, so the author did not mean it
    hop: tuple[str, ...] = ()
    for step in reversed(path.steps):
        messages = step.schema.get("errorMessage")
        if isinstance(messages, dict):
            is_holder = step is path.steps[-1]
            own = _for_keyword(messages, issue) if is_holder else _for_part(messages, hop)
            messages = own if isinstance(own, str) else messages.get("_")
        if isinstance(messages, str) and messages.strip():
            return _TEMPLATE.sub(_without_value, messages[:_LONGEST])
        if not step.is_in_place:
            hop = step.hop
    return None


def _for_keyword(messages: dict[str, Any], issue: Issue) -> Any:
    message = messages.get(issue.keyword)
    if isinstance(message, dict) and issue.tokens:
        return message.get(str(issue.tokens[-1]))
    return message


def _for_part(messages: dict[str, Any], hop: tuple[str, ...]) -> Any:
    """The message for the property or item that the path leads through."""
    if len(hop) != 2 or hop[0] not in ("properties", "items", "prefixItems"):
        return None
    parts = messages.get("properties" if hop[0] == "properties" else "items")
    if isinstance(parts, list) and hop[0] != "properties":
        parts = {str(index): message for index, message in enumerate(parts)}
    return parts.get(hop[1]) if isinstance(parts, dict) else None


def _without_value(match: re.Match[str]) -> str:
    """A template refers to a value by pointer, and values are not shown."""
    name = match[1].rpartition("/")[2]
    return f"the value of {name}" if name else "the value"


def description_of(schemas: Iterable[dict[str, Any]]) -> str | None:
    """The first sentence of the first description."""
    for schema in schemas:
        text = " ".join(schema.get("description", "")[:_LONGEST].split())
        if text:
            ends = (match.end() for match in _SENTENCE_END.finditer(text))
            return text[: next((end for end in ends if end >= _SHORTEST), None)]
    return None
