"""Python names, made from names that can be any string."""

from __future__ import annotations

import keyword
import re
import unicodedata
from dataclasses import dataclass, field

_WORD = re.compile("[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z0-9]+|[A-Z0-9]+")
_MAX_LENGTH = 60
# What these names mean in the generated module must not change.
_RESERVED = frozenset(
    {
        "Any", "Literal", "NotRequired", "Path", "ToolDefinition", "TypeAlias", "TypedDict",
        "Union", "_TOOLS", "bool", "dict", "float", "list", "load_tools", "str", "sys",
    }
)  # fmt: skip


@dataclass(slots=True)
class Names:
    """The names of one module, each used once."""

    taken: set[str] = field(default_factory=lambda: set(_RESERVED))

    def unique(self, wanted: str, ending: str = "") -> str:
        """Take *wanted* followed by *ending*, with a number in between if that is taken."""
        name, number = wanted + ending, 1
        while name in self.taken or keyword.iskeyword(name):
            number += 1
            name = f"{wanted}{'_' if wanted.isupper() and not ending else ''}{number}{ending}"
        self.taken.add(name)
        return name


def constant_name(tool: str) -> str:
    """The name of the constant for a tool.

    >>> list(map(constant_name, ["search_bookings", "getHTTPUrl", "3d-model", "天"]))
    ['SEARCH_BOOKINGS', 'GET_HTTP_URL', 'TOOL_3D_MODEL', 'TOOL']
    """
    name = "_".join(word.upper() for word in _words(tool)) or "TOOL"
    return f"TOOL_{name}" if name[0].isdigit() else name


def class_name(tool: str) -> str:
    """What the names of the types of a tool begin with.

    >>> list(map(class_name, ["search_bookings", "getHTTPUrl", "3d-model", "天"]))
    ['SearchBookings', 'GetHTTPUrl', 'Tool3dModel', 'Tool']
    """
    name = capitalized(tool) or "Tool"
    return f"Tool{name}" if name[0].isdigit() else name


def capitalized(name: str) -> str:
    """The words of *name*, each capitalised; can be empty or begin with a digit."""
    return "".join(word[0].upper() + word[1:] for word in _words(name))


def nested_name(outer: str, inner: str, tool: str) -> str:
    """Name a type after its outer type, or after the tool if that gets too long."""
    name = outer + (inner or "Value")
    return name if len(name) <= _MAX_LENGTH else (tool + inner)[:_MAX_LENGTH]


def _words(name: str) -> list[str]:
    """Words in ASCII: Python normalises other identifiers, and no provider accepts them."""
    plain = unicodedata.normalize("NFKD", name[: 2 * _MAX_LENGTH])
    return _WORD.findall(plain.encode("ascii", "ignore").decode())
