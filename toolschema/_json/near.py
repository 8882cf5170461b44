"""The one name or value that was probably meant."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

_LONGEST = 40
_MOST = 64
"""Choices that are compared: a model's text must not decide how long this takes."""
_ALIKE = 0.75
_APART = 0.1


def near(text: str, choices: Sequence[str]) -> str | None:
    """The only choice that is written much like *text*."""
    if len(text) > _LONGEST:
        return None
    plain = _plain(text)
    likely = {_plain(each): each for each in choices if len(each) <= _LONGEST}
    if plain in likely:
        same = [each for each in choices if len(each) <= _LONGEST and _plain(each) == plain]
        return same[0] if len(same) == 1 else None
    longer = [each for each in likely if plain and each.startswith(plain)]
    if len(longer) == 1:
        return likely[longer[0]]
    close = [each for each in likely if 3 * abs(len(each) - len(plain)) <= len(plain)]
    if len(close) > _MOST:
        close = [each for each in close if each[:2] == plain[:2]][:_MOST]
    found = difflib.get_close_matches(plain, close, n=2, cutoff=_ALIKE)
    if len(found) == 2 and _ratio(plain, found[0]) - _ratio(plain, found[1]) < _APART:
        return None
    return likely[found[0]] if found else None


def _plain(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def _ratio(one: str, other: str) -> float:
    return difflib.SequenceMatcher(None, other, one).ratio()
