"""Coverage-guided fuzzing: whatever goes in, only documented exceptions come out.

    python tests/fuzzing.py parse -max_total_time=600
    python tests/fuzzing.py schema -max_total_time=600

Arguments after the target are libFuzzer's. Needs the extra ``fuzz``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import atheris

with atheris.instrument_imports(include=["toolschema"]):
    from toolschema import (
        Limits,
        ToolArgumentsValidationError,
        ToolDefinition,
        ToolSchemaError,
        parse_tool_arguments,
        validate_tool_arguments,
    )

TOOL = ToolDefinition(
    "tool",
    "",
    {
        "properties": {
            "a": {"type": "integer", "multipleOf": 3},
            "b": {"type": "array", "items": {"$ref": "#"}, "uniqueItems": True},
            "c": {"pattern": "^(?!x)[a-z]+$", "format": "date"},
            "d": {"anyOf": [{"type": "null"}, {"properties": {"k": {"const": 1}}}]},
        },
        "patternProperties": {"^x": {"type": "string"}},
        "additionalProperties": False,
    },
    limits=Limits(max_bytes=4096, max_depth=20, max_nodes=500),
)
SMALL = Limits.untrusted()


def parse(data: bytes) -> None:
    for text in (data, data.decode(errors="surrogateescape")):
        try:
            parse_tool_arguments(TOOL, text)
        except ToolArgumentsValidationError as error:
            str(error)


def schema(data: bytes) -> None:
    value = _value(atheris.FuzzedDataProvider(data), 5)
    try:
        tool = ToolDefinition("tool", "", value, limits=SMALL)
    except ToolSchemaError as error:
        str(error)
        return
    for arguments in ({}, {"a": 1}, {"a": "x", "b": [1, {"a": None}]}):
        try:
            validate_tool_arguments(tool, arguments)
        except ToolArgumentsValidationError as error:
            str(error)


NAMES = [
    "a",
    "b",
    "$id",
    "$ref",
    "$anchor",
    "$dynamicRef",
    "$dynamicAnchor",
    "$recursiveRef",
    "$schema",
    "$defs",
    "definitions",
    "type",
    "const",
    "enum",
    "multipleOf",
    "maximum",
    "exclusiveMinimum",
    "maxLength",
    "pattern",
    "maxItems",
    "uniqueItems",
    "required",
    "properties",
    "patternProperties",
    "additionalProperties",
    "propertyNames",
    "dependentRequired",
    "dependentSchemas",
    "dependencies",
    "items",
    "prefixItems",
    "additionalItems",
    "contains",
    "minContains",
    "maxContains",
    "unevaluatedItems",
    "unevaluatedProperties",
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "then",
    "else",
    "format",
    "contentEncoding",
]
TEXTS = [
    *NAMES, "#", "#/$defs/a", "#a", "b", "urn:x", "https://e.x/b#", "object", "array", "null",
    "https://json-schema.org/draft/2020-12/schema", "http://json-schema.org/draft-07/schema#",
    "https://json-schema.org/draft/2019-09/schema", "^(?!a)b$", "(", "date", "[^]", "\\k<a>",
]  # fmt: skip


def _value(provider: atheris.FuzzedDataProvider, depth: int) -> Any:
    """Any value, mostly JSON and often similar to a schema."""
    kind = provider.ConsumeIntInRange(0, 9 if depth else 6)
    if kind == 0:
        return provider.ConsumeBool()
    if kind == 1:
        return provider.ConsumeIntInRange(-3, 2**65)
    if kind == 2:
        return provider.ConsumeFloat()
    if kind == 3:
        return provider.ConsumeUnicode(8)
    if kind < 7:
        return provider.PickValueInList(TEXTS)
    count = provider.ConsumeIntInRange(0, 4)
    if kind == 7:
        return [_value(provider, depth - 1) for _ in range(count)]
    return {provider.PickValueInList(NAMES): _value(provider, depth - 1) for _ in range(count)}


TARGETS: dict[str, Callable[[bytes], None]] = {"parse": parse, "schema": schema}


def main() -> None:
    name, *rest = sys.argv[1:] or [""]
    if name not in TARGETS:
        sys.exit(f"usage: python tests/fuzzing.py {{{','.join(TARGETS)}}} [libFuzzer options]")
    atheris.Setup([sys.argv[0], *rest], TARGETS[name])
    atheris.Fuzz()


if __name__ == "__main__":
    main()
