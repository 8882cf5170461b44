"""Concurrent use, including the first use of a tool."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from conftest import READ, define

import toolschema._validation.compiled as compilation
from toolschema import (
    Limits,
    ToolArgumentsValidationError,
    check_tool_arguments,
    validate_tool_arguments,
)


@pytest.fixture(autouse=True)
def _short_turns() -> Iterator[None]:
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


def at_once(count: int, work: Callable[[int], Any]) -> list[Any]:
    barrier = threading.Barrier(count)

    def start(number: int) -> Any:
        barrier.wait()
        return work(number)

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(start, range(count)))


def test_eight_threads_compile_once_and_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []
    make = compilation._compile

    def counted(*arguments: Any, **options: Any) -> Any:
        compiled.append("once")
        return make(*arguments, **options)

    monkeypatch.setattr(compilation, "_compile", counted)
    schema = {**READ, "title": "compiled by eight threads"}
    good = '{"path": "a", "limit": 1, "options": {"labels": []}}'

    def work(number: int) -> list[Any]:
        tool = define(schema)
        return [check_tool_arguments(tool, good), check_tool_arguments(tool, "{}")]

    results = at_once(8, work)
    assert compiled == ["once"]
    assert results == [results[0]] * 8
    assert results[0][0] == ()
    assert len(results[0][1]) == 3


def test_different_schemas_do_not_interfere() -> None:
    def work(number: int) -> list[bool]:
        kinds = ["integer", "string"]
        return [
            check_tool_arguments(
                define({"properties": {"a": {"type": kinds[index % 2]}}, "title": str(number)}),
                {"a": 1},
            ) == (() if index % 2 == 0 else ("/a: must be string",))
            for index in range(50)
        ]  # fmt: skip

    assert all(all(result) for result in at_once(8, work))


def test_a_value_modified_during_the_check_is_judged_or_refused() -> None:
    tool = define({"additionalProperties": {"type": "integer"}})
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
        for _ in range(100):
            for issue in check_tool_arguments(tool, value):
                assert issue.message == "must be integer"
    finally:
        stop.set()
        thread.join()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_a_lock_held_during_a_fork_is_free_in_the_child() -> None:
    held, let_go = threading.Event(), threading.Event()

    def hold() -> None:
        with compilation._CACHE._lock.held(), compilation._LOCK.held():
            held.set()
            let_go.wait()

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait()
    try:
        child = os.fork()
        if not child:
            ok = False
            try:
                tool = define({"title": "in the child", "required": ["a"]})
                ok = check_tool_arguments(tool, {}) == ("/a: must have required properties a",)
            finally:
                os._exit(0 if ok else 1)
    finally:
        let_go.set()
        thread.join()
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0


def test_a_value_that_grows_during_the_check_cannot_exceed_a_limit() -> None:
    tool = define({}, limits=Limits(max_nodes=100))
    value: dict[str, Any] = {"a": {}, "b": []}
    more = {str(index): 1 for index in range(5000)}
    stop = threading.Event()

    def change() -> None:
        while not stop.is_set():
            value["a"].update(more)
            value["b"].extend(more)
            value["a"].clear()
            value["b"].clear()

    thread = threading.Thread(target=change)
    thread.start()
    try:
        refused = 0
        for _ in range(2000):
            try:
                copy = validate_tool_arguments(tool, value)
            except ToolArgumentsValidationError:
                refused += 1
            else:
                assert len(copy["a"]) + len(copy["b"]) < 100
        assert refused, "it was never seen grown"
    finally:
        stop.set()
        thread.join()


def test_where_no_thread_can_be_started_the_work_is_done_in_this_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A deep schema is compiled, and a value explained, with more stack elsewhere."""

    def start(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", start)
    schema: dict[str, Any] = {"$ref": "#/$defs/end"}
    for _ in range(40):
        schema = {"properties": {"a": schema}}
    value: dict[str, Any] = {"a": 1}
    for _ in range(39):
        value = {"a": value}
    tool = define({**schema, "$defs": {"end": {"type": "string"}}})
    assert check_tool_arguments(tool, value) == (f"{'/a' * 40}: must be string",)
