"""JSON numbers as exact fractions, and as text in the format of JavaScript."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

EXACT = 1 << 53
"""Up to this magnitude, a double holds every integer."""


def fraction(number: float) -> Fraction:
    """The exact value of the digits of *number*: 0.1 is a tenth.

    >>> fraction(0.1)
    Fraction(1, 10)
    """
    return Fraction(number) if isinstance(number, int) else Fraction(repr(number))


def nearest(exact: Fraction) -> float:
    """The closest number that JSON can hold; an integer if *exact* is one or is large.

    >>> nearest(Fraction(4, 2)), nearest(Fraction(1, 2))
    (2, 0.5)
    """
    is_whole = exact.denominator == 1 or abs(exact) > EXACT
    return int(exact) if is_whole else float(exact)


def number(value: Any) -> str:
    """Write a number as JavaScript does (ECMA-262 §6.1.6.1.20).

    >>> number(1e-7), number(1e16), number(5.0)
    ('1e-7', '10000000000000000', '5')
    """
    if not isinstance(value, float):
        return str(value) if abs(value) < 10**21 else _large(value)
    digits, _, exponent = repr(value).partition("e")
    mantissa = digits.removesuffix(".0")
    power = int(exponent or 0)
    sign = "-" if mantissa.startswith("-") else ""
    whole, _, fraction = mantissa.lstrip("-").partition(".")
    significant = (whole + fraction).lstrip("0").rstrip("0")
    if not significant:
        return "0"
    # The value is 0.SIGNIFICANT times ten to the power of *point*.
    point = len(whole) + power - (len(whole + fraction) - len((whole + fraction).lstrip("0")))
    return sign + _placed(significant, point)


def _large(value: int) -> str:
    """In the format of JavaScript if its number is the same, or else all digits."""
    try:
        return number(float(value)) if float(value) == value else str(value)
    except OverflowError:
        return str(value)


def _placed(digits: str, point: int) -> str:
    if len(digits) <= point <= 21:
        return digits + "0" * (point - len(digits))
    if 0 < point <= 21:
        return f"{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"0.{'0' * -point}{digits}"
    tail = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{digits[0]}{tail}e{'+' if point > 0 else '-'}{abs(point - 1)}"
