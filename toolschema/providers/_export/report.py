"""What came of a tool that was written for a provider, and what was lost."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from toolschema._json.pointer import Token, order, split

Effect = Literal["dropped", "narrowed", "rewritten", "impossible"]


@dataclass(frozen=True, slots=True)
class Loss:
    """One thing that the payload does not say as the schema does.

    What has a way back is no loss: a name, ``null`` for an optional property,
    a ``const`` that is an ``enum``, a definition that has moved.

    >>> print(Loss("/properties/a/minLength", "minLength", "dropped", "is not taken"))
    #/properties/a/minLength: dropped (is not taken)
    """

    location: str
    """JSON Pointer into the tool's own schema; one into another resource goes
    through the ``$ref`` that leads there. Empty for the tool as a whole."""
    keyword: str
    effect: Effect
    """``dropped``: the payload says nothing of it. ``rewritten``: it says
    something weaker. ``narrowed``: some arguments that the schema accepts
    cannot be sent. ``impossible``: the provider refuses the payload."""
    note: str

    def __str__(self) -> str:
        return f"#{self.location}: {self.effect} ({self.note})"


@dataclass(frozen=True, slots=True)
class Exported:
    """One tool as a provider takes it.

    >>> Exported({"name": "files_read"}, (), (), "files.read").provider_name
    'files_read'
    """

    payload: dict[str, Any]
    report: tuple[Loss, ...]
    """All that was lost, ordered by location."""
    null_means_absent: tuple[tuple[Token, ...], ...]
    """Properties of the payload's schema, by their tokens in it, for which the
    model sends null where the tool is to get nothing."""
    name: str
    """The tool's own name; the one in the payload may have been changed."""

    @property
    def provider_name(self) -> str:
        """The name that a call will come back with."""
        name: str = self.payload.get("function", self.payload)["name"]
        return name


def ordered(losses: Iterable[Loss]) -> tuple[Loss, ...]:
    """Each loss once, in the order of the schema's locations.

    >>> ordered([Loss("/b", "b", "dropped", ""), Loss("", "name", "dropped", "")])[0].keyword
    'name'
    """
    return tuple(sorted(set(losses), key=_key))


def _key(loss: Loss) -> tuple[Any, ...]:
    tokens = [int(each) if each.isdecimal() else each for each in split(loss.location)]
    return order(tokens), loss.keyword, loss.effect, loss.note
