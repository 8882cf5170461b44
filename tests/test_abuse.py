"""Hostile input on four levels: text, values, schemas, and how the library is used.

The expressions of the vectors are our own, and are evaluated as such.
"""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from conftest import assert_linear, define, rows, seconds

from toolschema import (
    ToolArgumentsValidationError,
    ToolDefinition,
    ToolSchemaError,
    check_tool_arguments,
    parse_tool_arguments,
    validate_tool_arguments,
)
from toolschema._json.equality import has_duplicates, key_of

SECRET = "hunter2SECRET"
ROWS = rows("abuse.jsonl")


@pytest.mark.parametrize(
    "row",
    [row for row in ROWS if row["api"] != "script"],
    ids=lambda row: str(row["kind"]),
)
def test_hostile_input_ends_as_it_should(row: dict[str, Any]) -> None:
    if "numpy" in row.get("python_expr", ""):
        pytest.importorskip("numpy")
    expected = row["expected"]
    arguments = row["args_json"] if "args_json" in row else eval(row["python_expr"])
    schema = eval(row["schema_expr"]) if row.get("schema_expr") else row["schema"]
    outcome: str
    result: Any = None

    def work() -> None:
        nonlocal outcome, result
        outcome, result = run(row["api"], schema, arguments)

    assert seconds(work) < expected["max_seconds"]
    assert outcome in {expected["outcome"], *expected.get("alt", ())}
    if outcome == "ok":
        assert_plain(result)
        if "value_expr" in expected:
            assert repr(result) == repr(eval(expected["value_expr"]))
    elif outcome == "issues":
        places = [issue.instance_location for issue in result.issues]
        if expected["outcome"] == "issues":
            for place in expected["issue_paths"]:
                assert places == [""] or any(is_below(each, place) for each in places)
        assert len(str(result)) < 100_000
        for part in expected.get("must_not_contain", ()):
            assert part not in str(result)


def run(api: str, schema: Any, arguments: Any) -> tuple[str, Any]:
    entry: Callable[..., Any] = parse_tool_arguments if api == "parse" else validate_tool_arguments
    try:
        return "ok", entry(define(schema), arguments)
    except ToolArgumentsValidationError as error:
        return "issues", error
    except ToolSchemaError as error:
        return "schema_error", error


def is_below(place: str, expected: str) -> bool:
    if expected.endswith("..."):
        return place.startswith(expected[:-3])
    return place == expected or place.startswith(expected + "/")


def assert_plain(value: Any) -> None:
    todo = [value]
    assert type(value) is dict
    while todo:
        item = todo.pop()
        assert type(item) in (dict, list, str, int, float, bool, type(None))
        if type(item) is dict:
            assert all(type(name) is str for name in item)
            todo.extend(item.values())
        elif type(item) is list:
            todo.extend(item)
        elif type(item) is float:
            assert item - item == 0


@pytest.mark.parametrize(
    "row", [row for row in ROWS if row["api"] == "script"], ids=lambda row: str(row["kind"])
)
def test_misuse_has_the_documented_outcome(row: dict[str, Any]) -> None:
    names = {
        "tool": define(row["schema"]),
        "make_tool": define,
        "parse": parse_tool_arguments,
        "validate": validate_tool_arguments,
        "outcome": outcome,
        "catch": catch,
        "mutate_race": mutate_race,
        "X": SECRET,
    }
    assert eval(row["python_expr"], names) == "ok"


def outcome(call: Callable[[], Any]) -> str:
    try:
        call()
    except ToolArgumentsValidationError:
        return "issues"
    return "ok"


def catch(call: Callable[[], Any]) -> ToolArgumentsValidationError:
    with pytest.raises(ToolArgumentsValidationError) as caught:
        call()
    return caught.value


def mutate_race(call: Callable[[Any], Any], times: int) -> str:
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    value: dict[str, Any] = {f"k{index}": index for index in range(2000)}
    stop = threading.Event()

    def change() -> None:
        index = 0
        while not stop.is_set():
            value[f"z{index % 50}"] = "s"
            value.pop(f"z{(index + 25) % 50}", None)
            index += 1

    thread = threading.Thread(target=change)
    thread.start()
    try:
        for _ in range(times):
            call(value)
    finally:
        stop.set()
        thread.join()
        sys.setswitchinterval(interval)
    return "ok"


@pytest.mark.parametrize("start", ["", '{"a":"'])
def test_unterminated_strings_are_scanned_once(start: str) -> None:
    tool = define({})

    def prepare(size: int) -> Callable[[], object]:
        text = start + '\\"' * size + "," * 400 * size
        assert outcome(lambda: parse_tool_arguments(tool, text)) == "issues"
        return partial(check_tool_arguments, tool, text)

    assert_linear(prepare, 3000)


def test_explaining_stays_bounded_when_every_step_is_expensive() -> None:
    level = {"properties": {"c": {"$ref": "#/$defs/d0"}}}
    chain = {f"d{i}": {"allOf": [{"$ref": f"#/$defs/d{i + 1}"}], **level} for i in range(40)}
    tool = define(
        {"$ref": "#/$defs/d0", "$defs": {**chain, "d40": {"properties": {"x": {"type": "null"}}}}}
    )
    value: Any = {"x": 1}
    for _ in range(98):
        value = {"c": value}
    assert outcome(lambda: validate_tool_arguments(tool, value)) == "issues"
    assert seconds(check_tool_arguments, tool, value) < 5


def test_unique_items_are_compared_by_strings_with_unpredictable_hashes() -> None:
    values: list[Any] = [0, -1, 2**70, 0.5, True, False, None, "a", "1", [1], {"a": 1}, [], {}]
    assert all(type(key_of(value)) is str for value in values)
    assert not has_duplicates(
        [*values, [True], {"a": "1"}, "[]", "0x1", [[1]], ["1,1"], ["1", "1"]], {}
    )
    for one, other in (
        ({"a": 1, "b": 2.0}, {"b": 2, "a": 1.0}),
        ([1e300], [int(1e300)]),
        (0.0, -0.0),
    ):
        assert has_duplicates([one, other], {})


def test_an_abandoned_search_in_a_property_name_is_a_limit_issue() -> None:
    tool = define({"patternProperties": {"^(?:a|a|(?!x)a)*$": False}})
    for arguments in ({"a" * 40 + "c": 1}, json.dumps({"a" * 40 + "c": 1})):
        entry: Any = (
            validate_tool_arguments if isinstance(arguments, dict) else parse_tool_arguments
        )
        [issue] = catch(partial(entry, tool, arguments)).issues
        assert issue == (
            "/: arguments must not hold texts that take too long to be searched for a pattern"
        )
        assert issue.keyword == "@limit"


def test_text_and_value_are_searched_under_the_same_budget() -> None:
    hard = {"pattern": "^(?:a|a|(?!x)a)*$"}
    tool = define({"properties": {"v": {"anyOf": [hard, {"type": "string"}]}}})
    value = {"v": "a" * 40 + "c"}
    assert outcome(partial(validate_tool_arguments, tool, value)) == "ok"
    assert outcome(partial(parse_tool_arguments, tool, json.dumps(value))) == "ok"


def test_equivalent_patterns_remain_separate_keywords() -> None:
    for one, other in ((r"^\u0061$", r"^\x61$"), ("^a$", r"^\x61$"), (r"^[\x61]$", "^[a]$")):
        for first, second in ((one, other), (other, one)):
            tool = define(
                {"patternProperties": {first: {"maxLength": 1}, second: {"type": "string"}}}
            )
            assert outcome(partial(validate_tool_arguments, tool, {"a": "xx"})) == "issues"
            assert outcome(partial(validate_tool_arguments, tool, {"a": 1})) == "issues"
            assert outcome(partial(validate_tool_arguments, tool, {"a": "x"})) == "ok"


def test_white_space_and_encoding_do_not_change_the_verdict() -> None:
    tool = define({"patternProperties": {"^(?!x)": {"type": "integer"}}})
    for name in ("a" * 300, "é" * 4200):
        value = {name: 1}
        text = json.dumps(value, ensure_ascii=False)
        outcomes = {
            outcome(partial(validate_tool_arguments, tool, value)),
            *(outcome(partial(parse_tool_arguments, tool, each))
              for each in (text, text.encode(), text + " " * 9000)),
        }  # fmt: skip
        assert len(outcomes) == 1


def test_data_that_looks_like_an_id_is_not_a_resource() -> None:
    resources = {"other": {"required": ["zz"], "examples": [{"$id": "foo"}]}}
    with pytest.raises(ToolSchemaError, match="not loaded"):
        define({"properties": {"a": {"$ref": "foo"}}}, resources=resources)


def test_many_large_integers_are_compared_in_linear_time() -> None:
    tool = define({"properties": {"v": {"uniqueItems": True}}})

    def text_of(size: int) -> str:
        return '{"v": [' + ", ".join(str(2**70 + index) for index in range(size)) + "]}"

    assert_linear(lambda size: partial(parse_tool_arguments, tool, text_of(size)), 1000)
    text = text_of(4000)
    assert len(parse_tool_arguments(tool, text)["v"]) == 4000
    assert outcome(lambda: parse_tool_arguments(tool, text.replace("]", f", {2**70}]"))) == "issues"


@pytest.mark.parametrize("wrap", [lambda s: s, lambda s: {"not": s}, lambda s: {"if": s, "then": {}},
                                  lambda s: {"not": {"not": s}}], ids=["plain", "not", "if", "not not"])  # fmt: skip
def test_a_string_too_long_for_a_backtracking_pattern_is_refused(wrap: Any) -> None:
    tool = define({"properties": {"v": wrap({"pattern": "^(?!b)a+$"})}})
    assert outcome(lambda: parse_tool_arguments(tool, '{"v": "' + "a" * 8193 + '"}')) == "issues"
    [issue] = catch(lambda: validate_tool_arguments(tool, {"v": "a" * 8193})).issues
    assert issue.keyword == "@limit"


def test_limits_are_the_same_for_str_and_every_kind_of_bytes() -> None:
    tool = define({"properties": {"v": {"pattern": "^(?!b)a+$"}}})
    data = b'{"v": "' + b"a" * 8799 + b'"}'
    for text in (
        data.decode(),
        data,
        bytearray(data),
        memoryview(data),
        memoryview(data).cast("Q"),
    ):
        [issue] = catch(lambda text=text: parse_tool_arguments(tool, text)).issues  # type: ignore[misc]
        assert issue.keyword == "@limit"


def test_a_property_name_too_long_for_a_backtracking_pattern_is_refused() -> None:
    tool = define({"patternProperties": {"^(?!b)a+$": {}}})
    [issue] = catch(lambda: validate_tool_arguments(tool, {"a" * 9000: 1})).issues
    assert issue == "/: arguments must not have property names of more than 256 characters"
    assert outcome(lambda: validate_tool_arguments(tool, {"a" * 90: "x" * 9000})) == "ok"


def test_an_abandoned_search_refuses_the_call_under_any_applicator() -> None:
    pattern = {"pattern": "(?=.*)(a+)+\\1$"}
    text = {"v": "a" * 3000 + "!"}
    for schema in (pattern, {"not": pattern}, {"not": {"not": pattern}}, {"anyOf": [pattern]},
                   {"if": pattern, "then": False}, {"oneOf": [True, pattern]}):  # fmt: skip
        tool: ToolDefinition = define({"properties": {"v": schema}})
        issues = catch(partial(validate_tool_arguments, tool, text)).issues
        assert issues == catch(partial(parse_tool_arguments, tool, json.dumps(text))).issues
        assert all(issue.keyword != "@disagreement" for issue in issues)


@pytest.mark.parametrize("kilobytes", [128, 512])
def test_small_stacks_are_enough(kilobytes: int) -> None:
    tree = {"properties": {"v": {"$ref": "#/$defs/n"}},
            "$defs": {"n": {"anyOf": [{"type": "null"}, {"items": {"$ref": "#/$defs/n"}, "type": "array"}]}}}  # fmt: skip
    tool = define(tree)
    good = '{"v": ' + "[" * 99 + "]" * 99 + "}"
    bad = '{"v": ' + "[" * 99 + "1" + "]" * 99 + "}"
    found: list[str] = []

    def work() -> None:
        found.append(outcome(lambda: parse_tool_arguments(tool, good)))
        found.append(outcome(lambda: parse_tool_arguments(tool, bad)))
        found.append(outcome(lambda: parse_tool_arguments(tool, '{"v": ' + "[" * 100_000)))

    before = threading.stack_size(kilobytes * 1024)
    try:
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(before)
    assert found == ["ok", "issues", "issues"]
