"""How far a schema unfolds for one value, and whether it ever ends.

References, and the keywords that apply schemas in place, let many subschemas
look at one value: in a circle they never end, in doubling chains they might as
well not.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from toolschema._schema.document import Node
from toolschema._schema.edge import LedTo, Nodes, in_place
from toolschema._schema.gathering import crowded
from toolschema.errors import SchemaFault

MOST_EXPANSIONS = 1_000
"""Subschemas that may look at one value beyond those that are written down."""
LONGEST_CHAIN = 100
"""Subschemas one inside the other that look at one value."""


class Unfolded(NamedTuple):
    """What was found: faults, and the longest chain of subschemas for one value."""

    faults: list[SchemaFault]
    longest_chain: int


def unfold(nodes: Nodes, led_to: LedTo) -> Unfolded:
    """Follow what looks at the same value, from every node."""
    counting = _Counting(nodes, led_to, {}, [])
    for node in nodes.values():
        if id(node.schema) not in counting.counts:
            counting.count(node)
    counts, faults = counting.counts, counting.faults
    for most, index, message in (
        (MOST_EXPANSIONS + len(counts), 0, "unfolds into too many subschemas for one value"),
        (LONGEST_CHAIN, 1, f"nests more than {LONGEST_CHAIN} subschemas for one value"),
    ):
        over = {key: count[index] for key, count in counts.items() if count[index] > most}
        if over:
            faults.append(nodes[min(over, key=over.__getitem__)].fault(message))
    if not faults:
        crowd = crowded(nodes, led_to, MOST_EXPANSIONS + len(counts))
        if crowd is not None:
            message = "looks at one value with too many others; let fewer describe one property"
            faults.append(crowd.fault(message))
    return Unfolded(faults, max((chain for _, chain in counts.values()), default=1))


@dataclass(slots=True)
class _Counting:
    nodes: Nodes
    led_to: LedTo
    counts: dict[int, tuple[int, int]]
    """Subschemas that look at a node's value, and how deep one inside the other."""
    faults: list[SchemaFault]

    def count(self, start: Node) -> None:
        """Count how many subschemas look at the value that *start* looks at.

        With each node goes also how deep these are, one inside the other.
        """
        open_nodes = {id(start.schema)}
        todo = [(start, in_place(start, self.nodes, self.led_to))]
        sums = [(1, 1)]
        while todo:
            node, below = todo[-1]
            path, child = next(below, ((), None))
            if child is None:
                todo.pop()
                open_nodes.discard(id(node.schema))
                self.counts[id(node.schema)] = total = sums.pop()
                if sums:
                    sums[-1] = _with(sums[-1], total)
                continue
            key = id(child.schema)
            if key in self.counts:
                sums[-1] = _with(sums[-1], self.counts[key])
            elif key in open_nodes:
                message = "leads back to a schema that is still looking at the same value"
                self.faults.append(node.fault(message, *path))
            else:
                open_nodes.add(key)
                todo.append((child, in_place(child, self.nodes, self.led_to)))
                sums.append((1, 1))


def _with(node: tuple[int, int], below: tuple[int, int]) -> tuple[int, int]:
    return min(node[0] + below[0], 1 << 62), max(node[1], below[1] + 1)
