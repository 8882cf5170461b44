"""Structured output, held to the schema that its tool promises it by."""

from __future__ import annotations

from typing import Any

from toolschema import Issue, ToolDefinition, check_tool_arguments
from toolschema.errors import ToolOutputError

_PLACE = "output.json"
_NAME = "output"


class Output:
    """The output schema of a tool, compiled once.

    The schema may be any, not only that of an object; so it is compiled as that
    of a property, and stays a resource of its own, from which its references
    resolve as before.
    """

    def __init__(self, tool: ToolDefinition[Any]) -> None:
        schema = {"properties": {_NAME: {"$ref": _PLACE}}}
        resources = {**tool.resources, _PLACE: tool.output}
        self._tool = ToolDefinition(
            tool.name,
            "",
            schema,
            resources=resources,
            limits=tool.limits,
            hide_undeclared_names=tool.hide_undeclared_names,
        )

    def check(self, value: Any) -> None:
        """Raise `ToolOutputError` where *value* does not satisfy the schema."""
        found = check_tool_arguments(self._tool, {_NAME: value})
        if found:
            raise ToolOutputError(self._tool.name, map(_from_the_root, found))

    def missing(self) -> ToolOutputError:
        """There is an output schema, and no structured output."""
        said = "must be there, because the tool has an output schema"
        return ToolOutputError(self._tool.name, [Issue(said, (), "@value")])


def _from_the_root(issue: Issue) -> Issue:
    return Issue(
        issue.message, issue.tokens[1:], issue.keyword, issue.keyword_location, issue.params
    )
