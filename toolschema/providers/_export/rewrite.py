"""A schema in the words of a provider that takes only some of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from toolschema._json.pointer import join
from toolschema.providers._export.clashes import Clashes
from toolschema.providers._export.conjunction import Conjunction, Node
from toolschema.providers._export.containers import DONE, FREE, Containers
from toolschema.providers._export.modern import ANNOTATIONS
from toolschema.providers._export.profile import Profile
from toolschema.providers._export.reading import Reading, name_of
from toolschema.providers._export.report import Loss
from toolschema.providers._export.root import plain_root
from toolschema.providers._export.values import HINTS, takes_null, type_of, types_of

MOST_BRANCHES = 32
MOST_NODES = 20_000
"""Subschemas of one payload; beyond, unions are not multiplied out."""
TWICE = "null means absent in one branch and null in another, and nothing tells them apart"
NOT_TAKEN = "is not taken"
_SHOWN = ("title", "description", "default")


@dataclass(slots=True)
class Rewriter:
    """Rewrites one reading; what is weaker or narrower afterwards is in its report."""

    reading: Reading
    profile: Profile
    absent: set[tuple[int, str]] = field(default_factory=set)
    """Objects of the result, by `id`, and their properties where null is for absent."""
    kept: list[Any] = field(default_factory=list)
    made: int = 0
    unions: list[tuple[Node, list[dict[str, Any]]]] = field(default_factory=list)
    pending: list[str] = field(default_factory=list)
    shown: list[str] = field(init=False)
    """Annotations that are kept."""
    conjunction: Conjunction = field(init=False)
    containers: Containers = field(init=False)

    def __post_init__(self) -> None:
        self.shown = [each for each in _SHOWN if each in (self.profile.keywords or ())]
        self.conjunction = Conjunction(self.reading)
        self.containers = Containers(self)

    def run(self) -> dict[str, Any]:
        """The whole: the root, and the definitions that it still refers to."""
        reading = self.reading
        if self.profile.is_root_plain:
            node = plain_root(reading, self.conjunction)
        else:
            node = self.conjunction.fold(reading.root)
            node = node and self.conjunction.expanded(node, (id(reading.root),), is_forced=True)
        root = None
        if node is not None:
            if "anyOf" not in node and "oneOf" not in node:
                reading.put(node, "type", "object", reading.place(node, "type"))
            root = self.of_node(node, is_root=True)
        if root is None:
            reading.lose(reading.root, "type", "impossible", "no object satisfies the schema")
            root = {"type": "object", "properties": {}}
        definitions: dict[str, Any] = {}
        while self.pending:
            name = self.pending.pop(0)
            if name not in definitions:
                target = reading.definitions[name]
                written = self.rewrite(target)
                if written is None:
                    reading.lose(target, "not", "impossible", "nothing satisfies the definition")
                definitions[name] = written or {}
        whole = {**root, "$defs": definitions} if definitions else root
        clashes = Clashes(whole, self.absent)
        for node, branches in self.unions:
            if clashes.among(branches):
                reading.losses.append(Loss(join(reading.place(node)), "anyOf", "narrowed", TWICE))
        return whole

    def rewrite(self, schema: Any) -> dict[str, Any] | None:
        """One subschema; None where nothing satisfies it."""
        if schema is True:
            return {}
        node = self.conjunction.fold(schema)
        return None if node is None else self.of_node(node)

    def of_node(self, node: Node, *, is_root: bool = False) -> dict[str, Any] | None:
        self.made += 1
        if "$ref" in node and self._shown(node) and not self.profile.takes_recursion:
            # What describes it would make a union of it, and these are counted.
            expanded = self.conjunction.expanded(node)
            if expanded is None or "$ref" not in expanded:
                return None if expanded is None else self.of_node(expanded)
        if "$ref" in node:
            return self._reference(node)
        for keyword in ("anyOf", "oneOf"):
            if keyword in node:
                return self._union(node, keyword)
        if "enum" in node and not self._listed(node, types_of(node)):
            return None
        types = self._types(node)
        if types is None:
            return self._free(node)
        containers = [each for each in types if each in ("object", "array")]
        if len(types) > 1 and containers:
            return self._any_of(node, [self._with_type(node, each) for each in types])
        written = self._shown(node)
        if types:
            written["type"] = types[0] if len(types) == 1 else types
        self._values(node, written, types)
        if containers == ["object"] or (not types and node.keys() & HINTS["object"]):
            self.containers.object(node, written, is_root=is_root)
        if containers == ["array"] or (not types and node.keys() & HINTS["array"]):
            self.containers.array(node, written)
        self._others(node, written, types)
        self.kept.append(written)
        return written

    def nullable(self, written: dict[str, Any]) -> dict[str, Any]:
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
        shown = {each: written.pop(each) for each in self.shown if each in written}
        return {**shown, "anyOf": [written, {"type": "null"}]}

    def takes_null(self, schema: Any) -> bool:
        return takes_null(self.reading, schema)

    def _shown(self, node: Node) -> dict[str, Any]:
        return {each: node[each] for each in self.shown if each in node}

    def _reference(self, node: Node) -> dict[str, Any]:
        if node["$ref"] != "#":
            self.pending.append(name_of(node["$ref"]))
        for keyword in node.keys() & ANNOTATIONS - {*self.shown}:
            self._drop(node, keyword)
        shown = self._shown(node)
        if not shown:
            return {"$ref": node["$ref"]}
        # Beside a reference nothing is taken; beside a union of one it is.
        return {**shown, "anyOf": [{"$ref": node["$ref"]}]}

    def _union(self, node: Node, keyword: str) -> dict[str, Any] | None:
        branches = node[keyword]
        rest = self.reading.make(self.reading.place(node))
        for each in _but(node, {keyword, *ANNOTATIONS}):
            self.reading.put(rest, each, node[each], self.reading.place(node, each))
        if keyword == "oneOf":
            self.reading.lose(node, keyword, "rewritten", "is said as anyOf")
        if len(rest) and (len(branches) > MOST_BRANCHES or self.made > MOST_NODES):
            self._drop(node, keyword)
            return self.of_node(self.conjunction.both(rest, self._annotations(node)) or rest)
        folded = [self.conjunction.fold(each) for each in branches]
        return self._any_of(node, [self.conjunction.both(rest, each) for each in folded])

    def _annotations(self, node: Node) -> Node:
        made = self.reading.make(self.reading.place(node))
        for each in [each for each in node if each in ANNOTATIONS]:
            self.reading.put(made, each, node[each], self.reading.place(node, each))
        return made

    def _any_of(self, node: Node, branches: list[Node | None]) -> dict[str, Any] | None:
        written = [self.of_node(each) for each in branches if each is not None]
        kept = [each for each in written if each is not None]
        for keyword in node.keys() & ANNOTATIONS - {*self.shown}:
            self._drop(node, keyword)
        if len(kept) > 1 and self.profile.is_complete:
            self.unions.append((node, kept))
        return {**self._shown(node), "anyOf": kept} if kept else None

    def _with_type(self, node: Node, kind: str) -> Node:
        """The part of a node that is about values of one type."""
        others = set().union(*(HINTS[each] for each in HINTS if each != _family(kind)))
        made = self.reading.make(self.reading.place(node))
        for each in _but(node, ANNOTATIONS | others):
            self.reading.put(made, each, node[each], self.reading.place(node, each))
        self.reading.put(made, "type", kind, self.reading.place(node, "type"))
        return made

    def _types(self, node: Node) -> list[str] | None:
        """The types to ask for; None where one must be asked for and none is known."""
        types = types_of(node)
        if "enum" in node:
            # Each type has a value, and each value a type.
            used = list(dict.fromkeys(type_of(each) for each in self._listed(node, types)))
            is_number = "number" in types and "integer" in used
            types = ["number" if is_number and each == "integer" else each for each in used]
        if "number" in types and "integer" in types:
            types = [each for each in types if each != "integer"]
        types = list(dict.fromkeys(types))
        if types or not self.profile.is_closed:
            return types
        hinted = [each for each in HINTS if node.keys() & HINTS[each]]
        if len(hinted) != 1:
            return None
        note = f"has to be given; values that are no {hinted[0]} cannot be sent"
        self.reading.lose(node, "type", "narrowed", note)
        return hinted

    def _free(self, node: Node) -> dict[str, Any]:
        self.reading.lose(node, "type", "impossible", FREE)
        for keyword in node.keys() - {*self.shown}:
            self._drop(node, keyword)
        return self._shown(node)

    @staticmethod
    def _listed(node: Node, types: list[str]) -> list[Any]:
        """The values of an ``enum`` that its type takes, too."""
        return [
            each
            for each in node["enum"]
            if not types
            or type_of(each) in types
            or (type_of(each) == "integer" and "number" in types)
        ]

    def _values(self, node: Node, written: dict[str, Any], types: list[str]) -> None:
        if "enum" not in node:
            return
        values = self._listed(node, types)
        if set(map(type_of, values)) <= self.profile.scalar_enums:
            written["enum"] = list({repr(each): each for each in values}.values())
        else:
            self.reading.lose(node, "enum", "dropped", "values of these types are not taken")

    def _others(self, node: Node, written: dict[str, Any], types: list[str]) -> None:
        """Keywords that are neither about types nor about what is inside."""
        done = DONE | {"type", "enum", *self.shown}
        families = {_family(each) for each in types}
        for keyword in sorted(node.keys() - done):
            owner = next((each for each in HINTS if keyword in HINTS[each]), None)
            if types and owner is not None and owner not in families:
                continue  # it says nothing of values of these types
            self._other(node, written, keyword)

    def _other(self, node: Node, written: dict[str, Any], keyword: str) -> None:
        profile, value = self.profile, node[keyword]
        lose = self.reading.lose
        if keyword in ("exclusiveMinimum", "exclusiveMaximum") and keyword not in (
            profile.keywords or ()
        ):
            plain = keyword.replace("exclusiveM", "m")
            if plain in (profile.keywords or ()) and plain not in node:
                lose(node, keyword, "rewritten", f"is said as {plain}, which takes the bound too")
                written[plain] = value
                return
        if keyword not in (profile.keywords or ()):
            self._drop(node, keyword)
        elif keyword == "format" and profile.formats is not None and value not in profile.formats:
            lose(node, keyword, "dropped", f'the format "{value}" is not taken')
        elif keyword == "pattern" and profile.no_pattern and profile.no_pattern.search(value):
            lose(node, keyword, "dropped", "what this pattern uses is not taken")
        elif keyword == "minItems" and value > (profile.most_min_items or value):
            written[keyword] = profile.most_min_items
            lose(node, keyword, "rewritten", f"is taken up to {profile.most_min_items}")
        else:
            written[keyword] = value

    def _drop(self, node: Node, keyword: str) -> None:
        self.reading.lose(node, keyword, "dropped", NOT_TAKEN)


def _but(node: Node, keywords: set[str] | frozenset[str]) -> list[str]:
    return [each for each in node if each not in keywords]


def _family(kind: str) -> str:
    return "number" if kind == "integer" else kind
