"""Strings that a pattern matches, made from its syntax tree."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from toolschema import ToolDefinition, check_tool_arguments
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
    return not check_tool_arguments(_tool(pattern), {"text": text})


@lru_cache(maxsize=1024)
def _tool(pattern: str) -> ToolDefinition[Any]:
    return ToolDefinition("pattern", "", {"properties": {"text": {"pattern": pattern}}})


class _Writing:
    def __init__(self, choice: Choice, more: int) -> None:
        self._choice = choice
        self._more = more
        self._groups: dict[int, str] = {}
        self._left = _LONGEST

    def text(self, item: object) -> str:
        if isinstance(item, Alternatives):
            return self.text(self._choice.one(item.choices))
        if isinstance(item, Sequence):
            return "".join([self.text(each) for each in item.items])
        if isinstance(item, Group):
            text = self.text(item.body)
            if item.number is not None:
                self._groups[item.number] = text
            return text
        if isinstance(item, Repeat):
            return self._repeated(item)
        if isinstance(item, Backreference):
            return self._groups.get(item.number, "")
        if isinstance(item, (Characters, Class)):
            self._left -= 1
            return self._choice.one(members(item) or "a")
        return ""  # a look around, or a boundary

    def _repeated(self, item: Repeat) -> str:
        most = item.low + 2 + self._more if item.high is None else item.high
        least = min(most, item.low + self._more)
        count = least + self._choice.below(min(most - least, 2) + 1)
        made = []
        for _ in range(count):
            if self._left < 0:
                break
            made.append(self.text(item.item))
        return "".join(made)


def members(item: Characters | Class) -> str:
    """Ordinary characters of a set; others only where it has none."""
    inside = [each for each in _PROBES if _has(item, each)]
    usual = [each for each in inside if each in _USUAL]
    if inside or not isinstance(item, (Characters, Class)):
        return "".join(usual or inside)
    sets = [item] if isinstance(item, Characters) else item.members
    return "".join(chr(low) for each in sets if not each.negated for low, _ in each.ranges)


def _has(item: Characters | Class, character: str) -> bool:
    if isinstance(item, Class):
        return any(_has(each, character) for each in item.members) is not item.negated
    if item.raw:
        return matches(f"^{item.raw}$", character)
    point = ord(character)
    return any(low <= point <= high for low, high in item.ranges) is not item.negated
