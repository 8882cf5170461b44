"""The feedback for a model: what it says, and what it never reveals."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import pytest
from conftest import ROOT, define, property_tool, seconds
from hypothesis import given
from hypothesis import strategies as st

from toolschema import (
    Issue,
    Limits,
    ToolArgumentsValidationError,
    ToolDefinition,
    check_tool_arguments,
    feedback,
    load_tools,
    parse_tool_arguments,
)
from toolschema._schema.examples import FORMATS

TOOLS = load_tools(ROOT / "schemas")
TEXT = {"type": "string"}
A_BRANCH = {"type": "object", "properties": {"kind": {"const": "a"}, "n": {"type": "integer"}}}
B_BRANCH = {"type": "object", "properties": {"kind": {"const": "b"}, "t": TEXT}}


def told(tool: ToolDefinition, arguments: Any, **options: Any) -> list[str]:
    """The lines about issues, without the first and the last line."""
    issues = check_tool_arguments(tool, arguments)
    assert issues
    return feedback(tool, issues, arguments, **options).split("\n")[1:-1]


def of_value(schema: Any, value: Any, **options: Any) -> str:
    (line,) = told(property_tool(schema), {"v": value}, **options)
    return line.removeprefix("- /v: ")


@pytest.mark.parametrize(
    ("schema", "value", "line"),
    [
        ({"type": "integer"}, "7", "must be an integer, got a string; send the number without quotes"),
        ({"type": "integer"}, 2.5, "must be an integer, got a number; send a whole number"),
        ({"type": "number"}, [7], "must be a number, got an array; send the value itself, not an array"),
        ({"type": "boolean"}, "True", "must be true or false, got a string; send it without quotes, in lower case"),
        ({"type": "string"}, 5, "must be a string, got an integer; send it as a string, in quotes"),
        ({"type": "string"}, None, "must be a string, got null; leave it out if there is no value"),
        ({"type": "array"}, "x", "must be an array, got a string; send an array even for a single value"),
        ({"type": "array"}, '["x"]', "must be an array, got a string; send the array itself, not a string containing it"),
        ({"type": "array"}, "['x']", "must be an array, got a string; send the array itself, not a string containing it"),
        ({"type": "object"}, '{"a": 1}', "must be an object, got a string; send the object itself, not a string containing it"),
        ({"type": ["integer", "null"]}, True, "must be an integer or null, got a boolean"),
        ({"enum": ["small", "large"]}, "Large", 'must be one of "small", "large"; did you mean "large"?'),
        ({"enum": ["small", "large"]}, "other", 'must be one of "small", "large"'),
        ({"type": "string", "enum": ["a", "b"]}, None, 'must be one of "a", "b", got null; leave it out if there is no value'),
        ({"enum": [f"e{i}" for i in range(30)]}, "zzzzzz", "must be one of " + ", ".join(f'"e{i}"' for i in range(20)) + " and 10 more"),
        ({"const": "on"}, "off", 'must be exactly "on"'),
        ({"minimum": 1, "maximum": 50}, 500, "must be between 1 and 50"),
        ({"minimum": 1, "maximum": 50}, 0, "must be between 1 and 50"),
        ({"minimum": 1}, 0, "must be at least 1"),
        ({"exclusiveMinimum": 0, "maximum": 1}, 0, "must be more than 0 and at most 1"),
        ({"exclusiveMaximum": 1e21}, 1e22, "must be less than 1e+21"),
        ({"multipleOf": 0.25}, 0.3, "must be a multiple of 0.25"),
        ({"minLength": 1}, "", "must have at least 1 character"),
        ({"minLength": 2, "maxLength": 4}, "a", "must have 2 to 4 characters"),
        ({"minLength": 3, "maxLength": 3}, "a", "must have exactly 3 characters"),
        ({"maxItems": 1}, [1, 2], "must have at most 1 item"),
        ({"minProperties": 2}, {}, "must have at least 2 properties"),
        ({"pattern": "^a+$"}, "b", 'must match pattern "^a+$"'),
        ({"pattern": "^a+$", "examples": ["aa"]}, "b", 'must match pattern "^a+$". Example: "aa"'),
        ({"format": "date"}, "tomorrow", 'must be a date such as "2031-05-02"'),
        ({"uniqueItems": True}, [1, 1], "must not have the same item twice"),
        ({"contains": TEXT}, [1], "must contain at least 1 valid item: a string"),
        ({"not": TEXT}, "x", "matches a schema that is excluded here; send a different value"),
        (False, 1, "is not accepted here; leave it out"),
        ({"anyOf": [TEXT, {"type": "array", "items": {"type": "integer"}}]}, 5, "must be a string or an array, got an integer; send an array even for a single value"),
        ({"oneOf": [{"minimum": 5}, {"multipleOf": 5}]}, 10, "must match exactly one schema in oneOf"),
        ({"anyOf": [{"const": "x"}, {"enum": ["y", "z"]}]}, "yy", 'must be one of "x", "y", "z"'),
        ({"anyOf": [{"type": "string", "format": "date"}, {"type": "string", "format": "uuid"}]}, "x", f'must be a date such as "2031-05-02"; or a uuid such as "{"123e4567-e89b-42d3-a456-426614174000"}"'),
    ],
)  # fmt: skip
def test_the_feedback_describes_a_valid_value(schema: Any, value: Any, line: str) -> None:
    assert of_value(schema, value) == line


@pytest.mark.parametrize(
    ("schema", "arguments", "line"),
    [
        ({"properties": {"a": TEXT}, "required": ["a"]}, {}, "- /a: is missing; it must be a string"),
        ({"required": ["a"]}, {}, "- /a: is missing"),
        ({"properties": {"a": TEXT}, "required": ["a"]}, {"p": {"a": "x"}}, "- /a: is missing; it must be a string; it was sent one level too deep"),
        ({"properties": {"a": {"enum": ["x", "y"]}}, "required": ["a"]}, {}, '- /a: is missing; it must be one of "x", "y"'),
        ({"properties": {"b": TEXT}, "dependentRequired": {"a": ["b"]}}, {"a": 1}, '- /b: is missing; it is required when "a" is present; it must be a string'),
        ({"properties": {"guestEmail": TEXT, "limit": TEXT}, "additionalProperties": False}, {"guest_email": "x"}, '- /guest_email: is not accepted; did you mean "guestEmail"? accepted names: "guestEmail", "limit"'),
        ({"properties": {"timeoutSeconds": TEXT, "command": TEXT}, "required": ["command"], "additionalProperties": False}, {"command": "x", "timeout": 5}, '- /timeout: is not accepted; did you mean "timeoutSeconds"? accepted names: "command", "timeoutSeconds"'),
        ({"properties": {"a": TEXT}, "unevaluatedProperties": False}, {"zzz": 1}, '- /zzz: is not accepted; accepted names: "a"'),
        ({"additionalProperties": False}, {"path": 1}, "- /path: is not accepted; leave it out"),
        ({"propertyNames": {"maxLength": 2}}, {"abc": 1}, "- /abc: is not an accepted property name: it must not have more than 2 characters"),
        ({"properties": {"v": {"oneOf": [{**A_BRANCH, "required": ["kind"]}, {**B_BRANCH, "required": ["kind"]}]}}}, {"v": {"kind": "c"}}, '- /v/kind: must be one of "a", "b"'),
        ({"properties": {"v": {"oneOf": [{**A_BRANCH, "required": ["kind"]}, {**B_BRANCH, "required": ["kind"]}]}}}, {"v": {}}, '- /v/kind: is missing; it must be one of "a", "b"'),
        ({"properties": {"v": {"oneOf": [{**A_BRANCH, "required": ["kind"]}, {**B_BRANCH, "required": ["kind"]}]}}}, {"v": {"kind": "a", "n": "5"}}, "- /v/n: must be an integer, got a string; send the number without quotes"),
        ({"properties": {"v": {"prefixItems": [{}], "unevaluatedItems": False}}}, {"v": [1, 2]}, "- /v/1: is one item too many; leave it out"),
    ],
)  # fmt: skip
def test_the_feedback_lists_the_accepted_property_names(
    schema: Any, arguments: Any, line: str
) -> None:
    assert told(define(schema), arguments) == [line]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no JSON was sent"),
        ('{"a": 1', "the JSON ends too early; send the complete object again"),
        ("{} {}", "there is text after the JSON"),
        ("```json\n{}\n```", "send the object alone, without code fences"),
        ('{"a": NaN}', "NaN and Infinity are not JSON"),
        ('{"a": "x\ny"}', "write line breaks and tabs inside strings as \\n and \\t"),
        ('{"a": "\\x"}', "a backslash can only be followed by"),
        (b'{"a": "\xff"}', "send UTF-8 text"),
        ("\ufeff{}", "send the object without a byte order mark"),
        ("{'a': 1}", "use double quotes, and no comments"),
        ('{"a": ' + "9" * 5000 + "}", "a number is too large"),
        ('{"a": 1, "a": 2}', "must not have duplicate properties a; send each name once"),
        ("[]", "the arguments must be one JSON object, got an array"),
        ('"{}"', "the arguments must be one JSON object, got a string; send the object itself"),
    ],
)
def test_the_feedback_says_how_to_fix_malformed_json(text: str | bytes, words: str) -> None:
    (line,) = told(define({}), text)
    assert line.startswith(f"- {words}")


def test_non_json_values_and_limits_are_reported_unchanged() -> None:
    assert told(define({}), {"a": (1,)}) == ["- /a: must be a JSON value"]
    tool = define({}, limits=Limits(max_depth=1))
    assert told(tool, '{"a": []}') == ["- arguments must not be nested deeper than 1 levels"]


class TestTheAuthorsWords:
    def test_a_message_replaces_every_issue_of_a_value(self) -> None:
        schema = {"type": "string", "minLength": 2, "errorMessage": "must be a name"}
        assert of_value(schema, "") == "must be a name."
        assert of_value(schema, 5) == "must be a name."

    def test_a_message_can_be_for_one_keyword(self) -> None:
        schema = {"type": "string", "minLength": 2, "errorMessage": {"type": "must be text!"}}
        assert of_value(schema, 5) == "must be text!"
        assert of_value(schema, "") == "must have at least 2 characters"

    @pytest.mark.parametrize(
        ("message", "line"),
        [
            ({"required": {"a": "give a"}}, "- /a: give a."),
            ({"required": "give all"}, "- /a: give all."),
            ({"_": "mend it"}, "- /a: mend it."),
            ({"properties": {"a": "give a"}}, "- /a: is missing"),
        ],
    )
    def test_a_message_can_be_for_a_missing_property(self, message: Any, line: str) -> None:
        tool = define({"required": ["a"], "errorMessage": message})
        assert told(tool, {}) == [line]

    def test_a_message_of_the_parent_covers_everything_below_a_property_or_item(self) -> None:
        items = {"items": {"type": "integer"}, "errorMessage": {"items": ["first", "second"]}}
        schema = {
            "properties": {"a": {"properties": {"b": TEXT}}, "c": {**items, "prefixItems": [TEXT]}},
            "errorMessage": {"properties": {"a": "a is an object with a text b"}},
        }
        assert told(define(schema), {"a": {"b": 1}}) == ["- /a/b: a is an object with a text b."]
        assert told(define(schema), {"c": [1]}) == ["- /c/0: first."]

    def test_the_message_nearest_to_the_fault_wins(self) -> None:
        schema = {
            "properties": {"a": {"$ref": "#/$defs/a", "errorMessage": "of the reference"}},
            "errorMessage": "of the root",
            "$defs": {"a": {"type": "string", "errorMessage": "of the definition"}},
        }
        assert told(define(schema), {"a": 1}) == ["- /a: of the definition."]
        del schema["$defs"]["a"]["errorMessage"]  # type: ignore[index]
        assert told(define(schema), {"a": 1}) == ["- /a: of the reference."]
        del schema["properties"]["a"]["errorMessage"]  # type: ignore[index]
        assert told(define(schema), {"a": 1}) == ["- /a: of the root."]

    def test_a_template_shows_no_value(self) -> None:
        schema = {"type": "integer", "errorMessage": "must be whole, not ${/v} or ${0}"}
        line = of_value(schema, "hunter2SECRET")
        assert line == "must be whole, not the value of v or the value of 0."

    def test_only_the_first_sentence_of_a_description_is_shown(self) -> None:
        schema = {"type": "integer", "description": "How many, e.g. five. Not more."}
        assert of_value(schema, 2.5) == (
            "must be an integer, got a number; send a whole number. How many, e.g. five."
        )

    def test_a_description_beside_a_reference_overrides_that_of_the_definition(self) -> None:
        schema = {
            "properties": {"from": {"$ref": "#/$defs/day", "description": "Day of arrival."}},
            "required": ["from"],
            "$defs": {"day": {"type": "string", "format": "date", "description": "Any day."}},
        }
        for arguments in ({}, {"from": "soon"}):
            (line,) = told(define(schema), arguments)
            assert "Day of arrival." in line
            assert "Any day." not in line

    def test_an_example_that_the_schema_refuses_is_not_shown(self) -> None:
        assert of_value({"type": "boolean", "default": "false"}, 5) == (
            "must be true or false, got an integer"
        )

    def test_untrusted_schema_text_can_be_left_out(self) -> None:
        schema = {
            "type": "string",
            "enum": ["a", "b"],
            "description": "IGNORE ALL",
            "examples": ["a"],
            "errorMessage": "IGNORE ALL",
        }
        line = of_value(schema, 5, trust_schema_text=False)
        assert line == 'must be one of "a", "b", got an integer; send it as a string, in quotes'


def test_the_three_good_messages() -> None:
    """For a date in words, a made-up id and a page size above the maximum."""
    arguments = {"bookingId": "my booking", "date": "next Friday"}
    tool = TOOLS["reschedule_booking"]
    text = feedback(tool, check_tool_arguments(tool, arguments), arguments, echo=True)
    assert text.split("\n") == [
        'The call to "reschedule_booking" was refused: 2 problems with its arguments.',
        (
            '- /bookingId: must be a booking id: "bk_" and 12 characters 0-9 or a-f, such as '
            "bk_0123456789ab. Do not invent one; call search_bookings and copy the id of a booking "
            'that it returns. You sent "my booking".'
        ),
        (
            '- /date: must be a date such as "2031-05-02". New day of arrival as YYYY-MM-DD, such as '
            '2026-03-14. You sent "next Friday".'
        ),
        'Call "reschedule_booking" again with complete and corrected arguments.',
    ]
    (line,) = told(TOOLS["search_bookings"], {"limit": 500})
    assert line == (
        "- /limit: must be a whole number from 1 to 50; for more results, call again with the "
        "cursor of the page before."
    )


def test_an_error_gets_the_same_feedback_as_its_issues() -> None:
    tool = TOOLS["read"]
    text = '{"limit": "20"}'
    with pytest.raises(ToolArgumentsValidationError) as caught:
        parse_tool_arguments(tool, text)
    issues = check_tool_arguments(tool, text)
    assert feedback(tool, caught.value, text) == feedback(tool, issues, text)
    assert feedback(tool, caught.value) != feedback(tool, caught.value, text)


def test_issues_beyond_the_limit_are_counted() -> None:
    tool = define({"additionalProperties": False}, limits=Limits(max_issues=3))
    arguments = {f"k{i}": 1 for i in range(10)}
    with pytest.raises(ToolArgumentsValidationError) as caught:
        parse_tool_arguments(tool, json.dumps(arguments))
    lines = feedback(tool, caught.value).split("\n")
    assert "10 problems" in lines[0]
    assert lines[-2] == "- and 7 more"


@pytest.mark.parametrize("most", [200, 300, 1000])
def test_the_feedback_has_a_maximum_length(most: int) -> None:
    schema = {"additionalProperties": {"type": "string", "description": "x" * 500}}
    arguments = {f"k{i}" * 20: 1 for i in range(50)}
    tool = define(schema)
    text = feedback(
        tool, check_tool_arguments(tool, arguments), arguments, skeleton=True, max_length=most
    )
    assert len(text) <= most


def test_a_skeleton_is_the_smallest_valid_call() -> None:
    tool = TOOLS["send_email"]
    text = feedback(tool, check_tool_arguments(tool, {}), {}, skeleton=True)
    line = text.split("\n")[-2]
    assert line.startswith("The smallest valid call: ")
    assert not check_tool_arguments(tool, line.removeprefix("The smallest valid call: "))
    hard = define({"properties": {"a": {"pattern": "^x{9}$"}}, "required": ["a"]})
    text = feedback(hard, check_tool_arguments(hard, {}), {}, skeleton=True)
    assert 'A call looks like this: {"a": "..."}' in text


def test_every_tool_of_the_project_has_a_skeleton() -> None:
    for tool in TOOLS.values():
        text = feedback(tool, check_tool_arguments(tool, "[]"), "[]", skeleton=True)
        assert "smallest valid call" in text or "looks like this" in text


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"tool": {}}, TypeError, "tool must be a ToolDefinition, not dict"),
        ({"issues": "text"}, TypeError, "issues must be"),
        ({"issues": []}, TypeError, "at least one Issue"),
        ({"max_length": 199}, ValueError, "at least 200"),
        ({"max_length": 2e3}, TypeError, "max_length must be int, not float"),
    ],
)
def test_a_wrong_argument_raises_a_precise_error(options: Any, error: type, words: str) -> None:
    tool = options.pop("tool", TOOLS["read"])
    issues = options.pop("issues", check_tool_arguments(TOOLS["read"], {}))
    with pytest.raises(error, match=words):
        feedback(tool, issues, **options)


SECRET = "hunter2SECRET"
VALUES = st.recursive(
    st.sampled_from([SECRET, 8675309, None, True, 2.5, [SECRET], {"a": SECRET}]),
    lambda below: st.lists(below, max_size=3) | st.dictionaries(st.sampled_from("abcv"), below),
    max_leaves=6,
)


@given(st.sampled_from(sorted(TOOLS)), VALUES, st.booleans())
def test_no_value_of_the_arguments_is_shown(name: str, value: Any, skeleton: bool) -> None:  # noqa: FBT001
    tool = TOOLS[name]
    names = sorted(json.loads(json.dumps(tool.parameters)).get("properties", {}))
    arguments = dict.fromkeys(names, value)
    issues = check_tool_arguments(tool, arguments)
    if issues:
        text = feedback(tool, issues, arguments, skeleton=skeleton)
        assert SECRET not in text
        assert "8675309" not in text


def test_an_echoed_value_is_short_and_on_one_line() -> None:
    line = of_value({"maxLength": 1}, "a\nb" * 100, echo=True)
    assert "\\n" in line
    assert ". You sent" in line
    assert line.endswith(('...."', "...."))
    assert len(line) < 200


DRAFT_07 = {"$schema": "http://json-schema.org/draft-07/schema#"}


@pytest.mark.parametrize(
    ("schema", "arguments", "line"),
    [
        ({"properties": {"city": {}}, "additionalProperties": False}, {"ciy": 1},
            '- /ciy: is not accepted; did you mean "city"? accepted names: "city"'),
        ({"required": ["id"], "allOf": [{"properties": {"id": TEXT}}]}, {"id": None},
            "- /id: must be a string, got null"),
        ({"properties": {"id": TEXT}, "allOf": [{"required": ["id"]}]}, {"id": None},
            "- /id: must be a string, got null"),
        ({"properties": {"o": {"patternProperties": {"id": TEXT}}, "id": TEXT}}, {"o": {"id": None}},
            "- /o/id: must be a string, got null"),
        ({"properties": {"x": {"minLength": 1, "$dynamicRef": "#n"}},
            "$defs": {"n": {"$dynamicAnchor": "n", "minLength": 5}}}, {"x": "abc"},
            "- /x: must not have fewer than 5 characters"),
        ({"properties": {"x": {"maximum": 100, "$dynamicRef": "#n"}},
            "$defs": {"n": {"$dynamicAnchor": "n", "minimum": 5}}}, {"x": 1}, "- /x: must be >= 5"),
        ({**DRAFT_07, "properties": {"x": {"$ref": "#/definitions/a", "properties": {"nmaex": {}}}},
            "definitions": {"a": {"properties": {"name": {}}, "additionalProperties": False}}},
            {"x": {"nmae": 1}}, '- /x/nmae: is not accepted; did you mean "name"? accepted names: "name"'),
        ({"anyOf": [{"properties": {"yes": TEXT}}, {"properties": {"no": TEXT}}],
            "unevaluatedProperties": False}, {"yess": 1},
            '- /yess: is not accepted; did you mean "yes"? accepted names: "yes", "no"'),
        ({"properties": {"m": {"format": "email"}}}, {"m": "x"},
            '- /m: must be an email such as "ada@example.com"'),
        ({"properties": {"x": {"type": "string", "errorMessage": " "}}}, {"x": 1},
            "- /x: must be a string, got an integer; send it as a string, in quotes"),
        ({"properties": {"9" * 50: TEXT}, "errorMessage": {"properties": ["a"]}}, {"9" * 50: 1},
            f"- /{'9' * 50}: must be a string, got an integer; send it as a string, in quotes"),
    ],
)  # fmt: skip
def test_the_hint_says_what_fixes_the_call(schema: Any, arguments: Any, line: str) -> None:
    assert told(define(schema), arguments) == [line]


def test_a_syntax_error_is_reported_despite_an_error_message_at_the_root() -> None:
    tool = define({"errorMessage": "must be a nice order"})
    assert told(tool, '{"x": ') == [
        "- the JSON ends too early; send the complete object again (at line 1 column 7)"
    ]


@pytest.mark.parametrize(
    "schema",
    [
        {"required": ["x"], "properties": {"x": {"type": "array", "minItems": 2.0}}},
        {"required": ["x"], "properties": {"x": {"exclusiveMinimum": 10**4300 - 1, "type": "integer"}}},
        {"required": list("abcdefghij"), "properties": {k: {"$ref": "#"} for k in "abcdefghij"}},
    ],
)  # fmt: skip
def test_a_skeleton_can_be_made_for_any_schema(schema: Any) -> None:
    tool = define(schema)
    write = partial(feedback, tool, check_tool_arguments(tool, "{}"), skeleton=True)
    assert write()
    assert seconds(write) < 0.5


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "integer", "description": "a line without an end " * 2000}, "x"),
        ({"type": "integer", "errorMessage": "${" * 50_000}, "x"),
        ({"items": {"enum": [f"{i:060b}" for i in range(3000)]}}, ["01" * 30] * 20),
        ({"items": {"enum": [f"{i:036b}" for i in range(3000)]}}, ["01" * 18] * 20),
        ({"items": {"enum": [str(i) * 50_000 for i in range(20)]}}, ["x"] * 20),
        ({"properties": {f"name{i}": {} for i in range(5000)}, "additionalProperties": False},
            {f"nmae{i}": 1 for i in range(20)}),
    ],
)  # fmt: skip
def test_no_schema_makes_feedback_slow(schema: Any, value: Any) -> None:
    tool = property_tool(schema)
    write = partial(feedback, tool, check_tool_arguments(tool, {"v": value}), {"v": value})
    assert write()
    assert seconds(write) < 1


class Meta(type):
    def __hash__(cls) -> int:
        raise ZeroDivisionError

    def __eq__(cls, other: object) -> bool:
        raise ZeroDivisionError


class Odd(metaclass=Meta):
    pass


class Bytes(bytes):
    __slots__ = ()

    def __bytes__(self) -> bytes:
        raise ZeroDivisionError


@pytest.mark.parametrize("arguments", [Odd(), Bytes(b"{}"), {"v": Odd()}, {"v": {"w": Odd()}}])
def test_there_is_feedback_for_a_value_of_any_type(arguments: Any) -> None:
    tool = property_tool({"type": "string"})
    assert feedback(tool, check_tool_arguments(tool, arguments), arguments, echo=True)
    for kind in ("string", "number", "boolean", "array", "object"):
        issues = [Issue("must be otherwise", ("v",), "type", "", {"type": kind})]
        assert feedback(tool, issues, arguments, echo=True)


def test_issues_may_be_hand_made_but_must_be_issues() -> None:
    tool = property_tool({})
    for keyword in ("enum", "const", "multipleOf", "format", "required", "minimum", "anyOf"):
        assert feedback(tool, [Issue("must be otherwise", ("x",), keyword)])
    with pytest.raises(TypeError, match="issues must be"):
        feedback(tool, 5)  # type: ignore[arg-type]


def test_an_overlong_line_is_cut_before_the_closing_instruction() -> None:
    schema = {"type": "integer", "description": "x" * 900}
    tool = ToolDefinition("t" * 300, "", {"properties": {"v": schema}})
    text = feedback(tool, check_tool_arguments(tool, {"v": "x"}), max_length=300)
    assert len(text) <= 300
    assert text.endswith("again with complete and corrected arguments.")


class TestAdviceThatCanBeFollowed:
    @pytest.mark.parametrize(
        ("name", "pattern", "sent"),
        [
            ("uri", "^https://github[.]com/", "https://a.test/"),
            ("email", "@acme[.]com$", "bob@a.test"),
            ("date", "^2026-", "2025-01-01"),
            ("date-time", "[+]00:00$", "2025-01-01T00:00:00Z"),
        ],
    )
    def test_an_example_of_a_format_is_shown_only_if_the_pattern_accepts_it(
        self, name: str, pattern: str, sent: str
    ) -> None:
        assert "Example" not in of_value({"format": name, "pattern": pattern}, sent)
        fitting = {"format": name, "pattern": f"^{FORMATS[name]}$"}
        assert "Example: " in of_value(fitting, sent)

    def test_a_declared_nested_property_was_not_sent_one_level_too_deep(self) -> None:
        person = {
            "properties": {"name": TEXT, "address": {"properties": {"name": TEXT}}, "rest": {}}
        }
        tool = define({**person, "required": ["name"]})
        assert told(tool, {"address": {"name": "x"}}) == [
            "- /name: is missing; it must be a string"
        ]
        [line] = told(tool, {"rest": {"name": "x"}})
        assert line.endswith("; it was sent one level too deep")

    @pytest.mark.parametrize(
        "more",
        [
            {"required": ["a"]},
            {"dependentRequired": {"b": ["a"]}},
            {"dependencies": {"b": ["a"]}},
            {"minProperties": 2},
            {"anyOf": [{"required": ["a"]}, {"required": ["c"]}]},
            {"if": {"required": ["b"]}, "then": {"required": ["a"]}},
        ],
    )
    def test_the_model_is_not_told_to_leave_out_what_may_be_required(self, more: Any) -> None:
        sent = {"a": None, "b": 1}
        [line] = told(define({"properties": {"a": TEXT}, **more}), sent)
        assert line == "- /a: must be a string, got null"
        [line] = told(define({"properties": {"a": TEXT}}), sent)
        assert line == "- /a: must be a string, got null; leave it out if there is no value"

    def test_patterns_of_accepted_names_are_listed_too(self) -> None:
        keyed = {"patternProperties": {"^x-": TEXT}, "additionalProperties": False}
        assert told(define(keyed), {"X-a": "1"}) == [
            '- /X-a: is not accepted; only names that match "^x-" are accepted'
        ]
        assert told(define({**keyed, "properties": {"a": {}}}), {"y": 1}) == [
            '- /y: is not accepted; accepted names: "a", and any that match "^x-"'
        ]

    @pytest.mark.parametrize("text", ["NaN", "Infinity", "1e400", "1.5"])
    def test_a_string_that_is_not_a_number_gets_no_hint_about_quotes(self, text: str) -> None:
        assert of_value({"type": "integer"}, text) == "must be an integer, got a string"

    @pytest.mark.parametrize(
        ("schema", "value", "hint"),
        [
            ({"enum": ["x", "y"]}, ["x"], "got an array; send the value itself, not an array"),
            ({"enum": [10, 20]}, "20", "got a string; send the number without quotes"),
            ({"const": True}, "true", "got a string; send it without quotes, in lower case"),
            ({"enum": ["1", "2"]}, 1, "got an integer; send it as a string, in quotes"),
        ],
    )
    def test_the_type_of_allowed_values_gives_a_hint_too(
        self, schema: Any, value: Any, hint: str
    ) -> None:
        assert of_value(schema, value).endswith(f", {hint}")
