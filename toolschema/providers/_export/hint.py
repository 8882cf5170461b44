"""A schema that is only a hint to the model: as it is, but for what is refused."""

from __future__ import annotations

from typing import Any

from toolschema._schema.dialect import DRAFT_2020_12
from toolschema.providers._export.conjunction import Conjunction, Node
from toolschema.providers._export.modern import ANNOTATIONS
from toolschema.providers._export.profile import Profile
from toolschema.providers._export.reading import Reading, name_of
from toolschema.providers._export.root import plain_root

_TURNS = frozenset({"not", "if", "oneOf", "contains"})
"""Below these a weaker schema may refuse more."""
_NOT_AT_THE_ROOT = ("enum", "not")


class Hint:
    """Copies one reading; what a provider refuses even in a hint is left out."""

    def __init__(self, reading: Reading, profile: Profile) -> None:
        self.reading, self.profile = reading, profile
        self.pending: list[str] = []

    def run(self) -> dict[str, Any]:
        """The whole: the root, and the definitions that it refers to."""
        reading = self.reading
        node = plain_root(reading, Conjunction(reading))
        if node is None:
            reading.lose(reading.root, "type", "impossible", "no object satisfies the schema")
            node = reading.make(())
        for keyword in _NOT_AT_THE_ROOT:
            if keyword in node:
                reading.lose(node, keyword, "dropped", "is not taken at the root")
                del node[keyword]
        root = self.copy({"type": "object", **node}, node)
        root.setdefault("properties", {})
        definitions: dict[str, Any] = {}
        while self.pending:
            name = self.pending.pop(0)
            if name not in definitions:
                target = reading.definitions[name]
                definitions[name] = self.copy(target, target)
        return {**root, "$defs": definitions} if definitions else root

    def copy(self, schema: Any, place: Node, *, turned: bool = False) -> Any:
        """Copy a subschema; *place* is what the reading knows the place of."""
        if not isinstance(schema, dict):
            return schema
        made: dict[str, Any] = {}
        for keyword, value in schema.items():
            if not self._is_refused(place, keyword, value, turned=turned):
                made[keyword] = self._value(keyword, value, turned=turned or keyword in _TURNS)
        if "$ref" in made and made["$ref"] != "#":
            self.pending.append(name_of(made["$ref"]))
        return made

    def _value(self, keyword: str, value: Any, *, turned: bool) -> Any:
        if keyword in ANNOTATIONS:
            return value
        if keyword in DRAFT_2020_12.named and isinstance(value, dict):
            return {name: self.copy(each, each, turned=turned) for name, each in value.items()}
        if keyword in DRAFT_2020_12.many and isinstance(value, list):
            return [self.copy(each, each, turned=turned) for each in value]
        if keyword in DRAFT_2020_12.one:
            return self.copy(value, value, turned=turned)
        return value

    def _is_refused(self, node: Node, keyword: str, value: Any, *, turned: bool) -> bool:
        if keyword in ("$dynamicRef", "$recursiveRef"):
            note = "means something only beside its anchors"
            # What it evaluates would be refused where the rest is closed.
            self.reading.lose(node, keyword, "narrowed", note)
            return True
        if turned and keyword in ("contentMediaType", "contentEncoding"):
            note = "values are held to it in draft-07 only"
            self.reading.lose(node, keyword, "narrowed", note)
        refused = self.profile.no_pattern
        if keyword != "pattern" or refused is None or not refused.search(value):
            return False
        note = "what this pattern uses is not taken"
        self.reading.lose(node, keyword, "narrowed" if turned else "dropped", note)
        return True
