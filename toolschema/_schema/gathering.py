"""How many subschemas come to look at one value, level by level of an instance.

Where two subschemas of an object both refer to a third for the same property,
two look at its value; where that happens again in the third, four look at the
next. No level has many, and no instance is deep, yet the verdict never ends.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from toolschema._json.pointer import Token
from toolschema._schema.dialect import Schema
from toolschema._schema.document import Node
from toolschema._schema.edge import LedTo, Nodes, in_place, referred

FEWEST = 9
"""What is written down is bounded by its size; fewer that double add little to it."""
MOST_STEPS = 100_000
"""Subschemas looked at while counting: far more than any real schema needs."""

_SCANS = frozenset({"unevaluatedItems", "unevaluatedProperties"})
_OF_EVERY_NAME = ("additionalProperties", "unevaluatedProperties")
_OF_EVERY_ITEM = ("additionalItems", "contains", "items", "unevaluatedItems")

Gathering = frozenset[tuple[int, int]]
"""Subschemas by `id`, and how often each looks at one value."""


def crowded(nodes: Nodes, led_to: LedTo, most: int) -> Node | None:
    """The subschema at whose place more than *most* look at one value, if there is one.

    An upper bound: every pattern is taken to match every name. What is referred
    to in a circle is looked at once for a value, as the engine keeps that. What
    ``unevaluated…`` has to ask for its answer looks once more.
    """
    doubling = sum(not _SCANS.isdisjoint(node.schema) for node in nodes.values())
    if len(led_to) + doubling < FEWEST:
        return None
    return _Gatherings(nodes, led_to, most).run()


@dataclass(slots=True)
class _Gatherings:
    nodes: Nodes
    led_to: LedTo
    most: int
    circular: set[int] = field(default_factory=set)
    order: dict[int, int] = field(default_factory=dict)
    steps: int = 0

    def run(self) -> Node | None:
        self.order = {key: number for number, key in enumerate(self.nodes)}
        root = next(iter(self.nodes))
        self.circular = self._circular()
        todo: list[Gathering] = [frozenset({(root, 1)})]
        seen = set(todo)
        while todo:
            gathering = todo.pop()
            everyone = self._in_place(gathering)
            if everyone.total() > self.most or self.steps > MOST_STEPS:
                first = min((key for key, _ in gathering), key=self.order.__getitem__)
                return self.nodes[first]
            for below in self._below(everyone):
                if below not in seen:
                    seen.add(below)
                    todo.append(below)
        return None

    def _in_place(self, gathering: Gathering) -> Counter[int]:
        """All that look at the value: those that are given, and what these apply in place."""
        found: Counter[int] = Counter()
        # With each goes below how many others it is that ask once more.
        todo = [(key, count, 0) for key, count in sorted(gathering, key=self._order_of)]
        while todo and found.total() <= self.most:
            key, count, asked = todo.pop()
            self.steps += 1
            times = count * (asked + 1)
            if key in self.circular:
                count = times = min(times, 1 - found[key])
            if not times:
                continue
            found[key] += times
            if not _SCANS.isdisjoint(self.nodes[key].schema):
                count, asked = times, 0
            elif not asked:
                asked = -1
            applied = in_place(self.nodes[key], self.nodes, self.led_to)
            todo.extend((id(each.schema), count, asked + 1) for _, each in applied)
        return found

    def _order_of(self, each: tuple[int, int]) -> int:
        return self.order[each[0]]

    def _below(self, everyone: Counter[int]) -> Iterator[Gathering]:
        """Who looks at the value of each property and item."""
        named: dict[Token, Counter[int]] = {}
        every: dict[type, Counter[int]] = {str: Counter(), int: Counter()}
        for key, count in everyone.items():
            for token, below in _children(self.nodes[key]):
                if id(below) not in self.nodes:
                    continue
                if token is str or token is int:
                    every[token][id(below)] += count
                else:
                    named.setdefault(token, Counter())[id(below)] += count  # type: ignore[arg-type]
        for token, some in named.items():
            yield self._gathering(some + every[type(token)])
        for some in every.values():
            if some:
                yield self._gathering(some)

    def _gathering(self, some: Counter[int]) -> Gathering:
        circular = self.circular
        return frozenset((key, 1 if key in circular else some[key]) for key in some)

    def _circular(self) -> set[int]:
        """Where the engine comes back to a reference that it is still reading."""
        found: set[int] = set()
        state: dict[int, bool] = {}  # True while it is being read
        for start in self.nodes:
            if start in state:
                continue
            state[start] = True
            todo = [(start, self._leads(start))]
            while todo:
                key, below = todo[-1]
                child = next(below, None)
                if child is None:
                    state[key] = False
                    todo.pop()
                elif child not in state:
                    state[child] = True
                    todo.append((child, self._leads(child)))
                elif state[child]:
                    found.add(child)
        return found

    def _leads(self, key: int) -> Iterator[int]:
        node = self.nodes[key]
        for path, below in node.dialect.subschemas(node.schema):
            if path[0] not in ("$defs", "definitions") and id(below) in self.nodes:
                yield id(below)
        for _, target in referred(node, self.nodes, self.led_to):
            yield id(target.schema)


def _children(node: Node) -> Iterator[tuple[Token | type, Schema]]:
    """Subschemas for parts of a value: by name or index; by type for any part."""
    for path, below in node.dialect.subschemas(node.schema):
        keyword = path[0]
        if keyword in ("properties", "prefixItems") or (keyword == "items" and len(path) > 1):
            yield path[1], below
        elif keyword in _OF_EVERY_NAME or keyword == "patternProperties":
            yield str, below
        elif keyword in _OF_EVERY_ITEM:
            yield int, below
            if keyword == "contains" and "unevaluatedItems" in node.schema:
                yield int, below
