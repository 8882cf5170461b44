"""Which branch of a union was meant, and what is wrong with the instance there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from toolschema._validation import messages
from toolschema._validation.explain.context import (
    Errors,
    Explanation,
    SpentError,
    below,
    explanation_of,
    is_valid,
    wrong,
)
from toolschema._validation.explain.stock import ValidationError

Branches = list[tuple[int, Any]]
"""Subschemas with their index in the union."""


def any_of(validator: Any, subschemas: list[Any], instance: Any, schema: Any) -> Errors:
    if not any(is_valid(validator, instance, subschema) for subschema in subschemas):
        yield from _explained(validator, subschemas, instance, "anyOf")


def one_of(validator: Any, subschemas: list[Any], instance: Any, schema: Any) -> Errors:
    matching = sum(is_valid(validator, instance, subschema) for subschema in subschemas)
    if matching > 1:
        yield wrong(messages.sentence("oneOf", subschemas))
    elif not matching:
        yield from _explained(validator, subschemas, instance, "oneOf")


def _explained(validator: Any, subschemas: list[Any], instance: Any, keyword: str) -> Errors:
    explanation = explanation_of(validator)
    explanation.unions += 1
    try:
        errors = list(_errors(validator, list(enumerate(subschemas)), instance))
    except SpentError:
        # Deep inside a union, what was found so far means little; the outermost
        # union still has its own sentence.
        if explanation.unions > 1:
            raise
        errors = []
    finally:
        explanation.unions -= 1
    yield from errors or [wrong(messages.sentence(keyword, subschemas))]


def _errors(validator: Any, branches: Branches, instance: Any) -> Errors:
    """The errors of the branch that was meant; none where no branch clearly was."""
    explanation = explanation_of(validator)
    explanation.spend(len(branches))
    if all(_is_value(_resolved(explanation, subschema)) for _, subschema in branches):
        yield wrong(messages.NOT_ALLOWED_VALUE)
        return
    fitting = [branch for branch in branches if _fits(explanation, branch[1], instance)]
    if not fitting:
        declared = [_resolved(explanation, subschema)["type"] for _, subschema in branches]
        names = list(dict.fromkeys(name for types in declared for name in _listed(types)))
        types = names[0] if len(names) == 1 else names
        yield wrong(messages.sentence("type", types), type=types)
        return
    if type(instance) is dict:
        tag = _Tag.of(explanation, fitting, instance)
        if tag is not None and tag.error is not None:
            yield tag.error
            return
        if tag is not None:
            fitting = tag.matching
    if len(fitting) != 1 and not explanation.is_counting:
        fitting = _closest(validator, fitting, instance)
    if len(fitting) == 1:
        index, subschema = fitting[0]
        yield from below(validator, instance, subschema, schema_path=index)


def _closest(validator: Any, branches: Branches, instance: Any) -> Branches:
    """The branch with at most half as many errors as any other, if there is one."""
    explanation = explanation_of(validator)
    explanation.is_counting = True
    try:
        counted = sorted(
            (sum(1 for _ in below(validator, instance, subschema)), index)
            for index, subschema in branches
        )
    finally:
        explanation.is_counting = False
    if len(counted) > 1 and 2 * counted[0][0] <= counted[1][0]:
        return [branch for branch in branches if branch[0] == counted[0][1]]
    return []


class _Tag:
    """A property that every branch fixes, and that tells them apart."""

    def __init__(self, matching: Branches, error: ValidationError | None = None) -> None:
        self.matching = matching
        self.error = error

    @classmethod
    def of(cls, explanation: Explanation, branches: Branches, instance: Any) -> _Tag | None:
        if len(branches) < 2:
            return None
        fixed = [_fixed(explanation, subschema) for _, subschema in branches]
        tags = sorted(set.intersection(*map(set, fixed)))
        missing: _Tag | None = None
        for name in tags:
            if name not in instance:
                missing = missing or cls._missing(explanation, name, branches, fixed)
                continue
            matching = [
                branch
                for branch, values in zip(branches, fixed, strict=True)
                if _is_one_of(explanation, values[name], instance[name])
            ]
            if not matching:
                allowed = [value for values in fixed for value in _values(values[name])]
                error = wrong(messages.NOT_ALLOWED_VALUE, name, allowedValues=allowed)
                return cls([], error)
            if len(matching) < len(branches):
                return cls(matching)
        return missing

    @classmethod
    def _missing(
        cls, explanation: Explanation, name: str, branches: Branches, fixed: list[dict[str, Any]]
    ) -> _Tag | None:
        """A tag that is missing, where every branch requires it."""
        is_required = all(
            name in _resolved(explanation, subschema).get("required", ())
            for _, subschema in branches
        )
        if not is_required or all(values[name] == fixed[0][name] for values in fixed):
            return None
        return cls([], wrong(messages.missing_property(name), name, property=name))


def _fixed(explanation: Explanation, subschema: Any) -> dict[str, Any]:
    """The properties for which a branch allows only values that it lists."""
    properties = _resolved(explanation, subschema).get("properties", {})
    resolved = {name: _resolved(explanation, value) for name, value in properties.items()}
    return {name: schema for name, schema in resolved.items() if _is_value(schema)}


def _is_one_of(explanation: Explanation, listed: dict[str, Any], value: Any) -> bool:
    return all(
        explanation.facts.leaf(keyword, listed[keyword], listed)(value)
        for keyword in ("const", "enum")
        if keyword in listed
    )


def _values(listed: dict[str, Any]) -> Iterator[Any]:
    if "const" in listed:
        yield listed["const"]
    else:
        yield from listed["enum"]


def _is_value(subschema: dict[str, Any]) -> bool:
    return "const" in subschema or "enum" in subschema


def _listed(types: Any) -> list[str]:
    return types if isinstance(types, list) else [types]


def _fits(explanation: Explanation, subschema: Any, instance: Any) -> bool:
    """Whether the type that a branch declares, if any, is that of *instance*."""
    schema = _resolved(explanation, subschema)
    return "type" not in schema or explanation.facts.leaf("type", schema["type"], schema)(instance)


def _resolved(explanation: Explanation, subschema: Any) -> dict[str, Any]:
    """What a branch refers to: often it is only a reference."""
    targets = explanation.facts.survey.targets
    while isinstance(subschema, dict) and set(subschema) <= {"$ref", "description", "title"}:
        if id(subschema) not in targets:
            break
        subschema = targets[id(subschema)]
    return subschema if isinstance(subschema, dict) else {}
