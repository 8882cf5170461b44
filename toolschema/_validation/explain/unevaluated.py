"""unevaluatedProperties and unevaluatedItems (2020-12 core §11).

A property to which some failing subschema applied counts as evaluated here: that
subschema has its own issues, and a second one for the same property would only
hide them. So the verdict is the specification's, and the list is shorter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

from referencing.jsonschema import lookup_recursive_ref

from toolschema._json.pointer import Token
from toolschema._schema.applicators import applied, applied_to_property, tuple_of
from toolschema._schema.dialect import Dialect, Schema
from toolschema._validation import messages
from toolschema._validation.explain.context import (
    Errors,
    below,
    explanation_of,
    facts_of,
    is_valid,
    wrong,
)

Own = Callable[[Any, Any, dict[str, Any], Dialect], "set[Token] | None"]


def unevaluated_properties(validator: Any, value: Any, instance: Any, schema: Any) -> Errors:
    if type(instance) is dict:
        around = {name: schema[name] for name in schema if name != "unevaluatedProperties"}
        evaluated = _evaluated(validator, instance, schema, around, _own_properties)
        message = messages.UNEVALUATED_PROPERTY
        yield from _rest(validator, value, instance, sorted(instance), evaluated, message)


def unevaluated_items(validator: Any, value: Any, instance: Any, schema: Any) -> Errors:
    if type(instance) is list:
        around = {name: schema[name] for name in schema if name != "unevaluatedItems"}
        evaluated = _evaluated(validator, instance, schema, around, _own_items)
        indexes, message = range(len(instance)), messages.UNEVALUATED_ITEM
        yield from _rest(validator, value, instance, indexes, evaluated, message)


def _rest(
    validator: Any,
    subschema: Schema,
    instance: Any,
    tokens: Iterable[Token],
    evaluated: set[Token] | None,
    message: str,
) -> Errors:
    """The errors of what was not evaluated; None stands for everything."""
    for token in tokens if evaluated is not None else ():
        if token in evaluated:  # type: ignore[operator]
            continue
        if subschema is False:
            explanation_of(validator).spend(1)
            yield wrong(message, token)
        else:
            yield from below(validator, instance[token], subschema, token)


def _evaluated(
    validator: Any, instance: Any, schema: Schema, visible: Any, own: Own
) -> set[Token] | None:
    """What *schema* and the subschemas in place evaluate; None for everything.

    *visible* is *schema* with the keywords that count.
    """
    if not isinstance(visible, dict):
        return set()
    explanation_of(validator).spend(1)
    dialect = _dialect(validator, schema)
    found = own(validator, instance, visible, dialect)
    if found is None:
        return None
    for inner, subschema in _in_place(validator, instance, schema, dialect):
        more = _evaluated(inner, instance, subschema, subschema, own)
        if more is None:
            return None
        found |= more
    return found


def _dialect(validator: Any, schema: Schema) -> Dialect:
    survey = facts_of(validator).survey
    node = survey.nodes.get(id(schema))
    return node.dialect if node else survey.dialect


def _own_properties(
    validator: Any, instance: Any, schema: dict[str, Any], dialect: Dialect
) -> set[Token] | None:
    if "additionalProperties" in schema or "unevaluatedProperties" in schema:
        return None
    matches = partial(explanation_of(validator).matches, schema=schema)
    return {name for name in instance if any(applied_to_property(schema, dialect, name, matches))}


def _own_items(
    validator: Any, instance: Any, schema: dict[str, Any], dialect: Dialect
) -> set[Token] | None:
    _, prefix, rest = tuple_of(schema, dialect)
    if rest in schema or "unevaluatedItems" in schema:
        return None
    found: set[Token] = set(range(len(prefix)))
    if "contains" in schema:
        found.update(
            index
            for index, item in enumerate(instance)
            if is_valid(validator, item, schema["contains"])
        )
    return found


def _in_place(
    validator: Any, instance: Any, schema: dict[str, Any], dialect: Dialect
) -> Iterator[tuple[Any, Schema]]:
    """The subschemas that apply to *instance* too, each with its validator."""
    survey = facts_of(validator).survey
    if survey.is_dynamic:
        for keyword in ("$ref", "$dynamicRef", "$recursiveRef"):
            if keyword in schema:
                yield from _dynamic(validator, keyword, schema[keyword])
    target = None if survey.is_dynamic else survey.targets.get(id(schema))

    def accepts(branch: Schema, instance: Any) -> bool:
        return is_valid(validator, instance, branch)

    for path, subschema in applied(
        schema, dialect, target, instance, accepts, or_all_branches=True
    ):
        if path[0] != "dependencies":
            yield validator, subschema


def _dynamic(validator: Any, keyword: str, reference: str) -> Iterator[tuple[Any, Schema]]:
    """Resolve where the dynamic scope counts.

    jsonschema has no public way to do this; without its private resolver the
    reference adds nothing, and the call is refused at the root.
    """
    resolver = getattr(validator, "_resolver", None)
    if resolver is None:
        return
    if keyword == "$recursiveRef":
        resolved = lookup_recursive_ref(resolver)
    else:
        resolved = resolver.lookup(reference)
    contents = resolved.contents
    if isinstance(contents, dict):
        yield validator.evolve(schema=contents, _resolver=resolved.resolver), contents
