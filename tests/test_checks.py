"""Ready-made checks: what they let through, what they say, and what they never say."""

from __future__ import annotations

import asyncio
import gc
import json
import warnings
from collections.abc import Callable
from datetime import date, datetime, timezone
from enum import Enum
from functools import partial
from inspect import iscoroutinefunction
from typing import Any

import pytest
from conftest import DATA, ROOT, assert_linear, foreign_rows, seconds
from hypothesis import given
from hypothesis import strategies as st

from toolschema import (
    Tool,
    Toolbox,
    ToolCall,
    ToolDefinition,
    accept,
    check_tool_arguments,
    load_tools,
    reject,
)
from toolschema._calls.semantic import Accepted, Rejected
from toolschema.checks import (
    all_of,
    at_least_one_of,
    date_not_past,
    is_placeholder,
    not_placeholder,
    one_of_fetched,
)
from toolschema.checks._placeholder import strings_in

TODAY = date(2026, 3, 14)
MINE = {"bk_1": {"room": 4}, "bk_2": {"room": 7}}


@pytest.mark.parametrize(
    "text",
    [
        "<id>", "<booking id>", "<YOUR_API_KEY>", "{{id}}", "{{ booking.id }}", "{id}", "${bookingId}", "%ID%",
        "[insert id here]", "[Your Name]", "__booking_id__", "...", "…", "??", "___", "xxx", "XXXX-XXXX",
        "TODO", "to-do", "FIXME", "tbd", "TBA", "to be determined", "N/A", "n/a", "Not specified", "undefined",
        "null", "string", " String ", "a value", "some_id", "any date", "the id", "example", "example_id",
        "Sample Value", "placeholder", "dummy-token", "your_id_here", "your id here", "YOUR_API_KEY", "your-booking-id",
        "your booking id", "id_here", "user_id_here", "value goes here", "insert_your_id_here", "enter id here",
        "the one from earlier", "the one we discussed", "the booking mentioned above", "the id from the previous step",
        "the previous booking", "previous booking", "the last order", "my latest reservation", "most recent message",
        "last_booking_id", "the current user", "the same date", "the same as before", "same as above", "as before",
        "from earlier", "see above", "the  previous\nbooking",
    ],
)  # fmt: skip
def test_placeholders_are_recognised(text: str) -> None:
    assert is_placeholder(text)
    assert is_placeholder(text.upper())


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "bk_7f3a90c2e41d", "1", "a", "x", "xx", "..", "./...", ".", "-", "---", "?", "*", "guest@example.com",
        "https://example.com/a", "2026-03-14", "last", "latest", "previous", "current", "none", "all", "any", "unknown", "test",
        "NA", "id", "ID", "name", "here", "<a> and <b>", "a < b", "[a-z]", "[a-z_]+", "[1, 2]", "{}", '{"a": 1}', "{a: 1}",
        "{0: b}", "%d", "100%", "$id", "strings", "stringent", "examples/a.py", "example.py", "example.com", "TODO.md",
        "TODO: fix this", "Your Name.", "the last samurai", "The Previous Owner", "last week", "the id", "nullable",
        "Thank you for your order", "same day delivery", "from A to B", "__init__.py", "next Friday", "bk_latest",
        "x" * 81 + "?", "<" + "a" * 80 + ">",
    ],
)  # fmt: skip
def test_ordinary_strings_are_not_placeholders(text: str) -> None:
    assert is_placeholder(text) is (text == "the id")


def read(line: bytes) -> dict[str, Any]:
    try:
        call = json.loads(line)
    except ValueError:
        return {}
    return call if isinstance(call, dict) else {}


def test_no_string_of_a_valid_call_is_a_placeholder() -> None:
    tools = load_tools(ROOT / "schemas")
    checked = 0
    for line in (DATA / "calls.jsonl").read_bytes().split(b"\n"):
        call = read(line)
        tool = tools.get(call.get("name"))
        if tool is None or check_tool_arguments(tool, call.get("arguments")):
            continue
        sent = call["arguments"]
        for text in strings_in(json.loads(sent) if isinstance(sent, str) else sent):
            checked += 1
            assert not is_placeholder(text)
    assert checked > 20


def shown(schema: Any) -> list[str]:
    """The texts that a schema names as good ones."""
    found: list[str] = []
    todo = [schema]
    while todo:
        item = todo.pop()
        if isinstance(item, dict):
            values = [
                item.get("const"),
                item.get("default"),
                item.get("enum"),
                item.get("examples"),
            ]
            found.extend(strings_in([each for each in values if isinstance(each, (str, list))]))
            todo.extend(item.values())
        elif isinstance(item, list):
            todo.extend(item)
    return found


def test_no_value_documented_by_a_real_tool_is_a_placeholder() -> None:
    values = [each for row in foreign_rows("mcp_tools.jsonl") for each in shown(row["inputSchema"])]
    assert len(values) > 2000
    assert [each for each in values if is_placeholder(each)] == []


def test_in_real_gold_calls_only_stand_ins_are_placeholders() -> None:
    found = {
        text
        for row in foreign_rows("bfcl.jsonl")
        for call in row["calls"]
        for text in strings_in(call["arguments"])
        if is_placeholder(text)
    }
    assert found <= {
        "N/A",
        "null",
        "Not specified",
        "example_token",
        "YOUR_API_KEY",
        "YOUR_API_KEY_HERE",
    }


@pytest.mark.parametrize(
    "text", ["the " * 20, "your_" * 16, "a_" * 40, "[" + "a " * 39, "x " * 40, "<" * 80]
)
def test_a_search_for_placeholders_takes_linear_time(text: str) -> None:
    """No later than in a text as long in which there is nothing to go back for."""

    def search(text: str) -> None:
        for _ in range(100):
            is_placeholder(text)

    assert seconds(search, text, runs=3) < 100 * seconds(search, "7" * len(text), runs=3)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"id": "bk_1"}, None),
        ({}, None),
        ({"id": None}, None),
        ({"id": 5}, None),
        ({"other": "TODO"}, None),
        ({"TODO": "bk_1"}, None),
        ({"id": "TODO"}, "/id"),
        ({"id": ["bk_1", "TODO"]}, "/id"),
        ({"id": {"a": {"b": "<id>"}}}, "/id"),
        ({"stops": [{"km": "x"}, {"km": "N/A"}]}, "/stops/1/km"),
        ({"stops": [{"km": "N/A"}]}, None),
    ],
)
def test_not_placeholder(arguments: Any, said: str | None) -> None:
    answer = not_placeholder("/id", "/stops/1/km")(arguments, None)
    if said is None:
        assert answer == accept(arguments)
    else:
        assert answer == reject(
            f"{said}: must be a real value, not a placeholder; look it up or ask for it"
        )


def test_not_placeholder_at_the_root_checks_every_string() -> None:
    assert not_placeholder("")({"a": [{"b": "TODO"}]}, None).message.startswith("/: must be")


@pytest.mark.parametrize(
    ("value", "is_past"),
    [
        ("2026-03-13", True), ("2026-03-14", False), ("2026-03-15", False), ("1999-12-31", True),
        ("2026-03-13T23:59:59Z", True), ("2026-03-13t23:59:59+09:00", True), ("2026-03-14T00:00:00-11:00", False),
        ("2026-03-13 10:00:00Z", True), ("2026-02-30", False), ("next Friday", False), ("20260313", False), ("2026-03-1", False),
        ("٢٠٢٦-٠٣-١٣", False), ("", False), (20260313, False), (None, False), (["2026-03-13"], False),
    ],
)  # fmt: skip
def test_date_not_past(value: Any, is_past: bool) -> None:  # noqa: FBT001 - a table
    for today in (TODAY, lambda: TODAY, datetime(2026, 3, 14, 12, tzinfo=timezone.utc)):
        answer = date_not_past("/date", today=today)({"date": value}, None)
        expected = reject("/date: must not be in the past; today is 2026-03-14")
        assert answer == (expected if is_past else accept({"date": value}))


def test_today_is_read_anew_for_every_call() -> None:
    days = iter([date(2026, 3, 14), date(2026, 3, 15)])
    check = date_not_past("/date", today=lambda: next(days))
    assert check({"date": "2026-03-14"}, None) == accept({"date": "2026-03-14"})
    assert check({"date": "2026-03-14"}, None).message.endswith("today is 2026-03-15")
    assert isinstance(date_not_past("/date")({"date": "2020-01-01"}, None), Rejected)
    assert date_not_past("/date")({}, None) == accept({})


@pytest.mark.parametrize(
    ("arguments", "is_enough"),
    [
        ({"a": "x"}, True), ({"b": 0}, True), ({"a": False}, True), ({"a": [0]}, True), ({"a": {"x": None}}, True),
        ({"a": "", "b": "x"}, True),
        ({}, False), ({"c": "x"}, False), ({"a": None}, False), ({"a": ""}, False), ({"a": " \n"}, False),
        ({"a": [], "b": {}}, False),
    ],
)  # fmt: skip
def test_at_least_one_of(arguments: Any, is_enough: bool) -> None:  # noqa: FBT001 - a table
    answer = at_least_one_of("a", "b")(arguments, None)
    expected = accept(arguments) if is_enough else reject("/: set at least one of a, b")
    assert answer == expected


def mine(context: Any) -> Any:
    return context


async def amine(context: Any) -> Any:
    await asyncio.sleep(0)
    return context


def judged(check: Callable[..., Any], arguments: Any, context: Any) -> Any:
    answer = check(arguments, context)
    return asyncio.run(answer) if iscoroutinefunction(check) else answer


@pytest.mark.parametrize("fetch", [mine, amine, partial(amine)])
@pytest.mark.parametrize(
    ("arguments", "fetched", "expected"),
    [
        ({"id": "bk_2", "x": 1}, MINE, {"id": {"room": 7}, "x": 1}),
        ({"id": "bk_2"}, ["bk_1", "bk_2"], {"id": "bk_2"}),
        ({"id": "bk_2"}, ("bk_1", "bk_2"), {"id": "bk_2"}),
        ({"id": "bk_2"}, {"bk_2": None}, {"id": None}),
        ({}, MINE, {}),
        ({"id": None}, MINE, {"id": None}),
        ({"id": 1.0}, [2, 1], {"id": 1}),
        ({"id": 7}, {7: "seven"}, {"id": "seven"}),
        ({"id": True}, [1, True], {"id": True}),
        ({"id": [1]}, [[1]], {"id": [1]}),
        ({"id": True}, [1], None),
        ({"id": 0}, [False], None),
        ({"id": "bk_3"}, MINE, None),
        ({"id": "bk_3"}, [], None),
        ({"id": ["bk_1"]}, MINE, None),
        ({"id": {"bk_1": 1}}, MINE, None),
        ({"id": "1"}, [1], None),
    ],
)
def test_one_of_fetched(fetch: Any, arguments: Any, fetched: Any, expected: Any) -> None:
    before = json.dumps(arguments)
    check = one_of_fetched("/id", fetch, what="booking")
    answer = judged(check, arguments, fetched)
    assert json.dumps(arguments) == before
    if expected is None:
        assert answer.message == "/id: must be a booking that can be used here; the one sent is not"
        assert answer.retryable
        assert sorted(answer.candidates) == sorted(fetched)
    else:
        assert answer == accept(expected)


def test_the_five_most_similar_candidates_are_offered_first() -> None:
    fetched = ["zzzz", "bk_9999", "qqqq", "bk_1234", "bk_1235", "wwww", "vvvv"]
    answer = one_of_fetched("/id", mine)({"id": "bk_1230"}, fetched)
    assert set(answer.candidates[:2]) == {"bk_1234", "bk_1235"}
    assert len(answer.candidates) == 5
    assert set(answer.candidates[2:]) <= set(fetched)
    assert one_of_fetched("/id", mine)({"id": "x" * 500}, fetched).candidates == tuple(fetched[:5])
    assert one_of_fetched("/id", mine)({"id": 8}, fetched).candidates == tuple(fetched[:5])


def test_unknown_and_not_yours_get_the_same_answer() -> None:
    """Both are absent from what is fetched, so nothing in the answer can differ."""
    everyone = {"ann": ["bk_1"], "bob": ["bk_2"]}
    check = one_of_fetched("/id", lambda user: everyone[user], what="booking")
    assert check({"id": "bk_2"}, "ann") == check({"id": "bk_9"}, "ann")


def test_many_values_are_compared_quickly() -> None:
    fetched = [f"bk_{number:06}" for number in range(200_000)]
    check = one_of_fetched("/id", mine)
    assert len(check({"id": "bk_x00001"}, fetched).candidates) == 5
    assert_linear(lambda size: partial(check, {"id": "bk_x00001"}, fetched[:size]), 50_000)


@pytest.mark.parametrize("fetched", ["bk_1", b"bk_1", None, 5])
def test_a_fetch_that_returns_no_list_of_values_is_the_developers_mistake(fetched: Any) -> None:
    with pytest.raises(TypeError, match="fetch must return a mapping or an iterable of values"):
        one_of_fetched("/id", mine)({"id": "x"}, fetched)


def test_a_plain_fetch_that_returns_an_awaitable_is_the_developers_mistake() -> None:
    def fetch(context: Any) -> Any:
        return amine(context)

    with pytest.raises(TypeError, match="must not return an awaitable"):
        one_of_fetched("/id", fetch)({"id": "x"}, None)


class Fetcher:
    async def __call__(self, context: Any) -> Any:
        return context


def test_a_callable_object_can_fetch() -> None:
    assert iscoroutinefunction(one_of_fetched("/id", Fetcher()))


@pytest.mark.parametrize(
    "make", [not_placeholder, date_not_past, partial(one_of_fetched, fetch=mine)]
)
@pytest.mark.parametrize("pointer", ["id", "/a~2"])
def test_an_invalid_pointer_is_refused_when_the_check_is_made(make: Any, pointer: str) -> None:
    with pytest.raises(ValueError, match="JSON Pointer"):
        make(pointer)


@pytest.mark.parametrize("make", [not_placeholder, at_least_one_of])
def test_a_check_of_nothing_is_refused(make: Any) -> None:
    with pytest.raises(ValueError, match="name at least one"):
        make()


def test_all_of_returns_the_first_rejection() -> None:
    check = all_of(
        not_placeholder("/id"), at_least_one_of("id", "date"), one_of_fetched("/id", mine)
    )
    assert not iscoroutinefunction(check)
    assert check({"id": "TODO"}, MINE).message.startswith("/id: must be a real value")
    assert check({}, MINE).message.startswith("/: set at least one of")
    assert check({"id": "bk_3"}, MINE).message.startswith("/id: must be a value")
    assert check({"id": "bk_1"}, MINE) == accept({"id": {"room": 4}})


def test_all_of_hands_on_the_accepted_value() -> None:
    check = all_of(one_of_fetched("/a", mine), one_of_fetched("/b", mine))
    assert check({"a": "bk_1", "b": "bk_2"}, MINE) == accept({"a": {"room": 4}, "b": {"room": 7}})
    first = all_of(one_of_fetched("/a", mine), lambda arguments, context: accept(arguments["a"]))
    assert first({"a": "bk_1"}, MINE) == accept({"room": 4})


def test_all_of_without_checks_accepts() -> None:
    assert all_of()({"a": 1}, None) == accept({"a": 1})


def test_all_of_is_async_if_any_check_is() -> None:
    check = all_of(
        not_placeholder("/id"), all_of(one_of_fetched("/id", amine)), at_least_one_of("id")
    )
    assert iscoroutinefunction(check)
    assert asyncio.run(check({"id": "bk_1"}, MINE)) == accept({"id": {"room": 4}})
    assert asyncio.run(check({"id": "bk_3"}, MINE)).candidates == ("bk_2", "bk_1")
    assert asyncio.run(check({"id": "TODO"}, MINE)).message.startswith("/id: must be a real value")


def hidden(check: Callable[..., Any]) -> Callable[..., Any]:
    """A plain function around an ``async`` one."""

    async def acheck(arguments: Any, context: Any) -> Any:
        await asyncio.sleep(0)
        return check(arguments, context)

    return lambda arguments, context: acheck(arguments, context)  # noqa: PLW0108


def refuse(arguments: Any, context: Any) -> Any:
    return reject("No.")


@pytest.mark.parametrize(
    ("checks", "expected"),
    [
        ([hidden(not_placeholder("/id")), refuse], reject("No.")),
        ([hidden(refuse), not_placeholder("/id")], reject("No.")),
        ([not_placeholder("/id"), hidden(at_least_one_of("id")), hidden(refuse)], reject("No.")),
        ([hidden(one_of_fetched("/id", mine)), not_placeholder("/x")], accept({"id": {"room": 4}})),
        ([one_of_fetched("/id", mine), hidden(not_placeholder("/x"))], accept({"id": {"room": 4}})),
        ([one_of_fetched("/id", mine), hidden(lambda arguments, context: accept())], accept({"id": {"room": 4}})),
        ([hidden(lambda arguments, context: None), refuse], None),
    ],
)  # fmt: skip
def test_checks_after_a_hidden_async_one_still_run(checks: Any, expected: Any) -> None:
    check = all_of(*checks)
    assert not iscoroutinefunction(check)
    assert asyncio.run(check({"id": "bk_1"}, MINE)) == expected
    assert asyncio.run(all_of(check)({"id": "bk_1"}, MINE)) == expected


def test_an_unawaited_hidden_async_check_is_reported_once() -> None:
    check = all_of(hidden(refuse), refuse)
    tool = Tool(ToolDefinition("find", "Find.", {}), lambda value, context: "found", check)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(TypeError, match="returned an awaitable"):
            Toolbox([tool]).call(ToolCall("call_1", "find", "{}"))
        gc.collect()
    result = asyncio.run(Toolbox([tool]).acall(ToolCall("call_1", "find", "{}")))
    assert result.content == "No."


class Looks(Enum):
    ACCEPTED = 1


class Kind(Accepted[Any]):
    __slots__ = ()


@pytest.mark.parametrize("answer", [Looks.ACCEPTED, Kind(1), None, True, {"value": 1}])
def test_only_the_result_of_accept_counts_as_acceptance(answer: Any) -> None:
    check = all_of(lambda arguments, context: answer, refuse)
    assert check({}, None) is answer
    acheck = all_of(hidden(lambda arguments, context: answer), refuse)
    assert asyncio.run(acheck({}, None)) is answer
    tool = Tool(ToolDefinition("find", "Find.", {}), lambda value, context: "found", check)
    result = Toolbox([tool]).call(ToolCall("call_1", "find", "{}"))
    assert result.is_error
    assert isinstance(result.exception, TypeError)


def test_accept_without_a_value_leaves_what_the_next_check_sees() -> None:
    seen: list[Any] = []

    def check(arguments: Any, context: Any) -> Any:
        seen.append(arguments)
        return accept()

    assert all_of(check, one_of_fetched("/id", mine), check)({"id": "bk_1"}, MINE).value == seen[1]
    assert seen == [{"id": "bk_1"}, {"id": {"room": 4}}]


@pytest.mark.parametrize("value", ["x", 2, 2.5, True, ["x"], {"x": 1}])
@pytest.mark.parametrize(
    ("fetched", "candidates"),
    [
        ([1.5, 7.5], None),
        ([None], None),
        ([(1, 2), b"x"], None),
        ({1.5: "a"}, None),
        ([10**40, -(10**5000)], None),
        ([1.5, "a", None, 7, 10**40], ("a", 7)),
        ({}, ()),
    ],
)
def test_only_strings_and_integers_are_offered(value: Any, fetched: Any, candidates: Any) -> None:
    answer = one_of_fetched("/id", mine)({"id": value}, fetched)
    assert type(answer) is Rejected
    assert answer.candidates == candidates
    assert answer.text


def test_a_value_that_is_costly_to_compare_is_answered_quickly() -> None:
    for digits in (64, 127):
        fetched = [f"{number * 7919:0{digits}b}" for number in range(2**20, 2**20 + 2000)]
        check = partial(one_of_fetched("/id", mine), {"id": "01" * (digits // 2)}, fetched)
        assert len(check().candidates) == 5
        assert seconds(check) < 1
    assert one_of_fetched("/id", mine)({"id": "x" * 500}, ["y", "x" * 64]).candidates[0] == "y"


def test_candidates_of_a_very_different_length_are_not_similar() -> None:
    fetched = ["zzz", "bk_1230000", "bk_123000"]
    answer = one_of_fetched("/id", mine)({"id": "bk_123"}, fetched)
    assert answer.candidates == ("bk_123000", "zzz", "bk_1230000")


SECRET = "s3cr3t-8f2a"


@given(
    st.sampled_from(
        ["<{}>", "{{{{{}}}}}", "the previous {} booking", "{}", "2020-01-01T{}", "your_{}"]
    )
)
def test_no_message_repeats_a_value(form: str) -> None:
    value = form.format(SECRET)
    checks = [
        not_placeholder("/id"), date_not_past("/id"), one_of_fetched("/id", mine), at_least_one_of("x"),
    ]  # fmt: skip
    for check in checks:
        answer = check({"id": value, SECRET: value}, MINE)
        assert isinstance(answer, (Accepted, Rejected))
        if isinstance(answer, Rejected):
            assert SECRET not in repr(answer)


@pytest.mark.parametrize("token", ["01", "-", "\u0660", "x", "-1", ""])
def test_an_impossible_array_index_does_not_bypass_a_check(token: str) -> None:
    check = one_of_fetched(f"/a/{token}", lambda context: [2])
    box = Toolbox([Tool(ToolDefinition("t", "", {}), lambda value, context: "done", check)])
    assert isinstance(box.call(ToolCall("1", "t", {"a": [1]})).exception, ValueError)


def test_fetched_values_are_compared_as_json_at_every_depth() -> None:
    check = one_of_fetched("/id", lambda context: [[1], {"a": [0]}])
    assert isinstance(check({"id": [True]}, None), Rejected)
    assert isinstance(check({"id": {"a": [False]}}, None), Rejected)
    assert isinstance(check({"id": {"a": [0, 0]}}, None), Rejected)
    assert check({"id": [1.0]}, None) == accept({"id": [1]})
    assert check({"id": {"a": [0.0]}}, None) == accept({"id": {"a": [0]}})
