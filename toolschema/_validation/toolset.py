"""Tools by name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from toolschema._validation.definition import ToolDefinition
from toolschema.errors import UnknownToolError


class ToolSet(Mapping[str, ToolDefinition[Any]]):
    """The tools of an agent by name; immutable.

    Raises:
        TypeError: Something is not a `ToolDefinition`.
        ValueError: Two tools have the same name.

    >>> tools = ToolSet([ToolDefinition("read", "Read a file.", {})])
    >>> tools["reed"]
    Traceback (most recent call last):
    toolschema.errors.UnknownToolError: no tool named "reed"; did you mean "read"?
    """

    __slots__ = ("_tools",)

    def __init__(self, tools: Iterable[ToolDefinition[Any]] = ()) -> None:
        self._tools: dict[str, ToolDefinition[Any]] = {}
        for tool in tools:
            if not isinstance(tool, ToolDefinition):
                raise TypeError(f"tools must be ToolDefinition, not {type(tool).__name__}")
            if tool.name in self._tools:
                raise ValueError(f'two tools are named "{tool.name}"')
            self._tools[tool.name] = tool

    def __getitem__(self, name: str) -> ToolDefinition[Any]:
        """The tool of this name.

        Raises:
            UnknownToolError: There is none; it lists the names that are near.
        """
        tool = self._tools.get(name) if isinstance(name, str) else None
        if tool is None:
            raise UnknownToolError(name, self._close(name))
        return tool

    def get(self, name: object, default: Any = None) -> Any:
        """The tool of this name, or *default*, without looking for near names."""
        return self._tools.get(name, default) if isinstance(name, str) else default

    def _close(self, name: object) -> list[str]:
        if not isinstance(name, str):
            return []
        from toolschema._json.spelling import closest  # noqa: PLC0415 - only a wrong name needs it

        return closest(name, self._tools, count=3, alike=0.7, longest=128)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in self._tools

    def __iter__(self) -> Iterator[str]:
        return iter(self._tools)

    def __len__(self) -> int:
        return len(self._tools)

    def __repr__(self) -> str:
        return f"<ToolSet of {len(self)}: {', '.join(self._tools)}>"
