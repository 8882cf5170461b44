"""A schema rewritten for a provider that supports only some keywords."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from toolschema._json.kinds import narrowest_type, primitive
from toolschema.providers._export.all_of import AllOf, Node
from toolschema.providers._export.ambiguous_null import AmbiguousNull
from toolschema.providers._export.modern import ANNOTATIONS
from toolschema.providers._export.profiles import Profile
from toolschema.providers._export.reading import Reading, Tokens, name_of
from toolschema.providers._export.report import NOT_SUPPORTED, UNSUPPORTED_PATTERN, Effect
from toolschema.providers._export.root import NO_OBJECT, plain_root
from toolschema.providers._export.values import HINTS, allows_type, takes_null, types_of

MAX_BRANCHES = 32
MAX_SCHEMAS = 20_000
"""Subschemas of one payload; beyond this, unions are not multiplied out."""
_CONTENTS = frozenset(
    {
        "properties", "required", "additionalProperties", "patternProperties", "items",
        "prefixItems", "unevaluatedProperties",
    }
)  # fmt: skip
"""Keywords that `_object` and `_array` handle."""
_KEPT_ANNOTATIONS = ("title", "description", "default")
_ANY_VALUE = "a schema that accepts any value is not supported"
_AMBIGUOUS = "null means absent in one branch and null in another, and nothing tells them apart"


@dataclass(slots=True)
class SubsetWriter:
    """Rewrites one reading; what is weaker or narrower afterwards is in its report."""

    reading: Reading
    profile: Profile
    absent: set[tuple[int, str]] = field(default_factory=set)
    """Properties for which null means absent: `id` of the ``properties``, and the name."""
    kept: list[Any] = field(default_factory=list)
    """What `absent` refers to by `id`."""
    written: int = 0
    unions: list[tuple[Node, list[dict[str, Any]]]] = field(default_factory=list)
    pending: list[str] = field(default_factory=list)
    all_of: AllOf = field(init=False)

    def __post_init__(self) -> None:
        self.all_of = AllOf(self.reading)

    def write(self) -> dict[str, Any]:
        """The whole: the root, and the definitions that it still refers to."""
        reading = self.reading
        node = plain_root(reading, self.all_of) if self.profile.is_root_plain else self._root()
        root = None if node is None else self._node(node, is_root=True)
        if root is None:
            reading.lose(reading.root, "type", "impossible", NO_OBJECT)
            root = {"type": "object", "properties": {}}
        whole = root | reading.write_definitions(self.pending, self._definition)
        ambiguous_null = AmbiguousNull(whole, self.absent)
        for node, branches in self.unions:
            if ambiguous_null.is_in(branches):
                reading.lose_at(reading.location(node), "anyOf", "narrowed", _AMBIGUOUS)
        return whole

    def _root(self) -> Node | None:
        node = self.all_of.root()
        if node is not None and "anyOf" not in node and "oneOf" not in node:
            self.reading.put(node, "type", "object", self.reading.location(node, "type"))
        return node

    def _definition(self, schema: dict[str, Any]) -> dict[str, Any]:
        written = self.rewrite(schema)
        if written is None:
            self.reading.lose(schema, "not", "impossible", "nothing satisfies the definition")
        return written or {}

    def rewrite(self, schema: Any) -> dict[str, Any] | None:
        """One subschema; None where nothing satisfies it."""
        if schema is True:
            return {}
        node = self.all_of.fold(schema)
        return None if node is None else self._node(node)

    def _node(self, node: Node, *, is_root: bool = False) -> dict[str, Any] | None:
        self.written += 1
        if "$ref" in node and self._annotated(node) and not self.profile.supports_recursion:
            # An annotation beside it would make it a union, and these are counted.
            expanded = self.all_of.expanded(node)
            if expanded is None or "$ref" not in expanded:
                return None if expanded is None else self._node(expanded)
        if "$ref" in node:
            return self._reference(node)
        for keyword in ("anyOf", "oneOf"):
            if keyword in node:
                return self._union(node, keyword)
        if "enum" in node and not _allowed_values(node):
            return None
        types = self._types(node)
        if types is None:
            return self._untyped(node)
        containers = [kind for kind in types if kind in ("object", "array")]
        if len(types) > 1 and containers:
            return self._any_of(node, [self._of_type(node, kind) for kind in types])
        written = self._annotated(node)
        if types:
            written["type"] = types[0] if len(types) == 1 else types
        self._enum(node, written)
        if containers == ["object"] or (not types and node.keys() & HINTS["object"]):
            self._object(node, written, is_root=is_root)
        if containers == ["array"] or (not types and node.keys() & HINTS["array"]):
            self._array(node, written)
        self._others(node, written, types)
        return written

    def _nullable(self, written: dict[str, Any]) -> dict[str, Any]:
        """The same, and null."""
        if not written:
            return written
        kind = written.get("type")
        if kind == "null" or (isinstance(kind, list) and "null" in kind):
            return written
        if "anyOf" in written and "type" not in written:
            return {**written, "anyOf": [*written["anyOf"], {"type": "null"}]}
        if kind and kind not in ("object", "array"):
            types = [*([kind] if isinstance(kind, str) else kind), "null"]
            listed = {"enum": [*written["enum"], None]} if "enum" in written else {}
            return {**written, "type": types, **listed}
        annotated = self._annotated(written)
        rest = {keyword: written[keyword] for keyword in written if keyword not in annotated}
        return {**annotated, "anyOf": [rest, {"type": "null"}]}

    def _annotated(self, node: Node) -> dict[str, Any]:
        """The annotations that are kept."""
        kept = [keyword for keyword in _KEPT_ANNOTATIONS if keyword in self.profile.keywords]
        return {keyword: node[keyword] for keyword in kept if keyword in node}

    def _annotated_only(self, node: Node) -> dict[str, Any]:
        """The same, and the others are reported."""
        annotated = self._annotated(node)
        self._drop(node, node.keys() & ANNOTATIONS - annotated.keys())
        return annotated

    def _reference(self, node: Node) -> dict[str, Any]:
        if node["$ref"] != "#":
            self.pending.append(name_of(node["$ref"]))
        annotated = self._annotated_only(node)
        if not annotated:
            return {"$ref": node["$ref"]}
        # Nothing is allowed beside a reference, but beside a union of one it is.
        return {**annotated, "anyOf": [{"$ref": node["$ref"]}]}

    def _union(self, node: Node, keyword: str) -> dict[str, Any] | None:
        branches, all_of = node[keyword], self.all_of
        rest = self.reading.without(node, {keyword, *ANNOTATIONS})
        if keyword == "oneOf":
            self.reading.lose(node, keyword, "rewritten", "written as anyOf")
        if rest and (len(branches) > MAX_BRANCHES or self.written > MAX_SCHEMAS):
            self._drop(node, [keyword])
            annotations = self.reading.part(node, [name for name in node if name in ANNOTATIONS])
            return self._node(all_of.both(rest, annotations) or rest)
        folded = [all_of.fold(branch) for branch in branches]
        return self._any_of(node, [all_of.both(rest, branch) for branch in folded])

    def _any_of(self, node: Node, branches: list[Node | None]) -> dict[str, Any] | None:
        rewritten = [self._node(branch) for branch in branches if branch is not None]
        kept = [branch for branch in rewritten if branch is not None]
        annotated = self._annotated_only(node)
        if len(kept) > 1 and self.profile.is_complete:
            self.unions.append((node, kept))
        return {**annotated, "anyOf": kept} if kept else None

    def _of_type(self, node: Node, kind: str) -> Node:
        """The part of a node that applies to values of one type."""
        others = set().union(*(HINTS[other] for other in HINTS if other != primitive(kind)))
        made = self.reading.without(node, ANNOTATIONS | others)
        self.reading.put(made, "type", kind, self.reading.location(node, "type"))
        return made

    def _types(self, node: Node) -> list[str] | None:
        """The types to ask for; None where one must be asked for and none is known."""
        types = types_of(node)
        if "enum" in node:
            # Each type must have a value, and each value a type.
            used = dict.fromkeys(map(narrowest_type, _allowed_values(node)))
            is_number = "number" in types
            types = ["number" if is_number and kind == "integer" else kind for kind in used]
        if "number" in types and "integer" in types:
            types = [kind for kind in types if kind != "integer"]
        types = list(dict.fromkeys(types))
        if types or not self.profile.is_closed:
            return types
        hinted = [kind for kind in HINTS if node.keys() & HINTS[kind]]
        if len(hinted) != 1:
            return None
        note = f"a type is required, so only values of type {hinted[0]} can be sent"
        self.reading.lose(node, "type", "narrowed", note)
        return hinted

    def _untyped(self, node: Node) -> dict[str, Any]:
        self.reading.lose(node, "type", "impossible", _ANY_VALUE)
        annotated = self._annotated(node)
        self._drop(node, node.keys() - annotated.keys())
        return annotated

    def _enum(self, node: Node, written: dict[str, Any]) -> None:
        if "enum" not in node:
            return
        values = _allowed_values(node)
        if set(map(narrowest_type, values)) <= self.profile.enum_types:
            written["enum"] = list({repr(value): value for value in values}.values())
        else:
            note = "values of these types are not supported"
            self.reading.lose(node, "enum", "dropped", note)

    def _others(self, node: Node, written: dict[str, Any], types: list[str]) -> None:
        """Keywords that are neither about types nor about properties and items."""
        handled = _CONTENTS | {"type", "enum", *self._annotated(node)}
        families = {primitive(kind) for kind in types}
        for keyword in sorted(node.keys() - handled):
            owner = next((kind for kind in HINTS if keyword in HINTS[kind]), None)
            if not types or owner is None or owner in families:  # else it does not apply
                self._other(node, written, keyword)

    def _other(self, node: Node, written: dict[str, Any], keyword: str) -> None:
        profile, value = self.profile, node[keyword]
        supported, lose = profile.keywords, self.reading.lose
        inclusive = keyword.replace("exclusiveM", "m")
        if keyword not in supported:
            if inclusive in supported and inclusive not in node:
                lose(node, keyword, "rewritten", f"written as {inclusive}, which allows the bound")
                written[inclusive] = value
            else:
                self._drop(node, [keyword])
        elif keyword == "format" and profile.formats is not None and value not in profile.formats:
            lose(node, keyword, "dropped", f'the format "{value}" is not supported')
        elif keyword == "pattern" and profile.refuses_pattern(value):
            lose(node, keyword, "dropped", UNSUPPORTED_PATTERN)
        elif keyword == "minItems" and value > (profile.largest_min_items or value):
            written[keyword] = profile.largest_min_items
            note = f"supported only up to {profile.largest_min_items}"
            lose(node, keyword, "rewritten", note)
        else:
            written[keyword] = value

    def _object(self, node: Node, written: dict[str, Any], *, is_root: bool) -> None:
        reading = self.reading
        if "unevaluatedProperties" in node:
            self._drop(node, ["unevaluatedProperties"])
        if not self.profile.is_closed:
            self._open_object(node, written)
            return
        properties = dict(node.get("properties", {}))
        rest = node.get("additionalProperties", True)
        patterns = node.get("patternProperties", {})
        is_open = rest is not False or bool(patterns)
        if is_open:
            for name in node.get("required", ()):
                if name not in properties:
                    properties[name] = True if patterns else rest
                    note = f'"{name}" is required but not declared'
                    reading.lose(node, "required", "narrowed", note)
        keyword = "patternProperties" if patterns else "additionalProperties"
        if is_open and not properties and not (is_root and rest is True and not patterns):
            note = "an object with arbitrary properties is not supported"
            reading.lose(node, keyword, "impossible", note)
            written["properties"] = {}
            values = (self.rewrite(rest) or {}) if isinstance(rest, dict) else True
            written["additionalProperties"] = values
            return
        if is_open:
            reading.lose(node, keyword, "narrowed", "only declared properties can be sent")
        self._closed_object(node, written, properties)

    def _closed_object(
        self, node: Node, written: dict[str, Any], properties: dict[str, Any]
    ) -> None:
        required, is_complete = node.get("required", ()), self.profile.is_complete
        made: dict[str, Any] = {}
        for name, schema in properties.items():
            location = (*self.reading.location(node, "properties"), name)
            if schema is True:
                self.reading.lose_at(location, "type", "impossible", _ANY_VALUE)
            below = self.rewrite(schema)
            if below is None:
                continue  # no value satisfies it, so it can only be left out
            if is_complete and name not in required:
                if takes_null(self.reading, schema):
                    self._lose_absence(schema, location)
                else:
                    below = self._nullable(below)
                    self.absent.add((id(made), name))
            made[name] = below
        written["properties"] = made
        if is_complete:
            written["required"] = list(made)
            self.kept.append(made)
        elif required:
            written["required"] = [name for name in required if name in made]
        written["additionalProperties"] = False

    def _lose_absence(self, schema: Any, location: Tokens) -> None:
        """Report that a property that may be null can no longer be left out."""
        effect: Effect = "narrowed"
        note = "cannot be left out: where it is absent, the tool receives null"
        if isinstance(schema, dict) and schema.get("default", True) is None:
            effect, note = "rewritten", "null is sent, which is its default"
        self.reading.lose_at(location, "required", effect, note)

    def _open_object(self, node: Node, written: dict[str, Any]) -> None:
        """An object that may keep its ``additionalProperties``."""
        reading = self.reading
        made: dict[str, Any] = {}
        rest = node.get("additionalProperties", True)
        if "patternProperties" in node:
            self._drop(node, ["patternProperties"])
            if rest is not True:
                note = "does not mean the same without patternProperties"
                reading.lose(node, "additionalProperties", "dropped", note)
            rest = True
        for name, schema in node.get("properties", {}).items():
            below = self.rewrite(schema)
            if below is not None:
                made[name] = below
            elif rest is not False:
                note = f'requiring "{name}" to be absent is not supported'
                reading.lose(node, "properties", "dropped", note)
        if made or "properties" in node:
            written["properties"] = made
        if node.get("required"):
            written["required"] = node["required"]
        if rest is not True:
            below = self.rewrite(rest)
            if below != {}:
                written["additionalProperties"] = False if below is None else below

    def _array(self, node: Node, written: dict[str, Any]) -> None:
        reading = self.reading
        prefix, rest = node.get("prefixItems", []), node.get("items", True)
        made: list[dict[str, Any]] = []
        for schema in prefix:
            below = self.rewrite(schema)
            if below is None:
                rest = False  # no item is possible here, nor after it
                break
            made.append(below)
        below = self.rewrite(rest)
        if below is None:
            most = min(len(made), node.get("maxItems", len(made)))
            reading.put(node, "maxItems", most, reading.location(node, "items"))
        if not self.profile.is_closed:
            if made:
                written["prefixItems"] = made
            if below:
                written["items"] = below
            return
        if rest is True and not prefix:
            reading.lose(node, "items", "impossible", _ANY_VALUE)
        if prefix:
            self._tuple(node, made, below, is_open=rest is True)
            below = _any_of(made + ([below] if below and rest is not True else []))
        written["items"] = {"type": "string"} if below is None else below

    def _tuple(
        self, node: Node, made: list[Any], rest: dict[str, Any] | None, *, is_open: bool
    ) -> None:
        """Report that every item may now be what any of them may."""
        lose = self.reading.lose
        lose(node, "prefixItems", "rewritten", "the order of the items is not supported")
        if is_open:
            lose(node, "prefixItems", "narrowed", "only items like the first ones can be sent")
        if {} in made or (rest == {} and not is_open):
            lose(node, "prefixItems", "impossible", _ANY_VALUE)

    def _drop(self, node: Node, keywords: Iterable[str]) -> None:
        for keyword in keywords:
            self.reading.lose(node, keyword, "dropped", NOT_SUPPORTED)


def _allowed_values(node: Node) -> list[Any]:
    """The values of an ``enum`` that the type allows, too."""
    return [value for value in node["enum"] if allows_type(node, value)]


def _any_of(schemas: list[dict[str, Any]]) -> dict[str, Any] | None:
    distinct = list({repr(schema): schema for schema in schemas}.values())
    if "'properties'" in repr(distinct):
        distinct = schemas  # null may mean different things in schemas that look the same
    if len(distinct) < 2:
        return distinct[0] if distinct else None
    return {"anyOf": distinct}
