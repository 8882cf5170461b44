"""The parts of a type that Python distinguishes: strings, numbers, lists, maps, records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any, NamedTuple

from toolschema._schema.applicators import tuple_of
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
    """A kind of JSON value, ``any``, or ``record``: an object with declared property names."""
    values: tuple[Any, ...] | None = None
    """The only strings or booleans accepted; None if all are."""
    slot: Slot = ANYTHING
    """What the items or properties hold."""
    record: Conjunction = ()


class Property(NamedTuple):
    """One property of a record."""

    name: str
    is_required: bool
    conjunction: Conjunction
    """The schemas that its value must satisfy."""


ANY = Part("any")


def parts(conjunctions: Conjunctions, slot: Slot) -> list[Part]:
    """The union of everything that *slot* accepts; empty if it accepts nothing."""
    found: dict[Part, None] = {}
    for conjunction in slot:
        for alternative in conjunctions.alternatives(conjunction):
            found.update(dict.fromkeys(_parts_of(conjunctions, alternative)))
    return [ANY] if ANY in found else _merged(found)


def object_parts(conjunctions: Conjunctions, conjunction: Conjunction) -> list[Part]:
    """The same for a value that is known to be an object."""
    found = [
        _object(conjunctions, alternative)
        for alternative in conjunctions.alternatives(conjunction)
        if "object" in conjunctions.kinds(alternative)
    ]
    return list(dict.fromkeys(part for part in found if part is not None))


def _parts_of(conjunctions: Conjunctions, conjunction: Conjunction) -> Iterator[Part]:
    kinds = conjunctions.kinds(conjunction)
    if kinds == ALL:
        yield ANY
        return
    for kind, values in kinds.items():
        if kind == "object":
            part = _object(conjunctions, conjunction)
            if part is not None:
                yield part
        elif kind == "array":
            yield Part("array", slot=_items(conjunctions, conjunction))
        else:
            yield Part(kind, values)


def _merged(found: Iterable[Part]) -> list[Part]:
    """The parts with all strings in one and all booleans in one."""
    scalars: dict[str, Part] = {}
    others: list[Part] = []
    for part in found:
        if part.kind not in ("string", "boolean"):
            others.append(part)
            continue
        known = scalars.setdefault(part.kind, part)
        if known.values is None or part.values is None:
            scalars[part.kind] = Part(part.kind)
        else:
            both = tuple(dict.fromkeys((*known.values, *part.values)))
            scalars[part.kind] = Part(part.kind, both)
    return [*others, *scalars.values()]


def _object(conjunctions: Conjunctions, conjunction: Conjunction) -> Part | None:
    """A record if names are declared or no others are allowed; otherwise a map."""
    known = list(properties(conjunctions, conjunction))
    impossible = [prop for prop in known if not conjunctions.kinds(prop.conjunction)]
    if any(prop.is_required for prop in impossible):
        return None
    others = _other_properties(conjunctions, conjunction)
    if len(impossible) < len(known) or not others:
        return Part("record", record=conjunction)
    return Part("object", slot=others)


def properties(conjunctions: Conjunctions, conjunction: Conjunction) -> Iterator[Property]:
    """The properties that the schemas name, declared ones first."""
    members = [schema for _, schema in conjunctions.members(conjunction)]
    declared = [name for schema in members for name in schema.get("properties", ())]
    required = dict.fromkeys(name for schema in members for name in schema.get("required", ()))
    conditional = [
        name for schema in members for name in _conditional(conjunctions, conjunction, schema)
    ]
    for name in dict.fromkeys((*declared, *required, *conditional)):
        schemas = [subschema for schema in members for subschema in _subschemas(schema, name)]
        yield Property(name, name in required, conjunctions.close(schemas))


def _subschemas(schema: dict[str, Any], name: str) -> Iterator[Any]:
    """What *schema* requires of one property, as far as that is certain."""
    declared = schema.get("properties", {})
    if name in declared:
        yield declared[name]
    elif "additionalProperties" in schema and "patternProperties" not in schema:
        yield schema["additionalProperties"]


def _conditional(
    conjunctions: Conjunctions, conjunction: Conjunction, schema: dict[str, Any]
) -> Iterator[str]:
    """Names that are declared under a condition, or in a union that is left out."""
    branches = [schema[keyword] for keyword in _CONDITIONAL if keyword in schema]
    for keyword in ("dependentSchemas", "dependencies"):
        branches += schema.get(keyword, {}).values()
    for union in conjunctions.open_unions(conjunction, schema):
        branches += union
    for branch in branches:
        if isinstance(branch, dict):
            for _, member in conjunctions.members(conjunctions.close([branch])):
                yield from member.get("properties", ())


def _other_properties(conjunctions: Conjunctions, conjunction: Conjunction) -> Slot:
    """What a property that is not declared may hold; empty if none is allowed."""
    options = []
    for _, schema in conjunctions.members(conjunction):
        additional = schema.get("additionalProperties", True)
        options.append([*schema.get("patternProperties", {}).values(), additional])
    return _combinations(conjunctions, options)


def _items(conjunctions: Conjunctions, conjunction: Conjunction) -> Slot:
    members = list(conjunctions.members(conjunction))
    longest = min(
        (schema["maxItems"] for _, schema in members if "maxItems" in schema), default=None
    )
    options = []
    for key, schema in members:
        _, prefix, rest = tuple_of(schema, conjunctions.survey.nodes[key].dialect)
        is_full = longest is not None and longest <= len(prefix)
        options.append(prefix if is_full and prefix else [*prefix, schema.get(rest, True)])
    return _combinations(conjunctions, options) or ANYTHING


def _combinations(conjunctions: Conjunctions, options: Iterable[list[Any]]) -> Slot:
    """One schema of each list, combined; a list that gives too many is left out."""
    found: list[Conjunction] = [()]
    for schemas in options:
        closed = dict.fromkeys(conjunctions.close([schema]) for schema in schemas)
        possible = [conjunction for conjunction in closed if NEVER not in conjunction]
        if len(found) * len(possible) <= MOST_ALTERNATIVES:
            found = [tuple(dict.fromkeys((*a, *b))) for a, b in product(found, possible)]
    return tuple(dict.fromkeys(filter(conjunctions.kinds, found)))
