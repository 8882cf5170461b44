"""An exported tool, and the report of what was lost in it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from toolschema._json.pointer import Token, order, split

Effect = Literal["dropped", "narrowed", "rewritten", "impossible"]

NOT_SUPPORTED = "not supported"
UNSUPPORTED_PATTERN = "the pattern uses syntax that is not supported"


@dataclass(frozen=True, slots=True)
class Loss:
    """One thing that the payload does not express as the schema does.

    What can be undone is not a loss: a changed name, ``null`` for an optional
    property, a ``const`` written as an ``enum``, a definition that has moved.

    >>> print(Loss("/properties/a/minLength", "minLength", "dropped", "not supported"))
    #/properties/a/minLength: dropped (not supported)
    """

    location: str
    """JSON Pointer into the tool's own schema; for another resource it goes
    through the ``$ref`` that leads there. Empty for the tool as a whole."""
    keyword: str
    effect: Effect
    """``dropped``: the payload does not have it. ``rewritten``: the payload has
    something weaker. ``narrowed``: some arguments that the schema accepts cannot
    be sent. ``impossible``: the provider refuses the payload."""
    note: str

    def __str__(self) -> str:
        return f"#{self.location}: {self.effect} ({self.note})"


@dataclass(frozen=True, slots=True)
class Exported:
    """One tool in the format of a provider.

    >>> Exported({"name": "files_read"}, (), (), "files.read").provider_name
    'files_read'
    """

    payload: dict[str, Any]
    report: tuple[Loss, ...]
    """Everything that was lost, ordered by location."""
    null_means_absent: tuple[tuple[Token, ...], ...]
    """Properties for which the model sends null where the tool should get nothing,
    by their tokens in the payload's schema."""
    name: str
    """The tool's own name; the one in the payload may be different."""

    @property
    def provider_name(self) -> str:
        """The name that the model's calls will have."""
        name: str = self.payload.get("function", self.payload)["name"]
        return name


def ordered(losses: Iterable[Loss]) -> tuple[Loss, ...]:
    """Each loss once, in the order of the schema's locations.

    >>> ordered([Loss("/b", "b", "dropped", ""), Loss("", "name", "dropped", "")])[0].keyword
    'name'
    """
    return tuple(sorted(set(losses), key=_sort_key))


def _sort_key(loss: Loss) -> tuple[Any, ...]:
    tokens = [int(token) if token.isdecimal() else token for token in split(loss.location)]
    return order(tokens), loss.keyword, loss.effect, loss.note
