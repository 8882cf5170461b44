"""What is known of a schema and all it reaches, before anything is compiled."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import cached_property

from toolschema._schema.dialect import Dialect, Schema
from toolschema._schema.document import Document, Node
from toolschema._schema.patterns.pattern import Pattern
from toolschema.errors import SchemaFault


@dataclass
class Survey:
    """What was found; nodes are keyed by the `id` of their private copy."""

    dialect: Dialect
    nodes: dict[int, Node] = field(default_factory=dict)
    targets: dict[int, Schema] = field(default_factory=dict)
    """The subschema that the ``$ref`` of a node leads to."""
    documents: dict[str, Document] = field(default_factory=dict)
    """What was reached, by URI; the tool itself is first."""
    patterns: dict[str, Pattern] = field(default_factory=dict)
    key_patterns: set[str] = field(default_factory=set)
    """Those of ``patternProperties``."""
    names: set[str] = field(default_factory=set)
    """Property names that the schemas declare."""
    keywords: set[str] = field(default_factory=set)
    longest_chain: int = 1
    """Subschemas that apply to one value, one inside the other, at most."""
    faults: list[SchemaFault] = field(default_factory=list)

    @property
    def root(self) -> Document:
        """The schema of the tool."""
        return next(iter(self.documents.values()))

    @cached_property
    def is_dynamic(self) -> bool:
        """Whether a subschema may mean different things on different ways to it."""
        return not self.keywords.isdisjoint({"$dynamicRef", "$recursiveRef"})

    @cached_property
    def dynamic(self) -> frozenset[int]:
        """The nodes that mean something only on the way that led to them."""
        return self.reaching({"$dynamicRef", "$recursiveRef"})

    def reaching(self, keywords: AbstractSet[str]) -> frozenset[int]:
        """The nodes from which one that has some of *keywords* is reached, these included."""
        above: dict[int, list[int]] = {}
        for key, node in self.nodes.items():
            below = [subschema for _, subschema in node.dialect.subschemas(node.schema)]
            for subschema in (*below, self.targets.get(key)):
                above.setdefault(id(subschema), []).append(key)
        found: set[int] = set()
        todo = [key for key, node in self.nodes.items() if not keywords.isdisjoint(node.schema)]
        while todo:
            key = todo.pop()
            if key not in found:
                found.add(key)
                todo.extend(above.get(key, ()))
        return frozenset(found)

    @cached_property
    def is_mixed(self) -> bool:
        """Whether more than one dialect is in it."""
        return any(node.dialect is not self.dialect for node in self.nodes.values())
