"""Random tools like those that people write, and a model that sends their arguments."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

from toolschema import ToolDefinition, ToolSchemaError, check_tool_arguments
from toolschema.providers._export.report import Exported

MOST_WAYS = 16
NAMES = ["a", "b", "c", "kind"]
TEXTS = ["", "a", "ab", "abc", "2020-01-01", "x@y.zz"]


class Tools:
    """Tools with closed objects, unions, definitions and references of every kind."""

    def __init__(self, random: Random) -> None:
        self.random, self.pick = random, random.choice
        self.names = ["d", "e"]

    def schema(self) -> dict[str, Any]:
        root = self.object(3)
        definitions = {name: self.below(2) for name in self.names}
        return {**root, "type": "object", "$defs": definitions}

    def object(self, depth: int) -> dict[str, Any]:
        names = self.random.sample(NAMES, self.random.randint(0, 3))
        made: dict[str, Any] = {"type": "object", "additionalProperties": False}
        made["properties"] = {name: self.below(depth - 1) for name in names}
        made["required"] = [name for name in names if self.random.random() < 0.5]
        if names and self.random.random() < 0.1:
            made["anyOf"] = [{"required": [name]} for name in names]
        return made

    def below(self, depth: int) -> dict[str, Any]:
        kind = self.random.random()
        if kind < 0.15:
            reference = self.pick([*(f"#/$defs/{name}" for name in self.names), "#"])
            if self.random.random() < 0.2:
                reference = f"#/properties/{self.pick(NAMES)}"
            beside: dict[str, Any] = self.pick([{}, {}, {"description": "d"}, {"maxLength": 2}])
            return {"$ref": reference, **beside}
        if depth <= 0 or kind < 0.5:
            return self.scalar()
        if kind < 0.7:
            return self.object(depth)
        if kind < 0.8:
            bounds: list[dict[str, Any]] = [{}, {"minItems": 1}, {"maxItems": 2}]
            bounds.append({"uniqueItems": True})
            return {"type": "array", "items": self.below(depth - 1), **self.pick(bounds)}
        if kind < 0.95:
            keyword = self.pick(["anyOf", "anyOf", "oneOf"])
            return {keyword: [self.below(depth - 1) for _ in range(self.random.randint(1, 3))]}
        return {"allOf": [self.below(depth - 1) for _ in range(self.random.randint(1, 2))]}

    def scalar(self) -> dict[str, Any]:
        return dict(self.pick([
            {"type": "string"}, {"type": "string", "maxLength": 2}, {"type": ["string", "null"]},
            {"type": "integer"}, {"type": "integer", "minimum": 1}, {"type": "null"},
            {"type": "boolean"}, {"enum": ["a", "b", None]}, {"const": "a"}, {"const": 1},
            {"type": "string", "enum": ["a", "ab"]}, {"type": "number", "multipleOf": 0.5},
            {"type": "string", "pattern": "^a", "default": "a"}, {"type": ["integer", "string"]},
            {"type": "string", "format": "date"}, {"type": ["object", "null"], "properties":
                {"a": {"type": "string"}}, "additionalProperties": False},
        ]))  # fmt: skip

    def value(self, root: dict[str, Any], schema: Any, depth: int = 5) -> Any:
        """A value that mostly satisfies *schema*."""
        if depth <= 0 or not isinstance(schema, dict):
            return self.pick([None, 1, "a", {}, []])
        if "$ref" in schema:
            target: Any = root
            for name in schema["$ref"].split("/")[1:]:
                target = target.get(name, {})
            return self.value(root, target, depth - 1)
        for keyword in ("anyOf", "oneOf", "allOf"):
            if keyword in schema and "properties" not in schema:
                return self.value(root, self.pick(schema[keyword]), depth)
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            return self.pick(schema["enum"])
        kind = schema.get("type", "object")
        kind = self.pick(kind) if isinstance(kind, list) else kind
        if kind == "object":
            return {
                name: self.value(root, below, depth - 1)
                for name, below in schema.get("properties", {}).items()
                if name in schema.get("required", ()) or self.random.random() < 0.4
            }
        if kind == "array":
            return [
                self.value(root, schema["items"], depth - 1) for _ in range(self.pick([0, 1, 2]))
            ]
        values: dict[str, list[Any]] = {
            "string": TEXTS, "integer": [0, 1, 2], "number": [0.5, 1, 0.3], "null": [None],
            "boolean": [True, False],
        }  # fmt: skip
        return self.pick(values[kind])


class Model:
    """Sends arguments in the form that the schema of a payload requires."""

    def __init__(self, exported: Exported, parameters: dict[str, Any]) -> None:
        # Where everything is required, an absent property is sent as null.
        function = exported.payload.get("function", exported.payload)
        self.sends_null = "parameters" in function and function["strict"] is True
        self.root = parameters
        self.tool = ToolDefinition("t", "", parameters)
        self.asked: dict[int, Any] = {}

    def sent(self, arguments: dict[str, Any]) -> list[dict[str, Any]]:
        """The same arguments in all forms that the payload accepts, or in many of them."""
        if not self.sends_null:
            return [] if check_tool_arguments(self.tool, arguments) else [arguments]
        ways = islice(self.ways(self.root, (), arguments), MOST_WAYS * 4)
        return [way for way in ways if not check_tool_arguments(self.tool, way)]

    def ways(self, schema: dict[str, Any], tokens: tuple[Any, ...], value: Any) -> Iterator[Any]:
        if "$ref" in schema:
            name = schema["$ref"].removeprefix("#/$defs/")
            if name == "#":
                yield from self.ways(self.root, (), value)
            else:
                yield from self.ways(self.root["$defs"][name], ("$defs", name), value)
        elif "anyOf" in schema:
            for index, branch in enumerate(schema["anyOf"]):
                for way in islice(self.ways(branch, (*tokens, "anyOf", index), value), MOST_WAYS):
                    if self.takes(branch, way):
                        yield way
        elif isinstance(value, dict):
            yield from self.objects(schema, tokens, value)
        elif isinstance(value, list) and isinstance(schema.get("items"), dict):
            yield from self.lists(schema["items"], (*tokens, "items"), value)
        else:
            yield value

    def takes(self, branch: dict[str, Any], value: Any) -> bool:
        tool = self.asked.get(id(branch))
        if tool is None:
            definitions = {**moved(self.root.get("$defs", {})), "(root)": moved(self.root)}
            schema = {"properties": {"v": moved(branch)}, "$defs": definitions}
            tool = self.asked[id(branch)] = ToolDefinition("t", "", schema)
        return not check_tool_arguments(tool, {"v": value})

    def objects(
        self, schema: dict[str, Any], tokens: tuple[Any, ...], value: dict[str, Any]
    ) -> Iterator[dict[str, Any]]:
        made: list[dict[str, Any]] = [{}]
        properties = schema.get("properties", {})
        for name in dict.fromkeys([*properties, *value]):
            path = (*tokens, "properties", name)
            if name in value:
                below = properties.get(name, {})
                options = list(islice(self.ways(below, path, value[name]), MOST_WAYS))
            elif name in schema.get("required", ()):
                options = [None]
            else:
                continue
            made = [{**partial, name: option} for partial in made for option in options][:MOST_WAYS]
        yield from made

    def lists(self, items: Any, tokens: tuple[Any, ...], value: list[Any]) -> Iterator[list[Any]]:
        made: list[list[Any]] = [[]]
        for item in value:
            options = list(islice(self.ways(items, tokens, item), MOST_WAYS))
            made = [[*one, option] for one in made for option in options][:MOST_WAYS]
        yield from made


def moved(value: Any) -> Any:
    """A part of a payload, with references to the root redirected to a definition."""
    if isinstance(value, list):
        return [moved(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        name: "#/$defs/(root)" if (name, member) == ("$ref", "#") else moved(member)
        for name, member in value.items()
    }


def some_tool(random: Random) -> ToolDefinition | None:
    try:
        return ToolDefinition("t", "", Tools(random).schema())
    except ToolSchemaError:
        return None
