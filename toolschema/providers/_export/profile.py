"""What a provider takes, as a table with a date."""

from __future__ import annotations

import re
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Profile:
    """What one provider takes in the schema of a tool."""

    dated: str
    """Year and month in which it was last held against the documentation."""
    name: re.Pattern[str]
    """Names of tools."""
    longest_name: int
    keywords: frozenset[str] | None = None
    """Keywords that are kept as they are; all, where it is None. Those that hold
    schemas, types and values are dealt with one by one."""
    formats: frozenset[str] | None = None
    """None where every format is kept."""
    is_closed: bool = False
    """Whether each schema must have a type, and no object may have others than
    its declared properties."""
    is_complete: bool = False
    """Whether every property is required, so that null stands for absent."""
    is_root_plain: bool = True
    """Whether the root may be nothing but an object with properties."""
    no_pattern: re.Pattern[str] | None = None
    """Patterns that are refused."""
    most_min_items: int | None = None
    scalar_enums: frozenset[str] = frozenset({"string", "integer", "number", "boolean", "null"})
    """Types of the values that an ``enum`` may list."""
    takes_recursion: bool = True
    longest_description: int | None = None
    property_name: re.Pattern[str] | None = None
    """Names of properties at the root."""
    most: dict[str, int] = field(default_factory=dict)
    """How much of anything one tool may have; see `toolschema.providers._export.limits`."""


LOOK_AROUND = re.compile(r"\(\?(?:=|!|<=|<!)")
_BACK = r"\\[1-9]|\\k<"
ANY_CHARACTERS = re.compile(r"[A-Za-z0-9_-]")

_OPENAI_HINT = Profile(
    dated="2026-11",
    name=ANY_CHARACTERS,
    longest_name=64,
    # "regex lookaround is not supported": vercel/ai#16021, with and without strict.
    no_pattern=LOOK_AROUND,
    longest_description=1024,
)
OPENAI = {
    False: _OPENAI_HINT,
    True: Profile(
        dated="2026-11",
        name=ANY_CHARACTERS,
        longest_name=64,
        keywords=frozenset(
            {
                "title", "description", "pattern", "format", "multipleOf", "minimum", "maximum",
                "exclusiveMinimum", "exclusiveMaximum", "minItems", "maxItems",
            }
        ),
        formats=frozenset(
            {
                "date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6",
                "uuid",
            }
        ),
        is_closed=True,
        is_complete=True,
        no_pattern=re.compile(f"{LOOK_AROUND.pattern}|{_BACK}"),
        longest_description=1024,
        most={
            "properties": 5000, "levels": 10, "characters": 120_000, "enum": 1000,
            "enum characters": 15_000,
        },
    ),
}  # fmt: skip
_ANTHROPIC_KEYS = re.compile(r"[a-zA-Z0-9_.-]{1,64}\Z")
ANTHROPIC = {
    False: Profile(
        dated="2026-11",
        name=ANY_CHARACTERS,
        longest_name=128,
        property_name=_ANTHROPIC_KEYS,
    ),
    True: Profile(
        dated="2026-11",
        name=ANY_CHARACTERS,
        longest_name=128,
        keywords=frozenset({"title", "description", "default", "pattern", "format", "minItems"}),
        formats=frozenset(
            {
                "date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4",
                "ipv6", "uuid",
            }
        ),
        is_closed=True,
        # A count of more than two digits is a large one.
        no_pattern=re.compile(rf"{LOOK_AROUND.pattern}|{_BACK}|\\[bB]|\{{\d*,?\d{{3,}}"),
        most_min_items=1,
        takes_recursion=False,
        property_name=_ANTHROPIC_KEYS,
        most={"optional": 24, "unions": 16},
    ),
}  # fmt: skip
GEMINI = Profile(
    dated="2026-11",
    name=re.compile(r"[A-Za-z0-9_.:-]"),
    longest_name=128,
    keywords=frozenset(
        {
            "title", "description", "format", "minItems", "maxItems", "minimum", "maximum",
            "propertyOrdering",
        }
    ),
    is_root_plain=False,
    scalar_enums=frozenset({"string", "integer", "number"}),
)  # fmt: skip
