"""The workloads: schemas, equivalent types, and JSON text.

Every kind of value is written once, as a JSON Schema and as the equivalent type for
pydantic and msgspec. Both read the same type and skip each other's limits.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec
import pydantic
import typing_extensions

# Types are created at run time here, which type checkers cannot follow.
typing: Any = typing_extensions
READ = Path(__file__).parent.parent / "schemas" / "read.json"
DIALECT = "https://json-schema.org/draft/2020-12/schema"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of value, as a schema and as a type, with a valid example."""

    schema: dict[str, Any]
    type: Any = None
    example: Any = None
    struct: Any = None
    """The type for msgspec, where it cannot take the other."""
    model: Any = None
    """The type for pydantic that has a class of its own."""

    @property
    def modelled(self) -> Any:
        return self.type if self.model is None else self.model


Kinds = Mapping[str, Kind]


@dataclass(frozen=True, slots=True)
class Workload:
    """One kind of arguments, with a valid and an invalid text."""

    kind: Kind
    valid: str
    failing: str


def limited(plain: Any, **limits: Any) -> Any:
    """A type with limits, which have the same names in both libraries."""
    return typing.Annotated[plain, pydantic.Field(**limits), msgspec.Meta(**limits)]


def pattern(expression: str, example: str) -> Kind:
    schema = {"type": "string", "pattern": expression}
    return Kind(schema, limited(str, pattern=expression), example)


def array(items: Kind, example: list[Any]) -> Kind:
    schema = {"type": "array", "items": items.schema}
    model = None if items.model is None else typing.List[items.model]
    return Kind(schema, typing.List[items.type], example, model=model)


def record(name: str, required: Kinds, optional: Kinds | None = None) -> Kind:
    """An object: as a `TypedDict`, which gives a plain dict, and as a model."""
    fields = {**required, **(optional or {})}
    types = {key: each.type for key, each in required.items()}
    types |= {key: typing.NotRequired[each.type] for key, each in (optional or {}).items()}
    # The schemas leave objects open, so undeclared names come through.
    strict = pydantic.ConfigDict(strict=True, extra="allow")
    members: dict[str, Any] = {key: (each.modelled, ...) for key, each in required.items()}
    members |= {key: (each.modelled, None) for key, each in (optional or {}).items()}
    model = pydantic.create_model(name, __config__=strict, **members)
    schema = {
        "type": "object",
        "properties": {key: each.schema for key, each in fields.items()},
        "required": list(required),
    }
    example = {key: each.example for key, each in fields.items()}
    typed = pydantic.with_config(strict)(typing.TypedDict(name, types))
    return Kind(schema, typed, example, model=model)


def tagged(branches: Mapping[str, Kinds]) -> Kind:
    """A union of objects with the discriminator `kind`."""
    records = [tagged_record(tag, fields) for tag, fields in branches.items()]
    types = typing.Union[tuple(each.type for each in records)]
    return Kind(
        {"type": "object", "anyOf": [each.schema for each in records]},
        typing.Annotated[types, pydantic.Field(discriminator="kind")],
        records[len(records) // 2].example,
        typing.Union[tuple(each.struct for each in records)],
        typing.Annotated[
            typing.Union[tuple(each.model for each in records)],
            pydantic.Field(discriminator="kind"),
        ],
    )


def tagged_record(tag: str, fields: Kinds) -> Kind:
    """One branch of the union; msgspec accepts a union of structs, but not of typed dicts."""
    types = [(key, each.type) for key, each in fields.items()]
    struct = msgspec.defstruct(tag, types, tag=tag, tag_field="kind")
    constant = Kind({"const": tag}, typing.Literal[tag], tag)
    return replace(record(tag, {"kind": constant, **fields}), struct=struct)


TEXT = Kind({"type": "string", "minLength": 1}, limited(str, min_length=1), "Ada Example")
INTEGER = Kind({"type": "integer"}, int, 41)
COUNT = Kind({"type": "integer", "minimum": 1}, limited(int, ge=1), 3)
# As usual with types, a number is a float and is returned as one.
NUMBER = Kind({"type": "number"}, float, 59.91)
AMOUNT = Kind({"type": "number", "minimum": 0}, limited(float, ge=0), 12.5)
LIMIT = Kind({"type": "number", "minimum": 1}, limited(float, ge=1), 20)
FLAG = Kind({"type": "boolean"}, bool, example=True)
NOTE = Kind({"type": ["string", "null"]}, typing.Optional[str], None)
LABELS = array(Kind({"type": "string"}, str), ["docs", "work"])
SIZE = Kind(
    {"enum": ["small", "medium", "large"]}, typing.Literal["small", "medium", "large"], "large"
)
# A date type gives a date, not its string.
DATE = Kind({"type": "string", "format": "date"}, dt.date, "2031-02-28")
BOOKING = pattern("^bk_[0-9a-f]{12}$", "bk_0123456789ab")
SKU = pattern("^[A-Z]{3}-[0-9]{4}$", "ABC-1234")

CONTACT: Kinds = {
    **dict.fromkeys(("id", "given_name", "family_name", "email", "street", "city"), TEXT),
    **dict.fromkeys(("age", "visits", "orders", "floor"), INTEGER),
    **dict.fromkeys(("latitude", "longitude", "balance"), NUMBER),
    **dict.fromkeys(("is_active", "is_verified", "is_company"), FLAG),
    "labels": LABELS,
}
CONTACT_EXTRAS: Kinds = {
    **dict.fromkeys(("phone", "postal_code", "country", "company", "title", "website"), TEXT),
    **dict.fromkeys(("children", "devices", "logins"), COUNT),
    **dict.fromkeys(("discount", "credit", "spent"), AMOUNT),
    **dict.fromkeys(("wants_news", "wants_calls", "is_partner"), FLAG),
    **dict.fromkeys(("middle_name", "fax", "referrer", "remark"), NOTE),
    **dict.fromkeys(("languages", "aliases"), LABELS),
    **dict.fromkeys(("size", "shirt"), SIZE),
}
BRANCHES: Mapping[str, Kinds] = {
    "click": {"x": INTEGER, "y": INTEGER, "button": TEXT},
    "drag": {"from_x": INTEGER, "from_y": INTEGER, "to_x": INTEGER, "to_y": INTEGER},
    "scroll": {"x": INTEGER, "y": INTEGER, "distance": NUMBER},
    "type": {"field": TEXT, "text": TEXT, "submit": FLAG},
    "upload": {"field": TEXT, "path": TEXT, "bytes": COUNT, "labels": LABELS, "public": FLAG},
    "wait": {"seconds": AMOUNT, "reason": NOTE, "loud": FLAG},
    "open": {"url": TEXT, "tab": COUNT, "private": FLAG, "size": SIZE},
    "print": {"path": TEXT, "copies": COUNT, "size": SIZE, "duplex": FLAG},
}


def spoiled(example: Mapping[str, Any], wrong: Mapping[str, Any], missing: str) -> str:
    """JSON text with one value of the wrong type and one property missing."""
    return json.dumps({key: each for key, each in {**example, **wrong}.items() if key != missing})


def of_kind(kind: Kind, wrong: Mapping[str, Any], missing: str) -> Workload:
    valid, failing = json.dumps(kind.example), spoiled(kind.example, wrong, missing)
    return Workload(in_2020(kind), valid, failing)


def in_2020(kind: Kind) -> Kind:
    return replace(kind, schema={"$schema": DIALECT, **kind.schema})


def read() -> Workload:
    options = record("options", {"labels": array(Kind({"type": "string"}, str), ["docs"])})
    kind = record("read", {"path": TEXT, "limit": LIMIT, "options": options})
    example = {"path": "README.md", "limit": 20, "options": {"labels": ["docs"]}}
    schema = json.loads(READ.read_text(encoding="utf-8"))
    failing = spoiled(example, {"limit": "20"}, "path")
    return Workload(replace(kind, schema=schema), json.dumps(example), failing)


def booking() -> Workload:
    kind = record("booking", {"bookingId": BOOKING, "date": DATE, "guests": COUNT}, {"note": NOTE})
    return of_kind(kind, {"guests": "3"}, "date")


def contact() -> Workload:
    return of_kind(record("contact", CONTACT, CONTACT_EXTRAS), {"age": "41"}, "email")


def union() -> Workload:
    return of_kind(tagged(BRANCHES), {"bytes": "3"}, "path")


def line(number: int) -> dict[str, Any]:
    """One line of the order, with the note present, null or absent in turn."""
    note = ({"note": "fragile"}, {"note": None}, {})[number % 3]
    price = number * 1.25
    return {"sku": f"ABC-{number:04}", "quantity": 1 + number % 9, "price": price, **note}


def order() -> Workload:
    each = record("line", {"sku": SKU, "quantity": COUNT, "price": AMOUNT}, {"note": NOTE})
    kind = record("order", {"customer": TEXT, "lines": array(each, [])})
    lines = [line(number) for number in range(200)]
    wrong = [*lines[:123], {**lines[123], "quantity": "3"}, *lines[124:]]
    valid, failing = (json.dumps({"customer": "Ada", "lines": some}) for some in (lines, wrong))
    return Workload(in_2020(kind), valid, failing)


WORKLOADS = {
    "read": read,
    "booking": booking,
    "contact": contact,
    "union": union,
    "order": order,
}
"""By the name that the command line knows."""
