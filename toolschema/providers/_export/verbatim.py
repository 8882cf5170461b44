"""A schema for a provider that takes every keyword: copied, except for what is refused."""

from __future__ import annotations

from functools import partial
from typing import Any

from toolschema._json.pointer import Token
from toolschema.providers._export.all_of import AllOf, Node
from toolschema.providers._export.modern import with_subschemas
from toolschema.providers._export.profiles import Profile
from toolschema.providers._export.reading import Reading, name_of
from toolschema.providers._export.report import UNSUPPORTED_PATTERN
from toolschema.providers._export.root import NO_OBJECT, plain_root

_INVERTING = frozenset({"not", "if", "oneOf", "contains"})
"""Below these, a weaker schema may refuse more."""
_NOT_AT_THE_ROOT = ("enum", "not")


class VerbatimWriter:
    """Copies one reading; what a provider refuses even without strict mode is left out."""

    def __init__(self, reading: Reading, profile: Profile) -> None:
        self.reading, self.profile = reading, profile
        self.pending: list[str] = []

    def write(self) -> dict[str, Any]:
        """The whole: the root, and the definitions that it refers to."""
        reading = self.reading
        node = plain_root(reading, AllOf(reading))
        if node is None:
            reading.lose(reading.root, "type", "impossible", NO_OBJECT)
            node = reading.make(())
        for keyword in _NOT_AT_THE_ROOT:
            if keyword in node:
                reading.lose(node, keyword, "dropped", "not supported at the root")
                del node[keyword]
        root: dict[str, Any] = {"type": "object", **self.copy(node)}
        root.setdefault("properties", {})
        return root | reading.write_definitions(self.pending, self.copy)

    def copy(self, schema: Any, *_: Token, inverted: bool = False) -> Any:
        if not isinstance(schema, dict):
            return schema
        made: dict[str, Any] = {}
        for keyword, value in schema.items():
            if not self._is_refused(schema, keyword, value, inverted=inverted):
                below = partial(self.copy, inverted=inverted or keyword in _INVERTING)
                made[keyword] = with_subschemas(keyword, value, below)
        if "$ref" in made and made["$ref"] != "#":
            self.pending.append(name_of(made["$ref"]))
        return made

    def _is_refused(self, node: Node, keyword: str, value: Any, *, inverted: bool) -> bool:
        if keyword in ("$dynamicRef", "$recursiveRef"):
            note = "has no meaning without its anchors"
            # What it evaluates would be refused where the rest is closed.
            self.reading.lose(node, keyword, "narrowed", note)
            return True
        if inverted and keyword in ("contentMediaType", "contentEncoding"):
            note = "asserted in draft-07 only"
            self.reading.lose(node, keyword, "narrowed", note)
        if keyword != "pattern" or not self.profile.refuses_pattern(value):
            return False
        effect: Any = "narrowed" if inverted else "dropped"
        self.reading.lose(node, keyword, effect, UNSUPPORTED_PATTERN)
        return True
