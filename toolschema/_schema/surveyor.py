"""Every subschema that a tool can reach, visited once, before anything is compiled.

The survey works on private copies. It takes ``$schema`` out of them (the
dialect is kept with each node instead, or python-jsonschema would choose its
own class again at every subresource), resolves every reference within what was
handed in, and finds what no metaschema can: references that lead nowhere or in
a circle, and schemas that expand without end.

`referencing` finds the resource or the anchor that a reference names. A JSON
Pointer is followed from there by `toolschema._json.pointer`: `Resolver.lookup`
takes ``-1`` and ``01`` for indexes (RFC 6901 §4), and does not tell the location
of the target, which faults need.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote, urldefrag, urljoin

from referencing import Registry, Resource
from referencing.exceptions import Unresolvable

from toolschema._json.pointer import Token, key_in, split
from toolschema._schema.dialect import Dialect, Schema, dialect_of
from toolschema._schema.document import Document, Node, Origin
from toolschema._schema.expansion import expand
from toolschema._schema.patterns.pattern import Pattern, translate
from toolschema._schema.survey import Survey

MOST_SUBSCHEMAS = 50_000
"""Of one tool, with all it reaches."""

_NO_URI = "is not a URI reference (RFC 3986)"
KNOWN = "2020-12, 2019-09 and draft-07"


def survey(root: Document, dialect: Dialect, find: Callable[[str], Document | None]) -> Survey:
    """Visit everything that *root* can reach.

    Args:
        root: The schema of the tool.
        dialect: What it is written in; also of resources that declare none.
        find: Gives the document at an absolute URI without fragment.
    """
    return _Surveyor(Survey(dialect), find).run(root)


@dataclass(slots=True)
class _Surveyor:
    survey: Survey
    find: Callable[[str], Document | None]
    registry: Registry[Schema] = field(default_factory=Registry)
    resources: dict[str, Resource[Schema]] = field(default_factory=dict)
    """What was found, by URI; it enters the registry when a reference is looked up."""
    ids: dict[str, Node] = field(default_factory=dict)
    """The root of every resource, to find two with the same URI."""
    anchors: dict[tuple[str, str], Node] = field(default_factory=dict)
    """Where each anchor is, to find two with the same name."""
    sources: dict[str, str] = field(default_factory=dict)
    """The pattern that was translated to each translation."""
    pending: list[tuple[Node, str]] = field(default_factory=list)
    led_to: dict[int, list[Schema]] = field(default_factory=dict)
    """The targets of a node's references; of dynamic ones, the initial target."""
    declaring: list[dict[str, Any]] = field(default_factory=list)
    """The schemas that declare their dialect."""

    def run(self, root: Document) -> Survey:
        self._document(root)
        while self.pending and not self._is_too_large():
            node, keyword = self.pending.pop()
            self._reference(node, keyword)
        if not self._is_too_large():
            faults, self.survey.longest_chain = expand(self.survey.nodes, self.led_to)
            self.survey.faults.extend(faults)
        for schema in self.declaring:
            schema.pop("$schema", None)
        return self.survey

    def _is_too_large(self) -> bool:
        if len(self.survey.nodes) <= MOST_SUBSCHEMAS:
            return False
        first = next(iter(self.survey.nodes.values()))
        self.survey.faults = [first.fault(f"has more than {MOST_SUBSCHEMAS} subschemas")]
        return True

    def _document(self, document: Document) -> None:
        self.survey.documents.setdefault(document.uri, document)
        if id(document.contents) in self.survey.nodes:
            return
        dialect = dialect_of(document.contents, self.survey.dialect) or self.survey.dialect
        root = Node(document.contents, dialect, document.uri, (), document.origin, ())
        for uri in (document.uri, document.retrieval_uri):
            self.resources.setdefault(uri, _resource(root))
        if isinstance(document.contents, dict):
            self.ids.setdefault(document.uri, root)
            self._walk(root)

    def _walk(self, start: Node) -> None:
        todo = [start]
        while todo and len(self.survey.nodes) <= MOST_SUBSCHEMAS:
            node = todo.pop()
            schema = node.schema
            if not isinstance(schema, dict) or id(schema) in self.survey.nodes:
                continue
            node = self._enter(node)
            self.survey.nodes[id(schema)] = node
            self._keywords(node)
            todo.extend(
                node.below(path, subschema) for path, subschema in node.dialect.subschemas(schema)
            )

    def _enter(self, node: Node) -> Node:
        """Follow ``$schema`` and ``$id`` into another dialect or resource."""
        schema, dialect = node.schema, node.dialect
        declared = dialect_of(schema, dialect)
        if declared is None:
            message = f"is none of the dialects that are known: {KNOWN}"
            self.survey.faults.append(node.fault(message, "$schema"))
            declared = dialect
        identifier = declared.identifier(schema)
        if declared is not dialect and identifier is None and node.tokens:
            message = "must stand at the root of a resource, beside an $id"
            self.survey.faults.append(node.fault(message, "$schema"))
        if "$schema" in schema:
            self.declaring.append(schema)
        if identifier is None:
            return node if declared is dialect else node._replace(dialect=declared)
        try:
            base = absolute_uri(node.base, identifier)
        except ValueError:
            self.survey.faults.append(node.fault(_NO_URI, "$id"))
            del schema["$id"]
            return node._replace(dialect=declared)
        node = node._replace(dialect=declared, base=base, tokens=())
        known = self.ids.setdefault(base, node)
        if known.schema is not schema:
            message = f"is also the $id of {known.address}"
            self.survey.faults.append(node.fault(message, "$id"))
        self.ids[base] = node
        if base not in self.resources or self.resources[base].contents is not schema:
            self.resources[base] = _resource(node)
        return node

    def _keywords(self, node: Node) -> None:
        survey, schema = self.survey, node.schema
        survey.keywords.update(schema)
        for keyword in node.dialect.references:
            reference = schema.get(keyword)
            if isinstance(reference, str):
                # The empty fragment says nothing, and one engine stumbles on it.
                schema[keyword] = reference if reference == "#" else reference.removesuffix("#")
                self.pending.append((node, keyword))
        for name, keyword in node.dialect.anchors(schema):
            known = self.anchors.setdefault((node.base, name), node)
            if known is not node:
                message = f"is also an anchor at {known.address}"
                survey.faults.append(node.fault(message, keyword))
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
        self.survey.patterns[pattern] = self._distinct(translate(pattern))
        if "(" in pattern and "\\" in pattern:
            from toolschema._schema.patterns.writer import refusal  # noqa: PLC0415 - few patterns need it

            reason = refusal(pattern)
            if reason is not None:
                message = f"cannot be matched here as ECMA-262 asks ({reason})"
                self.survey.faults.append(node.fault(message, *below))

    def _distinct(self, pattern: Pattern) -> Pattern:
        """Two patterns may come out as one; as names they have to stay two."""
        while self.sources.setdefault(pattern.engine, pattern.source) != pattern.source:
            pattern = pattern._replace(engine=f"(?:{pattern.engine})")
        return pattern

    def _reference(self, node: Node, keyword: str) -> None:
        reference = "#" if keyword == "$recursiveRef" else node.schema[keyword]
        try:
            uri, fragment = urldefrag(absolute(node.base, reference))
        except ValueError:
            self.survey.faults.append(node.fault(_NO_URI, keyword))
            return
        root = self._lookup(uri)
        if root is None:
            self.survey.faults.append(node.fault(_not_loaded(reference, uri), keyword))
            return
        if root.base not in (uri, node.base):
            # Neither engine follows a resource by the URI of its file once it has an $id.
            node.schema[keyword] = f"{root.base}#{fragment}" if fragment else root.base
        target = self._target(root, unquote(fragment))
        if target is None:
            message = f'"{reference}" leads to nothing in that schema'
            self.survey.faults.append(node.fault(message, keyword))
            return
        if not isinstance(target.schema, (dict, bool)):
            message = f'"{reference}" does not lead to a schema'
            self.survey.faults.append(node.fault(message, keyword))
            return
        self._walk(target)
        target = self.survey.nodes.get(id(target.schema), target)
        if target.dialect is not node.dialect and fragment:
            message = (
                f'"{reference}" leads into a schema of {target.dialect.name}; from another '
                "dialect only a whole resource can be referred to"
            )
            self.survey.faults.append(node.fault(message, keyword))
        self.led_to.setdefault(id(node.schema), []).append(target.schema)
        if keyword == "$ref":
            self.survey.targets[id(node.schema)] = target.schema

    def _lookup(self, uri: str) -> Node | None:
        """The resource or anchor at the absolute *uri*, its document loaded if need be."""
        whole = urldefrag(uri).url
        if whole not in self.resources:
            document = self.find(whole)
            if document is None:
                return None
            self._document(document)
        if len(self.registry) < len(self.resources):
            self.registry = self.registry.with_resources(self.resources.items())
        if whole != uri:
            self.registry = self.registry.crawl()  # which is what finds anchors
        try:
            # Without a base, so that an anchor's dynamic scope is empty.
            found: Schema = self.registry.resolver().lookup(uri).contents
        except Unresolvable:
            return None
        node = self.survey.nodes.get(id(found)) if isinstance(found, dict) else None
        return node or Node(found, self.survey.dialect, whole, (), Origin(whole), ())

    def _target(self, root: Node, fragment: str) -> Node | None:
        """What a fragment names: the whole resource, an anchor, or by JSON Pointer."""
        if not fragment:
            return root
        if not fragment.startswith("/"):
            return self._lookup(f"{root.base}#{fragment}")
        try:
            names = split(fragment)
        except ValueError:
            return None
        node = root
        path: tuple[Token, ...] = ()
        value: Any = root.schema
        for name in names:
            token = key_in(value, name)
            if token is None:
                return None
            value = value[token]
            path = (*path, token)
            if id(value) in self.survey.nodes:
                node, path = self.survey.nodes[id(value)], ()
        return node.below(path, value) if path else node


def _resource(root: Node) -> Resource[Schema]:
    return root.dialect.specification.create_resource(root.schema)


def absolute(base: str, reference: str) -> str:
    """Resolve *reference* (RFC 3986 §5), also where the base is a ``urn:``.

    Raises:
        ValueError: It is not a URI reference.
    """
    # `urljoin` drops the base if it does not know the scheme.
    return base + reference if reference.startswith("#") else urljoin(base, reference)


def absolute_uri(base: str, reference: str) -> str:
    """The same without its fragment."""
    return urldefrag(absolute(base, reference)).url


def _not_loaded(reference: str, uri: str) -> str:
    return (
        f'"{reference}" leads to {uri}, which is not loaded; nothing is ever fetched. '
        "A relative reference starts from the $id of its schema where there is one, "
        "and from the URI of its file otherwise"
    )


def _declared(schema: Mapping[str, Any]) -> set[str]:
    names: set[str] = set()
    lists = [schema.get("required")]
    for keyword in ("properties", "dependentRequired", "dependentSchemas", "dependencies"):
        value = schema.get(keyword)
        if isinstance(value, dict):
            names.update(value)
            lists.extend(value.values())
    for required in lists:
        if isinstance(required, list):
            names.update(name for name in required if isinstance(name, str))
    return names
