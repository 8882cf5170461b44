"""The two entry points, as users see them."""

from __future__ import annotations

import copy
import gc
import pickle
import sys
import traceback
from typing import Any

import pytest
from conftest import define, property_tool

from toolschema import (
    Issue,
    Limits,
    ToolArgumentsValidationError,
    ToolDefinition,
    ToolError,
    check_tool_arguments,
    parse_tool_arguments,
    validate_tool_arguments,
)

GOOD: dict[str, Any] = {"path": "README.md", "limit": 20, "options": {"labels": ["docs"]}}


# Untyped, for callers who make mistakes.
PARSE: Any = parse_tool_arguments
VALIDATE: Any = validate_tool_arguments
CHECK: Any = check_tool_arguments


def refused(tool: ToolDefinition, arguments: Any) -> ToolArgumentsValidationError:
    entry: Any = parse_tool_arguments if isinstance(arguments, str) else validate_tool_arguments
    with pytest.raises(ToolArgumentsValidationError) as caught:
        entry(tool, arguments)
    assert caught.value.issues == check_tool_arguments(tool, arguments)
    return caught.value


def test_valid_arguments_are_returned(read: ToolDefinition) -> None:
    text = '{"path": "README.md", "limit": 20, "options": {"labels": ["docs"]}}'
    assert parse_tool_arguments(read, text) == GOOD
    assert validate_tool_arguments(read, GOOD) == GOOD
    assert check_tool_arguments(read, text) == check_tool_arguments(read, GOOD) == ()


def test_a_missing_path_prints_exactly_this(read: ToolDefinition) -> None:
    error = refused(read, {"limit": 20, "options": {"labels": ["docs"]}})
    assert str(error) == (
        'Invalid arguments for tool "read":\n  - /path: must have required properties path'
    )


@pytest.mark.parametrize(
    ("change", "issues"),
    [
        ({"limit": "20"}, ["/limit: must be number"]),
        ({"path": ""}, ["/path: must not have fewer than 1 characters"]),
        ({"path": len}, ["/path: must be a JSON value"]),
        ({"options": object()}, ["/options: must be a JSON value"]),
        ({"options": {"labels": ["a", 1]}}, ["/options/labels/1: must be string"]),
        ({"limit": True}, ["/limit: must be number"]),
        ({"limit": None, "path": None}, ["/limit: must be number", "/path: must be string"]),
    ],
)
def test_nothing_is_converted(
    read: ToolDefinition, change: dict[str, Any], issues: list[str]
) -> None:
    assert list(refused(read, {**GOOD, **change}).issues) == issues


def test_every_missing_property_is_an_issue_of_its_own(read: ToolDefinition) -> None:
    assert [issue.instance_location for issue in refused(read, "{}").issues] == [
        "/limit",
        "/options",
        "/path",
    ]


def test_an_issue_is_a_line_and_has_parts() -> None:
    tool = define({"$defs": {"n": {"minimum": 3}}, "properties": {"a/b": {"$ref": "#/$defs/n"}}})
    [issue] = refused(tool, {"a/b": 1}).issues
    assert issue == "/a~1b: must be >= 3"
    assert issue.tokens == ("a/b",)
    assert issue.as_dict() == {
        "instanceLocation": "/a~1b",
        "keyword": "minimum",
        "keywordLocation": "/properties/a~1b/$ref/minimum",
        "message": "must be >= 3",
        "params": {"minimum": 3},
    }


def test_params_are_a_copy_of_the_schemas_values() -> None:
    tool = property_tool({"enum": [["a"]]})
    [issue] = refused(tool, {"v": 1}).issues
    issue.params["enum"][0].append("b")
    assert issue.params == {"enum": [["a"]]}
    assert check_tool_arguments(tool, {"v": ["a"]}) == ()


def test_at_most_max_issues_are_kept_and_the_rest_counted() -> None:
    tool = define({"additionalProperties": False}, limits=Limits(max_issues=2))
    error = refused(tool, dict.fromkeys("dbca", 1))
    assert [issue.instance_location for issue in error.issues] == ["/a", "/b"]
    assert error.omitted == 2
    assert str(error).endswith("\n  - and 2 more")


def test_the_count_is_unknown_for_values_that_are_not_json() -> None:
    tool = define({}, limits=Limits(max_issues=2))
    for names in ("abc", "cba"):
        error = refused(tool, {name: float("nan") for name in names})
        assert [issue.instance_location for issue in error.issues] == ["/a", "/b"]
        assert error.omitted is None


def test_one_wrong_item_among_many_is_located() -> None:
    tool = property_tool({"items": {"type": "integer"}})
    assert check_tool_arguments(tool, {"v": [1] * 50_000 + ["x"]}) == ("/v/50000: must be integer",)


def test_explaining_stops_after_max_steps_and_says_so() -> None:
    tool = define({"additionalProperties": {"type": "string"}}, limits=Limits(max_steps=10))
    error = refused(tool, {f"k{index}": index for index in range(1000)})
    assert error.omitted is None
    assert str(error).endswith("\n  - and more")


def test_the_root_is_refused_if_the_steps_run_out_first() -> None:
    tool = property_tool({"allOf": [{"type": "string"}]}, limits=Limits(max_steps=1))
    error = refused(tool, {"v": 1})
    assert error.issues == ("/: arguments do not satisfy the tool schema",)
    assert error.issues[0].keyword == "@limit"


def test_pattern_searches_count_as_steps() -> None:
    for count, omitted in ((10, 19), (200, None)):
        names = [str(index) for index in range(count)]
        schema = {
            "patternProperties": {f"^{name}$": True for name in names},
            "additionalProperties": False,
        }
        tool = define(schema, limits=Limits(max_steps=50, max_issues=1))
        wrong = [f"x{index}" for index in range(20)]
        assert refused(tool, dict.fromkeys(names + wrong, 1)).omitted == omitted


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a" * 10, None),
        ("b" * 10, 'must match pattern "^(?!b)a+$"'),
        ("a" * 11, "must not have more than 10 characters for this pattern"),
        ("b" * 11, "must not have more than 10 characters for this pattern"),
    ],
)
def test_a_string_of_max_pattern_text_characters_is_still_searched(
    text: str, message: str | None
) -> None:
    tool = property_tool({"pattern": "^(?!b)a+$"}, limits=Limits(max_pattern_text=10))
    for given in ({"v": text}, f'{{"v": "{text}"}}'):
        issues = check_tool_arguments(tool, given)
        assert [issue.message for issue in issues] == ([message] if message else [])


def test_a_name_of_max_pattern_text_characters_is_still_searched() -> None:
    schema = {"patternProperties": {"^(?!b)a+$": {"type": "null"}}}
    tool = define(schema, limits=Limits(max_pattern_text=10))
    assert check_tool_arguments(tool, {"a" * 10: 1}) == ("/aaaaaaaaaa: must be null",)
    assert check_tool_arguments(tool, {"b" * 10: 1}) == ()
    [issue] = check_tool_arguments(tool, {"a" * 11: 1})
    assert issue == "/: arguments must not have property names of more than 10 characters"
    assert issue.keyword == "@limit"


@pytest.mark.parametrize("arguments", ['{"v": "hunter2"', {"v": "hunter2"}])
def test_the_error_has_no_cause_or_context_and_keeps_no_arguments(arguments: Any) -> None:
    error = refused(property_tool({"maxLength": 1}), arguments)
    assert error.__cause__ is None
    assert error.__context__ is None
    frames = [
        frame
        for frame, _ in traceback.walk_tb(error.__traceback__)
        if "toolschema/_" in frame.f_code.co_filename
    ]
    assert frames
    for frame in frames:
        assert "hunter2" not in repr(frame.f_locals)
    text = "".join(traceback.TracebackException.from_exception(error).format())
    assert "hunter2" not in text


def test_no_frame_keeps_a_hidden_name() -> None:
    tool = define({"additionalProperties": False}, hide_undeclared_names=True)
    for arguments in ({"hunter2": 1}, '{"hunter2": 1}', '{"hunter2": 1, "hunter2": 2}'):
        error = refused(tool, arguments)
        for frame, _ in traceback.walk_tb(error.__traceback__):
            if "toolschema/_" in frame.f_code.co_filename:
                assert "hunter2" not in repr(frame.f_locals)


def test_explaining_leaves_no_reference_cycle() -> None:
    """Anything left to the garbage collector would keep the arguments alive."""
    tool = property_tool({"maxLength": 1})
    secret = "hunter2" * 3
    check_tool_arguments(tool, {"v": secret})
    gc.collect()
    gc.disable()
    try:
        check_tool_arguments(tool, {"v": secret})
        left = [
            candidate
            for candidate in gc.get_objects()
            if isinstance(candidate, dict) and candidate.get("v") is secret
        ]
    finally:
        gc.enable()
    assert left == []


def test_the_error_and_its_issues_can_be_pickled_and_copied(read: ToolDefinition) -> None:
    error = refused(read, {**GOOD, "limit": 0})
    for twin in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
        assert str(twin) == str(error)
        assert twin.issues[0].as_dict() == error.issues[0].as_dict()
        assert (twin.tool_name, twin.omitted) == ("read", 0)


def test_the_error_is_a_tool_error_and_a_value_error(read: ToolDefinition) -> None:
    assert isinstance(refused(read, "{"), ToolError)
    assert isinstance(refused(read, "{"), ValueError)


def test_a_tool_name_cannot_forge_a_line() -> None:
    error = ToolArgumentsValidationError("a\n  - /b: fine", [Issue("must be string")])
    assert len(str(error).split("\n")) == 2


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda _: PARSE("read", "{}"), "tool must be a ToolDefinition, not str"),
        (lambda _: VALIDATE(None, {}), "tool must be a ToolDefinition, not NoneType"),
        (lambda _: CHECK({}, {}), "tool must be a ToolDefinition, not dict"),
        (lambda tool: PARSE(tool, {}),
            ("json must be exactly str, bytes, bytearray or memoryview, not dict; "
            "validate_tool_arguments takes a decoded value")),
    ],
)  # fmt: skip
def test_a_callers_mistake_is_a_type_error(read: ToolDefinition, call: Any, sentence: str) -> None:
    with pytest.raises(TypeError, match=f"^{sentence}$"):
        call(read)


def test_undeclared_names_are_escaped_shortened_and_can_be_hidden() -> None:
    schema = {"properties": {"größe": {"type": "integer"}}, "additionalProperties": False}
    arguments = {"größe": "x", "clé\n": 1, "k" * 100: 1}
    assert check_tool_arguments(define(schema), arguments) == (
        "/cl\\u00e9\\u000a: must not have additional properties",
        "/größe: must be integer",
        "/" + "k" * 61 + "...: must not have additional properties",
    )
    hidden = check_tool_arguments(define(schema, hide_undeclared_names=True), arguments)
    assert hidden == (
        "/(undeclared name): must not have additional properties",
        "/größe: must be integer",
    )


def test_a_duplicate_name_is_hidden_too() -> None:
    text = '{"headers": {"sk-live-42": 1, "sk-live-42": 2}}'
    assert check_tool_arguments(define({}, hide_undeclared_names=True), text) == (
        "/: arguments must not have duplicate properties (undeclared name)",
    )
    known = define({"properties": {"größe": {}}}, hide_undeclared_names=True)
    assert check_tool_arguments(known, '{"größe": 1, "größe": 2}') == (
        "/: arguments must not have duplicate properties größe",
    )


def test_a_number_written_with_a_fraction_stays_a_float() -> None:
    tool = property_tool({"type": "integer"})
    assert repr(parse_tool_arguments(tool, '{"v": 3.0}')) == "{'v': 3.0}"


def test_a_schema_cannot_forge_a_line_either() -> None:
    tool = define({"properties": {"a\nb": {"pattern": "^x\ny$"}}})
    [issue] = check_tool_arguments(tool, {"a\nb": "z"})
    assert issue == '/a\\u000ab: must match pattern "^x\\u000ay$"'


def test_checking_never_changes_the_arguments(read: ToolDefinition) -> None:
    arguments = {**GOOD, "extra": [{"a": 1}]}
    before = copy.deepcopy(arguments)
    validate_tool_arguments(read, arguments)
    assert arguments == before


def test_a_caller_deep_in_the_stack_gets_an_answer() -> None:
    tree = {
        "$ref": "#/$defs/n",
        "$defs": {"n": {"properties": {"c": {"$ref": "#/$defs/n"}}, "type": "object"}},
    }
    deep: Any = 5
    for _ in range(98):
        deep = {"c": deep}

    def descend(frames: int) -> tuple[Issue, ...]:
        return descend(frames - 1) if frames else check_tool_arguments(define(tree), deep)

    for frames in (1, 300, 600):
        assert descend(frames)


def test_a_caller_near_the_recursion_limit_gets_the_right_answer_for_a_deep_value() -> None:
    tree = {"additionalProperties": {"$ref": "#"}, "type": "object"}
    tool = define(tree)
    good: Any = {}
    bad: Any = {"c": 5}
    for _ in range(95):
        good, bad = {"c": good}, {"c": bad}

    def descend(frames: int) -> list[int]:
        if frames:
            return descend(frames - 1)
        return [len(check_tool_arguments(tool, value)) for value in (good, bad)]

    above = sum(1 for _ in traceback.walk_stack(None))
    assert descend(sys.getrecursionlimit() - above - 80) == [0, 1]


def test_a_name_too_long_to_be_searched_is_reported_as_too_long() -> None:
    """The pattern would match it, so it is not an additional property."""
    schema = {"patternProperties": {"^(?!b)a+$": True}, "additionalProperties": False}
    tool = define(schema, limits=Limits(max_pattern_text=10))
    assert check_tool_arguments(tool, {"a" * 10: 1}) == ()
    assert check_tool_arguments(tool, {"a" * 11: 1}) == (
        "/: arguments must not have property names of more than 10 characters",
    )
