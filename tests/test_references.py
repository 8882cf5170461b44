"""References of every form, through both engines; each case was once wrong in one of them."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import define

from toolschema import check_tool_arguments

D7 = "http://json-schema.org/draft-07/schema#"
D9 = "https://json-schema.org/draft/2019-09/schema"
STRING = {"type": "string"}

CASES: list[tuple[str, Any, Any, list[str]]] = [
    ("an $id inside a resource is that subschema",
        {"properties": {"v": {"$ref": "inner.json"}},
         "x-resources": {"outer.json": {"type": "string", "$defs": {"x": {"$id": "inner.json", "type": "integer"}}}}},
        {"v": "a"}, ["/v: must be integer"]),
    ("a draft-07 pattern that had to be translated",
        {"$schema": D7, "properties": {"v": {"pattern": "^[^]é$"}}}, {"v": "é"},
        ['/v: must match pattern "^[^]é$"']),
    ("a pointer through a pattern that had to be translated",
        {"properties": {"v": {"$ref": "#/properties/w/patternProperties/%C3%A9"},
                        "w": {"patternProperties": {"é": STRING}}}}, {"v": 1},
        ["/v: must be string"]),
    ("an $id where one engine sees no resource",
        {"properties": {"v": {"dependencies": {"a": {"$id": "a.json", "required": ["b"]}}}, "w": {"$ref": "#/$defs/x"}},
         "$defs": {"x": {}}}, {"v": {"a": 1}}, ["/v/b: must have required properties b"]),
    ("a schema that only a pointer reaches",
        {"properties": {"v": {"$ref": "#/x-odd"}}, "x-odd": {"$id": "a.json", "type": "string"}},
        {"v": 1}, ["/v: must be string"]),
    ("both forms of draft-07 dependencies",
        {"$schema": D7, "properties": {"v": {"dependencies": {"a": {}, "b": ["c"]}}, "w": {"$ref": "#x"}},
         "definitions": {"x": {"$id": "#x", "type": "string"}}}, {"w": 1}, ["/w: must be string"]),
    ("a property that is named $id",
        {"$schema": D7, "properties": {"v": {"properties": {"$id": STRING, "x": STRING}},
                                       "w": {"$ref": "#/properties/v/properties/x"}}},
        {"w": 1}, ["/w: must be string"]),
    ("an embedded resource of another dialect",
        {"properties": {"v": {"$ref": "r.json"}},
         "$defs": {"e": {"$id": "r.json", "$schema": D7, "items": [STRING]}}},
        {"v": [1]}, ["/v/0: must be string"]),
    ("an embedded draft-07 resource asserts what is in a text",
        {"properties": {"v": {"$ref": "r.json"}},
         "$defs": {"e": {"$id": "r.json", "$schema": D7, "contentEncoding": "base64"}}},
        {"v": "%"}, ['/v: must be encoded as "base64"']),
    ("$ref beside $id in an embedded 2020-12 resource of a draft-07 schema",
        {"$schema": D7, "properties": {"v": {"$ref": "e.json"}},
         "definitions": {"e": {"$id": "e.json", "$schema": "https://json-schema.org/draft/2020-12/schema",
                               "$ref": "#/$defs/n", "maximum": 3, "$defs": {"n": {"type": "integer"}}}}},
        {"v": 5.5}, ["/v: must be integer", "/v: must be <= 3"]),
    ("the empty fragment", {"properties": {"v": {"$ref": "r.json#"}}, "$defs": {"e": {"$id": "r.json", **STRING}}},
        {"v": 1}, ["/v: must be string"]),
    ("a urn as base", {"$id": "urn:x", "properties": {"v": {"$ref": "#a"}}, "$defs": {"e": {"$anchor": "a", **STRING}}},
        {"v": 1}, ["/v: must be string"]),
    ("escapes in a pointer", {"properties": {"v": {"$ref": "#/$defs/a~1b%25"}}, "$defs": {"a/b%": STRING}},
        {"v": 1}, ["/v: must be string"]),
    ("an index in a pointer", {"properties": {"v": {"$ref": "#/allOf/1"}}, "allOf": [{}, {"minProperties": 0, "items": STRING}]},
        {"v": [1]}, ["/v/0: must be string"]),
    ("$dynamicRef follows the dynamic scope",
        {"$id": "https://e.x/strict", "$dynamicAnchor": "node", "$ref": "tree", "unevaluatedProperties": False,
         "$defs": {"tree": {"$id": "tree", "$dynamicAnchor": "node", "type": "object",
                            "properties": {"kids": {"items": {"$dynamicRef": "#node"}}}}}},
        {"kids": [{"kid": 1}]}, ["/kids/0/kid: must not have unevaluated properties"]),
    ("$dynamicRef in a resource follows the dynamic scope",
        {"$id": "https://e.x/strict", "$dynamicAnchor": "node", "$ref": "tree", "unevaluatedProperties": False,
         "x-resources": {"https://e.x/tree": {"$dynamicAnchor": "node", "type": "object",
                                              "properties": {"kids": {"items": {"$dynamicRef": "#node"}}}}}},
        {"kids": [{"kid": 1}]}, ["/kids/0/kid: must not have unevaluated properties"]),
    ("$dynamicRef into a resource",
        {"properties": {"v": {"$dynamicRef": "tree#node"}},
         "x-resources": {"tree": {"$defs": {"n": {"$dynamicAnchor": "node", "required": ["a"],
                                                  "properties": {"k": {"$dynamicRef": "#node"}}}}}}},
        {"v": {"a": 1, "k": {}}}, ["/v/k/a: must have required properties a"]),
    ("$recursiveRef in a resource follows the dynamic scope",
        {"$schema": D9, "$id": "https://e.x/strict", "$recursiveAnchor": True, "$ref": "tree",
         "unevaluatedProperties": False,
         "x-resources": {"https://e.x/tree": {"$schema": D9, "$recursiveAnchor": True,
                                              "properties": {"kids": {"items": {"$recursiveRef": "#"}}}}}},
        {"kids": [{"kid": 1}]}, ["/kids/0/kid: must not have unevaluated properties"]),
    ("$recursiveRef follows the dynamic scope after an empty fragment",
        {"$schema": D9, "type": "object", "$recursiveAnchor": True, "properties": {"v": {"$ref": "r.json#"}},
         "$defs": {"r": {"$id": "r.json", "$recursiveAnchor": True, "properties": {"a": {"$recursiveRef": "#"}}}}},
        {"v": {"a": 0}}, ["/v/a: must be object"]),
    ("dependencies evaluate nothing in 2020-12",
        {"dependencies": {"a": {"properties": {"a": {}}}}, "unevaluatedProperties": False}, {"a": 1},
        ["/a: must not have unevaluated properties"]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("schema", "arguments", "expected"), [pytest.param(*case[1:], id=case[0]) for case in CASES]
)
def test_references_of_every_form_resolve(schema: Any, arguments: Any, expected: list[str]) -> None:
    schema = dict(schema)
    tool = define(schema, resources=schema.pop("x-resources", None))
    assert list(check_tool_arguments(tool, arguments)) == expected


def test_the_private_resolver_of_jsonschema_still_exists() -> None:
    """Only `_unevaluated._dynamic` uses it; without it such calls are refused at the root."""
    validator = define({}).compiled.validator
    assert hasattr(validator, "_resolver")
