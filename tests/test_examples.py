"""The examples do what they say."""

from __future__ import annotations

import subprocess
import sys
from contextlib import closing

from conftest import ROOT

sys.path.insert(0, str(ROOT / "tests" / "examples"))

import booking_agent

from toolschema import RetryGuard, ToolCall


def test_the_hasty_model_recovers_from_each_mistake() -> None:
    results = list(booking_agent.conversation(booking_agent.HASTY, booking_agent.toolbox()))
    assert [result.is_error for result in results] == [
        True, True, False, True, True, True, True, False,
    ]  # fmt: skip
    assert results[-1].value == {
        "id": "bk_000000000001", "from": "2031-05-02", "to": "2031-05-09",
    }  # fmt: skip
    assert all(
        result.exception is None and result.retryable for result in results if result.is_error
    )


def test_another_users_booking_is_reported_like_an_unknown_one() -> None:
    strangers, unknown = list(
        booking_agent.conversation(booking_agent.HASTY, booking_agent.toolbox())
    )[5:7]
    assert strangers.content == unknown.content
    assert strangers.content.endswith('Choose one of: "bk_000000000001", "bk_000000000002".')


def test_the_stubborn_model_is_stopped_and_nothing_is_moved() -> None:
    box = booking_agent.toolbox(RetryGuard())
    results = list(booking_agent.conversation(booking_agent.STUBBORN, box))
    assert results[0].content == results[1].content
    assert "was not run again" in results[2].content
    assert results[2].content == results[3].content


def test_only_the_users_own_bookings_are_searched() -> None:
    box = booking_agent.toolbox()
    with closing(booking_agent.opened()) as database:
        session = booking_agent.Session(booking_agent.GRACE, database)
        result = box.call(ToolCall("call_1", "search_bookings", "{}"), session)
    assert [row["id"] for row in result.value] == ["bk_000000000003"]


def test_the_booking_agent_runs_as_a_script() -> None:
    done = subprocess.run(
        [sys.executable, "tests/examples/booking_agent.py"],
        capture_output=True, text=True, check=True, cwd=ROOT,
    )  # fmt: skip
    assert done.stdout.startswith("== the hasty model\n> reschedule_booking")
