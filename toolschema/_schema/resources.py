"""What the references of a tool may lead to: what was handed in, nothing else."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from jsonschema_specifications import REGISTRY as SPECIFICATIONS

from toolschema._schema.document import Document, Origin
from toolschema._schema.surveyor import absolute, without_fragment
from toolschema.errors import SchemaFault

BASE = "https://toolschema.invalid/"
"""Where a schema without ``$id`` is: a place that is nowhere (RFC 2606 §2), under
which relative references between schemas resolve as they do between files."""


_AWAY = re.compile('ef": (?!"#)')


def place_of(uri: str) -> str:
    """The absolute URI without fragment of what was handed in as *uri*.

    Raises:
        ValueError: It is no URI reference.
    """
    return without_fragment(absolute(BASE, uri))


@dataclass(frozen=True, slots=True)
class Source:
    """A schema as its author wrote it: its place, where people find it, its text."""

    uri: str
    origin: Origin = field(compare=False)
    text: str

    @property
    def refers(self) -> bool:
        """Whether it may hold a reference (``$ref``, ``$dynamicRef``, …)."""
        return 'ef":' in self.text

    @property
    def refers_away(self) -> bool:
        """Whether some reference may lead to another schema than this."""
        return _AWAY.search(self.text) is not None

    def document(self, *, as_root: bool = False) -> Document:
        """A private copy with its keys in order, so that theirs never matters.

        As the root it gets an ``$id`` if it has none: the reference engine
        knows no other way to say where a schema is.
        """
        contents = _in_order(json.loads(self.text))
        identifier = contents.get("$id") if isinstance(contents, dict) else None
        uri = self.uri
        if isinstance(identifier, str) and not identifier.startswith("#"):
            with suppress(ValueError):  # the survey says what is wrong with it
                uri = without_fragment(absolute(self.uri, identifier))
                contents["$id"] = uri
        elif as_root and isinstance(contents, dict) and identifier is None:
            contents["$id"] = uri
        return Document(uri, self.uri, self.origin, contents)


class Resources:
    """A closed set of schemas by URI; the metaschemas of the specification too."""

    def __init__(
        self, sources: Iterable[Source] = (), broken: Iterable[tuple[str, SchemaFault]] = ()
    ) -> None:
        self._sources = {source.uri: source for source in sources}
        self.broken = dict(broken)
        """What is wrong with files that could not be read, by their place."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Resources) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def get(self, uri: str) -> Source | None:
        """What is at this place."""
        return self._sources.get(uri)

    @property
    def sources(self) -> tuple[Source, ...]:
        return tuple(self._sources.values())

    @cached_property
    def digest(self) -> str:
        """Names the set by its content."""
        import hashlib  # noqa: PLC0415 - it loads OpenSSL, and few tools have resources

        named = sorted((source.uri, source.text) for source in self._sources.values())
        return hashlib.sha256(json.dumps(named).encode()).hexdigest()

    def search(self) -> Search:
        return Search(self._sources, self.broken)


class Search:
    """One tool's way through the resources: each is copied once."""

    def __init__(self, sources: dict[str, Source], broken: dict[str, SchemaFault]) -> None:
        self._sources = sources
        self._broken = broken
        self._documents: dict[str, Document] = {}
        self._by_id: dict[str, str] | None = None
        self.broken: list[SchemaFault] = []
        """Faults of files that were looked for and could not be read."""

    def find(self, uri: str) -> Document | None:
        """The document at the absolute *uri*, by its place or by its ``$id``."""
        place = uri if uri in self._sources else self._places().get(uri)
        if place is not None:
            if place not in self._documents:
                self._documents[place] = self._sources[place].document()
            return self._documents[place]
        if uri in self._broken:
            self.broken.append(self._broken[uri])
        return _metaschema(uri)

    def _places(self) -> dict[str, str]:
        """Where each ``$id`` is, those inside a document included."""
        if self._by_id is None:
            self._by_id = {}
            for place, source in self._sources.items():
                if '"$id":' in source.text:
                    for identifier in _identifiers(json.loads(source.text), place):
                        self._by_id.setdefault(identifier, place)
        return self._by_id


def _identifiers(value: Any, base: str) -> Iterable[str]:
    if isinstance(value, list):
        for item in value:
            yield from _identifiers(item, base)
    elif isinstance(value, dict):
        identifier = value.get("$id")
        if isinstance(identifier, str) and not identifier.startswith("#"):
            with suppress(ValueError):
                base = without_fragment(absolute(base, identifier))
                yield base
        for item in value.values():
            yield from _identifiers(item, base)


def _metaschema(uri: str) -> Document | None:
    for spelling in (uri, f"{uri}#"):
        if spelling in SPECIFICATIONS:
            return Document(uri, uri, Origin(uri), _in_order(SPECIFICATIONS.contents(spelling)))
    return None


def _in_order(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _in_order(value[key]) for key in sorted(value)}
    return [_in_order(item) for item in value] if isinstance(value, list) else value
