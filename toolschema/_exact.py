"""Numbers of JSON as fractions: no sum of theirs is too large or rounded."""

from __future__ import annotations

from fractions import Fraction

_EXACT = 1 << 53


def fraction(number: float) -> Fraction:
    """What the digits of *number* say: 0.1 is a tenth.

    >>> fraction(0.1)
    Fraction(1, 10)
    """
    return Fraction(number) if isinstance(number, int) else Fraction(repr(number))


def nearest(exact: Fraction) -> float:
    """A number that JSON can hold: whole where *exact* is, or has no room for more.

    >>> nearest(Fraction(4, 2)), nearest(Fraction(1, 2))
    (2, 0.5)
    """
    is_whole = exact.denominator == 1 or abs(exact) > _EXACT
    return int(exact) if is_whole else float(exact)
