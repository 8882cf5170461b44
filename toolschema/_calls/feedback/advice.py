"""What is wrong with one value and what a valid one looks like, for every keyword."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isfinite
from typing import Any, NamedTuple

from toolschema._calls.feedback.path import EvaluationPath
from toolschema._calls.feedback.summary import (
    allowed_values,
    any_of,
    format_summary,
    listed,
    quoted,
    summary,
    type_summary,
)
from toolschema._json.kinds import noun, type_of
from toolschema._json.numbers import number
from toolschema._json.pointer import Token, resolve
from toolschema._json.printable import one_line
from toolschema._json.spelling import meant
from toolschema._json.text import from_json
from toolschema._validation.messages import NOT_ALLOWED_VALUE, PROPERTY_NAME
from toolschema.errors import Issue

MISSING = object()
"""There is no such value, or it is not known."""

_MOST_CHOICES = 6
_LONGEST_NUMBER = 40
_BOUNDS = {
    "minimum": "at least",
    "exclusiveMinimum": "more than",
    "maximum": "at most",
    "exclusiveMaximum": "less than",
}
_COUNTED = {
    "Length": ("character", "characters"),
    "Items": ("item", "items"),
    "Properties": ("property", "properties"),
}
_JSON_ADVICE = {
    "empty": "no JSON was sent; send an object, or {} if there are no arguments",
    "truncated": "the JSON ends too early; send the complete object again",
    "trailing data": "there is text after the JSON; send one object and nothing else",
    "code fence": "send the object alone, without code fences",
    "byte order mark": "send the object without a byte order mark",
    "NaN or Infinity": "NaN and Infinity are not JSON; send a number, or leave the property out",
    "number out of range": "a number is too large; send one that a double can hold",
    "control character": "write line breaks and tabs inside strings as \\n and \\t",
    "bad escape": 'a backslash can only be followed by " \\ / b f n r t, or u and four hex digits',
    "invalid UTF-8": "send UTF-8 text",
    "not JSON": "use double quotes, and no comments, expressions, trailing commas or other text",
}


class Case(NamedTuple):
    """One issue, with what is known about it."""

    issue: Issue
    path: EvaluationPath
    arguments: Any
    """What was sent, or `MISSING`."""

    @property
    def value(self) -> Any:
        return resolve(self.arguments, self.issue.tokens, MISSING)

    @property
    def parent(self) -> Any:
        return resolve(self.arguments, self.issue.tokens[:-1], MISSING)


def advice(case: Case) -> str:
    """The sentence for one issue, without its location; one line."""
    if case.issue.message.startswith(PROPERTY_NAME):
        rule = case.issue.message.removeprefix(PROPERTY_NAME)
        return one_line(f"is not an accepted property name: it {rule}")
    sentence = _SENTENCES.get(case.issue.keyword, _as_is)
    return one_line(sentence(case))


def _as_is(case: Case) -> str:
    return case.issue.message


def _type(case: Case) -> str:
    declared = case.issue.params.get("type")
    types = [declared] if isinstance(declared, str) else list(declared or ())
    if not types:
        return _as_is(case)
    sentence = f"must be {any_of(type_summary(name, {}) for name in types)}"
    return _with_received(case, sentence, types)


def _with_received(case: Case, sentence: str, types: Sequence[str]) -> str:
    received, hint = noun(case.value), _hint(case, types)
    return sentence + (f", got {received}" if received else "") + (f"; {hint}" if hint else "")


def _hint(case: Case, types: Sequence[str]) -> str | None:
    value = case.value
    if value is None and _is_optional(case):
        return "leave it out if there is no value"
    if type(value) is str:
        is_whole = "number" not in types
        if {"integer", "number"} & set(types) and _is_number(value, is_whole=is_whole):
            return "send the number without quotes"
        if "boolean" in types and value.lower() in ("true", "false"):
            return "send it without quotes, in lower case"
        for name in ("object", "array"):
            if name in types and _is_json_of(value, name):
                return f"send the {name} itself, not a string containing it"
    is_container = type(value) is dict or type(value) is list
    if "array" in types and value is not MISSING and not is_container:
        return "send an array even for a single value"
    if type(value) is list and "array" not in types and len(value) == 1:
        return "send the value itself, not an array"
    if "string" in types and (type(value) is int or type(value) is float):
        return "send it as a string, in quotes"
    if "integer" in types and type(value) is float:
        return "send a whole number"
    return None


def _is_number(text: str, *, is_whole: bool) -> bool:
    """Whether a string is one JSON number; with *is_whole*, one without a fraction."""
    try:
        value = from_json(text.encode()) if 0 < len(text) <= _LONGEST_NUMBER else None
    except ValueError:
        return False
    if type(value) is float:
        return isfinite(value) and (value.is_integer() or not is_whole)
    return type(value) is int


def _is_json_of(text: str, name: str) -> bool:
    """Whether a string looks like a JSON object or array."""
    text = text.strip()
    return text[:1] + text[1:][-1:] == ("{}" if name == "object" else "[]")


def _is_optional(case: Case) -> bool:
    """Whether the value is a property that certainly no schema of its object requires."""
    object_path = case.path.parent()
    if object_path is None:
        return False
    name, count = case.issue.tokens[-1], len(case.parent)
    applied = object_path.applied(with_branches=True)
    return not any(_may_require(schema, name, count) for schema in applied)


def _may_require(schema: dict[str, Any], name: Token, count: int) -> bool:
    required = [schema.get("required", ())]
    for keyword in ("dependentRequired", "dependencies"):
        required += [names for names in schema.get(keyword, {}).values() if isinstance(names, list)]
    return any(name in names for names in required) or count <= schema.get("minProperties", 0)


def _required(case: Case) -> str:
    name = str(case.issue.params.get("property"))
    sentence = _missing("is missing", summary(case.path.declared(name)))
    return f"{sentence}; it was sent one level too deep" if _is_nested(case, name) else sentence


def _missing(sentence: str, rule: str | None) -> str:
    return f"{sentence}; it must be {rule}" if rule else sentence


def _is_nested(case: Case, name: str) -> bool:
    """Whether a sibling object has a property of this name that it does not declare."""
    siblings = case.parent if type(case.parent) is dict else {}
    return any(
        type(sibling) is dict
        and name in sibling
        and not any(name in schema.get("properties", {}) for schema in case.path.declared(key))
        for key, sibling in siblings.items()
    )


def _dependent(case: Case) -> str:
    params = case.issue.params
    sentence = f"is missing; it is required when {quoted(params.get('present'))} is present"
    return _missing(sentence, summary(case.path.declared(str(params.get("property")))))


def _additional(case: Case) -> str:
    # A branch's properties are evaluated too, but count only for unevaluatedProperties.
    with_branches = case.issue.keyword == "unevaluatedProperties"
    schemas = list(case.path.applied(with_branches=with_branches))
    patterns = listed(
        [pattern for schema in schemas for pattern in schema.get("patternProperties", {})]
    )
    names = _accepted_names(schemas)
    if not names:
        advice = f"only names that match {patterns} are accepted" if patterns else "leave it out"
        return f"is not accepted; {advice}"
    present = case.parent if type(case.parent) is dict else {}
    guess = meant(str(case.issue.tokens[-1]), [name for name in names if name not in present])
    question = f"; did you mean {quoted(guess)}?" if guess else ";"
    more = f", and any that match {patterns}" if patterns else ""
    return f"is not accepted{question} accepted names: {listed(names)}{more}"


def _accepted_names(schemas: Sequence[dict[str, Any]]) -> list[str]:
    """The property names that some of *schemas* declare, required ones first."""
    names = dict.fromkeys(
        name
        for schema in schemas
        for name, below in schema.get("properties", {}).items()
        if below is not False
    )
    required = {name for schema in schemas for name in schema.get("required", ())}
    return sorted(names, key=lambda name: name not in required)


def _enum(case: Case) -> str:
    choices = allowed_values(case.issue.params)
    return _one_of(case, choices) if choices else _as_is(case)


def _one_of(case: Case, choices: Sequence[Any]) -> str:
    sentence = f"must be {'exactly' if len(choices) == 1 else 'one of'} {listed(choices)}"
    strings = [choice for choice in choices if isinstance(choice, str)]
    guess = meant(case.value, strings) if type(case.value) is str else None
    if guess is not None:
        return f"{sentence}; did you mean {quoted(guess)}?"
    if case.value is MISSING or noun(case.value) in map(noun, choices):
        return sentence
    types = set(map(type_of, choices)) - {"null", "array", "object"}
    return _with_received(case, sentence, sorted(types))


def _is_of_holder(case: Case) -> bool:
    """Whether the path has reached the schema that holds the keyword."""
    keyword = case.issue.keyword
    required = case.issue.params.get(keyword)
    return required is not None and case.path.holder.get(keyword) == required


def _range(case: Case) -> str:
    if not _is_of_holder(case):
        return _as_is(case)
    bounds = {name: number(case.path.holder[name]) for name in _BOUNDS if name in case.path.holder}
    if bounds.keys() == {"minimum", "maximum"}:
        return f"must be between {bounds['minimum']} and {bounds['maximum']}"
    return f"must be {' and '.join(f'{_BOUNDS[name]} {bounds[name]}' for name in bounds)}"


def _count(case: Case) -> str:
    if not _is_of_holder(case):
        return _as_is(case)
    counted = case.issue.keyword[len("min") :]
    one, many = _COUNTED[counted]
    low, high = (case.path.holder.get(f"{bound}{counted}") for bound in ("min", "max"))
    if not low:
        return f"must have at most {number(high)} {one if high == 1 else many}"
    if high is None:
        return f"must have at least {number(low)} {one if low == 1 else many}"
    if low == high:
        return f"must have exactly {number(low)} {one if low == 1 else many}"
    return f"must have {number(low)} to {number(high)} {many}"


def _multiple(case: Case) -> str:
    divisor = case.issue.params.get("multipleOf")
    return f"must be a multiple of {number(divisor)}" if divisor is not None else _as_is(case)


def _format(case: Case) -> str:
    return f"must be {format_summary(str(case.issue.params.get('format')))}"


def _contains(case: Case) -> str:
    # Where the keyword itself failed, the path leads into its value, a schema.
    is_inside = case.path.steps[-1].hop == ("contains",)
    item = case.path.holder if is_inside else case.path.holder.get("contains")
    rule = summary(case.path.expanded(item)) if isinstance(item, dict) else None
    return f"{case.issue.message}: {rule}" if rule else case.issue.message


def _union(case: Case) -> str:
    params = case.issue.params
    if "type" in params:
        return _type(case)
    holder = case.path.holder.get(case.issue.keyword)
    if not isinstance(holder, list):
        return _as_is(case)
    branches = [case.path.expanded(branch) for branch in holder if isinstance(branch, dict)]
    if "allowedValues" in params:
        return _one_of(case, params["allowedValues"])
    if "property" in params:
        tags = [tag for branch in branches for tag in _tags(branch, params["property"])]
        return _missing("is missing", f"one of {listed(tags)}" if tags else None)
    values = [value for branch in branches for schema in branch for value in allowed_values(schema)]
    if case.issue.message == NOT_ALLOWED_VALUE and values:
        return _one_of(case, values)
    choices = list(dict.fromkeys(filter(None, map(summary, branches))))
    if not choices:
        return _as_is(case)
    exactly = "exactly one of: " if case.issue.keyword == "oneOf" and len(choices) > 1 else ""
    more = len(choices) - _MOST_CHOICES
    shown = [*choices[:_MOST_CHOICES], *([f"{more} more"] if more > 0 else [])]
    return f"must be {exactly}{'; or '.join(shown)}"


def _tags(branch: Sequence[dict[str, Any]], name: str) -> list[Any]:
    declared = [schema.get("properties", {}).get(name) for schema in branch]
    return [tag for below in declared if isinstance(below, dict) for tag in allowed_values(below)]


def _json(case: Case) -> str:
    _, _, kind_and_position = case.issue.message.partition(" (")
    kind, _, position = kind_and_position.rstrip(")").partition(" at ")
    return f"{_JSON_ADVICE[kind]} (at {position})" if kind in _JSON_ADVICE else _as_is(case)


def _duplicate(case: Case) -> str:
    return f"{case.issue.message.replace('arguments ', '', 1)}; send each name once"


def _object(case: Case) -> str:
    received = noun(case.arguments)
    sentence = "the arguments must be one JSON object" + (f", got {received}" if received else "")
    if type(case.arguments) is str and _is_json_of(case.arguments, "object"):
        return f"{sentence}; send the object itself, not a string containing it"
    return sentence


_SENTENCES: dict[str, Callable[[Case], str]] = {
    "type": _type,
    "required": _required,
    "dependentRequired": _dependent,
    "dependencies": _dependent,
    "additionalProperties": _additional,
    "unevaluatedProperties": _additional,
    "unevaluatedItems": lambda case: "is one item too many; leave it out",
    "false": lambda case: "is not accepted here; leave it out",
    "enum": _enum,
    "const": _enum,
    **dict.fromkeys(_BOUNDS, _range),
    **{f"{bound}{counted}": _count for counted in _COUNTED for bound in ("min", "max")},
    "multipleOf": _multiple,
    "format": _format,
    "uniqueItems": lambda case: "must not have the same item twice",
    "contains": _contains,
    "minContains": _contains,
    "maxContains": _contains,
    "not": lambda case: "matches a schema that is excluded here; send a different value",
    "anyOf": _union,
    "oneOf": _union,
    "@json": _json,
    "@duplicate": _duplicate,
    "@object": _object,
    "@disagreement": lambda case: "the arguments do not satisfy the schema of the tool",
}
