"""Limits to what one call may cost."""

from __future__ import annotations

from dataclasses import dataclass, fields

DEEPEST = 200
"""The greatest `Limits.max_depth`. Up to this depth, neither the decoder nor an
engine can run out of stack, even in a thread that has only 128 KiB."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one tool; a call that exceeds one is refused with an issue.

    Args:
        max_bytes: Bytes of UTF-8 in the text of the arguments.
        max_depth: Levels of objects and arrays; the arguments themselves are
            the first.
        max_nodes: Values in the arguments; every object, array and scalar counts
            each time it occurs.
        max_issues: Issues kept for one call; the number of others is reported.
        max_steps: Keywords evaluated to explain an invalid call; the issues found
            until then are reported. It never changes a verdict.
        max_pattern_text: Characters of a string that is matched against a pattern
            with a look-around, a back-reference or a word boundary, which can take
            many steps for each character.

    Raises:
        TypeError: A limit is not an `int`.
        ValueError: A limit is below 1, or *max_depth* above 200.

    >>> Limits(max_depth=20).max_bytes
    16777216
    """

    max_bytes: int = 16 * 1024 * 1024
    max_depth: int = 100
    max_nodes: int = 1_000_000
    max_issues: int = 20
    max_steps: int = 20_000
    max_pattern_text: int = 8192

    @classmethod
    def untrusted(cls) -> Limits:
        """Stricter limits, for tools whose schemas come from strangers.

        The cost of a call grows with its size times a factor of the schema: a
        pattern may be slow without backtracking, and a union may be wide. If the
        author of the schema is unknown, the size has to be small.

        >>> Limits.untrusted().max_bytes
        131072
        """
        return cls(
            max_bytes=128 * 1024,
            max_depth=32,
            max_nodes=20_000,
            max_steps=2_000,
            max_pattern_text=512,
        )

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if type(value) is not int:
                raise TypeError(f"{field.name} must be int, not {type(value).__name__}")
            if value < 1:
                raise ValueError(f"{field.name} must be at least 1")
        if self.max_depth > DEEPEST:
            raise ValueError(f"max_depth must be at most {DEEPEST}")


SCHEMA_LIMITS = Limits(max_depth=120)
"""For schemas, which no model has written: they may be as deep as both engines allow,
independently of the limits of the calls."""
