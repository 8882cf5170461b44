"""What was wrong with one value and what a good one looks like, for every keyword."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from toolschema._calls.feedback.example import FORMATS
from toolschema._calls.feedback.path import Route
from toolschema._calls.feedback.received import MISSING, is_json_of, is_number, noun, value_at
from toolschema._calls.feedback.summary import TYPES, either, is_text, listed, quoted, shape
from toolschema._json.near import near
from toolschema._json.numbers import number
from toolschema._json.pointer import Token
from toolschema._json.printable import one_line
from toolschema._validation.messages import NOT_ALLOWED_VALUE, PROPERTY_NAME, with_article
from toolschema.errors import Issue

_MOST_CHOICES = 6
_BOUNDS = {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"}
_KINDS: dict[str, Any] = {"object": dict, "array": list}
_TYPE_OF = {str: "string", bool: "boolean", int: "integer", float: "number"}
_TEXTS = {
    "empty": "no JSON was sent; send an object, {} where there is nothing to say",
    "truncated": "the JSON ends too early; send the complete object again",
    "trailing data": "something follows the JSON; send one object and nothing else",
    "code fence": "send the object alone, without code fences",
    "byte order mark": "send the object without a byte order mark",
    "NaN or Infinity": "NaN and Infinity are no JSON; send a number, or leave the property out",
    "number out of range": "a number is too large; send one that a double can hold",
    "control character": "write line breaks and tabs inside strings as \\n and \\t",
    "bad escape": 'after a backslash only " \\ / b f n r t or u and four hex digits can follow',
    "invalid UTF-8": "send UTF-8 text",
    "not JSON": "use double quotes; no comments, expressions, trailing commas or words around it",
}


class Case(NamedTuple):
    """One issue, with all that may be said of it."""

    issue: Issue
    route: Route
    arguments: Any
    """What was sent, or `MISSING`."""

    @property
    def value(self) -> Any:
        return value_at(self.arguments, self.issue.tokens)


def advice(case: Case) -> str:
    """The sentence for one issue, without its location; one line."""
    if case.issue.message.startswith(PROPERTY_NAME):
        asked = case.issue.message.removeprefix(PROPERTY_NAME)
        return one_line(f"is no name that is accepted here: it {asked}")
    sentence = _SENTENCES.get(case.issue.keyword, _as_it_is)
    return one_line(sentence(case))


def _as_it_is(case: Case) -> str:
    return case.issue.message


def _type(case: Case) -> str:
    asked = case.issue.params.get("type")
    types = [asked] if isinstance(asked, str) else list(asked or ())
    if not types:
        return _as_it_is(case)
    sentence = f"must be {either(TYPES.get(each, each) for each in types)}"
    return _with_what_came(case, sentence, types)


def _with_what_came(case: Case, sentence: str, types: Sequence[str]) -> str:
    got = noun(case.value)
    hint = _hint(case, types)
    return sentence + (f", got {got}" if got else "") + (f"; {hint}" if hint else "")


def _hint(case: Case, types: Sequence[str]) -> str | None:
    value = case.value
    if value is None and _may_be_left_out(case):
        return "leave it out where there is no value"
    if type(value) is str:
        is_whole = "number" not in types
        if {"integer", "number"} & set(types) and is_number(value, is_whole=is_whole):
            return "send the number without quotes"
        if "boolean" in types and value.lower() in ("true", "false"):
            return "send it without quotes, in small letters"
        for name in ("object", "array"):
            if name in types and is_json_of(value, _KINDS[name]):
                return f"send the {name} itself, not text of it"
    is_container = type(value) is dict or type(value) is list
    if "array" in types and value is not MISSING and not is_container:
        return "send an array even for one value"
    if type(value) is list and "array" not in types and len(value) == 1:
        return "send the value itself, not an array"
    if "string" in types and (type(value) is int or type(value) is float):
        return "send it as a string, in quotes"
    if "integer" in types and type(value) is float:
        return "send a whole number"
    return None


def _may_be_left_out(case: Case) -> bool:
    owner = case.route.owner()
    if owner is None:
        return False
    name, given = case.issue.tokens[-1], value_at(case.arguments, case.issue.tokens[:-1])
    return not any(_may_ask_for(schema, name, given) for schema in owner.beside(with_branches=True))


def _may_ask_for(schema: dict[str, Any], name: Token, given: Any) -> bool:
    """Whether an object may need the property, for all that is seen at a glance."""
    asked = [schema.get("required", ())]
    for keyword in ("dependentRequired", "dependencies"):
        asked += [each for each in schema.get(keyword, {}).values() if isinstance(each, list)]
    least = schema.get("minProperties", 0)
    return any(name in each for each in asked) or len(given) <= least


def _required(case: Case) -> str:
    name = case.issue.params.get("property")
    asked = shape(case.route.declared(str(name)))
    sentence = f"is missing; it must be {asked}" if asked else "is missing"
    return f"{sentence}; it was sent one level too deep" if _is_below(case, name) else sentence


def _is_below(case: Case, name: Any) -> bool:
    """Whether an object beside has a property of this name that is not its own."""
    owner = value_at(case.arguments, case.issue.tokens[:-1])
    if type(owner) is not dict:
        return False
    return any(
        type(each) is dict
        and name in each
        and not any(name in schema.get("properties", {}) for schema in case.route.declared(key))
        for key, each in owner.items()
    )


def _dependent(case: Case) -> str:
    params = case.issue.params
    asked = shape(case.route.declared(str(params.get("property"))))
    return f"is missing: it must be there when {quoted(params.get('present'))} is" + (
        f"; it must be {asked}" if asked else ""
    )


def _additional(case: Case) -> str:
    # What a branch declares is evaluated, but no other schema's property.
    with_branches = case.issue.keyword == "unevaluatedProperties"
    names, required = accepted_names(case.route, with_branches=with_branches)
    patterns = _accepted_patterns(case.route, with_branches=with_branches)
    if not names:
        accepted = f"accepted are {patterns}" if patterns else "leave it out"
        return f"is not accepted; {accepted}"
    given = value_at(case.arguments, case.issue.tokens[:-1])
    present = given if type(given) is dict else {}
    meant = near(str(case.issue.tokens[-1]), [each for each in names if each not in present])
    guess = f"; did you mean {quoted(meant)}?" if meant else ";"
    ordered = [*(each for each in names if each in required)]
    ordered += [each for each in names if each not in required]
    more = f", and {patterns}" if patterns else ""
    return f"is not accepted{guess} accepted names: {listed(ordered)}{more}"


def _accepted_patterns(route: Route, *, with_branches: bool) -> str:
    found = [
        pattern
        for schema in route.beside(with_branches=with_branches)
        for pattern in schema.get("patternProperties", {})
    ]
    return f"names that match {listed(found)}" if found else ""


def accepted_names(route: Route, *, with_branches: bool) -> tuple[list[str], set[str]]:
    """The property names that the value of an issue may have, and those it must."""
    names: dict[str, None] = {}
    required: set[str] = set()
    for schema in route.beside(with_branches=with_branches):
        if isinstance(schema.get("properties"), dict):
            declared = schema["properties"].items()
            names.update((each, None) for each, below in declared if below is not False)
        required.update(filter(is_text, schema.get("required", ())))
    return list(names), required


def _enum(case: Case) -> str:
    params = case.issue.params
    choices = [params["const"]] if "const" in params else params.get("enum")
    return _one_of(case, choices) if choices else _as_it_is(case)


def _one_of(case: Case, choices: Sequence[Any]) -> str:
    is_one = len(choices) == 1
    sentence = f"must be {'exactly' if is_one else 'one of'} {listed(choices)}"
    texts = [each for each in choices if isinstance(each, str)]
    meant = near(case.value, texts) if type(case.value) is str else None
    if meant is not None:
        return f"{sentence}; did you mean {quoted(meant)}?"
    if case.value is MISSING or noun(case.value) in map(noun, choices):
        return sentence
    types = {_TYPE_OF[type(each)] for each in choices if type(each) in _TYPE_OF}
    return _with_what_came(case, sentence, sorted(types))


def _range(case: Case) -> str:
    holder = case.route.holder
    if not _is_its_own(case):
        return _as_it_is(case)
    low = _bound(holder, "minimum", "at least", "exclusiveMinimum", "more than")
    high = _bound(holder, "maximum", "at most", "exclusiveMaximum", "less than")
    if {"minimum", "maximum"} == holder.keys() & _BOUNDS:
        return f"must be between {number(holder['minimum'])} and {number(holder['maximum'])}"
    return f"must be {' and '.join(filter(None, (low, high)))}"


def _is_its_own(case: Case) -> bool:
    """Whether the way has led to the schema that holds the keyword."""
    keyword = case.issue.keyword
    asked = case.issue.params.get(keyword)
    return asked is not None and case.route.holder.get(keyword) == asked


def _bound(holder: dict[str, Any], with_: str, said: str, without: str, strictly: str) -> str:
    bounds = [f"{said} {number(holder[with_])}"] if with_ in holder else []
    bounds += [f"{strictly} {number(holder[without])}"] if without in holder else []
    return " and ".join(bounds)


def _counted(noun_: str, plural: str, least: str, most: str) -> Callable[[Case], str]:
    def say(case: Case) -> str:
        holder = case.route.holder
        low, high = holder.get(least), holder.get(most)
        if not _is_its_own(case):
            return _as_it_is(case)
        if not low:
            return f"must have at most {number(high)} {noun_ if high == 1 else plural}"
        if high is None:
            return f"must have at least {number(low)} {noun_ if low == 1 else plural}"
        if low == high:
            return f"must have exactly {number(low)} {noun_ if low == 1 else plural}"
        return f"must have {number(low)} to {number(high)} {plural}"

    return say


def _multiple(case: Case) -> str:
    asked = case.issue.params.get("multipleOf")
    return f"must be a multiple of {number(asked)}" if asked is not None else _as_it_is(case)


def _format(case: Case) -> str:
    name = str(case.issue.params.get("format"))
    return f"must be {with_article(name)}" + (
        f" such as {quoted(FORMATS[name])}" if name in FORMATS else ""
    )


def _contains(case: Case) -> str:
    holder = case.route.holder
    # The keyword's own value is a schema, which the way leads into.
    is_inside = case.route.steps[-1].hop == ("contains",)
    item = holder if is_inside else holder.get("contains")
    asked = shape(case.route.reached(item)) if isinstance(item, dict) else None
    return f"{case.issue.message}: {asked}" if asked else case.issue.message


def _union(case: Case) -> str:
    branches = case.route.holder.get(case.issue.keyword)
    params = case.issue.params
    if "type" in params:
        return _type(case)
    if not isinstance(branches, list):
        return _as_it_is(case)
    ways = [case.route.reached(each) for each in branches if isinstance(each, dict)]
    if "allowedValues" in params:
        return _one_of(case, params["allowedValues"])
    if "property" in params:
        tags = [tag for schemas in ways for tag in _tags(schemas, params["property"])]
        return f"is missing; it must be one of {listed(tags)}" if tags else "is missing"
    values = [value for schemas in ways for schema in schemas for value in _values(schema)]
    if case.issue.message == NOT_ALLOWED_VALUE and values:
        return _one_of(case, values)
    told = list(dict.fromkeys(filter(None, map(shape, ways))))
    if case.issue.keyword == "oneOf" and len(told) > 1:
        return f"must be exactly one of: {_choice_of(told)}"
    return f"must be {_choice_of(told)}" if told else _as_it_is(case)


def _choice_of(told: Sequence[str]) -> str:
    shown = list(told[:_MOST_CHOICES])
    more = len(told) - len(shown)
    return "; or ".join(shown) + (f"; or {more} more" if more else "")


def _values(schema: dict[str, Any]) -> list[Any]:
    return [schema["const"]] if "const" in schema else list(schema.get("enum", ()))


def _tags(schemas: Sequence[dict[str, Any]], name: str) -> list[Any]:
    below = [schema.get("properties", {}).get(name) for schema in schemas]
    return [value for each in below if isinstance(each, dict) for value in _values(each)]


def _json(case: Case) -> str:
    _, _, rest = case.issue.message.partition(" (")
    kind, _, place = rest.rstrip(")").partition(" at ")
    said = _TEXTS.get(kind)
    return f"{said} (at {place})" if said else case.issue.message


def _duplicate(case: Case) -> str:
    return f"{case.issue.message.replace('arguments ', '', 1)}; send each name once"


def _object(case: Case) -> str:
    got = noun(case.arguments) if case.arguments is not MISSING else None
    sentence = "the arguments must be one JSON object" + (f", got {got}" if got else "")
    if type(case.arguments) is str and is_json_of(case.arguments, dict):
        return f"{sentence}; send the object itself, not text of it"
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
    "minimum": _range,
    "maximum": _range,
    "exclusiveMinimum": _range,
    "exclusiveMaximum": _range,
    "multipleOf": _multiple,
    "minLength": _counted("character", "characters", "minLength", "maxLength"),
    "maxLength": _counted("character", "characters", "minLength", "maxLength"),
    "minItems": _counted("item", "items", "minItems", "maxItems"),
    "maxItems": _counted("item", "items", "minItems", "maxItems"),
    "minProperties": _counted("property", "properties", "minProperties", "maxProperties"),
    "maxProperties": _counted("property", "properties", "minProperties", "maxProperties"),
    "format": _format,
    "uniqueItems": lambda case: "must not have the same item twice",
    "contains": _contains,
    "minContains": _contains,
    "maxContains": _contains,
    "not": lambda case: "must not be what it is; send something else",
    "anyOf": _union,
    "oneOf": _union,
    "@json": _json,
    "@duplicate": _duplicate,
    "@object": _object,
    "@disagreement": lambda case: "the arguments do not satisfy the schema of the tool",
}
