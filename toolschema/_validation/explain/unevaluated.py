"""unevaluatedProperties and unevaluatedItems (2020-12 core §11).

A property that some failing subschema looked at counts as evaluated here: that
subschema has its own issues, and a second one for the same property would only
hide them. So the verdict is the specification's, and the list is shorter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from referencing.jsonschema import lookup_recursive_ref

from toolschema._schema.dialect import Schema
from toolschema._validation import messages
from toolschema._validation.explain.context import Errors, below, explanation_of, is_valid, wrong

Place = str | int
Own = Callable[[Any, Any, dict[str, Any]], "set[Place] | None"]


def unevaluated_properties(validator: Any, value: Any, instance: Any, schema: Any) -> Errors:
    if type(instance) is not dict:
        return
    around = {
        keyword: each for keyword, each in schema.items() if keyword != "unevaluatedProperties"
    }
    evaluated = _evaluated(validator, instance, schema, around, _own_properties)
    if evaluated is None:
        return
    for name in sorted(instance.keys() - evaluated):
        if value is False:
            explanation_of(validator).spend(1)
            yield wrong(messages.UNEVALUATED_PROPERTY, name)
        else:
            yield from below(validator, instance[name], value, name)


def unevaluated_items(validator: Any, value: Any, instance: Any, schema: Any) -> Errors:
    if type(instance) is not list:
        return
    around = {keyword: each for keyword, each in schema.items() if keyword != "unevaluatedItems"}
    evaluated = _evaluated(validator, instance, schema, around, _own_items)
    if evaluated is None:
        return
    for index, item in enumerate(instance):
        if index in evaluated:
            continue
        if value is False:
            explanation_of(validator).spend(1)
            yield wrong(messages.UNEVALUATED_ITEM, index)
        else:
            yield from below(validator, item, value, index)


def _evaluated(
    validator: Any, instance: Any, schema: Schema, visible: Any, own: Own
) -> set[Place] | None:
    """What *schema* and the subschemas in place evaluate; None for everything.

    *visible* is *schema* with the keywords that count.
    """
    if not isinstance(visible, dict):
        return set()
    explanation_of(validator).spend(1)
    found = own(validator, instance, visible)
    if found is None:
        return None
    for inner, subschema in _in_place(validator, instance, schema, visible):
        more = _evaluated(inner, instance, subschema, subschema, own)
        if more is None:
            return None
        found |= more
    return found


def _own_properties(validator: Any, instance: Any, schema: dict[str, Any]) -> set[Place] | None:
    if "additionalProperties" in schema or "unevaluatedProperties" in schema:
        return None
    explanation = explanation_of(validator)
    return {
        name
        for name in instance
        if name in schema.get("properties", {})
        or any(
            explanation.matches(pattern, name, schema)
            for pattern in schema.get("patternProperties", {})
        )
    }


def _own_items(validator: Any, instance: Any, schema: dict[str, Any]) -> set[Place] | None:
    items = schema.get("items")
    if "unevaluatedItems" in schema or ("items" in schema and not isinstance(items, list)):
        return None
    if isinstance(items, list) and "additionalItems" in schema:
        return None
    prefix = items if isinstance(items, list) else ()
    if "prefixItems" in validator.VALIDATORS:  # 2019-09 does not know it
        prefix = schema.get("prefixItems", ())
    found: set[Place] = set(range(len(prefix)))
    if "contains" in schema:
        found.update(
            index
            for index, item in enumerate(instance)
            if is_valid(validator, item, schema["contains"])
        )
    return found


def _in_place(
    validator: Any, instance: Any, schema: Schema, visible: dict[str, Any]
) -> Iterator[tuple[Any, Schema]]:
    """The subschemas that look at *instance* too, each with its validator."""
    yield from _referenced(validator, schema, visible)
    for subschema in visible.get("allOf", ()):
        yield validator, subschema
    for keyword in ("anyOf", "oneOf"):
        branches = visible.get(keyword, ())
        valid = [each for each in branches if is_valid(validator, instance, each)]
        for subschema in valid or branches:
            yield validator, subschema
    if "if" in visible:
        if is_valid(validator, instance, visible["if"]):
            yield validator, visible["if"]
            yield validator, visible.get("then", True)
        else:
            yield validator, visible.get("else", True)
    for name, subschema in visible.get("dependentSchemas", {}).items():
        if type(instance) is dict and name in instance:
            yield validator, subschema


def _referenced(
    validator: Any, schema: Schema, visible: dict[str, Any]
) -> Iterator[tuple[Any, Schema]]:
    survey = explanation_of(validator).facts.survey
    if not survey.is_dynamic:
        if "$ref" in visible:
            yield validator, survey.targets.get(id(schema), True)
        return
    for keyword in ("$ref", "$dynamicRef", "$recursiveRef"):
        if keyword in visible:
            yield from _dynamic(validator, keyword, visible[keyword])


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
