"""The MCP SDK, whichever major version is installed."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any, NamedTuple


class Sdk(NamedTuple):
    """The parts of the SDK that are used."""

    result: Any
    """The class of the answer to ``tools/call``."""
    error: type[Exception]
    """The class of exceptions that become an error of the protocol."""
    invalid_params: int
    is_first: bool
    """Whether it is 1.x."""

    def answer(self, text: str, *, is_error: bool, structured: Any = None) -> Any:
        """An answer with one text."""
        fields: dict[str, Any] = {"content": [{"type": "text", "text": text}], "isError": is_error}
        if structured is not None:
            fields["structuredContent"] = structured
        return self.result.model_validate(fields)

    def refusal(self, message: str) -> Exception:
        """What to raise for an error of the protocol, from a handler of calls."""
        if not self.is_first:
            refusal: Exception = self.error(self.invalid_params, message)
            return refusal
        # The decorator of 1.x passes on only this class. Every other becomes the
        # text of a result, as if the tool had run.
        passed: Exception = _part("shared.exceptions").UrlElicitationRequiredError([], message)
        passed.error = _part("types").ErrorData(  # type: ignore[attr-defined]
            code=self.invalid_params, message=message
        )
        return passed


@cache
def sdk() -> Sdk:
    """The installed SDK.

    Raises:
        ImportError: ``mcp`` is not installed.
    """
    try:
        types, exceptions = _part("types"), _part("shared.exceptions")
    except ImportError as missing:
        raise ImportError(
            'a checked MCP server needs mcp: pip install "toolschema-validator[mcp]"'
        ) from missing
    first = getattr(exceptions, "McpError", None)
    error = first or exceptions.MCPError
    return Sdk(types.CallToolResult, error, types.INVALID_PARAMS, first is not None)


def _part(name: str) -> Any:
    # The two versions have different types, and neither needs to be installed.
    return import_module(f"mcp.{name}")
