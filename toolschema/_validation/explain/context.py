"""One invalid call being explained: what it may ask, and how far it may go."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, NamedTuple, Protocol

from toolschema._json.unique import Keys
from toolschema._schema.dialect import Schema
from toolschema._schema.patterns.pattern import translate
from toolschema._schema.survey import Survey
from toolschema._validation import messages as _messages
from toolschema._validation.explain.stock import FormatChecker, ValidationError
from toolschema._validation.verdict import Verdict, compile_verdict

Errors = Iterator[ValidationError]
Verdicts = tuple[dict[int, Verdict | None], dict[int, Verdict | None]]
"""On subschemas by their `id`, for small and for large instances."""


_SECONDS = 2.0
_SEARCHES = 256
"""Searches for a pattern that are counted as one step."""
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
    """The verdict of one subschema; it is in *verdicts* from then on."""
    verdicts: Verdicts
    most_text: int
    leaves: dict[tuple[str, int], Verdict] = field(default_factory=dict)
    validators: dict[int, Any] = field(default_factory=dict)
    """Those that walk a subschema, by its `id`."""

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


class Explanation:
    """One call being explained."""

    unions = 0
    """How many unions are being looked into, one inside the other."""
    is_counting = False
    """Whether branches are only compared: unions inside them stay closed."""
    nesting = 0
    """How many subschemas are being walked, one inside the other."""
    searches = 0
    is_cut = False
    """Whether something was left out because the steps were used up."""

    def __init__(
        self, facts: Facts, steps: int, *, is_large: bool = False, asks_first: bool = True
    ) -> None:
        self.facts = facts
        self.steps = steps
        self.deadline = perf_counter() + _SECONDS
        """When to end even if there are steps left."""
        self.is_large = is_large
        """Whether the engine's own ways may cost too much for this instance."""
        self.asks_first = asks_first
        """Whether the verdict engine says where to look; without it everything
        is walked, which is only to compare the two."""
        self.is_dynamic = facts.survey.is_dynamic
        self.can_ask = asks_first and not self.is_dynamic
        """Whether a subschema means the same wherever it is come from, so that
        the verdict engine can be asked for it alone."""
        self.verdicts = facts.verdicts[is_large]
        self.keys: Keys = {}

    def spend(self, steps: int) -> None:
        self.steps -= steps
        # One step may ask for a verdict on most of the instance.
        if self.steps < 0 or perf_counter() > self.deadline:
            self.is_cut = True
            raise SpentError

    def matches(self, pattern: str, text: str, schema: Any) -> bool:
        """Whether *text* has a match; False where it is too long to be searched."""
        self.searches += 1
        if not self.searches % _SEARCHES:
            self.spend(1)
        if len(text) > self.facts.most_text and not translate(pattern).is_bounded:
            return False
        return self.facts.leaf("pattern", pattern, schema)(text)


class Current(FormatChecker, threading.local):  # type: ignore[misc]
    """The call that is being explained in this thread, with one schema.

    It travels in the validators' place for a format checker, the only thing of
    ours that they hand on to every subschema.
    """

    explanation: Explanation | None = None

    def __init__(self) -> None:
        """Check no formats: the verdict engine is asked about these."""


def explanation_of(validator: Any) -> Explanation:
    explanation: Explanation = validator.format_checker.explanation
    return explanation


OURS = Exception("a sentence of toolschema")
"""The cause of the errors that are made here, which marks them."""


class Deferred(NamedTuple):
    """Stands for the errors of a subschema that is to be walked later.

    It rises through the validators in the place of an error's value, and like
    an error it gathers its two locations on the way.
    """

    validator: Any
    instance: Any
    prefix: str = ""
    """What goes before the sentence of each."""

    def errors(self) -> Errors:
        return iter(self.validator.iter_errors(self.instance))


class Told(NamedTuple):
    """Stands for a keyword's value where an issue is to tell less or more."""

    params: dict[str, Any]


def wrong(message: str, *path: str | int, **params: Any) -> ValidationError:
    """An error at *path* below the instance, for the keyword that yields it."""
    return failed(message, path=path, validator_value=Told(params))


def failed(message: str, **parts: Any) -> ValidationError:
    """An error with a sentence of ours; no other sentence is ever shown."""
    return ValidationError(message, cause=OURS, **parts)


def is_valid(validator: Any, instance: Any, schema: Schema) -> bool:
    """Whether *instance* satisfies a subschema."""
    if isinstance(schema, bool):
        return schema
    explanation = explanation_of(validator)
    if explanation.is_dynamic:
        explanation.spend(len(schema))
        return next(validator.descend(instance, schema), None) is None
    verdict = verdict_on(validator, schema)
    if verdict is None:
        return next(validator.evolve(schema=schema).iter_errors(instance), None) is None
    answer = verdict(instance)
    if not answer:
        explanation.spend(1)
    return answer


def verdict_on(validator: Any, schema: Schema) -> Verdict | None:
    """What the verdict engine says of a subschema alone, if it can be asked."""
    explanation = explanation_of(validator)
    if not explanation.can_ask or isinstance(schema, bool):
        return None
    key = id(schema)
    if key not in explanation.verdicts:
        explanation.facts.subschema(schema, is_large=explanation.is_large)
    return explanation.verdicts[key]


def below(
    validator: Any,
    instance: Any,
    schema: Schema,
    path: str | int | None = None,
    schema_path: str | int | None = None,
) -> Errors:
    """The errors of a subschema, entered only where there are some."""
    if schema is True:
        return iter(())
    explanation = explanation_of(validator)
    if schema is False:
        errors = _false(explanation)
    elif explanation.is_dynamic:
        explanation.spend(len(schema))
        errors = validator.descend(instance, schema)
    elif not explanation.asks_first:
        errors = validator.evolve(schema=schema).iter_errors(instance)
    elif is_valid(validator, instance, schema):
        return iter(())
    else:
        errors = _walked(validator, instance, schema)
    return _located(errors, path, schema_path)


def _located(errors: Errors, path: str | int | None, schema_path: str | int | None) -> Errors:
    for error in errors:
        if path is not None:
            error.path.appendleft(path)
        if schema_path is not None:
            error.schema_path.appendleft(schema_path)
        yield error


def _false(explanation: Explanation) -> Errors:
    explanation.spend(1)
    error: Any = failed(_messages.FALSE, validator_value=False)
    # No keyword says it: otherwise the class would fill in the one around.
    error.validator = None
    yield error


def _walked(validator: Any, instance: Any, schema: Schema) -> Errors:
    """The errors of a subschema that has some; deep down, one that stands for them.

    So the stack stays short, however deep an instance or a schema is.
    """
    explanation = explanation_of(validator)
    explanation.spend(len(schema))
    inner = explanation.facts.validators.get(id(schema))
    if inner is None:
        # Not `descend`: it would keep to the keywords that count in the dialect
        # around, and no reference is left that needs its resolver.
        inner = explanation.facts.validators[id(schema)] = validator.evolve(schema=schema)
    if explanation.nesting >= _DEEPEST:
        yield ValidationError("", validator_value=Deferred(inner, instance))
        return
    explanation.nesting += 1
    try:
        yield from inner.iter_errors(instance)
    finally:
        explanation.nesting -= 1
