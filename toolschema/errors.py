"""Issues, and the exceptions that this library raises on purpose.

ToolError                                       who is at fault
├── ToolArgumentsValidationError (ValueError)   the model
├── ToolOutputError (ValueError)                the author of the tool
├── ToolSchemaError (ValueError)                the author of a schema
├── StreamSequenceError (ValueError)            the sender of a stream
├── ProviderFormatError (ValueError)            the sender of an answer
└── UnknownToolError (KeyError)                 the model or the caller

An argument of the wrong type is a `TypeError`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from toolschema._json.pointer import Token, join
from toolschema._json.printable import one_line, undeclared

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = [
    "Issue",
    "ProviderFormatError",
    "SchemaFault",
    "StreamSequenceError",
    "ToolArgumentsValidationError",
    "ToolError",
    "ToolOutputError",
    "ToolSchemaError",
    "UnknownToolError",
]


class Issue(str):
    """One line, such as ``/options/labels/0: must be string``, and its parts.

    Neither the line nor any part contains a value of the arguments. Names that the
    schema does not declare are shown in ASCII, at most 64 characters of them, or
    not at all (`ToolDefinition.hide_undeclared_names`), so a location with such a
    name may not resolve. In the line, the root is written ``/``.

    Locations and keywords are stable; sentences may improve.

    >>> issue = Issue("must be string", ("options", "labels", 0), "type")
    >>> issue
    '/options/labels/0: must be string'
    >>> issue.instance_location
    '/options/labels/0'
    """

    __slots__ = ("_params", "instance_location", "keyword", "keyword_location", "message", "tokens")

    instance_location: str
    """JSON Pointer (RFC 6901) into the arguments; the empty string is the whole.
    For a missing property, the location that it would have."""
    tokens: tuple[Token, ...]
    """The same as property names, as they are shown, and indexes."""
    keyword: str
    """The keyword that failed; ``false`` for a ``false`` schema; and if no schema was
    applied yet, ``@json``, ``@object``, ``@value``, ``@limit``, ``@duplicate`` or
    ``@disagreement``."""
    keyword_location: str
    """JSON Pointer through the schema, ``$ref`` hops included (2020-12 core
    §12.3); empty if no keyword of it was evaluated."""
    message: str
    """The sentence without the location."""
    _params: dict[str, Any]

    def __new__(
        cls,
        message: str,
        tokens: tuple[Token, ...] = (),
        keyword: str = "",
        keyword_location: str = "",
        params: Mapping[str, Any] | None = None,
    ) -> Self:
        safe = [one_line(token) if isinstance(token, str) else token for token in tokens]
        location = join(safe)
        sentence = one_line(message)
        issue = super().__new__(cls, f"{location or '/'}: {sentence}")
        issue.tokens = tuple(safe)
        issue.instance_location = location
        issue.keyword = keyword
        issue.keyword_location = one_line(keyword_location)
        issue.message = sentence
        issue._params = dict(params) if params else {}
        return issue

    @property
    def params(self) -> dict[str, Any]:
        """What the schema requires, such as ``{"minLength": 1}``; a copy at each access."""
        return deepcopy(self._params)

    def as_dict(self) -> dict[str, Any]:
        """The parts as plain JSON, with the names of 2020-12 core §12.3."""
        return {
            "instanceLocation": self.instance_location,
            "keyword": self.keyword,
            "keywordLocation": self.keyword_location,
            "message": self.message,
            "params": self.params,
        }

    def __reduce__(self) -> tuple[Any, ...]:
        parts = (self.message, self.tokens, self.keyword, self.keyword_location, self._params)
        return type(self), parts


class ToolError(Exception):
    """The base of all exceptions that this library raises on purpose."""


class ToolArgumentsValidationError(ToolError, ValueError):
    """The arguments of a call do not satisfy the tool's schema.

    Contains no value of the arguments, and refers to none: it has no cause and no
    context, and no frame of this library in its traceback keeps one.

    Attributes:
        tool_name: Of the tool that was called.
        issues: A tuple of `Issue`, ordered by instance location, then by
            keyword location.
        omitted: How many more were found; None if the search was cut short.

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
    """The output of a tool does not satisfy its output schema. Contains no value of it.

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
    """JSON Pointer into it; None if the file could not be read at all."""
    message: str

    def __str__(self) -> str:
        where = self.source if self.location is None else f"{self.source}#{self.location}"
        return one_line(f"{where}: {self.message}")


def in_order(faults: Iterable[SchemaFault]) -> tuple[SchemaFault, ...]:
    """Each fault once, ordered by source, location and message."""
    keyed = {(fault.source, fault.location or "", fault.message): fault for fault in faults}
    return tuple(keyed[key] for key in sorted(keyed))


def refuse(faults: Iterable[SchemaFault]) -> None:
    """Raise all *faults* at once, if there are any."""
    if kept := in_order(faults):
        raise ToolSchemaError(kept)


class ToolSchemaError(ToolError, ValueError):
    """A schema cannot be used. All its faults are listed, not only the first.

    Attributes:
        faults: A tuple of `SchemaFault`, ordered by source, then by location.

    >>> print(ToolSchemaError([SchemaFault("read.json", "/type", "must be a type")]))
    invalid tool schema
      - read.json#/type: must be a type
    """

    def __init__(self, faults: Iterable[SchemaFault]) -> None:
        kept = in_order(faults)
        super().__init__(kept)
        self.faults = kept

    def __str__(self) -> str:
        return "\n".join(["invalid tool schema", *(f"  - {fault}" for fault in self.faults)])


class StreamSequenceError(ToolError, ValueError):
    """The events of a stream do not form a complete answer.

    Contains no part of the arguments.

    Attributes:
        code: The rule that is broken, such as ``truncated``.
        index: The index of the call; None if the fault is in the stream itself.
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
    """An answer does not have the format of its provider.

    Contains no value of the answer.

    Attributes:
        provider: The format that was expected, such as ``openai_chat``.
        place: The path from the top of the response, chunk or event to the fault.
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
        return ": ".join(filter(None, (self.provider, self.place, self.message)))


class UnknownToolError(ToolError, KeyError):
    """No tool has this name.

    *name* can be of any type, because a model may send null.

    >>> print(UnknownToolError("get_wether", ["get_weather"]))
    no tool named "get_wether"; did you mean "get_weather"?
    """

    def __init__(self, name: object, near: Iterable[str] = ()) -> None:
        names = tuple(near)
        super().__init__(name, names)
        self.name = name
        self.near = names
        """Names of tools that are spelt like it, the most similar first."""

    def __str__(self) -> str:
        if not isinstance(self.name, str):
            return f"a tool name must be str, not {type(self.name).__name__}"
        sentence = f'no tool named "{undeclared(self.name)}"'
        if not self.near:
            return sentence
        choices = " or ".join(f'"{one_line(name)}"' for name in self.near)
        return f"{sentence}; did you mean {choices}?"
