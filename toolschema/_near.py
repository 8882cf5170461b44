"""The one name or value that was probably meant."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

_LONGEST = 64
_ALIKE = 0.75
_APART = 0.1


def near(text: str, choices: Sequence[str]) -> str | None:
    """The only choice that is written much like *text*."""
    if len(text) > _LONGEST:
        return None
    plain = _plain(text)
    same = [each for each in choices if _plain(each) == plain]
    if same:
        return same[0] if len(same) == 1 else None
    longer = [each for each in choices if plain and _plain(each).startswith(plain)]
    if len(longer) == 1:
        return longer[0]
    likely = {_plain(each): each for each in choices if len(each) <= _LONGEST}
    found = difflib.get_close_matches(plain, likely, n=2, cutoff=_ALIKE)
    if len(found) == 2 and _ratio(plain, found[0]) - _ratio(plain, found[1]) < _APART:
        return None
    return likely[found[0]] if found else None


def _plain(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def _ratio(one: str, other: str) -> float:
    return difflib.SequenceMatcher(None, other, one).ratio()
