"""Ready-made semantic checks: what no schema can say about the arguments of a call.

They are `not_placeholder`, `date_not_past`, `at_least_one_of`, `one_of_fetched` and `all_of`.

A check is a plain or ``async`` function of the valid arguments and the caller's
own context. It returns `accept(...)` with the value to continue with, or
`reject(...)` with a message for the model, which never holds a value of the
arguments. If what a JSON Pointer addresses is absent or null, the check accepts:
whether a property must be present is for the schema to say.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Generator, Iterable, Mapping
from datetime import date, datetime
from inspect import isawaitable, iscoroutine
from itertools import islice
from typing import Any
from weakref import finalize

from toolschema import Accepted, accept, reject
from toolschema._calls.semantic import LARGEST_INTEGER, accepted_value, finish, is_async
from toolschema._json.equality import is_same
from toolschema._json.kinds import with_article
from toolschema._json.pointer import replace, resolve, split
from toolschema.checks._placeholder import is_placeholder, strings_in

__all__ = [
    "all_of",
    "at_least_one_of",
    "date_not_past",
    "is_placeholder",
    "not_placeholder",
    "one_of_fetched",
]

Check = Callable[[Any, Any], Any]
"""Takes arguments and context; returns an `Accepted`, a `Rejected` or an awaitable of one."""
Fetch = Callable[[Any], Any]
"""Takes the context; returns a mapping, another iterable, or an awaitable of one."""

_LONGEST = 64
"""Characters of the longest string that may be a misspelt value."""
_ALIKE, _CANDIDATES, _COMPARED = 0.6, 5, 300
_DATE = re.compile(r"(\d{4}-\d{2}-\d{2})(?:[Tt ].*)?", re.ASCII | re.DOTALL)


def not_placeholder(*pointers: str) -> Check:
    """Reject placeholders, as recognised by `is_placeholder`.

    Meant for identifiers, addresses and the like; free text may well contain
    ``TODO``. Every string at or below a pointer is checked; property names are not.

    Args:
        *pointers: JSON Pointers into the arguments, at least one.

    Raises:
        ValueError: There is none, or one is not a JSON Pointer.

    >>> check = not_placeholder("/bookingId")
    >>> check({"bookingId": "<id>"}, None).message
    '/bookingId: must be a real value, not a placeholder; look it up or ask for it'
    """
    locations = [(pointer, split(pointer)) for pointer in _at_least_one(pointers)]

    def check(arguments: Any, context: Any) -> Any:
        for pointer, tokens in locations:
            if any(map(is_placeholder, strings_in(resolve(arguments, tokens, strict=True)))):
                sentence = "must be a real value, not a placeholder; look it up or ask for it"
                return reject(f"{pointer or '/'}: {sentence}")
        return accept(arguments)

    return check


def date_not_past(pointer: str, *, today: date | Callable[[], date] = date.today) -> Check:
    """Reject a date before today, and say what day today is.

    Accepts whatever is not a ``date`` or ``date-time`` (RFC 3339): that is for
    the schema's ``format`` to decide. A date-time counts as the day written in
    it, whatever its offset.

    Args:
        pointer: JSON Pointer into the arguments.
        today: The first day that is accepted, or a function called each time
            that returns it. Default: the day in the machine's time zone.

    Raises:
        ValueError: *pointer* is not a JSON Pointer.

    >>> check = date_not_past("/date", today=date(2026, 3, 14))
    >>> check({"date": "2026-03-13"}, None).message
    '/date: must not be in the past; today is 2026-03-14'
    """
    tokens = split(pointer)

    def check(arguments: Any, context: Any) -> Any:
        day = _day(resolve(arguments, tokens, strict=True))
        now = today() if callable(today) else today
        now = now.date() if isinstance(now, datetime) else now
        if day is not None and day < now:
            sentence = f"must not be in the past; today is {now.isoformat()}"
            return reject(f"{pointer or '/'}: {sentence}")
        return accept(arguments)

    return check


def at_least_one_of(*names: str) -> Check:
    """Reject arguments in which none of these properties is set.

    A property is set if it is neither null, nor empty, nor a string of white
    space only. False and 0 are set.

    Args:
        *names: Properties of the arguments, at least one.

    Raises:
        ValueError: There is none.

    >>> check = at_least_one_of("guestEmail", "date")
    >>> check({"date": ""}, None).message
    '/: set at least one of guestEmail, date'
    """
    _at_least_one(names)

    def check(arguments: Any, context: Any) -> Any:
        if any(_is_set(arguments.get(name)) for name in names):
            return accept(arguments)
        return reject(f"/: set at least one of {', '.join(names)}")

    return check


def one_of_fetched(pointer: str, fetch: Fetch, *, what: str = "value") -> Check:
    """Reject a value that is not among those that *fetch* returns, and suggest near ones.

    *fetch* returns what *this* caller may use and nothing else. To the check, what
    does not exist and what belongs to another user are then the same, and so is
    its message, which confirms nothing about others.

    The accepted value is a copy of the arguments in which the value is replaced
    by what it stands for, so that the tool need not look it up again.

    Args:
        pointer: JSON Pointer into the arguments.
        fetch: A plain or ``async`` function of the context. A mapping leads from
            values to what they stand for; in any other iterable each value
            stands for itself.
        what: What the values are, for the message.

    Returns:
        An ``async`` check if *fetch* is. A rejection has up to five candidates,
        strings and integers only: first those with the nearest spelling, then
        others in the order fetched.

    Raises:
        ValueError: *pointer* is not a JSON Pointer.

    >>> mine = {"bk_1": {"room": 4}, "bk_2": {"room": 7}}
    >>> check = one_of_fetched("/bookingId", lambda user: mine, what="booking")
    >>> check({"bookingId": "bk_2"}, None).value
    {'bookingId': {'room': 7}}
    >>> check({"bookingId": "bk_3"}, None).message
    '/bookingId: must be a booking that can be used here; the one sent is not'
    """
    tokens = split(pointer)
    sentence = f"must be {with_article(what)} that can be used here; the one sent is not"

    def judge(arguments: Any, value: Any, fetched: Any) -> Any:
        known = _known(fetched)
        for choice in [value] if type(value) is str and value in known else known:
            if is_same(choice, value):
                found = known[choice] if isinstance(known, Mapping) else choice
                return accept(replace(arguments, tokens, found))
        return reject(f"{pointer or '/'}: {sentence}", candidates=_candidates(value, known))

    def check(arguments: Any, context: Any) -> Any:
        value = resolve(arguments, tokens, strict=True)
        return accept(arguments) if value is None else judge(arguments, value, fetch(context))

    async def acheck(arguments: Any, context: Any) -> Any:
        value = resolve(arguments, tokens, strict=True)
        return accept(arguments) if value is None else judge(arguments, value, await fetch(context))

    return acheck if is_async(fetch) else check


def all_of(*checks: Check) -> Check:
    """Combine checks into one; they run in order, and the first rejection wins.

    Each check receives what the one before accepted, and the tool runs with what
    the last one accepted. So put checks that replace a value after those that
    inspect it.

    Returns:
        An ``async`` check if one of them is ``async``. Otherwise a plain one,
        which returns an awaitable as soon as one of them does.

    >>> check = all_of(not_placeholder("/id"), one_of_fetched("/id", lambda user: ["a1"]))
    >>> check({"id": "TODO"}, None).message
    '/id: must be a real value, not a placeholder; look it up or ask for it'
    """

    def steps(value: Any, context: Any) -> Generator[Any, Any, Any]:
        for check in checks:
            outcome = check(value, context)
            if isawaitable(outcome):
                outcome = yield outcome
            if type(outcome) is not Accepted:
                return outcome
            value = accepted_value(outcome, value)
        return accept(value)

    def plain(arguments: Any, context: Any) -> Any:
        started = steps(arguments, context)
        try:
            awaitable = next(started)
        except StopIteration as end:
            return end.value
        rest = finish(started, awaitable)
        if iscoroutine(awaitable):
            # If nobody awaits the rest, Python must not warn of a second coroutine.
            finalize(rest, awaitable.close).atexit = False
        return rest

    async def awaiting(arguments: Any, context: Any) -> Any:
        outcome = plain(arguments, context)
        return await outcome if isawaitable(outcome) else outcome

    return awaiting if any(map(is_async, checks)) else plain


def _at_least_one(names: tuple[str, ...]) -> tuple[str, ...]:
    if not names:
        raise ValueError("name at least one")
    return names


def _day(value: Any) -> date | None:
    match = _DATE.fullmatch(value) if isinstance(value, str) else None
    try:
        return date.fromisoformat(match[1]) if match else None
    except ValueError:
        return None


def _is_set(value: Any) -> bool:
    if isinstance(value, str):
        return bool(value.strip())
    return value is not None and value not in ([], {})


def _known(fetched: Any) -> Collection[Any]:
    if isinstance(fetched, (str, bytes)) or not isinstance(fetched, Iterable):
        if isawaitable(fetched):
            getattr(fetched, "close", bool)()
            raise TypeError("a plain fetch must not return an awaitable; make it async")
        kind = type(fetched).__name__
        raise TypeError(f"fetch must return a mapping or an iterable of values, not {kind}")
    return fetched if isinstance(fetched, Mapping) else list(fetched)


def _candidates(value: Any, known: Collection[Any]) -> list[Any] | None:
    """What can be suggested; None if there are values, but none that can be shown."""
    near: list[Any] = []
    if isinstance(value, str):
        from toolschema._json.spelling import closest  # noqa: PLC0415 - only a wrong value needs it

        likely = (choice for choice in known if _is_as_long(choice, value))
        near = closest(
            value, likely, count=_CANDIDATES, alike=_ALIKE, longest=_LONGEST, compared=_COMPARED
        )
    others = (choice for choice in known if _can_be_shown(choice) and choice not in near)
    candidates = [*near, *islice(others, _CANDIDATES - len(near))]
    return candidates if candidates or not known else None


def _is_as_long(choice: Any, value: str) -> bool:
    if not isinstance(choice, str):
        return False
    return abs(len(choice) - len(value)) * 3 <= max(len(choice), len(value))


def _can_be_shown(choice: Any) -> bool:
    return isinstance(choice, str) or (isinstance(choice, int) and abs(choice) <= LARGEST_INTEGER)
