"""An ECMA-262 pattern as a tree: what the parser makes and the writer reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

MAXIMUM = 0x10FFFF
"""The last code point of Unicode."""

Ranges = tuple[tuple[int, int], ...]


@dataclass(slots=True)
class Characters:
    """A set of characters; *raw* where only the engine knows its members."""

    ranges: Ranges = ()
    negated: bool = False
    raw: str = ""

    @property
    def single(self) -> int | None:
        """The only member, where the set was written as one character."""
        if self.raw or self.negated or len(self.ranges) != 1:
            return None
        low, high = self.ranges[0]
        return low if low == high else None

    def positive(self) -> Characters:
        return Characters(_complement(self.ranges)) if self.negated else self


@dataclass(slots=True)
class Class:
    members: list[Characters]
    negated: bool


@dataclass(slots=True)
class Boundary:
    kind: str


@dataclass(slots=True)
class Backreference:
    number: int
    is_early: bool = False
    """The group has not been closed yet where the reference stands."""
    name: str = ""


@dataclass(slots=True)
class Sequence:
    items: list[object]


@dataclass(slots=True)
class Alternatives:
    choices: list[Sequence]


@dataclass(slots=True)
class Group:
    number: int | None
    body: Alternatives


@dataclass(slots=True)
class Look:
    opening: str
    body: Alternatives

    @property
    def is_behind(self) -> bool:
        return "<" in self.opening


@dataclass(slots=True)
class Repeat:
    item: object
    low: int
    high: int | None
    suffix: str


def children(node: object) -> list[Any]:
    """The nodes directly below *node*, in the order of the pattern."""
    if isinstance(node, Sequence):
        return node.items
    if isinstance(node, Alternatives):
        return node.choices
    if isinstance(node, (Group, Look)):
        return [node.body]
    return [node.item] if isinstance(node, Repeat) else []


def _complement(ranges: Ranges) -> Ranges:
    result: list[tuple[int, int]] = []
    start = 0
    for low, high in sorted(ranges):
        if start < low:
            result.append((start, low - 1))
        start = high + 1
    if start <= MAXIMUM:
        result.append((start, MAXIMUM))
    return tuple(result)
