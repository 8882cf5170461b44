"""Names and values that are spelt alike: "did you mean ...?"."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from itertools import islice

_LONGEST = 40
_COMPARED = 64
_ALIKE = 0.75
_APART = 0.1


def closest(
    text: str,
    choices: Iterable[object],
    *,
    count: int,
    alike: float,
    longest: int,
    compared: int | None = None,
) -> list[str]:
    """Up to *count* strings among *choices* that are spelt like *text*, best first.

    *alike* is the least ratio of similarity. To bound the time, strings of more than
    *longest* characters are left out, and at most *compared* are compared.

    >>> closest("reed", ["read", "write"], count=3, alike=0.7, longest=64)
    ['read']
    """
    if len(text) > longest:
        return []
    strings = (name for name in choices if isinstance(name, str) and len(name) <= longest)
    return difflib.get_close_matches(text, islice(strings, compared), count, alike)


def meant(text: str, choices: Sequence[str]) -> str | None:
    """The only choice that *text* can stand for; None if there are several or none.

    Case and punctuation do not matter, and the start of a name is enough.

    >>> meant("guest_email", ["guestEmail", "limit"]), meant("a", ["ab", "ac"])
    ('guestEmail', None)
    """
    if len(text) > _LONGEST:
        return None
    letters = _letters(text)
    by_letters: dict[str, list[str]] = {}
    for choice in choices:
        if len(choice) <= _LONGEST:
            by_letters.setdefault(_letters(choice), []).append(choice)
    if letters in by_letters:
        same = by_letters[letters]
        return same[0] if len(same) == 1 else None
    longer = [name for name in by_letters if letters and name.startswith(letters)]
    if len(longer) == 1:
        return by_letters[longer[0]][-1]
    likely = [name for name in by_letters if 3 * abs(len(name) - len(letters)) <= len(letters)]
    if len(likely) > _COMPARED:
        # What a model sends must not decide how long this takes.
        likely = [name for name in likely if name[:2] == letters[:2]][:_COMPARED]
    found = closest(letters, likely, count=2, alike=_ALIKE, longest=_LONGEST)
    if len(found) == 2 and _ratio(letters, found[0]) - _ratio(letters, found[1]) < _APART:
        return None
    return by_letters[found[0]][-1] if found else None


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def _ratio(one: str, other: str) -> float:
    return difflib.SequenceMatcher(None, other, one).ratio()
