"""What the author of a schema says of a value, in words meant for its readers.

``errorMessage`` is taken as ajv-errors takes it, so that one file serves both:
a text stands for all that is wrong with the value, an object for keywords,
for missing names (``required``), for what is below ``properties`` and ``items``,
and ``_`` for the rest. The message nearest to the fault comes first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from toolschema._calls.feedback.path import Route
from toolschema.errors import Issue

_END = re.compile(r"(?<!\be\.g)(?<!\bi\.e)[.!?](?=\s|$)")
_TEMPLATE = re.compile(r"\$\{([^${}]{0,100})\}")
_LONGEST = 1000
"""Characters of an author's text that are looked at."""
_SHORTEST = 12
"""Characters of a sentence: fewer are more likely an abbreviation."""


def error_message(route: Route, issue: Issue) -> str | None:
    """The author's sentence for *issue*, or None where there is none."""
    if issue.keyword.startswith("@"):
        return None  # it comes before the schema, and what the author says of that
    hop: tuple[str, ...] = ()
    for step in reversed(route.steps):
        said = step.schema.get("errorMessage")
        message = said if isinstance(said, str) else None
        if isinstance(said, dict):
            is_holder = step is route.steps[-1]
            found = _of_keyword(said, issue) if is_holder else _of_part(said, hop)
            message = next((each for each in (found, said.get("_")) if isinstance(each, str)), None)
        if message is not None and message.strip():
            return _TEMPLATE.sub(_unfilled, message[:_LONGEST])
        if not step.is_in_place:
            hop = step.hop
    return None


def _of_keyword(said: dict[str, Any], issue: Issue) -> Any:
    message = said.get(issue.keyword)
    if isinstance(message, dict) and issue.tokens:
        return message.get(str(issue.tokens[-1]))
    return message


def _of_part(said: dict[str, Any], hop: tuple[str, ...]) -> Any:
    """What is said of the property or item through which the fault is reached."""
    if len(hop) != 2 or hop[0] not in ("properties", "items", "prefixItems"):
        return None
    parts = said.get("properties" if hop[0] == "properties" else "items")
    if isinstance(parts, dict):
        return parts.get(hop[1])
    if isinstance(parts, list) and hop[0] != "properties":
        return next((each for place, each in enumerate(parts) if str(place) == hop[1]), None)
    return None


def _unfilled(match: re.Match[str]) -> str:
    """A template holds the pointer of a value, which is not ours to show."""
    name = match[1].rpartition("/")[2]
    return f"the value of {name}" if name else "the value"


def description(schemas: Iterable[dict[str, Any]]) -> str | None:
    """The first sentence of the first description."""
    for schema in schemas:
        said = schema.get("description")
        if isinstance(said, str) and said.strip():
            text = " ".join(said[:_LONGEST].split())
            ends = (each.end() for each in _END.finditer(text))
            return text[: next((end for end in ends if end >= _SHORTEST), len(text))]
    return None


def example(schemas: Iterable[dict[str, Any]]) -> tuple[Any] | None:
    """The first example, in a tuple: it may be null."""
    for schema in schemas:
        examples = schema.get("examples")
        if isinstance(examples, list) and examples:
            return (examples[0],)
        if "default" in schema and schema["default"] is not None:
            return (schema["default"],)
    return None
