"""Choices and strings for generated instances, named by a seed."""

from __future__ import annotations

from toolschema._schema.examples import Part, bounds, of_format
from toolschema.vectors._pattern_text import matches, matching_text
from toolschema.vectors._random import Choice

_WORDS = ("alpha", "bravo", "delta", "gamma", "omega")
_EARLY = 6
"""Attempts at a string that need not have the least length."""
_LONGEST = 4096


class Seeded:
    """Choices and strings for a `Maker`."""

    matches = staticmethod(matches)

    def __init__(self, choice: Choice) -> None:
        self._choice = choice
        self.below = choice.below

    def boolean(self) -> bool:
        return bool(self.below(2))

    def matching(self, patterns: list[str]) -> str | None:
        return matching_text(self._choice.one(patterns), self._choice)

    def string(self, parts: list[Part], attempt: int) -> str:
        """A string of the length, the format and the patterns that are asked for."""
        least = min(max(bounds(parts, "minLength"), default=0), _LONGEST)
        patterns = [part["pattern"] for part in parts if "pattern" in part]
        if patterns:
            more = 0 if attempt < _EARLY else least
            return matching_text(patterns[attempt % len(patterns)], self._choice, more) or ""
        known = of_format(parts)
        if known is not None:
            return known
        word = self._choice.one(_WORDS)
        most = min(bounds(parts, "maxLength"), default=_LONGEST)
        return (word * (least // len(word) + 1))[: min(most, max(least, len(word)))]
