"""Every subschema that a tool can reach, seen once, before anything is compiled.

The survey works on private copies. It takes ``$schema`` out of them (the
dialect is kept with each node instead, or the reference engine would choose
its own class again at every subresource), resolves every reference within
what was handed in, and finds what no metaschema can: references that lead
nowhere or in a circle, and schemas that unfold without end.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote, urldefrag, urljoin

from referencing import Registry, Resource
from referencing.exceptions import NoSuchResource, Unresolvable

from toolschema._dialect import IN_PLACE, Dialect, Schema, dialect_of
from toolschema._pattern import Pattern, refusal, translate
from toolschema._pointer import Token, join, split
from toolschema.errors import SchemaFault

MOST_SUBSCHEMAS = 50_000
"""Of one tool, with all it reaches."""
MOST_EXPANSIONS = 1_000
"""Subschemas that may look at one value beyond those that are written down."""

KNOWN = "2020-12, 2019-09 and draft-07"


@dataclass(frozen=True, slots=True)
class Document:
    """One file or resource: a private copy, with its keys in order."""

    uri: str
    label: str
    contents: Any


@dataclass(frozen=True, slots=True)
class Node:
    """One subschema: where it is, for an engine and for a person."""

    schema: dict[str, Any]
    dialect: Dialect
    base: str
    """URI of the resource that it belongs to; its references resolve there."""
    tokens: tuple[Token, ...]
    """From that resource."""
    label: str
    place: tuple[Token, ...]
    """From the document that a person would open."""

    def fault(self, message: str, *below: Token) -> SchemaFault:
        return SchemaFault(self.label, join((*self.place, *below)), message)


@dataclass(slots=True)
class Survey:
    """What was found; nodes are keyed by the `id` of their private copy."""

    dialect: Dialect
    nodes: dict[int, Node] = field(default_factory=dict)
    targets: dict[int, Schema] = field(default_factory=dict)
    """The subschema that the ``$ref`` of a node leads to."""
    documents: dict[str, Document] = field(default_factory=dict)
    """What was reached, by the URI it was asked for; the tool itself is first."""
    patterns: dict[str, Pattern] = field(default_factory=dict)
    key_patterns: set[str] = field(default_factory=set)
    """Those of ``patternProperties``."""
    names: set[str] = field(default_factory=set)
    """Property names that the schemas declare."""
    keywords: set[str] = field(default_factory=set)
    faults: list[SchemaFault] = field(default_factory=list)

    @property
    def is_dynamic(self) -> bool:
        """Whether a subschema may mean different things on different ways to it."""
        return not self.keywords.isdisjoint({"$dynamicRef", "$recursiveRef"})

    @property
    def is_mixed(self) -> bool:
        """Whether more than one dialect is in it."""
        return any(node.dialect is not self.dialect for node in self.nodes.values())


def survey(
    root: Document, dialect: Dialect, find: Callable[[str], Document | None]
) -> Survey:
    """Look at all that *root* can reach.

    Args:
        root: The schema of the tool.
        dialect: What it is written in; also of resources that do not say.
        find: Gives the document at an absolute URI without fragment.
    """
    return _Surveyor(Survey(dialect), find).run(root)


@dataclass(slots=True)
class _Surveyor:
    survey: Survey
    find: Callable[[str], Document | None]
    registry: Registry[Schema] = field(init=False)
    ids: dict[str, Node] = field(default_factory=dict)
    pending: list[tuple[Node, str]] = field(default_factory=list)

    def run(self, root: Document) -> Survey:
        self.registry = Registry(retrieve=self._retrieve)  # type: ignore[call-arg]
        self._document(root.uri, root)
        while self.pending and not self._is_too_large():
            node, keyword = self.pending.pop()
            self._reference(node, keyword)
        if not self._is_too_large():
            self._unfold()
        return self.survey

    def _is_too_large(self) -> bool:
        if len(self.survey.nodes) <= MOST_SUBSCHEMAS:
            return False
        if not self.survey.faults or "subschemas" not in self.survey.faults[-1].message:
            first = next(iter(self.survey.nodes.values()))
            self.survey.faults.append(first.fault(f"has more than {MOST_SUBSCHEMAS} subschemas"))
        return True

    def _document(self, uri: str, document: Document) -> None:
        self.survey.documents[uri] = document
        if id(document.contents) in self.survey.nodes:
            return
        dialect = dialect_of(document.contents, self.survey.dialect) or self.survey.dialect
        self._walk(document.contents, dialect, document.uri, (), document.label, ())

    def _walk(
        self,
        schema: Schema,
        dialect: Dialect,
        base: str,
        tokens: tuple[Token, ...],
        label: str,
        place: tuple[Token, ...],
    ) -> None:
        todo = [(schema, dialect, base, tokens, place)]
        while todo and len(self.survey.nodes) <= MOST_SUBSCHEMAS:
            schema, dialect, base, tokens, place = todo.pop()
            if not isinstance(schema, dict) or id(schema) in self.survey.nodes:
                continue
            node = self._enter(Node(schema, dialect, base, tokens, label, place))
            self.survey.nodes[id(schema)] = node
            self._keywords(node)
            todo.extend(
                (below, node.dialect, node.base, (*node.tokens, *path), (*place, *path))
                for path, below in node.dialect.subschemas(schema)
            )

    def _enter(self, node: Node) -> Node:
        """Follow ``$schema`` and ``$id`` into another dialect or resource."""
        schema, dialect, base, tokens = node.schema, node.dialect, node.base, node.tokens
        if "$schema" in schema:
            declared = dialect_of(schema)
            if declared is None:
                fault = f"is none of the dialects that are known: {KNOWN}"
                self.survey.faults.append(node.fault(fault, "$schema"))
            dialect = declared or dialect
            del schema["$schema"]
        identifier = schema.get("$id")
        is_alone = dialect.name == "draft-07" and "$ref" in schema
        if isinstance(identifier, str) and not identifier.startswith("#") and not is_alone:
            base, tokens = urldefrag(urljoin(base, identifier)).url, ()
            node = Node(schema, dialect, base, tokens, node.label, node.place)
            known = self.ids.setdefault(base, node)
            if known.schema is not schema:
                other = f"{known.label}#{join(known.place)}"
                self.survey.faults.append(node.fault(f"is also the $id of {other}", "$id"))
        return Node(schema, dialect, base, tokens, node.label, node.place)

    def _keywords(self, node: Node) -> None:
        survey, schema = self.survey, node.schema
        survey.keywords.update(schema)
        for keyword in node.dialect.references:
            if isinstance(schema.get(keyword), str):
                self.pending.append((node, keyword))
        pattern = schema.get("pattern")
        if isinstance(pattern, str):
            self._pattern(node, pattern, "pattern")
        keyed = schema.get("patternProperties")
        if isinstance(keyed, dict):
            survey.key_patterns.update(keyed)
            for pattern in keyed:
                self._pattern(node, pattern, "patternProperties", pattern)
        survey.names.update(_declared(schema))

    def _pattern(self, node: Node, pattern: str, *below: Token) -> None:
        self.survey.patterns[pattern] = translate(pattern)
        reason = refusal(pattern) if "(" in pattern and "\\" in pattern else None
        if reason is not None:
            message = f"cannot be matched here as ECMA-262 asks ({reason})"
            self.survey.faults.append(node.fault(message, *below))

    def _retrieve(self, uri: str) -> Resource[Schema]:
        if uri not in self.ids:
            document = self.find(uri)
            if document is None:
                raise NoSuchResource(ref=uri)
            self._document(uri, document)
            if uri not in self.ids:
                node = self.survey.nodes.get(id(document.contents))
                dialect = node.dialect if node else self.survey.dialect
                return dialect.specification.create_resource(document.contents)
        node = self.ids[uri]
        return node.dialect.specification.create_resource(node.schema)

    def _reference(self, node: Node, keyword: str) -> None:
        reference = node.schema[keyword]
        if keyword == "$recursiveRef":
            reference = "#"
        # `urljoin` knows no fragment below a base such as ``urn:…``.
        is_local = reference.startswith("#")
        uri = node.base if is_local else urldefrag(urljoin(node.base, reference)).url
        try:
            self.registry = self.registry.get_or_retrieve(uri).registry
            resolved = self.registry.resolver(node.base).lookup(reference)
        except (NoSuchResource, Unresolvable):
            self.survey.faults.append(node.fault(self._unresolved(node, reference, uri), keyword))
            return
        target = resolved.contents
        if not isinstance(target, (dict, bool)):
            self.survey.faults.append(node.fault(f'"{reference}" leads to no schema', keyword))
            return
        if isinstance(target, dict) and id(target) not in self.survey.nodes:
            self._elsewhere(node, target, reference, uri)
        if keyword == "$ref":
            self.survey.targets[id(node.schema)] = target

    def _elsewhere(self, node: Node, target: Schema, reference: str, uri: str) -> None:
        """Survey a schema that no keyword holds, only a pointer reaches."""
        root = self.ids.get(uri, node)
        below = split(unquote(urldefrag(reference).fragment))
        self._walk(target, root.dialect, uri, below, root.label, (*root.place, *below))

    def _unresolved(self, node: Node, reference: str, uri: str) -> str:
        if uri == node.base or uri in self.survey.documents:
            return f'"{reference}" leads to nothing in that schema'
        return (
            f'"{reference}" leads to {uri}, which is not loaded; nothing is ever fetched. '
            "A relative reference starts from the $id of its schema where there is one, "
            "and from the place of its file otherwise"
        )

    def _unfold(self) -> None:
        counts: dict[int, int] = {}
        for node in self.survey.nodes.values():
            if id(node.schema) not in counts:
                self._count(node, counts)
        if any(count > MOST_EXPANSIONS + len(counts) for count in counts.values()):
            key = min(
                (key for key, count in counts.items() if count > MOST_EXPANSIONS + len(counts)),
                key=counts.__getitem__,
            )
            message = "unfolds into too many subschemas for one value"
            self.survey.faults.append(self.survey.nodes[key].fault(message))

    def _count(self, start: Node, counts: dict[int, int]) -> None:
        """Count how many subschemas look at the value that *start* looks at."""
        open_nodes: set[int] = set()
        todo = [(start, iter(self._in_place(start)))]
        open_nodes.add(id(start.schema))
        sums = [1]
        while todo:
            node, below = todo[-1]
            path, child = next(below, ((), None))
            if child is None:
                todo.pop()
                open_nodes.discard(id(node.schema))
                counts[id(node.schema)] = total = min(sums.pop(), 1 << 62)
                if sums:
                    sums[-1] += total
                continue
            key = id(child.schema)
            if key in counts:
                sums[-1] += counts[key]
            elif key in open_nodes:
                message = "leads back to a schema that is still looking at the same value"
                self.survey.faults.append(node.fault(message, *path))
            else:
                open_nodes.add(key)
                todo.append((child, iter(self._in_place(child))))
                sums.append(1)

    def _in_place(self, node: Node) -> list[tuple[tuple[Token, ...], Node | None]]:
        nodes = self.survey.nodes
        found: list[tuple[tuple[Token, ...], Node | None]] = [
            (path, nodes[id(below)])
            for path, below in node.dialect.subschemas(node.schema)
            if path[0] in IN_PLACE and id(below) in nodes
        ]
        target = self.survey.targets.get(id(node.schema))
        if target is not None and id(target) in nodes:
            found.append((("$ref",), nodes[id(target)]))
        return found


def _declared(schema: Mapping[str, Any]) -> set[str]:
    names: set[str] = set()
    for keyword in ("properties", "dependentRequired", "dependentSchemas", "dependencies"):
        value = schema.get(keyword)
        if isinstance(value, dict):
            names.update(value)
            for required in value.values():
                if isinstance(required, list):
                    names.update(name for name in required if isinstance(name, str))
    required = schema.get("required")
    if isinstance(required, list):
        names.update(name for name in required if isinstance(name, str))
    return names
