"""Strings that a pattern matches, made from its syntax tree."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from itertools import takewhile
from typing import Any

from toolschema import ToolDefinition
from toolschema._schema.patterns.parser import PatternError, parse
from toolschema._schema.patterns.tree import (
    Alternatives,
    Backreference,
    Characters,
    Class,
    Group,
    Repeat,
    Sequence,
)
from toolschema.vectors._random import Choice

_USUAL = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
_PROBES = _USUAL + "_-. /:@,;!?#$%&'()*+<=>[]\\^`{|}~\"\t\n\u00e9\u00df\u0416\u03b1\u4e2d\u3042"
_LONGEST = 4096


def matching_text(pattern: str, choice: Choice, more: int = 0) -> str | None:
    """A string that *pattern* most likely matches; None where it cannot be parsed.

    Look-around and boundaries are ignored, so the answer has to be checked. Each
    repetition that may go on does so *more* times.
    """
    try:
        tree = parse(pattern)
    except PatternError:
        return None
    return _Writing(choice, more).text(tree)[:_LONGEST]


def matches(pattern: str, text: str) -> bool:
    """Whether *pattern*, as ECMA-262 defines it, matches somewhere in *text*."""
    return _tool(pattern).compiled.accepts({"text": text}, len(text))


@lru_cache(maxsize=1024)
def _tool(pattern: str) -> ToolDefinition[Any]:
    return ToolDefinition("pattern", "", {"properties": {"text": {"pattern": pattern}}})


@dataclass(slots=True)
class _Writing:
    choice: Choice
    more: int
    groups: dict[int, str] = field(default_factory=dict)
    """What each numbered group has matched."""
    left: int = _LONGEST
    """Characters that may yet be written."""

    def text(self, item: object) -> str:
        if isinstance(item, Alternatives):
            return self.text(self.choice.one(item.choices))
        if isinstance(item, Sequence):
            return "".join(map(self.text, item.items))
        if isinstance(item, Group):
            text = self.text(item.body)
            if item.number is not None:
                self.groups[item.number] = text
            return text
        if isinstance(item, Repeat):
            return self._repeated(item)
        if isinstance(item, Backreference):
            return self.groups.get(item.number, "")
        if isinstance(item, (Characters, Class)):
            self.left -= 1
            return self.choice.one(_members(item) or "a")
        return ""  # a look-around or a boundary

    def _repeated(self, item: Repeat) -> str:
        most = item.low + 2 + self.more if item.high is None else item.high
        least = min(most, item.low + self.more)
        count = least + self.choice.below(min(most - least, 2) + 1)
        return "".join(
            self.text(item.item) for _ in takewhile(lambda _: self.left >= 0, range(count))
        )


def _members(item: Characters | Class) -> str:
    """Ordinary characters of a set; others only where it has none."""
    inside = [character for character in _PROBES if _has(item, character)]
    if inside:
        return "".join([character for character in inside if character in _USUAL] or inside)
    sets = [item] if isinstance(item, Characters) else item.members
    return "".join(chr(low) for some in sets if not some.negated for low, _ in some.ranges)


def _has(item: Characters | Class, character: str) -> bool:
    if isinstance(item, Class):
        return any(_has(member, character) for member in item.members) is not item.negated
    if item.raw:
        return matches(f"^{item.raw}$", character)
    point = ord(character)
    return any(low <= point <= high for low, high in item.ranges) is not item.negated
