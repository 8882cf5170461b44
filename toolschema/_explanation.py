"""One invalid call being explained: what it may ask, and how far it may go."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from jsonschema import FormatChecker
from jsonschema.exceptions import ValidationError

from toolschema import _messages
from toolschema._dialect import Schema
from toolschema._pattern import translate
from toolschema._survey import Survey
from toolschema._verdict import Verdict, compile_verdict, exceeds_backtracking

Errors = Iterator[ValidationError]


class Spent(Exception):
    """The steps of an explanation are used up."""


@dataclass(slots=True)
class Facts:
    """What explaining with one schema may ask; shared by all calls."""

    survey: Survey
    subschema: Callable[[Schema], Verdict]
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


class Explanation(FormatChecker):
    """One call being explained.

    It travels in the validators' place for a format checker, the only thing of
    ours that they hand on to every subschema.
    """

    def __init__(self, facts: Facts, steps: int) -> None:
        self.facts = facts
        self.steps = steps
        self.unions = 0
        """How many unions are being looked into, one inside the other."""
        self.is_counting = False
        """Whether branches are only compared: unions inside them stay closed."""
        self.is_cut = False
        """Whether something was left out because the steps were used up."""
        self.exceeded = False
        """Whether a search was given up, so that its answer means nothing."""

    def spend(self, steps: int) -> None:
        self.steps -= steps
        if self.steps < 0:
            self.is_cut = True
            raise Spent

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
    return explanation.facts.subschema(schema)(instance)


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
        yield ValidationError(
            _messages.FALSE,
            validator=None,  # type: ignore[arg-type]
            validator_value=False,
            path=() if path is None else (path,),
            schema_path=() if schema_path is None else (schema_path,),
        )
        return
    if not explanation.facts.survey.is_dynamic and is_valid(validator, instance, schema):
        return
    explanation.spend(len(schema))
    yield from validator.descend(instance, schema, path=path, schema_path=schema_path)
