"""Fields of a provider's answer, read alike from dictionaries and from an SDK's objects."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import Any

from toolschema._json.printable import undeclared
from toolschema.errors import ProviderFormatError

_WITHOUT_FIELDS = frozenset({str, bytes, bytearray, int, float, bool, list, tuple, set, type(None)})


def field(part: Any, name: str) -> Any:
    """One field of an object; None where it is missing."""
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


def has_fields(value: object) -> bool:
    """Whether a value can be an object of the answer."""
    return type(value) not in _WITHOUT_FIELDS


@dataclass(frozen=True, slots=True)
class Format:
    """The format of one provider: reads fields, and refuses those of the wrong type.

    Every method takes an object of the answer, the name of a field in it, and the
    location of the object, such as ``content[0]``; it raises `ProviderFormatError`.
    """

    provider: str

    def error(self, location: str, message: str) -> ProviderFormatError:
        """What to raise where an answer does not have the format."""
        return ProviderFormatError(self.provider, location, message)

    def mismatch(self, location: str, expected: str, value: object) -> ProviderFormatError:
        """What to raise where a value has the wrong type, or is missing."""
        found = "but is missing" if value is None else f"not {type(value).__name__}"
        return self.error(location, f"must be {expected}, {found}")

    def unknown(self, location: str, kind: object, expected: str) -> ProviderFormatError:
        """What to raise for a type of object that the provider does not have here."""
        shown = undeclared(kind) if isinstance(kind, str) else type(kind).__name__
        return self.error(location, f'"{shown}" is not {expected}')

    def part(self, parent: Any, name: str, location: str = "") -> Any:
        """An object, which must be there."""
        value = field(parent, name)
        if type(value) in _WITHOUT_FIELDS:
            raise self.mismatch(_join(location, name), "an object", value)
        return value

    def parts(
        self, parent: Any, name: str, location: str = "", *, is_required: bool = False
    ) -> list[Any]:
        """A list of objects; empty where it is missing."""
        value = field(parent, name)
        if value is None and not is_required:
            return []
        if not isinstance(value, (list, tuple)):
            raise self.mismatch(_join(location, name), "a list", value)
        for number, part in enumerate(value):
            if type(part) in _WITHOUT_FIELDS:
                raise self.mismatch(f"{_join(location, name)}[{number}]", "an object", part)
        return list(value)

    def string(
        self, parent: Any, name: str, location: str = "", *, is_required: bool = False
    ) -> str:
        """A string; empty where it is missing."""
        value = field(parent, name)
        if isinstance(value, str):
            return value
        if value is None and not is_required:
            return ""
        raise self.mismatch(_join(location, name), "a string", value)

    def tool_name(self, parent: Any, location: str = "") -> str:
        """The ``name`` of a tool, which every call has."""
        name = self.string(parent, "name", location)
        if not name:
            raise self.mismatch(_join(location, "name"), "a string", None)
        return name

    def constant(self, parent: Any, name: str, location: str = "") -> str:
        """One of the provider's own strings, for which an SDK may have an `Enum`."""
        value = field(parent, name)
        if isinstance(value, Enum):
            parent = {name: value.value}
        return self.string(parent, name, location)

    def integer(self, parent: Any, name: str, location: str = "") -> int | None:
        """An integer; None where it is missing."""
        value = field(parent, name)
        if value is None or type(value) is int:
            return value
        raise self.mismatch(_join(location, name), "an integer", value)

    def arguments(self, parent: Any, name: str, location: str = "") -> dict[str, Any] | None:
        """Arguments that are an object already; None where they are missing."""
        value = field(parent, name)
        if value is None or isinstance(value, dict):
            return value
        raise self.mismatch(_join(location, name), "an object", value)


def _join(location: str, name: str) -> str:
    return f"{location}.{name}" if location else name
