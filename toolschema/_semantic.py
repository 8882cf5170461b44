"""What a semantic check answers: the value to go on with, or why there is none."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Accepted:
    """The arguments make sense; *value* is what the tool is run with."""

    value: Any


@dataclass(frozen=True, slots=True)
class Rejected:
    """They do not, and *message* says to the model what would."""

    message: str
    retryable: bool = True
    candidates: tuple[Any, ...] = ()


def accept(value: Any) -> Accepted:
    """Go on with *value*.

    >>> accept({"path": "README.md"}).value
    {'path': 'README.md'}
    """
    return Accepted(value)


def reject(message: str, *, retryable: bool = True, candidates: Iterable[Any] = ()) -> Rejected:
    """Stop here, and tell the model why.

    >>> reject("no such booking", candidates=["bk_1"]).candidates
    ('bk_1',)
    """
    return Rejected(message, retryable, tuple(candidates))
