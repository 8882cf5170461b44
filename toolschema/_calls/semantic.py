"""Semantic checks: what only the caller's own data can decide about a valid call."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Generator, Iterable
from dataclasses import dataclass, field
from inspect import iscoroutinefunction
from typing import Any, Generic, Protocol, TypeVar

from toolschema._json.printable import one_line

Value = TypeVar("Value")
Value_co = TypeVar("Value_co", covariant=True)
Value_contra = TypeVar("Value_contra", contravariant=True)
Args_contra = TypeVar("Args_contra", contravariant=True)

LONGEST_MESSAGE = 1000
LONGEST_CANDIDATE = 100
LONGEST_LIST = 2900
"""Characters of all listed candidates, so that a whole text stays within 4000."""
MOST_SHOWN = 50
LARGEST_INTEGER = 10**40 - 1
"""The largest integer candidate; a model does not copy longer ones reliably."""
# An escape of `one_line` that was cut in the middle.
_PARTIAL_ESCAPE = re.compile(r"\\(?:u(?:[0-9a-f]{0,3}|\{[0-9a-f]*))?\Z")


class _Unchanged:
    """Stands for the arguments as the value that is accepted."""


@dataclass(frozen=True, slots=True)
class Accepted(Generic[Value_co]):
    """The call can be carried out, and *value* is what the handler receives.

    >>> Accepted("the booking").value
    'the booking'
    """

    value: Value_co = field(repr=False)


@dataclass(frozen=True, slots=True)
class Rejected:
    """The call is well formed but cannot be carried out; made by `reject`.

    >>> print(Rejected("No booking has this id.", candidates=()).text)
    No booking has this id.
    There are none to choose from.
    """

    message: str
    """What the model is told."""
    retryable: bool = True
    """Whether another call may succeed. Never part of the text."""
    candidates: tuple[str | int, ...] | None = None
    """What could have been meant; None if nothing was looked up."""
    shown: int = 5
    """How many of the candidates are listed in the text."""

    def __repr__(self) -> str:
        start = one_line(str(self.message)[: LONGEST_CANDIDATE + 1])
        message = _shortened(start, LONGEST_CANDIDATE)
        count = None if self.candidates is None else len(self.candidates)
        return f'<Rejected "{message}", retryable={self.retryable}, candidates: {count}>'

    @property
    def text(self) -> str:
        """Everything that the model is told; at most 4000 characters.

        Nothing in it depends on *retryable*, so what does not exist and what
        belongs to another user can be rejected with identical text.
        """
        lines = map(one_line, _shortened(self.message, LONGEST_MESSAGE).splitlines())
        text = _shortened("\n".join(lines), LONGEST_MESSAGE)
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
    """A plain or ``async`` function of the value that was accepted and the context."""

    def __call__(self, value: Value_contra, context: Any, /) -> Any: ...


def accept(value: Any = _Unchanged) -> Accepted[Any]:
    """Let a call through, and pass *value* to the function that does the work.

    A check that has looked something up passes it on, so that a second lookup
    cannot find something else.

    Args:
        value: What the call is about, such as the row that an id belongs to.
            Default: the arguments, unchanged.

    >>> accept({"id": "bk_1", "guest": "Ada"}).value["guest"]
    'Ada'
    """
    return Accepted(value)


def reject(
    message: str,
    *,
    retryable: bool = True,
    candidates: Iterable[str | int] | None = None,
    shown: int = 5,
) -> Rejected:
    """Refuse a call that is well formed but cannot be carried out, and say why.

    The text goes to the model, so it should not confirm that something exists
    which the user may not see. If an id is unknown or belongs to someone else,
    give the same message and the same candidates; only *retryable* may differ.

    Args:
        message: What is wrong and what would be right, addressed to the model.
            Line breaks are kept; at most 1000 characters are shown.
        retryable: Whether another call may succeed. If not, the result's
            `ToolResult.rejected` is true; the model is not told.
        candidates: What this user could have meant, likeliest first. If empty,
            the text says so; leave it out if you have not looked. At most 100
            characters of each are shown.
        shown: How many candidates to list, at most 50, and fewer if the text
            would get too long; the rest are counted.

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
    if not 1 <= shown <= MOST_SHOWN:
        raise ValueError(f"shown must be from 1 to {MOST_SHOWN}")
    return Rejected(message, retryable, _checked_candidates(candidates), shown)


def accepted_value(outcome: object, arguments: Any) -> Any:
    """The value that the next function receives.

    Raises:
        TypeError: *outcome* is neither; a check that forgets ``return`` gives None.
    """
    if type(outcome) is not Accepted:
        kind = type(outcome).__name__
        raise TypeError(f"check must return accept(...) or reject(...), not {kind}")
    return arguments if outcome.value is _Unchanged else outcome.value


def is_async(function: object) -> bool:
    """Whether calling *function*, or an object like one, makes a coroutine."""
    return is_kind(iscoroutinefunction, function)


def is_kind(predicate: Callable[[Any], bool], function: object) -> bool:
    """Whether *predicate* holds for a function, or for ``__call__`` of an object."""
    return predicate(function) or predicate(getattr(type(function), "__call__", None))  # noqa: B004


async def finish(steps: Generator[Any, Any, Value], awaitable: Awaitable[Any]) -> Value:
    """Run *steps* to their result: await each thing they yield and send back what it gives.

    Steps written as a generator serve plain and ``async`` callers alike.

    Args:
        steps: A generator that has yielded *awaitable*.
        awaitable: What it waits for.
    """
    while True:
        try:
            resume, given = steps.send, await awaitable
        except Exception as error:  # noqa: BLE001 - the steps decide what it means
            resume, given = steps.throw, error
        try:
            awaitable = resume(given)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]


def _checked_candidates(candidates: Iterable[str | int] | None) -> tuple[str | int, ...] | None:
    if candidates is None:
        return None
    if isinstance(candidates, (str, bytes)) or not isinstance(candidates, Iterable):
        kind = type(candidates).__name__
        raise TypeError(f"candidates must be an iterable of str or int, not {kind}")
    kept = tuple(candidates)
    for candidate in kept:
        # Anything else would show the model more than it can send.
        if not isinstance(candidate, (str, int)):
            raise TypeError(f"a candidate must be str or int, not {type(candidate).__name__}")
        if isinstance(candidate, int) and abs(candidate) > LARGEST_INTEGER:
            raise ValueError("a candidate must have at most 40 digits")
    return kept


def _choice(candidates: tuple[str | int, ...], shown: int) -> str:
    if not candidates:
        return "There are none to choose from."
    listed: list[str] = []
    budget = LONGEST_LIST
    for candidate in candidates[:shown]:
        literal = _literal(candidate)
        budget -= len(literal) + len(", ")
        if budget < 0:
            break
        listed.append(literal)
    if len(candidates) > len(listed):
        listed.append(f"and {len(candidates) - len(listed)} more")
    return f"Choose one of: {', '.join(listed)}."


def _literal(candidate: str | int) -> str:
    """As JSON, so that the model sends a number as a number."""
    if not isinstance(candidate, str):
        return json.dumps(candidate)
    escaped = [
        one_line(json.dumps(character, ensure_ascii=False))[1:-1]
        for character in candidate[: LONGEST_CANDIDATE + 1]
    ]
    if sum(map(len, escaped)) <= LONGEST_CANDIDATE:
        return f'"{"".join(escaped)}"'
    while sum(map(len, escaped)) > LONGEST_CANDIDATE - len("..."):
        escaped.pop()
    return f'"{"".join(escaped)}..."'


def _shortened(text: str, most: int) -> str:
    return text if len(text) <= most else _PARTIAL_ESCAPE.sub("", text[: most - 3]) + "..."
