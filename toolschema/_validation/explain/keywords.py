"""What each keyword finds wrong with an instance.

The functions have the form that `jsonschema.validators.extend` asks for:
validator, the keyword's value, the instance, and the schema around it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from toolschema._json.equality import has_duplicates
from toolschema._schema.patterns.pattern import translate
from toolschema._validation import messages
from toolschema._validation.explain.context import (
    Errors,
    below,
    explanation_of,
    facts_of,
    is_valid,
    wrong,
)
from toolschema._validation.explain.stock import Draft202012Validator
from toolschema._validation.explain.unevaluated import unevaluated_items, unevaluated_properties
from toolschema._validation.explain.unions import any_of, one_of

_FEW = 64
"""Up to this many items, comparing them pairwise is cheap."""

Keyword = Callable[[Any, Any, Any, Any], Errors]


def _leaf(keyword: str) -> Keyword:
    def check(validator: Any, value: Any, instance: Any, schema: Any) -> Errors:
        if not facts_of(validator).leaf(keyword, value, schema)(instance):
            yield wrong(messages.sentence(keyword, value), **{keyword: value})

    return check


def _unique_items(validator: Any, value: Any, instance: Any, schema: Any) -> Errors:
    if type(instance) is list and len(instance) > _FEW:
        keys = explanation_of(validator).keys
        is_unique = not (value is True and has_duplicates(instance, {} if keys is None else keys))
    else:
        is_unique = facts_of(validator).leaf("uniqueItems", value, schema)(instance)
    if not is_unique:
        yield wrong(messages.sentence("uniqueItems", value), uniqueItems=value)


def _content_encoding(validator: Any, value: Any, instance: Any, schema: Any) -> Errors:
    # Beside a media type the two are one question, which is asked there.
    if "contentMediaType" not in schema:
        yield from _leaf("contentEncoding")(validator, value, instance, schema)


def _pattern(validator: Any, pattern: str, instance: Any, schema: Any) -> Errors:
    if type(instance) is not str:
        return
    explanation = explanation_of(validator)
    if not explanation.matches(pattern, instance, schema):
        most = explanation.facts.most_text
        if len(instance) > most and not translate(pattern).is_bounded:
            error = wrong(messages.text_limit(most))
            error.validator = "@limit"
            yield error
        else:
            yield wrong(messages.sentence("pattern", pattern), pattern=pattern)


def _ref(validator: Any, reference: str, instance: Any, schema: Any) -> Errors:
    survey = facts_of(validator).survey
    target = survey.targets.get(id(schema))
    if target is not None and (isinstance(target, bool) or not survey.is_dynamic):
        errors = below(validator, instance, target)
    else:
        explanation_of(validator).spend(1)
        errors = Draft202012Validator.VALIDATORS["$ref"](validator, reference, instance, schema)
    for error in errors:
        # The class leaves this hop out of the keyword location.
        error.schema_path.appendleft("$ref")
        yield error


def _required(validator: Any, required: Any, instance: Any, schema: Any) -> Errors:
    if type(instance) is dict:
        for name in required:
            if name not in instance:
                yield wrong(messages.missing_property(name), name, property=name)


def _dependent_required(validator: Any, dependencies: Any, instance: Any, schema: Any) -> Errors:
    if type(instance) is not dict:
        return
    for present, required in dependencies.items():
        if present in instance:
            yield from _missing_dependencies(present, required, instance)


def _missing_dependencies(present: str, required: Iterable[str], instance: Any) -> Errors:
    for name in required:
        if name not in instance:
            message = messages.missing_dependency(name, present)
            yield wrong(message, name, property=name, present=present)


def _dependencies(validator: Any, dependencies: Any, instance: Any, schema: Any) -> Errors:
    if type(instance) is not dict:
        return
    for present, dependency in dependencies.items():
        if present not in instance:
            continue
        if isinstance(dependency, list):
            for error in _missing_dependencies(present, dependency, instance):
                error.schema_path.appendleft(present)
                yield error
        else:
            yield from below(validator, instance, dependency, schema_path=present)


def _properties(validator: Any, properties: Any, instance: Any, schema: Any) -> Errors:
    if type(instance) is dict:
        for name, subschema in properties.items():
            if name in instance:
                yield from below(validator, instance[name], subschema, name, name)


def _pattern_properties(validator: Any, patterns: Any, instance: Any, schema: Any) -> Errors:
    if type(instance) is not dict:
        return
    explanation = explanation_of(validator)
    for pattern, subschema in patterns.items():
        for name in sorted(instance):
            if explanation.matches(pattern, name, schema):
                yield from below(validator, instance[name], subschema, name, pattern)


def additional_names(validator: Any, instance: dict[str, Any], schema: Any) -> list[str]:
    """The names that neither properties nor patternProperties know, in order."""
    explanation = explanation_of(validator)
    declared = schema.get("properties", {})
    patterns = schema.get("patternProperties", {})
    return sorted(
        name
        for name in instance
        if name not in declared
        and not any(explanation.matches(pattern, name, schema) for pattern in patterns)
    )


def _additional_properties(validator: Any, additional: Any, instance: Any, schema: Any) -> Errors:
    if type(instance) is not dict:
        return
    for name in additional_names(validator, instance, schema):
        if additional is False:
            explanation_of(validator).spend(1)
            yield wrong(messages.ADDITIONAL_PROPERTY, name)
        else:
            yield from below(validator, instance[name], additional, name)


def _property_names(validator: Any, names: Any, instance: Any, schema: Any) -> Errors:
    if type(instance) is dict:
        for name in sorted(instance):
            for error in below(validator, name, names, name):
                error.message = messages.PROPERTY_NAME + error.message
                yield error


def _prefix_items(validator: Any, prefix: Any, instance: Any, schema: Any) -> Errors:
    if type(instance) is list:
        for index, (item, subschema) in enumerate(zip(instance, prefix, strict=False)):
            yield from below(validator, item, subschema, index, index)


def _rest(validator: Any, subschema: Any, instance: Any, start: int) -> Errors:
    verdict = explanation_of(validator).verdict_on(subschema)
    for index in range(start, len(instance)):
        if verdict is None or not verdict(instance[index]):
            yield from below(validator, instance[index], subschema, index)


def _items(validator: Any, items: Any, instance: Any, schema: Any) -> Errors:
    if type(instance) is list:
        yield from _rest(validator, items, instance, len(schema.get("prefixItems", ())))


def _old_items(validator: Any, items: Any, instance: Any, schema: Any) -> Errors:
    if isinstance(items, list):
        yield from _prefix_items(validator, items, instance, schema)
    elif type(instance) is list:
        yield from _rest(validator, items, instance, 0)


def _additional_items(validator: Any, additional: Any, instance: Any, schema: Any) -> Errors:
    items = schema.get("items")
    if type(instance) is list and isinstance(items, list):
        yield from _rest(validator, additional, instance, len(items))


def _count(validator: Any, instance: Any, schema: Any) -> int:
    return sum(is_valid(validator, item, schema["contains"]) for item in instance)


def _contains(validator: Any, contains: Any, instance: Any, schema: Any) -> Errors:
    if "minContains" not in schema:
        yield from _old_contains(validator, contains, instance, schema)


def _old_contains(validator: Any, contains: Any, instance: Any, schema: Any) -> Errors:
    yield from _min_contains(validator, 1, instance, {"contains": contains})


def _min_contains(validator: Any, least: Any, instance: Any, schema: Any) -> Errors:
    is_bounded = type(instance) is list and "contains" in schema
    if is_bounded and _count(validator, instance, schema) < least:
        yield wrong(messages.contains("least", least), minContains=least)


def _max_contains(validator: Any, most: Any, instance: Any, schema: Any) -> Errors:
    is_bounded = type(instance) is list and "contains" in schema
    if is_bounded and _count(validator, instance, schema) > most:
        yield wrong(messages.contains("most", most), maxContains=most)


def _not(validator: Any, subschema: Any, instance: Any, schema: Any) -> Errors:
    if is_valid(validator, instance, subschema):
        yield wrong(messages.sentence("not", subschema))


def _if(validator: Any, condition: Any, instance: Any, schema: Any) -> Errors:
    # The class leaves "if" out of the keyword location, as it should be here:
    # what fails is the branch.
    branch = "then" if is_valid(validator, instance, condition) else "else"
    if branch in schema:
        yield from below(validator, instance, schema[branch], schema_path=branch)


def _all_of(validator: Any, subschemas: Any, instance: Any, schema: Any) -> Errors:
    for index, subschema in enumerate(subschemas):
        yield from below(validator, instance, subschema, schema_path=index)


LEAVES = frozenset(
    {
        "const", "contentEncoding", "contentMediaType", "enum", "exclusiveMaximum",
        "exclusiveMinimum", "format", "maxItems", "maxLength", "maxProperties", "maximum",
        "minItems", "minLength", "minProperties", "minimum", "multipleOf", "pattern", "type",
        "uniqueItems",
    }
)  # fmt: skip
"""Keywords that apply to one value only, and whose own value says what must hold."""

_CONTENT = frozenset({"contentEncoding", "contentMediaType"})
_EVERYWHERE: dict[str, Keyword] = {
    **{keyword: _leaf(keyword) for keyword in LEAVES - _CONTENT},
    "$ref": _ref,
    "additionalProperties": _additional_properties,
    "allOf": _all_of,
    "anyOf": any_of,
    "contains": _contains,
    "dependencies": _dependencies,
    "if": _if,
    "not": _not,
    "oneOf": one_of,
    "pattern": _pattern,
    "patternProperties": _pattern_properties,
    "properties": _properties,
    "propertyNames": _property_names,
    "required": _required,
    "uniqueItems": _unique_items,
}
_SINCE_2019_09: dict[str, Keyword] = {
    **_EVERYWHERE,
    "dependentRequired": _dependent_required,
    "dependentSchemas": _dependencies,
    "maxContains": _max_contains,
    "minContains": _min_contains,
    "unevaluatedItems": unevaluated_items,
    "unevaluatedProperties": unevaluated_properties,
}

KEYWORDS: dict[str, dict[str, Keyword]] = {
    "2020-12": {**_SINCE_2019_09, "items": _items, "prefixItems": _prefix_items},
    "2019-09": {**_SINCE_2019_09, "additionalItems": _additional_items, "items": _old_items},
    "draft-07": {
        **_EVERYWHERE,
        "contentEncoding": _content_encoding,
        "contentMediaType": _leaf("contentMediaType"),
        "additionalItems": _additional_items,
        "contains": _old_contains,
        "items": _old_items,
    },
}
"""By the name of the dialect. Draft-07 asserts what is in a text (draft-07
validation §8); later dialects only say it."""
