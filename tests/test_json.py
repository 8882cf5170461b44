"""How JSON text is decoded, and the issues of text that is not JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest
from conftest import define
from hypothesis import given
from hypothesis import strategies as st

from toolschema import (
    Limits,
    ToolArgumentsValidationError,
    ToolDefinition,
    check_tool_arguments,
    parse_tool_arguments,
)

ANY = define({})


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", "empty at line 1 column 1"),
        (" \n ", "empty at line 1 column 1"),
        ('{"a": 1', "truncated at line 1 column 8"),
        ('{"a": "x', "truncated at line 1 column 9"),
        ('{\n"a": [1,', "truncated at line 2 column 9"),
        ('{"a": 1} x', "trailing data at line 1 column 10"),
        ('{"a":1}{"a":2}', "trailing data at line 1 column 8"),
        ('```json\n{"a":1}\n```', "code fence at line 1 column 1"),
        (" \n```\n{}", "code fence at line 2 column 1"),
        ('{"a": 1  \n', "truncated at line 2 column 1"),
        ('{"a": ' + "9" * 5000 + "}", "number out of range at line 1 column 7"),
        ('{"a": \x01}', "control character at line 1 column 7"),
        ('{"a": 1\n"b"}', "not JSON at line 2 column 1"),
        ('{"a": 1} \n {', "trailing data at line 2 column 2"),
        ('{"a": NaN}', "NaN or Infinity at line 1 column 7"),
        ('{"a": -Infinity}', "NaN or Infinity at line 1 column 8"),
        ('{"a": "x\ty"}', "control character at line 1 column 9"),
        ('{"a": "x\ny"}', "control character at line 1 column 9"),
        (r'{"a": "\x"}', "bad escape at line 1 column 8"),
        (r'{"a": "\ud800"}', "bad escape at line 1 column 8"),
        (r'{"a": "\ud83d\n"}', "bad escape at line 1 column 8"),
        (r'{"\u00e9\\": "\ud83D\uDE00\/\u12"}', "bad escape at line 1 column 29"),
        (r'{"a": "\u12', "truncated at line 1 column 12"),
        (b'{"a": "\xff"}', "invalid UTF-8 at line 1 column 8"),
        ('{"a": "\ud800"}', "invalid UTF-8 at line 1 column 8"),
        (b"\xff\xfe{\x00", "invalid UTF-8 at line 1 column 1"),
        ("\ufeff{}", "byte order mark at line 1 column 1"),
        ("{'a': 1}", "not JSON at line 1 column 2"),
        ('{"a": 1,}', "not JSON at line 1 column 8"),
        ('{"a": 01}', "not JSON at line 1 column 7"),
        ('{"a": True}', "not JSON at line 1 column 7"),
        ('{"a": 1 // c\n}', "not JSON at line 1 column 9"),
        ("\u00a0{}", "not JSON at line 1 column 1"),
    ],
)
def test_malformed_json_is_one_issue_with_kind_and_position(text: str | bytes, kind: str) -> None:
    assert check_tool_arguments(ANY, text) == (f"/: arguments must be valid JSON ({kind})",)


@pytest.mark.parametrize("text", ["null", "[]", '"{}"', "5", "true"])
@pytest.mark.parametrize("schema", [{}, {"type": ["object", "array"]}], ids=["open", "list"])
def test_the_arguments_must_be_an_object_whatever_the_schema_says(text: str, schema: Any) -> None:
    [issue] = check_tool_arguments(define(schema), text)
    assert issue == "/: arguments must be a plain object"
    assert issue.keyword == "@object"


def test_empty_text_is_an_object_only_if_the_caller_says_so(read: ToolDefinition) -> None:
    assert parse_tool_arguments(ANY, " \n", empty_is_object=True) == {}
    with pytest.raises(ToolArgumentsValidationError, match="must have required properties path"):
        parse_tool_arguments(read, b"", empty_is_object=True)
    with pytest.raises(ToolArgumentsValidationError, match="empty at line 1"):
        parse_tool_arguments(ANY, "")


@pytest.mark.parametrize("text", ["\v", b"\f", "\x85", "\xa0", "X", "null", "\ud800", b"\xff"])
def test_only_json_white_space_counts_as_empty(text: str | bytes) -> None:
    with pytest.raises(ToolArgumentsValidationError):
        parse_tool_arguments(ANY, text, empty_is_object=True)


def test_duplicate_names_are_refused_at_the_root() -> None:
    [issue] = check_tool_arguments(ANY, '{"a": {"x\\n": 1, "x\\n": 2}}')
    assert issue == "/: arguments must not have duplicate properties x\\u000a"
    assert issue.keyword == "@duplicate"


def test_duplicate_names_can_be_read_as_javascript_does() -> None:
    text = '{"a": 1, "b": 0, "a": 2}'
    assert parse_tool_arguments(ANY, text, duplicate_keys="last") == {"a": 2, "b": 0}
    for arguments in (text, "{}"):
        with pytest.raises(ValueError, match=r'^duplicate_keys must be "refuse" or "last"$'):
            parse_tool_arguments(ANY, arguments, duplicate_keys="first")  # type: ignore[arg-type]


def test_a_name_is_not_mistaken_for_a_decoder_message() -> None:
    [issue] = check_tool_arguments(ANY, '{"recursion limit": 1, "recursion limit": 2}')
    assert issue == "/: arguments must not have duplicate properties recursion limit"


def test_a_syntax_error_is_reported_before_a_duplicate_name() -> None:
    [issue] = check_tool_arguments(ANY, '{"a": 1, "a": 2')
    assert "truncated" in issue


@pytest.mark.parametrize(
    "digits",
    ["9007199254740993", "18446744073709551616", "-9223372036854775809", "9" * 400],
    ids=["2^53+1", "2^64", "below -2^63", "400 digits"],
)
def test_integers_stay_exact(digits: str) -> None:
    value = parse_tool_arguments(ANY, f'{{"a": {digits}}}')["a"]
    assert type(value) is int
    assert value == int(digits)


def test_infinite_and_endless_numbers_are_refused() -> None:
    assert check_tool_arguments(ANY, '{"a": [1e400]}') == ("/a/0: must be a finite number",)
    [issue] = check_tool_arguments(ANY, f'{{"a": {"9" * 5000}}}')
    assert issue.instance_location == ""


@given(st.sampled_from([b"\xff", b'{"a"', b"[]", b"}", b'"', b"\\", b"1e", b"\x00"]), st.binary())
def test_arbitrary_bytes_give_issues_and_never_exceptions(start: bytes, rest: bytes) -> None:
    check_tool_arguments(ANY, start + rest)


@pytest.mark.parametrize("form", [bytes, bytearray, memoryview])
def test_utf8_bytes_are_accepted_as_text(form: Any) -> None:
    assert parse_tool_arguments(ANY, form('{"ä": "é"}'.encode())) == {"ä": "é"}


def test_byte_and_value_limits_are_exact() -> None:
    tool = define({}, limits=Limits(max_bytes=10, max_nodes=4))
    assert parse_tool_arguments(tool, '{"aé": 1}') == {"aé": 1}
    [issue] = check_tool_arguments(tool, '{"aéé": 1}')
    assert issue == "/: arguments must not be longer than 10 bytes"
    wide = define({}, limits=Limits(max_nodes=4))
    assert parse_tool_arguments(wide, '{"a": [1, ",,,,"]}') == {"a": [1, ",,,,"]}
    [issue] = check_tool_arguments(wide, '{"a": [1, 2, 3]}')
    assert issue == "/: arguments must not hold more than 4 values"


def test_the_arguments_themselves_are_the_first_level_of_depth() -> None:
    tool = define({}, limits=Limits(max_depth=3))
    assert parse_tool_arguments(tool, '{"a": [[1]]}') == {"a": [[1]]}
    [issue] = check_tool_arguments(tool, '{"a": [[[]]]}')
    assert issue == "/: arguments must not be nested deeper than 3 levels"
    assert issue.keyword == "@limit"
    [issue] = check_tool_arguments(tool, '{"a":' + "[" * 5000 + "]" * 5000 + "}")
    assert issue.keyword == "@limit"


PADDING = '"padding": "' + "x" * 300 + '"'
"""Makes the text long enough that names are counted instead of compared."""


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('{"a": 1, "a": 1, %s}', "a"),
        ('{"b": {"a": 1, "a": {"c": 1}}, %s}', "a"),
        ('{"b": [{"a:": ":", "a:": ":"}], %s}', "a:"),
        ('{"a": ":", "b": "::", "a": "", %s}', "a"),
        ('{"a": 1, "\\u0061": 2, %s}', "a"),
        ('{"a": 1, "a": "\\u003a\\u003a", %s}', "a"),
        ('{"a": 18446744073709551616, "a": 1, %s}', "a"),
        ('{"\u00e9": 1, "\u00e9": 2, %s}', "\\u00e9"),
    ],
)
@pytest.mark.parametrize("kind", [str, bytes])
def test_a_duplicate_name_is_found_in_long_text(kind: type, text: str, name: str) -> None:
    whole = text % PADDING
    given = whole if kind is str else whole.encode()
    (issue,) = check_tool_arguments(ANY, given)
    assert issue == f"/: arguments must not have duplicate properties {name}"


@pytest.mark.parametrize(
    "value",
    [
        {"a:b": ":", "c": [{"a:b": "x: y"}]},
        {"a": 2**64 + 1, "b": 10**400, "c": 1.5e300},
        {"a": 'say "a": 1', "b": "a\\b", "c": "\n"},
        {"\u00e9:": "\U0001f600:"},
    ],
)
@pytest.mark.parametrize("kind", [str, bytes])
def test_long_text_without_duplicates_is_decoded_unchanged(kind: type, value: Any) -> None:
    value = {**value, "padding": "x" * 300}
    for escapes in (True, False):
        text = json.dumps(value, ensure_ascii=escapes)
        assert parse_tool_arguments(ANY, text if kind is str else text.encode()) == value


NAMES = st.sampled_from(["a", "b", "a:", '"', "\\", ":"])
PAIRS = st.recursive(
    st.none() | st.integers() | st.text(':"\\a', max_size=3),
    lambda below: st.lists(st.tuples(NAMES, below), max_size=4).map(tuple),
)


def written(value: Any) -> str:
    """JSON text of pairs, whose names need not be unique."""
    if not isinstance(value, tuple):
        return json.dumps(value)
    return "{" + ", ".join(f"{json.dumps(name)}: {written(member)}" for name, member in value) + "}"


def has_duplicate(value: Any) -> bool:
    if not isinstance(value, tuple):
        return False
    names = [name for name, _ in value]
    return len(set(names)) < len(names) or any(has_duplicate(member) for _, member in value)


@given(PAIRS)
def test_text_is_refused_for_duplicates_only_if_it_has_some(value: Any) -> None:
    text = f'{{"v": {written(value)}, {PADDING}}}'
    assert bool(check_tool_arguments(ANY, text)) is has_duplicate(value)


def test_depth_is_the_same_below_a_chain_of_references() -> None:
    chain = {f"d{index}": {"allOf": [{"$ref": f"#/$defs/d{index + 1}"}]} for index in range(30)}
    last = {"additionalProperties": {"$ref": "#"}}
    tool = define({"$ref": "#/$defs/d0", "$defs": {**chain, "d30": last}})
    assert check_tool_arguments(tool, '{"c": ' * 99 + "{}" + "}" * 99) == ()
    [issue] = check_tool_arguments(tool, '{"c": ' * 100 + "{}" + "}" * 100)
    assert issue == "/: arguments must not be nested deeper than 100 levels"
