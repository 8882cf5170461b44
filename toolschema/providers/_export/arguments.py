"""The arguments of a call, without the nulls that only a provider's strict mode needs."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, TypeVar

from toolschema import Limits
from toolschema._json.equality import key_of
from toolschema._json.kinds import narrowest_type
from toolschema._json.text import decode
from toolschema.providers._export.reading import Tokens
from toolschema.providers._export.report import Exported
from toolschema.providers._export.values import allows_type, followed, types_of

MAX_DEPTH = 100
"""Levels below which nothing is changed; such arguments are refused anyway."""
Arguments = TypeVar("Arguments")


def import_arguments(exported: Exported, arguments: Arguments) -> Arguments | str:
    """Remove every null that only says that an optional property is absent.

    Nothing else is changed or repaired, and nothing is checked: pass the result,
    with the tool itself, to `parse_tool_arguments` if it is JSON text and to
    `validate_tool_arguments` if it is a value.

    Args:
        exported: What the model was shown.
        arguments: JSON text or a value, as the provider sent it.

    Returns:
        Text for text and a value for a value. Arguments without such a null are
        returned as they are, and so is text that is not JSON or has duplicate names.

    >>> from toolschema import ToolDefinition
    >>> from toolschema.providers.openai_chat import export_tool
    >>> schema = {"properties": {"a": {"type": "string"}}, "additionalProperties": False}
    >>> exported = export_tool(ToolDefinition("t", "", schema), strict=True)
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
    parameters = exported.payload.get("function", exported.payload)["parameters"]
    removal = _NullRemoval(parameters, frozenset(exported.null_means_absent))
    made = removal.value(parameters, (), value)
    if not removal.has_removed:
        return arguments
    return json.dumps(made) if is_text else made


@dataclass(slots=True)
class _NullRemoval:
    root: dict[str, Any]
    absent: frozenset[Tokens]
    known: dict[tuple[int, int, bool], bool] = field(default_factory=dict)
    """Whether a value has the shape of a schema, by the `id` of both, which stay alive."""
    has_removed: bool = False

    def value(self, schema: dict[str, Any], tokens: Tokens, value: Any, depth: int = 0) -> Any:
        """The value without what is to be removed; the original is not changed."""
        if depth > MAX_DEPTH or type(value) not in (dict, list):
            return value
        schema, tokens = followed(self.root, schema, tokens)
        if "anyOf" in schema:
            index = self._meant_branch(schema["anyOf"], value)
            if index is None:
                return value
            return self.value(schema["anyOf"][index], (*tokens, "anyOf", index), value, depth + 1)
        if type(value) is list:
            items = schema.get("items")
            if not isinstance(items, dict):
                return value
            return [self.value(items, (*tokens, "items"), item, depth + 1) for item in value]
        properties = schema.get("properties", {})
        made: dict[Any, Any] = {}
        for name, member in value.items():
            path = (*tokens, "properties", name)
            if type(name) is not str or name not in properties:
                made[name] = member
            elif member is None and path in self.absent:
                self.has_removed = True
            else:
                made[name] = self.value(properties[name], path, member, depth + 1)
        return made

    def _meant_branch(self, branches: list[dict[str, Any]], value: Any) -> int | None:
        """The branch whose shape a value has, or at least its type."""
        for is_deep in (True, False):
            for index, branch in enumerate(branches):
                if self._fits(branch, value, is_deep=is_deep):
                    return index
        typed = [
            index
            for index, branch in enumerate(branches)
            if narrowest_type(value) in types_of(branch) or "$ref" in branch
        ]
        return typed[0] if len(typed) == 1 else None

    def _fits(self, schema: dict[str, Any], value: Any, *, is_deep: bool, depth: int = 0) -> bool:
        if depth > MAX_DEPTH:
            return True
        pair = (id(schema), id(value), is_deep)
        if pair not in self.known:
            self.known[pair] = True  # assumed where a recursion comes back to it
            self.known[pair] = self._has_shape(schema, value, is_deep=is_deep, depth=depth)
        return self.known[pair]

    def _has_shape(self, schema: dict[str, Any], value: Any, *, is_deep: bool, depth: int) -> bool:
        def fits(below: dict[str, Any], member: Any) -> bool:
            return self._fits(below, member, is_deep=is_deep, depth=depth + 1)

        schema, _ = followed(self.root, schema)
        if "anyOf" in schema:
            return any(fits(branch, value) for branch in schema["anyOf"])
        if not allows_type(schema, value):
            return False
        if "enum" in schema and key_of(value) not in map(key_of, schema["enum"]):
            return False
        if type(value) is dict and schema.get("additionalProperties") is False:
            properties = schema.get("properties", {})
            if value.keys() != properties.keys():
                return False
            # A tag tells which branch is meant, whatever else is wrong.
            compared = [name for name in value if is_deep or "enum" in properties[name]]
            return all(fits(properties[name], value[name]) for name in compared)
        if type(value) is list and is_deep and isinstance(schema.get("items"), dict):
            return all(fits(schema["items"], item) for item in value)
        return True
