"""One invalid call being explained: what it may ask, and how far it may go."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

from jsonschema import FormatChecker
from jsonschema.exceptions import ValidationError

from toolschema import _messages
from toolschema._dialect import Schema
from toolschema._pattern import translate
from toolschema._survey import Survey
from toolschema._verdict import Verdict, compile_verdict, exceeds_backtracking

Errors = Iterator[ValidationError]


_DEEPEST = 16
"""Subschemas walked one inside the other: a stack of 128 KiB has room for four
times as many."""


class SubschemaVerdicts(Protocol):
    def __call__(self, schema: Schema, *, is_large: bool) -> Verdict | None:
        """None where the engine cannot look at this subschema alone."""


class SpentError(Exception):
    """The steps of an explanation are used up."""


@dataclass(slots=True)
class Facts:
    """What explaining with one schema may ask; shared by all calls."""

    survey: Survey
    subschema: SubschemaVerdicts
    """The verdict of one subschema, compiled when first asked for."""
    most_text: int
    leaves: dict[tuple[str, int], Verdict] = field(default_factory=dict)

    def leaf(self, keyword: str, value: Any, schema: Any) -> Verdict:
        """The verdict of one keyword alone."""
        # The values are nodes of the private copies, which live as long as
        # this cache does; so their ids name them.
        key = keyword, id(value)
        verdict = self.leaves.get(key)
        if verdict is None:
            alone = {keyword: value}
            if keyword == "pattern":
                alone = {keyword: translate(value).engine}
            elif keyword == "contentMediaType" and "contentEncoding" in schema:
                alone["contentEncoding"] = schema["contentEncoding"]
            node = self.survey.nodes.get(id(schema))
            dialect = node.dialect if node else self.survey.dialect
            verdict = self.leaves[key] = compile_verdict(dialect, alone)
        return verdict


class Explanation(FormatChecker):  # type: ignore[misc]
    """One call being explained.

    It travels in the validators' place for a format checker, the only thing of
    ours that they hand on to every subschema.
    """

    def __init__(self, facts: Facts, steps: int, *, is_large: bool = False) -> None:
        self.facts = facts
        self.steps = steps
        self.is_large = is_large
        """Whether the engine's own ways may cost too much for this instance."""
        self.unions = 0
        """How many unions are being looked into, one inside the other."""
        self.is_counting = False
        """Whether branches are only compared: unions inside them stay closed."""
        self.nesting = 0
        """How many subschemas are being walked, one inside the other."""
        self.is_cut = False
        """Whether something was left out because the steps were used up."""
        self.exceeded = False
        """Whether a search was given up, so that its answer means nothing."""

    def spend(self, steps: int) -> None:
        self.steps -= steps
        if self.steps < 0:
            self.is_cut = True
            raise SpentError

    def matches(self, pattern: str, text: str, schema: Any) -> bool:
        """Whether *text* has a match; False, and noted, where none was looked for."""
        is_bounded = translate(pattern).is_bounded
        if not is_bounded and len(text) > self.facts.most_text:
            self.exceeded = True
            return False
        if self.facts.leaf("pattern", pattern, schema)(text):
            return True
        if not is_bounded and not self.exceeded:
            dialect = self.facts.survey.dialect
            self.exceeded = exceeds_backtracking(dialect, translate(pattern).engine, text)
        return False


@dataclass(frozen=True, slots=True)
class Deferred:
    """Stands for the errors of a subschema that is to be walked later.

    It rises through the validators in the place of an error's value, and like
    an error it gathers its two locations on the way.
    """

    validator: Any
    instance: Any

    def errors(self) -> Errors:
        return iter(self.validator.iter_errors(self.instance))


@dataclass(frozen=True, slots=True)
class Told:
    """Stands for a keyword's value where an issue is to tell less or more."""

    params: dict[str, Any]


def wrong(message: str, *path: str | int, **params: Any) -> ValidationError:
    """An error at *path* below the instance, for the keyword that yields it."""
    return ValidationError(message, path=path, validator_value=Told(params))


def is_valid(validator: Any, instance: Any, schema: Schema) -> bool:
    """Whether *instance* satisfies a subschema."""
    if isinstance(schema, bool):
        return schema
    explanation: Explanation = validator.format_checker
    if explanation.facts.survey.is_dynamic:
        explanation.spend(len(schema))
        return next(validator.descend(instance, schema), None) is None
    explanation.spend(1)
    verdict = explanation.facts.subschema(schema, is_large=explanation.is_large)
    if verdict is None:
        return next(validator.evolve(schema=schema).iter_errors(instance), None) is None
    return verdict(instance)


def below(
    validator: Any,
    instance: Any,
    schema: Schema,
    path: str | int | None = None,
    schema_path: str | int | None = None,
) -> Errors:
    """The errors of a subschema, entered only where there are some."""
    explanation: Explanation = validator.format_checker
    if schema is True:
        return
    if schema is False:
        explanation.spend(1)
        error: Any = ValidationError(
            _messages.FALSE,
            validator_value=False,
            path=() if path is None else (path,),
            schema_path=() if schema_path is None else (schema_path,),
        )
        # No keyword says it: otherwise the class would fill in the one around.
        error.validator = None
        yield error
        return
    if explanation.facts.survey.is_dynamic:
        explanation.spend(len(schema))
        yield from validator.descend(instance, schema, path=path, schema_path=schema_path)
    elif not is_valid(validator, instance, schema):
        explanation.spend(len(schema))
        for error in _walked(validator, instance, schema):
            if path is not None:
                error.path.appendleft(path)
            if schema_path is not None:
                error.schema_path.appendleft(schema_path)
            yield error


def _walked(validator: Any, instance: Any, schema: Schema) -> Errors:
    """The errors of a subschema that has some; deep down, one that stands for them.

    So the stack stays short, however deep an instance or a schema is.
    """
    explanation: Explanation = validator.format_checker
    # Not `descend`: it would keep to the keywords that count in the dialect
    # around, and no reference is left that needs its resolver.
    inner = validator.evolve(schema=schema)
    if explanation.nesting >= _DEEPEST:
        yield ValidationError("", validator_value=Deferred(inner, instance))
        return
    explanation.nesting += 1
    try:
        yield from inner.iter_errors(instance)
    finally:
        explanation.nesting -= 1
