"""What each provider supports and refuses in the schema of a tool, as dated tables."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from toolschema._json.kinds import SCALARS


@dataclass(frozen=True, slots=True)
class Profile:
    """What one provider supports in the schema of a tool."""

    dated: str
    """Year and month in which it was last compared with the documentation."""
    name_character: re.Pattern[str]
    """Characters that the name of a tool may have."""
    longest_name: int
    keywords: frozenset[str] = frozenset()
    """Keywords that are kept as they are; empty if all are. Those that hold schemas,
    types and values are handled one by one."""
    formats: frozenset[str] | None = None
    """Values of ``format`` that are kept; None if all are."""
    is_closed: bool = False
    """Whether every schema must have a type, and no object may have undeclared
    properties."""
    is_complete: bool = False
    """Whether every property is required, so that null stands for absent."""
    is_root_plain: bool = True
    """Whether the root must be an object with properties, without combinators."""
    refused_pattern: re.Pattern[str] | None = None
    largest_min_items: int | None = None
    enum_types: frozenset[str] = frozenset(SCALARS)
    """Types of the values that an ``enum`` may list."""
    supports_recursion: bool = True
    longest_description: int | None = None
    property_name: re.Pattern[str] | None = None
    """What the names of properties at the root must match."""
    limits: dict[str, int] = field(default_factory=dict)
    """How much one tool may have; see `toolschema.providers._export.limits`."""

    def refuses_pattern(self, pattern: str) -> bool:
        """Whether a regular expression uses syntax that is not supported."""
        return self.refused_pattern is not None and bool(self.refused_pattern.search(pattern))


_LOOKAROUND = r"\(\?(?:=|!|<=|<!)"
_BACKREFERENCE = r"\\[1-9]|\\k<"
_FORMATS = frozenset(
    {"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"}
)
_NAME_CHARACTER = re.compile(r"[A-Za-z0-9_-]")

EVERY_KEYWORD = Profile(
    dated="2026-07",
    name_character=re.compile("."),
    longest_name=128,
)
"""The Model Context Protocol, which takes a schema as it is."""
_OPENAI = Profile(
    dated="2026-11",
    name_character=_NAME_CHARACTER,
    longest_name=64,
    # "regex lookaround is not supported": vercel/ai#16021, with and without strict.
    refused_pattern=re.compile(_LOOKAROUND),
    longest_description=1024,
)
OPENAI = {
    False: _OPENAI,
    True: replace(
        _OPENAI,
        keywords=frozenset(
            {
                "title", "description", "pattern", "format", "multipleOf", "minimum", "maximum",
                "exclusiveMinimum", "exclusiveMaximum", "minItems", "maxItems",
            }
        ),
        formats=_FORMATS,
        is_closed=True,
        is_complete=True,
        refused_pattern=re.compile(f"{_LOOKAROUND}|{_BACKREFERENCE}"),
        limits={
            "properties": 5000, "levels": 10, "characters": 120_000, "enum": 1000,
            "enum characters": 15_000,
        },
    ),
}  # fmt: skip
"""Without and with strict mode, as are those of Anthropic."""
_ANTHROPIC = Profile(
    dated="2026-11",
    name_character=_NAME_CHARACTER,
    longest_name=128,
    property_name=re.compile(r"[a-zA-Z0-9_.-]{1,64}\Z"),
)
ANTHROPIC = {
    False: _ANTHROPIC,
    True: replace(
        _ANTHROPIC,
        keywords=frozenset({"title", "description", "default", "pattern", "format", "minItems"}),
        formats=_FORMATS | {"uri"},
        is_closed=True,
        # Counts of three or more digits are refused as too large.
        refused_pattern=re.compile(rf"{_LOOKAROUND}|{_BACKREFERENCE}|\\[bB]|\{{\d*,?\d{{3,}}"),
        largest_min_items=1,
        supports_recursion=False,
        limits={"optional": 24, "unions": 16},
    ),
}  # fmt: skip
GEMINI = Profile(
    dated="2026-11",
    name_character=re.compile(r"[A-Za-z0-9_.:-]"),
    longest_name=128,
    keywords=frozenset(
        {
            "title", "description", "format", "minItems", "maxItems", "minimum", "maximum",
            "propertyOrdering",
        }
    ),
    is_root_plain=False,
    enum_types=frozenset({"string", "integer", "number"}),
)  # fmt: skip
