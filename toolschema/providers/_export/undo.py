"""The arguments of a call as the tool's own schema means them."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, TypeVar

from toolschema import Limits
from toolschema._json.pointer import Token
from toolschema._json.text import decode
from toolschema.providers._export.report import Exported
from toolschema.providers._export.values import key, type_of, types_of

DEEPEST = 100
"""Levels below which nothing is undone; such arguments are refused anyway."""
Tokens = tuple[Token, ...]
Arguments = TypeVar("Arguments")


def import_arguments(exported: Exported, arguments: Arguments) -> Arguments | str:
    """Take away each null that only says that an optional property is absent.

    Nothing else is changed or repaired, and nothing is checked: hand the
    result, with the tool itself, to `parse_tool_arguments` where it is text and
    to `validate_tool_arguments` where it is not.

    Args:
        exported: What the model was shown.
        arguments: Text or a value, as the provider sent it.

    Returns:
        Text for text and a value for a value. What has no such null in it comes
        back itself, and so does text that is not JSON, or has a name twice.

    >>> from toolschema import ToolDefinition
    >>> from toolschema.providers._export.openai import export_openai_chat
    >>> schema = {"properties": {"a": {"type": "string"}}, "additionalProperties": False}
    >>> exported = export_openai_chat(ToolDefinition("t", "", schema), strict=True)
    >>> import_arguments(exported, '{"a": null}')
    '{}'
    """
    if not exported.null_means_absent:
        return arguments
    value: Any = arguments
    is_text = isinstance(arguments, (str, bytes, bytearray, memoryview))
    if isinstance(arguments, (str, bytes, bytearray, memoryview)):
        value, finding = decode(arguments, Limits())
        if finding is not None:
            return arguments
    payload = exported.payload
    parameters = payload.get("function", payload)["parameters"]
    undone = _Undoing(parameters, frozenset(exported.null_means_absent)).undo(parameters, (), value)
    if undone is value:
        return arguments
    return json.dumps(undone) if is_text else undone


@dataclass(slots=True)
class _Undoing:
    root: dict[str, Any]
    absent: frozenset[Tokens]
    known: dict[tuple[int, int, bool], bool] = field(default_factory=dict)
    """Which values have the shape of which schemas, by `id` of what stays alive."""

    def undo(self, schema: dict[str, Any], tokens: Tokens, value: Any, depth: int = 0) -> Any:
        """The value itself where nothing in it is to be undone, or else a copy."""
        if depth > DEEPEST or type(value) not in (dict, list):
            return value
        schema, tokens = self._led(schema, tokens)
        if "anyOf" in schema:
            index = self._meant(schema["anyOf"], value)
            if index is None:
                return value
            return self.undo(schema["anyOf"][index], (*tokens, "anyOf", index), value, depth + 1)
        if type(value) is list:
            items = schema.get("items")
            if not isinstance(items, dict):
                return value
            made = [self.undo(items, (*tokens, "items"), each, depth + 1) for each in value]
            is_same = all(one is other for one, other in zip(made, value, strict=True))
            return value if is_same else made
        return self._object(schema, tokens, value, depth)

    def _object(
        self, schema: dict[str, Any], tokens: Tokens, value: dict[Any, Any], depth: int
    ) -> dict[Any, Any]:
        properties = schema.get("properties", {})
        made: dict[Any, Any] = {}
        for name, each in value.items():
            if type(name) is not str or name not in properties:
                made[name] = each
                continue
            path = (*tokens, "properties", name)
            if each is None and path in self.absent:
                continue
            made[name] = self.undo(properties[name], path, each, depth + 1)
        is_same = len(made) == len(value) and all(made[name] is value[name] for name in made)
        return value if is_same else made

    def _led(self, schema: dict[str, Any], tokens: Tokens) -> tuple[dict[str, Any], Tokens]:
        hops = 0
        while "$ref" in schema and hops < DEEPEST:
            hops += 1
            reference = schema["$ref"]
            if reference == "#":
                schema, tokens = self.root, ()
            else:
                name = reference.removeprefix("#/$defs/")
                schema, tokens = self.root["$defs"][name], ("$defs", name)
        return schema, tokens

    def _meant(self, branches: list[dict[str, Any]], value: Any) -> int | None:
        """The branch that a value has the shape of, or at least the type."""
        for is_deep in (True, False):
            for index, branch in enumerate(branches):
                if self._fits(branch, value, is_deep=is_deep):
                    return index
        typed = [
            index
            for index, branch in enumerate(branches)
            if type_of(value) in types_of(self._led(branch, ())[0]) or "$ref" in branch
        ]
        return typed[0] if len(typed) == 1 else None

    def _fits(self, schema: dict[str, Any], value: Any, *, is_deep: bool, depth: int = 0) -> bool:
        if depth > DEEPEST:
            return True
        place = (id(schema), id(value), is_deep)
        if place not in self.known:
            self.known[place] = True  # while it is being found out
            self.known[place] = self._has_shape(schema, value, is_deep=is_deep, depth=depth)
        return self.known[place]

    def _has_shape(self, schema: dict[str, Any], value: Any, *, is_deep: bool, depth: int) -> bool:
        def fits(below: dict[str, Any], each: Any) -> bool:
            return self._fits(below, each, is_deep=is_deep, depth=depth + 1)

        schema, _ = self._led(schema, ())
        if "anyOf" in schema:
            return any(fits(branch, value) for branch in schema["anyOf"])
        types, kind = types_of(schema), _kind(value)
        if types and kind not in types and not (kind == "integer" and "number" in types):
            return False
        if "enum" in schema and key(value) not in map(key, schema["enum"]):
            return False
        if type(value) is dict and schema.get("additionalProperties") is False:
            properties = schema.get("properties", {})
            if value.keys() != properties.keys():
                return False
            # A tag says which branch is meant, whatever else is wrong.
            asked = [name for name in value if is_deep or "enum" in properties[name]]
            return all(fits(properties[name], value[name]) for name in asked)
        if type(value) is list and is_deep and isinstance(schema.get("items"), dict):
            return all(fits(schema["items"], each) for each in value)
        return True


def _kind(value: Any) -> str:
    is_json = type(value) in (dict, list, str, int, float, bool, type(None))
    is_finite = type(value) is not float or value - value == 0
    return type_of(value) if is_json and is_finite else "none"
