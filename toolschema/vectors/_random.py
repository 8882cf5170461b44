"""Choices that come out the same on every machine and in every version of Python.

Of all that `random.Random` does, only `random()` is promised to stay the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeVar

Item = TypeVar("Item")


class Choice:
    """A source of choices, named by its seed.

    >>> Choice("read:0").below(1000) == Choice("read:0").below(1000)
    True
    """

    def __init__(self, seed: str) -> None:
        self._random = Random(seed)  # noqa: S311 - nothing is kept secret by it

    def below(self, end: int) -> int:
        """An integer from 0 up to, but not including, *end*."""
        return int(self._random.random() * end)

    def one(self, items: Sequence[Item]) -> Item:
        return items[self.below(len(items))]
