"""Sense: what only the caller's own data can say about a well-formed call."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Iterable
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Generic, Protocol, TypeVar

from toolschema._json.printable import one_line

Value = TypeVar("Value")
Value_co = TypeVar("Value_co", covariant=True)
Value_contra = TypeVar("Value_contra", contravariant=True)
Args_contra = TypeVar("Args_contra", contravariant=True)

LONGEST_MESSAGE = 1000
LONGEST_CANDIDATE = 100
LONGEST_LIST = 2900
"""Characters of all listed candidates; with the rest, a text has at most 4000."""
MOST_SHOWN = 50
MOST_INTEGER = 10**40 - 1
"""The largest candidate: what is longer is no number that a model copies."""
# An escape of `one_line` that is cut off.
_PARTIAL = re.compile(r"\\(?:u(?:[0-9a-f]{0,3}|\{[0-9a-f]*))?\Z")


class _Same(Enum):
    ARGUMENTS = "the arguments"


_ARGUMENTS = _Same.ARGUMENTS


@dataclass(frozen=True, slots=True)
class Accepted(Generic[Value_co]):
    """The call makes sense, and *value* is what it is about.

    >>> Accepted("the booking").value
    'the booking'
    """

    value: Value_co = field(repr=False)


# A frozen class sets a field by a way that takes longer, and each call needs one.
_NEW = object.__new__
_set_value = vars(Accepted)["value"].__set__


@dataclass(frozen=True, slots=True)
class Rejected:
    """The call is well formed but makes no sense; `reject` makes one.

    >>> print(Rejected("No booking has this id.", candidates=()).text)
    No booking has this id.
    There are none to choose from.
    """

    message: str
    """What the model is told."""
    retryable: bool = True
    """Whether another call can make it right. It is never in the text."""
    candidates: tuple[str | int, ...] | None = None
    """What could have been meant; None where that was not looked for."""
    shown: int = 5
    """How many of the candidates are listed in the text."""

    def __repr__(self) -> str:
        message = _cut(one_line(str(self.message)[: LONGEST_CANDIDATE + 1]), LONGEST_CANDIDATE)
        count = None if self.candidates is None else len(self.candidates)
        return f'<Rejected "{message}", retryable={self.retryable}, candidates: {count}>'

    @property
    def text(self) -> str:
        """What goes to the model, and all of it; at most 4000 characters.

        Nothing in it depends on *retryable*, so what does not exist and what is
        not the user's can be rejected in the very same words.
        """
        lines = map(one_line, _cut(self.message, LONGEST_MESSAGE).splitlines())
        text = _cut("\n".join(lines), LONGEST_MESSAGE)
        if self.candidates is None:
            return text
        choice = _choice(self.candidates, self.shown)
        return f"{text}\n{choice}" if text else choice


class Check(Protocol[Args_contra, Value_co]):
    """A plain or ``async`` function of the arguments and the caller's context."""

    def __call__(
        self, arguments: Args_contra, context: Any, /
    ) -> Accepted[Value_co] | Rejected | Awaitable[Accepted[Value_co] | Rejected]: ...


class Run(Protocol[Value_contra]):
    """A plain or ``async`` function of what the check accepted and the context."""

    def __call__(self, value: Value_contra, context: Any, /) -> Any: ...


def accept(value: Any = _ARGUMENTS) -> Accepted[Any]:
    """Let a call through, and hand *value* to the function that does the work.

    A check that has looked something up hands it on, so that nobody looks it up
    again and finds something else.

    Args:
        value: What the call is about, such as the row that an id belongs to.
            Without it, the arguments as they are.

    >>> accept({"id": "bk_1", "guest": "Ada"}).value["guest"]
    'Ada'
    """
    accepted: Accepted[Any] = _NEW(Accepted)
    _set_value(accepted, value)
    return accepted


def reject(
    message: str,
    *,
    retryable: bool = True,
    candidates: Iterable[str | int] | None = None,
    shown: int = 5,
) -> Rejected:
    """Refuse a call that is well formed but makes no sense, and say why.

    The text goes to the model, so it should not confirm that something exists
    which the user may not see: for what is unknown and what is not theirs, give
    the same message with the same candidates, and let only *retryable* differ.

    Args:
        message: What is wrong and what would be right, to the model. Each of its
            lines stays one; at most 1000 characters are shown.
        retryable: Whether another call may make it right. If not, the result's
            `ToolResult.rejected` is true; the model is not told.
        candidates: What this user could have meant, likeliest first. If there
            are none, the text says so; leave it out where you have not looked.
            Of each, at most 100 characters are shown.
        shown: How many of them are listed, at most 50, and no more than there
            is room for; of the others, the text has the count.

    Raises:
        TypeError: An argument is of the wrong type.
        ValueError: *message* is blank, *shown* is below 1 or above 50, or a
            candidate is an integer of more than 40 digits.

    >>> print(reject("No booking of yours has this id.", candidates=["bk_1", "bk_2"]).text)
    No booking of yours has this id.
    Choose one of: "bk_1", "bk_2".
    """
    if not isinstance(message, str):
        raise TypeError(f"message must be str, not {type(message).__name__}")
    if not message.strip():
        raise ValueError("message must say what is wrong")
    if not isinstance(retryable, bool):
        raise TypeError(f"retryable must be bool, not {type(retryable).__name__}")
    if type(shown) is not int:
        raise TypeError(f"shown must be int, not {type(shown).__name__}")
    if shown < 1:
        raise ValueError("shown must be at least 1")
    if shown > MOST_SHOWN:
        raise ValueError(f"shown must be at most {MOST_SHOWN}")
    return Rejected(message, retryable, _checked(candidates), shown)


def accepted_value(outcome: object, arguments: Any) -> Any:
    """What the work is done with.

    Raises:
        TypeError: Nothing was accepted; a check that ends without `return` does so.
    """
    if type(outcome) is not Accepted:
        kind = type(outcome).__name__
        raise TypeError(f"check must return accept(...) or reject(...), not {kind}")
    return arguments if outcome.value is _ARGUMENTS else outcome.value


def _checked(candidates: Iterable[str | int] | None) -> tuple[str | int, ...] | None:
    if candidates is None:
        return None
    if isinstance(candidates, (str, bytes)) or not isinstance(candidates, Iterable):
        kind = type(candidates).__name__
        raise TypeError(f"candidates must be an iterable of str or int, not {kind}")
    kept = tuple(candidates)
    for each in kept:
        # Anything else would show the model more than what it can send.
        if not isinstance(each, (str, int)):
            raise TypeError(f"a candidate must be str or int, not {type(each).__name__}")
        if isinstance(each, int) and not -MOST_INTEGER <= each <= MOST_INTEGER:
            raise ValueError("a candidate must have at most 40 digits")
    return kept


def _choice(candidates: tuple[str | int, ...], shown: int) -> str:
    if not candidates:
        return "There are none to choose from."
    listed: list[str] = []
    room = LONGEST_LIST
    for each in candidates[:shown]:
        literal = _literal(each)
        room -= len(literal) + len(", ")
        if room < 0:
            break
        listed.append(literal)
    if len(candidates) > len(listed):
        listed.append(f"and {len(candidates) - len(listed)} more")
    return f"Choose one of: {', '.join(listed)}."


def _literal(candidate: str | int) -> str:
    """As JSON, so that the model sends a number as one."""
    if not isinstance(candidate, str):
        return json.dumps(candidate)
    start = candidate[: LONGEST_CANDIDATE + 1]
    whole = one_line(json.dumps(start, ensure_ascii=False))
    if len(whole) <= LONGEST_CANDIDATE + len('""'):
        return whole
    pieces = [one_line(json.dumps(each, ensure_ascii=False))[1:-1] for each in start]
    while sum(map(len, pieces)) > LONGEST_CANDIDATE - len("..."):
        pieces.pop()
    return f'"{"".join(pieces)}..."'


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else _PARTIAL.sub("", text[: most - 3]) + "..."
