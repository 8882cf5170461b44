"""Schemas that must all hold (``allOf``, keywords beside a ``$ref``), folded into one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from toolschema._json.equality import key_of
from toolschema.providers._export.modern import ANNOTATIONS
from toolschema.providers._export.reading import Reading, recursive_references
from toolschema.providers._export.values import types_of

MAX_HOPS = 30
"""References that are followed one after the other before one is kept."""
MAX_EXPANSIONS = 5_000
"""References of one tool that are replaced by their targets."""
APPLICATORS = frozenset({"$ref", "$dynamicRef", "$recursiveRef", "anyOf", "oneOf", "if", "allOf"})
_LOWER_BOUNDS = {"minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"}
_UPPER_BOUNDS = {"maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"}
_LEADER = {"then": "if", "else": "if", "minContains": "contains", "maxContains": "contains"}
"""Keywords that mean nothing without another."""
NOT_BOTH = "cannot be combined with another schema that must also hold"
Node = dict[str, Any]
Above = tuple[int, ...]


@dataclass(slots=True)
class AllOf:
    """Folds schemas that apply to the same value into one.

    What cannot be folded is left out, which makes the result weaker, and is
    reported. A result never has an ``allOf`` or a ``const``; beside a ``$ref`` it
    has only annotations.
    """

    reading: Reading
    recursive: frozenset[str] = field(init=False)
    """References that lead back to themselves."""
    expansions: int = 0

    def __post_init__(self) -> None:
        self.recursive = recursive_references(self.reading.root, self.reading.definitions)

    def root(self) -> Node | None:
        """The root, without its reference and ``allOf``; None where nothing satisfies it."""
        root = self.reading.root
        return self.expanded(self.fold(root), (id(root),), is_forced=True)

    def fold(self, schema: Any, above: Above = ()) -> Node | None:
        """One subschema equivalent to *schema*; None where nothing satisfies it."""
        if not isinstance(schema, dict):
            return self.reading.make(()) if schema else None
        first = self.reading.without(schema, ("allOf", "const"))
        if "const" in schema:
            values = schema.get("enum", [schema["const"]])
            equal = [value for value in values if key_of(value) == key_of(schema["const"])]
            self.reading.put(first, "enum", equal, self.reading.location(schema, "const"))
        node: Node | None = first
        for subschema in schema.get("allOf", ()):
            node = self.both(node, self.fold(subschema, above), above)
        if node is not None and "$ref" in node and not _is_empty(node, "$ref"):
            node = self.expanded(node, above)
        return None if node is None else self._without_unevaluated(node)

    def both(self, one: Node | None, other: Node | None, above: Above = ()) -> Node | None:
        """What satisfies both; the annotations of *one* win."""
        if one is None or other is None:
            return None
        if not _is_empty(one) and not _is_empty(other):
            mine, theirs = self.expanded(one, above), self.expanded(other, above)
            if mine is None or theirs is None:
                return None
            if "$ref" in mine or "$ref" in theirs:
                return self._kept_reference(mine, theirs)
            one, other = mine, theirs
        node = self.reading.part(one, one)
        for keyword in other:
            if _LEADER.get(keyword) in one:
                self.reading.lose(other, keyword, "dropped", NOT_BOTH)
            elif keyword not in one:
                self.reading.take(node, other, keyword)
        self._properties(node, one, other)
        for keyword in one.keys() & other.keys() - {"properties", *_LEADER}:
            self._merge(node, one, other, keyword)
        if node.get("type") == [] or node.get("enum") == []:
            return None
        return node

    def expanded(
        self, node: Node | None, above: Above = (), *, is_forced: bool = False
    ) -> Node | None:
        """The same with the target of its ``$ref`` in its place.

        A reference that leads back to itself is kept, without the keywords beside it.
        """
        if node is None or "$ref" not in node:
            return node
        target = self.reading.target(node["$ref"])
        is_kept = node["$ref"] in self.recursive or self.expansions > MAX_EXPANSIONS
        if id(target) in above or len(above) >= MAX_HOPS or (is_kept and not is_forced):
            return self._kept_reference(node, self.reading.part(node, ()))
        self.expansions += 1
        above = (*above, id(target))
        return self.both(self.reading.without(node, ("$ref",)), self.fold(target, above), above)

    def _kept_reference(self, one: Node, other: Node) -> Node:
        """The reference of one of two nodes, with nothing but annotations beside it."""
        owner = one if "$ref" in one else other
        made = self.reading.part(one, ())
        for node in (one, other):
            for keyword in node:
                if keyword in ANNOTATIONS and keyword not in made:
                    self.reading.take(made, node, keyword)
                elif keyword not in ANNOTATIONS and (keyword != "$ref" or node is not owner):
                    note = "not supported beside a recursive reference"
                    self.reading.lose(node, keyword, "dropped", note)
        self.reading.take(made, owner, "$ref")
        return made

    def _without_unevaluated(self, node: Node) -> Node:
        """Without ``unevaluatedProperties``, if ``additionalProperties`` means the same."""
        if "unevaluatedProperties" in node and not (
            node.keys() & APPLICATORS or "dependentSchemas" in node
        ):
            location = self.reading.location(node, "unevaluatedProperties")
            value = node.pop("unevaluatedProperties")
            if "additionalProperties" not in node:
                self.reading.put(node, "additionalProperties", value, location)
        return node

    def _joined(self, location: tuple[Any, ...], *schemas: Any) -> Any:
        """One schema for all of *schemas*; those that are always true are left out."""
        kept = [schema for schema in schemas if schema is not True and schema != {}]
        if any(schema is False for schema in kept):
            return False
        if len(kept) < 2:
            return kept[0] if kept else True
        made = self.reading.make(self.reading.location(kept[0]))
        self.reading.put(made, "allOf", kept, location)
        return made

    def _properties(self, node: Node, one: Node, other: Node) -> None:
        names = dict.fromkeys([*one.get("properties", {}), *other.get("properties", {})])
        if not names:
            return
        owner = one if "properties" in one else other
        location = self.reading.location(owner, "properties")
        joined = {}
        for name in names:
            sides = [self._property(side, name) for side in (one, other)]
            joined[name] = self._joined((*location, name), *sides)
        self.reading.put(node, "properties", joined, location)

    def _property(self, node: Node, name: str) -> Any:
        """The schema that a node has for the property *name*, as far as that is known."""
        if name in node.get("properties", {}):
            return node["properties"][name]
        if "patternProperties" in node:
            if node.get("additionalProperties", True) is not True:
                self.reading.lose(node, "patternProperties", "dropped", NOT_BOTH)
            return True
        return node.get("additionalProperties", True)

    def _merge(self, node: Node, one: Node, other: Node, keyword: str) -> None:
        mine, theirs = one[keyword], other[keyword]
        put, location = self.reading.put, self.reading.location(one, keyword)
        if keyword in ANNOTATIONS or key_of(mine) == key_of(theirs):
            return
        if keyword == "type":
            put(node, keyword, _common_types(types_of(one), types_of(other)), location)
        elif keyword == "enum":
            shared = {key_of(value) for value in theirs}
            put(node, keyword, [value for value in mine if key_of(value) in shared], location)
        elif keyword in _LOWER_BOUNDS or keyword in _UPPER_BOUNDS:
            if theirs > mine if keyword in _LOWER_BOUNDS else theirs < mine:
                self.reading.take(node, other, keyword)
        elif keyword == "required":
            put(node, keyword, list(dict.fromkeys([*mine, *theirs])), location)
        elif keyword == "uniqueItems":
            if not mine:
                self.reading.take(node, other, keyword)
        elif keyword == "additionalProperties" or (
            keyword == "items" and "prefixItems" not in one.keys() & other.keys()
        ):
            put(node, keyword, self._joined(location, mine, theirs), location)
        else:
            self.reading.lose(other, keyword, "dropped", NOT_BOTH)


def _is_empty(node: Node, *ignored: str) -> bool:
    """Whether a node has no keyword but annotations and *ignored*."""
    return not (node.keys() - ANNOTATIONS - set(ignored))


def _common_types(mine: list[str], theirs: list[str]) -> Any:
    both = []
    for kind in mine:
        if kind in theirs or (kind == "integer" and "number" in theirs):
            both.append(kind)
        elif kind == "number" and "integer" in theirs and "integer" not in mine:
            both.append("integer")
    return both[0] if len(both) == 1 else both
