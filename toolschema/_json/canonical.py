"""JSON values as bytes that are the same on every machine (RFC 8785).

That scheme covers what a double can hold. Schemas can hold more, such as 2**64 as a
bound. So beyond 2**53, where it would lose digits, an integer keeps all of them, and
a number with a fraction or an exponent keeps an exponent.
"""

from __future__ import annotations

import json
from typing import Any

from toolschema._json.numbers import EXACT, number


def canonical_json(value: Any) -> bytes:
    """Write a plain value as UTF-8, with sorted names and without white space.

    >>> canonical_json({"b": 1.0, "a": [1e21, 2**64]})
    b'{"a":[1e+21,18446744073709551616],"b":1}'
    """
    return _text(value).encode()


def _text(value: Any) -> str:
    if isinstance(value, dict):
        names = sorted(value, key=_code_units)
        return f"{{{','.join(f'{_text(name)}:{_text(value[name])}' for name in names)}}}"
    if isinstance(value, list):
        return f"[{','.join(map(_text, value))}]"
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return _number(value)
    return json.dumps(value, ensure_ascii=False)


def _code_units(name: str) -> bytes:
    """Names are sorted by their UTF-16 code units (RFC 8785 §3.2.3)."""
    return name.encode("utf-16-be")


def _number(value: float) -> str:
    if -EXACT <= value <= EXACT:
        return number(value)
    if isinstance(value, int):
        return str(value)
    written = number(value)
    is_whole = written.lstrip("-").isdigit()
    return repr(value).replace("+", "") if is_whole and int(written) != value else written
