"""Bounds how many subschemas apply to one instance location, at any depth.

References and in-place applicators let many subschemas apply to one instance: in
a loop they never end; in chains that double they end too late. Where two
subschemas of an object refer to a third for the same property, two apply to its
value; where that happens again in the third, four apply to the next. No level
has many and no instance is deep, yet the verdict never ends.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from toolschema._json.pointer import Token
from toolschema._schema.dialect import IN_PLACE, Schema
from toolschema._schema.document import Node
from toolschema.errors import SchemaFault

MOST_EXPANSIONS = 1_000
"""Subschemas that may apply to one value, beyond the number that the schema has."""
LONGEST_CHAIN = 100
"""Subschemas that apply to one value, one inside the other."""
_FEWEST_DOUBLING = 9
"""With fewer subschemas that double, the size of the schema is a sufficient bound."""
_MOST_STEPS = 100_000
"""Subschemas visited while counting: far more than any real schema needs."""

_APPLIED_IN_PLACE = IN_PLACE | {"$ref", "$dynamicRef", "$recursiveRef"}
_UNEVALUATED = frozenset({"unevaluatedItems", "unevaluatedProperties"})
_OF_EVERY_NAME = ("additionalProperties", "patternProperties", "unevaluatedProperties")
_OF_EVERY_ITEM = ("additionalItems", "contains", "items", "unevaluatedItems")

Nodes = Mapping[int, Node]
"""All subschemas by their `id`."""
Edges = list[tuple[tuple[Token, ...], int]]
"""The tokens that lead from a subschema to another one, and that one's `id`."""
Applied = frozenset[tuple[int, int]]
"""Subschemas by their `id`, and how often each applies to one value."""


def expand(nodes: Nodes, referred: Mapping[int, list[Schema]]) -> tuple[list[SchemaFault], int]:
    """Count what applies to one value, for every subschema and every instance location.

    Args:
        nodes: All subschemas by their `id`, the root first.
        referred: The targets of the references of each, dynamic ones included.

    Returns:
        Faults, and the longest chain of subschemas that apply to one value.
    """
    edges = {key: _edges(nodes, node, referred.get(key, ())) for key, node in nodes.items()}
    in_place = {
        key: [edge for edge in found if edge[0][0] in _APPLIED_IN_PLACE]
        for key, found in edges.items()
    }
    counts, faults = _counts(nodes, in_place)
    most = MOST_EXPANSIONS + len(counts)
    for limit, index, message in (
        (most, 0, f"expands into more than {most} subschemas for one value"),
        (LONGEST_CHAIN, 1, f"nests more than {LONGEST_CHAIN} subschemas for one value"),
    ):
        over = {key: count[index] for key, count in counts.items() if count[index] > limit}
        if over:
            faults.append(nodes[min(over, key=over.__getitem__)].fault(message))
    doubling = sum(not _UNEVALUATED.isdisjoint(node.schema) for node in nodes.values())
    if not faults and len(referred) + doubling >= _FEWEST_DOUBLING:
        node = _Crowds(nodes, edges, in_place, most).first_beyond()
        if node is not None:
            message = f"more than {most} subschemas apply to one property; combine some of them"
            faults.append(node.fault(message))
    return faults, max((chain for _, chain in counts.values()), default=1)


def _edges(nodes: Nodes, node: Node, targets: Iterable[Schema]) -> Edges:
    """From *node* to all that may apply because of it, to its value or a part of that."""
    found = [
        (path, below)
        for path, below in node.dialect.subschemas(node.schema)
        if path[0] not in ("$defs", "definitions")
    ]
    keyword = next((name for name in node.dialect.references if name in node.schema), "$ref")
    found.extend(((keyword,), target) for target in targets)
    return [(path, id(below)) for path, below in found if id(below) in nodes]


def _counts(
    nodes: Nodes, in_place: Mapping[int, Edges]
) -> tuple[dict[int, tuple[int, int]], list[SchemaFault]]:
    """How many subschemas apply to a value and how deeply nested, and reference loops."""
    counts: dict[int, tuple[int, int]] = {}
    faults: list[SchemaFault] = []
    for key, path, child in _depth_first(in_place):
        if child is None:
            below = [counts[other] for _, other in in_place[key] if other in counts]
            total = 1 + sum(count for count, _ in below)
            counts[key] = min(total, 1 << 62), 1 + max((chain for _, chain in below), default=0)
        else:
            message = "is a reference loop: it applies the same schema to the same instance again"
            faults.append(nodes[key].fault(message, *path))
    return counts, faults


def _depth_first(
    edges: Mapping[int, Edges],
) -> Iterator[tuple[int, tuple[Token, ...], int | None]]:
    """Each subschema after all below it, with None; before it, its edges that close a loop."""
    is_open: dict[int, bool] = {}
    for start in edges:
        if start in is_open:
            continue
        is_open[start] = True
        todo = [(start, iter(edges[start]))]
        while todo:
            key, below = todo[-1]
            path, child = next(below, ((), None))
            if child is None:
                todo.pop()
                is_open[key] = False
                yield key, (), None
            elif child not in is_open:
                is_open[child] = True
                todo.append((child, iter(edges[child])))
            elif is_open[child]:
                yield key, path, child


@dataclass(slots=True)
class _Crowds:
    """The subschemas that apply together, location by location of any instance.

    An upper bound: every pattern is taken to match every name. A recursive
    subschema counts once for a value, as the engine remembers its verdict. What
    ``unevaluated…`` has to ask for its answer counts once more.
    """

    nodes: Nodes
    edges: Mapping[int, Edges]
    in_place: Mapping[int, Edges]
    most: int
    recursive: set[int] = field(default_factory=set)
    order: dict[int, int] = field(default_factory=dict)
    steps: int = 0

    def first_beyond(self) -> Node | None:
        """The subschema of a location to which more than *most* apply, if there is one."""
        self.recursive = {child for _, _, child in _depth_first(self.edges) if child is not None}
        self.order = {key: number for number, key in enumerate(self.nodes)}
        todo: list[Applied] = [frozenset({(next(iter(self.nodes)), 1)})]
        seen = set(todo)
        while todo:
            applied = todo.pop()
            everything = self._in_place(applied)
            if everything.total() > self.most or self.steps > _MOST_STEPS:
                return self.nodes[min((key for key, _ in applied), key=self.order.__getitem__)]
            for below in self._below(everything):
                if below not in seen:
                    seen.add(below)
                    todo.append(below)
        return None

    def _in_place(self, applied: Applied) -> Counter[int]:
        """All that apply to the value: the given ones, and what these apply in place."""
        found: Counter[int] = Counter()
        # The last number is how many of the schemas above ask once more.
        ordered = sorted(applied, key=lambda pair: self.order[pair[0]])
        todo = [(key, count, 0) for key, count in ordered]
        while todo and found.total() <= self.most:
            key, count, asked = todo.pop()
            self.steps += 1
            times = count * (asked + 1)
            if key in self.recursive:
                count = times = min(times, 1 - found[key])
            if not times:
                continue
            found[key] += times
            if not _UNEVALUATED.isdisjoint(self.nodes[key].schema):
                count, asked = times, 0
            elif not asked:
                asked = -1
            todo.extend((child, count, asked + 1) for _, child in self.in_place[key])
        return found

    def _below(self, everything: Counter[int]) -> Iterator[Applied]:
        """What applies to each property and item."""
        named: dict[Token, Counter[int]] = {}
        every: dict[type, Counter[int]] = {str: Counter(), int: Counter()}
        for key, count in everything.items():
            for token, child in self._children(key):
                if isinstance(token, type):
                    every[token][child] += count
                else:
                    named.setdefault(token, Counter())[child] += count
        together = [some + every[type(token)] for token, some in named.items()]
        for counter in (*together, *filter(None, every.values())):
            yield frozenset((key, 1 if key in self.recursive else counter[key]) for key in counter)

    def _children(self, key: int) -> Iterator[tuple[Token | type, int]]:
        """Subschemas for parts of a value: by name or index; by type for any part."""
        for path, child in self.edges[key]:
            keyword = path[0]
            if keyword in ("properties", "prefixItems") or (keyword == "items" and len(path) > 1):
                yield path[1], child
            elif keyword in _OF_EVERY_NAME:
                yield str, child
            elif keyword in _OF_EVERY_ITEM:
                yield int, child
                if keyword == "contains" and "unevaluatedItems" in self.nodes[key].schema:
                    yield int, child
