"""Applicators: the subschemas that apply to an instance, its properties and its items.

In-place applicators are those of 2020-12 core §10.2, with the target of a ``$ref``;
applicators to children those of §10.3. Every function yields the tokens that lead
from *schema* to a subschema, and the subschema. *target* is what the ``$ref`` of
*schema* leads to (`Survey.targets`), or None where it has none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from toolschema._json.pointer import Token
from toolschema._schema.dialect import Dialect, Schema

Applied: TypeAlias = Iterator[tuple[tuple[Token, ...], Schema]]

UNIONS = ("anyOf", "oneOf")


def always_applied(schema: dict[str, Any], dialect: Dialect, target: Schema | None) -> Applied:
    """The subschemas that apply to the same instance, whatever it is."""
    if target is not None:
        yield ("$ref",), target
    if not dialect.voids_siblings(schema):
        yield from _listed(schema, "allOf")


def possibly_applied(schema: dict[str, Any], dialect: Dialect, target: Schema | None) -> Applied:
    """These, and the branches that may apply to the same instance."""
    yield from always_applied(schema, dialect, target)
    if not dialect.voids_siblings(schema):
        for keyword in UNIONS:
            yield from _listed(schema, keyword)
        for keyword in ("if", "then", "else"):
            if keyword in schema:
                yield (keyword,), schema[keyword]


def applied(
    schema: dict[str, Any],
    dialect: Dialect,
    target: Schema | None,
    instance: Any,
    accepts: Callable[[Schema, Any], bool | None],
    *,
    or_all_branches: bool = False,
) -> Applied:
    """The subschemas that apply to *instance* and accept it, if *schema* does.

    Args:
        schema: A subschema that applies to it.
        dialect: The dialect of *schema*.
        target: What the ``$ref`` of *schema* leads to.
        instance: Any JSON value.
        accepts: The verdict of a subschema on it. None stands for unknown: then
            no branch that depends on the verdict applies.
        or_all_branches: Whether all branches of a union apply where it accepts none.
    """
    yield from always_applied(schema, dialect, target)
    if dialect.voids_siblings(schema):
        return
    for keyword in UNIONS:
        branches = list(_listed(schema, keyword))
        accepted = [branch for branch in branches if accepts(branch[1], instance)]
        yield from accepted or (branches if or_all_branches else ())
    if "if" in schema:
        verdict = accepts(schema["if"], instance)
        keywords = () if verdict is None else ("if", "then") if verdict else ("else",)
        yield from (((keyword,), schema[keyword]) for keyword in keywords if keyword in schema)
    if isinstance(instance, dict):
        for keyword in ("dependentSchemas", "dependencies"):
            if keyword in dialect.named:
                for name, subschema in schema.get(keyword, {}).items():
                    if name in instance and isinstance(subschema, (dict, bool)):
                        yield (keyword, name), subschema


def applied_to_property(
    schema: dict[str, Any],
    dialect: Dialect,
    name: str,
    matches: Callable[[str, str], bool],
    *,
    or_unevaluated: bool = False,
) -> Applied:
    """The subschemas that apply to the property *name* of an object.

    Args:
        schema: A subschema that applies to the object.
        dialect: The dialect of *schema*.
        name: The property's name.
        matches: Whether a pattern matches a name.
        or_unevaluated: Whether ``unevaluatedProperties`` applies where no other
            keyword of *schema* does; that is so if no subschema in place does.
    """
    if dialect.voids_siblings(schema):
        return
    is_further = True
    if name in schema.get("properties", {}):
        is_further = False
        yield ("properties", name), schema["properties"][name]
    for pattern, subschema in schema.get("patternProperties", {}).items():
        if matches(pattern, name):
            is_further = False
            yield ("patternProperties", pattern), subschema
    if is_further:
        rest = ("unevaluatedProperties",) if or_unevaluated else ()
        yield from _first(schema, "additionalProperties", *rest)


def applied_to_item(
    schema: dict[str, Any], dialect: Dialect, index: int, *, or_unevaluated: bool = False
) -> Applied:
    """The subschemas that apply to the item at *index* of an array; see `applied_to_property`."""
    if dialect.voids_siblings(schema):
        return
    prefix_keyword, prefix, rest = tuple_of(schema, dialect)
    if index < len(prefix):
        yield (prefix_keyword, index), prefix[index]
    else:
        yield from _first(schema, rest, *(("unevaluatedItems",) if or_unevaluated else ()))


def tuple_of(schema: dict[str, Any], dialect: Dialect) -> tuple[str, list[Schema], str]:
    """How an array begins: the keyword, its subschemas by index, and that of further items."""
    if isinstance(schema.get("items"), list):
        return "items", schema["items"], "additionalItems"
    is_known = "prefixItems" in dialect.many
    return "prefixItems", schema.get("prefixItems", []) if is_known else [], "items"


def _listed(schema: dict[str, Any], keyword: str) -> Applied:
    for index, subschema in enumerate(schema.get(keyword, ())):
        yield (keyword, index), subschema


def _first(schema: dict[str, Any], *keywords: str) -> Applied:
    for keyword in keywords:
        if keyword in schema:
            yield (keyword,), schema[keyword]
            return
