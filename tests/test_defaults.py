"""Defaults are filled in where they are certain, and the result is always valid."""

from __future__ import annotations

import copy
import threading
import traceback
from typing import Any

import pytest
from conftest import define, foreign_rows
from hypothesis import HealthCheck, assume, given, reject, settings
from hypothesis import strategies as st

from toolschema import (
    Limits,
    ToolArgumentsValidationError,
    ToolDefinition,
    ToolSchemaError,
    apply_defaults,
    check_tool_arguments,
    validate_tool_arguments,
)
from toolschema._validation.defaults import _PLANS
from toolschema._validation.filling import MOST_CHOSEN
from toolschema.cli._lint import invalid_samples

D7 = "http://json-schema.org/draft-07/schema#"
D9 = "https://json-schema.org/draft/2019-09/schema"
ONE = {"default": 1}
HAS_ONE = {"properties": {"x": ONE}}
TREE = {"properties": {"left": {"$ref": "#/$defs/tree", "default": {}}, "c": {"default": "red"},
                       "leaves": {"default": []}}}  # fmt: skip
CHOICE = [
    {"required": ["kind"], "properties": {"kind": {"const": "a"}, "x": ONE}},
    {"required": ["kind"], "properties": {"kind": {"const": "b"}, "y": {"default": 2}}},
]
LIST = {"type": "array", "items": HAS_ONE}

CASES: list[tuple[str, Any, Any, Any]] = [
    ("an absent property", HAS_ONE, {}, {"x": 1}),
    ("a present one stays", HAS_ONE, {"x": 2}, {"x": 2}),
    ("null is present", HAS_ONE, {"x": None}, {"x": None}),
    ("null is a default", {"properties": {"x": {"default": None}}}, {}, {"x": None}),
    ("nested, where the object is there", {"properties": {"o": HAS_ONE}}, {"o": {}}, {"o": {"x": 1}}),
    ("not where it is absent", {"properties": {"o": HAS_ONE}}, {}, {}),
    ("an object that was filled in", {"properties": {"o": {**HAS_ONE, "default": {}}}}, {}, {"o": {"x": 1}}),
    ("objects of a list that was filled in", {"properties": {"o": {**LIST, "default": [{}, {"x": 2}]}}}, {},
        {"o": [{"x": 1}, {"x": 2}]}),
    ("no schema for an object", {"properties": {"o": True, "p": HAS_ONE}}, {"o": {}, "p": 5}, {"o": {}, "p": 5}),
    ("the root's own default says nothing", {"default": {"x": 1}}, {}, {}),

    ("a reference", {"properties": {"o": {"$ref": "#/$defs/o"}}, "$defs": {"o": HAS_ONE}}, {"o": {}}, {"o": {"x": 1}}),
    ("a chain of them", {"properties": {"x": {"$ref": "#/$defs/a"}},
        "$defs": {"a": {"$ref": "#/$defs/b"}, "b": ONE}}, {}, {"x": 1}),
    ("beside a reference wins", {"properties": {"x": {"$ref": "#/$defs/a", "default": 2}}, "$defs": {"a": ONE}},
        {}, {"x": 2}),
    ("beside a reference wins in 2019-09", {"$schema": D9,
        "properties": {"x": {"$ref": "#/$defs/a", "default": 2}}, "$defs": {"a": ONE}}, {}, {"x": 2}),
    ("beside a reference is void in draft-07", {"$schema": D7,
        "properties": {"x": {"$ref": "#/definitions/a", "default": 2}}, "definitions": {"a": ONE}}, {}, {"x": 1}),
    ("what is beside a reference in draft-07 looks at nothing", {"$schema": D7,
        "properties": {"o": {"$ref": "#/definitions/a", **HAS_ONE}}, "definitions": {"a": {}}}, {"o": {}}, {"o": {}}),
    ("a reference in draft-07 to what looks at the object", {"$schema": D7,
        "properties": {"o": {"$ref": "#/definitions/a", "properties": {"y": ONE}}}, "definitions": {"a": HAS_ONE}},
        {"o": {}}, {"o": {"x": 1}}),
    ("an anchor", {"properties": {"x": {"$ref": "#a"}}, "$defs": {"a": {"$anchor": "a", **ONE}}}, {}, {"x": 1}),

    ("all of allOf", {"allOf": [HAS_ONE, {"properties": {"y": {"default": 2}}}]}, {}, {"x": 1, "y": 2}),
    ("allOf of the property", {"properties": {"x": {"allOf": [{}, ONE]}}}, {}, {"x": 1}),
    ("the nearest of two", {"allOf": [HAS_ONE], "properties": {"x": {"default": 2}}}, {}, {"x": 2}),
    ("one that both allow", {"allOf": [HAS_ONE], "properties": {"x": {"default": "a", "type": ["string", "integer"]}},
        "anyOf": [{"properties": {"x": {"type": "integer"}}}]}, {}, {}),
    ("the other where one schema of the property refuses the first",
        {"allOf": [{"properties": {"x": {"type": "integer", "default": 1}}}],
         "properties": {"x": {"default": "a"}}}, {}, {"x": 1}),

    ("items", {"properties": {"v": LIST}}, {"v": [{}, {"x": 2}, 5]}, {"v": [{"x": 1}, {"x": 2}, 5]}),
    ("the first items", {"properties": {"v": {"prefixItems": [HAS_ONE], "items": {"properties": {"y": ONE}}}}},
        {"v": [{}, {}]}, {"v": [{"x": 1}, {"y": 1}]}),
    ("the first items of draft-07", {"$schema": D7, "properties": {"v": {"items": [HAS_ONE],
        "additionalItems": {"properties": {"y": ONE}}}}}, {"v": [{}, {}]}, {"v": [{"x": 1}, {"y": 1}]}),
    ("prefixItems is no keyword of draft-07", {"$schema": D7, "properties": {"v": {"prefixItems": [HAS_ONE]}}},
        {"v": [{}]}, {"v": [{}]}),
    ("lists in lists", {"properties": {"v": {"items": LIST}}}, {"v": [[{}]]}, {"v": [[{"x": 1}]]}),

    ("other properties", {"properties": {"a": True}, "additionalProperties": HAS_ONE}, {"a": {}, "b": {}},
        {"a": {}, "b": {"x": 1}}),
    ("properties by pattern", {"patternProperties": {"^a": HAS_ONE}, "additionalProperties": {"properties": {"y": ONE}}},
        {"ab": {}, "b": {}}, {"ab": {"x": 1}, "b": {"y": 1}}),
    ("a pattern in ECMA's words", {"patternProperties": {"^[^]é$": HAS_ONE}}, {"né": {}}, {"né": {"x": 1}}),
    ("the default of a pattern is for nothing", {"patternProperties": {"^a": ONE}, "additionalProperties": ONE}, {}, {}),

    ("the branch that was taken", {"anyOf": CHOICE}, {"kind": "a"}, {"kind": "a", "x": 1}),
    ("of oneOf, too", {"oneOf": CHOICE}, {"kind": "b"}, {"kind": "b", "y": 2}),
    ("every branch that was", {"anyOf": [HAS_ONE, {"properties": {"y": ONE}}]}, {}, {"x": 1, "y": 1}),
    ("a default does not take a branch", {"properties": {"kind": {"enum": ["a", "b"]}}, "anyOf": [True, *CHOICE]}, {}, {}),
    ("a default that takes a branch brings its defaults", {"properties": {"kind": {"default": "a"}},
        "anyOf": [True, *CHOICE]}, {}, {"kind": "a", "x": 1}),
    ("a branch of the absent property", {"properties": {"x": {"anyOf": [ONE, True]}}}, {}, {}),
    ("a default beside anyOf", {"properties": {"x": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None}}},
        {}, {"x": None}),
    ("then", {"if": {"required": ["a"]}, "then": HAS_ONE, "else": {"properties": {"y": ONE}}}, {"a": 0}, {"a": 0, "x": 1}),
    ("else", {"if": {"required": ["a"]}, "then": HAS_ONE, "else": {"properties": {"y": ONE}}}, {}, {"y": 1}),
    ("then always", {"if": True, "then": HAS_ONE}, {}, {"x": 1}),
    ("allOf a list", {"properties": {"v": {"allOf": [LIST], "anyOf": [LIST, {"type": "null"}]}}}, {"v": [{}]},
        {"v": [{"x": 1}]}),
    ("a pattern that looks around, and a long name", {"patternProperties": {"(?=b)": HAS_ONE}}, {"a" * 300 + "b": {}},
        {"a" * 300 + "b": {"x": 1}}),
    ("if is only a question", {"if": HAS_ONE}, {}, {}),
    ("not is no place", {"not": {"required": ["a"], **HAS_ONE}}, {}, {}),
    ("what depends", {"dependentSchemas": {"a": HAS_ONE, "b": {"properties": {"y": ONE}}}}, {"a": 0}, {"a": 0, "x": 1}),
    ("what depends in draft-07", {"$schema": D7, "dependencies": {"a": HAS_ONE, "b": ["a"]}}, {"a": 0}, {"a": 0, "x": 1}),

    ("one that its own schema refuses", {"properties": {"x": {"type": "string", "default": 1}, "y": ONE}}, {}, {"y": 1}),
    ("one that lacks what has a default", {"properties": {"o": {**HAS_ONE, "required": ["x"], "default": {}}}}, {}, {}),
    ("one too many", {"properties": {"x": ONE, "y": ONE}, "maxProperties": 1}, {}, {"x": 1}),
    ("one too many inside", {"properties": {"v": {"items": {"properties": {"x": ONE, "y": ONE}, "maxProperties": 1}}}},
        {"v": [{}, {"y": 3}, {"z": 2}]}, {"v": [{"x": 1}, {"y": 3}, {"z": 2}]}),
    ("one that not forbids", {"properties": {"x": ONE, "y": ONE}, "not": {"required": ["x"]}}, {}, {"y": 1}),
    ("one that makes items the same", {"properties": {"v": {"uniqueItems": True, "items": HAS_ONE}}},
        {"v": [{}, {"x": 1}]}, {"v": [{}, {"x": 1}]}),
    ("one that would make two branches hold", {"properties": {"x": ONE, "y": ONE},
        "oneOf": [{"required": ["x"]}, {"required": ["z"]}]}, {"z": 0}, {"z": 0, "y": 1}),
    ("one that needs another", {"properties": {"a": ONE, "b": ONE, "c": ONE}, "dependentRequired": {"a": ["b"]},
        "not": {"required": ["c"]}}, {}, {"a": 1, "b": 1}),
    ("a property that must not be", {"properties": {"x": ONE}, "propertyNames": {"maxLength": 0}}, {}, {}),

    ("not into itself", {"$ref": "#/$defs/tree", "$defs": {"tree": TREE}}, {},
        {"c": "red", "leaves": [], "left": {"c": "red", "leaves": []}}),
    ("not into one that was given", {"$ref": "#/$defs/tree", "$defs": {"tree": TREE}}, {"left": {"left": {}}},
        {"c": "red", "leaves": [], "left": {"c": "red", "leaves": [], "left": {"c": "red", "leaves": []}}}),
    ("not by way of another", {"$defs": {"p": {"properties": {"q": {"$ref": "#/$defs/q", "default": {}}}},
                                         "q": {"properties": {"p": {"$ref": "#/$defs/p", "default": {}}}}},
        "$ref": "#/$defs/p"}, {}, {"q": {"p": {}}}),
    ("nor by way of a list", {"$ref": "#/$defs/n", "$defs": {"n": {"properties": {
        "v": {"type": "array", "items": {"$ref": "#/$defs/n"}, "default": [{}]}}}}}, {}, {"v": [{}]}),

    ("what only a dynamic reference reaches", {"properties": {"o": {"$dynamicRef": "#d"}, "x": ONE},
        "$defs": {"d": {"$dynamicAnchor": "d", **HAS_ONE}}}, {"o": {}}, {"o": {}, "x": 1}),
    ("a branch that a dynamic reference decides", {"anyOf": [{"$dynamicRef": "#d", **HAS_ONE}, True],
        "$defs": {"d": {"$dynamicAnchor": "d"}}}, {}, {}),
    ("an if that a dynamic reference decides", {"if": {"$dynamicRef": "#d"}, "then": HAS_ONE, "else": HAS_ONE,
        "$defs": {"d": {"$dynamicAnchor": "d"}}}, {}, {}),
    ("another dialect", {"properties": {"o": {"$ref": "e.json"}}, "$defs": {"e": {"$id": "e.json", "$schema": D7,
        "properties": {"x": {"$ref": "#/definitions/a", "default": 2}}, "definitions": {"a": ONE}}}}, {"o": {}},
        {"o": {"x": 1}}),
]  # fmt: skip


def filled(schema: Any, arguments: Any, **options: Any) -> Any:
    """The result, after checking every law about it."""
    tool = define(schema, **options)
    before = copy.deepcopy(arguments)
    result = apply_defaults(tool, arguments)
    assert arguments == before
    assert validate_tool_arguments(tool, result) == result
    assert apply_defaults(tool, result) == result
    assert is_kept(arguments, result)
    assert apply_defaults(define(turned(schema), **options), turned(arguments)) == result
    return result


def is_kept(before: Any, after: Any) -> bool:
    if isinstance(before, dict):
        return isinstance(after, dict) and all(
            name in after and is_kept(value, after[name]) for name, value in before.items()
        )
    if isinstance(before, list):
        return len(before) == len(after) and all(map(is_kept, before, after))
    return type(before) is type(after) and bool(before == after)


def turned(value: Any) -> Any:
    """The value with its keys in reverse order."""
    if isinstance(value, dict):
        return {key: turned(member) for key, member in reversed(value.items())}
    return [turned(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize(
    ("schema", "arguments", "expected"), [pytest.param(*case[1:], id=case[0]) for case in CASES]
)
def test_defaults_are_filled_in_where_they_are_certain(
    schema: Any, arguments: Any, expected: Any
) -> None:
    result = filled(schema, arguments)
    assert result == expected
    assert is_kept(result, expected)


NAMES = st.sampled_from(["a", "b", "c"])
VALUES = st.recursive(
    st.sampled_from([None, True, 0, 1, "a"]),
    lambda inner: st.one_of(
        st.dictionaries(NAMES, inner, max_size=2), st.lists(inner, max_size=2)
    ),
    max_leaves=3,
)  # fmt: skip
LEAVES = st.fixed_dictionaries(
    {},
    optional={
        "default": VALUES,
        "type": st.sampled_from(["object", "array", "string", ["integer", "object"]]),
        "maxProperties": st.integers(0, 2),
        "$ref": st.sampled_from(["#/$defs/p", "#/$defs/q"]),
        "required": st.lists(NAMES, unique=True, max_size=1),
        "enum": st.lists(VALUES, min_size=1, max_size=2),
    },
)


def schemas(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    some = st.lists(inner, min_size=1, max_size=2)
    applying = st.fixed_dictionaries(
        {},
        optional={
            "properties": st.dictionaries(NAMES, inner, max_size=3),
            "patternProperties": st.dictionaries(st.just("[ab]"), inner, max_size=1),
            "additionalProperties": inner,
            "items": inner,
            "allOf": some,
            "anyOf": some,
            "oneOf": some,
            "if": inner,
            "then": inner,
            "else": inner,
            "not": inner,
            "dependentSchemas": st.dictionaries(NAMES, inner, max_size=1),
        },
    )
    return st.builds(lambda one, two: {**one, **two}, LEAVES, applying)


SCHEMAS = st.recursive(LEAVES, schemas, max_leaves=8)
ROOTS = st.builds(
    lambda properties, root, p, q: {
        **root, "type": "object", "properties": properties, "$defs": {"p": p, "q": q}
    },
    st.dictionaries(NAMES, SCHEMAS, min_size=1),
    SCHEMAS,
    SCHEMAS,
    SCHEMAS,
)  # fmt: skip


@settings(
    max_examples=60,
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
)
@given(ROOTS, st.dictionaries(NAMES, VALUES, max_size=2))
def test_the_laws_hold_for_any_schema(schema: Any, arguments: Any) -> None:
    try:
        tool = define(schema)
    except ToolSchemaError:
        reject()
    assume(not check_tool_arguments(tool, arguments))
    filled(schema, arguments)


def test_arguments_are_validated_first() -> None:
    with pytest.raises(ToolArgumentsValidationError) as caught:
        apply_defaults(define({**HAS_ONE, "required": ["y"]}), {})
    assert caught.value.issues == ("/y: must have required properties y",)
    with pytest.raises(TypeError, match="tool must be a ToolDefinition"):
        apply_defaults({}, {})  # type: ignore[arg-type]


def test_a_filled_in_default_is_a_fresh_copy() -> None:
    tool = define({"properties": {"v": {"items": {"properties": {"x": {"default": [[]]}}}}}})
    result = apply_defaults(tool, {"v": [{}, {}]})
    result["v"][0]["x"][0].append(1)
    assert result["v"][1] == {"x": [[]]}
    assert apply_defaults(tool, {"v": [{}]}) == {"v": [{"x": [[]]}]}


@pytest.mark.parametrize(
    ("limits", "expected"),
    [
        (Limits(max_nodes=3), {"a": {"x": 1}}),
        (Limits(max_nodes=2), {"a": {}}),
        (Limits(max_depth=2), {"a": {"x": 1}}),
        (Limits(max_bytes=20), {"a": {"x": 1}}),
    ],
)
def test_limits_apply_to_the_result(limits: Limits, expected: Any) -> None:
    schema = {"properties": {"a": HAS_ONE, "b": {"default": {"d": "e" * 40, "f": [[]]}}}}
    assert filled(schema, {"a": {}}, limits=limits) == expected


def test_an_exponentially_expanding_schema_gets_no_defaults() -> None:
    level = {f"l{n}": {"properties": {name: {"$ref": f"#/$defs/l{n + 1}", "default": {}} for name in "pq"}}
             for n in range(40)}  # fmt: skip
    schema = {"$ref": "#/$defs/l0", "$defs": {**level, "l40": {}}}
    assert filled(schema, {}, limits=Limits(max_nodes=1000)) == {}


def test_defaults_too_costly_to_decide_are_left_out() -> None:
    names = {f"n{index}": ONE for index in range(600)}
    schema = {
        "properties": {
            "v": {"items": {"properties": names, "maxProperties": 0}},
            **HAS_ONE["properties"],
        }
    }
    assert filled(schema, {"v": [{} for _ in range(2000)]}) == {"v": [{} for _ in range(2000)]}
    assert filled(schema, {"v": []}) == {"v": [], "x": 1}


def test_large_arguments_and_backtracking_patterns_get_their_defaults() -> None:
    schema = {
        "properties": {
            "v": {"uniqueItems": True, "items": HAS_ONE},
            "t": {"pattern": r"^(?=a)a+$", "default": "aaa"},
        },
        "patternProperties": {"(?=long)": HAS_ONE},
    }
    items = [{"id": index} for index in range(2000)]
    result = filled(schema, {"v": items, "long": {}})
    assert result["v"][-1] == {"id": 1999, "x": 1}
    assert (result["t"], result["long"]) == ("aaa", {"x": 1})


def test_the_cache_of_chosen_branches_is_bounded() -> None:
    branches = [
        {"required": [f"k{index}"], "properties": {"x": {"default": index}, f"k{index}": True}}
        for index in range(11)
    ]
    tool = define({"anyOf": [*branches, True]})
    most = 0
    for number in range(1, 2**11):
        present = [index for index in range(11) if number >> index & 1]
        result = apply_defaults(tool, {f"k{index}": 0 for index in present})
        assert result["x"] == present[0]
        most = max(most, len(_PLANS[tool.compiled].chosen))
    assert most == MOST_CHOSEN == 1000


def test_deep_values_are_filled_in_on_a_small_stack() -> None:
    schema = {"$ref": "#/$defs/n", "$defs": {"n": {"properties": {"n": {"$ref": "#/$defs/n"}, "x": ONE},
              "anyOf": [{"required": ["n"], "properties": {"y": ONE}}, True]}}}  # fmt: skip
    value: dict[str, Any] = {}
    for _ in range(90):
        value = {"n": value}
    results: list[Any] = []
    before = threading.stack_size(128 * 1024)
    try:
        thread = threading.Thread(target=lambda: results.append(filled(schema, value)))
        thread.start()
        thread.join()
    finally:
        threading.stack_size(before)
    assert results[0]["n"]["n"]["y"] == 1


def test_a_caller_deep_in_the_stack_gets_the_same_result() -> None:
    tool = define({"properties": {"o": {"items": {"anyOf": [HAS_ONE]}}}})
    value: Any = {"o": [{}]}

    def at(depth: int) -> Any:
        return at(depth - 1) if depth else apply_defaults(tool, value)

    for depth in range(700, 960, 3):
        try:
            assert at(depth) == {"o": [{"x": 1}]}
        except (RecursionError, ToolArgumentsValidationError):
            break  # with no frames left, every call fails in one of these ways


def test_concurrent_calls_give_the_same_result() -> None:
    tool = define({"anyOf": CHOICE, "properties": {"v": LIST}})
    results: list[Any] = []

    def work() -> None:
        results.extend(apply_defaults(tool, {"kind": "a", "v": [{}]}) for _ in range(50))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [{"kind": "a", "x": 1, "v": [{"x": 1}]}] * 400


def test_an_equal_tool_works_after_the_first_was_collected() -> None:
    for _ in range(3):
        assert apply_defaults(define(HAS_ONE), {}) == {"x": 1}


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ({"properties": {"x": {"type": "string", "default": None}}},
            ['tool "tool"#/properties/x/default: must be string, according to the schema of this default']),
        ({"properties": {"o": {"required": ["x"], "default": {}}}},
            ['tool "tool"#/properties/o/default/x: must have required properties x, according to the schema of this default']),
        ({"properties": {"x": {"type": "integer", "examples": [1, "a"]}}},
            ['tool "tool"#/properties/x/examples/1: must be integer, according to the schema of this example']),
        ({"properties": {"x": {"$ref": "#/$defs/a", "default": 1}}, "$defs": {"a": {"type": "string"}}},
            ['tool "tool"#/properties/x/default: must be string, according to the schema of this default']),
        ({"$schema": D7, "properties": {"x": {"$ref": "#/definitions/a", "default": 1}},
          "definitions": {"a": {"type": "string"}}}, []),
        ({"properties": {"default": {"type": "string"}, "x": {"default": 1, "examples": [2]}}}, []),
        ({"properties": {"x": {"$dynamicRef": "#a", "default": 1}}, "$defs": {"a": {"$dynamicAnchor": "a", "type": "string"}}}, []),
        ({"properties": {"x": {"examples": "no list"}}}, None),
    ],
)  # fmt: skip
def test_invalid_defaults_and_examples_are_reported(schema: Any, said: list[str] | None) -> None:
    if said is None:
        with pytest.raises(ToolSchemaError):
            define(schema)
    else:
        assert list(map(str, invalid_samples([define(schema)]))) == said


def test_samples_of_equal_schemas_are_reported_per_tool() -> None:
    schema = {"properties": {"x": {"type": "string", "default": 1}}}
    tools = [ToolDefinition(name, "", schema) for name in "ba"]
    assert [sample.source for sample in invalid_samples(tools)] == ['tool "a"', 'tool "b"']


FORMATS = {
    "uri": "https://e.x/a", "email": "a@e.x", "date": "2026-03-14", "date-time": "2026-03-14T10:00:00Z",
    "uuid": "123e4567-e89b-12d3-a456-426614174000", "ipv4": "1.2.3.4", "time": "10:00:00Z",
}  # fmt: skip


def least(schema: Any, root: Any) -> Any:
    """A small value that often satisfies *schema*."""
    if not isinstance(schema, dict):
        return None
    if "$ref" in schema:
        target = root
        for name in schema["$ref"].removeprefix("#").split("/")[1:]:
            target = target[int(name) if isinstance(target, list) else name]
        return least(target, root)
    if "const" in schema or "enum" in schema:
        return schema.get("const", schema.get("enum", [None])[0])
    for keyword in ("anyOf", "oneOf", "allOf"):
        if keyword in schema and "properties" not in schema:
            return least(schema[keyword][0], root)
    kind = schema.get("type", "object" if "properties" in schema else "null")
    kind = kind[0] if isinstance(kind, list) else kind
    if kind == "object":
        declared = schema.get("properties", {})
        return {name: least(declared.get(name, {}), root) for name in schema.get("required", ())}
    if kind == "array":
        return [least(schema.get("items"), root) for _ in range(schema.get("minItems", 0))]
    if kind == "string":
        return FORMATS.get(schema.get("format", ""), "a" * max(1, schema.get("minLength", 1)))
    if kind in ("integer", "number"):
        return max(schema.get("minimum", 0), schema.get("exclusiveMinimum", -1) + 1)
    return False if kind == "boolean" else None


def test_real_tools_get_their_defaults() -> None:
    completed = changed = 0
    for row in foreign_rows("mcp_tools.jsonl"):
        tool = define(row["inputSchema"])
        arguments = least(row["inputSchema"], row["inputSchema"])
        if check_tool_arguments(tool, arguments):
            continue
        completed += 1
        changed += filled(row["inputSchema"], arguments) != arguments
    assert completed > 1400
    assert changed > 200


def test_conditions_see_the_unconditional_defaults() -> None:
    mode = {"properties": {"mode": {"enum": ["fast", "safe"], "default": "safe"}}}
    retries, timeout = {"retries": {"default": 0}}, {"timeout": {"default": 30}}
    chosen = {
        "if": {"properties": {"mode": {"const": "fast"}}},
        "then": {"properties": retries},
        "else": {"properties": timeout},
    }
    branches = {
        "anyOf": [
            {"properties": {"mode": {"const": "fast"}, **retries}},
            {"properties": {"mode": {"const": "safe"}, **timeout}},
        ]
    }
    for more in (chosen, branches):
        assert filled({**mode, **more}, {}) == {"mode": "safe", "timeout": 30}
        assert filled({**mode, **more}, {"mode": "fast"}) == {"mode": "fast", "retries": 0}


def test_no_frame_keeps_refused_arguments() -> None:
    with pytest.raises(ToolArgumentsValidationError) as caught:
        filled({"properties": {"a": {"type": "integer", "default": 1}}}, {"a": "SECRET"})
    frames = traceback.walk_tb(caught.tb)
    ours = [frame for frame, _ in frames if "toolschema/_" in frame.f_code.co_filename]
    assert ours
    assert not any("SECRET" in repr(frame.f_locals) for frame in ours)
