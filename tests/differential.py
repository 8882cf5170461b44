"""Compare both engines on the same random schemas and values, by seed.

``python tests/differential.py --verdicts 1000000 --seed 7`` prints how much was
compared and the smallest example of each class of disagreement, and exits with
1 if there is one. Every schema has its own random source, so the seed
printed with it is enough to reproduce it.
"""

from __future__ import annotations

import argparse
import json
import logging
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple
from urllib.parse import quote

from toolschema import Issue, ToolDefinition, ToolSchemaError, check_tool_arguments
from toolschema._json.findings import Finding, Findings
from toolschema._json.pointer import Token, join
from toolschema._validation.explain.context import Explanation
from toolschema._validation.explain.engine import collect, explain

PER_SCHEMA, PER_HARD_SCHEMA = 40, 8
"""Values per schema; an abandoned search takes a thousand times as long as a finished one."""
STEPS = 1_000_000
SECRET, SECRET_NUMBER, SECRET_NAME = "SECRET", 8675309, "HUSHED"
"""Markers in strings, numbers and names that no message may show."""

URIS = {
    "2020-12": "https://json-schema.org/draft/2020-12/schema",
    "2019-09": "https://json-schema.org/draft/2019-09/schema",
    "draft-07": "http://json-schema.org/draft-07/schema#",
}
ROOT = "https://case.invalid/root.json"
GUEST = "https://case.invalid/guest.json"

COMMON = ["a", "b", "c", "ab"]
NAMES = [
    *COMMON,
    "",
    "0",
    "a/b",
    "m~n",
    "é",
    "p%q",
    "a b",
    'a"b',
    "$ref",
    "items",
    "if",
    "__proto__",
]
TEXTS = [
    "", "a", "b", "ab", "aaa", "abc", "é", "😀", "a\n", "1", "true", "null", "{}", "[", "e30=",
    "2020-01-01", "x@y.zz", "127.0.0.1", "http://x/y", "A", "\0", "$ref", "#/a",
]  # fmt: skip
NUMBERS = [
    0, 1, -1, 2, 3, 4, 10, 0.0, -0.0, 1.0, 2.0, 0.1, 0.3, 0.5, 1.5, 0.07, 1.1, 19.99, 1e-7, 1e22,
    1e300, 2**53, 2**53 + 1, float(2**53), 2**63, 2**64, -(2**63) - 1, 10**22, 10**30, 10**400,
]  # fmt: skip
DIVISORS = [1, 2, 3, 10, 0.5, 0.1, 0.01, 0.3, 1.5, 3.0, 1e-8, 0.07, 2**53 + 1, 10**20]
PATTERNS = [
    "^a", "b$", "^[ab]+$", "a|b", ".", "^$", "^.{2}$", r"\d", r"^\w+$", "é", r"\bab", "(?=a)",
    r"^(a)\1", "^(?!a)", r"\p{L}", "[^]", r"^\S*$", "a{2,}", "^😀$", "(?<!a)b", "/", "~",
]  # fmt: skip
HARD = {"^(?:a|a|(?!x)a)*$": "^a*$", "^(?:(?=a)a|a)+b": "^a+b"}
"""Patterns that exceed the backtrack limit on a string of many a's, with equivalents that do not."""
HARD_TEXT = "a" * 40 + "c"
FORMATS = [
    "date", "date-time", "time", "duration", "email", "hostname", "ipv4", "ipv6", "uri",
    "uri-reference", "uri-template", "uuid", "regex", "json-pointer", "unknown",
]  # fmt: skip
TYPES = ["string", "number", "integer", "boolean", "null", "array", "object"]
COUNTS = [0, 1, 2, 3, 2.0]
HINTS = {
    "object": {
        "properties", "patternProperties", "additionalProperties", "propertyNames", "required",
        "minProperties", "maxProperties", "dependentRequired", "dependentSchemas",
        "dependencies", "unevaluatedProperties",
    },
    "array": {
        "items", "prefixItems", "additionalItems", "contains", "unevaluatedItems", "minItems",
        "maxItems", "uniqueItems",
    },
    "string": {"pattern", "format", "minLength", "maxLength", "contentMediaType"},
    "number": {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"},
}  # fmt: skip
"""The keywords that apply to each type."""


class Case(NamedTuple):
    schema: dict[str, Any]
    resources: dict[str, Any]
    targets: dict[str, Any]
    """The subschemas that references of the tool resolve to, by reference."""
    is_hard: bool

    def define(self, *, hides: bool = True) -> ToolDefinition:
        return ToolDefinition(
            "tool", "", self.schema, resources=self.resources, hide_undeclared_names=hides
        )


class Source:
    """Random choices, and values unrelated to any schema."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.pick = random.choice

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def some(self, least: int, most: int) -> range:
        return range(self.random.randint(least, most))

    def name(self) -> str:
        return self.pick(COMMON if self.chance(0.75) else NAMES)

    def names(self, most: int) -> list[str]:
        return list(dict.fromkeys(self.name() for _ in self.some(0, most)))

    def scalar(self) -> Any:
        return self.pick([self.pick(TEXTS), self.pick(NUMBERS), None, True, False])

    def value(self, depth: int = 2) -> Any:
        kind = self.random.random()
        if kind < 0.65 or not depth:
            return self.scalar()
        if kind < 0.82:
            return [self.value(depth - 1) for _ in self.some(0, 3)]
        return {self.name(): self.value(depth - 1) for _ in self.some(0, 3)}


class Schemas(Source):
    """Schemas of one dialect, using every keyword it has."""

    def __init__(self, random: Random, dialect: str | None = None) -> None:
        super().__init__(random)
        self.dialect = dialect or random.choices(list(URIS), [5, 2, 2])[0]
        self.is_old = self.dialect == "draft-07"
        self.keyword = "definitions" if self.is_old else "$defs"
        self.is_dynamic = not self.is_old and self.chance(0.2)
        self.is_hard = self.chance(0.02)
        self.patterns = list(HARD) if self.is_hard else PATTERNS
        self.room = self.pick([5, 10, 20, 40])
        self.references: list[str] = []

    def case(self) -> Case:
        names = self.random.sample(["d", "d/1", "d~2", "dé", "d%25"], self.random.randint(1, 3))
        has_part, has_guest = self.chance(0.2), self.chance(0.1)
        pointers = {name: f"#/{self.keyword}/{quote(join([name])[1:])}" for name in names}
        root: dict[str, Any] = {"$schema": URIS[self.dialect]}
        if self.dialect == "2020-12" and self.chance(0.5):
            del root["$schema"]
        if has_part or self.chance(0.1):
            root["$id"] = ROOT
        self.references = [*pointers.values(), "#here", "#/properties/v"]
        self.references += ["part.json"] * has_part + [GUEST] * has_guest
        root |= {
            "type": "object",
            "properties": {"v": self.hard() if self.is_hard else self.schema(4)},
        }
        definitions = {name: self.schema(3) for name in names}
        definitions["here"] = self.anchored({}, "$anchor", "here")
        if self.is_old:
            definitions["here"]["$id"] = "#here"
        self.scope(root, definitions)
        if has_part:
            definitions["part"] = self.part()
        root[self.keyword] = definitions
        targets = {pointers[name]: definitions[name] for name in names}
        targets |= {"#/properties/v": root["properties"]["v"], "#here": definitions["here"]}
        targets |= {"part.json": definitions.get("part"), "#node": root, "#": root}
        guest = {GUEST: Schemas(self.random, self.pick(list(URIS))).guest()} if has_guest else {}
        return Case(root, guest, targets | guest, self.is_hard)

    def hard(self) -> dict[str, Any]:
        """A subschema that applies, or may apply, a pattern that takes too long."""
        pattern = {"pattern": self.pick(list(HARD))}
        shapes: list[dict[str, Any]] = [
            pattern, {"not": pattern}, {"items": pattern}, {"contains": pattern},
            {"not": {"contains": pattern}}, {"properties": {"a": pattern}, "minProperties": 1},
            {"propertyNames": pattern}, {"patternProperties": {pattern["pattern"]: False}},
            {"if": pattern, "then": self.schema(2), "else": self.schema(2)},
            {"anyOf": [pattern, self.schema(2)]}, {"oneOf": [self.schema(2), pattern]},
            {"additionalProperties": {"not": pattern}}, {"type": "string", **pattern},
        ]  # fmt: skip
        return self.pick(shapes)

    def guest(self) -> dict[str, Any]:
        """A separate resource, in any dialect."""
        self.is_dynamic, self.patterns = False, PATTERNS
        self.references = [f"#/{self.keyword}/x"]
        said = self.pick([{"type": self.pick(TYPES)}, {}]) | self.bare(2)
        return {"$schema": URIS[self.dialect], **said, self.keyword: {"x": self.schema(2)}}

    def part(self) -> dict[str, Any]:
        """A resource inside the tool's schema."""
        self.references = [f"#/{self.keyword}/x", f"{ROOT}#/properties/v", "part.json"]
        definitions = {"x": self.schema(2)}
        part = {"$id": "part.json", **self.bare(2)}
        self.scope(part, definitions)
        return {**part, self.keyword: definitions}

    def scope(self, root: dict[str, Any], definitions: dict[str, Any]) -> None:
        """Give a resource the anchors that dynamic references resolve to."""
        if not self.is_dynamic:
            return
        if self.dialect == "2019-09":
            if self.chance(0.6):
                root["$recursiveAnchor"] = True
            return
        if self.chance(0.6):
            root["$dynamicAnchor"] = "node"
        else:
            definitions["node"] = self.anchored({}, "$dynamicAnchor", "node")
        definitions["leaf"] = self.anchored({}, self.pick(["$dynamicAnchor", "$anchor"]), "leaf")

    def anchored(self, schema: dict[str, Any], keyword: str, name: str) -> dict[str, Any]:
        anchor = {} if self.is_old else {keyword: name}
        return {**schema, **self.bare(2), **anchor}

    def bare(self, depth: int) -> dict[str, Any]:
        """Keywords without a reference beside them."""
        schema: dict[str, Any] = {}
        for _ in range(self.pick([1, 1, 2, 2, 3, 4])):
            self.assert_in(schema) if self.chance(0.45) else self.apply_in(schema, depth - 1)
        return schema

    def schema(self, depth: int) -> Any:
        self.room -= 1
        if self.room < 0 or depth <= 0:
            schema: dict[str, Any] = {}
            self.assert_in(schema)
            return self.pick([True, False]) if self.chance(0.12) else schema
        if self.chance(0.05):
            return self.pick([True, True, False])
        if self.references and self.chance(0.12):
            return {"$ref": self.pick(self.references)} | (self.bare(1) if self.chance(0.4) else {})
        schema = self.bare(depth)
        if self.is_dynamic and self.chance(0.2):
            if self.dialect == "2020-12":
                schema["$dynamicRef"] = self.pick(["#node", "#node", "#leaf"])
            else:
                schema["$recursiveRef"] = "#"
        return schema

    def assert_in(self, schema: dict[str, Any]) -> None:
        pick = self.pick
        kind = self.random.randrange(22)
        if kind < 5:
            types = self.random.sample(TYPES, self.random.randint(1, 3))
            schema["type"] = pick(TYPES) if self.chance(0.7) else types
        elif kind == 5:
            schema["const"] = self.value()
        elif kind == 6:
            schema["enum"] = [self.value(1) for _ in self.some(1, 4)]
        elif kind < 9:
            bounds = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"]
            schema[pick(bounds)] = pick(NUMBERS)
        elif kind == 9:
            schema["multipleOf"] = pick(DIVISORS)
        elif kind == 10:
            schema[pick(["minLength", "maxLength"])] = pick(COUNTS)
        elif kind < 13:
            schema["pattern"] = pick(self.patterns)
        elif kind == 13:
            schema["format"] = pick(FORMATS)
        elif kind == 14:
            schema[pick(["minItems", "maxItems"])] = pick(COUNTS)
        elif kind == 15:
            schema["uniqueItems"] = self.chance(0.9)
        elif kind == 16:
            schema[pick(["minProperties", "maxProperties"])] = pick(COUNTS)
        elif kind < 19:
            schema["required"] = self.names(3)
        elif kind < 21:
            keyword = "dependencies" if self.is_old else "dependentRequired"
            schema[pick([keyword, keyword, "dependencies"])] = {self.name(): self.names(2)}
        else:
            media = pick(["application/json", "text/plain"])
            encoding = pick(["base64", "unknown"])
            schema |= pick([{"contentMediaType": media}, {}]) | pick(
                [{"contentEncoding": encoding}, {}]
            )

    def apply_in(self, schema: dict[str, Any], depth: int) -> None:
        pick = self.pick
        kind = self.random.randrange(24)
        if kind < 4:
            schema["properties"] = self.named(depth, 3)
        elif kind == 4:
            schema["patternProperties"] = {pick(self.patterns): self.schema(depth)}
        elif kind == 5:
            schema["additionalProperties"] = pick([False, self.schema(depth)])
        elif kind == 6:
            schema["propertyNames"] = self.schema(depth)
        elif kind < 9:
            self.apply_to_items(schema, depth)
        elif kind < 11:
            schema["contains"] = self.schema(depth)
            schema |= pick([{}, {"minContains": pick(COUNTS)}, {"maxContains": pick(COUNTS)}])
        elif kind < 14:
            schema["unevaluatedProperties"] = pick([False, False, self.schema(depth)])
        elif kind < 16:
            schema["unevaluatedItems"] = pick([False, False, self.schema(depth)])
        elif kind < 18:
            schema[pick(["allOf", "anyOf", "oneOf"])] = self.listed(depth)
        elif kind == 18:
            schema[pick(["anyOf", "oneOf"])] = self.tagged(depth)
        elif kind == 19:
            schema["not"] = self.schema(depth)
        elif kind < 22:
            branches = self.random.sample(["then", "else"], self.random.randint(1, 2))
            schema |= {keyword: self.schema(depth) for keyword in ("if", *branches)}
        else:
            keyword = "dependencies" if self.is_old else "dependentSchemas"
            schema[pick([keyword, keyword, "dependencies"])] = self.named(depth, 2)

    def apply_to_items(self, schema: dict[str, Any], depth: int) -> None:
        if self.chance(0.5):
            schema["items"] = self.schema(depth)
        elif self.dialect == "2020-12":
            schema["prefixItems"] = self.listed(depth)
        else:
            schema["items"] = self.listed(depth)
            if self.chance(0.6):
                schema["additionalItems"] = self.pick([False, self.schema(depth)])

    def named(self, depth: int, most: int) -> dict[str, Any]:
        return {self.name(): self.schema(depth) for _ in self.some(1, most)}

    def listed(self, depth: int) -> list[Any]:
        return [self.schema(depth) for _ in self.some(1, 3)]

    def tagged(self, depth: int) -> list[Any]:
        """Branches with a discriminator property, as in real tools."""
        tag = self.name()
        return [
            {
                "properties": {
                    self.name(): self.schema(depth),
                    tag: self.pick([{"const": self.scalar()}, {"enum": [self.scalar()]}]),
                },
                **self.pick([{"type": "object"}, {}]),
                **self.pick([{"required": [tag]}, {}]),
                **self.pick([{"additionalProperties": False}, {}]),
            }
            for _ in self.some(2, 4)
        ]


class Values(Source):
    """Values made from a schema: some satisfy it, and most nearly do."""

    def __init__(self, random: Random, case: Case) -> None:
        super().__init__(random)
        self.targets = case.targets
        self.is_hard = case.is_hard
        self.texts = [*TEXTS, *[HARD_TEXT] * 20] if case.is_hard else TEXTS

    def stray(self, depth: int = 1) -> Any:
        if self.chance(0.2):
            number = SECRET_NUMBER * 10 ** self.random.randint(0, 20) + 1
            return self.pick([f"{SECRET}{self.random.random()}", number, -number])
        return self.pick(self.texts) if self.chance(0.2) else self.value(depth)

    def property_name(self) -> str:
        if self.is_hard and self.chance(0.3):
            return HARD_TEXT
        return f"{SECRET_NAME}{self.random.random()}" if self.chance(0.08) else self.name()

    def fit(self, schema: Any, depth: int) -> Any:
        if depth <= 0 or not isinstance(schema, dict) or self.chance(0.06):
            return self.stray(min(max(depth, 0), 2))
        whole = self.whole(schema)
        listed = [whole["const"]] if "const" in whole else whole.get("enum")
        if listed and self.chance(0.9):
            return self.pick(listed)
        kind = whole.get("type") or self.pick(
            [name for name, keywords in HINTS.items() if keywords & whole.keys()] or TYPES
        )
        kind = self.pick(kind) if isinstance(kind, list) else kind
        if kind == "object":
            return self.object(whole, depth - 1)
        if kind == "array":
            return self.array(whole, depth - 1)
        if kind == "string":
            return self.pick(self.texts) if self.chance(0.8) else self.stray(0)
        if kind in ("number", "integer"):
            return self.number(whole)
        return self.pick([True, False]) if kind == "boolean" else None

    def whole(self, schema: dict[str, Any]) -> dict[str, Any]:
        """The schema merged with one branch of each of its in-place applicators."""
        whole = dict(schema)
        for keyword in ("allOf", "anyOf", "oneOf"):
            if keyword in schema:
                self.merge(whole, self.pick(schema[keyword]))
        for keyword in ("if", "then", "else"):
            if keyword in schema and self.chance(0.5):
                self.merge(whole, schema[keyword])
        for keyword in ("$ref", "$dynamicRef", "$recursiveRef"):
            if keyword in schema:
                self.merge(whole, self.targets.get(schema[keyword]))
        return whole

    @staticmethod
    def merge(whole: dict[str, Any], branch: Any) -> None:
        if isinstance(branch, dict):
            properties = {**whole.get("properties", {}), **branch.get("properties", {})}
            whole.update({**branch, **whole, "properties": properties} if properties else branch)

    def number(self, schema: dict[str, Any]) -> Any:
        near = [schema[keyword] for keyword in sorted(HINTS["number"]) if keyword in schema]
        if near and self.chance(0.7):
            number = self.pick(near)
            with_steps = [number, -number, 3 * number if abs(number) < 1e308 else number]
            return self.pick([*with_steps, number + 1 if abs(number) < 1e308 else number])
        return self.pick(NUMBERS) if self.chance(0.85) else self.stray(0)

    def object(self, schema: dict[str, Any], depth: int) -> dict[str, Any]:
        made: dict[str, Any] = {
            name: self.fit(subschema, depth)
            for name, subschema in schema.get("properties", {}).items()
            if self.chance(0.75)
        }
        asked_for = [*schema.get("required", ())]
        for keyword in ("dependentSchemas", "dependencies", "dependentRequired"):
            asked_for += schema.get(keyword, ())
        for name in asked_for:
            if self.chance(0.6):
                made.setdefault(name, self.stray())
        rest = schema.get("additionalProperties", schema.get("unevaluatedProperties"))
        for _ in range(self.pick([0, 0, 0, 1, 2])):
            made.setdefault(self.property_name(), self.fit(rest, depth))
        return made

    def array(self, schema: dict[str, Any], depth: int) -> list[Any]:
        items = schema.get("items")
        prefix = items if isinstance(items, list) else schema.get("prefixItems", [])
        rest = [
            schema[keyword] for keyword in ("contains", "unevaluatedItems") if keyword in schema
        ]
        rest += [schema.get("additionalItems", True) if isinstance(items, list) else items]
        made = [
            self.fit(prefix[index] if index < len(prefix) else self.pick(rest), depth)
            for index in range(self.pick([0, 1, 1, 2, 2, 3, 4]))
        ]
        return [*made, made[0]] if made and self.chance(0.1) else made

    def changed(self, value: Any) -> Any:
        """The value with one change."""
        if isinstance(value, dict) and value and self.chance(0.8):
            name, kind = self.pick(list(value)), self.random.random()
            kept = {key: below for key, below in value.items() if key != name or kind > 0.25}
            if kind > 0.45:
                return {**kept, name: self.changed(value[name])}
            return {**kept, self.property_name(): self.stray()} if kind > 0.25 else kept
        if isinstance(value, list) and value and self.chance(0.8):
            index, kind = self.random.randrange(len(value)), self.random.random()
            middle = [self.changed(value[index])] if kind > 0.5 else []
            middle = (
                [value[index], self.pick([value[index], self.stray()])] if kind < 0.3 else middle
            )
            return [*value[:index], *middle, *value[index + 1 :]]
        return self.stray()


def shuffled(random: Random, value: Any) -> Any:
    """The value with its names in another order."""
    if isinstance(value, list):
        return [shuffled(random, item) for item in value]
    if isinstance(value, dict):
        names = random.sample(list(value), len(value))
        return {name: shuffled(random, value[name]) for name in names}
    return value


class Disagreement(NamedTuple):
    kind: str
    seed: str
    case: Case
    arguments: Any
    detail: str

    @property
    def size(self) -> int:
        return len(json.dumps([self.case.schema, self.case.resources, self.arguments]))

    def __str__(self) -> str:
        said = [("schema", self.case.schema), ("resources", self.case.resources)]
        said += [("arguments", self.arguments)]
        lines = [f"  {name}: {json.dumps(value)}" for name, value in said]
        return "\n".join([f"{self.kind} (source {self.seed})", *lines, f"  {self.detail}"])


@dataclass
class Report:
    counts: Counter[str] = field(default_factory=Counter)
    keywords: Counter[str] = field(default_factory=Counter)
    """How often each keyword was found to fail."""
    classes: Counter[str] = field(default_factory=Counter)
    smallest: dict[str, Disagreement] = field(default_factory=dict)

    def add(self, found: Disagreement) -> None:
        self.classes[found.kind] += 1
        known = self.smallest.get(found.kind)
        if known is None or found.size < known.size:
            self.smallest[found.kind] = found

    def __str__(self) -> str:
        tables = [self.counts, self.keywords, self.classes]
        lines = [
            ", ".join(f"{name} {count}" for name, count in table.most_common()) for table in tables
        ]
        titles = ["compared", "found", "disagreements"]
        said = [f"{title}: {line or 'none'}" for title, line in zip(titles, lines, strict=True)]
        return "\n".join([*said, *map(str, self.smallest.values())])


def run(verdicts: int, seed: int) -> Report:
    """Compare until that many *verdicts* were given, each in every possible way."""
    report = Report()
    number = 0
    while report.counts["verdicts"] < verdicts:
        compare_one(f"{seed}:{number}", report)
        number += 1
    return report


def compare_one(seed: str, report: Report) -> None:
    """Compare both engines on one schema and its values."""
    random = Random(seed)  # noqa: S311
    case = Schemas(random).case()
    report.counts["schemas"] += 1
    try:
        tool = case.define()
    except ToolSchemaError:
        # Mostly cyclic references.
        report.counts["schemas refused"] += 1
        return
    other = None
    if random.random() < 0.3:
        again = {uri: shuffled(random, resource) for uri, resource in case.resources.items()}
        other = case._replace(schema=shuffled(random, case.schema), resources=again).define()
    report.counts["schemas with a dynamic scope"] += tool.compiled.survey.is_dynamic
    report.counts["schemas in two dialects"] += tool.compiled.survey.is_mixed
    values = Values(random, case)
    arguments: dict[str, Any] = {}
    for _ in range(PER_HARD_SCHEMA if case.is_hard else PER_SCHEMA):
        if arguments and random.random() < 0.4:
            arguments = {"v": values.changed(arguments["v"])}
        else:
            arguments = {"v": values.fit(case.schema["properties"]["v"], 5)}
        report.counts["verdicts"] += 1
        judge = hard_laws if case.is_hard else laws
        for kind, detail in judge(random, tool, other, arguments, report):
            report.add(Disagreement(kind, seed, case, arguments, detail))


Broken = Iterator[tuple[str, str]]
"""The name of a law that was broken, and how."""


def laws(
    random: Random,
    tool: ToolDefinition,
    other: ToolDefinition | None,
    arguments: dict[str, Any],
    report: Report,
) -> Broken:
    """Yield the laws broken by a value.

    *other* is the same tool with its names in another order.
    """
    is_valid = tool.compiled.is_valid(arguments)
    alone, asking = (explained(tool, arguments, asks_first=asks) for asks in (False, True))
    report.counts["valid" if is_valid else "invalid"] += 1
    report.keywords.update(finding.keyword for finding in alone.found)
    if not (alone.is_complete and asking.is_complete):
        yield "an explanation was cut", str(is_valid)
        return
    if tool.compiled.closed is not None and tool.compiled.closed[0](arguments):
        report.counts["valid at a glance"] += 1
        if not is_valid or depth(arguments) > tool.compiled.closed[1]:
            yield "the stricter schema accepts more", str(is_valid)
    if is_valid is bool(alone.found):
        yield f"the verdict {is_valid} is not the reference engine's", said(alone.found)
    if is_valid is bool(asking.found):
        yield f"the verdict {is_valid} is not explained", said(asking.found)
    if set(keys(alone)) != set(keys(asking)):
        yield "asking first changes what is found", f"{said(alone.found)} {said(asking.found)}"
    for finding in (*alone.found, *asking.found):
        yield from of_one_finding(finding, arguments)
    if other is not None and random.random() < 0.3:
        reordered = shuffled(random, arguments)
        again = explained(other, reordered, asks_first=True)
        if other.compiled.is_valid(reordered) is not is_valid:
            yield "the order of names changes the verdict", ""
        if set(keys(again)) != set(keys(asking)):
            yield "the order of names changes what is found", f"{said(again.found)}"
    if random.random() < 0.1:
        report.counts["verdicts at the front door"] += 1
        yield from at_the_front_door(tool, arguments, is_valid=is_valid)
        validator = tool.compiled.validator
        whole = explain(validator, arguments, STEPS, asks_first=False)
        if list(keys(whole)) != list(keys(alone)):
            yield "a thread of its own changes what is found", said(whole.found)


def depth(value: Any) -> int:
    """Levels of objects and arrays."""
    if isinstance(value, dict):
        value = list(value.values())
    return 1 + max(map(depth, value), default=0) if isinstance(value, list) else 0


def hard_laws(
    random: Random,
    tool: ToolDefinition,
    other: ToolDefinition | None,
    arguments: dict[str, Any],
    report: Report,
) -> Broken:
    """Yield the laws broken by a value for which a pattern may take too long.

    An abandoned search is not a verdict, and `not` would invert it. So both
    modes of the verdict engine must refuse, and so must the public functions. The
    quick mode, for short strings, may accept only if the search does not matter.
    """
    compiled = tool.compiled
    is_valid, is_careful = compiled.is_valid(arguments), compiled.careful(arguments)
    was_exceeded = compiled.careful.was_exceeded
    has_hard_name = compiled._has_backtracking_names and holds_the_hard_name(arguments)
    if not (was_exceeded or has_hard_name):
        yield from laws(random, tool, None, arguments, report)
        return
    report.counts["verdicts beyond the backtrack limit"] += 1
    if was_exceeded and is_careful:
        yield "a search that was given up is taken for a careful verdict", ""
    if is_valid:
        report.counts["valid whatever was beyond the limit"] += 1
        if not all(easy.compiled.is_valid(arguments) for easy in answered(tool)):
            yield "a search that was given up is taken for a verdict", ""
        return
    for given in (arguments, json.dumps(arguments)):
        issues = check_tool_arguments(tool, given)
        if not issues:
            yield "the front door lets pass what the engine refuses", ""
        yield from without_secrets(issues)


def answered(tool: ToolDefinition) -> Iterator[ToolDefinition]:
    """The tool with easy patterns, once such that the hard string does not match and once such that it does."""
    for more in ("", f"|^{HARD_TEXT}$"):
        text = json.dumps([tool.parameters, tool.resources])
        for hard, easy in HARD.items():
            text = text.replace(json.dumps(hard), json.dumps(easy + more))
        schema, resources = json.loads(text)
        yield ToolDefinition("tool", "", schema, resources=resources)


def holds_the_hard_name(value: Any) -> bool:
    if isinstance(value, dict):
        return HARD_TEXT in value or any(map(holds_the_hard_name, value.values()))
    return isinstance(value, list) and any(map(holds_the_hard_name, value))


def explained(tool: ToolDefinition, arguments: Any, *, asks_first: bool) -> Findings:
    """The result of `explain` without a separate thread; no value here is deep."""
    validator = tool.compiled.validator
    explanation = Explanation(validator.format_checker, STEPS, asks_first=asks_first)
    found = collect(validator, arguments, explanation, is_deep=True)
    return Findings(found, is_complete=not explanation.is_cut)


def keys(findings: Findings) -> Iterator[tuple[Any, ...]]:
    for finding in findings.found:
        yield finding.message, finding.keyword, finding.tokens, finding.keyword_tokens


def said(found: list[Finding]) -> str:
    return str([(join(finding.tokens), finding.keyword, finding.message) for finding in found])


def of_one_finding(finding: Finding, arguments: Any) -> Broken:
    if not resolves(finding.tokens, arguments):
        yield "a location leads nowhere", said([finding])
    if finding.keyword.startswith("@"):
        yield "a finding is no keyword's", said([finding])
    text = f"{finding.message} {finding.params}"
    if any(mark in text for mark in (SECRET, str(SECRET_NUMBER), SECRET_NAME)):
        yield "a secret is shown", text


def resolves(tokens: tuple[Token, ...], value: Any) -> bool:
    """Whether a location is in *value*, or names a property missing from it."""
    for position, token in enumerate(tokens):
        if isinstance(value, dict) and token not in value:
            return isinstance(token, str) and position == len(tokens) - 1
        if isinstance(value, list) and not (type(token) is int and 0 <= token < len(value)):
            return False
        if not isinstance(value, (dict, list)):
            return False
        value = value[token]  # type: ignore[index]
    return True


def at_the_front_door(tool: ToolDefinition, arguments: Any, *, is_valid: bool) -> Broken:
    """Yield the laws broken by the public functions, which also hide names."""
    issues = check_tool_arguments(tool, arguments)
    if is_valid is bool(issues):
        yield f"the verdict {is_valid} is not the front door's", str(issues)
    if issues != check_tool_arguments(tool, json.dumps(arguments)):
        yield "text and value have different issues", str(issues)
    if any(issue.keyword == "@disagreement" for issue in issues):
        yield "a disagreement is told", str(issues)
    yield from without_secrets(issues)


def without_secrets(issues: tuple[Issue, ...]) -> Broken:
    for issue in issues:
        text = f"{issue} {issue.params} {issue.keyword_location}"
        if any(mark in text for mark in (SECRET, str(SECRET_NUMBER), SECRET_NAME)):
            yield "a secret is shown at the front door", text


def main() -> int:
    parser = argparse.ArgumentParser(description="Compare both engines.")
    parser.add_argument("--verdicts", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    # A name that took too long to be searched is logged as a disagreement.
    logging.getLogger("toolschema").setLevel(logging.CRITICAL)
    report = run(given.verdicts, given.seed)
    print(report)
    return 1 if report.classes else 0


if __name__ == "__main__":
    sys.exit(main())
