"""Example values: one for each format, and the smallest call of a tool."""

from __future__ import annotations

from typing import Any

from toolschema._calls.feedback.annotations import example
from toolschema._schema.dialect import Schema
from toolschema._schema.survey import Survey
from toolschema._validation.boundary import check_tool_arguments
from toolschema._validation.definition import ToolDefinition

FORMATS: dict[str, str] = {
    "date": "2031-05-02",
    "date-time": "2031-05-02T09:30:00Z",
    "duration": "PT45M",
    "email": "ada@example.com",
    "hostname": "www.example.com",
    "idn-email": "ada@example.com",
    "idn-hostname": "www.example.com",
    "ipv4": "192.0.2.7",
    "ipv6": "2001:db8::7",
    "iri": "https://example.com/a",
    "iri-reference": "/a",
    "json-pointer": "/a/0",
    "regex": "^[a-z]+$",
    "relative-json-pointer": "1/a",
    "time": "09:30:00Z",
    "uri": "https://example.com/a",
    "uri-reference": "/a",
    "uri-template": "https://example.com/{id}",
    "uuid": "123e4567-e89b-42d3-a456-426614174000",
}
"""One value of each asserted format; names and addresses are those reserved for examples."""

_DEEPEST, _MOST = 8, 200
_FREE: dict[str, Any] = {"boolean": True, "null": None, "array": [], "object": {}}


def smallest_call(tool: ToolDefinition[Any], *, trust_schema_text: bool) -> tuple[Any, bool]:
    """Arguments with only what is required, and whether they are valid.

    What cannot be made up, such as a string that matches a pattern, is ``"..."``.
    """
    survey = tool.compiled.survey
    made = _Making(survey, trusts=trust_schema_text).value(survey.root.contents, 0)
    value = made if type(made) is dict else {}
    return value, not check_tool_arguments(tool, value)


class _Making:
    def __init__(self, survey: Survey, *, trusts: bool) -> None:
        self._survey = survey
        self._trusts = trusts
        self._left = _MOST

    def value(self, schema: Schema, depth: int) -> Any:
        self._left -= 1
        if not isinstance(schema, dict) or depth > _DEEPEST or self._left < 0:
            return "..."
        if "const" in schema:
            return schema["const"]
        if schema.get("enum"):
            return schema["enum"][0]
        known = example([schema]) if self._trusts and depth else None
        if known is not None:
            return known[0]
        target = self._survey.targets.get(id(schema))
        for inner in (target, *schema.get("anyOf", ())[:1], *schema.get("oneOf", ())[:1]):
            if isinstance(inner, dict) and "properties" not in schema:
                return self.value(inner, depth + 1)
        return self._of_type(schema, depth)

    def _of_type(self, schema: dict[str, Any], depth: int) -> Any:
        types = schema.get("type", "object" if "properties" in schema or not depth else "string")
        name = types if isinstance(types, str) else types[0]
        if name == "object":
            return self._object(schema, depth)
        if name == "array":
            item = schema.get("items")
            return [self.value(item, depth + 1)] * min(int(schema.get("minItems", 0)), 3)
        if name in ("integer", "number"):
            return _number(schema)
        return FORMATS.get(schema.get("format", ""), "...") if name == "string" else _FREE[name]

    def _object(self, schema: dict[str, Any], depth: int) -> dict[str, Any]:
        made: dict[str, Any] = {}
        for part in (schema, *schema.get("allOf", ())):
            if isinstance(part, dict):
                properties = part.get("properties", {})
                for name in part.get("required", ()):
                    made[name] = self.value(properties.get(name, made.get(name)), depth + 1)
        return made


def _number(schema: dict[str, Any]) -> Any:
    for bound, step in (("minimum", 0), ("exclusiveMinimum", 1), ("maximum", 0)):
        if bound in schema:
            return schema[bound] + step
    return schema.get("multipleOf", 1)
