"""One invalid call being explained: what it may ask, and how far it may go."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from functools import partial
from time import perf_counter
from typing import Any, Protocol

from toolschema._json.equality import Keys
from toolschema._json.pointer import Token
from toolschema._schema.dialect import Schema
from toolschema._schema.patterns.pattern import translate
from toolschema._schema.survey import Survey
from toolschema._validation import messages
from toolschema._validation.explain.stock import FormatChecker, FormatError, ValidationError
from toolschema._validation.verdict import Verdict, compile_verdict

Errors = Iterator[ValidationError]
Verdicts = tuple[dict[int, Verdict | None], dict[int, Verdict | None]]
"""On subschemas by their `id`, for small and for large instances."""


_SECONDS = 2.0
_SEARCHES = 256
"""Searches for a pattern that are counted as one step."""
_DEEPEST = 16
"""Nested subschemas that are walked at once: a stack of 128 KiB has room for four
times as many."""


class SubschemaVerdicts(Protocol):
    def __call__(self, schema: Schema, *, is_large: bool) -> Verdict | None:
        """None where the verdict engine cannot compile this subschema alone."""


class SpentError(Exception):
    """The steps of an explanation are used up."""


class KeywordError(ValidationError):  # type: ignore[misc]
    """An error whose sentence is ours, and so holds no value of the instance."""

    params: Mapping[str, Any] | None = None
    """What the schema asks for, as the issue shows it."""


class DeferredError(KeywordError):
    """Stands for the errors of a subschema that is walked later.

    It rises through the validators like any error, and gathers its two locations
    on the way. Its message goes before the sentence of each.
    """

    errors: Callable[[], Errors]


class Facts(FormatChecker):  # type: ignore[misc]
    """What the verdict engine answers while one schema is explained; shared by all calls.

    To the validators it is a format checker, which they hand on to every subschema:
    formats are one of the keywords that the verdict engine decides.
    """

    def __init__(
        self, survey: Survey, subschema: SubschemaVerdicts, verdicts: Verdicts, most_text: int
    ) -> None:
        self.survey = survey
        self.subschema = subschema
        """The verdict of one subschema; it is in *verdicts* from then on."""
        self.verdicts = verdicts
        self.most_text = most_text
        self.leaves: dict[tuple[str, int], Verdict] = {}
        self.validators: dict[int, Any] = {}
        """Those that walk a subschema, by its `id`."""
        self._unlimited = threading.local()

    @property
    def unlimited(self) -> Explanation:
        """For a validator that is used directly: it goes as far as it is asked."""
        explanation: Explanation | None = getattr(self._unlimited, "explanation", None)
        if explanation is None:
            explanation = Explanation(self, is_large=True)
            self._unlimited.explanation = explanation
        return explanation

    def check(self, instance: object, format: str) -> None:  # noqa: A002 - its name in jsonschema
        """Raise `FormatError` unless the verdict engine finds that *instance* conforms."""
        if not compile_verdict(self.survey.dialect, {"format": format})(instance):
            raise FormatError(messages.sentence("format", format))

    def leaf(self, keyword: str, value: Any, schema: Any) -> Verdict:
        """The verdict of one keyword alone."""
        key = keyword, id(value)
        if key in self.leaves:
            return self.leaves[key]
        alone = {keyword: value}
        if keyword == "pattern":
            alone = {keyword: translate(value).engine}
        elif keyword == "contentMediaType" and "contentEncoding" in schema:
            alone["contentEncoding"] = schema["contentEncoding"]
        node = self.survey.nodes.get(id(schema))
        verdict = compile_verdict(node.dialect if node else self.survey.dialect, alone)
        if node is not None:
            # The values in the private copies live as long as this cache does; so
            # their ids name them.
            self.leaves[key] = verdict
        return verdict


class Explanation:
    """One call being explained; without *steps*, to the end."""

    unions = 0
    """How many nested unions are being explained."""
    is_counting = False
    """Whether branches are only compared: unions inside them stay closed."""
    nesting = 0
    """How many nested subschemas are being walked."""
    searches = 0
    is_cut = False
    """Whether something was left out because the steps were used up."""

    def __init__(
        self,
        facts: Facts,
        steps: int | None = None,
        *,
        is_large: bool = False,
        asks_first: bool = True,
    ) -> None:
        self.facts = facts
        is_limited = steps is not None
        self.steps = steps if steps is not None else math.inf
        self.deadline = perf_counter() + _SECONDS if is_limited else math.inf
        """When to end even if there are steps left."""
        self.deepest = _DEEPEST if is_limited else math.inf
        self.is_large = is_large
        """Whether the instance is so large that the careful verdicts are needed."""
        self.asks_first = asks_first
        """Whether subschemas are entered only where the verdict engine finds a
        failure; without it everything is walked, to compare the two."""
        self.is_dynamic = facts.survey.is_dynamic
        self.can_ask = asks_first and not self.is_dynamic
        """Whether a subschema means the same wherever it is applied, so that
        the verdict engine can be asked for it alone."""
        self.verdicts = facts.verdicts[is_large]
        self.keys: Keys | None = {} if is_limited else None
        """Keys of containers whose items are compared, kept for one call."""

    def spend(self, steps: int) -> None:
        self.steps -= steps
        # One step may ask for a verdict on most of the instance.
        if self.steps < 0 or perf_counter() > self.deadline:
            self.is_cut = True
            raise SpentError

    def verdict_on(self, schema: Schema) -> Verdict | None:
        """The verdict engine's verdict of a subschema alone, if there is one."""
        if not self.can_ask or isinstance(schema, bool):
            return None
        key = id(schema)
        if key in self.verdicts:
            return self.verdicts[key]
        return self.facts.subschema(schema, is_large=self.is_large)

    def matches(self, pattern: str, text: str, schema: Any) -> bool:
        """Whether *text* has a match; False where it is too long to be searched."""
        self.searches += 1
        if not self.searches % _SEARCHES:
            self.spend(1)
        if len(text) > self.facts.most_text and not translate(pattern).is_bounded:
            return False
        return self.facts.leaf("pattern", pattern, schema)(text)


UNDER_WAY: ContextVar[Explanation | None] = ContextVar("toolschema.explanation", default=None)
"""The call that is being explained, for the functions of the keywords."""


def facts_of(validator: Any) -> Facts:
    """What *validator* may ask the verdict engine."""
    facts: Facts = validator.format_checker
    return facts


def explanation_of(validator: Any) -> Explanation:
    """The explanation that *validator* works for."""
    facts: Facts = validator.format_checker
    explanation = UNDER_WAY.get()
    if explanation is None or explanation.facts is not facts:
        return facts.unlimited
    return explanation


def wrong(message: str, *path: Token, **params: Any) -> KeywordError:
    """An error at *path* below the instance, for the keyword that yields it."""
    error = KeywordError(message, path=path)
    error.params = params
    return error


def is_valid(validator: Any, instance: Any, schema: Schema) -> bool:
    """Whether *instance* satisfies a subschema."""
    if isinstance(schema, bool):
        return schema
    return _is_valid(explanation_of(validator), validator, instance, schema)


def _is_valid(explanation: Explanation, validator: Any, instance: Any, schema: Any) -> bool:
    if explanation.is_dynamic:
        explanation.spend(len(schema))
        return next(validator.descend(instance, schema), None) is None
    verdict = explanation.verdict_on(schema)
    if verdict is None:
        return next(validator.evolve(schema=schema).iter_errors(instance), None) is None
    answer = verdict(instance)
    if not answer:
        explanation.spend(1)
    return answer


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
    elif _is_valid(explanation, validator, instance, schema):
        return iter(())
    else:
        errors = _walked(explanation, validator, instance, schema)
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
    # No keyword is at fault: left unset, the class would fill in the one around.
    error: Any = KeywordError(messages.FALSE, validator_value=False)
    error.validator = None
    yield error


def _walked(explanation: Explanation, validator: Any, instance: Any, schema: Any) -> Errors:
    """The errors of a subschema that has some; deep down, one that stands for them.

    This keeps the stack short, however deep an instance or a schema is.
    """
    explanation.spend(len(schema))
    inner = explanation.facts.validators.get(id(schema))
    if inner is None:
        # Not `descend`: it would keep to the keywords that count in the dialect
        # around, and no reference is left that needs its resolver.
        inner = explanation.facts.validators[id(schema)] = validator.evolve(schema=schema)
    if explanation.nesting >= explanation.deepest:
        deferred = DeferredError("")
        deferred.errors = partial(inner.iter_errors, instance)
        yield deferred
        return
    explanation.nesting += 1
    try:
        yield from inner.iter_errors(instance)
    finally:
        explanation.nesting -= 1
