"""What a place holds, in parts that Python has types for: texts, numbers, lists, maps, records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any, NamedTuple

from toolschema.types._conjunction import (
    ANYTHING,
    MOST_ALTERNATIVES,
    NEVER,
    Conjunction,
    Conjunctions,
    Slot,
)
from toolschema.types._kinds import ALL

_CONDITIONAL = ("if", "then", "else")


class Part(NamedTuple):
    """One member of a union."""

    kind: str
    """A kind of JSON value; ``record`` is an object with names of its own, ``any`` all of them."""
    values: tuple[Any, ...] | None = None
    """The only texts or booleans."""
    slot: Slot = ANYTHING
    """What items or properties hold."""
    record: Conjunction = ()


class Field(NamedTuple):
    """One property of a record."""

    name: str
    is_required: bool
    schemas: tuple[Any, ...]
    """What its own schema and others say of it, before anything is added."""


ANY = Part("any")


def parts(conjunctions: Conjunctions, slot: Slot) -> list[Part]:
    """The parts of the union of all that *slot* allows; empty where that is nothing."""
    found: dict[Part, None] = {}
    for each in slot:
        for alternative in conjunctions.alternatives(each):
            found.update(dict.fromkeys(_of_one(conjunctions, alternative)))
    return [ANY] if ANY in found else _joined(found)


def object_parts(conjunctions: Conjunctions, conjunction: Conjunction) -> list[Part]:
    """The same of a value that is an object in any case."""
    found = [
        _object(conjunctions, each)
        for each in conjunctions.alternatives(conjunction)
        if "object" in conjunctions.kinds(each)
    ]
    return list(dict.fromkeys(each for each in found if each is not None))


def _of_one(conjunctions: Conjunctions, conjunction: Conjunction) -> Iterator[Part]:
    kinds = conjunctions.kinds(conjunction)
    if kinds == ALL:
        yield ANY
        return
    for kind, values in kinds.items():
        if kind == "object":
            made = _object(conjunctions, conjunction)
            if made is not None:
                yield made
        elif kind == "array":
            yield Part("array", slot=_items(conjunctions, conjunction))
        else:
            yield Part(kind, values)


def _joined(found: Iterable[Part]) -> list[Part]:
    """One part for all texts, and one for all booleans."""
    whole: dict[str, Part] = {}
    others: list[Part] = []
    for part in found:
        if part.kind not in ("string", "boolean"):
            others.append(part)
            continue
        known = whole.setdefault(part.kind, part)
        if known.values is None or part.values is None:
            whole[part.kind] = Part(part.kind)
        else:
            both = tuple(dict.fromkeys((*known.values, *part.values)))
            whole[part.kind] = part._replace(values=both)
    return [*others, *whole.values()]


def _object(conjunctions: Conjunctions, conjunction: Conjunction) -> Part | None:
    """A record where names are known or none is allowed, or else a map."""
    found = list(fields(conjunctions, conjunction))
    if any(each.is_required and _is_never(conjunctions, each) for each in found):
        return None
    rest = _rest(conjunctions, conjunction)
    if not rest or any(not _is_never(conjunctions, each) for each in found):
        return Part("record", record=conjunction)
    return Part("object", slot=rest)


def fields(conjunctions: Conjunctions, conjunction: Conjunction) -> Iterator[Field]:
    """The properties that schemas name, declared ones first."""
    members = [schema for _, schema in conjunctions.members(conjunction)]
    declared = dict.fromkeys(name for each in members for name in each.get("properties", ()))
    required = {name for each in members for name in each.get("required", ())}
    extra = [name for each in members for name in each.get("required", ())]
    extra += [name for schema in members for name in _sometimes(conjunctions, conjunction, schema)]
    for name in dict.fromkeys((*declared, *extra)):
        said = tuple(each for schema in members for each in _said_of(schema, name))
        yield Field(name, name in required, said)


def is_possible(conjunctions: Conjunctions, each: Field) -> bool:
    """Whether some value can be there."""
    return not _is_never(conjunctions, each)


def _is_never(conjunctions: Conjunctions, each: Field) -> bool:
    return not conjunctions.kinds(conjunctions.close(each.schemas))


def _said_of(schema: dict[str, Any], name: str) -> Iterator[Any]:
    properties = schema.get("properties", {})
    if name in properties:
        yield properties[name]
    elif "additionalProperties" in schema and "patternProperties" not in schema:
        yield schema["additionalProperties"]


def _sometimes(
    conjunctions: Conjunctions, conjunction: Conjunction, schema: dict[str, Any]
) -> Iterator[str]:
    """Names that are declared under a condition, or in a union that was left out."""
    below = [schema[keyword] for keyword in _CONDITIONAL if keyword in schema]
    for keyword in ("dependentSchemas", "dependencies"):
        below += schema.get(keyword, {}).values()
    for union in conjunctions.open_unions(conjunction, schema):
        below += union
    for each in below:
        if isinstance(each, dict):
            for _, member in conjunctions.members(conjunctions.close([each])):
                yield from member.get("properties", ())


def _rest(conjunctions: Conjunctions, conjunction: Conjunction) -> Slot:
    """What a property without a name of its own may hold; empty where there can be none."""
    options = []
    for _, schema in conjunctions.members(conjunction):
        rest = schema.get("additionalProperties", True)
        options.append([*schema.get("patternProperties", {}).values(), rest])
    return _product(conjunctions, options)


def _items(conjunctions: Conjunctions, conjunction: Conjunction) -> Slot:
    members = list(conjunctions.members(conjunction))
    most = min((each["maxItems"] for _, each in members if "maxItems" in each), default=None)
    options = []
    for key, schema in members:
        prefix, rest = _tuple(schema, conjunctions.dialect(key))
        is_full = most is not None and most <= len(prefix)
        options.append(prefix if is_full and prefix else [*prefix, rest])
    return _product(conjunctions, options) or ANYTHING


def _tuple(schema: dict[str, Any], dialect: str) -> tuple[list[Any], Any]:
    """The schemas of the first items, and that of all others."""
    items = schema.get("items", True)
    if dialect == "2020-12":
        return schema.get("prefixItems", []), items
    return (items, schema.get("additionalItems", True)) if isinstance(items, list) else ([], items)


def _product(conjunctions: Conjunctions, options: Iterable[list[Any]]) -> Slot:
    """One of each list together; a list that makes too many is left out."""
    found: list[Conjunction] = [()]
    for each in options:
        closed = dict.fromkeys(conjunctions.close([schema]) for schema in each)
        possible = [both for both in closed if NEVER not in both]
        if len(found) * len(possible) <= MOST_ALTERNATIVES:
            found = [tuple(dict.fromkeys((*a, *b))) for a, b in product(found, possible)]
    return tuple(dict.fromkeys(each for each in found if conjunctions.kinds(each)))
