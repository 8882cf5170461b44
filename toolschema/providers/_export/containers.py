"""Objects and arrays in the words of a provider."""

from __future__ import annotations

from typing import Any, Protocol

from toolschema._json.pointer import join
from toolschema.providers._export.conjunction import Node
from toolschema.providers._export.profile import Profile
from toolschema.providers._export.reading import Reading
from toolschema.providers._export.report import Loss

DONE = frozenset(
    {
        "properties", "required", "additionalProperties", "patternProperties", "items",
        "prefixItems", "unevaluatedProperties",
    }
)  # fmt: skip
"""Keywords that are dealt with here."""
FREE = "any value is accepted here, which cannot be said"
CLOSED = "only declared properties can be sent"
MAP = "an object of any properties cannot be said"


class Rewriting(Protocol):
    """What objects and arrays need of the rewriting that they are in."""

    reading: Reading
    profile: Profile
    absent: set[tuple[int, str]]
    kept: list[Any]

    def rewrite(self, schema: Any) -> dict[str, Any] | None: ...

    def nullable(self, written: dict[str, Any]) -> dict[str, Any]: ...

    def takes_null(self, schema: Any) -> bool: ...


class Containers:
    """What is inside an object or an array."""

    __slots__ = ("rewriter",)

    def __init__(self, rewriter: Rewriting) -> None:
        self.rewriter = rewriter

    def object(self, node: Node, written: dict[str, Any], *, is_root: bool) -> None:
        """Write the properties of *node*."""
        reading, profile = self.rewriter.reading, self.rewriter.profile
        properties = dict(node.get("properties", {}))
        required = [name for name in node.get("required", ()) if isinstance(name, str)]
        rest = node.get("additionalProperties", True)
        patterns = node.get("patternProperties", {})
        if not profile.is_closed:
            self._open(node, written, properties, required)
            return
        undeclared = [name for name in required if name not in properties]
        if rest is not False or patterns:
            for name in undeclared:
                properties[name] = True if patterns else rest
                reading.lose(node, "required", "narrowed", f'"{name}" is required, not declared')
        is_open = rest is not False or bool(patterns)
        if "unevaluatedProperties" in node:
            reading.lose(node, "unevaluatedProperties", "dropped", "is not taken")
        is_map = is_open and not properties and not (is_root and rest is True and not patterns)
        keyword = "patternProperties" if patterns else "additionalProperties"
        if is_map:
            reading.lose(node, keyword, "impossible", MAP)
            written["properties"] = {}
            written["additionalProperties"] = (
                (self.rewriter.rewrite(rest) or {}) if isinstance(rest, dict) else True
            )
            return
        if is_open:
            reading.lose(node, keyword, "narrowed", CLOSED)
        self._closed(node, written, properties, required)

    def _closed(
        self, node: Node, written: dict[str, Any], properties: dict[str, Any], required: list[str]
    ) -> None:
        rewriter, is_complete = self.rewriter, self.rewriter.profile.is_complete
        made: dict[str, Any] = {}
        for name, schema in properties.items():
            below = self._property(node, name, schema)
            if below is None:
                continue  # no value satisfies it, so it can only be left out
            if is_complete and name not in required:
                below = self._optional(node, name, schema, below)
            made[name] = below
        written["properties"] = made
        if is_complete:
            written["required"] = list(made)
        elif required:
            written["required"] = [name for name in dict.fromkeys(required) if name in made]
        written["additionalProperties"] = False
        if is_complete:
            rewriter.absent.update(
                (id(made), name)
                for name in made
                if name not in required and not rewriter.takes_null(properties[name])
            )
            rewriter.kept.append(made)

    def _property(self, node: Node, name: str, schema: Any) -> dict[str, Any] | None:
        if schema is True:
            reading = self.rewriter.reading
            place = (*reading.place(node, "properties"), name)
            reading.losses.append(Loss(join(place), "type", "impossible", FREE))
        return self.rewriter.rewrite(schema)

    def _optional(
        self, node: Node, name: str, schema: Any, below: dict[str, Any]
    ) -> dict[str, Any]:
        rewriter = self.rewriter
        if not rewriter.takes_null(schema):
            return rewriter.nullable(below)
        place = (*rewriter.reading.place(node, "properties"), name)
        if isinstance(schema, dict) and schema.get("default", True) is None:
            loss = Loss(join(place), "required", "rewritten", "null is sent, which is its default")
        else:
            note = "cannot be left out; what is sent instead arrives as null"
            loss = Loss(join(place), "required", "narrowed", note)
        rewriter.reading.losses.append(loss)
        return below

    def _open(
        self, node: Node, written: dict[str, Any], properties: dict[str, Any], required: list[str]
    ) -> None:
        """Where an object may keep its map, or stay open."""
        rewriter, reading = self.rewriter, self.rewriter.reading
        made: dict[str, Any] = {}
        rest, is_closed = node.get("additionalProperties", True), False
        if "patternProperties" in node:
            reading.lose(node, "patternProperties", "dropped", "is not taken")
            if rest is not True:
                note = "does not say the same without patternProperties"
                reading.lose(node, "additionalProperties", "dropped", note)
            rest = True
        if "unevaluatedProperties" in node:
            reading.lose(node, "unevaluatedProperties", "dropped", "is not taken")
        is_closed = rest is False
        for name, schema in properties.items():
            below = rewriter.rewrite(schema)
            if below is not None:
                made[name] = below
            elif not is_closed:
                note = f'that "{name}" must be absent cannot be said'
                reading.lose(node, "properties", "dropped", note)
        if made or "properties" in node:
            written["properties"] = made
        if required:
            written["required"] = list(dict.fromkeys(required))
        if rest is not True:
            below = None if is_closed else rewriter.rewrite(rest)
            if below != {}:
                written["additionalProperties"] = False if below is None else below

    def array(self, node: Node, written: dict[str, Any]) -> None:
        """Write the items of *node*."""
        rewriter, reading = self.rewriter, self.rewriter.reading
        prefix, rest = node.get("prefixItems", []), node.get("items", True)
        made: list[dict[str, Any]] = []
        for each in prefix:
            below = rewriter.rewrite(each)
            if below is None:
                rest = False  # nothing can stand here, nor behind it
                break
            made.append(below)
        below = rewriter.rewrite(rest)
        if below is None:
            most = min(len(made), node.get("maxItems", len(made)))
            reading.put(node, "maxItems", most, reading.place(node, "items"))
        if not rewriter.profile.is_closed:
            if made:
                written["prefixItems"] = made
            if below:
                written["items"] = below
            return
        if rest is True and not prefix:
            reading.lose(node, "items", "impossible", FREE)
        if prefix:
            self._mixed(node, made, below, is_open=rest is True)
            below = _one_of(made + ([below] if below and rest is not True else []))
        written["items"] = {"type": "string"} if below is None else below

    def _mixed(
        self, node: Node, made: list[Any], rest: dict[str, Any] | None, *, is_open: bool
    ) -> None:
        """Report that each item may now be what any of them may."""
        reading = self.rewriter.reading
        reading.lose(node, "prefixItems", "rewritten", "the order of the items cannot be said")
        if is_open:
            note = "only items like the first ones can be sent"
            reading.lose(node, "prefixItems", "narrowed", note)
        if {} in made or (rest == {} and not is_open):
            reading.lose(node, "prefixItems", "impossible", FREE)


def _one_of(schemas: list[dict[str, Any]]) -> dict[str, Any] | None:
    distinct = list({repr(each): each for each in schemas}.values())
    if "'properties'" in repr(distinct):
        distinct = schemas  # what look the same may mean null differently
    if len(distinct) < 2:
        return distinct[0] if distinct else None
    return {"anyOf": distinct}
