"""Ready-made checks of sense: what no schema can say about the arguments of a call.

They are `not_placeholder`, `date_not_past`, `at_least_one_of`, `one_of_fetched` and `all_of`.

A check is a plain or ``async`` function of the arguments, which are valid, and
of the caller's own context. It answers `accept` with the value to go on with,
or `reject` with a message for the model, which never holds a value of the
arguments. What a JSON Pointer addresses is passed over where it is absent or
null: whether it has to be there is for the schema to say.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from datetime import date, datetime
from inspect import isawaitable, iscoroutine, iscoroutinefunction
from itertools import islice
from typing import Any
from weakref import finalize

from toolschema import Accepted, accept, reject
from toolschema._calls.semantic import LARGEST_INTEGER, accepted_value
from toolschema._json.places import at, replaced, texts
from toolschema._json.pointer import split
from toolschema._validation.messages import with_article
from toolschema.checks._placeholder import is_placeholder

__all__ = [
    "all_of",
    "at_least_one_of",
    "date_not_past",
    "is_placeholder",
    "not_placeholder",
    "one_of_fetched",
]

Check = Callable[[Any, Any], Any]
"""Of arguments and context; gives what `accept` or `reject` does, or an awaitable of it."""
Fetch = Callable[[Any], Any]
"""Of the context; gives a mapping or an iterable, or an awaitable of it."""

_LONGEST = 64
"""Characters of the longest text that may be a misspelt value."""
_NEAR, _CANDIDATES, _COMPARED = 0.6, 5, 300
_DATE = re.compile(r"(\d{4}-\d{2}-\d{2})(?:[Tt ].*)?", re.ASCII | re.DOTALL)


def not_placeholder(*pointers: str) -> Check:
    """Refuse what only stands for a value, as `is_placeholder` tells.

    It is for identifiers, addresses and the like: free text may well say
    ``TODO``. Every text at a pointer or below it is looked at; names are not.

    Args:
        *pointers: JSON Pointers into the arguments, at least one.

    Raises:
        ValueError: There is none, or it is no JSON Pointer.

    >>> check = not_placeholder("/bookingId")
    >>> check({"bookingId": "<id>"}, None).message
    '/bookingId: must be a real value, not a placeholder; look it up or ask for it'
    """
    places = [(each, split(each)) for each in _some(pointers)]

    def check(arguments: Any, context: Any) -> Any:
        for pointer, tokens in places:
            if any(map(is_placeholder, texts(at(arguments, tokens)))):
                sentence = "must be a real value, not a placeholder; look it up or ask for it"
                return reject(f"{pointer or '/'}: {sentence}")
        return accept(arguments)

    return check


def date_not_past(pointer: str, *, today: date | Callable[[], date] = date.today) -> Check:
    """Refuse a date before today, and say which day today is.

    What is no ``date`` or ``date-time`` (RFC 3339) is passed over: the schema's
    ``format`` decides about that. Of a date-time the day counts that is
    written in it, whatever its offset.

    Args:
        pointer: JSON Pointer into the arguments.
        today: The first day that is accepted, or what tells it at each call;
            the day of the machine's own time zone where nothing is given.

    Raises:
        ValueError: *pointer* is no JSON Pointer.

    >>> check = date_not_past("/date", today=date(2026, 3, 14))
    >>> check({"date": "2026-03-13"}, None).message
    '/date: must not be in the past; today is 2026-03-14'
    """
    tokens = split(pointer)

    def check(arguments: Any, context: Any) -> Any:
        day = _day(at(arguments, tokens))
        now = today() if callable(today) else today
        now = now.date() if isinstance(now, datetime) else now
        if day is not None and day < now:
            sentence = f"must not be in the past; today is {now.isoformat()}"
            return reject(f"{pointer or '/'}: {sentence}")
        return accept(arguments)

    return check


def at_least_one_of(*names: str) -> Check:
    """Refuse arguments that set none of these properties.

    Set is what is present and neither null nor empty: no text of white space
    only, no empty array or object. False and 0 are set.

    Args:
        *names: Properties of the arguments, at least one.

    Raises:
        ValueError: There is none.

    >>> check = at_least_one_of("guestEmail", "date")
    >>> check({"date": ""}, None).message
    '/: set at least one of guestEmail, date'
    """
    filters = _some(names)

    def check(arguments: Any, context: Any) -> Any:
        if any(_is_set(arguments.get(name)) for name in filters):
            return accept(arguments)
        return reject(f"/: set at least one of {', '.join(filters)}")

    return check


def one_of_fetched(pointer: str, fetch: Fetch, *, what: str = "value") -> Check:
    """Refuse a value that is none of those that *fetch* gives, and name near ones.

    It gives what *this* caller may use, and nothing else: what does not exist
    and what belongs to another is then the same to this check, and so is its
    answer, which confirms nothing about others.

    The accepted value is a copy of the arguments in which the value is
    replaced by what it stands for: so the tool need not look it up again.

    Args:
        pointer: JSON Pointer into the arguments.
        fetch: A plain or ``async`` function of the context. A mapping goes
            from values to what they stand for; in another iterable each value
            stands for itself.
        what: What the values are, for the message.

    Returns:
        An ``async`` check where *fetch* is. A rejection has up to five
        candidates, texts and integers only: first the nearest in writing, then
        others as fetched.

    Raises:
        ValueError: *pointer* is no JSON Pointer.

    >>> mine = {"bk_1": {"room": 4}, "bk_2": {"room": 7}}
    >>> check = one_of_fetched("/bookingId", lambda user: mine, what="booking")
    >>> check({"bookingId": "bk_2"}, None).value
    {'bookingId': {'room': 7}}
    >>> check({"bookingId": "bk_3"}, None).message
    '/bookingId: must be a booking that can be used here; this is none'
    """
    tokens = split(pointer)
    message = f"{pointer or '/'}: must be {with_article(what)} that can be used here; this is none"

    def judge(arguments: Any, value: Any, fetched: Any) -> Any:
        known = _known(fetched)
        for each in [value] if type(value) is str and value in known else known:
            if _is_same(each, value):
                found = known[each] if isinstance(known, Mapping) else each
                return accept(replaced(arguments, tokens, found))
        return reject(message, candidates=_candidates(value, known))

    def check(arguments: Any, context: Any) -> Any:
        value = at(arguments, tokens)
        return accept(arguments) if value is None else judge(arguments, value, fetch(context))

    async def acheck(arguments: Any, context: Any) -> Any:
        value = at(arguments, tokens)
        return accept(arguments) if value is None else judge(arguments, value, await fetch(context))

    return acheck if _is_async(fetch) else check


def all_of(*checks: Check) -> Check:
    """One check out of several, in their order; the first rejection is the answer.

    Each is given what the one before accepted, so the accepted value of the
    last is what the tool is run with. Checks that accept the arguments as they
    are can stand in any order; those that replace something stand after those
    that look at it.

    Returns:
        An ``async`` check where one of them is. Another one answers with
        something to await as soon as one of them does.

    >>> check = all_of(not_placeholder("/id"), one_of_fetched("/id", lambda user: ["a1"]))
    >>> check({"id": "TODO"}, None).message
    '/id: must be a real value, not a placeholder; look it up or ask for it'
    """

    def check(arguments: Any, context: Any) -> Any:
        value = arguments
        for index, each in enumerate(checks, 1):
            answer = each(value, context)
            if isawaitable(answer):
                going_on = _going_on(answer, value, checks[index:], context)
                if iscoroutine(answer):
                    # Where nobody awaits the one, the other is no second fault.
                    finalize(going_on, answer.close).atexit = False
                return going_on
            if type(answer) is not Accepted:
                return answer
            value = accepted_value(answer, value)
        return accept(value)

    async def acheck(arguments: Any, context: Any) -> Any:
        answer = check(arguments, context)
        return await answer if isawaitable(answer) else answer

    return acheck if any(map(_is_async, checks)) else check


async def _going_on(
    first: Awaitable[Any], value: Any, checks: tuple[Check, ...], context: Any
) -> Any:
    """The rest of *checks*, behind the one that answered with *first*."""
    answer = await first
    for each in checks:
        if type(answer) is not Accepted:
            return answer
        value = accepted_value(answer, value)
        answer = each(value, context)
        answer = await answer if isawaitable(answer) else answer
    return accept(accepted_value(answer, value)) if type(answer) is Accepted else answer


def _some(names: tuple[str, ...]) -> tuple[str, ...]:
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
            raise TypeError("a plain fetch must not give an awaitable; make it an async function")
        kind = type(fetched).__name__
        raise TypeError(f"fetch must give a mapping or an iterable of values, not {kind}")
    return fetched if isinstance(fetched, Mapping) else list(fetched)


def _is_same(one: Any, other: Any) -> bool:
    """As JSON: 1 is 1.0, and true is neither, inside of a value too."""
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_is_same, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_is_same(one[key], other[key]) for key in one)
    return isinstance(one, bool) is isinstance(other, bool) and bool(one == other)


def _candidates(value: Any, known: Collection[Any]) -> list[Any] | None:
    """What can be offered; None where there are values, but none that can."""
    near: list[Any] = []
    if isinstance(value, str) and len(value) <= _LONGEST:
        import difflib  # noqa: PLC0415 - only a wrong value needs it

        texts = islice((each for each in known if _may_be_meant(each, value)), _COMPARED)
        near = difflib.get_close_matches(value, texts, _CANDIDATES, _NEAR)
    others = (each for each in known if _can_be_offered(each) and each not in near)
    offered = [*near, *islice(others, _CANDIDATES - len(near))]
    return offered if offered or not known else None


def _may_be_meant(known: Any, value: str) -> bool:
    """Comparing takes as long as both texts together, squared."""
    if not isinstance(known, str) or len(known) > _LONGEST:
        return False
    return abs(len(known) - len(value)) * 3 <= max(len(known), len(value))


def _can_be_offered(known: Any) -> bool:
    return isinstance(known, str) or (
        isinstance(known, int) and -LARGEST_INTEGER <= known <= LARGEST_INTEGER
    )


def _is_async(function: Callable[..., Any]) -> bool:
    call = getattr(type(function), "__call__", None)  # noqa: B004 - it is asked what it is
    return iscoroutinefunction(function) or iscoroutinefunction(call)
