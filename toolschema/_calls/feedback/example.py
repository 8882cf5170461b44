"""The smallest call that a tool accepts, to show a model what one looks like."""

from __future__ import annotations

from typing import Any

from toolschema._schema.examples import Maker, Part, of_format
from toolschema._validation.boundary import check_tool_arguments
from toolschema._validation.definition import ToolDefinition

_UNKNOWN = "..."


def smallest_call(tool: ToolDefinition[Any], *, trust_schema_text: bool) -> tuple[Any, bool]:
    """Arguments with only what is required, and whether they are valid.

    What cannot be made up, such as a string that matches a pattern, is ``"..."``.
    """
    survey = tool.compiled.survey
    maker = Maker(
        survey,
        _Simplest(),
        shows=trust_schema_text,
        placeholder=_UNKNOWN,
        deepest=8,
        most_items=3,
        left=200,
    )
    made = maker.value([survey.root.contents])
    value = made if type(made) is dict else {}
    return value, not check_tool_arguments(tool, value)


class _Simplest:
    """The first of all choices, and no string but one for a format."""

    def below(self, _end: int) -> int:
        return 0

    def boolean(self) -> bool:
        return True

    def string(self, parts: list[Part], _attempt: int) -> str:
        return of_format(parts) or _UNKNOWN

    def matching(self, _patterns: list[str]) -> None:
        return None

    def matches(self, pattern: str, name: str) -> bool:
        return False
