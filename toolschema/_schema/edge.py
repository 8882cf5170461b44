"""From a subschema to those that look at the same value because of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from toolschema._json.pointer import Token
from toolschema._schema.dialect import IN_PLACE, Schema
from toolschema._schema.document import Node

Nodes = Mapping[int, Node]
"""All subschemas by the `id` of their private copy."""
LedTo = Mapping[int, list[Schema]]
"""Where the references of each lead to."""


def in_place(node: Node, nodes: Nodes, led_to: LedTo) -> Iterator[tuple[tuple[Token, ...], Node]]:
    """Each of them, and the keywords that lead there."""
    for path, below in node.dialect.subschemas(node.schema):
        if path[0] in IN_PLACE and id(below) in nodes:
            yield path, nodes[id(below)]
    yield from referred(node, nodes, led_to)


def referred(node: Node, nodes: Nodes, led_to: LedTo) -> Iterator[tuple[tuple[Token, ...], Node]]:
    """Those that its references lead to."""
    keyword = next((each for each in node.dialect.references if each in node.schema), "$ref")
    for target in led_to.get(id(node.schema), ()):
        if id(target) in nodes:
            yield (keyword,), nodes[id(target)]
