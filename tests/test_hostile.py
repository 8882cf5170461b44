"""What was found by attacking: each of these hung, crashed, leaked or passed."""

from __future__ import annotations

import itertools
import json
import os
import re
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, assert_linear, define, property_tool, seconds

from toolschema import (
    ToolArgumentsValidationError,
    ToolSchemaError,
    check_tool_arguments,
    load_tools,
    parse_tool_arguments,
    validate_tool_arguments,
)

METASCHEMA = "https://json-schema.org/draft/2020-12/schema"


def in_a_child(script: str) -> str:
    """Run *script* where a crash is only its own; answer what it prints.

    A child that hangs uses no processor time of ours, so it is waited for by the clock.
    """
    head = "import json, sys, threading\nfrom toolschema import *\n"
    done = subprocess.run(
        [sys.executable, "-c", head + script],
        capture_output=True, text=True, check=False, cwd=ROOT, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-500:]
    return done.stdout.strip()


IN_A_SMALL_THREAD = """
def start(work, kilobytes=128):
    threading.stack_size(kilobytes * 1024)
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
"""


@pytest.mark.parametrize("hops", [2, 5, 20, 90])
@pytest.mark.parametrize("depth", [99, 198])
def test_a_chain_of_references_on_a_small_stack(hops: int, depth: int) -> None:
    script = (
        IN_A_SMALL_THREAD
        + f"""
chain = {{f"d{{i}}": {{"allOf": [{{"$ref": f"#/$defs/d{{i + 1}}"}}]}} for i in range({hops} // 2)}}
last = {{"additionalProperties": {{"$ref": "#"}}, "not": {{"const": 5}}}}
schema = {{"$ref": "#/$defs/d0", "$defs": {{**chain, f"d{{len(chain)}}": last}}}}
tool = ToolDefinition("t", "", schema, limits=Limits(max_depth=200))
good, bad = {{}}, {{"x": 5}}
for _ in range({depth} - 1):
    good, bad = {{"x": good}}, {{"x": bad}}
start(lambda: print(len(check_tool_arguments(tool, good)), len(check_tool_arguments(tool, bad)),
                    len(check_tool_arguments(tool, json.dumps(bad)))))
"""
    )
    assert in_a_child(script) == "0 1 1"


def test_a_deep_schema_compiles_on_a_small_stack() -> None:
    script = (
        IN_A_SMALL_THREAD
        + """
def work():
    schema = {"const": 1}
    for _ in range(100):
        schema = {"not": schema}
    try:
        ToolDefinition("t", "", {"properties": {"a": schema}})
    except ToolSchemaError as error:
        print(type(error).__name__)
    schema = {"const": 1}
    for _ in range(50):
        schema = {"properties": {"a": schema}}
    print(ToolDefinition("t", "", schema).name)
start(work)
"""
    )
    assert in_a_child(script).splitlines()[-1] == "t"


def test_a_duplicate_name_before_great_depth_on_a_small_stack() -> None:
    script = (
        IN_A_SMALL_THREAD
        + """
tool = ToolDefinition("t", "", {})
text = '{"a":1,"a":2,"b":' + "[" * 990 + "]" * 990 + "}"
start(lambda: print(check_tool_arguments(tool, text)))
"""
    )
    assert "nested deeper than 100 levels" in in_a_child(script)


@pytest.mark.parametrize("frames", [800, 900, 960])
def test_a_caller_near_its_recursion_limit_gets_the_right_answer(frames: int) -> None:
    script = f"""
tree = {{"$ref": "#/$defs/n", "$defs": {{"n": {{"additionalProperties": {{"$ref": "#/$defs/n"}}, "type": "object"}}}}}}
unique = ToolDefinition("t", "", {{"properties": {{"v": {{"not": {{"uniqueItems": True}}}}}}}})
tool = ToolDefinition("t", "", tree)
good, bad, nest = {{}}, 5, 1
for _ in range(95):
    good, bad = {{"c": good}}, {{"c": bad}}
for _ in range(40):
    nest = [nest]
def descend(n):
    if n:
        return descend(n - 1)
    try:
        return [len(check_tool_arguments(tool, good)), len(check_tool_arguments(tool, bad)),
                len(check_tool_arguments(unique, {{"v": [nest, 2]}}))]
    except RecursionError:
        return "no room"
print(descend({frames}))
"""
    assert in_a_child(script) in ("[0, 1, 1]", "no room")


def test_issues_do_not_depend_on_how_deep_the_caller_is() -> None:
    script = """
tree = {"$ref": "#/$defs/n", "$defs": {"n": {"additionalProperties": {"$ref": "#/$defs/n"}, "type": "object"}}}
unique = {"required": ["a"], "properties": {"v": {"items": {"uniqueItems": True, "maxItems": 1}}}}
deep, wide = 5, {"v": [[i, i + 1] for i in range(1500)]}
for _ in range(30):
    deep = {"c": deep}
cases = [(ToolDefinition("t", "", tree), deep), (ToolDefinition("t", "", unique), wide)]
def descend(n, work):
    return descend(n - 1, work) if n else work()
for tool, value in cases:
    here = check_tool_arguments(tool, value)
    assert here and here[0].keyword != "@limit"
    for frames in (700, 725, 850, 910, 960):
        assert descend(frames, lambda: check_tool_arguments(tool, value)) == here, frames
        assert descend(frames, lambda: check_tool_arguments(tool, json.dumps(value))) == here, frames
"""
    assert in_a_child(script) == ""


def test_an_interrupt_inside_a_keyword_is_not_a_verdict() -> None:
    script = """
import signal
values = [[i, "x" * 50] for i in range(200_000)]
for schema in ({"uniqueItems": True}, {"not": {"uniqueItems": True}}):
    tool = ToolDefinition("t", "", {"properties": {"v": schema}})
    tool.compiled.careful
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_REAL, 0.6)
    try:
        while True:
            check_tool_arguments(tool, {"v": values})
    except KeyboardInterrupt:
        print("interrupted")
"""
    assert in_a_child(script) == "interrupted\ninterrupted"


def test_a_schema_sent_as_an_argument_is_explained_without_its_values() -> None:
    tool = property_tool({"$ref": METASCHEMA})
    secret = "hunter2SECRET"
    for value in (
        {"definitions": {"a": {"type": secret}}},
        {"properties": {"x": {"required": [secret] * 2}}},
        {"$defs": {"x": {"minLength": secret}}},
    ):
        with pytest.raises(ToolArgumentsValidationError) as caught:
            validate_tool_arguments(tool, {"v": value})
        assert secret not in repr(caught.value)
        assert all(issue.keyword != "@disagreement" for issue in caught.value.issues)


def test_the_eq_method_of_a_name_is_never_called() -> None:
    armed = False

    class Name:
        def __hash__(self) -> int:
            return 7

        def __eq__(self, other: object) -> bool:
            if armed:
                raise ZeroDivisionError
            return False

    sparse: dict[Any, int] = {Name(): index for index in range(30)}
    for name in list(sparse)[:25]:
        del sparse[name]
    armed = True
    for value in (sparse, {"v": sparse}, {"v": [sparse]}):
        [issue] = check_tool_arguments(define({}), value)
        assert issue.message.startswith("must have property names that are strings")


def test_items_with_colliding_hashes_are_compared_in_linear_time() -> None:
    tool = property_tool({"uniqueItems": True})
    values = [list(each) for each in itertools.product((-1, -2), repeat=14)]
    texts = {size: json.dumps({"v": values[:size]}) for size in (2**12, 2**14)}
    assert_linear(lambda size: partial(parse_tool_arguments, tool, texts[size]), 2**12)


def test_nested_arrays_under_unique_items_are_read_once() -> None:
    node = {"uniqueItems": True, "items": {"$ref": "#/$defs/n"}}
    tool = define({"properties": {"v": {"$ref": "#/$defs/n"}}, "$defs": {"n": node}})
    flat: Any = list(range(100_000))
    value = flat
    for _ in range(95):
        value = [value, 1]
    assert check_tool_arguments(tool, {"v": value}) == ()
    nested, once = (seconds(check_tool_arguments, tool, {"v": v}, runs=3) for v in (value, flat))
    assert nested < 3 * once
    value = [list(range(2000)), [*range(1999), 1999.0]]
    assert check_tool_arguments(tool, {"v": value}) == ("/v: must not have duplicate items",)


def test_many_strings_under_a_backtracking_pattern_share_one_budget() -> None:
    tool = property_tool({"items": {"pattern": r"(?=.*\d)(?=.*[a-z]).{8,}"}})
    few, many = (seconds(check_tool_arguments, tool, {"v": ["a" * 8190] * n}) for n in (4, 40))
    assert many < 3 * few
    assert check_tool_arguments(tool, {"v": ["abcdefgh1"] * 20_000}) == ()


def test_many_names_and_many_patterns_are_explained_in_bounded_time() -> None:
    schema = {"patternProperties": {f"^k{i}x": {} for i in range(500)}, "required": ["z"]}
    values = [{f"k{i}": 1 for i in range(size)} for size in (5000, 40_000)]
    few, many = (seconds(check_tool_arguments, define(schema), value) for value in values)
    assert many < 3 * few


def test_too_many_values_are_refused_before_they_are_collected() -> None:
    values = [0] * 3_000_000
    assert len(check_tool_arguments(define({}), {"v": values})) == 1
    refused = seconds(check_tool_arguments, define({}), {"v": values}, runs=3)
    assert refused < 20 * seconds(list, values, runs=3)


def test_a_shared_string_counts_every_time_it_occurs() -> None:
    few, many = ({"v": ["é" * 1_000_000] * n} for n in (100, 10_000))
    for value in (few, many):
        [issue] = check_tool_arguments(define({}), value)
        assert issue == "/: arguments must not hold more than 16777216 characters"
    assert seconds(check_tool_arguments, define({}), many, runs=3) < 5 * seconds(
        check_tool_arguments, define({}), few, runs=3
    )


def test_a_fragment_with_a_second_number_sign_is_an_anchor_name() -> None:
    schema = {"properties": {"x": {"$ref": "#b#/c"}}, "pattern": "\\bx"}
    with pytest.raises(ValueError, match="leads to nothing"):
        define(schema)


@pytest.mark.skipif(not hasattr(sys, "set_int_max_str_digits"), reason="no such limit here")
def test_a_lower_python_limit_on_digits_is_respected() -> None:
    script = """
sys.set_int_max_str_digits(640)
tool = ToolDefinition("t", "", {"properties": {"v": {"not": {"type": "number"}}}})
print([check_tool_arguments(tool, each) for each in ({"v": 10**1000}, '{"v": 1' + "0" * 1000 + "}")])
try:
    ToolDefinition("t", "", {"minimum": 10**1000})
except ToolSchemaError as error:
    print(error)
"""
    printed = in_a_child(script)
    assert printed.count("must not have more than 640 digits") == 3


def test_odd_folders_are_read_or_refused(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"required": ["x"]}')
    (tmp_path / "one.json").symlink_to(tmp_path / "two.json")
    (tmp_path / "two.json").symlink_to(tmp_path / "one.json")
    assert list(load_tools(tmp_path)) == ["a"]
    try:
        (tmp_path / os.fsdecode(b"\xff.json")).write_text("{}")
    except OSError:
        pytest.skip("this file system has no such names")
    assert len(load_tools(tmp_path)) == 2


def test_a_closed_standard_stream_is_one_line() -> None:
    for redirection, said in (
        ("<&-", "standard input is closed"),
        (">&-", "standard output is closed"),
    ):
        done = subprocess.run(  # noqa: S602
            f'"{sys.executable}" -m toolschema validate - --tools schemas {redirection}',
            shell=True, capture_output=True, text=True, check=False, cwd=ROOT, input="",
        )  # fmt: skip
        assert done.returncode == 2
        assert said in done.stderr
        assert "Traceback" not in done.stderr


def test_a_recursive_schema_is_never_judged_without_a_depth_check() -> None:
    """A keyword bounds the value, but another follows it to the end before."""
    script = (
        IN_A_SMALL_THREAD
        + """
step = lambda i: {"allOf": [{"not": {"type": "string"}}, {"$ref": f"#/$defs/c{i + 1}"}]}
defs = {**{f"c{i}": step(i) for i in range(20)}, "c20": {"items": {"$ref": "#/$defs/c0"}}}
bounded = {"allOf": [{"$ref": "#/$defs/c0"}, {"type": "array", "items": {"type": "string"}}]}
schema = {"properties": {"v": bounded}, "additionalProperties": False, "$defs": defs}
tool = ToolDefinition("t", "", schema)
parse_tool_arguments(tool, "{}")
text = '{"v": ' + "[" * 150 + "]" * 150 + "}"
start(lambda: print(*check_tool_arguments(tool, text)))
"""
    )
    assert in_a_child(script) == "/: arguments must not be nested deeper than 100 levels"


@pytest.mark.parametrize(
    ("inner", "around", "times"),
    [
        ('{"$ref": "#"}', '{"items": s}', 50),
        ('{"$ref": "#"}', '{"properties": {"a": s}}', 25),
        ('{"$ref": "#"}', '{"anyOf": [s]}', 25),
        ("{}", '{"items": s}', 56),
        ("{}", '{"items": s}', 19),
        ('{"type": "string"}', '{"allOf": [s]}', 55),
    ],
)
def test_schemas_are_compiled_and_closed_on_a_small_stack(
    inner: str, around: str, times: int
) -> None:
    script = (
        IN_A_SMALL_THREAD
        + f"""
def work():
    s = {inner}
    for _ in range({times}):
        s = {around}
    for schema in ({{"properties": {{"v": s}}}}, {{"x": s, "properties": {{"v": {{"$ref": "#/x"}}}}}}):
        print(parse_tool_arguments(ToolDefinition("t", "", schema), "{{}}"), end=" ")
start(work)
"""
    )
    assert in_a_child(script) == "{} {}"


def ladder(levels: int, step: Any, last: Any) -> dict[str, Any]:
    """A schema for which each level of an instance doubles those that look at it."""
    rungs = {f"d{i}": step({"$ref": f"#/$defs/d{i + 1}"}) for i in range(levels)}
    return {"properties": {"v": {"$ref": "#/$defs/d0"}}, "$defs": {**rungs, f"d{levels}": last}}


STEPS: dict[str, Any] = {
    "allOf": lambda ref: {"allOf": [{"properties": {"a": ref}}] * 2},
    "anyOf": lambda ref: {"anyOf": [{"properties": {"a": ref}}] * 2},
    "a pattern": lambda ref: {"properties": {"a": ref}, "patternProperties": {"^a": ref}},
    "a base": lambda ref: {"properties": {"a": ref}, "allOf": [{"properties": {"a": ref}}]},
    "items": lambda ref: {"items": ref, "contains": ref},
    "not": lambda ref: {"not": {"properties": {"a": ref}}, "properties": {"a": ref}},
}


@pytest.mark.parametrize("name", STEPS)
def test_a_schema_that_doubles_with_every_level_of_an_instance_is_a_fault(name: str) -> None:
    with pytest.raises(ToolSchemaError) as caught:
        define(ladder(40, STEPS[name], {"type": "integer"}))
    [fault] = caught.value.faults
    sentence = r"more than 1\d\d\d subschemas apply to one property; combine some of them"
    assert re.fullmatch(sentence, fault.message)
    assert fault.location
    assert not check_tool_arguments(define(ladder(6, STEPS[name], {})), {})


@pytest.mark.parametrize("keyword", ["allOf", "anyOf", "oneOf", "if", "dependentSchemas"])
def test_branches_reapplied_by_unevaluated_properties_count_as_doubling(keyword: str) -> None:
    def nested(levels: int) -> dict[str, Any]:
        schema: dict[str, Any] = {"type": "integer"}
        for _ in range(levels):
            below: Any = {"properties": {"a": schema}, "required": ["a"]}
            forms = {"if": below, "dependentSchemas": {"a": below}}
            schema = {keyword: forms.get(keyword, [below]), "unevaluatedProperties": False}
        return schema

    with pytest.raises(ToolSchemaError, match="subschemas apply to one property"):
        define(nested(24))
    value: Any = 5
    for _ in range(6):
        value = {"a": value}
    assert not check_tool_arguments(define(nested(6)), value)


def test_a_reference_cycle_is_fine_unless_a_round_trip_doubles() -> None:
    twice = {"allOf": [{"properties": {"a": {"$ref": "#"}}}] * 2, "maxProperties": 1}
    deep: Any = {}
    for _ in range(90):
        deep = {"a": deep}
    assert not check_tool_arguments(define(twice), deep)
    step = STEPS["allOf"]
    rungs = {f"d{i}": step({"$ref": f"#/$defs/d{(i + 1) % 40}"}) for i in range(40)}
    with pytest.raises(ToolSchemaError, match="subschemas apply to one property"):
        define({"$ref": "#/$defs/d0", "$defs": rungs})


def test_many_separate_references_are_not_a_fault() -> None:
    wide = {f"p{i}": {"$ref": "#/$defs/d1"} for i in range(50)}
    rungs = {
        f"d{i}": {"properties": {n: {"$ref": f"#/$defs/d{i + 1}"} for n in "abcdefgh"}}
        for i in range(1, 40)
    }
    tool = define({"properties": wide, "$defs": {**rungs, "d40": {"type": "integer"}}})
    assert not check_tool_arguments(tool, {"p1": {"a": {"b": {}}}})
