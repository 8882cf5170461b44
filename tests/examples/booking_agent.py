"""A booking agent over a real database, with a model that makes mistakes.

    python tests/examples/booking_agent.py

The model is a script, so that no network is needed: one makes the five mistakes
that models make most, and corrects each after feedback; the other repeats
itself and is stopped. What would be sent to a provider is printed.
"""

from __future__ import annotations

import datetime as dt
import json
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toolschema import (
    Accepted,
    Rejected,
    RetryGuard,
    Tool,
    Toolbox,
    ToolCall,
    ToolResult,
    accept,
    load_tools,
    reject,
)
from toolschema.checks import all_of, date_not_past

Found = tuple[sqlite3.Row, str]
"""A booking, and the day to move it to."""
SCHEMAS = Path(__file__).parent.parent.parent / "schemas"
TODAY = dt.date(2031, 4, 30)
ADA, GRACE = "ada@example.com", "grace@example.com"
BOOKINGS = [
    ("bk_000000000001", ADA, "2031-05-02", "confirmed"),
    ("bk_000000000002", ADA, "2031-06-11", "pending"),
    ("bk_000000000003", GRACE, "2031-05-02", "confirmed"),
]


@dataclass(frozen=True, slots=True)
class Session:
    """The user for whom the agent works, and the data it may see."""

    user: str
    database: sqlite3.Connection


def opened() -> sqlite3.Connection:
    database = sqlite3.connect(":memory:")
    database.row_factory = sqlite3.Row
    database.execute(
        "CREATE TABLE bookings (id TEXT PRIMARY KEY, guest TEXT, day TEXT, state TEXT)"
    )
    database.executemany("INSERT INTO bookings VALUES (?, ?, ?, ?)", BOOKINGS)
    return database


def own_bookings(session: Session) -> dict[str, sqlite3.Row]:
    rows = session.database.execute("SELECT * FROM bookings WHERE guest = ?", [session.user])
    return {row["id"]: row for row in rows}


def find_booking(arguments: dict[str, Any], session: Session) -> Accepted[Found] | Rejected:
    """Look the booking up once; another user's is treated as unknown."""
    mine = own_bookings(session)
    booking = mine.get(arguments["bookingId"])
    if booking is None:
        return reject("No booking of this guest has that id.", candidates=list(mine))
    return accept((booking, arguments["date"]))


def reschedule(accepted: Found, session: Session) -> dict[str, str]:
    booking, day = accepted
    with session.database as database:
        database.execute("UPDATE bookings SET day = ? WHERE id = ?", [day, booking["id"]])
    return {"id": booking["id"], "from": booking["day"], "to": day}


def search(arguments: dict[str, Any], session: Session) -> list[dict[str, str]]:
    rows = list(own_bookings(session).values())[: arguments.get("limit", 20)]
    return [{"id": row["id"], "day": row["day"], "state": row["state"]} for row in rows]


def toolbox(guard: RetryGuard | None = None) -> Toolbox:
    tools = load_tools(SCHEMAS)
    check = all_of(date_not_past("/date", today=TODAY), find_booking)
    return Toolbox(
        [
            Tool(tools["search_bookings"], search),
            Tool(tools["reschedule_booking"], reschedule, check),
        ],
        guard=guard,
    )


HASTY: list[tuple[str, Any]] = [
    # A made-up id, and a date in words.
    ("reschedule_booking", {"bookingId": "the one in May", "date": "next Friday"}),
    # A page size above the maximum.
    ("search_bookings", {"limit": 500}),
    ("search_bookings", {"limit": 10}),
    # A code fence around the arguments.
    ("reschedule_booking", '```json\n{"bookingId": "bk_000000000001"}\n```'),
    # A day that has passed.
    ("reschedule_booking", {"bookingId": "bk_000000000001", "date": "2031-03-09"}),
    # A booking of another user, and one that does not exist.
    ("reschedule_booking", {"bookingId": "bk_000000000003", "date": "2031-05-09"}),
    ("reschedule_booking", {"bookingId": "bk_0123456789ab", "date": "2031-05-09"}),
    ("reschedule_booking", {"bookingId": "bk_000000000001", "date": "2031-05-09"}),
]
STUBBORN: list[tuple[str, Any]] = [
    ("reschedule_booking", {"bookingId": "bk_0123456789ab", "date": "2031-05-09"})
] * 4


def conversation(script: list[tuple[str, Any]], box: Toolbox) -> Iterator[ToolResult]:
    """Yield the result of each call of a scripted model."""
    with closing(opened()) as database:
        session = Session(ADA, database)
        for number, (name, arguments) in enumerate(script):
            sent = arguments if isinstance(arguments, str) else json.dumps(arguments)
            yield box.call(ToolCall(f"call_{number}", name, sent), session)


def main() -> int:
    for title, script in (("hasty", HASTY), ("stubborn", STUBBORN)):
        print(f"== the {title} model")
        results = conversation(script, toolbox(RetryGuard()))
        for (name, arguments), result in zip(script, results, strict=True):
            print(f"> {name} {arguments if isinstance(arguments, str) else json.dumps(arguments)}")
            print(result.content)
    return 0


if __name__ == "__main__":
    sys.exit(main())
