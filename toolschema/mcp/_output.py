"""Structured output, checked against the output schema of its tool."""

from __future__ import annotations

from typing import Any

from toolschema import Issue, ToolDefinition, check_tool_arguments
from toolschema.errors import ToolOutputError

_URI = "output.json"
_NAME = "output"


class Output:
    """The output schema of a tool, compiled once.

    The schema need not describe an object, so it is compiled as the schema of a
    property. It stays a resource of its own, from which its references resolve.
    """

    def __init__(self, tool: ToolDefinition[Any]) -> None:
        schema = {"properties": {_NAME: {"$ref": _URI}}}
        resources = {**tool.resources, _URI: tool.output}
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
        issues = check_tool_arguments(self._tool, {_NAME: value})
        if issues:
            raise ToolOutputError(self._tool.name, map(_from_the_root, issues))

    def missing(self) -> ToolOutputError:
        """What to raise if there is no structured output."""
        message = "must be there, because the tool has an output schema"
        return ToolOutputError(self._tool.name, [Issue(message, (), "@value")])


def _from_the_root(issue: Issue) -> Issue:
    return Issue(
        issue.message, issue.tokens[1:], issue.keyword, issue.keyword_location, issue.params
    )
