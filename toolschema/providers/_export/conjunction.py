"""Schemas that must all hold, said as one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from toolschema.providers._export.modern import ANNOTATIONS
from toolschema.providers._export.reading import Reading
from toolschema.providers._export.values import key, types_of

MOST_HOPS = 30
"""References that one place follows before it gives up."""
APPLICATORS = frozenset({"$ref", "$dynamicRef", "$recursiveRef", "anyOf", "oneOf", "if", "allOf"})
_HIGHEST = {"minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"}
_LOWEST = {"maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"}
_LEADER = {"then": "if", "else": "if", "minContains": "contains", "maxContains": "contains"}
"""Keywords that mean nothing without another."""
MOST_EXPANSIONS = 5_000
"""References of one tool whose targets are put in their place."""
Node = dict[str, Any]
Above = tuple[int, ...]
NOT_BOTH = "cannot be said together with another schema that must hold"


@dataclass(slots=True)
class Conjunction:
    """Folds what stands side by side into one subschema.

    What cannot be folded is left out, which makes the result weaker, and is
    reported. A result never has an ``allOf`` or a ``const``; it has a ``$ref``
    only with annotations beside it.
    """

    reading: Reading
    endless: frozenset[str] = field(init=False)
    """References that lead back to themselves."""
    expansions: int = 0

    def __post_init__(self) -> None:
        self.endless = self.reading.endless()

    def fold(self, schema: Any, above: Above = ()) -> Node | None:
        """One subschema that says what *schema* does; None where nothing satisfies it."""
        if not isinstance(schema, dict):
            return self.reading.make(()) if schema else None
        first = self.reading.make(self.reading.place(schema))
        for keyword in schema:
            if keyword not in ("allOf", "const"):
                self._take(first, schema, keyword)
        if "const" in schema:
            place = self.reading.place(schema, "const")
            listed = schema.get("enum", [schema["const"]])
            kept = [each for each in listed if key(each) == key(schema["const"])]
            self.reading.put(first, "enum", kept, place)
        node: Node | None = first
        for each in schema.get("allOf", ()):
            node = self.both(node, self.fold(each, above), above)
        if node is not None and "$ref" in node and not _is_bare(node, "$ref"):
            node = self.expanded(node, above)
        return None if node is None else self._evaluated(node)

    def both(self, one: Node | None, other: Node | None, above: Above = ()) -> Node | None:
        """What satisfies both; the words of *one* win."""
        if one is None or other is None:
            return None
        if not _is_bare(one) and not _is_bare(other):
            mine, theirs = self.expanded(one, above), self.expanded(other, above)
            if mine is None or theirs is None:
                return None
            if "$ref" in mine or "$ref" in theirs:
                return self._referring(mine, theirs)
            one, other = mine, theirs
        node = self._copied(one)
        for keyword in other:
            if _LEADER.get(keyword) in one:
                self.reading.lose(other, keyword, "dropped", NOT_BOTH)
            elif keyword not in one:
                self._take(node, other, keyword)
        self._properties(node, one, other)
        for keyword in one.keys() & other.keys() - {"properties", *_LEADER}:
            self._merge(node, one, other, keyword)
        if node.get("type") == [] or node.get("enum") == []:
            return None
        return node

    def expanded(self, node: Node, above: Above = (), *, is_forced: bool = False) -> Node | None:
        """The same with the target of its ``$ref`` in place.

        One that leads back to itself stays, without what stands beside it.
        """
        if "$ref" not in node:
            return node
        target = self.reading.target(node["$ref"])
        is_endless = node["$ref"] in self.endless or self.expansions > MOST_EXPANSIONS
        if id(target) in above or len(above) >= MOST_HOPS or (is_endless and not is_forced):
            return self._referring(node, self.reading.make(self.reading.place(node)))
        self.expansions += 1
        rest = self._copied(node)
        del rest["$ref"]
        return self.both(rest, self.fold(target, (*above, id(target))), (*above, id(target)))

    def _referring(self, one: Node, other: Node) -> Node:
        """The reference of one of two nodes, with nothing but annotations beside it."""
        owner = one if "$ref" in one else other
        made = self.reading.make(self.reading.place(one))
        for node in (one, other):
            for keyword in node:
                if keyword in ANNOTATIONS and keyword not in made:
                    self._take(made, node, keyword)
                elif keyword not in ANNOTATIONS and (keyword != "$ref" or node is not owner):
                    note = "stands beside a reference that leads back to itself"
                    self.reading.lose(node, keyword, "dropped", note)
        self._take(made, owner, "$ref")
        return made

    def _take(self, node: Node, source: Node, keyword: str) -> None:
        self.reading.put(node, keyword, source[keyword], self.reading.place(source, keyword))

    def _copied(self, source: Node) -> Node:
        node = self.reading.make(self.reading.place(source))
        for keyword in source:
            self._take(node, source, keyword)
        return node

    def _evaluated(self, node: Node) -> Node:
        """Without ``unevaluated…``, where ``additional…`` says the same or it says nothing."""
        if "unevaluatedProperties" in node and not (
            node.keys() & APPLICATORS or "dependentSchemas" in node
        ):
            place = self.reading.place(node, "unevaluatedProperties")
            value = node.pop("unevaluatedProperties")
            if "additionalProperties" not in node:
                self.reading.put(node, "additionalProperties", value, place)
        return node

    def _joined(self, place: tuple[Any, ...], *schemas: Any) -> Any:
        """A schema for all of *schemas* at once; what is always true adds nothing."""
        said = [each for each in schemas if each is not True and each != {}]
        if False in [each for each in said if isinstance(each, bool)]:
            return False
        if len(said) < 2:
            return said[0] if said else True
        first = said[0]
        made = self.reading.make(self.reading.place(first) if isinstance(first, dict) else place)
        self.reading.put(made, "allOf", said, place)
        return made

    def _properties(self, node: Node, one: Node, other: Node) -> None:
        names = dict.fromkeys([*one.get("properties", {}), *other.get("properties", {})])
        if not names:
            return
        place = self.reading.place(one if "properties" in one else other, "properties")
        joined = {}
        for name in names:
            sides = [self._property(each, name) for each in (one, other)]
            joined[name] = self._joined((*place, name), *sides)
        self.reading.put(node, "properties", joined, place)

    def _property(self, node: Node, name: str) -> Any:
        """What a node says of the property *name*, as far as it can be told here."""
        if name in node.get("properties", {}):
            return node["properties"][name]
        if "patternProperties" in node:
            if node.get("additionalProperties", True) is not True:
                self.reading.lose(node, "patternProperties", "dropped", NOT_BOTH)
            return True
        return node.get("additionalProperties", True)

    def _merge(self, node: Node, one: Node, other: Node, keyword: str) -> None:
        mine, theirs = one[keyword], other[keyword]
        put, place = self.reading.put, self.reading.place(one, keyword)
        if keyword in ANNOTATIONS or key(mine) == key(theirs):
            return
        if keyword == "type":
            put(node, keyword, _types(types_of(one), types_of(other)), place)
        elif keyword == "enum":
            shared = {key(each) for each in theirs}
            put(node, keyword, [each for each in mine if key(each) in shared], place)
        elif keyword in _HIGHEST or keyword in _LOWEST:
            is_theirs = theirs > mine if keyword in _HIGHEST else theirs < mine
            if is_theirs:
                self._take(node, other, keyword)
        elif keyword == "required":
            put(node, keyword, list(dict.fromkeys([*mine, *theirs])), place)
        elif keyword == "uniqueItems":
            if not mine:
                self._take(node, other, keyword)
        elif keyword == "additionalProperties" or (
            keyword == "items" and "prefixItems" not in one.keys() & other.keys()
        ):
            put(node, keyword, self._joined(place, mine, theirs), place)
        else:
            self.reading.lose(other, keyword, "dropped", NOT_BOTH)


def _is_bare(node: Node, *but: str) -> bool:
    """Whether a node says nothing of the value."""
    return not (node.keys() - ANNOTATIONS - set(but))


def _types(mine: list[str], theirs: list[str]) -> Any:
    both = []
    for each in mine:
        if each in theirs or (each == "integer" and "number" in theirs):
            both.append(each)
        elif each == "number" and "integer" in theirs and "integer" not in mine:
            both.append("integer")
    return both[0] if len(both) == 1 else both
