"""The parts of an answer, dictionaries or an SDK's objects, read alike."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from functools import lru_cache
from typing import Any

from toolschema.errors import ProviderFormatError

_PLAIN = frozenset({str, bytes, bytearray, int, float, bool, list, tuple, set, type(None)})


def field(part: Any, name: str) -> Any:
    """One field of a part; None where it has none."""
    if type(part) is dict:
        return part.get(name)
    value = getattr(part, name, None)
    kind: Any = type(part)
    return part.get(name) if value is None and _is_mapping(kind) else value


@lru_cache(maxsize=256)
def _is_mapping(kind: Any) -> bool:
    return issubclass(kind, Mapping)


def either(part: Any, name: str, other: str) -> Any:
    """One field that has two spellings."""
    value = field(part, name)
    return field(part, other) if value is None else value


def is_part(value: object) -> bool:
    """Whether something can have fields."""
    return type(value) not in _PLAIN


def wrong(provider: str, place: str, expected: str, value: object) -> ProviderFormatError:
    """What to raise where a part is not what the provider's format has there."""
    found = "and is missing" if value is None else f"not {type(value).__name__}"
    return ProviderFormatError(provider, place, f"must be {expected}, {found}")


def parts(provider: str, place: str, value: Any) -> list[Any]:
    """A list of parts, each of which can have fields; missing is empty."""
    if value is None:
        return []
    if not isinstance(value, (list, tuple)):
        raise wrong(provider, place, "a list", value)
    for number, part in enumerate(value):
        if not is_part(part):
            raise wrong(provider, f"{place}[{number}]", "an object", part)
    return list(value)


def text(provider: str, place: str, value: Any) -> str:
    """A text; missing is empty."""
    if value is None:
        return ""
    if not isinstance(value, str):
        raise wrong(provider, place, "text", value)
    return value


def word(provider: str, place: str, value: Any) -> str:
    """A word of the provider's own, which its SDK may have as an `Enum`."""
    return text(provider, place, value.value if isinstance(value, Enum) else value)


def named(provider: str, place: str, value: Any) -> str:
    """The name of a tool, which no call is without."""
    name = text(provider, place, value)
    if not name:
        raise wrong(provider, place, "text", None)
    return name


class Ids:
    """Ids of the calls of one answer; one is made up where the provider has none."""

    def __init__(self, given: Iterable[str] = ()) -> None:
        self._taken = set(given)

    def of(self, given: str, number: int) -> str:
        """The id that was given, or ``call_<n>`` with the first free number."""
        if not given:
            while f"call_{number}" in self._taken:
                number += 1
            given = f"call_{number}"
        self._taken.add(given)
        return given
