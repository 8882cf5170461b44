"""Everything that is raised on purpose.

ToolError
├── ToolArgumentsValidationError (ValueError)   the model is at fault
├── ToolOutputError (ValueError)                whoever wrote the tool is
├── ToolSchemaError (ValueError)                the author of a schema is
├── StreamSequenceError (ValueError)            whoever sent a stream is
├── ProviderFormatError (ValueError)            whoever sent an answer is
└── UnknownToolError (KeyError)                 whoever named the tool is

A wrong type handed to a function of this library is a `TypeError`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from toolschema._issue import Issue
from toolschema._printable import one_line, undeclared

__all__ = [
    "ProviderFormatError",
    "SchemaFault",
    "StreamSequenceError",
    "ToolArgumentsValidationError",
    "ToolError",
    "ToolOutputError",
    "ToolSchemaError",
    "UnknownToolError",
]


class ToolError(Exception):
    """Above everything that this library raises on purpose."""


class ToolArgumentsValidationError(ToolError, ValueError):
    """The arguments of a call do not satisfy the tool's schema.

    Holds no value of the arguments, and nothing that does: no cause, no
    context, no frame of this library that keeps them.

    Attributes:
        tool_name: Of the tool that was called.
        issues: A tuple of `Issue`, ordered by instance location, then by
            keyword location.
        omitted: How many more were found; None where the search was cut short,
            so that nobody counted.

    >>> print(ToolArgumentsValidationError("read", [Issue("must be string", ("path",))]))
    Invalid arguments for tool "read":
      - /path: must be string
    """

    def __init__(self, tool_name: str, issues: Iterable[Issue], omitted: int | None = 0) -> None:
        kept = tuple(issues)
        super().__init__(tool_name, kept, omitted)
        self.tool_name = tool_name
        self.issues = kept
        self.omitted = omitted

    def __str__(self) -> str:
        lines = [f'Invalid arguments for tool "{one_line(self.tool_name)}":']
        lines += (f"  - {issue}" for issue in self.issues)
        if self.omitted is None:
            lines.append("  - and more")
        elif self.omitted:
            lines.append(f"  - and {self.omitted} more")
        return "\n".join(lines)


class ToolOutputError(ToolError, ValueError):
    """What a tool answered does not satisfy its output schema. Holds no value of it.

    Attributes:
        tool_name: Of the tool.
        issues: A tuple of `Issue`; locations are from the root of the output.

    >>> print(ToolOutputError("read", [Issue("must be string", ("text",))]))
    invalid output of tool "read"
      - /text: must be string
    """

    def __init__(self, tool_name: str, issues: Iterable[Issue]) -> None:
        kept = tuple(issues)
        super().__init__(tool_name, kept)
        self.tool_name = tool_name
        self.issues = kept

    def __str__(self) -> str:
        head = f'invalid output of tool "{one_line(self.tool_name)}"'
        return "\n".join([head, *(f"  - {issue}" for issue in self.issues)])


@dataclass(frozen=True, slots=True)
class SchemaFault:
    """One thing wrong with a schema, and where."""

    source: str
    """The file, the resource's URI or ``tool "NAME"``."""
    location: str | None
    """JSON Pointer into it; None where the whole file could not be read."""
    message: str

    def __str__(self) -> str:
        place = self.source if self.location is None else f"{self.source}#{self.location}"
        return one_line(f"{place}: {self.message}")


class ToolSchemaError(ToolError, ValueError):
    """A schema cannot be used. All its faults are listed, not only the first.

    Attributes:
        faults: A tuple of `SchemaFault`, ordered by source, then by location.

    >>> print(ToolSchemaError([SchemaFault("read.json", "/type", "must be a type")]))
    invalid tool schema
      - read.json#/type: must be a type
    """

    def __init__(self, faults: Iterable[SchemaFault]) -> None:
        kept = tuple(faults)
        super().__init__(kept)
        self.faults = kept

    def __str__(self) -> str:
        return "\n".join(["invalid tool schema", *(f"  - {fault}" for fault in self.faults)])


class StreamSequenceError(ToolError, ValueError):
    """The events of a stream are not those of a whole answer.

    Holds no text of the arguments.

    Attributes:
        code: Which rule it breaks, such as ``truncated``.
        index: Of the call that it is about; None where it is about the stream.
        message: What is wrong.

    >>> print(StreamSequenceError("truncated", 0, "the answer was cut off inside a call"))
    the answer was cut off inside a call (truncated, call 0)
    """

    def __init__(self, code: str, index: int | None, message: str) -> None:
        super().__init__(code, index, message)
        self.code = code
        self.index = index
        self.message = message

    def __str__(self) -> str:
        call = "" if self.index is None else f", call {self.index}"
        return f"{self.message} ({self.code}{call})"


class ProviderFormatError(ToolError, ValueError):
    """An answer does not have the form that its provider's answers have.

    Holds no value of the answer.

    Attributes:
        provider: Whose form it was read by, such as ``openai_chat``.
        place: Of what is wrong, from the top of the response, chunk or event.
        message: What is wrong.

    >>> print(ProviderFormatError("anthropic", "content[1].name", "must be text, not int"))
    anthropic: content[1].name: must be text, not int
    """

    def __init__(self, provider: str, place: str, message: str) -> None:
        super().__init__(provider, place, message)
        self.provider = provider
        self.place = place
        self.message = message

    def __str__(self) -> str:
        return ": ".join(each for each in (self.provider, self.place, self.message) if each)


class UnknownToolError(ToolError, KeyError):
    """No tool has this name.

    *name* is whatever was asked for: a model may well send null.

    >>> print(UnknownToolError("get_wether", ["get_weather"]))
    no tool named "get_wether"; did you mean "get_weather"?
    """

    def __init__(self, name: object, near: Iterable[str] = ()) -> None:
        names = tuple(near)
        super().__init__(name, names)
        self.name = name
        self.near = names
        """Names of tools that are written much like it, nearest first."""

    def __str__(self) -> str:
        if not isinstance(self.name, str):
            return f"a tool is named by text, not by {type(self.name).__name__}"
        sentence = f'no tool named "{undeclared(self.name)}"'
        if not self.near:
            return sentence
        choices = " or ".join(f'"{one_line(each)}"' for each in self.near)
        return f"{sentence}; did you mean {choices}?"
