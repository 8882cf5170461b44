"""Names for Python, made from names that may be anything."""

from __future__ import annotations

import keyword
import re
import unicodedata
from dataclasses import dataclass, field

_WORD = re.compile("[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z0-9]+|[A-Z0-9]+")
_LONGEST = 60
RESERVED = frozenset(
    {
        "Any", "Literal", "NotRequired", "Path", "ToolDefinition", "TypeAlias", "TypedDict",
        "Union", "_TOOLS", "bool", "dict", "float", "list", "load_tools", "str", "sys",
    }
)  # fmt: skip
"""What the generated code calls something else."""


@dataclass(slots=True)
class Names:
    """Those of one module, each given once."""

    given: set[str] = field(default_factory=lambda: set(RESERVED))

    def give(self, wanted: str, ending: str = "") -> str:
        """The name with its ending; between them the first number that makes it free."""
        name, number = wanted + ending, 1
        while name in self.given or keyword.iskeyword(name):
            number += 1
            name = f"{wanted}{'_' if wanted.isupper() and not ending else ''}{number}{ending}"
        self.given.add(name)
        return name


def constant(text: str) -> str:
    """As a constant is written.

    >>> constant("search_bookings"), constant("getHTTPUrl"), constant("3d-model"), constant("天")
    ('SEARCH_BOOKINGS', 'GET_HTTP_URL', 'TOOL_3D_MODEL', 'TOOL')
    """
    name = "_".join(word.upper() for word in _words(text)) or "TOOL"
    return f"TOOL_{name}" if name[0].isdigit() else name


def stem(text: str) -> str:
    """As a class is written; what a tool's types begin with.

    >>> stem("search_bookings"), stem("getHTTPUrl"), stem("3d-model"), stem("天")
    ('SearchBookings', 'GetHTTPUrl', 'Tool3dModel', 'Tool')
    """
    name = part(text) or "Tool"
    return f"Tool{name}" if name[0].isdigit() else name


def part(text: str) -> str:
    """As the later words of a class are written; may be empty or begin with a digit."""
    return "".join(word[0].upper() + word[1:] for word in _words(text))


def longer(prefix: str, more: str, tool: str) -> str:
    """The name of what is inside; where it gets long, the way to it is left out."""
    name = prefix + (more or "Value")
    return name if len(name) <= _LONGEST else (tool + more)[:_LONGEST]


def _words(text: str) -> list[str]:
    """In ASCII: providers take no other names, and Python normalises others."""
    plain = unicodedata.normalize("NFKD", text[: 2 * _LONGEST])
    return _WORD.findall(plain.encode("ascii", "ignore").decode())
