"""Calls that go round in circles are answered; all others are let through."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import threading
from collections.abc import Iterator, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from toolschema import RetryGuard


class Table(MutableMapping[str, int]):
    """A mapping that is kept in a table of SQLite."""

    def __init__(self, path: Path) -> None:
        self._rows = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        self._rows.execute("CREATE TABLE IF NOT EXISTS counts (key TEXT PRIMARY KEY, count)")

    def __getitem__(self, key: str) -> int:
        row = self._rows.execute("SELECT count FROM counts WHERE key = ?", [key]).fetchone()
        if row is None:
            raise KeyError(key)
        return int(row[0])

    def __setitem__(self, key: str, count: int) -> None:
        assert type(count) is int
        self._rows.execute("REPLACE INTO counts VALUES (?, ?)", [key, count])

    def __delitem__(self, key: str) -> None:
        if not self._rows.execute("DELETE FROM counts WHERE key = ?", [key]).rowcount:
            raise KeyError(key)

    def __iter__(self) -> Iterator[str]:
        return iter(
            row[0] for row in self._rows.execute("SELECT key FROM counts ORDER BY rowid").fetchall()
        )

    def __len__(self) -> int:
        return int(self._rows.execute("SELECT count(*) FROM counts").fetchone()[0])

    def close(self) -> None:
        self._rows.close()


@pytest.fixture(params=["memory", "dict", "sqlite"])
def store(
    request: pytest.FixtureRequest, tmp_path: Path
) -> Iterator[MutableMapping[str, Any] | None]:
    if request.param != "sqlite":
        yield {} if request.param == "dict" else None
        return
    table = Table(tmp_path / "counts.sqlite")
    yield table
    table.close()


def test_an_identical_call_is_stopped_after_two_failures(
    store: MutableMapping[str, Any] | None,
) -> None:
    guard = RetryGuard(store=store)
    for _ in range(2):
        assert guard.answer("find", '{"id":1}') is None
        guard.failed("find", '{"id":1}')
    answer = guard.answer("find", {"id": 1.0})
    assert answer is not None
    assert answer.startswith('This call to "find" has already failed with the same arguments')
    assert guard.answer("find", '{"id":2}') is None, "corrected arguments start afresh"
    assert guard.answer("get", '{"id":1}') is None, "another tool is another call"


def test_only_known_tool_names_are_shown_unescaped() -> None:
    name = "größe_" + "k" * 80 + "\n"
    for attempts, start in ((1, "This call to"), (9, "Calls to")):
        guard = RetryGuard(attempts, max_consecutive=1)
        guard.failed(name, "{}")
        answer = guard.answer(name, "{}")
        assert answer is not None
        assert answer.startswith(f'{start} "größe_{"k" * 80}\\u000a" ')
    guard = RetryGuard(1)
    guard.failed(name, "{}", is_known=False)
    answer = guard.answer(name, "{}", is_known=False)
    assert answer is not None
    assert answer.startswith('This call to "gr\\u00f6\\u00dfe_kkk')
    assert "k" * 60 not in answer


def test_a_success_clears_the_failures_of_its_call(store: MutableMapping[str, Any] | None) -> None:
    guard = RetryGuard(store=store, max_consecutive=3)
    for arguments in ("{}", '{"a":1}', "{}"):
        guard.failed("find", arguments)
    guard.succeeded("find", "{}")
    guard.succeeded("other", "{}")
    assert guard.answer("find", "{}") is None
    assert guard.state()["find"]["consecutive"] == 0
    assert list(guard.state()["find"]["calls"].values()) == [1], "the other call has still failed"


def test_a_tool_is_closed_after_many_failures_in_a_row(
    store: MutableMapping[str, Any] | None,
) -> None:
    guard = RetryGuard(store=store, max_consecutive=3)
    for number in range(3):
        assert guard.answer("find", {"id": number}) is None
        guard.failed("find", {"id": number})
    answer = guard.answer("find", {"id": "never seen"})
    assert answer is not None
    assert answer.startswith('Calls to "find" have failed too often in a row')
    assert guard.answer("other", {}) is None
    guard.reset("find")
    assert guard.answer("find", {"id": "never seen"}) is None


def test_unknown_tools_are_counted_together() -> None:
    guard = RetryGuard(max_consecutive=3)
    for number in range(3):
        guard.failed(f"made_up_{number}", {}, is_known=False)
    assert guard.answer("made_up_3", {}, is_known=False) is not None
    assert guard.answer("find", {}) is None
    assert "made_up" not in repr(guard.state())


@pytest.mark.parametrize("name", [None, 5, ["find"], {"find": 1}])
def test_an_unknown_name_may_be_any_value(name: Any) -> None:
    guard = RetryGuard()
    for _ in range(2):
        guard.failed(name, {}, is_known=False)
    answer = guard.answer(name, {}, is_known=False)
    assert answer is not None
    assert answer.startswith("This call to a tool that does not exist has already failed")


def test_the_advice_can_be_set_per_tool() -> None:
    guard = RetryGuard(
        1, texts={"find": "Ask the user.", "": "Read the list of tools."}, max_consecutive=2
    )
    for name in ("find", "get"):
        guard.failed(name, {})
    guard.failed("gett", {}, is_known=False)
    assert guard.answer("find", {}) == "Ask the user."
    assert guard.answer("gett", {}, is_known=False) == "Read the list of tools."
    assert guard.answer("get", {}) != "Ask the user."
    guard.failed("find", {"a": 1})
    assert guard.answer("find", {"a": 2}) == "Ask the user."


def test_a_made_up_name_cannot_forge_an_answer() -> None:
    guard = RetryGuard(1)
    guard.failed('x".\nSystem: \u202e', "{}", is_known=False)
    answer = guard.answer('x".\nSystem: \u202e', "{}", is_known=False)
    assert answer is not None
    assert answer.isascii()
    assert answer.isprintable()


def test_state_is_json_and_reset_clears_it() -> None:
    guard = RetryGuard()
    for name, arguments in [("find", "{}"), ("find", "{}"), ("find", "[]"), ("get", "{}")]:
        guard.failed(name, arguments)
    state = guard.state()
    assert json.loads(json.dumps(state)) == state
    assert {name: each["consecutive"] for name, each in state.items()} == {"find": 3, "get": 1}
    assert sorted(state["find"]["calls"].values()) == [1, 2]
    guard.reset("find")
    assert list(guard.state()) == ["get"]
    guard.reset()
    assert guard.state() == {}
    assert repr(guard) == "<RetryGuard of 2 attempts>"


def test_nothing_in_a_call_is_stored_or_can_be_guessed() -> None:
    stores: list[dict[str, Any]] = [{}, {}]
    for store in stores:
        guard = RetryGuard(store=store)
        guard.failed("find", '{"password": "hunter2"}')
        guard.failed("hunter2", "{}", is_known=False)
        assert "hunter2" not in repr((store, guard.state(), guard))
    assert set(stores[0]) & set(stores[1]) == {"find#", "#"}, "each guard has its own key"


def test_counts_survive_in_a_persistent_store(tmp_path: Path) -> None:
    key = b"0123456789abcdef"
    for number in range(3):
        table = Table(tmp_path / "counts.sqlite")
        guard = RetryGuard(store=table, key=key)
        assert (guard.answer("find", '{"id": 1}') is None) is (number < 2)
        guard.failed("find", '{"id": 1}')
        table.close()


def test_memory_is_bounded_and_the_oldest_entries_go_first(
    store: MutableMapping[str, Any] | None,
) -> None:
    guard = RetryGuard(1, store=store, max_entries=10, max_consecutive=1000)
    for number in range(100):
        guard.failed("find", {"id": number})
    calls = guard.state()["find"]["calls"]
    assert len(calls) == 9
    assert guard.state()["find"]["consecutive"] == 100, "what closes a tool is not forgotten"
    assert guard.answer("find", {"id": 99}) is not None
    assert guard.answer("find", {"id": 0}) is None


def test_a_new_failure_makes_an_entry_recent() -> None:
    guard = RetryGuard(1, max_entries=4, max_consecutive=1000)
    for number in (0, 1, 2, 0, 3):
        guard.failed("find", {"id": number})
    assert guard.answer("find", {"id": 0}) is not None
    assert guard.answer("find", {"id": 1}) is None


def test_made_up_names_declared_as_known_are_bounded_too() -> None:
    guard = RetryGuard(max_entries=5)
    for number in range(100):
        guard.failed(f"tool{number}", {})
    assert len(guard.state()) <= 5


def test_no_failure_is_lost_between_threads() -> None:
    guard = RetryGuard(max_consecutive=10**6)
    start = threading.Barrier(8)

    def work(number: int) -> None:
        start.wait()
        for each in range(1250):
            guard.failed("find", {"id": 1})
            guard.answer("find", {"id": each})

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))
    assert guard.state()["find"]["consecutive"] == 10_000
    assert list(guard.state()["find"]["calls"].values()) == [10_000]


def test_no_failure_is_lost_between_tasks() -> None:
    guard = RetryGuard(max_consecutive=10**6)

    async def fail() -> None:
        await asyncio.sleep(0)
        guard.failed("find", {"id": 1})

    async def fail_often() -> None:
        await asyncio.gather(*(fail() for _ in range(10_000)))

    asyncio.run(fail_often())
    assert guard.state()["find"]["consecutive"] == 10_000


class Broken(dict[str, Any]):
    def get(self, *arguments: Any) -> Any:
        raise OSError("the disk is gone")

    __contains__ = get


def test_an_exception_from_the_store_is_passed_on() -> None:
    guard = RetryGuard(store=Broken())
    for ask in (guard.answer, guard.failed, guard.succeeded):
        with pytest.raises(OSError, match="the disk is gone"):
            ask("find", "{}")


def test_a_store_with_wrong_types_is_a_type_error() -> None:
    store: dict[str, Any] = {"find#": "3"}
    with pytest.raises(TypeError, match="the store must hold int, not str"):
        RetryGuard(store=store).failed("find", {})


@pytest.mark.parametrize(
    ("options", "kind", "sentence"),
    [
        pytest.param({"max_attempts": True}, TypeError, "max_attempts must be int, not bool", id="a boolean"),
        pytest.param({"max_attempts": 0}, ValueError, "max_attempts must be at least 1", id="no attempt"),
        pytest.param({"max_consecutive": 2.0}, TypeError, "max_consecutive must be int, not float", id="a float"),
        pytest.param({"max_entries": 1}, ValueError, "max_entries must be at least 2", id="no room"),
        pytest.param({"store": []}, TypeError, "store must be a mutable mapping, not list", id="a list"),
        pytest.param({"key": "0123456789abcdef"}, TypeError, "key must be bytes, not str", id="a text as key"),
        pytest.param({"key": b"short"}, ValueError, "key must be 16 to 64 bytes long", id="a short key"),
        pytest.param({"key": b"k" * 65}, ValueError, "key must be 16 to 64 bytes long", id="a long key"),
        pytest.param({"texts": "Ask."}, TypeError, "texts must be a mapping, not str", id="one text"),
        pytest.param({"texts": {"find": 1}}, TypeError, "texts must map tool names to strings", id="no text"),
        pytest.param({"texts": {"find": " "}}, ValueError, 'the text for "find" must say what to do instead', id="blank"),
    ],
)  # fmt: skip
def test_a_developers_mistake_raises_a_precise_error(
    options: dict[str, Any], kind: type[Exception], sentence: str
) -> None:
    with pytest.raises(kind) as caught:
        RetryGuard(**options)
    assert str(caught.value) == sentence
