"""What the references of a tool may lead to: what was handed in, nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from jsonschema_specifications import REGISTRY as SPECIFICATIONS

from toolschema._schema.dialect import identifier_of
from toolschema._schema.document import Document, Origin
from toolschema._schema.surveyor import absolute_uri
from toolschema.errors import SchemaFault

BASE = "https://toolschema.invalid/"
"""Of a schema without ``$id``: a host that does not exist (RFC 2606 §2), under which
relative references between schemas resolve as they do between files."""


def resource_uri(uri: str) -> str:
    """The absolute URI without fragment of what was handed in as *uri*.

    Raises:
        ValueError: It is not a URI reference.
    """
    return absolute_uri(BASE, uri)


@dataclass(frozen=True, slots=True)
class Source:
    """A schema as its author wrote it: its URI, where people find it, its text."""

    uri: str
    origin: Origin = field(compare=False)
    text: str

    @property
    def refers(self) -> bool:
        """Whether it may hold a reference (``$ref``, ``$dynamicRef``, …)."""
        return 'ef":' in self.text

    def document(self, *, as_root: bool = False) -> Document:
        """A private copy with its keys in order, so that the author's order never matters.

        As the root it gets an ``$id`` if it has none: the reference engine
        has no other way to learn the URI of a schema.
        """
        contents, uri = _in_order(json.loads(self.text)), self.uri
        if isinstance(contents, dict):
            identifier = identifier_of(contents)
            if identifier is not None:
                with suppress(ValueError):  # the survey says what is wrong with it
                    contents["$id"] = uri = absolute_uri(self.uri, identifier)
            elif as_root and contents.get("$id") is None:
                contents["$id"] = uri
        return Document(uri, self.uri, self.origin, contents)


class Resources:
    """A closed set of schemas by URI; the metaschemas of the specification too."""

    def __init__(
        self, sources: Iterable[Source] = (), broken: Iterable[tuple[str, SchemaFault]] = ()
    ) -> None:
        self._sources = {source.uri: source for source in sources}
        self.broken = dict(broken)
        """What is wrong with files that could not be read, by their URI."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Resources) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def get(self, uri: str) -> Source | None:
        """What was handed in as *uri*."""
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

    @cached_property
    def by_id(self) -> dict[str, Source]:
        """The source that holds each ``$id``, at its root or below."""
        found: dict[str, Source] = {}
        for source in self.sources:
            if '"$id":' in source.text:
                for identifier in _identifiers(json.loads(source.text), source.uri):
                    found.setdefault(identifier, source)
        return found


class Search:
    """What one tool finds among *resources*: each is copied once."""

    def __init__(self, resources: Resources) -> None:
        self._resources = resources
        self._documents: dict[str, Document] = {}
        self.broken: list[SchemaFault] = []
        """Faults of files that were looked for and could not be read."""

    def find(self, uri: str) -> Document | None:
        """The document at the absolute *uri*, which it was handed in as or has as an ``$id``."""
        source = self._resources.get(uri) or self._resources.by_id.get(uri)
        if source is not None:
            if source.uri not in self._documents:
                self._documents[source.uri] = source.document()
            return self._documents[source.uri]
        if uri in self._resources.broken:
            self.broken.append(self._resources.broken[uri])
        return _metaschema(uri)


def _identifiers(value: Any, base: str) -> Iterable[str]:
    if isinstance(value, list):
        for item in value:
            yield from _identifiers(item, base)
    elif isinstance(value, dict):
        identifier = identifier_of(value)
        if identifier is not None:
            with suppress(ValueError):
                base = absolute_uri(base, identifier)
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
