"""The order in which the author of a schema wrote its properties."""

from __future__ import annotations

import json
from typing import Any

from toolschema import ToolDefinition


def key_orders(tool: ToolDefinition[Any]) -> dict[int, list[str]]:
    """The keys of each object in the schemas of *tool* in their written order, by `id`.

    The objects are those of the survey, whose own keys are sorted.
    """
    survey = tool.compiled.survey
    todo: list[tuple[Any, Any]] = []
    for document in survey.documents.values():
        source = tool.source if document is survey.root else tool.sources.get(document.place)
        if source is not None:  # a metaschema has none
            todo.append((document.contents, json.loads(source.text)))
    orders: dict[int, list[str]] = {}
    while todo:
        surveyed, written = todo.pop()
        if isinstance(written, dict):
            orders[id(surveyed)] = list(written)
            todo += [(surveyed[key], value) for key, value in written.items() if key in surveyed]
        elif isinstance(written, list):
            todo += zip(surveyed, written, strict=True)
    return orders
